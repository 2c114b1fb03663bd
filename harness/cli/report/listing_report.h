// A listing as people read it: beside its source lines, with what its instructions mean.
#pragma once

#include <functional>
#include <string>

#include "cli/listing/listing.h"
#include "runs/json.h"
#include "runs/listing.h"

namespace workbook::cli {

/// The text of a line of a source file, by its name without folder; empty where it is not at hand.
using LineText = std::function<std::string(const std::string& file, int line)>;

/// Every kernel in a row: registers, spills, what occurs in it. With one kernel nothing but its listing.
std::string listing_overview(const Listing& listing);

/// A kernel in the order of its addresses, at most `most` instructions of it, and a table of those that
/// occur.
std::string listing_text(const Listing& listing, const KernelListing& kernel, const LineText& source,
                         std::size_t most, const std::string& how_to_see_all);

/// Where it comes from: "nvcc 13.0.88, nvdisasm 13.5.37, for sm_90, recorded".
std::string listing_origin(const Listing& listing);

runs::Json listing_json(const Listing& listing, const std::string& kernel);

/// For the viewer; the puzzle and the hash of its source are the caller's to add.
runs::ListingRecord listing_record(const Listing& listing);

}  // namespace workbook::cli
