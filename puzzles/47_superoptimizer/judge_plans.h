// Puzzle 47, given: how --schedule is judged, and the cheapest plans printed.
#pragma once

#include "judge_search.h"
#include "plans.h"

namespace judge {

/// Graphs that stand for what a search finds: the program's own, and the equal ones among the claims.
inline std::vector<Graph> known_graphs(const Program& program) {
  std::vector<Graph> graphs{program.graph};
  for (const Claim& claim : claims())
    if (claim.is_equal && claim.program.name == program.name) graphs.push_back(claim.graph);
  return graphs;
}

inline std::string fits_fault() {
  const auto as = [](const Graph& graph, std::vector<int> launches, std::vector<int> loops,
                     const Program& program) {
    Plan plan{graph, std::vector<int>(static_cast<std::size_t>(program.count()), -1), std::move(loops)};
    plan.launch.insert(plan.launch.end(), launches.begin(), launches.end());
    return plan;
  };
  const Program rms = rmsnorm_linear(), lora = lora_linear(), gated = gated_mlp(),
                attention = qknorm_attention();
  const std::vector<Graph> of_rms = known_graphs(rms), of_lora = known_graphs(lora),
                           of_attention = known_graphs(attention);
  const int h = 1, r = 2, t = 2, d = 3;
  Builder chain(rms);
  const int scaled = chain.mul(0, 1), root = chain.exp(chain.rms('h', 0));
  chain.product('h', chain.div(scaled, root), 2);
  struct {
    const char* what;
    const Program& program;
    Plan plan;
    bool fits;
    const char* says;
  } const kPlans[] = {
      {"rmsnorm_linear as it is written, in one launch with a loop over h", rms,
       as(rms.graph, {0, 0, 0, 0}, {h}, rms), false,
       "x * g / rms has h, so it belongs into the loop, and rms is there only behind it"},
      {"x * g divided by exp(rms(h, x)), and its product with w, in one launch with a loop over h", rms,
       as(chain.graph(), {0, 0, 0, 0, 0}, {h}, rms), false,
       "exp(rms) has no h, but it is there only behind the loop as well: waiting goes on from node to node"},
      {"the norm of rmsnorm_linear in one launch with a loop over h, the product in another", rms,
       as(rms.graph, {0, 0, 0, 1}, {h, h}, rms), false,
       "x * g / rms has h: it would take a second pass over x, when rms is finished"},
      {"rmsnorm_linear, divided behind the sum, in one launch with a loop over h", rms,
       as(of_rms[1], {0, 0, 0, 0}, {h}, rms), true, "both sums end with the loop, and the division has no h"},
      {"the same with no loop at all", rms, as(of_rms[1], {0, 0, 0, 0}, {-1}, rms), false,
       "h is summed over and 4096 long: a block cannot hold it whole, so it must be the loop's"},
      {"rmsnorm_linear as it is written, rms in a launch of its own", rms,
       as(rms.graph, {1, 0, 1, 1}, {h, h}, rms), true,
       "what an earlier launch has finished may be used in a loop"},
      {"lora_linear in one launch with a loop over h", lora, as(lora.graph, {0, 0, 0, 0}, {h}, lora), true,
       "r is 16 long: a block holds it whole, and sums over it behind the loop"},
      {"lora_linear in one launch with a loop over r", lora, as(lora.graph, {0, 0, 0, 0}, {r}, lora), false,
       "h is summed over as well, and too long to be held whole"},
      {"gated_mlp in one launch with a loop over h", gated, as(gated.graph, {0, 0, 0, 0}, {h}, gated), true,
       "silu and the product of the halves come behind the loop"},
      {"attention as it is written, in one launch with a loop over t", attention,
       as(attention.graph, std::vector<int>(9, 0), {t}, attention), false,
       "exp / sum has t, so it belongs into the loop, and the sum over t is there only behind it"},
      {"attention, divided last, in one launch with a loop over t", attention,
       as(of_attention[1], std::vector<int>(9, 0), {t}, attention), true,
       "both sums over t end with the loop. A sum over d is finished within a turn: d is not the loop's"},
      {"attention, divided last, in one launch with a loop over d", attention,
       as(of_attention[1], std::vector<int>(9, 0), {d}, attention), false, "t is 4096 long"},
  };
  for (const auto& plan : kPlans) {
    bool got = true;
    for (int launch = 0; launch < plan.plan.launches(); ++launch)
      got = got && fits(plan.program, plan.plan, launch);
    if (got != plan.fits)
      return std::string(plan.what) + (plan.fits ? " fits" : " does not fit") + "\n  " + plan.says;
  }
  return {};
}

inline std::string bytes_fault() {
  const Program rms = rmsnorm_linear();
  const double x = 16 * 4096, g = 4096, w = 4096.0 * 6144, y = 16 * 6144, n = x, r = 16;
  const Plan apart = one_by_one(rms, rms.graph);
  struct {
    const char* what;
    Plan plan;
    int launch;
    double elements;
    const char* says;
  } const kLaunches[] = {
      {"x * g, a launch of its own", apart, 0, x + g + n, "x and g are read, what comes out is written"},
      {"rms(h, x), a launch of its own", apart, 1, x + r, "x is read, b roots are written: h is summed away"},
      {"the product, the last launch", apart, 3, n + w + y, "the result is written though nothing reads it"},
      {"all in one launch",
       {rms.graph, {-1, -1, -1, 0, 0, 0, 0}, {1}},
       0,
       x + g + w + y,
       "x is read once, however many nodes use it, and what lies between two nodes of the launch is not moved"},
      {"x * g and x * g / rms, rms in a launch before",
       {rms.graph, {-1, -1, -1, 1, 0, 1, 2}, {1, 1, 1}},
       1,
       x + g + r + n,
       "what an earlier launch has written is read"},
  };
  for (const auto& one : kLaunches) {
    const double got = bytes_of(rms, one.plan, one.launch);
    if (got == kBytesAnElement * one.elements) continue;
    return std::string(one.what) + ", moves " + text_of(kBytesAnElement * one.elements, "%.0f") +
           " bytes, and yours are " + text_of(got, "%.0f") + "\n  " + one.says;
  }
  return {};
}

inline std::string launches_of(int count) {
  return number(static_cast<std::uint64_t>(count)) + (count == 1 ? " launch" : " launches");
}

/// The best plan of some graphs beside the program with a launch an operation.
inline Best print_best(const Program& program, const std::vector<Graph>& graphs) {
  const Best best = cheapest(program, graphs);
  if (!best.found) {
    std::printf("%s: WRONG, of %d plans none fits\n", program.name.c_str(), best.looked_at);
    return best;
  }
  const Price apart = price_of(program, one_by_one(program, program.graph));
  std::printf("%s: %s in place of %d, %.2f MB in place of %.2f\n  %s\n", program.name.c_str(),
              launches_of(best.plan.launches()).c_str(), operations(program), best.price.bytes * 1e-6,
              apart.bytes * 1e-6, formula(best.plan.graph, program).c_str());
  std::printf("  %.2f us in place of %.2f, the cheapest of %d plans\n", best.price.us, apart.us,
              best.looked_at);
  return best;
}

inline bool functions_of_schedule() {
  return is_right("fits", fits_fault()) && is_right("bytes", bytes_fault());
}

inline bool schedule() {
  if (!functions_of_schedule()) return false;
  for (const Expected& one : expected())
    if (!print_best(one.program, known_graphs(one.program)).found) return false;
  return true;
}

}  // namespace judge
