#include "runs/listing.h"

#include "runs/document.h"

namespace workbook::runs {
namespace {

constexpr DocumentKind kListing = {"workbook listing", 1, "listing", "it holds no listing"};

}  // namespace

void write_listing(const std::filesystem::path& file, const ListingRecord& record) {
  write_document(file, kListing, to_json(record));
}

bool is_listing(std::string_view text) { return is_document(kListing, text); }

ListingRecord read_listing(const std::filesystem::path& file) {
  return read_document(file, kListing, listing_from_json);
}

}  // namespace workbook::runs
