#include "cli/compile/cache.h"

#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
namespace test = workbook::test;

TEST_CASE("the folders used last are kept, and those that may be in use") {
  test::TemporaryFolder parent;
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 6; ++i) {
    const fs::path folder = parent / ("made-" + std::to_string(i));
    fs::create_directory(folder);
    mark_used(folder);
    fs::last_write_time(folder / "used", now - i * 1h);
  }
  fs::create_directory(parent / "other");
  fs::last_write_time(parent / "other", now - 100h);
  prune(parent.path(), "made-", 2, 210min);
  for (int i = 0; i < 6; ++i) CHECK(fs::exists(parent / ("made-" + std::to_string(i))) == (i <= 3));
  CHECK(fs::exists(parent / "other"));
  prune(parent / "nowhere", "", 0, 0s);
}
