// What follows from where an element lies, and inputs that are read at other places.
#include <cmath>

#include "optimizer/forms/attention/shape.h"
#include "optimizer/graph/ranges.h"
#include "optimizer/graph/unary.h"
#include "optimizer/judge/check.h"
#include "optimizer/language/text.h"
#include "optimizer/schedule/emit.h"
#include "tests/optimizer/plans.h"

using namespace workbook::opt;
using workbook::test::best_of;
using workbook::test::check_meaning;
using workbook::test::h200;
using workbook::test::holds;
using workbook::test::parsed;

namespace {

const std::string kCausal =
    "index n = 2 4, s = 4 256, d = 4 64, t = 5 256\ninput q[n,s,d], k[n,t,d], v[n,t,d]\n"
    "p = exp(where(s >= t, sum(d, q * k), -inf))\ny = sum(t, p * v) / sum(t, p)\noutput y[n,s,d]\n";

/// The right side of `y` in a program with s of 3, t of 4 and inputs of both and of t.
std::string formula_of(const std::string& expression) {
  return formula(
      parsed("index s = 3, t = 4\ninput x[s,t], z[t]\ny = " + expression + "\noutput y[s,t]\n").graph);
}
std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const TextError& error) {
    return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.sentence;
  }
  return "none";
}
/// Of the first case that a plan is judged on: what is expected, in the order of memory.
std::vector<double> expected_of(const std::string& text) {
  const Program program = parsed(text);
  return emitted_cases(program, best_of(program).plan).front().expected;
}

}  // namespace

TEST_CASE("a comparison of places is one input, however it is written", "[opt]") {
  for (const char* text : {"x * (s >= t)", "(t <= s) * x", "x * (s > t - 1)", "where(s >= t, x, 0)",
                           "where(t > s, 0, x)", "x * (s + 1 > t)", "x * (0 <= s - t)"}) {
    CAPTURE(text);
    CHECK(formula_of(text) == "x * (s >= t)");
  }
  CHECK(formula_of("where((s >= t) * (s < t + 2), x, 0)") == "(s >= t) * (t + 1 >= s) * x");
  CHECK(formula_of("where(t == s, x, 0)") == "x * (s == t)");
  CHECK(formula_of("where(s != t, 1, x)") == "(s != t) + x * (s == t)");
  CHECK(formula_of("z * (t - s)") == "z * (-s + t)");
  CHECK(formula_of("x + 2 * t") == "x + (2 * t)");
  CHECK(formula_of("x * place(t)") == "x * (t)");
  CHECK(formula_of("x / t") == "x / t");  // an index that divides is its extent
  CHECK(formula_of("exp(where(s >= t, x, -inf))") == "exp(x + where(s >= t, 0, -inf))");
  CHECK(formula_of("exp(where(s >= t, x, -inf))") == "exp(x + where(s >= t, 0, -inf))");
  CHECK(formula_of("x * (s + 1 < z)") == "x * positive(z - (s + 1))");
  CHECK(formula_of("max(x, s)") == "max(x, (s))");
}

TEST_CASE("a placed number has the indices that it needs to meet a tensor", "[opt]") {
  const Program program = parsed(
      "index n = 2, s = 3, t = 4\ninput x[n,s,t], slope[n]\ny = x + slope * (t - s)\noutput y[n,s,t]\n");
  CHECK(program.graph.inputs.back().dims == std::vector<std::uint8_t>{0, 1, 2});
  CHECK(program.graph.inputs.back().is_placed());
  const std::string text = graph_text(program, program.graph);
  CHECK(canonical(parse_graph(program, text, "again")) == canonical(program.graph));
}

TEST_CASE("sides with an index each are repeated along the other's", "[opt]") {
  const auto meant = [](const std::string& body, const std::string& output) {
    const Program program = parsed("index b = 3, c = 4, h = 5\ninput x[b,h], z[c,h], u[b]\n" + body +
                                   "\noutput y" + output + "\n");
    check_meaning(program, best_of(program).plan);
    return formula(program.graph);
  };
  CHECK(meant("y = sum(h, |x - z|)", "[b,c]") == "sum(h, abs(x * (1) - z))");
  CHECK(meant("y = sum(h, sum(c, exp(x * z)))", "[b]") == "sum(h, sum(c, exp(x * (1) * z)))");
  CHECK(meant("y = sum(c, sum(h, max(x, z * u)))", "[b]") == "sum(c, sum(h, max(x, z * (1) * u)))");
  // A term that has all indices comes before nothing has to be repeated.
  CHECK(meant("y = sum(c, tanh(sum(h, x * x) + sum(h, z * z) - 2 * sum(h, x * z)))", "[b]") ==
        "sum(c, tanh(sum(h, x * x) - 2 * sum(h, x * z) + sum(h, z * z)))");
}

TEST_CASE("a number is a dimension that is read at other places", "[opt]") {
  const Program program = parsed(
      "index s = 4 64, h = 4 16, t = 3 8\ninput x[h,t], k[4,t], table[4,4,t], id[h] i32\n"
      "y = x * k[h / 4, t] + table[id, 1, t]\noutput y[h,t]\n");
  CHECK(program.graph.indices.size() == 5);
  CHECK(program.graph.indices[3].name == "of_4");
  CHECK(program.graph.indices[3].real == 4);
  CHECK(program.graph.indices[4].name == "of_4_");
  check_meaning(program, best_of(program).plan);
}

TEST_CASE("places that cannot be are refused where they stand", "[opt]") {
  const std::string head = "index s = 3, t = 4, u = 3\ninput x[s,t], id[s] i32, z[t]\n";
  const std::string tail = "\noutput y[s,t]\n";
  CHECK(
      refusal(head + "y = x * t" + tail) ==
      "3:7: an index alone may only divide, as in x / t; its size is size(t), and where in it an element lies is place(t), rounded down by a half t // 2");
  CHECK(refusal(head + "y = x * place(v)" + tail) == "3:15: there is no index 'v'; there are s, t, u");
  CHECK(refusal(head + "y = x + 2000000 * t" + tail) == "3:17: a place times more than 2^20");
  CHECK(refusal(head + "y = x + id" + tail) == "none");  // whole numbers are numbers
  CHECK(refusal(head + "y = x[s]" + tail) == "3:8: x has 2 dimensions: x[s, t]");
  CHECK(refusal(head + "y = x[s, v]" + tail) ==
        "3:10: there is no index 'v', and no input v of type i32, to choose with");
  CHECK(refusal(head + "w = exp(x)\ny = w[s, t - 1]" + tail) ==
        "4:5: of 'w', which is computed, there are no parts: take them of what it is computed from");
  CHECK(refusal(head + "y = x[s, 0 * t]" + tail) == "3:10: a place times 0, or more than 2^20");
  CHECK(refusal(head + "y = concat(t, exp(x), z)" + tail) == "3:15: concat takes inputs: concat(i, a, b)");
  CHECK(refusal("index i = 5, j = 2, k = 2\ninput a[j], b[k]\ny = concat(i, a, b)\noutput y[i]\n") ==
        "3:5: i is 5 5, and the parts are 4 4 together");
  CHECK(refusal("index s = 3, t = 40000000\ninput x[s,t]\ny = x + t\noutput y[s,t]\n") ==
        "3:7: places beyond 2^24, which no float tells apart");
}

TEST_CASE("ranges know of places", "[opt]") {
  const Program program =
      parsed("index s = 3, t = 40\ninput x[s,t]\ny = x * (s >= t) + (t - s)\noutput y[s,t]\n");
  const std::vector<Range> ranges = ranges_of(program.graph);
  for (std::size_t i = 0; i < program.graph.inputs.size(); ++i) {
    const Tensor& tensor = program.graph.inputs[i];
    if (!tensor.is_placed()) continue;
    CHECK(selects(program.graph, static_cast<int>(i)) == tensor.placed.is_condition());
    CHECK(ranges[i].low == (tensor.placed.is_condition() ? 0.0 : -2.0));
    CHECK(ranges[i].high == (tensor.placed.is_condition() ? 1.0 : 39.0));
  }
}

TEST_CASE("the algebra takes a mask for any numbers, and a counterexample for what it is", "[opt]") {
  const Program program = parsed(kCausal);
  const auto checked = [&](const std::string& text) {
    std::vector<int> lines;
    return check(program, parse_graph(program, text, "mine", &lines), lines, Inputs::uniform);
  };
  const std::string scores = "u = sum(d, q * k)\n", rest = "y = sum(t, m / sum(t, m) * v)\n";
  CHECK(checked(scores + "m = exp(u + where(t <= s, 0, -inf))\n" + rest).verified.equal);
  const Checked wrong = checked(scores + "m = exp(where(s > t, u, -inf))\n" + rest);
  CHECK_FALSE(wrong.verified.equal);
  // Without the window nothing differs at extents of 3: no element is far enough from another.
  const Program window =
      parsed("index s = 4 256, t = 4 256\ninput x[s,t]\ny = sum(t, where(s < t + 64, x, 0))\noutput y[s]\n");
  std::vector<int> lines;
  CHECK_FALSE(check(window, parse_graph(window, "y = sum(t, x)\n", "mine", &lines), lines, Inputs::uniform)
                  .verified.equal);
}

TEST_CASE("a maximum over an index is told from one of two conditions") {
  const std::string head = "index s = 3, t = 4\ninput x[s,t]\n";
  CHECK(refusal(head + "y = x * max(s >= t, t < 2)\noutput y[s,t]\n") == "none");  // a window and sinks
  CHECK(refusal(head + "y = x - max(t, x)\noutput y[s,t]\n") == "none");
}

TEST_CASE("causal attention runs on tensor cores, without the turns that nothing is seen of", "[opt]") {
  const Program program = parsed(kCausal);
  const auto best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  REQUIRE(on_tensor_cores(best.plan.kernels[0].path));
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "t_end = min(t_end, 0 + 1 * s_last + 1);"));
  CHECK_FALSE(holds(text, "const half* (s"));
  check_meaning(program, best.plan);

  std::string whole = kCausal;
  whole.replace(whole.find("s >= t"), 6, "s >= 0");  // of places as well, and true everywhere
  CHECK(best.price.us <= best_of(parsed(whole)).price.us);
  const std::vector<Launch> launches = launches_of(program, best.plan);
  const auto shape = attention_shape(program, best.plan, launches[0], best.plan.kernels[0]);
  REQUIRE(shape);
  REQUIRE(shape->hidden.size() == 1);
  const Extents extents = real_extents(program.graph);
  CHECK(shape->keys_shown(best.plan.graph, extents, 0, 15) == std::pair<std::int64_t, std::int64_t>{0, 16});
  CHECK(shape->keys_shown(best.plan.graph, extents, 240, 255) ==
        std::pair<std::int64_t, std::int64_t>{0, 256});
}

TEST_CASE("keys that a factor on places hides are left out like those that a mask hides", "[opt]") {
  std::string words = kCausal;
  words.replace(words.find("exp(where(s >= t, sum(d, q * k), -inf))"), 39,
                "where(s >= t, exp(sum(d, q * k)), 0)");
  const Program program = parsed(words);
  const auto best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  REQUIRE(on_tensor_cores(best.plan.kernels[0].path));
  const auto shape =
      attention_shape(program, best.plan, launches_of(program, best.plan)[0], best.plan.kernels[0]);
  REQUIRE(shape);
  CHECK(shape->hidden.size() == 1);
  CHECK(shape->grows(best.plan.graph));
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "t_end = min(t_end, 0 + 1 * s_last + 1);"));
  CHECK(holds(text, "const int s_first = (gridDim."));  // the blocks with most keys begin first
  if (best.plan.kernels[0].beside == 1) {
    CHECK(holds(text, "const bool all_shown = 0 + 1 * s_first - (t_first + kTileT - 1) >= 0;"));
    CHECK(holds(text, "if (!all_shown) {"));
  }
  check_meaning(program, best.plan);
}

TEST_CASE("of two exps that are contracted none has a maximum of its own", "[opt]") {
  const Program program = parsed(kCausal);
  CHECK(stabilised(program, program.graph));
  for (const char* sums :
       {"y = sum(t, m * e * v) / sum(t, m * e)", "y = sum(t, e * m * v) / sum(t, e * m)"}) {
    CAPTURE(sums);
    CHECK_FALSE(stabilised(
        program,
        parse_graph(program, std::string("m = exp(where(s >= t, 0, -inf))\ne = exp(sum(d, q * k))\n") + sums,
                    "two")));
  }
}

TEST_CASE("a window's keys begin where the first row's do, at a whole tile", "[opt]") {
  std::string text = kCausal;
  text.replace(text.find("s >= t"), 6, "(s >= t) * (s < t + 64)");
  const Program program = parsed(text);
  const auto best = best_of(program);
  REQUIRE(on_tensor_cores(best.plan.kernels[0].path));
  const auto shape =
      attention_shape(program, best.plan, launches_of(program, best.plan)[0], best.plan.kernels[0]);
  REQUIRE(shape);
  const auto [begin, end] = shape->keys_shown(best.plan.graph, real_extents(program.graph), 240, 255);
  CHECK(begin == (240 - 63) / shape->keys * shape->keys);
  CHECK(end == 256);
  check_meaning(program, best.plan);
}

TEST_CASE("inputs at other places", "[opt]") {
  const std::string head = "index b = 2, h = 3, g = 6, k = 2\ninput x[b,g], w[b,h]\n",
                    tail = "\noutput y[b,h]\n";
  const auto difference = [&](const std::string& one, const std::string& other) {
    const std::vector<double> left = expected_of(head + one + tail), right = expected_of(head + other + tail);
    double most = left.size() == right.size() && !left.empty() ? 0.0 : 1.0;
    for (std::size_t i = 0; i < left.size() && most < 1.0; ++i)
      most = std::max(most, std::abs(left[i] - right[i]));
    return most;
  };
  CHECK(difference("y = x[b,h] + w", "y = sum(g, where(g == h, x, 0)) + w") == 0.0);
  CHECK(difference("y = x[b,h + size(h)] + w", "y = sum(g, where(g == h + 3, x, 0)) + w") == 0.0);
  CHECK(difference("y = x[b,2 * h + 1] + w", "y = sum(g, where(g == 2 * h + 1, x, 0)) + w") == 0.0);
  CHECK(difference("y = x[b,h - 1] + w", "y = sum(g, where(g == h - 1, x, 0)) + w") == 0.0);  // 0 outside
  CHECK(difference("y = x[b,h + 5] + w", "y = sum(g, where(g == h + 5, x, 0)) + w") == 0.0);
  CHECK(difference("y = sum(k, x[b,h + k]) + w", "y = x[b,h] + x[b,h + 1] + w") <= 1e-6);
  CHECK(difference("y = w[b,h]", "y = w + 0 * x[b,h]") == 0.0);
  const Program program = parsed(head + "y = silu(x[b,h]) * x[b,h + size(h)]" + tail);
  const auto best = best_of(program);
  check_meaning(program, best.plan);
  CHECK(holds(emit(program, best.plan), "const half* x, [[maybe_unused]] int b_size"));  // once, and no view
  const std::string text = graph_text(program, program.graph);
  CHECK(canonical(parse_graph(program, text, "again")) == canonical(program.graph));
}

TEST_CASE("of a place that divides the last term is divided, and rounded down", "[opt]") {
  const auto place_of = [](const std::string& place) {
    const auto program = [](const std::string& part) {
      return parsed("index b = 4 16, h = 5 7\ninput x[b,h]\ny = " + part + " * 2\noutput y[b,h]\n");
    };
    const Program made = program("x[b, " + place + "]");
    for (const Tensor& tensor : made.graph.inputs)
      if (tensor.view_of >= 0) {
        CHECK(program(tensor.name).graph == made.graph);  // it is read as it is said
        return tensor.view.back();
      }
    FAIL("no view of " << place);
    return Coordinate{};
  };
  Extents extents;
  extents.fill(7);
  const auto values = [&](const std::string& text) {
    const Coordinate place = place_of(text);
    std::vector<std::int64_t> found;
    for (std::int32_t h = 0; h < 4; ++h) {
      Extents at{};
      at[1] = h;
      found.push_back(place.at(at, extents));
    }
    return found;
  };
  CHECK(values("h + size(h) / 2") == std::vector<std::int64_t>{3, 4, 5, 6});
  CHECK(values("h - size(h) / 2") == std::vector<std::int64_t>{-3, -2, -1, 0});
  CHECK(values("(h + size(h)) / 2") == std::vector<std::int64_t>{3, 4, 4, 5});
  CHECK(values("(h - 3) / 2") == std::vector<std::int64_t>{-2, -1, -1, 0});
  CHECK(values("2 - h / 2") == std::vector<std::int64_t>{2, 2, 1, 1});
  CHECK_THROWS_AS(place_of("h / 2 + b / 3"), TextError);
  // C++ rounds towards 0; a row that is moved by a part of it is a row.
  const Program halves = parsed(
      "index b = 4 16, h = 5 64\ninput x[b,h]\ny = x[b, (h - 3) / 2] + x[b, h - size(h) / 2]\noutput y[b,h]\n");
  const std::string text = emit(halves, best_of(halves).plan);
  CHECK(holds(text, "(h - 3) >= 0 ? (h - 3) / 2 : -((1 - (h - 3)) / 2)"));
  CHECK(holds(text, "load_row_at<"));
}

TEST_CASE("a part's row is loaded as a row is, from where it begins", "[opt]") {
  // Rotary positions: rows of which all begins at a multiple of a load, and rows of which nothing does.
  for (const char* sizes :
       {"t = 3 512, h = 2 32, d = 32 128, c = 16 64", "t = 3 512, h = 2 32, d = 31 127, c = 13 61"}) {
    const Program program =
        parsed(std::string("index ") + sizes +
               "\ninput x[t,h,d], co[t,c], ids[h] i32\n"
               "y = where(d < 16, x[t,h,d] * co[t,d] - x[t,h,d+16], x[t,ids,d-16] * co[t,d-16])\n"
               "output y[h,t,d]\n");
    const Scheduled best = best_of(program);
    REQUIRE(best.plan.kernels.size() == 1);
    CHECK(best.plan.kernels[0].path == Path::row);
    const std::string text = emit(program, best.plan);
    CHECK(holds(text, "x + (t * h_size + h) * d_size, 16, d_size, d_size);"));
    CHECK(holds(text, ", co + t * c_size, -16, c_size, d_size);"));
    CHECK(holds(text, " < static_cast<unsigned>(h_size) ? d_size : 0, d_size);"));
    check_meaning(program, best.plan);
  }
}

TEST_CASE("rows are chosen by whole numbers", "[opt]") {
  const Program program = parsed(
      "index b = 4 64, h = 8 256, v = 9 1000\ninput id[b] i32, e[v,h], p[b,h]\ny = e[id,h] + p\noutput y[b,h]\n");
  const auto best = best_of(program);
  check_meaning(program, best.plan);
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "const int* id"));
  CHECK(holds(text, "static_cast<unsigned>(id[b]) < static_cast<unsigned>(v_size)"));
  for (const EmittedCase& one : emitted_cases(program, best.plan))
    for (std::int32_t b = 0; b < one.extents[0]; ++b) {
      const double row = one.inputs[static_cast<std::size_t>(b)];
      CHECK((row >= 0 && row < one.extents[2] && row == std::floor(row)));
    }
}

TEST_CASE("inputs side by side", "[opt]") {
  const std::string head = "index b = 2, i = 5, j = 2, k = 3\ninput x[b,j], z[b,k]\n",
                    tail = "\noutput y[b,i]\n";
  const std::vector<double> got = expected_of(head + "y = concat(i, x, z)" + tail);
  const std::vector<double> wanted =
      expected_of(head + "y = sum(j, where(j == i, x, 0)) + sum(k, where(k + 2 == i, z, 0))" + tail);
  CHECK(got == wanted);
}

TEST_CASE("short rows are beside each other in a block, a warp each", "[opt]") {
  const Program program = parsed(
      "index b = 4 4096, n = 2 32, d = 5 64\ninput x[b,n,d], g[d]\ny = x / rms(d, x, 1e-5) * g\noutput y[b,n,d]\n");
  const auto best = best_of(program);
  REQUIRE(best.plan.kernels.size() == 1);
  const Kernel& kernel = best.plan.kernels[0];
  CHECK(kernel.path == Path::row);
  CHECK(kernel.beside > 1);
  CHECK(kernel.beside == kernel.warps);
  const std::string text = emit(program, best.plan);
  CHECK(holds(text, "if (row >= b_size * n_size) return;"));
  CHECK(holds(text, "return static_cast<int>(threadIdx.x % kThreads);"));
  check_meaning(program, best.plan);
  // A block a row leaves most of its threads without an element.
  Plan alone = best.plan;
  alone.kernels[0].beside = alone.kernels[0].warps = 1;
  const Extents extents = real_extents(program.graph);
  CHECK(price_of(program, alone, extents, h200()).us > 2 * price_of(program, best.plan, extents, h200()).us);
  // Rows of many elements are a block's.
  Plan longer = best.plan;
  longer.graph.indices[2].real = 4096;
  CHECK(emit_fault(parsed("index b = 4 4096, n = 2 32, d = 5 4096\ninput x[b,n,d], g[d]\n"
                          "y = x / rms(d, x, 1e-5) * g\noutput y[b,n,d]\n"),
                   longer));
}
