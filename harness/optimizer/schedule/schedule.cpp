#include "optimizer/schedule/schedule.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "optimizer/plan/halves.h"
#include "optimizer/plan/launch_memo.h"
#include "optimizer/schedule/emit.h"
#include "optimizer/schedule/launch_cuts.h"
#include "optimizer/schedule/schedule_store.h"

namespace workbook::opt {
namespace {

/// What a plan of several launches takes on an H200 beside what they take alone, of each but the first: what
/// crosses them is waited for.
constexpr double kBetweenLaunches = 0.8;

double compared_us(const Scheduled& of) {
  return of.price.us + kBetweenLaunches * static_cast<double>(of.plan.kernels.size());
}

/// The best cuts for the launches of one graph.
class GraphScheduler {
 public:
  GraphScheduler(const Program& program, const Graph& graph, const sim::GpuSpec& gpu, LaunchMemo& memo,
                 const std::function<bool()>& stop)
      : program_(program),
        gpu_(gpu),
        memo_(memo),
        stop_(stop),
        extents_(real_extents(graph)),
        shapes_(shapes_of(graph, program.output_set())),
        halves_(nodes_for_halves(program, graph)),
        plan_{graph, {}} {}

  /// Of every way to divide the graph the best. Once it is to stop, of some ways whose launches were all cut
  /// before.
  GraphPlans all() {
    constexpr int kBehindStop = 100;
    GraphPlans found;
    int more = kBehindStop;
    for (const std::vector<std::uint64_t>& parts : partitions_of(plan_.graph)) {
      found.stopped = found.stopped || stopped();
      if (found.stopped && !is_cut(parts)) continue;
      if (found.stopped && more-- == 0) break;
      if (auto plan = best(parts)) found.plans.push_back(std::move(*plan));
    }
    found.stopped = found.stopped || stopped();
    found.priced = priced_;
    return found;
  }

  struct Task {
    std::size_t turn;  ///< those with less come first
    std::function<void()> run;
  };
  /// The launches of all ways to divide the graph, each once, as long as none leaves its sums in parts: cut
  /// beforehand, they are in the memo when all() wants them. May be cut by any thread.
  std::vector<Task> launches(std::size_t rank) const {
    std::vector<Task> tasks;
    std::set<std::pair<std::uint64_t, std::vector<int>>> seen;
    for (const std::vector<std::uint64_t>& parts : partitions_of(plan_.graph)) {
      const Plan plan = uncut(parts);
      if (plan_fault(program_, plan, extents_)) continue;
      const std::vector<Launch> found = launches_of(program_, plan);
      for (std::size_t k = 0; k < found.size(); ++k)
        if (seen.emplace(parts[k], found[k].writes).second)
          tasks.push_back({found.size() + rank, [this, plan, k, found] {
                             if (!stopped()) cuts(plan, static_cast<int>(k), found[k], found);
                           }});
    }
    return tasks;
  }

  /// The best cuts for these launches, or nothing where one of them cannot be.
  std::optional<Scheduled> best(const std::vector<std::uint64_t>& parts) {
    Plan plan = uncut(parts);
    if (plan_fault(program_, plan, extents_)) return std::nullopt;
    std::optional<Scheduled> best;
    std::vector<Launch> launches;
    choose(plan, launches, best);
    return best;
  }

 private:
  bool stopped() const { return stop_ && stop_(); }

  /// As launches() cuts them.
  bool is_cut(const std::vector<std::uint64_t>& parts) const {
    const Plan plan = uncut(parts);
    if (plan_fault(program_, plan, extents_)) return false;
    const std::vector<Launch> found = launches_of(program_, plan);
    for (std::size_t k = 0; k < found.size(); ++k)
      if (!memo_.has_all(signature_of(plan, found[k], parts[k], shapes_))) return false;
    return true;
  }

  Plan uncut(const std::vector<std::uint64_t>& parts) const {
    Plan plan{plan_.graph, {}};
    for (const std::uint64_t nodes : parts) {
      plan.kernels.push_back({nodes, {}, Path::plain, 8});
      plan.kernels.back().halves = halves_of(plan.graph, plan.kernels.back(), halves_);
    }
    return plan;
  }

  LaunchMemo::Cuts cuts(const Plan& plan, int number, const Launch& launch,
                        const std::vector<Launch>& before) const {
    return memo_.of(signature_of(plan, launch, plan.kernels[slot(number)].nodes, shapes_), !stopped(), [&] {
      LaunchCutter cutter(program_, plan_.graph, gpu_, stop_);
      std::vector<Kernel> kernels = cutter.best_kernels(plan, number, launch, before);
      return LaunchMemo::Cuts{std::move(kernels), cutter.priced(), stopped()};
    });
  }

  /// A launch may be the best for each number of parts that it leaves its sums in: the later launches tell.
  void choose(Plan& plan, std::vector<Launch>& before, std::optional<Scheduled>& best) {
    const std::size_t at = before.size();
    if (at == plan.kernels.size()) {
      if (emit_fault(program_, plan, before)) return;
      std::vector<runs::LaunchRecord> records;
      for (std::size_t k = 0; k < at; ++k) records.push_back(counted_once(plan, before[k], plan.kernels[k]));
      Price price = price_of(std::move(records), gpu_);
      Scheduled made{plan, std::move(price)};
      if (!best || compared_us(made) < compared_us(*best)) best = std::move(made);
      return;
    }
    const Kernel uncut = plan.kernels[at];
    // Of many launches not all combinations: few parts, or as many as are best for the launch itself.
    constexpr std::size_t kAllCombined = 4, kTwoCombined = 10;
    const std::vector<Kernel> list = options(plan, before);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && (plan.kernels.size() > kTwoCombined || stopped())) break;
      if (i > 0 && i + 1 < list.size() && plan.kernels.size() > kAllCombined) continue;
      plan.kernels[at] = list[i];
      if (auto launch = legal_launch(program_, plan, static_cast<int>(at), before, extents_)) {
        before.push_back(std::move(*launch));
        choose(plan, before, best);
        before.pop_back();
      }
      plan.kernels[at] = uncut;
    }
  }

  const std::vector<Kernel>& options(const Plan& plan, const std::vector<Launch>& before) {
    const int at = static_cast<int>(before.size());
    const Launch launch = *legal_launch(program_, plan, at, before, extents_);
    std::vector<std::uint64_t> key{plan.kernels[slot(at)].nodes, 0};
    for (const int node : launch.writes) key[1] |= node_bit(node);
    for (const int node : launch.reads)
      if (const Parts& parts = launch.parts[slot(node)]; parts.launch >= 0)  // how many: tells little
        key.insert(key.end(), {slot(node), slot(parts.maximum + 1)});
    const auto [known, fresh] = kernels_.try_emplace(key);
    if (fresh) {
      LaunchMemo::Cuts found = cuts(plan, at, launch, before);
      known->second = std::move(found.kernels);
      for (Kernel& kernel : known->second) {
        kernel.nodes = plan.kernels[slot(at)].nodes;
        kernel.halves = uncut_by_grid(plan.graph, kernel, plan.kernels[slot(at)].halves);
      }
      priced_ += found.priced;
    }
    return known->second;
  }

  /// What a launch does is the same in every plan in which it has the same cuts, and what it reads the same
  /// type and as many parts.
  const runs::LaunchRecord& counted_once(const Plan& plan, const Launch& launch, const Kernel& kernel) {
    std::vector<std::int64_t> key;
    const std::uint64_t halves = plan.halves();
    for (const int node : launch.writes) key.push_back(node);
    for (const int node : launch.reads)
      if ((halves & node_bit(node)) != 0) key.insert(key.end(), {-2, node});
    for (const int node : launch.reads)
      if (const Parts& parts = launch.parts[slot(node)]; parts.launch >= 0) {
        const Cut& cut = plan.kernels[slot(parts.launch)].cuts[slot(parts.index)];
        key.insert(key.end(), {-1, node, parts.maximum, cut.grid, cut.loop, parts.index});
      }
    const auto [known, fresh] = counted_.try_emplace({kernel, std::move(key)});
    if (fresh) known->second = counted(program_, plan, launch, kernel, extents_);
    return known->second;
  }

  const Program& program_;
  const sim::GpuSpec& gpu_;
  LaunchMemo& memo_;
  const std::function<bool()>& stop_;
  Extents extents_;
  std::vector<IndexSet> shapes_;
  std::uint64_t halves_;
  Plan plan_;
  std::int64_t priced_ = 0;
  std::map<std::vector<std::uint64_t>, std::vector<Kernel>> kernels_;
  std::map<std::pair<Kernel, std::vector<std::int64_t>>, runs::LaunchRecord> counted_;
};

constexpr double kFewResults = 2.0 * 64 * 64;  ///< of a product, for each SM: two of the smaller tiles

/// The same with a step behind an output that is a sum or a maximum, or a product of few rows and columns: a
/// launch that leaves the output in parts then has one to add them up in. Nothing where there is no such
/// output.
std::optional<Graph> with_last_step(const Program& program, const Graph& graph, const sim::GpuSpec& gpu) {
  const bool products = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [](const Node& node) { return node.op == Op::matmul; });
  double results = 1.0;
  for (const int index : members(shapes_of(graph, program.output_set())[slot(graph.output())]))
    results *= graph.indices[slot(index)].real;
  const bool few = graph.nodes[slot(graph.output())].op == Op::matmul && results <= kFewResults * gpu.sms;
  if ((products && !few) || graph.outputs.size() > 1 || graph.nodes[slot(graph.output())].over < 0 ||
      graph.nodes.size() == kMaxNodes || graph.functions.size() == kMaxFunctions)
    return std::nullopt;
  Graph made = graph;
  const auto function = static_cast<std::uint8_t>(made.functions.size());
  made.functions.push_back({});
  made.nodes.push_back({Op::fn, static_cast<std::int8_t>(graph.output()), -1, -1, function});
  made.outputs = {static_cast<int>(made.nodes.size()) - 1};
  return made;
}
/// Without parts the step is for nothing.
void keep_parts(GraphPlans& found, const Program& program) {
  std::erase_if(found.plans, [&](const Scheduled& each) {
    const std::vector<Launch> launches = launches_of(program, each.plan);
    return std::none_of(launches.begin(), launches.end(),
                        [](const Launch& launch) { return launch.split >= 0; });
  });
}

bool cheaper(const Scheduled& a, const Scheduled& b) {
  return std::pair(compared_us(a), a.plan.kernels) < std::pair(compared_us(b), b.plan.kernels);
}

/// The launches of plans that are shown; those of others nobody asks for.
void complete(const Program& program, const sim::GpuSpec& gpu, Scheduled& plan, bool shown) {
  if (!shown)
    plan.price.launches.clear();
  else if (plan.price.launches.empty())
    plan.price = price_of(program, plan.plan, real_extents(plan.plan.graph), gpu);
}

}  // namespace

Schedule schedule(const Program& program, const std::vector<Graph>& graphs, const sim::GpuSpec& gpu,
                  const ScheduleOptions& options) {
  struct Of {
    std::optional<Graph> graph;
    bool unstable = false, last_step = false;
    std::size_t rank = 0;  ///< those with less come first
    std::unique_ptr<GraphScheduler> scheduler;
    GraphPlans found;
  };
  LaunchMemo own_memo;
  LaunchMemo& memo = options.memo != nullptr ? *options.memo : own_memo;
  std::vector<Of> of;
  const auto stopped = [&] { return options.stop && options.stop(); };
  Schedule result;
  // The program as it stands comes first, operation by operation: of all else there may be nothing yet when
  // time is up. Then threads take launches in turn: the fewer a plan has and the better its graph, the
  // sooner; of graphs the search's first and the program's own come first. Graphs come behind their launches.
  std::atomic<bool> cut_short = false;
  const auto noted = [&] {  // perhaps before all cuts were tried
    const bool stop = stopped();
    if (stop) cut_short = true;
    return stop;
  };
  std::vector<GraphScheduler::Task> launches;
  std::vector<std::function<void()>> graphs_behind;
  result.unfused = unfused(program, gpu, options.store, noted);
  std::size_t stable = 0;
  for (std::size_t i = 0; i < graphs.size() && stable < kScheduledGraphs && !noted(); ++i) {
    of.emplace_back().graph = stabilised(program, expanded(program, graphs[i]));
    of.back().unstable = !of.back().graph;
    of.back().rank = stable;
    stable += !of.back().unstable;
  }
  // What the search ranks first may be no launch of any form but loop nests, where the program itself is.
  std::optional<Graph> own = stabilised(program, expanded(program, program.graph));
  result.overflows = !own;
  if (!own && stable == 0) own = expanded(program, program.graph);
  if (own && std::none_of(of.begin(), of.end(), [&](const Of& one) { return one.graph == own; })) {
    of.emplace_back();
    of.back().graph = own;
  }
  for (Of& one : of)
    if (one.graph && one.graph == own) one.rank = 0;
  for (std::size_t i = 0, size = of.size(); i < size; ++i)
    if (auto longer = of[i].graph ? with_last_step(program, *of[i].graph, gpu) : std::nullopt) {
      of.emplace_back();
      of.back().graph = std::move(longer);
      of.back().last_step = true;
      of.back().rank = of[i].rank;
    }
  for (Of& one : of) {
    if (!one.graph) continue;
    if (options.store)
      if (auto known = options.store->load(*one.graph, {})) {
        one.found = std::move(*known);
        continue;
      }
    one.scheduler = std::make_unique<GraphScheduler>(program, *one.graph, gpu, memo, options.stop);
    for (auto& task : one.scheduler->launches(one.rank)) launches.push_back(std::move(task));
    graphs_behind.push_back([&one, &options, &program] {
      one.found = one.scheduler->all();
      if (one.last_step) keep_parts(one.found, program);
      if (options.store && !one.found.stopped) options.store->save(*one.graph, {}, one.found);
    });
  }
  std::stable_sort(launches.begin(), launches.end(),
                   [](const auto& a, const auto& b) { return a.turn < b.turn; });
  std::vector<std::function<void()>> tasks;
  for (auto& launch : launches) tasks.push_back(std::move(launch.run));
  for (auto& graph : graphs_behind) tasks.push_back(std::move(graph));
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) tasks[i]();
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < options.threads; ++i) workers.emplace_back(work);
    work();
  }
  result.stopped = cut_short;
  for (Of& each : of) {
    result.stopped = result.stopped || each.found.stopped;
    result.unstable += each.unstable;
    result.priced += each.found.priced;
    for (Scheduled& plan : each.found.plans) result.plans.push_back(std::move(plan));
  }
  if (const auto& plan = result.unfused) {
    const auto same = [&](const Scheduled& other) { return other.plan == plan->plan; };
    if (std::none_of(result.plans.begin(), result.plans.end(), same)) result.plans.push_back(*plan);
  }
  std::stable_sort(result.plans.begin(), result.plans.end(), cheaper);
  for (std::size_t i = 0; i < result.plans.size(); ++i)
    complete(program, gpu, result.plans[i], i < kShownPlans);
  return result;
}

std::optional<Scheduled> unfused(const Program& program, const sim::GpuSpec& gpu, ScheduleStore* store,
                                 const std::function<bool()>& stop) {
  const Graph graph = as_it_stands(program);
  const std::vector<int> nodes = node_list(needed_nodes(graph));
  const auto is_product = [&](int node) { return graph.nodes[slot(node)].op == Op::matmul; };
  const bool products = std::any_of(nodes.begin(), nodes.end(), is_product);
  std::vector<std::uint64_t> parts;
  bool open = false;
  for (const int node : nodes) {
    const bool alone = !products || is_product(node);
    if (alone || !open) parts.push_back(0);
    parts.back() |= node_bit(node);
    open = !alone;
  }
  std::optional<Scheduled> plan = best_cuts(program, graph, parts, gpu, store, stop);
  if (!plan && products) {
    parts.clear();
    for (const int node : nodes) parts.push_back(node_bit(node));
    plan = best_cuts(program, graph, parts, gpu, store, stop);
  }
  if (plan) complete(program, gpu, *plan, true);
  return plan;
}

std::optional<Scheduled> best_cuts(const Program& program, const Graph& graph,
                                   const std::vector<std::uint64_t>& parts, const sim::GpuSpec& gpu,
                                   ScheduleStore* store, const std::function<bool()>& stop) {
  if (store)
    if (auto known = store->load(graph, parts))
      return known->plans.empty() ? std::nullopt : std::optional(std::move(known->plans.front()));
  LaunchMemo memo;
  std::optional<Scheduled> plan = GraphScheduler(program, graph, gpu, memo, stop).best(parts);
  if (store && !(stop && stop()))
    store->save(graph, parts, {plan ? std::vector{*plan} : std::vector<Scheduled>{}});
  return plan;
}

}  // namespace workbook::opt
