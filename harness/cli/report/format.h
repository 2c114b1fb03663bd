// Numbers and names as people read them.
#pragma once

#include <string>
#include <vector>

#include "runs/number_text.h"
#include "runs/record.h"

namespace workbook::cli {

using runs::bytes_text, runs::sizes_text;

std::string time_text(double us);                                     ///< "2.35 us", "1.20 ms"
std::string rate_text(double bytes, double us);                       ///< GB/s, without the unit
std::string difference_text(double value);                            ///< "1.2e-07", "0", "NaN"
std::string value_text(double value);                                 ///< enough digits for a float
std::string ratio_text(double ratio);                                 ///< "1.83x", "12x"
std::string dim3_text(const runs::Dim3& dim);                         ///< "4x4", "8"
std::string thread_text(const runs::ThreadId& who);                   ///< "thread 3 of block (0,1)"
std::string index_text(const std::vector<std::int64_t>& index);       ///< "[0][3][1]"
std::string count_text(std::int64_t count, const std::string& noun);  ///< "1 launch", "4 launches"
std::string line_text(const runs::SourceLine& at);                    ///< "kernels.cu:14" with its path
std::string ago_text(const std::string& utc);                         ///< "2026-01-02 03:04"

/// Rows of cells, padded to columns; the first column is left-aligned and so are those named in `left`. What
/// is wider than 80 columns goes on in a second table, which begins with the first column again.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void left(std::size_t column) { left_.push_back(column); }
  bool empty() const { return rows_.size() < 2; }
  std::string text(const std::string& indent = "  ") const;

 private:
  std::string part(const std::string& indent, const std::vector<std::size_t>& widths, std::size_t first,
                   std::size_t last) const;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_;
};

}  // namespace workbook::cli
