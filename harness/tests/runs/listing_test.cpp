#include "runs/listing.h"

#include "runs/json.h"
#include "tests/catch.h"
#include "tests/sample_listing.h"
#include "tests/temporary.h"

using namespace workbook;

TEST_CASE("a listing survives its file") {
  const test::TemporaryFolder folder;
  const auto file = folder / "listings" / "22.json";
  runs::write_listing(file, test::sample_listing());
  CHECK(runs::dump(runs::to_json(runs::read_listing(file))) ==
        runs::dump(runs::to_json(test::sample_listing())));
  CHECK(runs::is_listing(test::read(file)));
  CHECK_FALSE(runs::is_listing("{\"format\":\"workbook fusion\"}"));
}

TEST_CASE("a file of a listing that is missing, cut off, foreign or newer says which it is") {
  const test::TemporaryFolder folder;
  const auto message_of = [&](const std::string& text) -> std::string {
    test::write(folder / "made.json", text);
    try {
      runs::read_listing(folder / "made.json");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const auto holds = [](const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  };
  runs::write_listing(folder / "whole.json", test::sample_listing());
  const std::string whole = test::read(folder / "whole.json");
  CHECK(message_of(whole).empty());
  CHECK(holds(message_of(whole.substr(0, whole.size() / 2)), "not JSON"));
  CHECK(holds(message_of("{\"runs\": []}"), "it holds no listing"));
  CHECK(
      holds(message_of("{\"format\":\"workbook listing\",\"version\":2,\"listing\":{}}"), "another version"));
  CHECK_FALSE(message_of("{\"format\":\"workbook listing\",\"version\":1,\"listing\":{}}").empty());
  CHECK_THROWS_WITH(runs::read_listing(folder / "none.json"), contains_text("cannot be read"));
}
