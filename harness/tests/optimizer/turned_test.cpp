// Path turned, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/turned/shape.h"

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

Program of_two_orders(const std::string& lines) {
  return parsed("index a = 2 3, b = 4 128, h = 8 256\n" + lines + "\n");
}
Plan tiles_of_64(const Program& program) {
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::turned, 8, 0, 64}}};
  plan.kernels[0].cuts[0].grid = 3;
  plan.kernels[0].cuts[1].grid = 2;
  plan.kernels[0].cuts[2].grid = 4;
  return plan;
}

}  // namespace

TEST_CASE("a result in another order goes through a tile in shared memory, packs on both sides", "[opt]") {
  const Program program =
      of_two_orders("input x[a,b,h], z[a,h,b], k[h], m[b]\ny = exp(x) * k + z * m\noutput y[a,h,b]");
  const Plan plan = tiles_of_64(program);
  REQUIRE(!emit_fault(program, plan));
  const TurnedShape shape = *turned_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
  CHECK(shape.turned == std::vector<int>{0});
  CHECK(shape.packs == std::vector<int>{1, 3});
  CHECK(shape.singles == std::vector<int>{2});
  const std::string text = emit(program, plan);
  CHECK(holds(text, "__shared__ float x_tile[kSide][kSide + 1];"));
  CHECK(holds(text, "x_tile[row + each][column]"));
  check_meaning(program, plan);
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  const runs::LaunchCounters& counters = *price.launches[0].counters;
  CHECK(price.bytes == 2.0 * (3 * 3 * 128 * 256 + 256 + 128));
  CHECK(counters.barriers == 24);
  CHECK(counters.global_requests == 24 * 5 * 16);     // x, z, k, m and y: 512 packs a tile
  CHECK(counters.shared_passes == 24 * 2 * 128 * 2);  // two lanes meet in a bank
}

TEST_CASE("nothing that is summed or ends as its result is turned", "[opt]") {
  const auto fault = [](const std::string& lines) {
    const Program program = of_two_orders(lines);
    const Plan plan = tiles_of_64(program);
    return turned_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]) == std::nullopt;
  };
  CHECK(!fault("input x[a,b,h]\ny = exp(x)\noutput y[a,h,b]"));
  CHECK(!fault("input x[b,a,h]\ny = exp(x)\noutput y[a,h,b]"));
  CHECK(fault("input x[a,b,h]\ny = exp(x)\noutput y[a,b,h]"));
  CHECK(fault("input x[a,b,h], z[b,h,a]\ny = x * z\noutput y[a,h,b]"));  // ends in two other indices
  CHECK(fault("input x[a,b,h]\ny = sum(h, x)\noutput y[b,a]"));
}

TEST_CASE("a transposed result comes near the memory's rate", "[opt]") {
  for (const char* type : {"f16", "f32"}) {
    const Program program =
        parsed("type " + std::string(type) +
               "\nindex b = 4 4096, h = 8 4096\ninput x[b,h]\ny = exp(x)\noutput y[h,b]\n");
    const Scheduled best = best_of(program);
    REQUIRE(best.plan.kernels.size() == 1);
    CHECK(best.plan.kernels[0].path == Path::turned);
    CHECK(best.price.us <= 1.3 * best.price.bytes / 4.27e6);
    check_meaning(program, best.plan);
  }
}
