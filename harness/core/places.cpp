#include "places.h"

#include <algorithm>
#include <bit>

namespace workbook::core {
namespace {

constexpr std::size_t kMostLines = 10, kMostColumns = 64;

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

class Picture {
 public:
  explicit Picture(const Evidence& e) : e_(e), states_(e.size(), '.') {
    for (const std::size_t i : e.wrong) states_[i] = '#';
    for (const std::size_t i : e.unwritten) states_[i] = '_';
  }

  std::string text() {
    const bool is_vector = e_.s.shape.size() == 1 || e_.row() == e_.size();
    if (is_vector)
      fold();
    else
      grid();
    return heading(is_vector) + lines_;
  }

 private:
  /// What stands for the elements of some rows and columns.
  char cell(std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, std::size_t width) {
    char state = '\0';
    for (std::size_t r = row; r < row + rows; ++r)
      for (std::size_t c = column; c < std::min(column + columns, width); ++c) {
        const std::size_t i = r * width + c;
        if (i >= states_.size()) break;
        if (state == '\0') state = states_[i];
        if (state != states_[i]) state = '+';
      }
    seen_ += seen_.find(state) == std::string::npos ? std::string(1, state) : "";
    return state;
  }

  void line(const std::string& label, std::size_t label_width, const std::string& cells) {
    lines_ += "\n  " + label + std::string(label_width - label.size() + 2, ' ') + cells;
  }

  /// A vector: lines of 64 characters, each of which stands for one element or, of long ones, for several.
  void fold() {
    each_columns_ = std::bit_ceil(ceil_div(states_.size(), kMostLines * kMostColumns));
    const std::size_t width = each_columns_ * kMostColumns;
    const std::size_t label_width = e_.at(states_.size() - 1).size();
    for (std::size_t first = 0; first < states_.size(); first += width) {
      std::string cells;
      for (std::size_t c = 0; c < width && first + c < states_.size(); c += each_columns_)
        cells += cell(0, 1, first + c, each_columns_, states_.size());
      line(e_.at(first), label_width, cells);
    }
  }

  /// A matrix, or matrices one below the other.
  void grid() {
    const std::size_t width = e_.row(), height = states_.size() / width;
    each_columns_ = std::bit_ceil(ceil_div(width, kMostColumns));
    each_rows_ = std::bit_ceil(ceil_div(height, kMostLines));
    const auto label = [&](std::size_t row) {
      auto index = index_of(row * width, e_.s.shape);
      index.pop_back();
      return element_name(e_.name, index);
    };
    const std::size_t label_width = label(height - 1).size();
    for (std::size_t r = 0; r < height; r += each_rows_) {
      std::string cells;
      for (std::size_t c = 0; c < width; c += each_columns_)
        cells += cell(r, each_rows_, c, each_columns_, width);
      line(label(r), label_width, cells);
    }
  }

  std::string heading(bool is_vector) const {
    std::string text = "Places of " + e_.name;
    if (each_rows_ > 1 || each_columns_ > 1)
      text += ", a character for " +
              (is_vector ? std::to_string(each_columns_) + " elements"
                         : std::to_string(each_rows_) + " x " + std::to_string(each_columns_) + " of them");
    text += ": # wrong, . right";
    if (seen_.find('_') != std::string::npos) text += ", _ never written";
    if (seen_.find('+') != std::string::npos) text += ", + some of each";
    return text;
  }

  const Evidence& e_;
  std::string states_;  ///< of every element
  std::string lines_, seen_;
  std::size_t each_rows_ = 1, each_columns_ = 1;  ///< that a character stands for
};

}  // namespace

std::string places_of(const Suspicion& suspicion) {
  const Evidence evidence(suspicion);
  const bool all_alike = evidence.wrong.size() == evidence.size() &&
                         (evidence.unwritten.empty() || evidence.unwritten.size() == evidence.size());
  if (evidence.wrong.empty() || all_alike || evidence.size() < 8) return {};
  return Picture(evidence).text();
}

}  // namespace workbook::core
