// Rewrites the launches of standard input, as staging does: `rewrite_tool FILE < FILE`.
#include <iostream>
#include <iterator>

#include "translate/rewrite.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string source((std::istreambuf_iterator<char>(std::cin)), {});
  std::cout << "#line 1 \"" << argv[1] << "\"\n" << workbook::sim::rewrite_launches(source);
}
