// Path gemv, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/gemv/shape.h"

#include <algorithm>

#include "optimizer/schedule/emit.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::check_meaning;
using test::h200;
using test::holds;
using test::parsed;

namespace {

Program product(const std::string& inputs, const std::string& line = "y = sum(d, q * w)",
                const std::string& output = "y[a,c]") {
  return parsed("index a = 2 16, c = 4 512, d = 8 128\ninput " + inputs + "\n" + line + "\noutput " + output +
                "\n");
}

/// A block for each a and 32 of c.
Plan gemv_plan(const Program& program) {
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::gemv, 8}}};
  plan.kernels[0].cuts[0].grid = 16;
  plan.kernels[0].cuts[1].grid = 16;
  return plan;
}

}  // namespace

TEST_CASE("a vector against the rows of a matrix, and against its columns", "[opt]") {
  for (const bool by_rows : {true, false}) {
    const Program program = product(by_rows ? "q[a,d], w[a,c,d], s[a] f32" : "q[a,d], w[a,d,c], s[a] f32",
                                    "y = sum(d, q * w) / s");
    const Plan plan = gemv_plan(program);
    REQUIRE(!emit_fault(program, plan));
    const Launch launch = launches_of(program, plan)[0];
    const GemvShape shape = *gemv_shape(program, plan, launch, plan.kernels[0]);
    CHECK(shape.by_rows == by_rows);
    CHECK(shape.batch == std::vector<int>{0});
    CHECK(shape.lanes() == (by_rows ? 16 : 4));
    CHECK(shape.turns() == 2);
    CHECK(shape.numbers.size() == 1);  // the divisor, once a block
    const std::string text = emit(program, plan);
    CHECK(holds(text, "Eight eights[kTurns]"));
    CHECK(holds(text, by_rows ? "if (lane > 0 || c >= c_size) continue;" : "of_warps[warp][i]"));
    CHECK(holds(text, "if (d_size > kTileD) return cudaErrorInvalidValue;"));
    check_meaning(program, plan);

    const Price price = price_of(program, plan, real_extents(program.graph), h200());
    const runs::LaunchCounters& counters = *price.launches[0].counters;
    CHECK(price.bytes == 2.0 * 16 * (128 + 128 * 512 + 512) + 16 * 4);
    CHECK(counters.barriers == 256 * (by_rows ? 1 : 2));
    // A block: 512 bytes of w at a time, 128 elements of q, s by every warp, and what is stored: by rows two
    // elements at a time, by columns all 32.
    CHECK(counters.global_requests == 256 * (16 + 4 + 8 + (by_rows ? 16 : 1)));
  }
}

TEST_CASE("what is no vector against a matrix of half is refused", "[opt]") {
  const auto refused = [](const Program& program) {
    const auto fault = emit_fault(program, gemv_plan(program));
    return fault && holds(*fault, "a launch of path gemv has more than");
  };
  CHECK(!refused(product("q[a,d], w[a,c,d]")));
  CHECK(refused(product("q[a,d], w[a,c,d] f32")));
  CHECK(refused(product("q[a,d], w[c,d]")));    // many rows against one matrix
  CHECK(refused(product("q[a,d], w[d,a,c]")));  // neither rows nor columns in one piece
  CHECK(refused(product("q[a,d], w[a,c,d]", "y = sum(d, q * w) + sum(d, q * q)")));
  const Program program = product("q[a,d], w[a,c,d]");
  Plan plan = gemv_plan(program);
  plan.kernels[0].cuts[0].grid = 8;  // two vectors a block
  CHECK(emit_fault(program, plan));
  plan = gemv_plan(program);
  plan.kernels[0].cuts[1].grid = 128;  // 4 of c a block: less than it has rows at the same time
  CHECK(emit_fault(program, plan));
}

TEST_CASE("the schedule takes path gemv for the products around latent attention", "[opt]") {
  const Program program = test::shipped("mla_decode");
  const Graph graph = parse_graph(program,
                                  "p = exp(sum(r, qr * kr) + sum(c, sum(d, qn * wk) * ckv))\n"
                                  "y = sum(c, sum(t, p * ckv) * wv) / sum(t, p)\n",
                                  "test", nullptr);
  const Schedule found = schedule(program, {graph}, h200());
  REQUIRE(!found.plans.empty());
  const Plan& best = found.plans.front().plan;
  REQUIRE(best.kernels.size() == 3);
  CHECK(best.kernels[0].path == Path::gemv);
  CHECK(best.kernels[1].path == Path::tensor_attention);
  CHECK(best.kernels[2].path == Path::gemv);
  CHECK(holds(emit(program, best), "keep[part]"));  // the parts' own maxima
  check_meaning(program, best);
}

TEST_CASE("a sum over a matrix is its product with ones, and vectors may be long", "[opt]") {
  const auto found = [](const std::string& type, const std::string& lines) {
    const Program program = parsed("index b = 4 4096, h = 8 4096\n" + type + "\n" + lines + "\n");
    Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::gemv, 16}}};
    plan.kernels[0].cuts[lines.ends_with("y[h]") ? 1 : 0].grid = 256;
    REQUIRE(!emit_fault(program, plan));
    check_meaning(program, plan);
    return emit(program, plan);
  };
  for (const std::string type : {"type f16", "type bf16"}) {
    const std::string element = type == "type f16" ? "using Half = half;" : "using Half = __nv_bfloat16;";
    for (const std::string sum : {"y = sum(b, x)\noutput y[h]", "y = sum(h, x)\noutput y[b]"}) {
      const std::string text = found(type, "input x[b,h]\n" + sum);
      CHECK(holds(text, "const float value = 1.0f;"));
      CHECK(holds(text, element));
    }
    CHECK(holds(found(type, "input w[b,h], x[h]\ny = sum(h, w * x)\noutput y[b]"), element));
  }
}

TEST_CASE("an index of few elements that the matrix lacks is another vector", "[opt]") {
  const auto chain = [](int columns) {
    return parsed("index i = 8 4096, k = 8 4096, l = 2 " + std::to_string(columns) +
                  "\ninput a[i,k], c[k,l], z[l]\ny = sum(k, a * c) + z\noutput y[i,l]\n");
  };
  const Program program = chain(1);
  const Plan best = test::best_of(program).plan;
  REQUIRE(best.kernels.size() == 1);
  CHECK(best.kernels[0].path == Path::gemv);
  check_meaning(program, best);
  Plan plan{program.graph, best.kernels};
  plan.graph.indices[2].real = 8;  // many rows against one matrix
  plan.kernels[0].cuts[2].grid = 8;
  Program many = program;
  many.graph.indices[2].real = 8;
  CHECK(holds(*emit_fault(many, plan), "a launch of path gemv has more than"));
}
