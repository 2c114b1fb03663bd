#include "runs/trace.h"

#include <stdexcept>

#include "tests/catch.h"
#include "tests/sample_run.h"

using namespace workbook;

TEST_CASE("a trace survives its bytes and their compression") {
  const runs::Trace trace = test::sample_trace();
  const std::string bytes = runs::serialize(trace);
  const std::string packed = runs::compress(bytes);
  CHECK(packed.size() * 4 < bytes.size());
  const runs::Trace back = runs::deserialize(runs::decompress(packed));
  CHECK(back.files == trace.files);
  REQUIRE(back.events.size() == trace.events.size());
  CHECK(back.events[999].block == 999);
  CHECK(back.events[999].access == runs::Access::write);
}

TEST_CASE("a trace cut short anywhere is refused, never read past its end") {
  const std::string bytes = runs::serialize(test::sample_trace());
  for (std::size_t size = 0; size < bytes.size(); size += 97)
    CHECK_THROWS_AS(runs::deserialize(bytes.substr(0, size)), std::runtime_error);
  CHECK_THROWS_AS(runs::deserialize(bytes + "x"), std::runtime_error);
  const std::string packed = runs::compress(bytes);
  for (std::size_t size = 0; size < packed.size(); size += 7)
    CHECK_THROWS_AS(runs::decompress(packed.substr(0, size)), std::runtime_error);
}

TEST_CASE("a trace that names a file it does not have is refused") {
  runs::Trace trace = test::sample_trace();
  trace.files.clear();
  CHECK_THROWS_AS(runs::deserialize(runs::serialize(trace)), std::runtime_error);
}
