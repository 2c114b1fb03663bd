#include "model/access.h"

#include <algorithm>

namespace workbook::viewer {
namespace {
constexpr std::int64_t kMostElements = 1 << 26;  // larger tensors are not drawn: 4096 x 4096, four times over
}  // namespace

AccessIndex::AccessIndex(const runs::Trace& trace, const runs::Benchmark* teaching)
    : truncated_(trace.truncated), files_(trace.files), tensors_(trace.tensors) {
  const bool old = trace.tensors.empty();
  if (old && teaching == nullptr) return;
  if (old) tensors_ = teaching->tensors;
  for (const runs::LaunchRecord& launch : old ? teaching->launches : trace.launches) {
    runs::LaunchRecord outline;
    outline.kernel = launch.kernel;
    outline.grid = launch.grid;
    outline.block = launch.block;
    launches_.push_back(outline);
  }
  std::map<std::tuple<int, int, int, int, bool>, std::int64_t> uses;
  events_.reserve(trace.events.size());
  for (const runs::TraceEvent& event : trace.events) {
    const runs::TensorInfo* info = tensor(event.tensor);
    // A trace that does not fit its record is not trusted: what refers to nothing is left out.
    if (info == nullptr || event.launch >= launches_.size()) continue;
    const auto number = static_cast<std::uint32_t>(events_.size());
    events_.push_back(event);
    const int block = static_cast<int>(event.block);
    by_place_[{event.launch, event.tensor, info->space == "shared" ? block : -1}].push_back(number);
    by_block_[{event.launch, block}].push_back(number);
    const bool written = event.access != runs::Access::read;
    touched_.insert({event.launch, event.tensor, written});
    uses[{event.launch, event.file, event.line, event.tensor, written}] += event.count;
  }
  // Of dynamic shared memory only the launch knows the size: it is as long as what was touched.
  for (runs::TensorInfo& info : tensors_) {
    if (info.space != "shared" || make_grid(info.shape).elements > 1) continue;
    std::int64_t length = 0;
    for (auto at = by_place_.begin(); at != by_place_.end(); ++at)
      if (at->first.tensor == info.id)
        for (const std::uint32_t number : at->second)
          length =
              std::max(length, static_cast<std::int64_t>(events_[number].element) + events_[number].count);
    if (length > 0) info.shape = {length};
  }
  for (const auto& [key, times] : uses) {
    const auto& [launch, file, line, id, written] = key;
    lines_[launch].push_back({file, line, id, written, times});
  }
}

const runs::TensorInfo* AccessIndex::tensor(int id) const {
  const auto found =
      std::find_if(tensors_.begin(), tensors_.end(), [&](const auto& each) { return each.id == id; });
  return found == tensors_.end() ? nullptr : &*found;
}

const std::string& AccessIndex::file(int number) const {
  static const std::string unknown;
  const auto at = static_cast<std::size_t>(number);
  return at < files_.size() ? files_[at] : unknown;
}

std::vector<int> AccessIndex::tensors_of(int launch, const std::string& space) const {
  std::vector<int> ids;
  for (const runs::TensorInfo& info : tensors_) {
    const auto first = by_place_.lower_bound({launch, info.id, -1});
    const bool touched =
        first != by_place_.end() && first->first.launch == launch && first->first.tensor == info.id;
    if (info.space == space && touched) ids.push_back(info.id);
  }
  std::stable_partition(ids.begin(), ids.end(), [&](int id) { return !writes(launch, id); });
  return ids;
}

const std::vector<LineUse>& AccessIndex::lines_of(int launch) const {
  static const std::vector<LineUse> none;
  const auto found = lines_.find(launch);
  return found == lines_.end() ? none : found->second;
}

std::vector<int> AccessIndex::blocks_traced(int launch) const {
  std::vector<int> blocks;
  for (auto at = by_block_.lower_bound({launch, 0}); at != by_block_.end() && at->first.first == launch; ++at)
    blocks.push_back(at->first.second);
  return blocks;
}

int AccessIndex::threads_of(int number) const {
  const runs::Dim3& block = launch(number).block;
  return static_cast<int>(block.x * block.y * block.z);
}

int AccessIndex::blocks_of(int number) const {
  const runs::Dim3& grid = launch(number).grid;
  return static_cast<int>(grid.x * grid.y * grid.z);
}

const std::vector<std::uint32_t>& AccessIndex::events_at(const Place& place) const {
  static const std::vector<std::uint32_t> none;
  const auto found = by_place_.find(place);
  return found == by_place_.end() ? none : found->second;
}

std::vector<Touch> AccessIndex::history(const Place& place, std::int64_t element) const {
  std::vector<Touch> touches;
  const int first = place.block >= 0 ? place.launch : 0;
  const int last = place.block >= 0 ? place.launch : launches() - 1;
  for (int launch = first; launch <= last; ++launch) {
    const std::size_t begin = touches.size();
    for (const std::uint32_t number : events_at({launch, place.tensor, place.block})) {
      const runs::TraceEvent& event = events_[number];
      if (element < event.element || element >= static_cast<std::int64_t>(event.element) + event.count)
        continue;
      const auto same = std::find_if(
          touches.begin() + static_cast<std::ptrdiff_t>(begin), touches.end(), [&](const Touch& touch) {
            return touch.block == static_cast<int>(event.block) && touch.thread == event.thread &&
                   touch.step == event.step && touch.line == event.line && touch.file == event.file &&
                   touch.access == event.access;
          });
      if (same != touches.end())
        ++same->times;
      else
        touches.push_back({launch, static_cast<int>(event.block), event.thread, event.step, event.line,
                           event.file, event.access, 1});
    }
  }
  return touches;
}

std::vector<Cell> AccessIndex::cells_of(int launch, int block, int thread) const {
  std::map<std::pair<int, std::int64_t>, Cell> cells;
  const auto found = by_block_.find({launch, block});
  if (found == by_block_.end()) return {};
  for (const std::uint32_t number : found->second) {
    const runs::TraceEvent& event = events_[number];
    if (event.thread != thread) continue;
    for (std::uint32_t i = 0; i < event.count; ++i) {
      Cell& cell = cells[{event.tensor, static_cast<std::int64_t>(event.element) + i}];
      cell.tensor = event.tensor;
      cell.element = static_cast<std::int64_t>(event.element) + i;
      (event.access == runs::Access::read ? cell.read : cell.written) = true;
      ++cell.times;
    }
  }
  std::vector<Cell> list;
  for (const auto& [key, cell] : cells) list.push_back(cell);
  return list;
}

std::vector<Owner> AccessIndex::owners(const Place& place, ColourBy by, Show show, int chosen_block) const {
  const runs::TensorInfo* info = tensor(place.tensor);
  if (info == nullptr) return {};
  const Grid grid = make_grid(info->shape);
  if (grid.elements <= 0 || grid.elements > kMostElements) return {};
  std::vector<Owner> owners(static_cast<std::size_t>(grid.elements));
  const bool written = show == Show::written || (show == Show::touched && writes(place.launch, place.tensor));
  // With a block singled out its own accesses decide where there are any: the others' would hide what it
  // does.
  std::vector<bool> chosen(owners.size(), chosen_block < 0);
  const auto each_access = [&](const auto& visit) {
    for (const std::uint32_t number : events_at(place)) {
      const runs::TraceEvent& event = events_[number];
      if ((event.access != runs::Access::read) != written) continue;
      for (std::size_t at = event.element;
           at < std::min<std::size_t>(owners.size(), static_cast<std::size_t>(event.element) + event.count);
           ++at)
        visit(event, at);
    }
  };
  if (chosen_block >= 0)
    each_access([&](const runs::TraceEvent& event, std::size_t at) {
      if (static_cast<int>(event.block) == chosen_block) chosen[at] = true;
    });
  std::vector<std::pair<std::size_t, std::int32_t>> keys;
  each_access([&](const runs::TraceEvent& event, std::size_t at) {
    if (chosen_block >= 0 && chosen[at] && static_cast<int>(event.block) != chosen_block) return;
    std::int32_t key = static_cast<std::int32_t>(event.block);
    if (by == ColourBy::thread) key = event.thread;
    if (by == ColourBy::warp) key = event.thread / kWarp;
    owners[at].key = key;
    if (keys.empty() || keys.back() != std::pair{at, key}) keys.emplace_back(at, key);
  });
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto& [at, key] : keys) ++owners[at].distinct;
  for (std::size_t at = 0; at < owners.size(); ++at) owners[at].by_chosen_block = chosen[at];
  return owners;
}

std::vector<Owner> reduce_owners(const Grid& grid, const std::vector<Owner>& owners, std::int64_t factor) {
  const std::int64_t rows = (grid.rows + factor - 1) / factor;
  const std::int64_t columns = (grid.columns + factor - 1) / factor;
  std::vector<Owner> reduced(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < grid.rows; ++row)
    for (std::int64_t column = 0; column < grid.columns; ++column) {
      const auto element = grid.element(row, column);
      if (!element) continue;
      const Owner& from = owners[static_cast<std::size_t>(*element)];
      Owner& to = reduced[static_cast<std::size_t>(row / factor * columns + column / factor)];
      if (from.key < 0) continue;
      if (to.key < 0)
        to = from;
      else if (from.key != to.key)
        to.distinct = std::max({to.distinct, from.distinct, 2});
    }
  return reduced;
}

runs::Dim3 unravel(int linear, const runs::Dim3& extent) {
  const auto at = static_cast<std::uint32_t>(std::max(0, linear));
  const std::uint32_t x = std::max(1u, extent.x), y = std::max(1u, extent.y);
  return {at % x, at / x % y, at / (x * y)};
}

int ravel(const runs::Dim3& at, const runs::Dim3& extent) {
  return static_cast<int>(at.x + extent.x * (at.y + extent.y * at.z));
}

}  // namespace workbook::viewer
