// Path strip, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/strip/shape.h"

#include <algorithm>

#include "optimizer/schedule/emit.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::best_of;
using test::check_meaning;
using test::h200;
using test::holds;
using test::parsed;

namespace {

/// Bytes of inputs and output at the rate of an H200's memory.
double floor_us(const Program& program) {
  const Extents extents = real_extents(program.graph);
  double bytes =
      static_cast<double>(size_of(program.output_set(), extents)) * item_bytes(program.output_storage);
  for (const Tensor& tensor : program.graph.inputs)
    if (tensor.is_stored())
      bytes += static_cast<double>(size_of(tensor.set(), extents)) * item_bytes(tensor.storage);
  return bytes / 4.27e6;
}

bool is_strip(const Kernel& kernel) { return kernel.path == Path::strip; }

}  // namespace

TEST_CASE("sums over rows: threads in rows and columns, packs of 16 bytes", "[opt]") {
  const Program program = parsed(
      "index b = 4 512, h = 8 256\ninput dy[b,h], x[b,h], r[b] f32\ny = sum(b, dy * x * r)\noutput y[h]\n");
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::strip, 8, 4, 4}}};
  plan.kernels[0].cuts[1].grid = 8;  // 4 threads side by side, 8 columns each
  REQUIRE(!emit_fault(program, plan));
  const Launch launch = launches_of(program, plan)[0];
  const StripShape shape = *strip_shape(program, plan, launch, plan.kernels[0]);
  CHECK(shape.across);
  CHECK(shape.vector == 8);
  CHECK(shape.rows == 64);
  CHECK(shape.turns() == 2);
  CHECK(shape.packs.size() == 2);
  CHECK(shape.singles.size() == 1);
  const std::string text = emit(program, plan);
  CHECK(holds(text, "NeighboursOf<half, kVector> dy_words[kTogether];"));
  CHECK(holds(text, "rows_sum<kThreads, kLanes>("));
  check_meaning(program, plan);
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  const runs::LaunchCounters& counters = *price.launches[0].counters;
  CHECK(price.bytes == 2.0 * 2 * 512 * 256 + 4 * 512 + 2 * 256);
  CHECK(counters.barriers == 8 * 3);
  // A block: each of 8 warps loads 8 packs of two tensors and as many of r; one of its rows stores.
  CHECK(counters.global_requests == 8 * (8 * 8 * 3 + 1));

  plan.kernels[0].cuts[1].grid = 4;  // tiles that 4 threads side by side do not have
  CHECK(holds(*emit_fault(program, plan), "a launch of path strip has"));
}

TEST_CASE("what is no sum over all that a block goes over is no strip", "[opt]") {
  const auto fault = [](const std::string& text) {
    const Program program =
        parsed("index b = 2 16, c = 4 32, p = 8 256\ninput x[b,c,p], w[c,p]\n" + text + "\n");
    Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::strip, 8, 4, 1}}};
    return strip_indices(program, plan, launches_of(program, plan)[0], plan.kernels[0]) == std::nullopt;
  };
  CHECK(!fault("y = sum(c, sum(p, x * w))\noutput y[b]"));
  CHECK(!fault("y = mean(c, mean(p, x * x * x)) * 2.0\noutput y[b]"));
  CHECK(!fault("y = max(c, max(p, x))\noutput y[b]"));
  CHECK(fault("y = max(c, sum(p, x))\noutput y[b]"));
  CHECK(fault("y = sum(c, exp(sum(p, x)))\noutput y[b]"));
  CHECK(fault("y = sum(c, sum(p, x) * w)\noutput y[b,p]"));  // p is summed, and stays
  CHECK(!fault("y = sum(b, sum(c, x * w))\noutput y[p]"));
  CHECK(fault("y = exp(x) * w\noutput y[b,c,p]"));  // nothing is summed
}

TEST_CASE("reductions come near the memory's rate, whatever they are over", "[opt]") {
  struct Kind {
    const char* text;
    double times;  ///< the floor, with 4 us for each launch
  };
  const Kind kinds[] = {
      {"index n = 8 65536, c = 4 64\ninput x[n,c] f32\nd = x - mean(n, x)\ny = mean(n, d * d)\noutput y[c] f32",
       2.2},
      {"index b = 4 4096, h = 8 4096\ninput dy[b,h], x[b,h], r[b] f32\ny = sum(b, dy * x * r)\noutput y[h]",
       1.2},
      {"index n = 2 16, g = 2 32, c = 2 8, p = 4 4096\ninput x[n,g,c,p], w[g,c]\nm = mean(c, mean(p, x))\n"
       "d = x - m\ny = d / sqrt(mean(c, mean(p, d * d)) + 0.00001) * w\noutput y[n,g,c,p]",
       1.3},
      {"index n = 2 32, c = 2 256, p = 4 1024\ninput x[n,c,p], w[c]\nm = mean(n, mean(p, x))\nd = x - m\n"
       "y = d / sqrt(mean(n, mean(p, d * d)) + 0.00001) * w\noutput y[n,c,p]",
       1.4},
      {"index b = 4 4096, h = 8 4096\ninput x[b,h]\ne = exp(x)\ny = e / sum(b, e)\noutput y[b,h]", 1.4},
      {"index b = 2 8, h = 8 1000000\ninput x[b,h]\ny = sum(h, x * x)\noutput y[b] f32", 1.3},
      {"index b = 4 65536, h = 8 256\ninput x[b,h]\ny = max(b, x)\noutput y[h]", 1.3},
  };
  for (const Kind& kind : kinds) {
    const Program program = parsed(std::string(kind.text) + "\n");
    const Scheduled best = best_of(program);
    const auto launches = static_cast<double>(best.plan.kernels.size());
    INFO(kind.text << '\n' << plan_text(program, best.plan, real_extents(program.graph)));
    CHECK(best.price.us <= kind.times * floor_us(program) + 2.0 * launches);
    CHECK(std::any_of(best.plan.kernels.begin(), best.plan.kernels.end(), is_strip));
    check_meaning(program, best.plan);
  }
}

TEST_CASE("loads of a turn stay together: the compiler knows how many blocks an SM shall hold", "[opt]") {
  const auto bounds = [](const std::string& text) {
    const Program program = parsed("index b = 4 4096, h = 8 4096\n" + text + "\n");
    const std::string emitted = emit(program, best_of(program).plan);
    const std::size_t at = emitted.find("__launch_bounds__(");
    REQUIRE(at != std::string::npos);
    return emitted.substr(at, emitted.find(')', at) - at);
  };
  CHECK(holds(bounds("input dy[b,h], x[b,h], r[b] f32\ny = sum(b, dy * x * r)\noutput y[h]"), "kThreads, "));
  CHECK(!holds(
      bounds("input x[b,h], g[h]\nd = x - mean(h, x)\ny = d / sqrt(mean(h, d * d)) * g\noutput y[b,h]"),
      ","));
}

TEST_CASE("sums of exponents are taken in the sweep of the maximum below them", "[opt]") {
  const auto running = [](const std::string& sizes, const std::string& text) {
    const Program program = parsed(sizes + "input x[n,b,t] f32, w[n,b,t] f32\ne = exp(x)\n" + text + "\n");
    const Scheduled best = best_of(program);
    INFO(plan_text(program, best.plan, real_extents(program.graph)));
    const Launch launch = launches_of(program, best.plan)[0];
    const auto shape = strip_shape(program, best.plan, launch, best.plan.kernels[0]);
    REQUIRE(shape);
    check_meaning(program, best.plan);
    CHECK(holds(emit(program, best.plan), "_seen[") == !shape->running.empty());
    return shape->running.size();
  };
  const std::string rows = "index n = 2 64, b = 3 8, t = 8 128256\n",
                    columns = "index n = 3 1024, b = 5 600, t = 8 64\n";
  CHECK(running(rows, "y = e / sum(t, e)\noutput y[n,b,t] f32") == 1);
  CHECK(running(rows, "y = sum(t, e * w) / sum(t, e)\noutput y[n,b] f32") == 2);
  CHECK(running(columns, "y = sum(b, e * w) / sum(b, e)\noutput y[n,t] f32") == 2);
  CHECK(running(rows, "y = max(t, x) + sum(t, w)\noutput y[n,b] f32") == 0);
}

TEST_CASE("a maximum that the grid cuts is the largest of its parts", "[opt]") {
  const Program program = parsed("index b = 4 65536, h = 8 256\ninput x[b,h]\ny = max(b, x)\noutput y[h]\n");
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 2);
  const std::vector<Launch> launches = launches_of(program, best.plan);
  CHECK(launches[0].split == 0);
  CHECK(launches[1].parts[1].maximum == 1);
  CHECK((holds(emit(program, best.plan), "rows_max<") || holds(emit(program, best.plan), "largest_part(")));
  // Who reads such parts cannot add them up.
  Plan vector = best.plan;
  vector.kernels[1].path = Path::gemv;
  CHECK(emit_fault(program, vector));
  Plan plain = best.plan;
  plain.kernels[0] = {plain.kernels[0].nodes, {}, Path::plain, 8};
  plain.kernels[0].cuts[0].grid = 4;
  CHECK(holds(*emit_fault(program, plain), "a maximum over b has no parts to add"));
}

TEST_CASE("what is elementwise is computed again rather than kept between launches", "[opt]") {
  const Program program =
      parsed("index b = 2 4, h = 8 1000000\ninput x[b,h]\ne = exp(x)\ny = e / sum(h, e)\noutput y[b,h]\n");
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 3);  // the maximum, the sum, the quotient
  CHECK(best.price.bytes <= 1.01 * (3 * 2 + 2) * 4e6);
  check_meaning(program, best.plan);
}

TEST_CASE("rows of one tensor are held by path row, of several by path strip; a matrix is summed by it, too",
          "[opt]") {
  const auto is_by_strips = [](const std::string& text) {
    const Scheduled best = best_of(parsed("index b = 4 4096, h = 8 4096\n" + text + "\n"));
    CHECK(best.plan.kernels.size() == 1);
    return is_strip(best.plan.kernels[0]);
  };
  CHECK(!is_by_strips("input x[b,h]\nd = x - mean(h, x)\ny = d / sqrt(mean(h, d * d))\noutput y[b,h]"));
  CHECK(is_by_strips(
      "input x[b,h], g[h]\nd = x - mean(h, x)\ny = d / sqrt(mean(h, d * d)) * g\noutput y[b,h]"));
  CHECK(is_by_strips("input x[b,h]\ny = sum(b, x)\noutput y[h]"));
  CHECK(is_by_strips("input w[b,h], x[h]\ny = sum(h, w * x)\noutput y[b]"));
}
