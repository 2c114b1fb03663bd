#include "device_code.h"

#include "both_sides.h"
#include "execution_space.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace workbook::sim {

DeviceCode::DeviceCode(const Tokens& t, const DeviceWords* words) {
  const auto is_device = [&](std::size_t i) {
    return t.is(i, "__global__") || t.is(i, "__device__") || (words != nullptr && words->is_device(t, i));
  };
  const auto is_host = [&](std::size_t i) {
    return t.is(i, "__host__") || (words != nullptr && words->is_host(t, i));
  };
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!is_device(i)) continue;
    bool host = is_host(i) || (i > 0 && is_host(i - 1));
    std::size_t k = i + 1;
    for (; k < t.size() && t[k].macro == t[i].macro && !t.is(k, ";") && !t.is(k, "{") && !t.is(k, "="); ++k) {
      host |= is_host(k);
      if (t.is(k, "(")) k = t.closing(k);
    }
    if (!t.is(k, "{")) continue;
    (host ? both_ : bodies_).emplace_back(k, t.closing(k));
    i = k;
  }
}

bool DeviceCode::contains(std::size_t token) const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [&](const auto& body) { return body.first < token && token < body.second; });
}

namespace {

/// The directive of a line, "if" or "endif", and what stands behind it.
std::pair<std::string_view, std::string_view> directive_of(std::string_view line) {
  std::size_t i = line.find_first_not_of(" \t");
  if (i == line.npos || line[i] != '#') return {};
  i = std::min(line.find_first_not_of(" \t", i + 1), line.size());
  std::size_t end = i;
  while (end < line.size() && line[end] >= 'a' && line[end] <= 'z') ++end;
  return {line.substr(i, end - i), line.substr(end)};
}

/// Whether all these lines are includes.
bool are_includes(std::string_view lines) {
  bool any = false;
  for (std::size_t i = 0, end = 0; i < lines.size(); i = end + 1) {
    end = std::min(lines.find('\n', i), lines.size());
    const std::string_view line = lines.substr(i, end - i);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (directive_of(line).first != "include") return false;
    any = true;
  }
  return any;
}

/// Between functions `#if __CUDA_ARCH__ >= 700` chooses what the device's compilation has; of the host's, to
/// which the name is 0, no kernel could call what stands there. Renamed where only that is asked, and
/// something for the device stands behind it. So is what encloses nothing but includes: a header that only
/// the device's compilation reads does the host's no harm.
void define_arch_between(const Tokens& t, const std::vector<std::pair<std::size_t, std::size_t>>& bodies,
                         Edits& edits) {
  const std::string_view source = t.source();
  for (std::size_t i = 0, end = 0; i < source.size(); i = end + 1) {
    end = std::min(source.find('\n', i), source.size());
    const auto [name, condition] = directive_of(source.substr(i, end - i));
    if (!name.starts_with("if") || name == "ifndef" || condition.find("__CUDA_ARCH__") == condition.npos)
      continue;
    if (std::any_of(bodies.begin(), bodies.end(), [&](const auto& body) {
          return t[body.first].begin < i && (body.second >= t.size() || i < t[body.second].begin);
        }))
      continue;
    int depth = 1;
    std::size_t close = end, last = end;  // of the line that ends the condition, and where that begins
    for (std::size_t line = end + 1; line < source.size() && depth > 0; line = close + 1) {
      last = line;
      close = std::min(source.find('\n', line), source.size());
      const std::string_view inner = directive_of(source.substr(line, close - line)).first;
      depth += inner.starts_with("if") ? 1 : inner == "endif" ? -1 : 0;
    }
    const std::string_view inside = source.substr(end, close - end);
    const bool only_asks = name == "if" && condition.find("defined") == condition.npos;
    const bool for_device =
        inside.find("__device__") != inside.npos || inside.find("__global__") != inside.npos;
    const bool negated = condition.find('!') != condition.npos;
    if (!(only_asks && for_device) &&
        (negated || last <= end || !are_includes(source.substr(end, last - end))))
      continue;
    rename_in_conditions(source, i, end, {"__CUDA_ARCH__", "WORKBOOK_SIM_ARCH"}, edits);
  }
}

}  // namespace

void DeviceCode::define_arch(const Tokens& t, Edits& edits) const {
  choose_side_at_run_time(t, both_, edits);
  define_arch_between(t, bodies_, edits);
  for (const auto& [open, close] : bodies_)
    rename_in_conditions(t.source(), t[open].begin, close < t.size() ? t[close].end : t.source().size(),
                         {"__CUDA_ARCH__", "WORKBOOK_SIM_ARCH"}, edits);
}

void rename_in_conditions(std::string_view source, std::size_t begin, std::size_t end, Renamed name,
                          Edits& edits) {
  bool condition = false;
  for (std::size_t i = begin, line_end = 0; i < end; i = line_end + 1) {
    line_end = std::min(source.find('\n', i), end);
    const std::string_view line = source.substr(i, line_end - i);
    std::size_t first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] == '#') {
      first = line.find_first_not_of(" \t", first + 1);
      condition = first != line.npos &&
                  (line.substr(first).starts_with("if") || line.substr(first).starts_with("elif"));
    }
    for (std::size_t at = line.find(name.from); condition && at != line.npos;
         at = line.find(name.from, at + name.from.size()))
      edits.replace(i + at, i + at + name.from.size(), std::string(name.to));
    condition = condition && line.ends_with('\\');
  }
}

void keep_launch_bounds(const Tokens& t, std::size_t i, Edits& edits) {
  if (t[i].macro != 0 || !t.is(i + 1, "(")) return;
  const std::size_t close = t.closing(i + 1);
  std::size_t start = i;
  while (start > 0 && !t.is(start - 1, ";") && !t.is(start - 1, "{") && !t.is(start - 1, "}")) --start;
  for (std::size_t k = i + 2; k < close; ++k)  // a template's parameter, whose value is not known behind it
    for (std::size_t before = start; before < i; ++before)
      if (t.is_word(k) && t.is(before, t.text(k))) return;
  std::size_t name = start;
  for (; name < t.size() && !t.is(name, ";") && !t.is(name, "{"); ++name) {
    if (t.is(name, "<")) name = t.closing_angle(name);
    if (!t.is_word(name) || !t.is(name + 1, "(")) continue;
    if (!t.text(name).starts_with("__") && !t.is(name, "alignas")) break;
    name = t.closing(name + 1);
  }
  if (!t.is(name + 1, "(")) return;
  std::size_t end = t.closing(name + 1);
  while (end < t.size() && !t.is(end, ";") && !t.is(end, "{")) ++end;
  if (t.is(end, "{")) end = t.closing(end);
  if (end >= t.size()) return;
  edits.insert(t[end].end,
               " WORKBOOK_SIM_BOUNDS(" + std::string(t.text(name)) + ", " + t.joined(i + 2, close) + ")");
}

void adapt_shared(const Tokens& t, std::size_t shared, Edits& edits) {
  std::size_t start = shared;
  bool external = t.is(shared + 1, "extern");
  while (start > 0 && t[start - 1].macro == t[shared].macro &&
         (t.is(start - 1, "extern") || t.is(start - 1, "static") || t.is(start - 1, "volatile") ||
          t.is(start - 1, "const")))
    external |= t.is(--start, "extern");
  if (external) edits.replace(t[shared].begin, t[shared].end, "WORKBOOK_SIM_EXTERN_SHARED");
  bool record = false;
  std::string shapes;
  std::size_t i = shared + 1;
  for (; i < t.size() && t[i].macro == t[shared].macro && !t.is(i, ";"); ++i) {
    if (t.is_word(i) && (t.is(i + 1, "[") || t.is(i + 1, ",") || t.is(i + 1, ";")))
      shapes += " WORKBOOK_SIM_SHAPE(" + std::string(t.text(i)) + ");";
    if ((t.is(i, "alignas") || t.is(i, "__align__")) && t.is(i + 1, "(")) {
      const std::size_t close = t.closing(i + 1);
      if (close >= t.size()) return;
      edits.insert(t[start].begin, t.joined(i, close + 1) + " ");
      edits.blank(t.source(), t[i].begin, t[close].end);
      i = close;
    } else if (t.is(i, "struct") || t.is(i, "union") || t.is(i, "class")) {
      record = true;
    } else if (t.is(i, "(") || t.is(i, "[") || (t.is(i, "{") && record)) {
      record = false;
      i = t.closing(i);
    } else if (t.is(i, "<")) {
      const std::size_t close = t.closing_angle(i);
      if (close < t.size()) i = close;
    } else if (t.is(i, "=") || t.is(i, "{")) {
      edits.insert(t[start].begin,
                   "static_assert(false, \"a __shared__ variable cannot have an initializer: let one thread "
                   "assign it, then __syncthreads()\"); ");
      return;
    } else if (t.is(i, "}") || t.is(i, ")")) {
      return;
    }
  }
  if (t.is(i, ";")) edits.insert(t[i].end, shapes);
}

}  // namespace workbook::sim
