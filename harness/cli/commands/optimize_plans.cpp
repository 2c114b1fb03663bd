#include "cli/commands/optimize_plans.h"

#include <fmt/format.h>

#include "cli/base/errors.h"
#include "cli/base/interrupt.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "optimizer/language/names.h"
#include "optimizer/language/text.h"
#include "optimizer/schedule/emit.h"
#include "optimizer/schedule/fusion.h"
#include "optimizer/schedule/schedule_store.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBuilt = 8;
constexpr int kPasses = 3;  // over all plans that are timed: what drifts meets them alike
constexpr std::string_view kMark =
    "// As long as this line fits what stands above, `workbook optimize` may write anew: ";

std::string marked(const std::string& text) {
  return text + '\n' + std::string(kMark) + runs::content_hash(text).substr(0, 12) + '\n';
}
bool is_ours(const std::string& text) {
  const std::size_t at = text.rfind('\n' + std::string(kMark));
  return at != std::string::npos && text == marked(text.substr(0, at));
}

/// Leaves alone what somebody has edited.
void write_marked(const fs::path& file, const std::string& text, PlansDone& done) {
  const std::optional<std::string> there = read_file_if_any(file);
  const std::string shown = file.lexically_relative(fs::current_path()).string();
  if (there && !is_ours(*there)) {
    done.kept.push_back(shown);
    return;
  }
  write_file(file, marked(text));
  done.wrote.push_back(shown);
}

const sim::GpuSpec& gpu_of(const OptimizeOptions& options) {
  if (const sim::GpuSpec* gpu = sim::find_gpu(options.gpu)) return *gpu;
  std::string names;
  for (const sim::GpuSpec& gpu : sim::known_gpus())
    names += (names.empty() ? "" : ", ") + std::string(gpu.key);
  throw UsageError(fmt::format("There is no GPU '{}'; there are {}.", options.gpu, names));
}

std::optional<opt::ScheduleStore> schedules_in(opt::SearchStore* store, const opt::Program& program,
                                               const sim::GpuSpec& gpu) {
  return store ? std::make_optional<opt::ScheduleStore>(*store, program, gpu) : std::nullopt;
}

/// Compiles plans and runs them: on the simulator, and what is right there on the GPU, if there is one.
class Builder {
 public:
  Builder(const Project& project, const opt::Program& program, const Device& device, double memory_gb,
          bool reuse)
      : project_(project), program_(program), device_(device), memory_gb_(memory_gb), reuse_(reuse) {}

  EmittedRun build(const opt::Scheduled& scheduled, const std::string& name) const {
    const opt::Plan& plan = scheduled.plan;
    const std::vector<opt::EmittedCase> cases = opt::emitted_cases(program_, plan);
    EmittedRun run = run_emitted(project_, folder(name), program_, plan, cases, reuse_);
    if (!device_.usable || !run.right() || interrupted) return run;
    run.on_device = judge_on_device(project_, device_, folder(name), program_, plan, cases);
    if (run.on_device->trouble.empty())
      run.on_device->trouble = untimed_words(program_, scheduled, memory_gb_);
    return run;
  }

  /// All in turn, some passes over.
  void time(PlansDone& done) const {
    for (int pass = 1; pass <= kPasses; ++pass) {
      const auto turn = [&](EmittedRun& run, const std::string& name) {
        if (!run.on_device || interrupted) return;
        say_progress(fmt::format("  measured   pass {} of {}: plan {}", pass, kPasses, name));
        time_on_device(folder(name), *run.on_device);
      };
      for (std::size_t i = 0; i < done.runs.size(); ++i) turn(done.runs[i], plan_name(i));
      if (done.unfused_run) turn(*done.unfused_run, "unfused");
    }
  }

  static std::string plan_name(std::size_t number) { return std::to_string(number + 1); }

 private:
  fs::path folder(const std::string& name) const {
    return project_.state() / "optimize" / opt::identifier(program_.name) / name;
  }

  const Project& project_;
  const opt::Program& program_;
  const Device& device_;
  double memory_gb_;
  bool reuse_;
};

/// Of those that are right the fastest on the GPU; nothing where none has a time.
std::optional<std::size_t> fastest(const std::vector<EmittedRun>& runs) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].on_device && runs[i].on_device->timed() &&
        (!best || runs[i].on_device->us().median < runs[*best].on_device->us().median))
      best = i;
  return best;
}

/// Builds and runs the cheapest plans: as many as are wanted, more until one is right.
void build_plans(const Builder& builder, const OptimizeOptions& options, bool timed, PlansDone& done) {
  const std::vector<opt::Scheduled>& plans = done.schedule.plans;
  const auto wanted = static_cast<std::size_t>(options.plans > 0  ? options.plans
                                               : options.measured ? static_cast<int>(kMostBuilt)
                                                                  : 1);
  const auto enough = [&](std::size_t built) {
    return done.chosen ? built >= wanted : built >= std::max(wanted, kMostBuilt);
  };
  for (std::size_t i = 0; i < plans.size() && !enough(i) && !interrupted; ++i) {
    done.runs.push_back(builder.build(plans[i], Builder::plan_name(i)));
    if (!done.chosen && done.runs.back().usable()) done.chosen = i;
  }
  if ((wanted > 1 || timed) && done.schedule.unfused && !interrupted)
    done.unfused_run = builder.build(*done.schedule.unfused, "unfused");
  if (timed) builder.time(done);
  if (options.measured) done.chosen = fastest(done.runs);
}

void add_measured(runs::Json& json, const EmittedRun& run) {
  if (!run.on_device) return;
  json["measured_on"] = run.on_device->device;
  if (!run.on_device->timed()) {
    json["unmeasured"] = run.on_device->trouble;
    return;
  }
  const runs::Spread us = run.on_device->us();
  json["measured_us"] = us.median;
  json["measured_p10_us"] = us.low;
  json["measured_p90_us"] = us.high;
}

}  // namespace

PlansDone make_plans(const Project& project, const opt::Program& program,
                     const std::vector<opt::Graph>& graphs, const OptimizeOptions& options,
                     const Device& device, const PlanWork& work) {
  PlansDone done;
  done.by_measure = options.measured;
  const sim::GpuSpec& gpu = gpu_of(options);
  std::optional<opt::ScheduleStore> known = schedules_in(work.store, program, gpu);
  done.schedule = opt::schedule(
      program, graphs, gpu,
      {work.stop,
       options.threads > 0 ? static_cast<unsigned>(options.threads) : static_cast<unsigned>(worker_count()),
       known ? &*known : nullptr, work.memo});
  if (done.schedule.plans.empty()) return done;
  if (options.emit_only)
    done.chosen = 0;
  else
    build_plans(Builder(project, program, device, gpu.memory_gb, work.store != nullptr), options,
                device.usable, done);
  done.stopped = !done.chosen && interrupted;
  if (!done.chosen) return done;
  const opt::Plan& plan = done.schedule.plans[*done.chosen].plan;
  const fs::path folder = fs::current_path() / "optimized" / opt::identifier(program.name);
  write_marked(folder / "kernels.cu", opt::emit(program, plan), done);
  write_marked(folder / "check.cu", opt::emit_check(program, plan), done);
  write_marked(folder / "plan.txt",
               fmt::format("{}\n{}", opt::formula(plan.graph),
                           opt::plan_text(program, plan, opt::real_extents(plan.graph))),
               done);
  return done;
}

void record_plans(runs::FusionRecord& record, const opt::Program& program, const PlansDone& done,
                  const OptimizeOptions& options, opt::SearchStore* store) {
  const sim::GpuSpec& gpu = gpu_of(options);
  std::optional<opt::ScheduleStore> known = schedules_in(store, program, gpu);
  opt::add_plans(record, program, done.schedule, gpu, known ? &*known : nullptr);
  const auto built = [&](const EmittedRun& run) {
    runs::FusionBuilt made{run.right(), run.trouble, run.shapes, 0.0};
    for (const runs::KernelTotals& kernel : run.report.kernels) made.simulated_us += kernel.modelled_us();
    return made;
  };
  const auto keep = [&](const EmittedRun& run, runs::FusionPlan& plan) {
    plan.built = built(run);
    if (!run.on_device) return;
    record.measured_on = run.on_device->device;
    plan.unmeasured = run.on_device->trouble;
    if (!run.on_device->timed()) return;
    plan.measured_us = run.on_device->us().median;
    plan.cold_us = run.on_device->cold_us;
  };
  for (std::size_t i = 0; i < std::min(done.runs.size(), record.plans.size()); ++i)
    keep(done.runs[i], record.plans[i]);
  if (done.unfused_run && record.unfused >= 0)
    keep(*done.unfused_run, record.plans[static_cast<std::size_t>(record.unfused)]);
  if (done.chosen && *done.chosen < record.plans.size()) record.best = static_cast<int>(*done.chosen);
  if (record.plans.empty()) record.note = "No way to cut it that was tried keeps all its tiles on the chip.";
}

runs::Json plans_json(const PlansDone& done) {
  const auto plan_json = [&](const opt::Scheduled& scheduled) {
    runs::Json launches = runs::Json::array();
    const opt::Plan& plan = scheduled.plan;
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      runs::Json cuts = runs::Json::object();
      for (std::size_t i = 0; i < plan.graph.indices.size(); ++i)
        cuts[plan.graph.indices[i].name] = {{"grid", plan.kernels[k].cuts[i].grid},
                                            {"loop", plan.kernels[k].cuts[i].loop}};
      launches.push_back({{"path", opt::name_of(plan.kernels[k].path)},
                          {"nodes", opt::node_list(plan.kernels[k].nodes)},
                          {"cuts", cuts},
                          {"warps", plan.kernels[k].warps},
                          {"stages", plan.kernels[k].stages},
                          {"beside", plan.kernels[k].beside},
                          {"predicted", runs::to_json(scheduled.price.launches[k])}});
    }
    return runs::Json{{"formula", opt::formula(plan.graph)},
                      {"us", scheduled.price.us},
                      {"bytes", scheduled.price.bytes},
                      {"launches", launches}};
  };
  runs::Json plans = runs::Json::array(), built = runs::Json::array();
  for (std::size_t i = 0; i < std::min(done.schedule.plans.size(), opt::kShownPlans); ++i)
    plans.push_back(plan_json(done.schedule.plans[i]));
  for (const EmittedRun& run : done.runs) {
    built.push_back({{"compiles", run.compiles},
                     {"findings", run.findings},
                     {"elements", run.verdict.elements},
                     {"wrong", run.verdict.wrong},
                     {"worst", run.verdict.worst},
                     {"trouble", run.trouble}});
    add_measured(built.back(), run);
  }
  runs::Json unfused = done.schedule.unfused ? plan_json(*done.schedule.unfused) : runs::Json(nullptr);
  if (done.unfused_run) add_measured(unfused, *done.unfused_run);
  return {{"priced", done.schedule.priced},
          {"plans", plans},
          {"built", built},
          {"unfused", unfused},
          {"best", done.chosen ? runs::Json(*done.chosen) : runs::Json(nullptr)},
          {"wrote", done.wrote},
          {"left_alone", done.kept}};
}

}  // namespace workbook::cli
