// Schedules, prices and emitted kernels, as far as text and numbers go; tests/cli runs the kernels.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>
#include <set>
#include <string>

#include "optimizer/forms/row/shape.h"
#include "optimizer/language/text.h"
#include "optimizer/schedule/emit.h"
#include "optimizer/search/algebra.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::best_of;
using test::check_meaning;
using test::h200;
using test::holds;
using test::parsed;
using test::shipped;
using test::sized;

TEST_CASE("softmax gets a maximum, and is a launch of path row", "[opt]") {
  const Program program = shipped("softmax");
  const std::optional<Graph> graph = stabilised(program, program.graph);
  REQUIRE(graph);
  CHECK(graph->operations() == program.graph.operations() + 2);
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  CHECK(best.plan.kernels[0].path == Path::row);
  CHECK(best.price.bytes == 2.0 * 4096 * 4096 * 4);  // one read, one write
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "block_max"));
  CHECK(text == emit(program, best_of(program).plan));
  check_meaning(program, best.plan);
}

TEST_CASE("a chain of elementwise operations is one launch that moves each tensor once", "[opt]") {
  const Program program = shipped("gelu_chain");
  CHECK(stabilised(program, program.graph) == program.graph);
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  CHECK(best.price.bytes == (4.0 * 4096 * 4096 + 4096) * 2);
  CHECK(!holds(emit(program, best.plan), "block_sum"));
  const auto apart = unfused(program, h200());
  REQUIRE(apart);
  CHECK(apart->plan.kernels.size() == 4);
  CHECK(apart->price.us > best.price.us);
  check_meaning(program, best.plan);
}

TEST_CASE("a product is a launch with a loop, its sums in registers", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, h = 8 4096, o = 16 6144\ninput x[b,h], g[h], w[h,o]\nconstant eps = 1e-5\n"
      "y = sum(h, x * g * w) / rms(h, x)\noutput y[b,o]\n");
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::product, 8}}};
  plan.kernels[0].cuts[1].loop = 64;
  plan.kernels[0].cuts[2].grid = 192;
  REQUIRE(!emit_fault(program, plan));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "[kTileB * kTileO / kThreads] = {};  // the thread's elements"));
  CHECK(holds(text, "constexpr int kTileH = 64;  // of h in a turn of the loop"));
  const Extents extents = real_extents(program.graph);
  const Price price = price_of(program, plan, extents, h200());
  CHECK(price.bytes == (16.0 * 4096 + 4096 + 4096.0 * 6144 + 16.0 * 6144) * 2);
  CHECK(price.launches[0].grid.x == 192);
  // Sums begin at 0; two in each turn; the root is there.
  CHECK(price.launches[0].counters->barriers == 192 * (1 + 2 * 64 + 1));
  check_meaning(program, plan);

  const Schedule found = schedule(program, {program.graph}, h200());
  const auto one = std::find_if(found.plans.begin(), found.plans.end(),
                                [](const Scheduled& each) { return each.plan.kernels.size() == 1; });
  REQUIRE(one != found.plans.end());
  CHECK(one->price.us <= price.us);
  check_meaning(program, found.plans.front().plan);
}

TEST_CASE("a sum that the grid cuts lies in parts, which the next launch adds up", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, h = 8 256, r = 2 16, o = 16 4096\ninput x[b,h], w[h,o], a[h,r], u[r,o]\n"
      "y = sum(h, x * w) + sum(r, sum(h, x * a) * u)\noutput y[b,o]\n");
  Plan plan{program.graph, {}};
  const std::vector<int> nodes = node_list(needed_nodes(program.graph));
  Kernel first{0, {}, Path::product, 4}, second{0, {}, Path::plain, 4};
  for (const int node : nodes)
    (program.graph.nodes[slot(node)].over == 1 ? first : second).nodes |= node_bit(node);
  first.cuts[1] = {4, 2};
  first.cuts[3] = {64, 1};
  second.cuts[3] = {64, 1};
  plan.kernels = {first, second};
  REQUIRE(!emit_fault(program, plan));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "constexpr int kPartH1 = 2 * kTileH1;  // of h in a block"));
  CHECK(holds(text, "const int h_part = blockIdx."));
  CHECK(holds(text, "const int h_parts1 = ((h_size + kPartH1 - 1) / kPartH1);"));
  CHECK(holds(text, "sum_of_parts("));
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  CHECK(price.launches[0].counters->dram_bytes_written == 4 * (16 * 4096 + 16 * 16) * 4);  // parts, as float
  check_meaning(program, plan);
  const std::string timing = emit_timing(program, plan);
  CHECK(holds(timing, "b_size = 16, h_size = 256, r_size = 16, o_size = 4096;"));
  CHECK(holds(timing, "{\"x\", workbook::Type::f16, true, std::size_t{1} * b_size * h_size},"));
  CHECK(holds(timing,
              "workbook::Type::f32, false, std::size_t{1} * b_size * o_size * ((h_size + kPartH1 - 1)"));

  plan.kernels[1].path = Path::row;
  CHECK(holds(*emit_fault(program, plan), "path row has products"));
  CHECK_THROWS_AS(emit(program, plan), std::invalid_argument);
}

TEST_CASE("few rows and a long sum: its parts go to more blocks", "[opt]") {
  // Of two types of 16 bits: tensor cores would need no parts.
  const Program program = parsed(
      "index b = 4 16, h = 8 4096, o = 16 256\ntype bf16\ninput x[b,h], g[h], w[h,o]\nconstant eps = 1e-5\n"
      "y = sum(h, x * g * w) / rms(h, x)\noutput y[b,o] f16\n");
  const Schedule found = schedule(program, {program.graph}, h200());
  REQUIRE(!found.plans.empty());
  const Scheduled& best = found.plans.front();
  int parts = 1;
  for (const Kernel& kernel : best.plan.kernels) parts = std::max(parts, kernel.cuts[1].grid);
  CHECK(parts > 1);
  const auto apart = unfused(program, h200());
  REQUIRE(apart);
  CHECK(best.price.us < apart->price.us);
  check_meaning(program, best.plan);
}

TEST_CASE("a row over which nothing is summed is cut in pieces", "[opt]") {
  for (
      const char* text :
      {"index i = 1000 7340032\ninput a[i], b[i] f16\ny = silu(a) * b\noutput y[i] f16\n",
       "index r = 3 7, i = 1001 1048584\ninput a[r,i], b[i], m[r] f16\ny = relu(a + b) * m\noutput y[r,i] f16\n"}) {
    const Program program = parsed(text);
    const Schedule found = schedule(program, {program.graph}, h200());
    REQUIRE(!found.plans.empty());
    const Scheduled& best = found.plans.front();
    REQUIRE(best.plan.kernels.size() == 1);
    const Kernel& kernel = best.plan.kernels.front();
    CHECK(kernel.path == Path::row);
    const auto row = row_shape(program, best.plan, launches_of(program, best.plan).front(), kernel);
    REQUIRE(row);
    CHECK(row->in_pieces);
    const auto& counters = *best.price.launches[0].counters;
    const double bytes = counters.dram_bytes_read + counters.dram_bytes_written;
    CHECK(best.price.us < 1.25 * bytes / 4.27e6 + 2.0);
    CHECK(holds(emit(program, best.plan), "load_row<kThreads, kVector>(a_values, a + "));
    check_meaning(program, best.plan);
  }
}

TEST_CASE("attention is a sweep over the keys with a running maximum", "[opt]") {
  // Of two types of 16 bits: what tensor cores do with one is tested in tensor_attention_test.cpp.
  Program program = sized("qknorm_attention", {"n=2", "s=32", "t=256"});
  for (Tensor& tensor : program.graph.inputs) tensor.storage = Storage::bf16;
  const Graph behind = parse_graph(program,
                                   "p = exp(sum(d, q * k) / rms(d, k) / rms(d, q))\n"
                                   "y = sum(t, p * v) / sum(t, p)\n",
                                   "test", nullptr);
  const std::optional<Graph> graph = stabilised(program, behind);
  REQUIRE(graph);
  Plan plan{*graph, {{needed_nodes(*graph), {}, Path::attention, 8}}};
  Kernel& kernel = plan.kernels[0];
  kernel.cuts[0].grid = 2;   // n
  kernel.cuts[1].grid = 2;   // s
  kernel.cuts[2].loop = 16;  // t
  REQUIRE(!emit_fault(program, plan));
  const Launch launch = launches_of(program, plan)[0];
  CHECK(launch.sweeps == 1);
  CHECK(launch.writes == std::vector<int>{graph->output()});
  const std::string text = emit(program, plan);
  CHECK(holds(text, "_rescale["));
  CHECK(holds(text, "if (d_size > kTileD) return cudaErrorInvalidValue;"));
  CHECK(!holds(text, "joined_parts"));
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  CHECK(price.bytes == 2.0 * 2 * (2 * 32 * 64 + 2 * 256 * 64));  // q, k, v, y once, as f16
  check_meaning(program, plan);

  const Schedule found = schedule(program, {behind}, h200());
  REQUIRE(!found.plans.empty());
  const Scheduled& best = found.plans.front();
  CHECK(best.price.us < price.us);
  CHECK(std::any_of(found.plans.begin(), found.plans.end(), [](const Scheduled& each) {
    return each.plan.kernels[0].path == Path::attention && each.plan.kernels[0].cuts[2].grid > 1;
  }));
  const Schedule threads = schedule(program, {behind, program.graph}, h200(), {.threads = 3});
  const Schedule alone = schedule(program, {behind, program.graph}, h200());
  REQUIRE(threads.plans.size() == alone.plans.size());
  CHECK(threads.plans.front().plan == alone.plans.front().plan);
  CHECK(threads.priced == alone.priced);
  check_meaning(program, best.plan);

  // The same in parts of the keys: the division in a launch behind, which joins them.
  const int output = graph->output();
  plan.kernels[0].nodes &= ~node_bit(output);
  plan.kernels[0].cuts[2] = {4, 4};
  plan.kernels.push_back({node_bit(output), {}, Path::row, 1});
  plan.kernels[1].cuts[0].grid = 2;
  plan.kernels[1].cuts[1].grid = 32;
  REQUIRE(!emit_fault(program, plan));
  const std::string parts = emit(program, plan);
  CHECK(holds(parts, "t_parts1"));
  CHECK(holds(parts, "joined_parts("));
  CHECK(holds(parts, "join_row_of_parts<"));
  const Launch writes = launches_of(program, plan)[0];
  CHECK(listed(writes.writes, writes.running));  // the parts' maxima cross, too
  check_meaning(program, plan);
}

TEST_CASE("a product of exps that is summed has no maximum to take out", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, t = 8 4096\ninput x[b,t] f32, z[b,t] f32\ny = sum(t, exp(x) * exp(z))\noutput y[b] f32\n");
  CHECK(!stabilised(program, program.graph));
  // There is a kernel all the same, which overflows where the program does.
  const Schedule found = schedule(program, {program.graph}, h200());
  CHECK(found.unstable == 1);
  CHECK(found.overflows);
  REQUIRE(!found.plans.empty());
  CHECK(found.plans.front().plan.graph == program.graph);
}

TEST_CASE("a logarithm of a sum of exps gets a maximum, and adds it again", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, t = 8 4096\ninput x[b,t] f32\ny = x - log(sum(t, exp(x)))\noutput y[b,t] f32\n");
  const std::optional<Graph> graph = stabilised(program, program.graph);
  REQUIRE(graph);
  CHECK(formula(*graph) == "x - (t1 + log(sum(t, exp(x - t1)))), t1 = max(t, x)");
}

TEST_CASE("a mask between an exp and its sum lets a maximum be", "[opt]") {
  const Program program = parsed(
      "index s = 4 64, t = 8 256, d = 4 32\ninput q[s,d], k[t,d], v[t,d], m[s,t]\n"
      "p = exp(sum(d, q * k)) * m\ny = sum(t, p * v) / sum(t, p)\noutput y[s,d]\n");
  const std::optional<Graph> graph = stabilised(program, program.graph);
  REQUIRE(graph);
  CHECK(graph->operations() == program.graph.operations() + 2);
}

TEST_CASE("what is added to a sum of exps gets its maximum, too", "[opt]") {
  const auto formula_of = [](const std::string& lines) {
    const Program program = parsed("index s = 4 64, t = 8 256\ninput x[s,t], w[s], v[t]\n" + lines);
    const std::optional<Graph> graph = stabilised(program, program.graph);
    REQUIRE(graph);
    check_meaning(program, {*graph, {{needed_nodes(*graph), {}, Path::plain, 8}}});
    return formula(*graph);
  };
  // The sink of an attention, one more place that nobody looks at, what keeps a divisor from 0.
  CHECK(formula_of("p = exp(x)\ny = sum(t, p * v) / (sum(t, p) + exp(w))\noutput y[s]\n") ==
        "sum(t, v * t2) / (sum(t, t2) + exp(w - t1)), t1 = max(t, x), t2 = exp(x - t1)");
  CHECK(formula_of("p = exp(x)\ny = p / (sum(t, p) + 1)\noutput y[s,t]\n") ==
        "t2 / (exp(t1 * -1) + sum(t, t2)), t1 = max(t, x), t2 = exp(x - t1)");
  CHECK(formula_of("p = exp(x)\ny = p / (sum(t, p) + abs(w))\noutput y[s,t]\n") ==
        "t2 / (sum(t, t2) + abs(w) * exp(t1 * -1)), t1 = max(t, x), t2 = exp(x - t1)");
}

TEST_CASE("scores that pass a function the fields do not know get a maximum", "[opt]") {
  const Program program = parsed(
      "index s = 4 64, t = 8 256, d = 4 32\ninput q[s,d], k[t,d], v[t,d]\n"
      "p = exp(30 * tanh(sum(d, q * k) / 30))\ny = sum(t, p * v) / sum(t, p)\noutput y[s,d]\n");
  CHECK(stabilised(program, program.graph));
  const Program wrong =
      parsed("index s = 4 64, t = 8 256\ninput x[s,t]\ny = tanh(sum(t, exp(x)))\noutput y[s]\n");
  CHECK(!stabilised(wrong, wrong.graph));
}

TEST_CASE("stopped before anything was priced there still is a plan of the program as it stands", "[opt]") {
  for (const char* name : test::kShipped) {
    CAPTURE(name);
    const Program program = shipped(name);
    const Schedule found = schedule(program, {}, h200(), {.stop = [] { return true; }});
    REQUIRE(found.unfused);
    REQUIRE(!found.plans.empty());
    CHECK(found.stopped);
    CHECK(!emit_fault(program, found.plans.front().plan));
  }
}

TEST_CASE("stopped half way there are plans of what was cut until then", "[opt]") {
  const Program program = parsed(
      "index h = 2 16, s = 8 2048, t = 8 2048, d = 8 64\ntype bf16\n"
      "input q[h,s,d], k[h,t,d], v[h,t,d], slope[h] f32\nrange slope = 0 1\n"
      "a = exp(where(s >= t, sum(d, q * k) * 0.125 - slope * (s - t), -inf))\n"
      "y = sum(t, a * v) / sum(t, a)\noutput y[h,s,d]\n");
  int asked = 0;
  const auto until = [&](int most) {
    asked = 0;
    return schedule(program, {program.graph}, h200(), {.stop = [&, most] { return ++asked > most; }});
  };
  const Schedule whole = until(1 << 30);
  REQUIRE(whole.unfused);
  CHECK_FALSE(whole.stopped);
  CHECK(whole.plans.front().price.us < whole.unfused->price.us / 2);
  const Schedule half = until(asked / 2);
  CHECK(half.stopped);
  CHECK(half.plans.front().price.us == whole.plans.front().price.us);
}

TEST_CASE("roots that depend on one another leave no search, and kernels all the same", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, h = 8 64\ninput x[b,h], z[b,h]\nu = x / rms(h, x)\nv = (u + z) / rms(b, u + z)\n"
      "w = (u + v) / rms(h, u + v)\na = (w + z) / rms(b, w + z)\nc = (a + u) / rms(h, a + u)\n"
      "d = (c + z) / rms(b, c + z)\ne = (d + v) / rms(h, d + v)\ny = (e + z) / rms(b, e + z)\noutput y[b,h]\n");
  const Search found = search(program, Field(), {});
  CHECK(holds(found.impossible, "no inputs were found"));
  CHECK(!schedule(program, {}, h200()).plans.empty());
}

TEST_CASE("whoever reads a product in registers goes through it in the product's order", "[opt]") {
  for (const char* output : {"y[n,o,p]", "y[n,p,o]"}) {
    const Program program = parsed(
        "index n = 2 32, c = 8 256, p = 4 3136, o = 8 512\ninput x[n,c,p] f32, w[o,c] f32\n"
        "y = relu(sum(c, x * w))\noutput " +
        std::string(output) + "\n");
    const Scheduled best = best_of(program);
    check_meaning(program, best.plan);
    CHECK(unfused(program, h200()));
  }
}

TEST_CASE("more launches than the search tries are a plan all the same", "[opt]") {
  const Program program = parsed(
      "index b = 4 64, h = 8 256\ninput x[b,h] f32\n"
      "y = softplus(sin(cos(abs(tanh(sigmoid(x)))))) + rms(h, x)\noutput y[b,h] f32\n");
  const auto plan = unfused(program, h200());
  REQUIRE(plan);
  CHECK(plan->plan.kernels.size() > 6);
  check_meaning(program, plan->plan);
}

TEST_CASE("a tensor of 2^31 elements has places of 64 bits, a smaller one of 32", "[opt]") {
  for (const char* size : {"h=65536", "h=1024"}) {
    Program program = parsed("index b = 4 65536, h = 8 4096\ninput x[b,h]\ny = silu(x)\noutput y[b,h]\n");
    set_extent(program, size);
    const std::string text = emit(program, best_of(program).plan);
    CHECK(holds(text, "static_cast<std::int64_t>(") == (std::string(size) == "h=65536"));
  }
  const Program product = parsed(
      "index m = 4 65536, h = 8 65536, n = 4 64\ninput a[m,h], b[h,n]\ny = sum(h, a * b)\noutput y[m,n]\n");
  CHECK(holds(emit(product, best_of(product).plan), "a + static_cast<std::int64_t>(m_first) * h_size"));
}

TEST_CASE("tensor cores take bfloat16 where all of 16 bits is of it", "[opt]") {
  Program program = sized("rmsnorm_linear", {"h=256", "o=512"});
  for (Tensor& tensor : program.graph.inputs)
    if (tensor.constant < 0) tensor.storage = Storage::bf16;
  program.output_storage = Storage::bf16;
  const Graph behind = parse_graph(program, "y = sum(h, x * g * w) / rms(h, x)\n", "test", nullptr);
  const Schedule found = schedule(program, {behind}, h200());
  const Plan& plan = found.plans.front().plan;
  REQUIRE(plan.kernels.front().path == Path::tensor);
  const std::string text = emit(program, plan);
  CHECK(holds(text, "using Half = __nv_bfloat16;"));
  CHECK(holds(text, "m16n8k16.row.col.f32.bf16.bf16.f32"));
  CHECK(holds(text, "= from_float<__nv_bfloat16>("));
  CHECK(holds(text, "std::is_same_v<T, half>"));
  program.output_storage = Storage::f16;
  CHECK(schedule(program, {behind}, h200()).plans.front().plan.kernels.front().path != Path::tensor);
}

TEST_CASE("what is rounded to half for tensor cores has to be a number there", "[opt]") {
  const std::string text =
      "index b = 4 16, h = 8 4096, o = 16 6144\ninput x[b,h], g[h], w[h,o]\n%constant eps = 1e-5\n"
      "y = sum(h, x * g * w) / rms(h, x)\noutput y[b,o]\n";
  const auto path = [&](const std::string& range) {
    std::string own = text;
    own.replace(own.find('%'), 1, range);
    const Program program = parsed(own);
    return best_of(program).plan.kernels.front().path;
  };
  CHECK(path("") == Path::tensor);
  CHECK(path("range x = -1000 1000\n") != Path::tensor);
  CHECK(path("range x = -1000 1000, g = -2 2\n") == Path::tensor);
  const Program norm_first = parsed(
      "index b = 4 16, h = 8 4096, o = 16 6144\ninput x[b,h], g[h], w[o,h]\n"
      "given n = x * g / rms(h, x)\ny = sum(h, n * w)\noutput y[b,o]\n");
  CHECK(best_of(norm_first).plan.kernels.back().path == Path::tensor);  // |n| is at most 64 |g|
}

TEST_CASE("kernels are judged with zeros, with the ends of ranges, and with minus infinity in masks",
          "[opt]") {
  const Program program = parsed(
      "index s = 4 64, t = 8 256, d = 4 32\ninput q[s,d], k[t,d], v[t,d], m[s,t] f32\nrange q = -1000 1000\n"
      "p = exp(sum(d, q * k) + m)\ny = sum(t, p / sum(t, p) * v)\noutput y[s,d]\n");
  const std::vector<EmittedCase> cases = emitted_cases(program, best_of(program).plan);
  REQUIRE(cases.size() == 7);
  const auto holds_value = [](const EmittedCase& one, float value) {
    return std::find(one.inputs.begin(), one.inputs.end(), value) != one.inputs.end();
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CHECK(holds_value(cases[i], -INFINITY) == (i >= 5));
    CHECK(holds_value(cases[i], 0.0f) == (i == 5));
    CHECK(holds_value(cases[i], 1000.0f) == (i == 6));
  }
  // All are judged: the first key is never masked.
  for (const EmittedCase& one : cases)
    for (const double value : one.expected) CHECK(std::isfinite(value));
  // Nobody adds to what exp takes here: no minus infinity.
  for (const EmittedCase& one : emitted_cases(shipped("gelu_chain"), best_of(shipped("gelu_chain")).plan))
    CHECK(!holds_value(one, -INFINITY));
}

TEST_CASE("judging takes no more than a simulator can run", "[opt]") {
  const Program program = parsed(
      "index b = 4 32768, t = 8 128256\ninput x[b,t] f32\ne = exp(x)\ny = e / sum(t, e)\noutput y[b,t] f32\n");
  for (const EmittedCase& one : emitted_cases(program, best_of(program).plan))
    CHECK(one.inputs.size() <= std::size_t{1} << 23);
}

TEST_CASE("a tile that no block can hold is not priced", "[opt]") {
  Program program = shipped("rmsnorm_linear");
  Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::plain, 8}}};
  const auto fault = does_not_fit(program, plan, real_extents(program.graph), h200());
  REQUIRE(fault);
  CHECK(holds(*fault, "KB of shared memory"));
}

TEST_CASE("results are judged element by element, and what was not written is wrong", "[opt]") {
  const Program program = sized("softmax", {"b=40", "t=64"});
  const std::vector<EmittedCase> cases = emitted_cases(program, {*stabilised(program, program.graph), {}});
  REQUIRE(cases.size() == 7);
  std::string right;
  std::size_t elements = 0;
  for (const EmittedCase& one : cases)
    for (const double value : one.expected) {
      const auto stored = static_cast<float>(value);
      right.append(reinterpret_cast<const char*>(&stored), sizeof(stored));
      ++elements;
    }
  EmittedVerdict verdict = judge_emitted(program, cases, right);
  CHECK(verdict.wrong == 0);
  CHECK(verdict.elements == static_cast<std::int64_t>(elements));
  CHECK(judge_emitted(program, cases, right.substr(0, right.size() - 4)).wrong == 1);
  float off = 0.0f;
  std::memcpy(&off, right.data(), sizeof(off));
  off *= 1.001f;
  std::memcpy(right.data(), &off, sizeof(off));
  verdict = judge_emitted(program, cases, right);
  CHECK(verdict.wrong == 1);
  CHECK(holds(verdict.words, "element 0 of y"));
}

TEST_CASE("numbers are rounded as the storage types round", "[opt]") {
  for (std::uint64_t key = 0; key < 2000; ++key) {
    const double value = drawn_normal(key) * std::ldexp(1.0, static_cast<int>(key % 40) - 20);
    CHECK(rounded_to(Storage::f32, value) == static_cast<double>(static_cast<float>(value)));
  }
  CHECK(rounded_to(Storage::f16, 1.0 + 0x1p-11) == 1.0);  // half way: to even
  CHECK(rounded_to(Storage::f16, 1.0 + 0x1.8p-10) == 1.0 + 0x1p-9);
  CHECK(rounded_to(Storage::f16, 0x1.8p-25) == 0x1p-24);  // the smallest
  CHECK(rounded_to(Storage::bf16, 1.0 + 0x1p-8) == 1.0);
}

TEST_CASE("a tensor may be called whatever kernels call something of their own", "[opt]") {
  const std::string
      product =
          "index b = 8 64, h = 16 4096, o = 8 2048\ninput x[b,h], w[h,o]\ny = sum(h, x * w)\noutput y[b,o]\n",
      keys =
          "index n = 2 32, s = 8 2048, t = 8 2048, d = 8 128\ninput q[n,s,d], k[n,t,d], v[n,t,d]\n"
          "p = exp(sum(d, q * k))\ny = sum(t, p / sum(t, p) * v)\noutput y[n,s,d]\n";
  std::set<std::string> own;
  const auto look = [&](const Program& program, const char* gpu) {
    const Schedule found = schedule(program, {program.graph}, *sim::find_gpu(gpu));
    for (const Scheduled& each : found.plans) {
      const std::string text = emit(program, each.plan);
      const std::regex declared(
          "\\b(?:int|float|bool|auto|unsigned|dim3|int2)[&*]? (?:const )?([a-z]+)(?: =|;|\\[| :)");
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(text.find("__global__ void"));
      for (std::sregex_iterator at(begin, text.end(), declared), end; at != end; ++at) own.insert((*at)[1]);
    }
  };
  for (const char* gpu : {"h200", "a100"})
    for (const std::string& text : {product, keys}) look(parsed("type f16\n" + text), gpu);
  for (const char* name : {"softmax", "gelu_chain", "layernorm_linear", "mla_decode"})
    look(shipped(name), "h200");
  for (const char* theirs : {"a", "b", "c", "d", "f", "h", "n", "o", "p", "r", "s", "t", "sum"})
    own.erase(theirs);
  CHECK(own.count("now") + own.count("lane") == 2);
  for (const std::string& name : own) {
    INFO(name);
    const Program program =
        parsed("index r = 4 64, f = 4 64\ninput " + name + "[r,f]\nz = 2 * " + name + "\noutput z[r,f]\n");
    CHECK(holds(emit(program, best_of(program).plan), "* " + name + "_,"));
  }
}
