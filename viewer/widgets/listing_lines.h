// What the compiler made of the source: instructions under the lines that they are of.
#pragma once

#include <string>

#include "model/source_page.h"
#include "runs/listing.h"
#include "widgets/draw.h"

namespace workbook::viewer {

struct ListingHit {
  const runs::ListedInstruction* clicked = nullptr;
};

/// Draws from the cursor into a child of `size` that scrolls both ways. Marked are the instructions of `line`
/// of `page` (0: none), and with `follow` the first of them comes into sight.
ListingHit draw_listing_lines(const Style& style, const runs::ListingRecord& listing, const SourcePage& page,
                              int line, bool follow, ImVec2 size);

}  // namespace workbook::viewer
