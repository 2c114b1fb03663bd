// What is read of a program without the optimizer is what the optimizer reads.
#include "optimizer/language/names.h"

#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook;

TEST_CASE("the real extents of a program are those of its graph") {
  for (const char* name : test::kShipped) {
    const opt::Program program = test::shipped(name);
    std::vector<std::pair<std::string, std::int64_t>> expected;
    for (const opt::Index& index : program.graph.indices) expected.emplace_back(index.name, index.real);
    CHECK(opt::real_extents(program.text) == expected);
  }
}

TEST_CASE("one number is both extents, and what is no declaration of indices is passed over") {
  using Extents = std::vector<std::pair<std::string, std::int64_t>>;
  CHECK(opt::real_extents(
            "# index z = 1\ninput x[a,b]\nindex a = 4  # 8\nindex = x\n\nindex b = 2 16, c = 8") ==
        Extents{{"a", 4}, {"b", 16}, {"c", 8}});
  CHECK(opt::real_extents("").empty());
}
