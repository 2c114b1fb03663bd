#include "cli/report/optimize_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "optimizer/language/text.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kShownGraphs = 6;

std::string chance_text(double chance) {
  if (chance >= 1.0) return "no bound on the chance of error";
  if (chance < 1e-9) return "chance of error below 1e-9";
  return fmt::format("chance of error below {:.1g}", chance);
}

std::string flops_text(double flops) {
  if (flops >= 1e9) return fmt::format("{:.3g} GFLOP", flops * 1e-9);
  return fmt::format("{:.3g} MFLOP", flops * 1e-6);
}

std::string verify_text(const opt::Search& search, const std::vector<opt::Reported>& graphs) {
  std::int64_t equal = 0, refused = 0, cancelled = 0;
  double chance = 0.0;
  bool hashed = false;
  for (const opt::Reported& graph : graphs) {
    if (!graph.verified) continue;
    if (!graph.verified->equal) {
      ++refused;
      continue;
    }
    ++equal;
    chance = std::max(chance, graph.verified->chance);
    hashed = hashed || graph.verified->hashed;
    if (graph.numerics && !graph.numerics->within) ++cancelled;
  }
  std::string text = fmt::format("{} equal, {}", equal, chance_text(chance));
  if (refused > 0) text += fmt::format("; {} refused", refused);
  text += cancelled == 0 ? "; rounding within bounds"
                         : fmt::format("; {} lost to cancellation", count_text(cancelled, "graph"));
  if (hashed)
    text += "; what the fields do not know (an exp of an exp, relu, log) was compared as a black box";
  if (search.stopped) text += "; of what was found so far";
  return text;
}

/// What the best graph saves, from numbers alone.
std::string gain_text(const opt::Program& program, const opt::Graph& best) {
  const opt::Work before = opt::work_of(program, program.graph), after = opt::work_of(program, best);
  std::vector<std::string> parts;
  if (after.passes != before.passes)
    parts.push_back(
        fmt::format("sums that wait for one another: {} instead of {}", after.passes, before.passes));
  const double flops = after.product_flops + after.other_flops,
               old = before.product_flops + before.other_flops;
  if (std::abs(flops - old) <= 0.01 * old) return joined(parts, ", ");
  if (flops < old) {
    parts.push_back(fmt::format("{} instead of {}", flops_text(flops), flops_text(old)));
    return joined(parts, ", ");
  }
  if (parts.empty() && after.other_flops < before.other_flops)
    parts.push_back(fmt::format("outside products {} instead of {}", flops_text(after.other_flops),
                                flops_text(before.other_flops)));
  if (parts.empty() && after.bytes < before.bytes)
    parts.push_back(fmt::format("bytes between operations: {:.3g} MB instead of {:.3g}", after.bytes * 1e-6,
                                before.bytes * 1e-6));
  if (parts.empty()) return "";
  parts.push_back(fmt::format("at the price of {} instead of {}", flops_text(flops), flops_text(old)));
  return joined(parts, ", ");
}

std::string sentence_of(opt::PruneReason cut) {
  switch (cut) {
    case opt::PruneReason::order:
      return "order: the same graph has another order, which the search takes";
    case opt::PruneReason::shape:
      return "shape: its indices are not those of an operand or of the output, or it is a sum of a product that one "
             "matrix product is";
    case opt::PruneReason::loose:
      return "loose: what is not used yet cannot all be joined, or stands in it more often than in the program";
    case opt::PruneReason::expression:
      return "expression: no spelling of the program has this part";
    case opt::PruneReason::duplicate:
      return "duplicate: there is a tensor with the same values already";
  }
  return "";
}

}  // namespace

std::string labelled(std::string_view label, std::string_view text) {
  const std::string margin(13, ' ');
  const std::string padding(margin.size() - 2 - std::min(columns(label), margin.size() - 3), ' ');
  return fmt::format(
      "  {}{}{}\n", label, padding,
      wrapped(std::string(margin.size(), '.') + std::string(text), kScreen, margin).substr(margin.size()));
}

std::string program_lines(const opt::Program& program) {
  std::string text = fmt::format(
      "  {}\n", paint(Colour::bold, program.name + (program.title.empty() ? "" : ": " + program.title)));
  std::string sizes;
  for (const opt::Index& index : program.graph.indices)
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", index.name, index.real);
  text += labelled("program", opt::formulas(program, program.graph));
  return text + labelled("sizes", fmt::format("{}, {}", sizes, opt::name_of(program.output_storage)));
}

std::string search_lines(const opt::Program& program, const opt::Search& search, int most_nodes,
                         const std::vector<opt::Reported>& graphs, bool kept) {
  if (!program.others.empty())
    return labelled("algebra", "several outputs are computed as they stand, together");
  std::string algebra =
      fmt::format("{}, {}", count_text(static_cast<std::int64_t>(search.counts.states), "state"),
                  count_text(static_cast<std::int64_t>(graphs.size()), "equal graph"));
  if (!search.impossible.empty())
    algebra = "no search: " + search.impossible;
  else if (search.stopped)
    algebra += fmt::format("; stopped after {} of {} depths, {}", search.depths.size(), most_nodes,
                           kept ? "the next run goes on there" : "and nothing is kept (--no-cache)");
  else if (search.known_depths == static_cast<int>(search.depths.size()))
    algebra += fmt::format(" of at most {} operations, all known from before", most_nodes);
  else
    algebra += fmt::format(" of at most {} operations, {:.2f} s of processor time", most_nodes, search.cpu_s);
  std::string text = labelled("algebra", algebra);
  if (graphs.empty())
    return text + labelled("", search.impossible.empty() && search.stopped
                                   ? "nothing was found so far: the program stands as it is"
                                   : "nothing was found: the program stands as it is");
  text += labelled("verify", verify_text(search, graphs));
  text += labelled("formula", opt::formula(graphs.front().graph));
  const std::string gain = gain_text(program, graphs.front().graph);
  text += labelled("saves",
                   gain.empty() ? "nothing is better than the program as it is, in sums and flops" : gain);
  for (std::size_t i = 1; i < std::min(graphs.size(), kShownGraphs); ++i) {
    const opt::Reported& graph = graphs[i];
    std::string words = opt::formula(graph.graph);
    if (graph.verified && !graph.verified->equal)
      words += "  (refused at " + graph.verified->refused_at + ")";
    else if (graph.numerics && !graph.numerics->within)
      words += "  (" + graph.numerics->words + ")";
    text += labelled(i == 1 ? "also" : "", words);
  }
  if (graphs.size() > kShownGraphs)
    text += labelled("", fmt::format("and {} more: --json has them all", graphs.size() - kShownGraphs));
  return text;
}

std::string check_lines(const opt::Program& program, const opt::Graph& graph, const opt::Checked& checked,
                        opt::Inputs inputs) {
  const opt::Verified& verified = checked.verified;
  std::string text;
  if (inputs == opt::Inputs::progression)
    text += labelled("inputs",
                     "the progression 0, 1, 2, ... instead of uniform ones: whatever it says is no proof");
  if (verified.equal) {
    text += labelled(paint(Colour::good, "equal"),
                     fmt::format("{}, {}", count_text(verified.draws + verified.other_draws, "draw"),
                                 inputs == opt::Inputs::uniform ? chance_text(verified.chance)
                                                                : "no bound on the chance of error"));
    if (checked.numerics.ratio > 0.0)
      text += labelled("rounding", checked.numerics.within
                                       ? fmt::format("its bound is {:.2g} times the program's at most",
                                                     checked.numerics.ratio)
                                       : checked.numerics.words);
    const std::string gain = gain_text(program, graph);
    return text + labelled("work", gain.empty() ? "as much as the program" : gain);
  }
  text += labelled(paint(Colour::bad, "unequal"), "refused at " + verified.refused_at);
  if (checked.foreign)
    text += labelled(
        checked.foreign->line > 0 ? fmt::format("line {}", checked.foreign->line) : "first",
        fmt::format("{} is the first that cannot belong to the program: no spelling of it has this part",
                    checked.foreign->text));
  else
    text += labelled("parts", "each could belong to the program, but they are not put together to it");
  if (checked.example) {
    const opt::Counterexample& example = *checked.example;
    std::string values;
    for (const auto& [name, value] : example.inputs)
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
    text +=
        labelled("example", fmt::format("{}: {}", opt::extents_text(program.graph, example.extents), values));
    text += labelled("", fmt::format("yours has {} = {:.6g}, the program {:.6g}", example.place,
                                     example.theirs, example.programs));
  } else {
    text += labelled("example", "none of whole numbers from -3 to 3 at extents of 1 and 2");
  }
  return text;
}

std::string why_not_lines(const opt::Program& program, const opt::Graph& graph,
                          const opt::Enumerator::Judged& judged, int most_nodes) {
  const opt::Graph one = opt::canonical(graph);
  if (judged.node >= 0) {
    const int node = static_cast<int>(one.inputs.size()) + judged.node;
    std::string text = labelled("cut", fmt::format("at {} (operation {} of {})", opt::node_text(one, node),
                                                   judged.node + 1, one.operations()));
    return text + labelled("reason", sentence_of(judged.cut));
  }
  if (!judged.equal)
    return labelled("kept", "every part may be of use, but the whole is not the program's output");
  if (one.operations() > most_nodes)
    return labelled("beyond",
                    fmt::format("it is equal, but has {} operations, and the search of {} ends at {}",
                                one.operations(), program.name, most_nodes));
  return labelled("found", "the search finds it: it is equal, and nothing cuts it");
}

}  // namespace workbook::cli
