#include "opt/price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "clock/model.h"
#include "clock/occupancy.h"
#include "opt/emit.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kLanes = 32, kSector = 32, kLine = 128, kTogether = 4;
constexpr std::int64_t kWalkedTurns = 2, kWalkedRequests = 8;
constexpr double kL1Bytes = 128 * 1024;

std::int64_t divided(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class Counter {
 public:
  Counter(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
          const Extents& extents)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        launch_(launch),
        kernel_(kernel),
        extents_(extents),
        tiles_(tiles_of(kernel, extents)),
        shapes_(shapes_of(plan.graph, program.output_set())),
        threads_(std::int64_t{32} * kernel.warps) {}

  runs::LaunchRecord run() {
    record_.kernel = fmt::format("launch of {} operations", node_list(kernel_.nodes).size());
    record_.block.x = static_cast<std::uint32_t>(threads_);
    counters_.emplace();
    for (const int node : launch_.reads)
      if (!is_constant(plan_, node)) traffic(node).bytes_read = bytes_of(node);
    for (const int node : launch_.writes) traffic(node).bytes_written = bytes_of(node);
    for (const runs::TensorTraffic& traffic : counters_->traffic) {
      counters_->dram_bytes_read += traffic.bytes_read;
      counters_->dram_bytes_written += traffic.bytes_written;
    }
    if (kernel_.path == Path::row)
      count_row();
    else
      count_tiles();
    counters_->blocks_total = counters_->blocks_sampled = blocks_;
    counters_->threads = blocks_ * threads_;
    for (runs::SiteCounters& site : counters_->sites) {
      const bool global = site.kind.starts_with("global");
      (global ? counters_->global_requests : counters_->shared_requests) += site.requests;
      counters_->l2_sectors += site.sectors;
      counters_->shared_passes += site.bank_passes;
    }
    record_.counters = std::move(*counters_);
    return record_;
  }

 private:
  std::int64_t bytes_of(int node) const {
    std::int64_t bytes = item_bytes(storage_of(program_, plan_, node));
    for (const int index : members(shapes_[slot(node)])) bytes *= extents_[slot(index)];
    return divided(bytes, kSector) * kSector;
  }
  runs::TensorTraffic& traffic(int node) {
    for (runs::TensorTraffic& traffic : counters_->traffic)
      if (traffic.tensor == node) return traffic;
    counters_->traffic.push_back({node, 0, 0});
    return counters_->traffic.back();
  }
  runs::SiteCounters& site(int node, const char* kind) {
    for (runs::SiteCounters& site : counters_->sites)
      if (site.tensor == node && site.kind == kind) return site;
    runs::SiteCounters site;
    site.kind = kind;
    site.tensor = node;
    counters_->sites.push_back(std::move(site));
    return counters_->sites.back();
  }

  // ---- tiles ----
  void count_tiles() {
    const Nested nested = nests_of(program_, plan_, launch_, kernel_);
    nested_ = &nested;
    const std::vector<int>& grid = launch_.axes;
    std::uint32_t* const axes[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      const std::int64_t parts = divided(extents_[slot(grid[axis])], tiles_[slot(grid[axis])]);
      *axes[axis] = static_cast<std::uint32_t>(parts);
      blocks_ *= parts;
    }
    record_.shared_bytes = shared_bytes(nested, tiles_);
    const std::int64_t turns =
        launch_.loop < 0 ? 1 : divided(extents_[slot(launch_.loop)], tiles_[slot(launch_.loop)]);
    barriers(nested, turns);
    for (int stage = kBefore; stage <= kLast; ++stage) {
      const std::int64_t times = stage % 2 == 1 ? turns : 1;
      const std::int64_t walked = std::min(times, kWalkedTurns);
      if (held_bytes_ > kL1Bytes) held_.clear();
      for (turn_ = 0; turn_ < walked; ++turn_) {
        weight_ = blocks_ * (turn_ + 1 < walked ? 1 : times - turn_);
        for (const Nest& nest : nested.nests)
          if (nest.stage == stage) count(nest);
      }
    }
    for (const Nest& nest : nested.nests)
      if (nest.stage % 2 == 1)
        for (const int node : nest.nodes)
          if (launch_.accumulates(graph_, node) && nested.is_shared[slot(node)]) {
            weight_ = blocks_;
            shared(node, "shared store", elements_of(nest), [](std::int64_t i) { return i; });
          }
  }
  void barriers(const Nested& nested, std::int64_t turns) {
    for (int stage = kBefore; stage <= kLast; ++stage) {
      std::set<int> levels;
      bool later = false, clears = false;
      for (const Nest& nest : nested.nests) {
        if (nest.stage == stage) levels.insert(nest.level);
        later = later || nest.stage > stage;
        if (nest.stage == stage && stage % 2 == 1)
          for (const int node : nest.nodes)
            clears = clears || (launch_.accumulates(graph_, node) && !nested.in_registers[slot(node)]);
      }
      if (levels.empty()) continue;
      const auto between = static_cast<std::int64_t>(levels.size()) - 1;
      counters_->barriers += blocks_ * (stage % 2 == 1 ? turns * (between + 1) + (clears ? 1 : 0)
                                                       : between + (later && stage != kLast ? 1 : 0));
    }
  }

  std::int64_t elements_of(const Nest& nest) const {
    std::int64_t size = 1;
    for (const std::uint8_t index : nest.order) size *= tiles_[index];
    return size;
  }
  /// The coordinates in the tile of element i of a nest.
  Extents place(const Nest& nest, std::int64_t i) const {
    Extents found{};
    for (std::size_t dim = nest.order.size(); dim-- > 0;) {
      const std::int64_t extent = tiles_[nest.order[dim]];
      found[nest.order[dim]] = static_cast<std::int32_t>(i % extent);
      i /= extent;
    }
    return found;
  }
  std::int64_t shared_place(int node, const Extents& place) const {
    const auto& layout = nested_->layout[slot(node)];
    std::int64_t at = 0;
    for (const std::uint8_t index : layout) at += place[index] * shared_stride(layout, tiles_, index);
    return at;
  }
  /// The element's place in global memory; -1 beyond the end.
  std::int64_t global_place(int node, const Extents& place) const {
    std::int64_t at = 0;
    for (const std::uint8_t index : dims_of(program_, plan_, node)) {
      const std::int64_t first = index == launch_.loop ? turn_ * tiles_[index] : 0;
      if (first + place[index] >= extents_[index]) return -1;
      at = at * extents_[index] + first + place[index];
    }
    return at;
  }

  template <class Word>
  void shared(int node, const char* kind, std::int64_t size, Word word, std::int64_t repeats = 1) {
    runs::SiteCounters& at = site(node, kind);
    // A nest's later requests lie in the banks as its first ones do: so many are looked at, each for `alike`.
    const std::int64_t requests = divided(size, kLanes), alike = divided(requests, kWalkedRequests);
    for (std::int64_t request = 0; request < requests; request += alike) {
      const std::int64_t first = request * kLanes,
                         times = weight_ * repeats * std::min(alike, requests - request);
      std::array<std::vector<std::int64_t>, kLanes> banks;
      std::size_t passes = 1;
      const std::int64_t lanes = std::min(kLanes, size - first);
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int64_t address = word(first + lane);
        auto& bank = banks[static_cast<std::size_t>(address % kLanes)];
        if (std::find(bank.begin(), bank.end(), address) == bank.end()) bank.push_back(address);
        passes = std::max(passes, bank.size());
      }
      at.requests += times;
      at.bank_passes += times * static_cast<std::int64_t>(passes);
      at.bytes += times * 4 * lanes;
    }
  }
  /// Whether any request had to go beyond the L1.
  template <class Element>
  bool global(int node, bool store, std::int64_t size, Element element, std::int64_t width = 1) {
    runs::SiteCounters& at = site(node, store ? "global store" : "global load");
    const std::int64_t item = item_bytes(storage_of(program_, plan_, node));
    bool any_missed = false;
    for (std::int64_t first = 0; first < size; first += kLanes) {
      std::vector<std::int64_t> sectors, lines;
      const auto note = [](std::vector<std::int64_t>& list, std::int64_t value) {
        if (list.empty() || list.back() != value)
          if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
      };
      std::int64_t lanes = 0, hits = 0;
      for (std::int64_t i = first; i < std::min(size, first + kLanes); ++i) {
        const std::int64_t place = element(i);
        if (place < 0) continue;
        ++lanes;
        for (std::int64_t byte = place * item; byte < (place + width) * item;
             byte += std::min(kSector, item * width))
          note(sectors, byte / kSector);
      }
      if (lanes == 0) continue;
      for (const std::int64_t sector : sectors) {
        note(lines, sector * kSector / kLine);
        if (store) continue;
        const bool fresh = held_.insert(sector * kMaxNodes + node).second;
        held_bytes_ += fresh ? static_cast<double>(kSector) : 0.0;
        hits += fresh ? 0 : 1;
      }
      const auto touched = static_cast<std::int64_t>(sectors.size());
      at.requests += weight_;
      at.sectors += weight_ * touched;
      at.ideal_sectors += weight_ * std::min(touched, divided(lanes * width * item, kSector));
      at.lines += weight_ * static_cast<std::int64_t>(lines.size());
      at.bytes += weight_ * lanes * width * item;
      at.l1_sectors += weight_ * hits;
      if (!store && hits < touched) {
        at.misses += weight_;
        any_missed = true;
      }
    }
    return any_missed;
  }
  /// Loads of `sites` places in `rounds` of a loop; of the blocks some are the first to want the data.
  void waits(std::int64_t rounds, std::size_t sites, std::int64_t warps, double first) {
    const std::int64_t chained = (sites > 1 ? rounds : divided(rounds, kTogether)) * warps * weight_;
    counters_->chained_misses += chained;
    counters_->chained_dram_misses += std::llround(first * static_cast<double>(chained));
  }
  double first_of(int node) const {
    double others = 1.0;
    for (const int index : launch_.axes)
      if (!has(shapes_[slot(node)], index)) others *= kernel_.cuts[slot(index)].grid;
    return 1.0 / others;
  }

  void count(const Nest& nest) {
    const std::int64_t size = elements_of(nest);
    if (nest.kind == Nest::sum) return count_sum(nest, size);
    if (nest.kind == Nest::product) return count_product(nest, size);
    std::size_t missed = 0;
    double first = 0.0;
    for (const int node : nest.loads) {
      if (!global(node, false, size, [&](std::int64_t i) { return global_place(node, place(nest, i)); }))
        continue;
      ++missed;
      first = std::max(first, first_of(node));
    }
    if (missed > 0)
      waits(divided(size, threads_), nest.loads.size(), divided(std::min(size, threads_), kLanes), first);
    const auto from_tile = [&](int node) {
      return !is_constant(plan_, node) && !listed(nest.nodes, node) && !listed(nest.loads, node) &&
             !nested_->in_registers[slot(node)];
    };
    std::vector<int> tiles;
    for (const int node : nest.nodes)
      for (const int operand : {graph_.nodes[slot(node)].a, graph_.nodes[slot(node)].b})
        if (operand >= 0 && from_tile(operand) && !listed(tiles, operand)) tiles.push_back(operand);
    for (const int node : nest.stores)
      if (from_tile(node) && !listed(tiles, node)) tiles.push_back(node);
    for (const int node : tiles)
      shared(node, "shared load", size, [&](std::int64_t i) { return shared_place(node, place(nest, i)); });
    for (const int node : nest.stages_shared)
      shared(node, "shared store", size, [&](std::int64_t i) { return shared_place(node, place(nest, i)); });
    for (const int node : nest.stores) {
      const std::int64_t kept = weight_;
      weight_ =
          std::llround(static_cast<double>(weight_) * first_of(node));  // one of those that compute the same
      global(node, true, size, [&](std::int64_t i) { return global_place(node, place(nest, i)); });
      weight_ = kept;
    }
    counters_->flops += static_cast<double>(weight_ * size) * static_cast<double>(nest.nodes.size());
  }
  void count_sum(const Nest& nest, std::int64_t size) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::int64_t extent = tiles_[slot(op.over)];
    for (std::int64_t i = 0; i < size; ++i) {
      Extents at = place(nest, i);
      shared(op.a, "shared load", extent, [&](std::int64_t k) {
        at[slot(op.over)] = static_cast<std::int32_t>(k);
        return shared_place(op.a, at);
      });
      const auto one = [&](std::int64_t) { return shared_place(node, place(nest, i)); };
      if (launch_.accumulates(graph_, node)) shared(node, "shared load", 1, one);
      shared(node, "shared store", 1, one);
    }
    counters_->warp_operations += weight_ * size * 5;
    counters_->flops += static_cast<double>(weight_ * size * extent);
  }
  void count_product(const Nest& nest, std::int64_t size) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::int64_t extent = tiles_[slot(op.over)];
    const auto operand = [&](int from, std::int64_t of) {
      shared(
          from, "shared load", of, [&](std::int64_t i) { return shared_place(from, place(nest, i)); },
          extent);
    };
    const bool kept = nested_->in_registers[slot(node)];
    for (const int from : {op.a, op.b}) {
      // What varies along the lanes alone is read once for all elements of a thread.
      const bool once = kept && shapes_[slot(from)] == (only(op.over) | only(nest.order.back()));
      operand(from, once ? std::min(size, threads_) : size);
    }
    if (!kept) {
      const auto own = [&](std::int64_t i) { return shared_place(node, place(nest, i)); };
      if (launch_.accumulates(graph_, node)) shared(node, "shared load", size, own);
      shared(node, "shared store", size, own);
    }
    counters_->flops += 2.0 * static_cast<double>(weight_ * size * extent);
  }

  // ---- rows ----
  void count_row() {
    const RowShape row = *row_shape(program_, plan_, launch_, kernel_);
    for (const int index : row.rows) blocks_ *= extents_[slot(index)];
    record_.grid.x = static_cast<std::uint32_t>(blocks_);
    weight_ = blocks_;
    const std::int64_t size = extents_[slot(row.index)];
    const std::int64_t width = size % row.vector == 0 ? row.vector : 1;
    std::size_t wide = 0;
    double first = 0.0;
    const auto access = [&](int node, bool store) {
      if (!has(shapes_[slot(node)], row.index))
        return global(node, store, store ? 1 : threads_, [](std::int64_t) { return std::int64_t{0}; });
      bool missed = false;
      for (std::int64_t e = 0; e < row.packs * row.vector; e += width)
        missed |= global(
            node, store, threads_,
            [&](std::int64_t thread) {
              const std::int64_t at = (e / row.vector * threads_ + thread) * row.vector + e % row.vector;
              return at < size ? at : -1;
            },
            width);
      return missed;
    };
    for (const int node : launch_.reads) {
      if (is_constant(plan_, node) || !access(node, false)) continue;
      ++wide;
      first = std::max(
          first, within(static_cast<IndexSet>(program_.output_set() & ~only(row.index)), shapes_[slot(node)])
                     ? 1.0
                     : 1.0 / static_cast<double>(blocks_));
    }
    if (wide > 0) waits(std::max<std::int64_t>(1, divided(row.packs, kTogether)), 1, kernel_.warps, first);
    for (const int node : launch_.writes) access(node, true);
    for (const int node : node_list(kernel_.nodes)) {
      const bool over = graph_.nodes[slot(node)].over >= 0;
      counters_->flops += static_cast<double>(blocks_) *
                          static_cast<double>(over || has(shapes_[slot(node)], row.index) ? size : 1);
      if (!over) continue;
      counters_->warp_operations += blocks_ * kernel_.warps * 5;
      if (kernel_.warps == 1) continue;
      counters_->barriers += 2 * blocks_;
      record_.shared_bytes += 4 * kernel_.warps;
      for (int warp = 0; warp < kernel_.warps; ++warp) {
        shared(node, "shared store", 1, [](std::int64_t) { return std::int64_t{0}; });
        shared(
            node, "shared load", kLanes, [](std::int64_t) { return std::int64_t{0}; }, kernel_.warps);
      }
    }
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  const Extents& extents_;
  Extents tiles_;
  std::vector<IndexSet> shapes_;
  std::int64_t threads_;
  const Nested* nested_ = nullptr;
  runs::LaunchRecord record_;
  std::optional<runs::LaunchCounters> counters_;
  std::int64_t blocks_ = 1, turn_ = 0,
               weight_ = 1;                ///< weight: blocks and turns that the one walked stands for
  std::unordered_set<std::int64_t> held_;  ///< sectors that the block's L1 has
  double held_bytes_ = 0.0;
};

}  // namespace

runs::LaunchRecord counted(const Program& program, const Plan& plan, const Launch& launch,
                           const Kernel& kernel, const Extents& extents) {
  return Counter(program, plan, launch, kernel, extents).run();
}

Price price_of(const Program& program, const Plan& plan, const Extents& extents, const sim::GpuSpec& gpu) {
  Price price;
  sim::LaunchSequence sequence(gpu);
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k) {
    runs::LaunchRecord record = counted(program, plan, launches[k], plan.kernels[k], extents);
    record.modelled = sequence.next(record);
    price.us += record.modelled->total_us;
    price.bytes +=
        static_cast<double>(record.counters->dram_bytes_read + record.counters->dram_bytes_written);
    price.launches.push_back(std::move(record));
  }
  return price;
}

std::optional<std::string> does_not_fit(const Program& program, const Plan& plan, const Extents& extents,
                                        const sim::GpuSpec& gpu) {
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    if (kernel.path == Path::row) continue;
    const std::int64_t bytes =
        shared_bytes(nests_of(program, plan, launches[k], kernel), tiles_of(kernel, extents));
    if (bytes > std::int64_t{gpu.shared_kb_per_block} * 1024)
      return fmt::format("launch {} wants {} KB of shared memory, and a block has {}", k + 1, bytes / 1024,
                         gpu.shared_kb_per_block);
  }
  return std::nullopt;
}

}  // namespace workbook::opt
