#include "optimizer/language/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace workbook::opt {
namespace {

std::string small(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::erase(result, '_');
  return result;
}

/// Letters put in, left out or changed.
std::size_t edits(std::string_view one, std::string_view two) {
  if (two.empty()) return one.size();
  std::vector<std::size_t> row(two.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t k = 0; k < two.size(); ++k) {
      const std::size_t changed = corner + (one[i] == two[k] ? 0 : 1);
      corner = row[k + 1];
      row[k + 1] = std::min({changed, corner + 1, row[k] + 1});
    }
  }
  return row[two.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const std::string wanted = small(name);
  std::size_t least = wanted.size() < 3 ? 1 : wanted.size() < 6 ? 2 : 3;  // fewer than that
  std::string found;
  for (const std::string& each : names)
    if (const std::size_t away = edits(wanted, small(each)); away < least) least = away, found = each;
  return found;
}

}  // namespace workbook::opt
