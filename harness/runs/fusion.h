// What `workbook optimize` found out about a program: its graphs, the plans for them, and how the search
// went. The viewer's Fusion panel draws it. A file a program, the newest result: optimize/NAME.json beside
// the store.
//
//   { "format": "workbook fusion", "version": 1, "fusion": FusionRecord as below, field by field }
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

/// An input or an operation of a graph, and the tensor that it is.
struct FusionNode {
  std::string name;  ///< "x", "t1", and the program's own of its output
  std::string op;    ///< "input", "constant", "add", "sub", "mul", "div", "exp", "fn", "max", "sum", "matmul"
  std::string text;  ///< with its operands by name: "sum(h, x * w)"; of an input its name
  std::string over;  ///< the index that is summed away, or empty
  std::vector<int> operands;         ///< numbers of nodes before it
  std::vector<std::string> indices;  ///< its shape, in the order of memory
  std::string dtype;                 ///< as it lies in DRAM where it crosses launches: "f16", "f32"
  std::int64_t bytes = 0;            ///< there, at the real shape
};

struct FusionGraph {
  std::string formula;
  std::vector<FusionNode> nodes;  ///< operands before their users
  int output = 0;
  double flops = 0.0;  ///< at the real shape, multiply-adds count two
  double bytes = 0.0;  ///< every tensor written once and read once a use
  int passes = 0;      ///< the longest chain of sums that wait for one another
};

/// How an index is cut in a launch: extent = grid * loop * tile, the tile rounded up.
struct FusionCut {
  std::string index;
  std::int64_t grid = 1, loop = 1, tile = 1;
};

struct FusionLaunch {
  std::string path;  ///< how it is written: "row", "tensor", "tensor attention" and more
                     ///< (harness/optimizer/plan/plan.h)
  std::vector<int> nodes;
  std::vector<FusionCut> cuts;  ///< all indices of the program
  int warps = 0;                ///< of a block
  std::int64_t blocks = 0, shared_bytes = 0;
  std::vector<TensorTraffic> traffic;  ///< predicted; `tensor` is a node
  double predicted_us = 0.0;
  BoundBy bound = BoundBy::none;          ///< what bounds that time
  double launch_us = 0.0, dram_us = 0.0;  ///< terms of that time, as in ModelledTime
};

/// A tensor that one launch writes and a later one reads, and what became of the idea of one launch for both.
struct FusionCrossing {
  int node = 0, from = 0, to = 0;  ///< launches, from 0
  double merged_us = 0.0;  ///< of the plan in which they, and those between, are one; 0: no cut of it fits
};

/// The kernels of a plan, compiled and run on the simulator on small shapes, on which they are judged.
struct FusionBuilt {
  bool right = false;
  std::string trouble;        ///< why it is not, a sentence; else empty
  int shapes = 0;             ///< how many
  double simulated_us = 0.0;  ///< modelled from what the simulator counted, all of them added up
};

struct FusionPlan {
  int graph = 0;
  std::vector<FusionLaunch> launches;
  std::vector<FusionCrossing> crossings;
  double predicted_us = 0.0;  ///< at the real shape: modelled from the plan alone, cold caches
  double bytes = 0.0;         ///< of DRAM, likewise
  std::optional<FusionBuilt> built;
  std::optional<double> measured_us;  ///< on FusionRecord::measured_on, at the real shape, cold caches
  std::vector<double> cold_us;        ///< the samples whose median that is
  std::string unmeasured;             ///< why there is none though there was a GPU, a sentence; else empty
};

/// The search for graphs of at most so many operations. `cut` counts by FusionRecord::reasons.
struct FusionDepth {
  int nodes = 0;
  std::int64_t states = 0;  ///< beginnings of graphs that were kept
  std::int64_t tried = 0;   ///< candidates for their next operation, those cut by order not counted
  std::int64_t found = 0;   ///< equal graphs with exactly so many operations
  std::vector<std::int64_t> cut;
};

/// A beginning of a graph that was kept; a parent stands before its children.
struct FusionState {
  int parent = -1;
  int depth = 0;     ///< its operations
  std::string text;  ///< the last of them
  std::vector<std::int64_t> cut;
  std::int64_t kept = 0;  ///< of its children
  bool equal = false;
};

struct FusionRecord {
  std::string made_at;  ///< UTC, ISO 8601
  std::string program;  ///< "rmsnorm_linear"
  std::string title;
  std::string formula;
  Sizes sizes;                       ///< the real shape
  std::string gpu;                   ///< whose clock priced the plans: "H200"
  std::string measured_on;           ///< where plans were timed: "NVIDIA H200"; empty: nowhere
  std::vector<FusionGraph> graphs;   ///< the first is the program as it is written
  std::vector<int> equal;            ///< of them, those that the search found, best first
  std::vector<FusionPlan> plans;     ///< cheapest first
  int unfused = -1;                  ///< of the plans, that of the program as it stands; -1: none
  int best = -1;                     ///< the one whose kernels were written; -1: none
  std::int64_t all_plans = 0;        ///< those that were left out counted
  std::int64_t priced = 0;           ///< launches with their cuts
  std::string note;                  ///< why there is no plan, a sentence; else empty
  std::vector<std::string> reasons;  ///< why the search cuts: "order", "shape", ...
  std::vector<FusionDepth> depths;
  std::vector<FusionState> tree;  ///< of the last depth; empty where that was too large
  std::int64_t tree_one_in = 1;   ///< of its deeper states, one in so many is there
  std::string search;             ///< what the search depends on, as a hash (harness/optimizer/store/store.h)
};

/// Throws std::runtime_error with a sentence.
void write_fusion(const std::filesystem::path& file, const FusionRecord& record);

/// Throws std::runtime_error with a sentence: the file is missing, damaged, or of another version. What it
/// returns is consistent: every number of a node, graph, launch, plan or reason is one of the record's.
FusionRecord read_fusion(const std::filesystem::path& file);
bool is_fusion(std::string_view text);

}  // namespace workbook::runs
