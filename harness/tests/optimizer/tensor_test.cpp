// Path tensor, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/tensor/shape.h"
#include "optimizer/schedule/emitted_cases.h"

#include "optimizer/forms/forms.h"
#include "optimizer/plan/halves.h"
#include "optimizer/schedule/emit.h"
#include "optimizer/schedule/emitted_cases.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::best_of;
using test::check_meaning;
using test::h200;
using test::holds;
using test::parsed;
using test::shipped;

namespace {

constexpr int kWarps = 8, kStages = 2;

/// All of the program in one launch, 64 columns a block and 64 elements of h a step.
Plan tensor_plan(const Program& program) {
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::tensor, kWarps, kStages}}};
  Kernel& kernel = plan.kernels[0];
  const Extents extents = real_extents(program.graph);
  kernel.cuts[0].grid = (extents[0] + 15) / 16;
  kernel.cuts[1].loop = (extents[1] + 63) / 64;
  kernel.cuts[2].grid = (extents[2] + 63) / 64;
  return plan;
}

Program rmsnorm(const std::string& type = "") {
  return parsed("index b = 4 16, h = 8 4096, o = 16 6144\n" + type +
                "\ninput x[b,h], g[h], w[h,o]\nconstant eps = 1e-5\n"
                "y = sum(h, x * g * w) / rms(h, x)\noutput y[b,o]\n");
}

}  // namespace

TEST_CASE("RMSNorm + Linear is one launch on tensor cores", "[opt]") {
  const Program program = rmsnorm();
  const Plan plan = tensor_plan(program);
  REQUIRE(!emit_fault(program, plan));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "#include <mma.h>"));
  CHECK(holds(text, "constexpr int kTileH = 64;  // of h in a step of a warp"));
  CHECK(holds(text, "wmma::mma_sync("));
  CHECK(holds(text, "from_float<half>(t1_value);  // a fragment holds half: rounded here"));
  CHECK(holds(plan_text(program, plan, real_extents(program.graph)),
              "path tensor, 8 warps, 2 stages, grid o in 96"));
  const Launch launch = launches_of(program, plan)[0];
  const TensorShape shape = *tensor_shape(program, plan, launch, plan.kernels[0]);
  CHECK(shape.taken.size() == 2);  // x g and the squares
  CHECK(shape.sums.size() == 1);
  CHECK(shape.in_place());
  check_meaning(program, plan);

  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  const runs::LaunchRecord& record = price.launches[0];
  CHECK(price.bytes == (16.0 * 4096 + 4096 + 4096.0 * 6144 + 16.0 * 6144) * 2);
  CHECK(record.grid.x == 96);
  CHECK(record.shared_bytes == 8 * 2 * (16 * 72 * 2 + 64 * 72 * 2 + 128));
  CHECK(record.counters->barriers == 96);
  CHECK(record.counters->tensor_flops == 2.0 * 16 * 4096 * 6144);
  // Per step of a warp 4 requests for x, 16 for w, 1 for g; 64 bytes of y at a time.
  CHECK(record.counters->global_requests == 96 * (64 * 21 + 16 * 64 / 32));
}

TEST_CASE("what a plan rounds to half for tensor cores counts in what is accepted", "[opt]") {
  const Program program = rmsnorm();
  Plan plan = tensor_plan(program);
  const int scaled = tensor_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0])->factor;
  CHECK(node_text(program.graph, scaled) == "x * g");
  CHECK(halved_nodes(program, plan) == node_bit(scaled));
  const std::vector<EmittedCase> rounded = emitted_cases(program, plan);
  plan.kernels[0].path = Path::product;
  CHECK(halved_nodes(program, plan) == 0);
  const std::vector<EmittedCase> exact = emitted_cases(program, plan);
  for (std::size_t i = 0; i < rounded[0].accepted.size(); ++i) {
    CHECK(rounded[0].expected[i] == exact[0].expected[i]);
    CHECK(rounded[0].accepted[i] > exact[0].accepted[i]);
  }
}

TEST_CASE("where there are few rows weights go from memory into registers", "[opt]") {
  const Program program = rmsnorm();
  Plan plan = tensor_plan(program);
  plan.kernels[0].stages = kNoStages;
  plan.kernels[0].cuts[1].loop = 128;  // 32 elements of h a step
  REQUIRE(!emit_fault(program, plan));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "load_column_pieces<kWhole>(w_eights[slice], w + h_first * o_size + o_first, "));
  CHECK(holds(text, "if (h_size % kTileH == 0 && o_size % 8 == 0) sweep(std::true_type{});"));
  CHECK(!holds(text, "copy_tile"));
  check_meaning(program, plan);
  const runs::LaunchRecord record = price_of(program, plan, real_extents(program.graph), h200()).launches[0];
  CHECK(record.shared_bytes == 8 * (16 * 72 * 4 + 16 * 4));
  // Per step 2 requests for x, 8 for w, 1 for g; 64 bytes of y at a time.
  CHECK(record.counters->global_requests == 96 * (128 * 11 + 16 * 64 / 32));
  // Whole steps, and columns of a block that are no whole tile.
  const std::vector<EmittedCase> cases = emitted_cases(program, plan);
  CHECK(std::any_of(cases.begin(), cases.end(), [](const EmittedCase& one) {
    return one.extents[1] == 3 * 32 && one.extents[2] == 64 + 8;
  }));
  plan.kernels[0].warps = 16;
  CHECK(!emit_fault(program, plan));
  plan.kernels[0].cuts[1].loop = 64;  // more than the registers of 512 threads
  CHECK(emit_fault(program, plan));
  Program many = rmsnorm();
  set_extent(many, "b=17");
  CHECK(emit_fault(many, plan));
}

TEST_CASE("two products share the left tile, and a second product has a barrier of its own", "[opt]") {
  const Program gated = shipped("gated_mlp");
  const Plan two = tensor_plan(gated);
  REQUIRE(!emit_fault(gated, two));
  CHECK(!holds(emit(gated, two), "load_eight"));  // nothing is taken from the left tile
  CHECK(price_of(gated, two, real_extents(gated.graph), h200()).launches[0].counters->barriers == 64);
  check_meaning(gated, two);

  const Program lora = shipped("lora_linear");
  const Plan adapter = tensor_plan(lora);
  REQUIRE(!emit_fault(lora, adapter));
  const std::string text = emit(lora, adapter);
  CHECK(holds(text, "if (r_size > kTileR) return cudaErrorInvalidValue;"));
  CHECK(holds(text,
              "copy_tile<32, kTileR, kTileO>(memory->u[0], u + o_first, o_size, r_size, o_size - o_first);"));
  CHECK(price_of(lora, adapter, real_extents(lora.graph), h200()).launches[0].counters->barriers == 2 * 64);
  check_meaning(lora, adapter);
}

TEST_CASE("a handful of products is none for tensor cores", "[opt]") {
  const auto path = [](int terms) {
    return best_of(parsed("index i = 1, j = 1 " + std::to_string(terms) +
                          ", k = 1\ninput a[i,j], b[j,k]\ny = sum(j, a * b)\noutput y[i,k]\n"))
        .plan.kernels[0]
        .path;
  };
  CHECK(path(1) != Path::tensor);
  CHECK(path(4) != Path::tensor);
}

TEST_CASE("what tensor cores do not cover is refused", "[opt]") {
  const auto refused = [](const Program& program) {
    const auto fault = emit_fault(program, tensor_plan(program));
    return fault && holds(*fault, "a launch of path tensor has more than");
  };
  CHECK(!refused(rmsnorm()));
  CHECK(refused(rmsnorm("type f32")));
  const auto product = [](const std::string& inputs, const std::string& line) {
    return parsed("index b = 4 16, h = 8 4096, o = 16 6144\ninput " + inputs + "\n" + line +
                  "\noutput y[b,o]\n");
  };
  CHECK(!refused(product("x[b,h], w[h,o]", "y = sum(h, x * w)")));
  CHECK(!refused(product("x[b,h], w[o,h]", "y = sum(h, x * w)")));
  CHECK(!refused(product("x[h,b], w[o,h]", "y = sum(h, x * w)")));
  CHECK(refused(product("x[h,b], g[h], w[o,h]", "y = sum(h, x * g * w)")));    // no rows to go through
  CHECK(refused(product("x[b,h], g[h], w[h,o]", "y = sum(h, (x + g) * w)")));  // zeros do not stay zeros
  CHECK(refused(shipped("rmsnorm_linear")));                                   // divides before the sum
  const Program program = rmsnorm();
  Plan plan = tensor_plan(program);
  plan.kernels[0].cuts[2].grid = 48;  // 128 columns a block
  CHECK(emit_fault(program, plan));
  plan = tensor_plan(program);
  plan.kernels[0].stages = kMostStages + 1;
  CHECK(emit_fault(program, plan));
  plan = tensor_plan(program);
  plan.kernels[0].warps = 16;
  CHECK(holds(*does_not_fit(program, plan, real_extents(program.graph), h200()), "KB of shared memory"));
}

namespace {

/// The best plan, which is one launch on tensor cores.
Plan one_launch(const Program& program) {
  const Scheduled best = best_of(program);
  INFO(plan_text(program, best.plan, real_extents(program.graph)));
  REQUIRE(best.plan.kernels.size() == 1);
  REQUIRE(on_tensor_cores(best.plan.kernels[0].path));
  check_meaning(program, best.plan);
  return best.plan;
}
TensorShape shape_of_one(const Program& program, const Plan& plan) {
  return *tensor_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
}

}  // namespace

TEST_CASE("a matrix lies either way, and a weight as nn.Linear keeps it costs no more", "[opt]") {
  const auto linear = [](const std::string& inputs, const std::string& output) {
    return parsed("index b = 4 16, h = 8 4096, o = 16 4096\ninput " + inputs +
                  "\ny = sum(h, x * w)\noutput " + output + "\n");
  };
  const Program as_it_is = linear("x[b,h], w[h,o]", "y[b,o]"), turned = linear("x[b,h], w[o,h]", "y[b,o]");
  const Plan plan = one_launch(turned);
  const TensorShape shape = shape_of_one(turned, plan);
  CHECK(TensorShape::is_turned(shape.rights[0]));
  const std::string text = emit(turned, plan);
  CHECK(holds(text, "load_row_pieces<kWhole, true>(w_eights[slice], "));
  CHECK(holds(text, "w + o_first * h_size + h_first, h_size, o_size - o_first, h_size - h_first);"));
  CHECK(best_of(turned).price.us <= 1.1 * best_of(as_it_is).price.us);
  const Program left = linear("x[h,b], w[h,o]", "y[b,o]");
  CHECK(holds(emit(left, one_launch(left)), "TurnedLeftFragment left;"));
  // Of a turned result the rows are those of the other matrix.
  const Program result = linear("x[b,h], w[o,h]", "y[o,b]");
  CHECK(shape_of_one(result, one_launch(result)).column == 0);
}

TEST_CASE("a batch index is of the grid, and rows may be of several indices", "[opt]") {
  const Program batched = parsed(
      "index n = 3 8, i = 5 256, j = 8 256, k = 7 256\ninput a[i,n,j], b[n,k,j]\ny = sum(j, a * b)\n"
      "output y[i,n,k]\n");
  const Plan plan = one_launch(batched);
  CHECK(shape_of_one(batched, plan).batch == std::vector<int>{0});
  const std::string text = emit(batched, plan);
  CHECK(holds(text, "a + i__first * n_size * j__size + n * j__size + j__first, n_size * j__size, i__size"));
  CHECK(price_of(batched, plan, real_extents(batched.graph), h200()).launches[0].grid.z == 8);
  const Program rows = parsed(
      "index n = 3 16, s = 5 64, h = 8 512, o = 7 256\ninput x[n,s,h], w[o,h], c[s,o] f32\n"
      "y = relu(sum(h, x * w) + c)\noutput y[n,s,o]\n");
  const Plan flat = one_launch(rows);
  const TensorShape shape = shape_of_one(rows, flat);
  CHECK(shape.batch.empty());
  CHECK(shape.rows == std::vector<int>{0, 1});
  CHECK(holds(emit(rows, flat), "const int s = rows % s_size;"));
}

TEST_CASE("of many rows all warps of a block share a tile", "[opt]") {
  const Program program = parsed(
      "index b = 4 1024, h = 8 512, o = 16 512\ninput x[b,h], g[h], w[h,o]\nconstant eps = 1e-5\n"
      "y = sum(h, x * g * w) / rms(h, x)\noutput y[b,o]\n");
  Plan plan = tensor_plan(program);
  plan.kernels[0].beside = 4;
  plan.kernels[0].cuts[0].grid = 16;
  REQUIRE(!emit_fault(program, plan));
  check_meaning(program, plan);
  const TensorShape shape = shape_of_one(program, plan);
  CHECK(shape.row_tile == 64);
  CHECK(holds(emit(program, plan), "float t2_sums[2][2][4] = {};"));
  CHECK(!holds(emit(program, plan), "wmma"));  // words of registers, and results in pieces of 16 bytes
  CHECK(holds(emit(program, plan), "store_tile<kThreads, kTileB, kTileO>(y + "));
  const runs::LaunchRecord record = price_of(program, plan, real_extents(program.graph), h200()).launches[0];
  CHECK(record.counters->tensor_flops == 2.0 * 1024 * 512 * 512);
  // Each step waits for its tiles, and for what is multiplied into the left one; then the sums meet.
  const std::int64_t blocks = record.grid.x * record.grid.y, steps = 512 / shape.step;
  CHECK(record.counters->barriers == blocks * (2 * steps + 2));
  Plan other = plan;
  other.kernels[0].beside = 3;
  CHECK(emit_fault(program, other));
}

TEST_CASE("on Hopper groups of warps multiply what the GPU copies by itself", "[opt]") {
  const auto product = [](const std::string& sizes, const std::string& inputs) {
    return parsed("index n = 2 4, " + sizes + "\ninput " + inputs + "\ny = sum(h, x * w)\noutput y[n,b,o]\n");
  };
  const std::string sizes = "b = 4 1024, h = 8 512, o = 16 512";
  const Program program = product(sizes, "x[b,n,h], w[n,o,h]");
  const Plan plan = best_of(program).plan;
  INFO(plan_text(program, plan, real_extents(program.graph)));
  REQUIRE(plan.kernels.size() == 1);
  REQUIRE(plan.kernels[0].path == Path::tensor_groups);
  check_meaning(program, plan);
  const TensorShape shape = shape_of_one(program, plan);
  CHECK(shape.row_tile == 64 * plan.kernels[0].down * shape.multiplying(plan.kernels[0]));
  CHECK(shape.bytes(plan.kernels[0]) ==
        plan.kernels[0].stages * (2 * 64 * (shape.row_tile + shape.columns) + 16));
  // Both matrices by maps: what is contiguous, the tile's other dimension, the batch.
  const std::string text = emit(program, plan);
  CHECK(holds(text,
              "make_map(&x_map, x, kTileB, {h_size, b_size, n_size, 1}, "
              "{std::int64_t{1} * n_size * h_size, std::int64_t{1} * h_size, 8});"));
  CHECK(holds(text,
              "make_map(&w_map, w, kTileO, {h_size, o_size, n_size, 1}, "
              "{std::int64_t{1} * h_size, std::int64_t{1} * h_size * o_size, 8});"));
  CHECK(holds(text,
              "copy_panels<kTileO, kTileH>(stage.w, w_map, &memory->full[now], h_first, o_first, n, 0);"));
  // Judged where tensor maps can copy, too, with more steps than there are stages.
  const std::vector<EmittedCase> cases = emitted_cases(program, plan);
  const auto is_mapped = [](const EmittedCase& one) {
    return one.extents[2] == 6 * 64 && one.extents[1] % 8 == 0 && one.extents[3] % 8 == 0;
  };
  CHECK(std::count_if(cases.begin(), cases.end(), is_mapped) == 1);
  // A GPU without them.
  const auto any_groups = [](const Program& of, const char* gpu) {
    const Schedule found = schedule(of, {of.graph}, *sim::find_gpu(gpu));
    return std::any_of(found.plans.begin(), found.plans.end(), [](const Scheduled& each) {
      return each.plan.kernels.front().path == Path::tensor_groups;
    });
  };
  CHECK(any_groups(program, "h200"));
  CHECK(!any_groups(program, "a100"));
}

TEST_CASE("what crosses launches to tensor cores lies there as half, where it is a number of half", "[opt]") {
  const auto mlp = [](const std::string& range) {
    return parsed(
        "index b = 4 128, h = 8 1024, f = 16 4096, o = 8 1024\ninput x[b,h], w[h,f], c[f], u[f,o]\n" + range +
        "\ny = sum(f, gelu(sum(h, x * w) + c) * u)\noutput y[b,o]\n");
  };
  const Program program = mlp("");
  const Plan plan = best_of(program).plan;
  INFO(plan_text(program, plan, real_extents(program.graph)));
  REQUIRE(plan.kernels.size() == 2);
  for (const int number : {0, 1}) CHECK(on_tensor_cores(plan.kernels[slot(number)].path));
  const int hidden = launches_of(program, plan)[0].writes.front();
  CHECK(plan.kernels[0].halves == node_bit(hidden));
  CHECK(storage_of(program, plan, hidden) == Storage::f16);
  CHECK(halved_nodes(program, plan) == node_bit(hidden));
  CHECK(holds(emit(program, plan), "// t3 is there as half."));
  check_meaning(program, plan);
  // Too large for half, by what the program says of it.
  const Program large = mlp("range x = -1000 1000");
  CHECK(nodes_for_halves(large, large.graph) == 0);
  // A sum that reads it, too, wants float.
  const Program shared = parsed(
      "index b = 4 128, h = 8 1024, f = 16 4096, o = 8 1024\ninput x[b,h], w[h,f], u[f,o]\n"
      "e = tanh(sum(h, x * w))\ny = sum(f, e * u) / sum(f, e * e)\noutput y[b,o]\n");
  for (const Kernel& kernel : best_of(shared).plan.kernels)
    CHECK((kernel.halves == 0 || halves_of(shared.graph, kernel, ~std::uint64_t{0}) == kernel.halves));
}

TEST_CASE("products of few rows and columns are left in parts by more blocks", "[opt]") {
  const auto plan_of = [](const std::string& last) {
    const Program program =
        parsed("index b = 8 64, h = 16 4096, o = 8 2048\ninput x[b,h], w[h,o], r[b,o]\ny = " + last +
               "\noutput y[b,o]\n");
    const Schedule found = schedule(program, {program.graph}, *sim::find_gpu("a100"));
    REQUIRE(!found.plans.empty());
    const Plan plan = found.plans.front().plan;
    INFO(plan_text(program, plan, real_extents(program.graph)));
    REQUIRE(plan.kernels.size() == 2);
    CHECK(on_tensor_cores(plan.kernels[0].path));
    CHECK(plan.kernels[0].cuts[1].grid > 1);
    check_meaning(program, plan);
    const std::string text = emit(program, plan);
    CHECK(holds(text, "const int h_part = blockIdx.z, h_begin = h_part * kPartH1"));
    CHECK(holds(text, " + h_part * (b_size * o_size), memory1->t1[0]"));
    CHECK(holds(text, "launch_behind("));
    CHECK(holds(text, "wait_for_launches();"));
    // Whatever is computed of the sum is computed where it is whole.
    Plan one = plan;
    one.kernels[0].nodes |= one.kernels[1].nodes;
    one.kernels.pop_back();
    CHECK(emit_fault(program, one));
    return plan;
  };
  plan_of("sum(h, x * w)");
  plan_of("gelu(sum(h, x * w) + r)");
}

TEST_CASE("on Hopper blocks of a cluster divide the sums of few rows, in one launch", "[opt]") {
  const Program program = parsed(
      "index b = 8 64, h = 16 4096, o = 8 2048\ninput x[b,h], w[h,o], r[b,o]\ny = gelu(sum(h, x * w) + r)\noutput y[b,o]\n");
  const Plan plan = best_of(program).plan;
  INFO(plan_text(program, plan, real_extents(program.graph)));
  REQUIRE(plan.kernels.size() == 1);
  REQUIRE(plan.kernels[0].path == Path::tensor_groups);
  check_meaning(program, plan);
  const int blocks = plan.kernels[0].beside;
  REQUIRE(blocks > 1);
  const TensorShape shape = shape_of_one(program, plan);
  CHECK(shape.cluster == blocks);
  CHECK(shape.own_columns() * blocks == shape.columns);
  const std::string text = emit(program, plan);
  CHECK(holds(text, "constexpr int kCluster = " + std::to_string(blocks) + ";"));
  CHECK(holds(text, "send_sums<kCluster, 128 * kGroups>(memory->sent[0], t1_sums, number);"));
  CHECK(holds(text, "o_first += number * kOwnColumns;"));
  CHECK(holds(text, "_kernel)) return cudaErrorNotSupported;"));
  CHECK(holds(text, "_kernel, kCluster, false, grid, kThreads, sizeof(Memory), stream, "));
  // Judged where each block goes round its ring.
  const std::vector<EmittedCase> cases = emitted_cases(program, plan);
  CHECK(std::count_if(cases.begin(), cases.end(), [&](const EmittedCase& one) {
          return one.extents[1] == blocks * (plan.kernels[0].stages + 2) * 64;
        }) == 1);
  // No block without columns of its own; no more blocks than find room next to each other.
  for (const int others : {3, 16}) {
    Plan other = plan;
    other.kernels[0].beside = others;
    CHECK(emit_fault(program, other));
  }
  const runs::LaunchRecord record = price_of(program, plan, real_extents(program.graph), h200()).launches[0];
  CHECK(record.grid.z == static_cast<unsigned>(blocks));
  CHECK(record.counters->cluster_barriers == 2 * record.counters->blocks_total);
}

TEST_CASE("the schedule takes tensor cores where they are faster", "[opt]") {
  for (const Program& program : {rmsnorm(), shipped("gated_mlp"), shipped("lora_linear")}) {
    const Schedule found = schedule(program, {program.graph}, h200());
    REQUIRE(!found.plans.empty());
    const Scheduled& best = found.plans.front();
    REQUIRE(best.plan.kernels.size() == 1);
    CHECK(best.plan.kernels[0].path == Path::tensor);
    CHECK(best.price.us <= price_of(program, tensor_plan(program), real_extents(program.graph), h200()).us);
    INFO(plan_text(program, best.plan, real_extents(program.graph)));
    check_meaning(program, best.plan);
  }
}

namespace {

Program gated(const std::string& rows, const std::string& type = "") {
  return parsed("index b = 4 " + rows + ", h = 8 1024, f = 16 2048, o = 8 1024\n" + type +
                "\ninput x[b,h], w[h,f], v[h,f], u[f,o]\n"
                "a = silu(sum(h, x * w)) * sum(h, x * v)\ny = sum(f, a * u)\noutput y[b,o]\n");
}

}  // namespace

TEST_CASE("what is too large for half crosses launches as float, and is rounded where it is multiplied",
          "[opt]") {
  for (const char* rows : {"8", "1024"}) {
    const Program program = gated(rows);
    CHECK((nodes_for_halves(program, program.graph) & node_bit(program.graph.output() - 1)) == 0);
    const Scheduled best = best_of(program);
    const Plan& plan = best.plan;
    INFO(plan_text(program, plan, real_extents(program.graph)));
    REQUIRE(plan.kernels.size() == 2);
    for (const Kernel& kernel : plan.kernels) CHECK(on_tensor_cores(kernel.path));
    const std::vector<Launch> launches = launches_of(program, plan);
    const int hidden = launches[0].writes.front();
    CHECK(storage_of(program, plan, hidden) == Storage::f32);
    CHECK(halved_nodes(program, plan) == node_bit(hidden));
    const TensorShape shape = *tensor_shape(program, plan, launches[1], plan.kernels[1]);
    CHECK(shape.left_is_float);
    CHECK(shape.shared_ring() == (std::string_view(rows) == "1024"));
    const std::string text = emit(program, plan);
    CHECK(holds(text, "if (load_floats<false>(left"));
    CHECK(holds(text, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"));
    // As a rule it is multiplied as half.
    const runs::LaunchCounters& counters = *best.price.launches[1].counters;
    CHECK(counters.tensor_flops == 2.0 * std::max(16.0, std::stod(rows)) * 2048 * 1024);
    check_meaning(program, plan);
  }
  // bfloat16 holds it.
  const Program brain = gated("8", "type bf16");
  const Plan plan = best_of(brain).plan;
  CHECK(storage_of(brain, plan, launches_of(brain, plan)[0].writes.front()) == Storage::bf16);
}

TEST_CASE("an input of float is rounded where the result has 16 bits, too", "[opt]") {
  const auto refused = [](const std::string& inputs, const std::string& line, const std::string& type) {
    const Program program = parsed("index b = 4 16, h = 8 4096, o = 16 6144\ninput " + inputs + "\n" + line +
                                   "\noutput y[b,o] " + type + "\n");
    return emit_fault(program, tensor_plan(program)).has_value();
  };
  CHECK(!refused("x[b,h] f32, w[h,o]", "y = sum(h, x * w)", "f16"));
  CHECK(!refused("x[h,b] f32, w[o,h]", "y = sum(h, x * w)", "f16"));
  CHECK(refused("x[b,h] f32, w[h,o]", "y = sum(h, x * w)", "f32"));
  CHECK(refused("x[b,h], w[h,o] f32", "y = sum(h, x * w)", "f16"));
  CHECK(refused("x[b,h] f32, g[h], w[h,o]", "y = sum(h, x * g * w)", "f16"));  // nothing goes through it
}

TEST_CASE("rows of float that could be taken in place get no launch before the product", "[opt]") {
  const Program program = shipped("rmsnorm_linear");
  const Schedule found = schedule(program, {program.graph, rmsnorm().graph}, h200());
  CHECK(found.plans.front().plan.kernels.size() == 1);
}
