#include "options.h"
#include "tests/catch.h"

using namespace workbook::viewer;

TEST_CASE("the command line is read whole") {
  const Options options = parse_options({"--import", "a.json", "b.json", "--run", "12", "--baseline", "9",
                                         "--theme", "dark", "--size", "1000x700", "--screenshot", "mapping",
                                         "out.png", "--thread", "3", "--puzzle", "22"});
  CHECK(options.imports.size() == 2);
  CHECK(options.run == 12);
  CHECK(options.baseline == 9);
  CHECK(options.dark);
  CHECK(options.width == 1000);
  CHECK(options.height == 700);
  CHECK(options.panel == "mapping");
  CHECK(options.screenshot == "out.png");
  CHECK(options.thread == 3);
}

TEST_CASE("what is wrong on the command line is said") {
  const std::vector<std::vector<std::string>> wrong = {{"--nonsense"},
                                                       {"--run"},
                                                       {"--run", "x"},
                                                       {"--theme", "blue"},
                                                       {"--size", "10"},
                                                       {"--size", "1x1"},
                                                       {"--screenshot", "soup", "o.png"},
                                                       {"--screenshot", "compare"},
                                                       {"stray"}};
  for (const auto& arguments : wrong) CHECK_THROWS_AS(parse_options(arguments), UsageError);
  CHECK_THROWS_WITH(parse_options({"--puzzle", "x"}), "--puzzle: needs a number, not 'x'");
}
