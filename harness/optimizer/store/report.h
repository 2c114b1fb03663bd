// The JSON of `workbook optimize`: what --json prints, what --tree writes, and what the store keeps. What the
// viewer's Fusion panel reads is runs/fusion.h, made by fusion.h. Fields are always there unless it says "or
// absent".
//
// --json; of a program of several outputs a list of such, as if each was a program, its name NAME_OUTPUT
//   { "program": "rmsnorm_linear", "title": "...", "output": "y", "formula": "sum(h, ...)",
//     "output_tensor": {"dims": ["b", "o"], "type": "f16"},
//     "nodes": 6, "most_nodes": 9,                  operations of the program; of the last depth
//     "indices": [{"name": "b", "teaching": 4, "real": 16}],
//     "inputs": [{"name": "x", "dims": ["b", "h"], "type": "f16", "given": false,
//                 "stored": true,                  or a constant, another's elements, or made of its place
//                 "constant": null or 1e-05}],
//     "algebra": { "complete": true,                every depth to most_nodes was finished
//                  "resumed": 0,                    depths that were known from before
//                  "states": 0, "tried": 0, "cut": {"order": 0, ...},   of the last finished depth
//                  "depths": [DEPTH], "cpu_s": 0.1 },
//     "graphs": [GRAPH],                            best first; the first is the best
//     "best": 0,                                    or null
//     "schedule": SCHEDULE }                        of `optimize` alone; null where the search was stopped
//   SCHEDULE { "priced": 0, "plans": [PLAN],        cheapest first, 50 at most
//              "unfused": PLAN or null, "best": 0 or null,
//              "built": [{"compiles", "findings", "elements", "wrong", "worst", "trouble"}],
//              "wrote": ["optimized/..."], "left_alone": [] }
//   PLAN   { "formula": "...", "us": 1.5, "bytes": 0,
//            "launches": [{"path": "row", "nodes": [4], "cuts": {"b": {"grid": 1, "loop": 1}}, "warps": 8,
//                          "stages": 0,                                     of path tensor
//                          "predicted": a launch as in a run record}] }     nodes: as in the plan's graph
//   GRAPH  { "formula": "...", "text": "t1 = ...\ny = ...\noutput y[b,o]\n", "nodes": [NODE], "output": 8,
//            "work": {"product_flops", "other_flops", "bytes", "passes"},
//            "verified": {"equal", "draws", "other_draws", "chance", "degree", "exponentials", "roots",
//                         "hashed", "refused_at"},  or absent
//            "numerics": {"within", "ratio", "data", "words"} }             or absent
//   NODE   { "op": "matmul", "a": 3, "b": 2, "over": "h", "fn": 0, "text": "sum(h, t1 * w)",
//            "indices": ["b", "o"] }                 a, b: numbers of nodes, or null; inputs are nodes, first
//   DEPTH  { "nodes": 6, "states": 161, "tried": 7578, "cut": {...}, "cpu_s": 0.001,
//            "found": [[[op, a, b, over, fn], ...]] }                        numbers as in graph.h
//
// --check FILE --json
//   { "program": "...", "formula": "...", "equal": false, "verified": {...},
//     "numerics": {...} or null,                                          of an equal graph
//     "foreign": {"line": 3, "text": "m * k"} or null,
//     "example": {"extents": {"b": 1}, "inputs": {"x": "[[1, 0]]"}, "place": "y[0,0]", "yours": 5,
//                 "programs": 3} or null }
//
// --why-not FILE --json
//   { "program": "...", "formula": "...", "equal": true,
//     "cut": {"operation": 4, "text": "...", "reason": "loose"} or null }     operations count from 1
//
// --tree FILE
//   { "program": "...", "most_nodes": 9, "sampled_from_depth": 5, "one_in": 3,
//     "reasons": [{"name": "order", "letter": "o"}],
//     "states": [{"parent": -1, "depth": 0, "text": "", "cut": [0, 1, 2, 3, 4], "kept": 2, "equal": false}] }
//   A parent stands before its children; of a state whose own parent was left out it is the nearest one
//   there. `cut` counts children by reason, `kept` those that were kept. Below depth 4 one state in `one_in`
//   is there, and every equal one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimizer/judge/check.h"
#include "optimizer/search/algebra.h"
#include "runs/fusion.h"
#include "runs/json.h"

namespace workbook::opt {

/// A graph with what was found out about it.
struct Reported {
  Graph graph;
  Work work;
  std::optional<Verified> verified;
  std::optional<Numerics> numerics;
};

runs::Json to_json(const Depth& depth);
/// Throws std::runtime_error when it is no depth of the program's: a damaged row.
Depth depth_from_json(const runs::Json& json, const Program& program, int nodes);

runs::Json to_json(const Program& program, const Search& search, int most_nodes,
                   const std::vector<Reported>& graphs);
runs::Json to_json(const Program& program, const Reported& graph);
runs::Json to_json(const Program& program, const Graph& graph, const Checked& checked);
runs::Json to_json(const Program& program, const Graph& graph, const Enumerator::Judged& judged);
/// The picture of the search with `most` states at most; of the deeper ones one in `one_in` is there.
std::vector<runs::FusionState> tree_states(const Program& program, const Search& search, std::size_t most,
                                           std::uint64_t& one_in);
runs::Json tree_json(const Program& program, const Search& search, int most_nodes);

}  // namespace workbook::opt
