// The first stage: all graphs equal to a program with at most so many nodes, over whole indices, no sizes.
// Depth after depth; within one, tasks are prefixes of two nodes, taken by threads in turn. Results and
// counts are sums and sorted lists, so that any number of threads gives the same answer.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "optimizer/search/enumerate.h"

namespace workbook::opt {

/// What one limit on the number of nodes gave.
struct Depth {
  int nodes = 0;
  Counts counts;
  std::vector<std::vector<Node>> found;  ///< equal graphs with exactly so many nodes, sorted
  double cpu_s = 0.0;                    ///< of all threads together
};

struct Progress {
  int nodes = 0, last = 0;  ///< the depth at work, and the last one
  std::size_t done = 0, tasks = 0;
  double seconds_left = -1.0;  ///< of this depth, as its tasks so far let one guess; -1: not known
};

struct SearchOptions {
  int most_nodes = 0;  ///< 0: those of the program, and kMoreNodes
  unsigned threads = 1;
  std::uint64_t seed = 1;
  bool tree = false;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Progress&)> progress;         ///< now and then, from one thread at a time
  std::function<std::optional<Depth>(int nodes)> known;  ///< a depth that was finished before
  std::function<void(const Depth&)> finished;            ///< a depth, before the next begins
};
inline constexpr int kMoreNodes = 3;

struct Search {
  std::vector<Depth> depths;    ///< finished ones, by nodes
  std::vector<Graph> found;     ///< best first (rank); with what an unfinished depth found
  std::vector<TreeState> tree;  ///< of the last depth
  std::uint64_t tree_one_in = 1;
  bool stopped = false;
  std::string impossible;  ///< why there is no search, a sentence, or nothing
  int known_depths = 0;    ///< of `depths`, taken from `known`
  Counts counts;           ///< of the last finished depth, whose prefixes contain those of all before
  double cpu_s = 0.0;
};

int most_nodes_of(const Program& program, const SearchOptions& options);
Search search(const Program& program, const Field& field, const SearchOptions& options);

/// Best first. Products within a quarter of the least count as equal; then fewer passes over the data (sums
/// that wait for one another), fewer other operations, fewer bytes, fewer nodes, the text.
void rank(const Program& program, std::vector<Graph>& graphs);

/// The nodes behind the inputs as a graph of the program.
Graph graph_of(const Program& program, const std::vector<Node>& nodes);

/// Where the search cut a graph, in its one order; `program`'s lists of inputs must be the graph's.
Enumerator::Judged why_not(const Program& program, const Field& field, const Graph& graph,
                           const SearchOptions& options);

}  // namespace workbook::opt
