// Path tensor attention, as far as text and numbers go; tests/cli runs the kernels.
#include "optimizer/forms/attention/shape.h"

#include <algorithm>
#include <atomic>

#include "optimizer/forms/forms.h"
#include "optimizer/schedule/emit.h"
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

namespace {

/// QK-Norm with both norms behind the product, stabilised.
Graph qknorm_graph(const Program& program) {
  return *stabilised(program, parse_graph(program,
                                          "p = exp(sum(d, q * k) / rms(d, k) / rms(d, q))\n"
                                          "y = sum(t, p * v) / sum(t, p)\n",
                                          "test", nullptr));
}

/// 64 rows and 64 keys a turn, in `parts`: the output's division in a launch behind where these are several.
Plan attention_plan(const Graph& graph, int parts = 1) {
  Plan plan{graph, {{needed_nodes(graph), {}, Path::tensor_attention, 4, 2}}};
  Kernel& kernel = plan.kernels[0];
  const Extents extents = real_extents(graph);
  kernel.cuts[0].grid = extents[0];
  kernel.cuts[1].grid = (extents[1] + 63) / 64;
  kernel.cuts[2] = {parts, (extents[2] + 64 * parts - 1) / (64 * parts)};
  if (parts == 1) return plan;
  kernel.nodes &= ~node_bit(graph.output());
  plan.kernels.push_back({node_bit(graph.output()), {}, Path::row, 1});
  plan.kernels[1].cuts[0].grid = extents[0];
  plan.kernels[1].cuts[1].grid = extents[1];
  return plan;
}

AttentionShape shape_of_first(const Program& program, const Plan& plan) {
  return *attention_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
}

int lines_of_longest_kernel(const std::string& text) {
  int longest = 0;
  for (std::size_t at = text.find("__global__"); at != std::string::npos;
       at = text.find("__global__", at + 1)) {
    const auto end = static_cast<std::ptrdiff_t>(text.find("\n}\n", at));
    const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + end, '\n');
    longest = std::max(longest, static_cast<int>(lines) + 2);
  }
  return longest;
}

}  // namespace

TEST_CASE("QK-Norm attention is one launch on tensor cores", "[opt]") {
  const Program program = shipped("qknorm_attention");
  const Plan plan = attention_plan(qknorm_graph(program));
  REQUIRE(!emit_fault(program, plan));
  const AttentionShape shape = shape_of_first(program, plan);
  CHECK(program.graph.indices[slot(shape.row_indices.front())].name == "s");
  CHECK(program.graph.indices[slot(shape.key)].name == "t");
  CHECK(program.graph.indices[slot(shape.column)].name == "d");
  CHECK(shape.batch == std::vector<int>{0});
  CHECK(shape.products.size() == 1);
  CHECK(shape.tiles.size() == 2);
  CHECK(shape.key_sums.size() == 1);  // the statistics of the keys, from their tile
  CHECK(shape.factors(plan.graph, true, true).size() == 1);
  CHECK(shape.factors(plan.graph, false, true).size() == 1);
  CHECK(shape.in_registers());
  const std::string text = emit(program, plan);
  CHECK(holds(text, "constexpr int kTileT = 64;  // of t in a turn of the loop"));
  CHECK(holds(text, "if (d_size > kTileD) return cudaErrorInvalidValue;"));
  CHECK(holds(text, "_scores, q_left, stage.k[0], kTileD + kPad);"));
  CHECK(holds(text, "if (t_end - t_first < kTileT)  // no score behind the last key"));
  CHECK(!holds(text, "wmma"));  // scores and weights stay in registers
  CHECK(!holds(text, "joined_parts"));
  CHECK(lines_of_longest_kernel(text) <= 150);
  CHECK(holds(plan_text(program, plan, real_extents(program.graph)),
              "path tensor attention, 4 warps, 2 stages, grid n in 16 of 1"));
  check_meaning(program, plan);

  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  const runs::LaunchRecord& record = price.launches[0];
  const std::int64_t blocks = 16 * 4, turns = blocks * 64;
  CHECK(price.bytes == 2.0 * 16 * (2 * 256 * 64 + 2 * 4096 * 64));  // q, k, v, y once, as f16
  CHECK(record.counters->blocks_total == blocks);
  CHECK(record.counters->barriers == turns);  // one a turn
  CHECK(record.counters->tensor_flops == 2.0 * 2 * 16 * 256 * 4096 * 64);
  // A turn: 64 rows of k and of v, 16 bytes a lane; a block: 64 rows of q, an element a lane, and of y, two.
  CHECK(record.counters->global_requests == turns * 2 * 64 * 128 / 512 + blocks * 64 * (2 + 1));
  CHECK(record.shared_bytes == shape.bytes(plan.graph, plan.kernels[0]));
}

TEST_CASE("the keys of an attention on tensor cores in parts", "[opt]") {
  const Program program = shipped("qknorm_attention");
  const Plan plan = attention_plan(qknorm_graph(program), 4);
  REQUIRE(!emit_fault(program, plan));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "constexpr int kPartT1 = 16 * kTileT1;  // of t in a block"));
  CHECK(holds(text, "join_row_of_parts<"));
  CHECK(lines_of_longest_kernel(text) <= 150);
  const Launch launch = launches_of(program, plan)[0];
  CHECK(listed(launch.writes, launch.running));  // the parts' maxima cross, too
  check_meaning(program, plan);
  const Price price = price_of(program, plan, real_extents(program.graph), h200());
  CHECK(price.launches[0].counters->dram_bytes_written == 4 * 4 * 16 * 256 * (64 + 2));
}

TEST_CASE("weights count as rounded to half in what is accepted, and left operands that are made", "[opt]") {
  const Program program = shipped("qknorm_attention");
  const auto halved = [&](const Graph& graph) {
    std::vector<std::string> texts;
    for (const int node : node_list(halved_nodes(program, attention_plan(graph))))
      texts.push_back(node_text(graph, node));
    return texts;
  };
  CHECK(halved(qknorm_graph(program)).size() == 1);
  const Graph scaled = *stabilised(program, parse_graph(program,
                                                        "p = exp(sum(d, q / rms(d, q) * k) / rms(d, k))\n"
                                                        "y = sum(t, p * v) / sum(t, p)\n",
                                                        "test", nullptr));
  const std::vector<std::string> texts = halved(scaled);
  REQUIRE(texts.size() == 2);
  CHECK(holds(texts[0], "q / "));
  CHECK(holds(texts[1], "exp("));
  check_meaning(program, attention_plan(scaled));

  // An input of float is rounded, too.
  const Program of_float = parsed(
      "index n = 2 16, s = 4 256, t = 8 4096, d = 4 64\ninput q[n,s,d] f32, k[n,t,d], v[n,t,d]\n"
      "p = exp(sum(d, q * k))\ny = sum(t, p * v) / sum(t, p)\noutput y[n,s,d]\n");
  const Plan plan = attention_plan(*stabilised(of_float, of_float.graph));
  REQUIRE(!emit_fault(of_float, plan));
  CHECK(has(static_cast<IndexSet>(halved_nodes(of_float, plan)), 0));
  check_meaning(of_float, plan);
}

TEST_CASE("the 16 heads of latent attention are the rows of one tile, keys and values one tile", "[opt]") {
  const Program program = shipped("mla_decode");
  const Graph graph =
      *stabilised(program, parse_graph(program,
                                       "p = exp(sum(r, qr * kr) + sum(c, sum(d, qn * wk) * ckv))\n"
                                       "y = sum(c, sum(t, p * ckv) * wv) / sum(t, p)\n",
                                       "test", nullptr));
  const Extents extents = real_extents(graph);
  Plan plan{graph,
            {{0, {}, Path::plain, 8}, {0, {}, Path::tensor_attention, 8, 2, 8}, {0, {}, Path::plain, 8}}};
  const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
  const std::vector<int> nodes = node_list(needed_nodes(graph));
  const auto index = [&](const char* name) {
    return static_cast<int>(std::find_if(graph.indices.begin(), graph.indices.end(),
                                         [&](const Index& each) { return each.name == name; }) -
                            graph.indices.begin());
  };
  bool absorbed = false;
  for (const int node : nodes) {
    const int over = graph.nodes[slot(node)].over;
    const bool behind = over == index("c") && has(shapes[slot(node)], index("e"));
    const std::size_t launch = behind || node == graph.output() ? 2 : over == index("d") ? 0 : 1;
    absorbed = absorbed || launch == 0;
    plan.kernels[launch].nodes |= node_bit(node);
  }
  REQUIRE(absorbed);
  plan.kernels[0].cuts[slot(index("a"))].grid = 16;
  plan.kernels[1].cuts[slot(index("t"))] = {32, 2};
  plan.kernels[2].cuts[slot(index("a"))].grid = 16;
  REQUIRE(!emit_fault(program, plan));
  const std::vector<Launch> launches = launches_of(program, plan);
  const AttentionShape shape = *attention_shape(program, plan, launches[1], plan.kernels[1]);
  CHECK(shape.rows == 16);
  CHECK(shape.row_indices.front() == index("a"));
  CHECK(shape.products.size() == 2);
  CHECK(shape.tiles.size() == 2);  // ckv is both keys and values
  CHECK(shape.shares() == 2);
  CHECK(shape.column_parts() == 4);
  CHECK(!shape.in_registers());
  CHECK(lines_of_longest_kernel(emit(program, plan)) <= 150);
  const runs::LaunchRecord record = counted(program, plan, launches[1], plan.kernels[1], extents);
  CHECK(record.counters->tensor_flops == 2.0 * 16 * 4096 * (512 + 64 + 512));
  CHECK(record.counters->barriers == 32 * (1 + 2 * 3 + 2));
  check_meaning(program, plan);
}

TEST_CASE("a warp has 16 rows of its own, or 32; masks of rows and keys come with the keys", "[opt]") {
  const Program program = parsed(
      "index n = 2 16, s = 4 256, t = 8 4096, d = 4 64\ninput q[n,s,d], k[n,t,d], v[n,t,d], m[s,t]\n"
      "p = exp(sum(d, q * k)) * m\ny = sum(t, p * v) / sum(t, p)\noutput y[n,s,d]\n");
  // The sum below is one of a product, too.
  const Graph graph = *stabilised(
      program, parse_graph(program, "e = exp(sum(d, q * k))\ny = sum(t, e * m * v) / sum(t, e * m)\n", "test",
                           nullptr));
  Plan plan = attention_plan(graph);
  plan.kernels[0].down = 2;
  CHECK(emit_fault(program, plan));  // 128 rows a block, where the grid has 64
  plan.kernels[0].cuts[1].grid = 2;
  REQUIRE(!emit_fault(program, plan));
  const AttentionShape shape = shape_of_first(program, plan);
  CHECK(shape.rows == 128);
  CHECK(shape.sums.size() == 1);
  CHECK(shape.is_staged(3));
  CHECK(shape.is_copied(0));
  const std::string text = emit(program, plan);
  CHECK(holds(text, "constexpr int kDown = 2;  // times 16 rows that a warp has"));
  // The rows of the mask lie one behind the other: a tile, and a loop for where all tiles are whole.
  CHECK(holds(
      text, "copy_tile<kThreads, kTileS, kTileT, decltype(whole)::value>(stage.m[0], m + s_first * t_size"));
  CHECK(holds(text, "if ((t_end - t_begin) % kTileT == 0 && s_size - s_first >= kTileS && d_size == kTileD"));
  CHECK(holds(text, "_inverse = 1.0f / "));  // one a row
  CHECK(holds(text, "load_two(&stage.m[row + 8 * at]"));
  check_meaning(program, plan);
  const runs::LaunchRecord record = price_of(program, plan, real_extents(program.graph), h200()).launches[0];
  CHECK(record.shared_bytes == shape.bytes(plan.graph, plan.kernels[0]));
  CHECK(record.registers > 128);  // two blocks of an SM at most
  plan.kernels[0].down = 3;
  CHECK(emit_fault(program, plan));
}

TEST_CASE("what an attention on tensor cores does not cover is refused", "[opt]") {
  const auto refused = [](const std::string& inputs, const std::string& lines, const std::string& type = "") {
    const Program program = parsed("index n = 2 16, s = 4 256, t = 8 4096, d = 4 64\n" + type + "\ninput " +
                                   inputs + "\n" + lines + "\noutput y[n,s,d]\n");
    const auto fault = emit_fault(program, attention_plan(*stabilised(program, program.graph)));
    return fault && holds(*fault, "a launch of path tensor attention has more than");
  };
  const std::string inputs = "q[n,s,d], k[n,t,d], v[n,t,d]", sums = "y = sum(t, p * v) / sum(t, p)";
  const std::string lines = "p = exp(sum(d, q * k))\n" + sums;
  CHECK(!refused(inputs, lines));
  CHECK(refused(inputs, lines, "type f32"));
  CHECK(!refused("q[n,s,d], k[t,d], v[n,t,d]", lines));    // one k for all n
  CHECK(!refused("q[n,s,d], k[n,d,t], v[n,t,d]", lines));  // transposed
  CHECK(!refused("q[n,s,d], k[t,n,d], v[t,n,d]", lines));
  CHECK(refused("q[n,s,d], k[d,t,n], v[n,t,d]", lines));  // neither keys nor depths are neighbours
  // What is added to scores, or multiplied by their exp, is read as they are weighed.
  CHECK(!refused("q[n,s,d], k[n,t,d], v[n,t,d], b[n,t]", "p = exp(sum(d, q * k) + b)\n" + sums));
  CHECK(!refused("q[n,s,d], k[n,t,d], v[n,t,d], m[s,t] f32", "p = exp(sum(d, q * k) + m)\n" + sums));
  CHECK(!refused("q[n,s,d], k[n,t,d], v[n,t,d], m[s,t]", "p = exp(sum(d, q * k)) * m\n" + sums));
  const Program program = shipped("qknorm_attention");
  Plan plan = attention_plan(qknorm_graph(program));
  plan.kernels[0].stages = 1;
  CHECK(emit_fault(program, plan));
  plan = attention_plan(qknorm_graph(program));
  plan.kernels[0].beside = 3;
  CHECK(emit_fault(program, plan));
  plan.kernels[0].beside = 4;  // 16 rows a block, where the grid has 64
  CHECK(emit_fault(program, plan));
}

TEST_CASE("the schedule finds attention on tensor cores from the graph", "[opt]") {
  const auto found = [](const Program& program, const Graph& graph) {
    const Schedule schedule_of = schedule(program, {graph}, h200());
    REQUIRE(!schedule_of.plans.empty());
    const Scheduled& best = schedule_of.plans.front();
    INFO(plan_text(program, best.plan, real_extents(program.graph)));
    CHECK(std::any_of(best.plan.kernels.begin(), best.plan.kernels.end(),
                      [](const Kernel& kernel) { return kernel.path == Path::tensor_attention; }));
    check_meaning(program, best.plan);
    return best.price.us;
  };
  const Program program = shipped("qknorm_attention");
  const Graph behind = parse_graph(program,
                                   "p = exp(sum(d, q * k) / rms(d, k) / rms(d, q))\n"
                                   "y = sum(t, p * v) / sum(t, p)\n",
                                   "test", nullptr);
  const double us = found(program, behind);
  CHECK(us <=
        price_of(program, attention_plan(qknorm_graph(program)), real_extents(program.graph), h200()).us);
  const Program plain = parsed(test::kAttention);
  found(plain,
        parse_graph(plain, "p = exp(sum(d, q * k))\ny = sum(t, p * v) / sum(t, p)\n", "test", nullptr));
}

TEST_CASE("keys and values lie either way, and rows of several indices share them", "[opt]") {
  const auto attention = [](const std::string& q, const std::string& k, const std::string& v,
                            const std::string& y) {
    return parsed("index n = 2 8, g = 2 4, s = 3 4, d = 4 128, t = 8 4096\ninput q[" + q + "], k[" + k +
                  "], v[" + v + "]\np = exp(sum(d, q * k))\ny = sum(t, p * v) / sum(t, p)\noutput y[" + y +
                  "]\n");
  };
  const auto on_tensor_cores = [](const Program& program) {
    Scheduled best = best_of(program);
    INFO(plan_text(program, best.plan, real_extents(program.graph)));
    REQUIRE(best.plan.kernels[0].path == Path::tensor_attention);
    REQUIRE(!emit_fault(program, best.plan));
    return best;
  };
  const Program usual = attention("n,s,d", "n,t,d", "n,t,d", "n,s,d");
  const double us = on_tensor_cores(usual).price.us;
  const Program turned = attention("n,s,d", "n,d,t", "n,d,t", "n,s,d");
  const Scheduled found = on_tensor_cores(turned);
  CHECK(found.price.us <= 1.1 * us);
  const std::string text = emit(turned, found.plan);
  CHECK(holds(text, "Fragment keys;  // they are its columns"));
  CHECK(holds(text, "TurnedFragment right;"));
  const Program between = attention("s,n,d", "t,n,d", "t,n,d", "s,n,d");
  CHECK(on_tensor_cores(between).price.us <= 1.2 * us);
  // Grouped queries: a block's rows are those of a group and of its positions.
  const Program grouped = attention("n,g,s,d", "n,t,d", "n,t,d", "n,g,s,d");
  const Scheduled rows = on_tensor_cores(grouped);
  CHECK(rows.price.us <= 1.2 * us);
  CHECK(holds(emit(grouped, rows.plan), "const int g = rows / (s_size);"));
}

TEST_CASE("on Hopper groups of warps multiply rows by keys that the GPU copies by itself", "[opt]") {
  const auto attention = [](const std::string& inputs, const std::string& scores) {
    return parsed("index b = 2 4, g = 3 8, s = 5 1024, d = 7 128, t = 9 1024\ninput " + inputs +
                  "\np = exp(" + scores + ")\ny = sum(t, p * v) / sum(t, p)\noutput y[b,s,g,d]\n");
  };
  const Program program =
      attention("q[b,s,g,d], k[b,g,d,t], v[b,t,g,d]", "where(s >= t, sum(d, q * k) * 0.088, -inf)");
  const Plan plan = best_of(program).plan;
  INFO(plan_text(program, plan, real_extents(program.graph)));
  REQUIRE(plan.kernels.size() == 1);
  REQUIRE(plan.kernels[0].path == Path::attention_groups);
  check_meaning(program, plan);
  const auto shape = attention_shape(program, plan, launches_of(program, plan)[0], plan.kernels[0]);
  REQUIRE(shape);
  CHECK(shape->rows == 16 * shape->multiplying(plan.kernels[0]));
  CHECK(shape->bytes(program.graph, plan.kernels[0]) >= 2 * 128 * (shape->rows + 2 * 2 * shape->keys));
  // Keys lie along their depth, values as they are multiplied; two indices besides each.
  const std::string text = emit(program, plan);
  CHECK(holds(text, "make_map(&k_map, k, kTileD, {t_size, d_size, b_size, g_size}, "));
  CHECK(holds(text, "copy_panels<kTileD, kTileT>(stage.k, k_map, &memory->full[now], t_first, 0, b, g);"));
  CHECK(holds(text, "add_panels<false, false, kTileS, kTileT, kTileD, true>("));
  CHECK(holds(text, "t_end = min(t_end, 0 + 1 * s_last + 1);"));
  // Two groups take turns; as many begin as end.
  CHECK(holds(text, "if (warp / 4 == 1 && t_begin + kTileT < t_end) end_turn();"));
  CHECK(holds(text, "if (warp / 4 == 0 || t_first + kTileT < t_end) end_turn();"));
  // A factor of all scores is the exponents', where it is between 0 and 1.
  CHECK(holds(text, "const float steep = 0.088"));
  const auto is_folded = [&](const std::string& scores) {
    const Program of = attention("q[b,s,g,d], k[b,g,d,t], v[b,t,g,d]", scores);
    return holds(emit(of, best_of(of).plan), "const float steep");
  };
  CHECK(is_folded("sum(d, q * k) / sqrt(size(d))"));
  CHECK(!is_folded("sum(d, q * k) * 1.5"));
  CHECK(!is_folded("sum(d, q * k) * -0.5"));
  CHECK(!is_folded("tanh(sum(d, q * k) * 0.5) * 0.5"));
  // What comes with the keys, and what is made of rows before.
  const auto has_groups = [](const Program& of) {
    const Schedule found = schedule(of, {of.graph}, h200());
    return std::any_of(found.plans.begin(), found.plans.end(), [](const Scheduled& each) {
      return each.plan.kernels.front().path == Path::attention_groups;
    });
  };
  CHECK(!has_groups(attention("q[b,s,g,d], k[b,g,d,t], v[b,t,g,d], m[s,t]", "sum(d, q * k) + m")));
  CHECK(!has_groups(attention("q[b,s,g,d], k[b,g,d,t], v[b,t,g,d], c[d]", "sum(d, q * c * k)")));
}

TEST_CASE("rows of several indices that do not lie side by side are those of the longest", "[opt]") {
  // Queries by group and place, results by place and group, as decoders have them.
  const Program program = parsed(
      "index n = 2 2, g = 2 4, s = 5 512, d = 4 128, t = 8 512\ninput q[n,g,s,d], k[n,t,d], v[t,n,d]\n"
      "p = exp(where(s >= t, sum(d, q * k) * 0.088, -inf))\ny = sum(t, p * v) / sum(t, p)\noutput y[s,n,g,d]\n");
  const Scheduled best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  CHECK(on_tensor_cores(best.plan.kernels[0].path));
  CHECK(best.plan.kernels[0].cuts[1].grid == 4);
  const auto shape =
      attention_shape(program, best.plan, launches_of(program, best.plan)[0], best.plan.kernels[0]);
  REQUIRE(shape);
  CHECK(shape->row_indices == std::vector<int>{2});
  CHECK(shape->batch == std::vector<int>{0, 1});
  check_meaning(program, best.plan);
}

TEST_CASE("graphs that cannot be made stable leave their places to others", "[opt]") {
  const Program program = parsed(
      "index b = 4 16, t = 8 512\ninput x[b,t] f32, z[b,t] f32\ny = exp(x + z) / sum(t, exp(x + z))\noutput y[b,t]\n");
  const Graph unstable = parse_graph(program, "y = exp(x) * exp(z) / sum(t, exp(x) * exp(z))\n", "test");
  REQUIRE(!stabilised(program, expanded(program, unstable)));
  std::vector<Graph> graphs(2 * kScheduledGraphs, unstable);
  graphs.push_back(program.graph);
  const Schedule found = schedule(program, graphs, h200());
  CHECK(found.unstable == 2 * kScheduledGraphs);
  REQUIRE(!found.plans.empty());
  CHECK(found.plans.front().plan.graph == *stabilised(program, expanded(program, program.graph)));
}

TEST_CASE("attention on tensor cores is among the first that is priced, whatever the search likes better",
          "[opt]") {
  const Program program = parsed(
      "index n = 2 16, s = 4 1024, t = 8 1024, d = 4 64\ninput q[n,s,d], k[n,t,d], v[n,t,d], m[s,t], w[n]\n"
      "p = exp(sum(d, q * k) * d ** -0.5 + m)\ny = sum(t, p * v) / (sum(t, p) + exp(w))\noutput y[n,s,d]\n");
  // Keys that are scaled before they are multiplied are none that lie in memory.
  std::vector<Graph> liked;
  for (const char* score : {"sum(d, q * (k * d ** -0.5))", "sum(d, k * d ** -0.5 * q)"})
    liked.push_back(parse_graph(
        program, std::string("p = exp(") + score + " + m)\ny = sum(t, p * v) / (sum(t, p) + exp(w))\n",
        "liked"));
  std::atomic<int> left = 3000;  // before which no round of `workbook optimize` ends

  const Schedule found = schedule(program, liked, h200(), {.stop = [&] { return --left < 0; }});
  CHECK(found.stopped);
  REQUIRE(!found.plans.empty());
  CHECK(found.plans.front().plan.kernels[0].path == Path::tensor_attention);
  CHECK(found.plans.front().plan.graph == as_it_stands(program));
  check_meaning(program, found.plans.front().plan);
}
