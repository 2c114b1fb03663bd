#include "optimizer/search/algebra.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>

#include "optimizer/graph/order.h"
#include "optimizer/language/text.h"

namespace workbook::opt {
namespace {

constexpr int kPrefix = 2;

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool by_keys(const std::vector<Node>& a, const std::vector<Node>& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Node& x, const Node& y) { return order_key(x) < order_key(y); });
}

/// One depth: its prefixes, then its tasks by several threads.
class DepthRun {
 public:
  DepthRun(const Space& space, const SearchOptions& options, int limit, int last)
      : space_(space),
        options_(options),
        limit_(limit),
        last_(last),
        stop_(options.stop != nullptr ? *options.stop : never_) {}

  Depth run(bool tree, std::uint64_t one_in) {
    result_.nodes = limit_;
    tree_ = tree;
    one_in_ = one_in;
    const double before = thread_cpu_s();
    Enumerator first(space_);
    first.keep_tree = tree;
    first.tree_one_in = one_in;
    first.run({}, limit_, limit_ > kPrefix ? kPrefix : 0, stop_);
    take(first);
    tasks_ = first.prefixes;
    result_.cpu_s += thread_cpu_s() - before;
    begun_ = std::chrono::steady_clock::now();
    const std::size_t workers =
        std::clamp<std::size_t>(options_.threads, 1, std::max<std::size_t>(tasks_.size(), 1));
    if (workers == 1) {
      work();
    } else {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    }
    if (thrown_) std::rethrow_exception(thrown_);
    std::sort(result_.found.begin(), result_.found.end(), by_keys);
    std::sort(states.begin(), states.end(),
              [](const TreeState& a, const TreeState& b) { return by_keys(a.nodes, b.nodes); });
    return std::move(result_);
  }

  std::vector<TreeState> states;

 private:
  void work() {
    try {
      const double before = thread_cpu_s();
      Enumerator enumerator(space_);
      enumerator.keep_tree = tree_;
      enumerator.tree_one_in = one_in_;
      for (std::size_t task = next_++; task < tasks_.size() && !stop_; task = next_++) {
        enumerator.run(tasks_[task], limit_, 0, stop_);
        report();
      }
      const std::lock_guard lock(mutex_);
      take(enumerator);
      result_.cpu_s += thread_cpu_s() - before;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      next_ = tasks_.size();
    }
  }

  void take(Enumerator& from) {
    result_.counts += from.counts;
    std::move(from.found.begin(), from.found.end(), std::back_inserter(result_.found));
    std::move(from.tree.begin(), from.tree.end(), std::back_inserter(states));
  }

  void report() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!options_.progress) return;
    Progress progress{limit_, last_, done_, tasks_.size(), -1.0};
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
    if (elapsed.count() > 0.5)
      progress.seconds_left =
          elapsed.count() * static_cast<double>(tasks_.size() - done_) / static_cast<double>(done_);
    options_.progress(progress);
  }

  const Space& space_;
  const SearchOptions& options_;
  int limit_, last_;
  const std::atomic<bool> never_{false};
  const std::atomic<bool>& stop_;
  bool tree_ = false;
  std::uint64_t one_in_ = 1;
  Depth result_;
  std::vector<std::vector<Node>> tasks_;
  std::atomic<std::size_t> next_{0};
  std::size_t done_ = 0;
  std::mutex mutex_;
  std::exception_ptr thrown_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace

int most_nodes_of(const Program& program, const SearchOptions& options) {
  const int most = options.most_nodes > 0 ? options.most_nodes : program.graph.operations() + kMoreNodes;
  return std::min(most, kMaxNodes - static_cast<int>(program.graph.inputs.size()));
}

Graph graph_of(const Program& program, const std::vector<Node>& nodes) {
  Graph graph = program.graph;
  graph.nodes.resize(graph.inputs.size());
  graph.nodes.insert(graph.nodes.end(), nodes.begin(), nodes.end());
  graph.outputs = {static_cast<int>(graph.nodes.size()) - 1};
  return graph;
}

namespace {

Search searched(const Program& program, const Field& field, const SearchOptions& options) {
  const Space space(program, field, {options.seed, 0});
  Search result;
  const int last = most_nodes_of(program, options);
  for (int limit = 1; limit <= last; ++limit) {
    const bool tree = options.tree && limit == last;
    Depth depth;
    const std::optional<Depth> known = options.known && !tree ? options.known(limit) : std::nullopt;
    if (known) {
      depth = *known;
      ++result.known_depths;
    } else {
      // How many states there will be: those of the depth before, and as many times more as that had.
      std::uint64_t one_in = 1;
      if (tree && result.depths.size() > 1) {
        const auto& before = result.depths;
        const double now = static_cast<double>(before.back().counts.states);
        const double growth =
            now / static_cast<double>(std::max<std::uint64_t>(before[before.size() - 2].counts.states, 1));
        one_in = static_cast<std::uint64_t>(std::max(1.0, std::ceil(now * growth / kTreeStates)));
      }
      DepthRun run(space, options, limit, last);
      depth = run.run(tree, one_in);
      result.tree = std::move(run.states);
      result.tree_one_in = one_in;
    }
    for (const std::vector<Node>& nodes : depth.found) result.found.push_back(graph_of(program, nodes));
    result.cpu_s += depth.cpu_s;
    if (options.stop != nullptr && *options.stop) {
      result.stopped = true;
      break;
    }
    result.counts = depth.counts;
    if (!known && options.finished) options.finished(depth);
    result.depths.push_back(std::move(depth));
  }
  rank(program, result.found);
  return result;
}

}  // namespace

Search search(const Program& program, const Field& field, const SearchOptions& options) {
  try {
    return searched(program, field, options);
  } catch (const NoDraw& none) {
    Search result;
    result.impossible = none.what();
    return result;
  }
}

void rank(const Program& program, std::vector<Graph>& graphs) {
  struct Ranked {
    Graph graph;
    Work work;
    std::string text;
    int products = 0;
  };
  std::vector<Ranked> ranked;
  double least = 0.0;
  for (Graph& graph : graphs) {
    Ranked next{std::move(graph), {}, {}, 0};
    next.work = work_of(program, next.graph);
    next.text = formula(next.graph);
    if (ranked.empty() || next.work.product_flops < least) least = next.work.product_flops;
    ranked.push_back(std::move(next));
  }
  for (Ranked& each : ranked)
    if (least > 0.0)
      each.products = static_cast<int>(std::log(each.work.product_flops / least) / std::log(1.25));
  const auto key = [](const Ranked& r) {
    return std::make_tuple(r.products, r.work.passes, r.work.other_flops, r.work.bytes, r.graph.nodes.size());
  };
  std::sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.text < b.text;
  });
  graphs.clear();
  for (Ranked& each : ranked) graphs.push_back(std::move(each.graph));
}

Enumerator::Judged why_not(const Program& program, const Field& field, const Graph& graph,
                           const SearchOptions& options) {
  const Space space(program, field, {options.seed, 0});
  const Graph one = canonical(graph);
  const std::vector<Node> nodes(one.nodes.begin() + static_cast<std::ptrdiff_t>(one.inputs.size()),
                                one.nodes.end());
  return Enumerator(space).judge(nodes, static_cast<int>(nodes.size()));
}

}  // namespace workbook::opt
