#include "cli/commands/optimize_plans.h"

#include <fmt/format.h>

#include "cli/project/errors.h"
#include "cli/report/text.h"
#include "cli/run/interrupt.h"
#include "cli/run/parallel.h"
#include "opt/emit.h"
#include "opt/emit_text.h"
#include "opt/fusion.h"
#include "opt/schedule_store.h"
#include "opt/text.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBuilt = 8;
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

}  // namespace

PlansDone make_plans(const Project& project, const opt::Program& program,
                     const std::vector<opt::Graph>& graphs, const OptimizeOptions& options,
                     opt::SearchStore* store) {
  PlansDone done;
  const sim::GpuSpec& gpu = gpu_of(options);
  std::optional<opt::ScheduleStore> known = schedules_in(store, program, gpu);
  done.schedule = opt::schedule(
      program, graphs, gpu,
      {[] { return interrupted.load(); },
       options.threads > 0 ? static_cast<unsigned>(options.threads) : static_cast<unsigned>(worker_count()),
       known ? &*known : nullptr});
  const std::optional<opt::Scheduled>& unfused = done.schedule.unfused;
  const std::vector<opt::Scheduled>& plans = done.schedule.plans;
  if (plans.empty()) return done;
  const std::string name = opt::identifier(program.name);
  const auto build = [&](const opt::Plan& plan, const std::string& folder) {
    return run_emitted(project, project.state() / "optimize" / name / folder, program, plan,
                       opt::emitted_cases(program, plan), store != nullptr);
  };
  if (options.emit_only) {
    done.chosen = 0;
  } else {
    const auto wanted = static_cast<std::size_t>(options.plans);
    const auto enough = [&](std::size_t built) {
      return done.chosen ? built >= wanted : built >= std::max(wanted, kMostBuilt);
    };
    for (std::size_t i = 0; i < plans.size() && !enough(i) && !interrupted; ++i) {
      done.runs.push_back(build(plans[i].plan, std::to_string(i + 1)));
      if (!done.chosen && done.runs.back().right()) done.chosen = i;
    }
    if (wanted > 1 && unfused && !interrupted) done.unfused_run = build(unfused->plan, "unfused");
  }
  done.stopped = !done.chosen && interrupted;
  if (!done.chosen) return done;
  const opt::Plan& plan = plans[*done.chosen].plan;
  const fs::path folder = fs::current_path() / "optimized" / name;
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
  for (std::size_t i = 0; i < std::min(done.runs.size(), record.plans.size()); ++i)
    record.plans[i].built = built(done.runs[i]);
  if (done.unfused_run && record.unfused >= 0)
    record.plans[static_cast<std::size_t>(record.unfused)].built = built(*done.unfused_run);
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
  for (const EmittedRun& run : done.runs)
    built.push_back({{"compiles", run.compiles},
                     {"findings", run.findings},
                     {"elements", run.verdict.elements},
                     {"wrong", run.verdict.wrong},
                     {"worst", run.verdict.worst},
                     {"trouble", run.trouble}});
  return {{"priced", done.schedule.priced},
          {"plans", plans},
          {"built", built},
          {"unfused", done.schedule.unfused ? plan_json(*done.schedule.unfused) : runs::Json(nullptr)},
          {"best", done.chosen ? runs::Json(*done.chosen) : runs::Json(nullptr)},
          {"wrote", done.wrote},
          {"left_alone", done.kept}};
}

}  // namespace workbook::cli
