#include "sources.h"

#include <algorithm>
#include <cmath>

#include "check.h"

namespace workbook::core {

std::int64_t Sources::add(const Tensor& tensor, const Prepared& data, Type result) {
  const auto initial = data.initial.find(tensor.name);
  if (initial == data.initial.end() || is_integer(tensor.type) != is_integer(result)) return -1;
  const std::vector<double> values = as_doubles(tensor.type, initial->second);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  all_.push_back({&tensor, extents(tensor, data.dims), size_, values.size(), *least, *most});
  size_ += values.size();
  return static_cast<std::int64_t>(all_.back().first);
}

const Sources::Source& Sources::of(std::size_t i) const {
  return *std::find_if(all_.begin(), all_.end(), [i](const Source& s) { return i < s.first + s.count; });
}

double Sources::change(std::size_t i, Bytes& bytes, int sign) const {
  const Source& source = of(i);
  const Type type = source.tensor->type;
  const double own = load(type, bytes, i - source.first);
  double other = own;
  if (std::isfinite(own)) other = rounded(type, own + sign * (is_integer(type) ? 1.0 : 1.0 + std::abs(own)));
  // A whole number may count or point at something.
  if (is_integer(type)) other = std::clamp(other, source.least, source.most);
  put_back(i, bytes, other);
  return own;
}

void Sources::put_back(std::size_t i, Bytes& bytes, double value) const {
  const Source& source = of(i);
  store(source.tensor->type, bytes, i - source.first, value);
}

std::string Sources::name(std::size_t i) const {
  const Source& source = of(i);
  const std::string old = source.tensor->role == Role::input ? "" : "the old ";
  return old + element_name(source.tensor->name, index_of(i - source.first, source.shape));
}

std::string Sources::list(const Positions& positions) const {
  std::string text;
  for (const Source& source : all_) {
    const auto begin = std::lower_bound(positions.begin(), positions.end(), source.first);
    const auto end = std::lower_bound(begin, positions.end(), source.first + source.count);
    const Positions own(begin, end);
    if (own.empty()) continue;
    text += text.empty() ? "" : " and ";
    if (own.size() > 2 && own.back() - own.front() + 1 == own.size())
      text += name(own.front()) + " to " + name(own.back());
    else if (own.size() <= 3)
      for (std::size_t k = 0; k < own.size(); ++k)
        text += (k == 0 ? "" : k + 1 < own.size() ? ", " : " and ") + name(own[k]);
    else
      text += name(own[0]) + ", " + name(own[1]) + ", " + name(own[2]) + " ... " + name(own.back()) + " (" +
              std::to_string(own.size()) + " elements)";
  }
  return text;
}

}  // namespace workbook::core
