// A list over the whole terminal, narrowed by typing: `workbook list`, and `l` in the watch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/base/terminal.h"

namespace workbook::cli {

struct PickerRow {
  std::string heading;               ///< said above the first row that has another one
  std::string text;                  ///< "01  Map"
  std::string state;                 ///< "1 of 2", on the right
  Colour colour = Colour::plain;     ///< of the state
  std::vector<std::string> details;  ///< said below the list while the row is chosen
};

/// Shows the rows until one is chosen; the index of that row, or nothing when the reader leaves. Needs a
/// terminal on both sides; nothing, too, where that cannot be set up. `begin` is chosen at first.
std::optional<std::size_t> pick(const std::string& title, const std::vector<PickerRow>& rows,
                                std::size_t begin);

/// The rows that hold every word of `filter` in heading, text or state, whatever the case.
std::vector<std::size_t> matching(const std::vector<PickerRow>& rows, const std::string& filter);

}  // namespace workbook::cli
