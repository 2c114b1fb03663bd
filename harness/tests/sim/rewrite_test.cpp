#include "sim/rewrite.h"

#include <algorithm>

#include "tests/catch.h"

using workbook::sim::rewrite_launches;

TEST_CASE("a launch becomes a call and keeps its line") {
  const std::string out = rewrite_launches("a;\nscale<<<grid,\n  block>>>(y, n);\nb;");
  CHECK(out ==
        "a;\n::workbook::sim::launch(\"scale\", ::workbook::sim::LaunchConfig(grid,\n  block), scale)(y, "
        "n);\nb;");
}

TEST_CASE("template arguments, qualifiers and shifts inside the configuration stay whole") {
  CHECK(
      rewrite_launches("ns::k<float, 4><<<1 << 2, f(a >> 1), 0, s>>>(x);") ==
      "::workbook::sim::launch(\"ns::k<float, 4>\", ::workbook::sim::LaunchConfig(1 << 2, f(a >> 1), 0, s), "
      "ns::k<float, 4>)(x);");
}

TEST_CASE("a kernel template whose arguments are deduced is wrapped") {
  const std::string out =
      rewrite_launches("template <class T>\n__global__ void k(T* y) {}\nvoid f() { k<<<1, 2>>>(p); }");
  CHECK(out.find("launch_deduced(\"k\"") != std::string::npos);
  CHECK(std::count(out.begin(), out.end(), '\n') == 2);
}

TEST_CASE("comments, strings and raw strings are left alone") {
  for (const std::string text : {"// k<<<1, 1>>>(x)\n", "/* k<<<1,1>>>() */", "\"k<<<1,1>>>()\"",
                                 "R\"(k<<<1,1>>>())\"", "auto n = 1'000; char c = '<';"})
    CHECK(rewrite_launches(text) == text);
}

TEST_CASE("an unfinished launch is refused with its line") {
  CHECK_THROWS_WITH(rewrite_launches("x;\nk<<<1, 2(y);\n"), contains_text("line 2"));
}
