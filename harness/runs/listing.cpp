#include "runs/listing.h"

#include <stdexcept>

#include "runs/json.h"
#include "runs/whole_file.h"

namespace workbook::runs {
namespace {

constexpr const char* kListingFormat = "workbook listing";
constexpr int kListingVersion = 1;

ListingRecord parse_listing(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object() || !json.contains("listing") || json.value("format", Json()) != kListingFormat)
    throw std::runtime_error("it holds no listing");
  if (json.value("version", Json()) != kListingVersion)
    throw std::runtime_error("it was written by another version of the workbook");
  return listing_from_json(json["listing"]);
}

}  // namespace

void write_listing(const std::filesystem::path& file, const ListingRecord& record) {
  write_whole(
      file,
      dump({{"format", kListingFormat}, {"version", kListingVersion}, {"listing", to_json(record)}}) + '\n');
}

bool is_listing(std::string_view text) { return text.starts_with("{\"format\":\"workbook listing\""); }

ListingRecord read_listing(const std::filesystem::path& file) {
  const std::string text = read_whole(file);
  try {
    return parse_listing(text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + " cannot be read: " + error.what() + ".");
  }
}

}  // namespace workbook::runs
