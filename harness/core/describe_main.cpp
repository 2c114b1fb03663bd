// Linked with a puzzle's declaration alone: prints it as JSON, for the command line
// (harness/cli/build/declared.cpp).
#include <exception>
#include <iostream>

#include "declaration.h"

int main() {
  try {
    std::cout << workbook::core::describe(workbook::puzzle);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 5;
  }
}
