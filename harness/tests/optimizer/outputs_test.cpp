// Programs with several outputs: what one launch gives of them.
#include "optimizer/language/joined.h"

#include "optimizer/schedule/emit.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::best_of;
using test::h200;
using test::holds;
using test::parsed;

namespace {

std::optional<Program> whole(const std::string& text) {
  std::vector<Program> programs;
  for (const std::string& one : one_output_each(text)) programs.push_back(parsed(one));
  return joined(programs, "whole");
}

}  // namespace

TEST_CASE("several outputs of the same loops are one launch that reads its inputs once", "[opt]") {
  const Program program = *whole(
      "index n = 8 4194304\ninput p[n] f32, g[n] f32, m[n] f32, v[n] f32\nrange v = 0 100\n"
      "m2 = m * 0.9 + g * 0.1\nv2 = v * 0.999 + g * g * 0.001\np2 = p - 0.001 * m2 / (sqrt(v2) + 1e-8)\n"
      "output p2[n] f32, m2[n] f16, v2[n] f32\n");
  CHECK(program.graph.outputs.size() == 3);
  CHECK(formulas(program, program.graph).find("; m2 = ") != std::string::npos);
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  CHECK(best.plan.kernels[0].path == Path::row);
  CHECK(best.price.bytes == 4194304.0 * (4 * 4 + 4 + 2 + 4));
  const std::string text = emit(program, best.plan), check = emit_check(program, best.plan);
  CHECK(holds(text, "launch_whole(float* p2, half* m2, float* v2, const float* p"));
  CHECK(holds(check, "std::vector<half> values("));
  // All of them are judged, one behind the other.
  const EmittedCase one = emitted_cases(program, best.plan).front();
  CHECK(one.expected.size() == 3 * static_cast<std::size_t>(one.extents[0]));
  std::string results;
  for (const double value : one.expected) {
    const auto number = static_cast<float>(value);
    results.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  CHECK(judge_emitted(program, {one}, results).wrong == 0);
  const float far = 1e3f;
  results.replace(results.size() - sizeof(far), sizeof(far), reinterpret_cast<const char*>(&far),
                  sizeof(far));
  CHECK(holds(judge_emitted(program, {one}, results).words,
              "element " + std::to_string(one.extents[0] - 1) + " of v2"));
}

TEST_CASE("statistics of rows stand beside what is made of them", "[opt]") {
  const Program program = *whole(
      "index b = 4 4096, h = 8 4096\ninput x[b,h], g[h]\nm = mean(h, x)\nd = x - m\n"
      "r = rsqrt(mean(h, d * d) + 1e-5)\ny = d * r * g\noutput m[b], r[b] f32, y[b,h]\n");
  CHECK(program.output_set() == 3);
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  CHECK(best.price.bytes == 2.0 * 2 * 4096 * 4096 + 2 * 4096 + (2 + 4) * 4096);
  // What is rounded for the caller is not read again.
  for (const Scheduled& plan : schedule(program, {}, h200()).plans)
    for (const Launch& launch : launches_of(program, plan.plan))
      CHECK(!listed(launch.reads, plan.plan.graph.outputs[0]));
}

TEST_CASE("a softmax and the logarithm of its sum carry one maximum", "[opt]") {
  const Program program = *whole(
      "index b = 4 512, h = 8 1024\ninput x[b,h]\ne = exp(x)\ns = sum(h, e)\ny = e / s\nl = log(s)\n"
      "output y[b,h], l[b] f32\n");
  const std::optional<Graph> stable = stabilised(program, program.graph);
  REQUIRE(stable);
  CHECK(stable->outputs.size() == 2);
  CHECK(best_of(program).plan.kernels.size() == 1);
}

TEST_CASE("what are no outputs of one launch stay apart", "[opt]") {
  const std::string head = "index b = 4 16, h = 8 64, o = 3 32\ninput x[b,h], w[h,o]\n";
  CHECK(!whole(head + "y = sum(h, x * w)\nz = exp(x)\noutput y[b,o], z[b,h]\n"));  // a product
  CHECK(!whole(head + "y = exp(x)\nz = exp(w)\noutput y[b,h], z[h,o]\n"));         // neither has all indices
  CHECK(!whole(head + "y = exp(x)\nz = exp(x)\noutput y[b,h], z[b,h]\n"));         // the same twice
  CHECK(whole(head + "y = exp(x)\nz = sum(h, x)\noutput z[b], y[b,h]\n"));
}
