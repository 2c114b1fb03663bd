// Path window, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/window/shape.h"

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

/// A depthwise convolution of what was, as state space models have it.
Program taps() {
  return parsed(
      "index b = 2 4, t = 8 1024, c = 4 512, k = 4 4\ninput x[b,t,c], w[c,k], z[c]\n"
      "y = silu(sum(k, x[b, t + k - 3, c] * w) + z)\noutput y[b,t,c]\n");
}
Plan in_windows(const Program& program, int warps, int vector, int down) {
  return {program.graph, {{needed_nodes(program.graph), {}, Path::window, warps, 0, vector, down}}};
}

}  // namespace

TEST_CASE("a thread goes over the taps of neighbours and rows, and reads once what these share", "[opt]") {
  const Program program = taps();
  const Plan plan = in_windows(program, 4, 4, 16);
  REQUIRE(!emit_fault(program, plan));
  const WindowShape shape = *window_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
  CHECK(shape.lane == 2);
  CHECK(shape.rows == std::vector<int>{0, 1});
  CHECK(shape.scope.reads == std::vector<int>{2});  // z, for all taps
  REQUIRE(shape.scope.loops.size() == 1);
  CHECK(shape.scope.loops[0].reads.size() == 2);  // w and the view of x
  const std::string text = emit(program, plan);
  CHECK(holds(text, "float w_values[kVector];"));
  CHECK(holds(text, "load_pack_at<kVector>("));
  CHECK(holds(text, "for (int k = 0; k < k_size; ++k)"));
  check_meaning(program, plan);
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  const runs::LaunchCounters& counters = *price.launches[0].counters;
  const std::int64_t warps = 4 * 1024 / 16 * 512 / 4 / 32;
  CHECK(price.bytes == 2.0 * (2 * 4 * 1024 * 512 + 512 * 4 + 512));
  CHECK(counters.global_requests == warps * (1 + 4 * (4 + 16) + 16));  // z, of each tap w and x, y
}

TEST_CASE("sums within sums and maxima are loops of a thread", "[opt]") {
  const std::string image =
      "index n = 2 4, c = 2 8, i = 4 28, j = 4 28, k = 3 3, l = 3 3, p = 8 56, q = 8 56\ninput x[n,c,p,q]\n";
  for (const char* pool : {"max(k, max(l, x[n,c,2*i+k-1,2*j+l-1]))", "mean(k, mean(l, x[n,c,2*i+k,2*j+l]))",
                           "sum(k, max(l, x[n,c,2*i+k,2*j+l]) * sum(l, x[n,c,2*i+k,2*j+l]))"}) {
    CAPTURE(pool);
    const Program program = parsed(image + "y = " + pool + "\noutput y[n,c,i,j]\n");
    for (const Plan& plan : {in_windows(program, 8, 1, 1), in_windows(program, 4, 1, 4)}) {
      REQUIRE(!emit_fault(program, plan));
      CHECK(holds(emit(program, plan), "for (int l = 0; l < l_size; ++l)"));
      check_meaning(program, plan);
    }
    const Scheduled best = best_of(program);
    CHECK(best.plan.kernels.size() == 1);
    CHECK(best.plan.kernels[0].path == Path::window);
  }
}

TEST_CASE("rotary positions are read once for several heads", "[opt]") {
  const Program program = parsed(
      "index b = 2 8, s = 4 2048, h = 3 32, d = 8 128\ninput x[b,s,h,d], c[s,d] f32, z[s,d] f32\n"
      "y = x * c + where(d < size(d) / 2, 0 - x[b,s,h,d + size(d) / 2], x[b,s,h,d - size(d) / 2]) * z\n"
      "output y[b,s,h,d]\n");
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  const Kernel& kernel = best.plan.kernels[0];
  REQUIRE(kernel.path == Path::window);
  CHECK(kernel.down > 1);
  const WindowShape shape = *window_shape(program, best.plan, launches_of(program, best.plan)[0], kernel);
  CHECK(shape.below == 2);
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "load_pack_at<kVector>("));
  CHECK(holds(text, "const auto c_pack = pack_of<kVector>(c + (s) * d_size, d_from, d_size);"));
  CHECK(best.price.us <= 1.5 * best.price.bytes / 4.8e6);
}

TEST_CASE("what has no sums, sums that leave their index, or sums in parts is no window", "[opt]") {
  const auto fault = [](const std::string& lines, int vector = 1, int down = 1) {
    const Program program = parsed("index a = 2 8, b = 4 128, k = 4 4\n" + lines + "\n");
    const Plan plan = in_windows(program, 4, vector, down);
    return !window_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
  };
  CHECK(!fault("input x[a,b,k]\ny = sum(k, x)\noutput y[a,b]"));
  CHECK(fault("input x[a,b,k]\ny = exp(x)\noutput y[a,b,k]"));
  CHECK(fault("input x[a,b,k]\ny = x / sum(k, x)\noutput y[a,b,k]"));
  CHECK(fault("input x[a,b,k]\ny = sum(k, x)\noutput y[a,b]", 8));  // nothing lies in packs along b
  CHECK(!fault("input x[a,k,b]\ny = sum(k, x)\noutput y[a,b]", 8));
  CHECK(fault("input x[a,k,b]\ny = sum(k, x)\noutput y[a,b]", 8, 16));  // too many sums of a thread
  CHECK(fault("input x[k,b]\ny = sum(k, x)\noutput y[b]", 8, 4));       // there are no rows
  CHECK(!fault("input x[a,b], w[b]\ny = x * w\noutput y[a,b]", 8, 4));
  CHECK(fault("input x[a,b], w[a]\ny = x * w\noutput y[a,b]", 8, 4));  // rows have nothing in common
}

TEST_CASE("a short convolution and a pool come near the memory's rate", "[opt]") {
  const Program depthwise = parsed(
      "index b = 2 8, t = 8 4096, c = 4 2048, k = 4 4\ninput x[b,t,c], w[c,k], z[c]\n"
      "y = silu(sum(k, x[b, t + k - 3, c] * w) + z)\noutput y[b,t,c]\n");
  const Program pool = parsed(
      "index n = 2 32, c = 2 64, i = 4 56, j = 4 56, k = 3 3, l = 3 3, p = 8 112, q = 8 112\n"
      "input x[n,c,p,q]\ny = max(k, max(l, x[n,c,2*i+k-1,2*j+l-1]))\noutput y[n,c,i,j]\n");
  for (const Program& program : {depthwise, pool}) {
    const Scheduled best = best_of(program);
    REQUIRE(best.plan.kernels.size() == 1);
    CHECK(best.plan.kernels[0].path == Path::window);
    CHECK(best.price.us <= 2.5 * best.price.bytes / 4.8e6);
  }
}

TEST_CASE("of one tensor that is read in several places memory gives each byte once", "[opt]") {
  const Program program = parsed(
      "index b = 4 256, d = 8 128\ninput x[b,d], c[d] f32, z[d] f32\n"
      "y = x * c + where(d < size(d) / 2, 0 - x[b,d + size(d) / 2], x[b,d - size(d) / 2]) * z\noutput y[b,d]\n");
  CHECK(best_of(program).price.bytes == 2.0 * 2 * 256 * 128 + 2 * 4 * 128);
  const Program halves = parsed(
      "index b = 4 256, d = 4 64, e = 8 128\ninput x[b,e]\ny = x[b,d] * x[b,d + size(d)]\noutput y[b,d]\n");
  CHECK(best_of(halves).price.bytes == 2.0 * 256 * (128 + 64));
}
