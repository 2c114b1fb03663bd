// Linked with a puzzle's declaration alone: prints it as JSON, for the command line
// (harness/cli/project/declared.cpp), and with --calls what a caller of its variants has to know
// (harness/python).
#include <exception>
#include <iostream>
#include <string_view>

#include "declaration.h"

int main(int argc, char** argv) {
  try {
    const bool calls = argc > 1 && std::string_view(argv[1]) == "--calls";
    std::cout << (calls ? workbook::core::describe_calls(workbook::puzzle)
                        : workbook::core::describe(workbook::puzzle));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 5;
  }
}
