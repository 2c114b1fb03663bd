#include "cli/commands/optimize_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/interrupt.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/project/tensor_program.h"
#include "cli/report/optimize_plan_report.h"
#include "cli/report/optimize_report.h"
#include "cli/run/execute.h"
#include "cli/run/rounds.h"
#include "optimizer/schedule/fusion.h"
#include "optimizer/store/verdict_store.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kFullyDrawn = 8;  ///< of the best graphs, which are drawn at full extents too
constexpr std::size_t kRounded = 32;    ///< of the best graphs, whose rounding is looked at
constexpr double kFirstRound = 7.0;     ///< seconds; each round is longer than all before it
constexpr double kSearchShare = 0.6;    ///< of a round: pricing has what is left
constexpr double kLonger = 5.0;
constexpr std::int64_t kLeastWork = 3000;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Becomes true after so many seconds, or with Ctrl-C.
class TimeIsUp {
 public:
  explicit TimeIsUp(double seconds)
      : timer_([this, until = now_s() + seconds](const std::stop_token& token) {
          constexpr auto kLook = std::chrono::milliseconds(20);
          std::unique_lock lock(mutex_);
          while (!flag && !token.stop_requested()) {
            changed_.wait_for(lock, token, kLook, [] { return false; });
            flag = interrupted || now_s() >= until;
          }
        }) {}
  std::atomic<bool> flag{false};

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread timer_;
};

void verify_all(const opt::Program& program, std::vector<opt::Reported>& graphs) {
  opt::Verifier verifier(program, {});
  const opt::RoundingCheck rounding(program);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    graphs[i].verified = verifier.verify(graphs[i].graph, i < kFullyDrawn);
    if (i < kRounded) graphs[i].numerics = rounding.of(graphs[i].graph);
    say_progress(fmt::format("  verify     {} of {}", i + 1, graphs.size()));
  }
  say_progress("");
}

/// What was found, verified; what may be used comes first, else in the same order.
std::vector<opt::Reported> verified(const opt::Program& program, const opt::Search& search,
                                    opt::SearchStore* store) {
  std::vector<opt::Reported> graphs;
  for (const opt::Graph& graph : search.found)
    graphs.push_back({graph, opt::work_of(program, graph), {}, {}});
  const std::string key = opt::verdicts_key(program, graphs, kFullyDrawn, kRounded);
  if (!store || !opt::load_verdicts(*store, key, graphs)) {
    verify_all(program, graphs);
    if (store) opt::save_verdicts(*store, key, graphs);
  }
  std::stable_partition(graphs.begin(), graphs.end(), [](const opt::Reported& graph) {
    return graph.verified->equal && (!graph.numerics || graph.numerics->within);
  });
  return graphs;
}

/// Equal, and no victims of cancellation.
std::vector<opt::Graph> usable(const std::vector<opt::Reported>& graphs) {
  std::vector<opt::Graph> list;
  for (const opt::Reported& graph : graphs)
    if (graph.verified->equal && (!graph.numerics || graph.numerics->within)) list.push_back(graph.graph);
  return list;
}

/// This machine's GPU, where plans are run at all.
Device device_for(const OptimizeOptions& options) {
  if (options.emit_only && options.measured)
    throw UsageError("--emit-only runs nothing, and --measured chooses by what was run.");
  Device device;
  if (!options.emit_only) device = find_device();
  if (options.measured && !device.usable)
    throw NoDeviceError(device.reason + " Without --measured the modelled time decides.");
  return device;
}

}  // namespace

OptimizeRun::OptimizeRun(const Project& project, const opt::Program& program, const OptimizeOptions& options,
                         opt::SearchOptions search, bool shown)
    : project_(project),
      program_(program),
      options_(options),
      shown_(shown),
      search_options_(std::move(search)),
      device_(device_for(options)),
      key_(opt::search_key(program, search_options_)),
      most_(opt::most_nodes_of(program, search_options_)),
      begun_s_(now_s()) {
  open_store();
}

void OptimizeRun::open_store() {
  if (!options_.no_cache) {
    project_.prepare_state();
    store_ = std::make_unique<opt::SearchStore>(project_.state() / "optimize.sqlite");
  }
  search_options_.known = [this](int nodes) -> std::optional<opt::Depth> {
    const auto known = depths_.find(nodes);
    if (known != depths_.end()) return known->second;
    return store_ ? store_->load(key_, program_, nodes) : std::nullopt;
  };
  search_options_.finished = [this](const opt::Depth& depth) {
    depths_[depth.nodes] = depth;
    if (store_) store_->save(key_, depth);
  };
  // A depth that is known from before has no picture: it is gone through again only where a file is asked
  // for.
  search_options_.tree = !options_.tree.empty() || !store_ || !store_->load(key_, program_, most_);
  search_options_.progress = [](const opt::Progress& at) {
    say_progress(fmt::format("  algebra    {} of {} operations: {} of {} parts{}", at.nodes, at.last, at.done,
                             at.tasks,
                             at.seconds_left < 0 ? "" : fmt::format(", {:.0f} s left", at.seconds_left)));
  };
}

double OptimizeRun::seconds_left() const {
  constexpr double kNoLimit = 1e9;
  return options_.seconds > 0 ? std::max(0.0, options_.seconds - (now_s() - begun_s_)) : kNoLimit;
}

void OptimizeRun::search(double seconds) {
  if (!program_.others.empty()) {
    search_.emplace();
    search_->impossible = "several outputs of one program are computed as they stand";
    return;
  }
  const opt::Field field;
  TimeIsUp up(seconds);
  search_options_.stop = &up.flag;
  search_ = opt::search(program_, field, search_options_);
  search_options_.stop = nullptr;
  say_progress("");
  graphs_ = verified(program_, *search_, store_.get());
}

void OptimizeRun::schedule(double seconds, bool last) {
  say_progress("  schedule   launches and their cuts are priced");
  OptimizeOptions options = options_;
  if (!last) options.measured = false, options.plans = 1;
  const double until = now_s() + seconds;
  WorkFirst work(seconds > 0.0 ? kLeastWork : 0);
  const auto stop = [&] { return work.is_over(now_s() >= until) || interrupted.load(); };
  try {
    take_round(plans_, make_plans(project_, program_, usable(graphs_), options, last ? device_ : Device{},
                                  {store_.get(), stop, &memo_}));
  } catch (const WaitEnded& ended) {
    waited_ = ended.what();
  }
  say_progress("");
}

bool OptimizeRun::round(double seconds) {
  const double until = now_s() + seconds;
  if (!search_ || search_->stopped) search(kSearchShare * seconds);
  if (interrupted) return false;
  const bool searched = !search_->stopped;
  schedule(std::max(until - now_s(), (1.0 - kSearchShare) * seconds), searched || seconds >= seconds_left());
  return waited_.empty() && searched && !plans_->schedule.stopped;
}

void OptimizeRun::rescue() {
  interrupted = false;  // once more ends it
  schedule(0.0, false);
  interrupted = true;
}

void OptimizeRun::show_best_so_far() {
  if (!plans_->chosen) return;
  const std::string line = labelled("best so far", best_so_far_text(*plans_));
  if (line == said_ && !options_.json) return;
  said_ = line;
  if (options_.json)
    print_error(fitted(line));  // for who shows that it goes on, as the Python package does
  else
    show(line);
}

std::optional<double> OptimizeRun::modelled_us() const {
  if (!plans_ || !plans_->chosen) return std::nullopt;
  return plans_->schedule.plans[*plans_->chosen].price.us;
}

void OptimizeRun::find() {
  if (!options_.json && shown_) show(program_lines(program_));
  const StopOnInterrupt guard;
  double seconds = kFirstRound;
  while (!round(std::min(seconds, seconds_left())) && !interrupted && seconds_left() > 0.0) {
    if (shown_) show_best_so_far();
    seconds *= kLonger;
  }
  if (interrupted && waited_.empty() && !(plans_ && plans_->chosen)) rescue();
  if (!waited_.empty()) print_error(fitted_sentence("workbook: " + waited_) + '\n');
  if (!plans_) end_if_interrupted();
}

int OptimizeRun::tell() {
  if (!options_.json && !shown_) show(program_lines(program_));
  if (!options_.tree.empty() && !search_->stopped && search_->impossible.empty())
    write_file(options_.tree, runs::dump(opt::tree_json(program_, *search_, most_)) + '\n');
  report();
  end_if_interrupted();
  if (!search_->stopped && search_->impossible.empty()) keep_record();
  return !options_.emit_only && !plans_->chosen ? kHarnessFault : kCorrect;
}

void OptimizeRun::report() {
  if (store_ && !store_->trouble().empty())
    print_error(fitted_sentence("workbook: " + store_->trouble()) + '\n');
  const std::string lines =
      search_lines(program_, *search_, most_, graphs_, store_ != nullptr) + plan_lines(program_, *plans_);
  if (options_.json) {
    runs::Json json = opt::to_json(program_, *search_, most_, graphs_);
    json["schedule"] = plans_json(*plans_);
    json["schedule"]["stopped"] = plans_->schedule.stopped;
    json["report"] = fitted(program_lines(program_) + lines);
    print(runs::dump(json, 1) + '\n');
  } else {
    show(lines);
  }
}

/// Leaves the whole result for the viewer. Its picture of the search is the last one's where all depths were
/// known from before.
void OptimizeRun::keep_record() {
  const std::filesystem::path file = fusion_file(project_, program_.name);
  runs::FusionRecord record = opt::fusion_record(program_, *search_, usable(graphs_));
  record.made_at = utc_now();
  record.search = key_;
  if (const sim::GpuSpec* gpu = sim::find_gpu(options_.gpu)) record.gpu = gpu->name;
  record_plans(record, program_, *plans_, options_, store_.get());
  if (record.tree.empty() && std::filesystem::exists(file)) try {
      runs::FusionRecord before = runs::read_fusion(file);
      if (before.search == key_ && before.depths.size() == record.depths.size()) {
        record.tree = std::move(before.tree);
        record.tree_one_in = before.tree_one_in;
      }
    } catch (const std::runtime_error&) {
      // A damaged one is written over.
    }
  project_.prepare_state();
  runs::write_fusion(file, record);
}

}  // namespace workbook::cli
