#include "model/access.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace workbook::viewer {

// The events at one place by element, in groups of `kGroup` elements and in order of time within each.
struct AccessIndex::Buckets {
  static constexpr std::int64_t kGroup = 256;
  std::vector<std::uint32_t> starts, events;  // group i: events[starts[i]] up to events[starts[i + 1]]
};

namespace {

// The place, block and line tables are found once for many events, not looked up for each: traces have
// millions.
struct Slot {
  int index = -1;  // of the tensor, -1: unknown
  bool shared = false;
  int block = -2;  // whose events `events` holds
  std::vector<std::uint32_t>* events = nullptr;
  std::array<std::vector<LineUse>, 2> lines;  // read, written
};

void count_line(std::vector<LineUse>& lines, const runs::TraceEvent& event) {
  for (LineUse& use : lines)
    if (use.line == event.line && use.file == event.file) {
      use.times += event.count;
      return;
    }
  lines.push_back({event.file, event.line, event.tensor, event.access != runs::Access::read, event.count});
}

}  // namespace

AccessIndex::AccessIndex(const runs::Trace& trace, const runs::Benchmark* teaching)
    : truncated_(trace.truncated),
      files_(trace.files),
      tensors_(trace.tensors),
      buckets_(std::make_shared<std::map<Place, Buckets>>()) {
  const bool old = trace.tensors.empty();
  if (old && teaching == nullptr) return;
  if (old) tensors_ = teaching->tensors;
  launches_ = old ? teaching->launches : trace.launches;
  read_events(trace.events);
  // Of dynamic shared memory only the launch knows the size: it is as long as what was touched.
  for (runs::TensorInfo& info : tensors_) {
    if (info.space != runs::TensorSpace::shared || make_grid(info.shape).elements > 1) continue;
    std::int64_t length = 0;
    for (const auto& [place, numbers] : by_place_)
      if (place.tensor == info.id)
        for (const std::uint32_t number : numbers)
          length =
              std::max(length, static_cast<std::int64_t>(events_[number].element) + events_[number].count);
    if (length > 0) info.shape = {length};
  }
}

void AccessIndex::read_events(const std::vector<runs::TraceEvent>& events) {
  const std::size_t ids = tensor_ids();
  std::vector<Slot> table(launches_.size() * ids);
  for (std::size_t launch = 0; launch < launches_.size(); ++launch)
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (tensors_[i].id < 0 || tensors_[i].id >= static_cast<int>(ids)) continue;
      Slot& slot = table[launch * ids + static_cast<std::size_t>(tensors_[i].id)];
      slot.index = static_cast<int>(i);
      slot.shared = tensors_[i].space == runs::TensorSpace::shared;
    }
  std::pair<int, int> of_block{-1, -1};
  std::vector<std::uint32_t>* block_events = nullptr;
  events_.reserve(events.size());
  for (const runs::TraceEvent& event : events) {
    // A trace that does not fit its record is not trusted: what refers to nothing is left out.
    if (event.launch >= launches_.size() || event.tensor >= ids) continue;
    Slot& slot = table[event.launch * ids + event.tensor];
    if (slot.index < 0) continue;
    const auto number = static_cast<std::uint32_t>(events_.size());
    events_.push_back(event);
    const int block = static_cast<int>(event.block), whose = slot.shared ? block : -1;
    if (slot.events == nullptr || slot.block != whose) {
      slot.block = whose;
      slot.events = &by_place_[{event.launch, event.tensor, whose}];
    }
    slot.events->push_back(number);
    if (block_events == nullptr || of_block != std::pair<int, int>{event.launch, block}) {
      of_block = {event.launch, block};
      block_events = &by_block_[of_block];
    }
    block_events->push_back(number);
    count_line(slot.lines[event.access == runs::Access::read ? 0 : 1], event);
  }
  for (std::size_t at = 0; at < table.size(); ++at)
    for (const auto& lines : table[at].lines)
      for (const LineUse& use : lines) {
        const int launch = static_cast<int>(at / ids);
        lines_[launch].push_back(use);
        touched_.insert({launch, use.tensor, use.written});
      }
  for (auto& [launch, lines] : lines_)
    std::sort(lines.begin(), lines.end(), [](const LineUse& a, const LineUse& b) {
      return std::tie(a.file, a.line, a.tensor, a.written) < std::tie(b.file, b.line, b.tensor, b.written);
    });
}

std::size_t AccessIndex::tensor_ids() const {
  int most = -1;
  for (const runs::TensorInfo& info : tensors_)
    if (info.id <= std::numeric_limits<std::uint16_t>::max()) most = std::max(most, info.id);
  return static_cast<std::size_t>(most + 1);
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

std::vector<int> AccessIndex::tensors_of(int launch, runs::TensorSpace space) const {
  std::vector<int> ids;
  for (const runs::TensorInfo& info : tensors_) {
    const auto first = by_place_.lower_bound({launch, info.id, -1});
    const bool touched =
        first != by_place_.end() && first->first.launch == launch && first->first.tensor == info.id;
    if (info.space == space && touched) ids.push_back(info.id);
  }
  if (space == runs::TensorSpace::shared) {
    // As the kernel comes to them: the record has them as the compiler laid them out.
    const auto first = [&](int id) { return by_place_.lower_bound({launch, id, -1})->second.front(); };
    std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) { return first(a) < first(b); });
  } else {
    std::stable_partition(ids.begin(), ids.end(), [&](int id) { return !writes(launch, id); });
  }
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

const std::vector<std::uint32_t>& AccessIndex::events_of(int launch, int block) const {
  static const std::vector<std::uint32_t> none;
  const auto found = by_block_.find({launch, block});
  return found == by_block_.end() ? none : found->second;
}

const AccessIndex::Buckets& AccessIndex::buckets_at(const Place& place) const {
  const auto [found, fresh] = buckets_->try_emplace(place);
  Buckets& buckets = found->second;
  if (!fresh) return buckets;
  const std::vector<std::uint32_t>& events = events_at(place);
  const std::int64_t elements = make_grid(tensor(place.tensor)->shape).elements;
  const auto groups_of = [&](std::uint32_t number) {
    const std::int64_t first = events_[number].element, last = first + events_[number].count - 1;
    return std::pair{first / Buckets::kGroup, std::min(last, elements - 1) / Buckets::kGroup};
  };
  buckets.starts.assign(static_cast<std::size_t>(elements / Buckets::kGroup + 2), 0);
  for (const std::uint32_t number : events)
    for (auto [at, last] = groups_of(number); at <= last; ++at)
      ++buckets.starts[static_cast<std::size_t>(at) + 1];
  for (std::size_t i = 1; i < buckets.starts.size(); ++i) buckets.starts[i] += buckets.starts[i - 1];
  buckets.events.resize(buckets.starts.back());
  std::vector<std::uint32_t> next = buckets.starts;
  for (const std::uint32_t number : events)
    for (auto [at, last] = groups_of(number); at <= last; ++at)
      buckets.events[next[static_cast<std::size_t>(at)]++] = number;
  return buckets;
}

std::vector<Touch> AccessIndex::history(const Place& place, std::int64_t element) const {
  std::vector<Touch> touches;
  const runs::TensorInfo* info = tensor(place.tensor);
  if (info == nullptr || element < 0 || element >= make_grid(info->shape).elements) return touches;
  const int first = place.block >= 0 ? place.launch : 0;
  const int last = place.block >= 0 ? place.launch : launches() - 1;
  const auto group = static_cast<std::size_t>(element / Buckets::kGroup);
  for (int launch = first; launch <= last; ++launch) {
    if (events_at({launch, place.tensor, place.block}).empty()) continue;
    const Buckets& buckets = buckets_at({launch, place.tensor, place.block});
    // By block, thread, step, file, line and kind: many threads may share an element.
    std::map<std::tuple<std::uint32_t, int, int, int, int, runs::Access>, std::size_t> known;
    for (std::size_t i = buckets.starts[group]; i < buckets.starts[group + 1]; ++i) {
      const runs::TraceEvent& event = events_[buckets.events[i]];
      if (element < event.element || element >= static_cast<std::int64_t>(event.element) + event.count)
        continue;
      const auto [same, fresh] = known.try_emplace(
          {event.block, event.thread, event.step, event.file, event.line, event.access}, touches.size());
      if (fresh)
        touches.push_back({launch, static_cast<int>(event.block), event.thread, event.step, event.line,
                           event.file, event.access, 0});
      ++touches[same->second].times;
    }
  }
  return touches;
}

std::vector<Cell> AccessIndex::cells_of(int launch, int block, int thread, int threads) const {
  std::map<std::pair<int, std::int64_t>, Cell> cells;
  for (const std::uint32_t number : events_of(launch, block)) {
    const runs::TraceEvent& event = events_[number];
    if (event.thread < thread || event.thread >= thread + threads) continue;
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

runs::Dim3 unravel(int linear, const runs::Dim3& extent) {
  const auto at = static_cast<std::uint32_t>(std::max(0, linear));
  const std::uint32_t x = std::max(1u, extent.x), y = std::max(1u, extent.y);
  return {at % x, at / x % y, at / (x * y)};
}

int ravel(const runs::Dim3& at, const runs::Dim3& extent) {
  return static_cast<int>(at.x + extent.x * (at.y + extent.y * at.z));
}

}  // namespace workbook::viewer
