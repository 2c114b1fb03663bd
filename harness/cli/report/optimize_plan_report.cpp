#include "cli/report/optimize_plan_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/text.h"
#include "cli/report/format.h"
#include "cli/report/optimize_report.h"
#include "optimizer/forms/forms.h"
#include "optimizer/language/text.h"

namespace workbook::cli {
namespace {

using opt::Op;
using opt::slot;

std::string launches_text(std::size_t count) {
  return count_text(static_cast<std::int64_t>(count), "launch");
}

std::string megabytes(double bytes) { return fmt::format("{:.4g} MB", bytes * 1e-6); }

std::string schedule_text(const PlansDone& done) {
  std::string text = fmt::format("{} priced, {}", count_text(done.schedule.priced, "candidate launch"),
                                 count_text(static_cast<std::int64_t>(done.schedule.plans.size()), "plan"));
  if (done.runs.empty()) return text;
  std::int64_t clean = 0, right = 0;
  for (const EmittedRun& run : done.runs) clean += run.compiles && run.findings == 0, right += run.right();
  text += fmt::format("; {} built, {} without findings, {} right", done.runs.size(), clean, right);
  if (right > 0 && done.chosen) {
    const opt::EmittedVerdict& verdict = done.runs[*done.chosen].verdict;
    text += fmt::format(" ({} elements of {} cases, the worst at {:.0f} % of what rounding may do)",
                        verdict.elements, done.runs[*done.chosen].shapes, 100 * verdict.worst);
  }
  return text;
}

std::string best_text(const opt::Scheduled& best, const std::optional<opt::Scheduled>& unfused) {
  if (!unfused)
    return fmt::format("{}, {}, modelled {:.4g} us on an {}", launches_text(best.plan.kernels.size()),
                       megabytes(best.price.bytes), best.price.us, best.price.launches.front().modelled->gpu);
  return fmt::format("{} instead of {}, {} instead of {}, modelled {:.4g} us instead of {:.4g} on an {}",
                     launches_text(best.plan.kernels.size()), unfused->plan.kernels.size(),
                     megabytes(best.price.bytes), megabytes(unfused->price.bytes), best.price.us,
                     unfused->price.us, best.price.launches.front().modelled->gpu);
}

runs::Contestant contestant(const std::string& name, const DeviceRun& run) {
  runs::Timing timing{true, true, run.device, run.us()};
  return {name, timing, {}};
}

/// What the GPU said of the built plans and of the program as it stands, and which of the chosen one and that
/// is faster; nothing where there was none.
std::string measured_lines(const PlansDone& done) {
  constexpr const char* kUnfused = "the program as it stands";
  std::string lines, device;
  std::size_t samples = 0;
  const auto add = [&](const std::string& name, const EmittedRun& run, const opt::Scheduled& plan) {
    if (!run.on_device) return;
    const DeviceRun& there = *run.on_device;
    device = there.device;
    std::string words = "not timed: " + there.trouble;
    if (there.timed()) {
      const runs::Spread us = there.us();
      samples = std::max(samples, there.cold_us.size());
      words = fmt::format("{} ({} to {}), modelled {}", time_text(us.median), time_text(us.low),
                          time_text(us.high), time_text(plan.price.us));
    }
    lines += labelled("", fmt::format("{}: {}", name, words));
  };
  for (std::size_t i = 0; i < done.runs.size(); ++i)
    add(fmt::format("plan {}", i + 1), done.runs[i], done.schedule.plans[i]);
  if (done.unfused_run) add(kUnfused, *done.unfused_run, *done.schedule.unfused);
  if (lines.empty()) return "";
  std::string head = "on " + device;
  if (samples > 0) head += fmt::format(", cold caches, median (10 to 90 %) of {} samples", samples);
  std::string text = labelled("measured", head) + lines;
  if (!done.chosen || !done.unfused_run) return text;
  const std::optional<DeviceRun>&best = done.runs[*done.chosen].on_device,
        &unfused = done.unfused_run->on_device;
  if (!best || !unfused || !best->timed() || !unfused->timed()) return text;
  const runs::Contestant a = contestant(fmt::format("plan {}", *done.chosen + 1), *best),
                         b = contestant(kUnfused, *unfused);
  return text + labelled("", runs::words_of(runs::duel(a, b), a, b));
}

/// Divisions that stand before a product in the program and behind it in the plan.
std::string moved_divisions(const opt::Graph& before, const opt::Graph& after) {
  const auto divided_before_sum = [](const opt::Graph& graph) {
    for (const opt::Node& node : graph.nodes)
      if (node.op == Op::matmul)
        for (const std::int8_t operand : {node.a, node.b})
          if (graph.nodes[slot(operand)].op == Op::div) return graph.indices[slot(node.over)].name;
    return std::string();
  };
  const std::string index = divided_before_sum(before);
  if (index.empty() || !divided_before_sum(after).empty()) return "";
  return fmt::format("the division commutes with the sum over {0}: behind it, one sweep over {0} is enough",
                     index);
}

/// Advice for a product of 16 bits that no tensor core multiplies, for an operand of it is a part of an
/// input: k[h / 4,t,d], w[f + size(f),h].
std::string read_elsewhere(const opt::Plan& plan) {
  const opt::Graph& graph = plan.graph;
  for (const opt::Kernel& kernel : plan.kernels)
    for (std::size_t i = graph.inputs.size(); i < graph.nodes.size() && !opt::on_tensor_cores(kernel.path);
         ++i) {
      const opt::Node& node = graph.nodes[i];
      if (node.op != Op::matmul || (kernel.nodes >> i & 1) == 0) continue;
      for (const int operand : {int{node.a}, int{node.b}}) {
        if (slot(operand) >= graph.inputs.size()) continue;
        const opt::Tensor& part = graph.inputs[slot(operand)];
        if (part.view_of < 0 || part.storage == opt::Storage::f32) continue;
        for (const opt::Coordinate& place : part.view) {
          if (place.divide > 1)
            return fmt::format(
                "no tensor core multiplies {}: the index that is divided would have to be two, as g "
                "and r, of which this has g",
                part.name);
          if (!place.sizes.empty())
            return fmt::format("no tensor core multiplies {}: it would have to be an input of its own",
                               part.name);
        }
      }
    }
  return "";
}

std::string why_text(const opt::Program& program, const opt::Scheduled& best,
                     const std::optional<opt::Scheduled>& unfused, double one_launch_us) {
  std::vector<std::string> parts;
  const opt::Plan& plan = best.plan;
  if (const std::string moved = moved_divisions(program.graph, plan.graph); !moved.empty())
    parts.push_back(moved);
  if (unfused) {
    const std::vector<opt::Launch> launches = opt::launches_of(program, unfused->plan);
    const opt::Extents extents = opt::real_extents(unfused->plan.graph);
    const std::vector<opt::IndexSet> shapes = opt::shapes_of(unfused->plan.graph, program.output_set());
    double crossing = 0.0;
    for (const opt::Launch& launch : launches)
      for (const int node : launch.writes)
        if (!unfused->plan.graph.is_output(node))
          crossing += 4.0 * static_cast<double>(opt::size_of(shapes[slot(node)], extents));
    if (plan.kernels.size() == 1 && crossing > 0)
      parts.push_back(
          fmt::format("what crossed launches ({}, as f32) stays on the chip", megabytes(crossing)));
  }
  if (!program.others.empty() && plan.kernels.size() == 1)
    parts.push_back("one launch computes all outputs, and reads once what they share");
  if (plan.kernels.size() == 1)
    if (const auto gain = opt::form_of(plan.kernels.front().path).gain)
      parts.push_back(gain(program, plan, opt::launches_of(program, plan).front(), plan.kernels.front()));
  const auto multiplies = [](const opt::Kernel& kernel) { return opt::on_tensor_cores(kernel.path); };
  const auto copies = [&](const opt::Kernel& kernel) {
    return multiplies(kernel) && kernel.stages > opt::kNoStages;
  };
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(), copies))
    parts.push_back("tensor cores multiply, while copies of the next steps are on their way");
  else if (std::any_of(plan.kernels.begin(), plan.kernels.end(), multiplies))
    parts.push_back("tensor cores multiply what goes from memory into registers, once");
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(),
                  [](const opt::Kernel& kernel) { return opt::by_groups(kernel.path); }))
    parts.push_back("groups of four warps multiply what the GPU copies by itself, compiled for sm_90a");
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(), [](const opt::Kernel& kernel) {
        return kernel.path == opt::Path::tensor_groups && kernel.beside > 1;
      }))
    parts.push_back("blocks of a cluster divide a sum and send each other their parts");
  if (const std::string part = read_elsewhere(plan); !part.empty()) parts.push_back(part);
  if (plan.kernels.size() > 1)
    parts.push_back(one_launch_us < 0.0
                        ? "no plan in one launch keeps all its tiles on the chip"
                        : fmt::format("the best plan in one launch is modelled {:.4g} us", one_launch_us));
  if (parts.empty()) return "nothing is better than the program as it is, launch by launch";
  return joined(parts, "; ");
}

}  // namespace

std::string best_so_far_text(const PlansDone& done) {
  const opt::Scheduled& best = done.schedule.plans[*done.chosen];
  std::string text = best_text(best, std::nullopt);
  if (!done.runs.empty()) text += fmt::format(", right on {} cases", done.runs[*done.chosen].shapes);
  if (!done.wrote.empty()) text += ": " + done.wrote.front();
  return text + "; the search goes on, Ctrl-C ends it";
}

std::string plan_lines(const opt::Program& program, const PlansDone& done) {
  std::string text = labelled("schedule", schedule_text(done));
  if (done.schedule.unstable > 0)
    text += labelled("", fmt::format("{} left out: an exp is summed that no maximum can be taken out of{}",
                                     count_text(done.schedule.unstable, "graph"),
                                     done.schedule.overflows
                                         ? "; the program's own stays as it is, and overflows where it does"
                                         : ""));
  if (done.schedule.stopped) text += labelled("", "stopped before all launches were priced: the best so far");
  if (done.schedule.plans.empty())
    return text +
           labelled("best", "no plan: no way to cut it that was tried keeps all its tiles on the chip");
  for (const EmittedRun& run : done.runs)
    if (!run.right()) text += labelled("refused", run.trouble);
  text += measured_lines(done);
  if (done.stopped) return text + labelled("best", "stopped before a plan was run and right");
  const bool any_right =
      std::any_of(done.runs.begin(), done.runs.end(), [](const EmittedRun& run) { return run.usable(); });
  if (!done.chosen)
    return text + labelled("best", any_right ? "none of the built plans has a time: nothing was written"
                                             : "none of the built plans is right: nothing was written");
  const opt::Scheduled& best = done.schedule.plans[*done.chosen];
  text += labelled("best", best_text(best, done.schedule.unfused));
  if (done.by_measure)
    text += labelled("", fmt::format("plan {}: of those with a measured time the fastest", *done.chosen + 1));
  double one_launch_us = -1.0;
  for (auto plan = done.schedule.plans.rbegin(); plan != done.schedule.plans.rend(); ++plan)
    if (plan->plan.kernels.size() == 1) one_launch_us = plan->price.us;
  text += labelled("why", why_text(program, best, done.schedule.unfused, one_launch_us));
  if (!done.wrote.empty()) text += labelled("wrote", joined(done.wrote, ", "));
  if (!done.kept.empty())
    text += labelled("left alone",
                     joined(done.kept, ", ") + ": edited since; delete or rename it to have it anew");
  if (done.runs.empty()) text += labelled("", "nothing was compiled or run (--emit-only)");
  return text;
}

}  // namespace workbook::cli
