// The second stage's value type: a graph in launches. Every index of a launch is cut into a grid part, a loop
// part and a tile, and a sum takes its parts in turn: the tile inside the block, the loop in an accumulator,
// the grid by whoever reads it in a later launch. So a level is where a sum is finished, and what a classic
// drawing shows (imap, omap, fmap, accumulators) follows from the cuts; it is derived here, never stored.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/algebra/evaluate.h"

namespace workbook::sim {
struct GpuSpec;
}

namespace workbook::opt {

constexpr std::size_t slot(int number) { return static_cast<std::size_t>(number); }
constexpr std::uint64_t node_bit(int node) { return std::uint64_t{1} << node; }

/// extent = grid * loop * tile, the tile rounded up: the last parts may be short or empty.
struct Cut {
  int grid = 1, loop = 1;
  auto operator<=>(const Cut&) const = default;
};

/// How a launch is written down (forms/).
///   plain    a loop nest for each group of elementwise nodes, sums and products over tiles in shared memory
///   row      no product: a block takes a row, which it holds in registers; or each of its warps a short one
///   product  as plain, but what a loop adds up of products stays in registers, where the tile has as many
///            elements as threads or a multiple
///   attention  as product, and the maximum over the loop's index runs: what is added up with exp(u - max) so
///            far is rescaled whenever the maximum grows, so that one sweep is enough
///   tensor   products of half on tensor cores; warps share the loop's turns
///   gemv     a vector against a matrix, for each element of the indices that both have
///   strip    no product: sums over any indices, the last one in packs along the lanes
///   turned   elementwise, from one order of indices to another
///   window   sums over few elements, by each thread for itself
///   tensor_attention  as attention, its two products on tensor cores
enum class Path : std::uint8_t {
  plain,
  row,
  product,
  attention,
  tensor,
  tensor_attention,
  gemv,
  strip,
  turned,
  window,
  tensor_groups,
  attention_groups
};
std::string_view name_of(Path path);
constexpr bool has_running_maximum(Path path) {
  return path == Path::attention || path == Path::tensor_attention || path == Path::attention_groups;
}
/// Groups of four warps multiply, as on Hopper.
constexpr bool by_groups(Path path) { return path == Path::tensor_groups || path == Path::attention_groups; }
constexpr bool on_tensor_cores(Path path) {
  return path == Path::tensor || path == Path::tensor_attention || by_groups(path);
}

/// Stages of a kernel on tensor cores whose step at work is in registers.
inline constexpr int kNoStages = 1;

struct Kernel {
  std::uint64_t nodes = 0;  ///< of the graph, one bit each; no inputs
  std::array<Cut, kMaxIndices> cuts{};
  Path path = Path::plain;
  int warps = 8;   ///< of a block
  int stages = 0;  ///< on tensor cores: steps of a warp, or turns of a block, that have room in shared
                   ///< memory; path strip: packs of a tensor that are on their way together
  int beside = 1;  ///< path tensor_attention: warps that share 16 rows; path row: rows of a block, a warp
                   ///< each; path tensor: TensorShape::beside; path tensor_groups: blocks of a cluster; path
                   ///< strip: threads along the last index; path turned: elements of a tile's side; path
                   ///< window: neighbours that a thread has
  int down = 1;    ///< path tensor_attention, where no warps share rows: times 16 rows that a warp has; path
                   ///< window: rows that a thread has; path tensor_groups: times 64 rows that four warps have
  /// Of what it writes for other launches, what lies in memory as tensor cores take it.
  std::uint64_t halves = 0;
  auto operator<=>(const Kernel&) const = default;
};

inline constexpr int kMostLaunches = kMaxNodes, kMostSweeps = 2, kMostGridIndices = 3;

/// A node may lie in two kernels: it is computed in both.
struct Plan {
  Graph graph;
  std::vector<Kernel> kernels;
  bool operator==(const Plan&) const = default;
  /// Of all its kernels.
  std::uint64_t halves() const {
    std::uint64_t all = 0;
    for (const Kernel& kernel : kernels) all |= kernel.halves;
    return all;
  }
};

/// How many pieces make up all, of which the last one may be shorter.
constexpr std::int64_t divided(std::int64_t all, std::int64_t piece) { return (all + piece - 1) / piece; }

inline std::int64_t tile_of(const Cut& cut, std::int64_t extent) {
  return divided(extent, std::int64_t{cut.grid} * cut.loop);
}

/// On tensor cores tiles are 16, 32 ... long: whole fragments.
constexpr std::int64_t fragments_of(std::int64_t tile) {
  std::int64_t length = 16;
  while (length < tile) length *= 2;
  return length;
}
/// Of path strip long tiles are whole packs of whatever type.
inline constexpr std::int64_t kLongStrip = 32, kPackUnit = 8;
/// The tile as it is written down.
inline std::int64_t tile_of(const Kernel& kernel, int index, std::int64_t extent) {
  const std::int64_t tile = tile_of(kernel.cuts[slot(index)], extent);
  const bool whole = kernel.cuts[slot(index)] == Cut{};
  const bool in_fragments = on_tensor_cores(kernel.path) && has_running_maximum(kernel.path)
                                ? kernel.cuts[slot(index)].loop > 1
                                : on_tensor_cores(kernel.path) && !whole;
  if (kernel.path == Path::strip && !whole && tile >= kLongStrip)
    return (tile + kPackUnit - 1) / kPackUnit * kPackUnit;
  return in_fragments ? fragments_of(tile) : tile;
}

/// Indices of the grid, those with the most blocks first.
inline void sort_by_blocks(std::vector<int>& indices, const Kernel& kernel) {
  std::stable_sort(indices.begin(), indices.end(),
                   [&](int a, int b) { return kernel.cuts[slot(a)].grid > kernel.cuts[slot(b)].grid; });
}

inline bool listed(const std::vector<int>& list, int node) {
  return std::find(list.begin(), list.end(), node) != list.end();
}

/// When a node of a launch is computed: before its loop, in its first sweep, behind that, in the second
/// sweep, behind that. Odd: in the loop.
enum Stage : std::int8_t { kBefore = 0, kSweep = 1, kBehind = 2, kSecondSweep = 3, kLast = 4, kNowhere = -1 };

/// A tensor that a grid left in parts: whoever reads it adds them up, those of an attention each times
/// exp(its own maximum - the largest of all parts').
struct Parts {
  int launch = -1;   ///< that wrote it, from 0; -1: it is whole
  int index = -1;    ///< that its grid cuts, or -1
  int maximum = -1;  ///< the running one that goes with it, or -1
};

/// What follows from the cuts of one launch. Lists are ascending.
struct Launch {
  int loop = -1;          ///< the index that it loops over, or none
  std::vector<int> grid;  ///< the indices that its grid cuts
  /// The grid's axes when it is written down, most blocks first: those, and of path product what the result
  /// has besides, so that the sizes of its tiles are known when it is compiled.
  std::vector<int> axes;
  int split = -1;                   ///< of these, the one that it sums over, or none
  std::vector<int> reads;           ///< inputs, and nodes of earlier launches
  std::vector<int> writes;          ///< nodes that later launches read, and the output
  std::vector<std::int8_t> stages;  ///< of each node of the graph: when it is there; of those read kNowhere
  int sweeps = 0;
  int running = -1;            ///< path attention: the maximum over the loop's index
  std::uint64_t rescaled = 0;  ///< sums over that index that are proportional to exp(-maximum)
  std::vector<int> held;       ///< path attention: indices whose tile is whole, and known when it is compiled
  std::vector<Parts> parts;    ///< of each node of the graph, as it is read
  /// Its tile is a constant, its tail guarded; other indices are whole in every tile.
  bool is_cut(int index) const { return index == loop || listed(axes, index) || listed(held, index); }
  /// It writes parts of it.
  bool is_split(const Graph& graph, int node) const {
    return split >= 0 && graph.nodes[slot(node)].over == split;
  }
  bool is_rescaled(int node) const { return (rescaled & node_bit(node)) != 0; }
  /// The stage behind which its value is final.
  int final_stage(int node) const { return stages[slot(node)] + (node == running ? 1 : 0); }
  /// The sum over the loop's index: its parts are added up in the sweep before its stage.
  bool accumulates(const Graph& graph, int node) const {
    return loop >= 0 && graph.nodes[slot(node)].over == loop;
  }
};

/// A rule that a plan breaks, in a sentence; nothing when it may be run. `extents` are those it is for.
std::optional<std::string> plan_fault(const Program& program, const Plan& plan, const Extents& extents);

/// Launch `number` of a plan, those before it being known; nothing where it breaks a rule.
std::optional<Launch> legal_launch(const Program& program, const Plan& plan, int number,
                                   const std::vector<Launch>& before, const Extents& extents);

/// Of a plan without a fault.
std::vector<Launch> launches_of(const Program& program, const Plan& plan);

/// Numbers of the nodes whose bits are set, ascending.
std::vector<int> node_list(std::uint64_t nodes);
/// Each once; of an input none.
std::vector<int> operands_of(const Node& op);

/// The bits of the nodes that are no inputs and that the output needs.
std::uint64_t needed_nodes(const Graph& graph);

/// In one line: "mm, sum: grid o 192, loop h 64" of every launch.
std::string plan_text(const Program& program, const Plan& plan, const Extents& extents);

}  // namespace workbook::opt
