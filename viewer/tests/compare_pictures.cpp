// workbook_viewer_compare_pictures A.png B.png: whether two pictures look alike, as the golden tests see it.
// Status 1: they do not. For the test of the README's pictures (book/tests).
#include <iostream>

#include "likeness.h"

int main(int argc, char** argv) {
  using namespace workbook::viewer;
  if (argc != 3) return 2;
  const double share = difference(shrunk(load_png(argv[1])), shrunk(load_png(argv[2])));
  std::cout << share << " of the pixels look different\n";
  return share <= kMostDifferent ? 0 : 1;
}
