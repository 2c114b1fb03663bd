// Program text: what is read, what is refused and where.
#include "optimizer/language/text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "optimizer/algebra/evaluate.h"
#include "optimizer/algebra/field.h"
#include "optimizer/graph/order.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/plan/plan.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;
using workbook::test::kShipped;
using workbook::test::parsed;
using workbook::test::shipped;

TEST_CASE("the programs have the node counts of the design's table") {
  const std::pair<const char*, int> kCounts[] = {
      {"rmsnorm_linear", 6}, {"lora_linear", 4},      {"gated_mlp", 4},         {"softmax", 3},
      {"gelu_chain", 4},     {"layernorm_linear", 6}, {"qknorm_attention", 13}, {"mla_decode", 9}};
  for (const auto& [name, count] : kCounts) {
    CAPTURE(name);
    CHECK(shipped(name).graph.operations() == count);
  }
  CHECK(parsed(workbook::test::kAttention).graph.operations() == 5);
  CHECK(parsed(workbook::test::kLayerNorm).graph.operations() == 11);
}

TEST_CASE("a program's formula is what was written") {
  CHECK(formula(shipped("rmsnorm_linear").graph) == "sum(h, x * g / sqrt(mean(h, x * x) + eps) * w)");
  CHECK(
      formula(shipped("qknorm_attention").graph) ==
      "sum(t, t1 / sum(t, t1) * v), t1 = exp(sum(d, q / sqrt(mean(d, q * q) + eps) * (k / sqrt(mean(d, k * k) + eps))))");
}

TEST_CASE("a graph's text is read back as the same graph") {
  for (const std::string name : kShipped) {
    CAPTURE(name);
    const Program program = shipped(name);
    const std::string text = graph_text(program, program.graph);
    CAPTURE(text);
    CHECK(canonical(parse_graph(program, text, "again")) == canonical(program.graph));
  }
}

TEST_CASE("every list of a program's graphs is the same before the nodes") {
  for (const std::string name : kShipped) {
    const Program program = shipped(name);
    for (const Given& given : program.givens) {
      CHECK(given.graph.inputs == program.graph.inputs);
      CHECK(given.graph.functions == program.graph.functions);
    }
  }
}

TEST_CASE("givens are put in") {
  const Program program = shipped("layernorm_linear");
  const Graph whole = expanded(program, program.graph);
  CHECK(whole.inputs.size() == 5);
  CHECK(whole.operations() == 11);
}

TEST_CASE("a canonical graph has ascending keys, whatever order its nodes had") {
  for (const std::string name : kShipped) {
    const Graph graph = canonical(shipped(name).graph);
    for (std::size_t i = graph.inputs.size() + 1; i < graph.nodes.size(); ++i)
      CHECK(order_key(graph.nodes[i - 1]) < order_key(graph.nodes[i]));
  }
}

TEST_CASE("bad program text is refused at its place") {
  struct Bad {
    const char* text;
    int line, column;
    const char* sentence;
  };
  const std::string head = "index b = 2, h = 3, o = 2\ninput x[b,h], w[h,o], z[o]\n";
  const Bad kBad[] = {
      {"y = x * q\noutput y[b,h]", 3, 9, "there is no tensor 'q'"},
      {"y = x + x\noutput y[b,k]", 4, 12, "there is no index 'k'"},
      {"y = x + x\noutput y[b,o]", 4, 1, "y has b and h, and this line says b and o"},
      {"y = x + x", 3, 10, "there is no `output` line"},
      {"y = sum(o, x)\noutput y[b]", 3, 5, "over o, but has b and h"},
      {"y = x * z\noutput y[b,h]", 4, 1, "y has b, h and o, and this line says b and h: what it does not"},
      {"t = x + z\ny = exp(t)\noutput y[b,h]", 5, 1, "is summed, as in sum(o, ...)"},
      {"output y[2]\ny = sum(h, x)", 3, 10, "not '2': index n = 2 gives it one"},
      {"y = x $ x\noutput y[b,h]", 3, 7, "nothing begins with this character"},
      {"y = (x + x\noutput y[b,h]", 3, 11, "')' is expected here"},
      {"y = x + x)\noutput y[b,h]", 3, 10, "the line should end here"},
      {"y = foo(x)\noutput y[b,h]", 3, 5, "there is no function 'foo'; there are sum, mean, rms"},
      {"y = x @ w\noutput y[b,o]", 3, 7, "a matrix product is written as a sum: sum(h, x * w)"},
      {"hello world\noutput y[b,h]", 3, 1, "a line is NAME = EXPRESSION, or begins with index"},
      {"y = where(x > 0, x, -inf)\noutput y[b,h]", 3, 5, "may stand in exp alone"},
      {"y = x * inf\noutput y[b,h]", 3, 7, "inf stands in where"},
      {"range q = 0 1\ny = x + x\noutput y[b,h]", 3, 7, "there is no input 'q'"},
      {"range x = 1 0\ny = x + x\noutput y[b,h]", 3, 11, "the smaller first"},
      {"y = pow(x, x)\noutput y[b,h]", 3, 5, "an exponent is a number; of an x that is positive"},
      {"y = 1.5.2 * x\noutput y[b,h]", 3, 8, "the line should end here"},
      {"y = 1x * x\noutput y[b,h]", 3, 5, "this is no number"},
      {"y =\noutput y[b,h]", 3, 4, "not the end of the line"},
      {"exp = x + x\noutput y[b,h]", 3, 1, "is a word of the language"},
      {"x = x + x\noutput y[b,h]", 3, 1, "there is a 'x' already"},
      {"y = h * x\noutput y[b,h]", 3, 7, "may only divide, as in x / h; its size is size(h), and where"},
      {"y = x * log(h)\noutput y[b,h]", 3, 9,
       "its size is size(h), and where in it an element lies is place(h)"},
      {"y = x / (h - 1)\noutput y[b,h]", 3, 7,
       "this is 0 at h = 1: the size is size(h), as in x / (size(h) - 1)"},
      {"y = x * max(size(h), 4)\noutput y[b,h]", 3, 9, "which of two sizes is larger"},
      {"y = x + x\noutput y[b,h]\noutput y[b,h]", 5, 1, "has one output"},
      {"input x[b]\ny = x + x\noutput y[b,h]", 3, 7, "there is a 'x' already"},
      {"index b = 4\ny = x + x\noutput y[b,h]", 3, 7, "there is an index 'b' already"},
      {"index k = 0\ny = x + x\noutput y[b,h]", 3, 11, "a whole number from 1 on"},
      {"constant c = x\ny = x + x\noutput y[b,h]", 3, 14, "a number is expected"},
      {"input u[b,b]\ny = x + x\noutput y[b,h]", 3, 11, "may stand once"},
      {"input u[b] f8\ny = x + x\noutput y[b,h]", 3, 12, "f16, bf16, f32 or i32"},
      {"y = x + x\nlemma z = x + x\noutput y[b,h]", 4, 7, "another spelling of y"},
      {"y = x + x\nlemma y = sum(h, x)\noutput y[b,h]", 4, 11, "this has b, and the output has b and h"},
      {"view v[b] = x[b,0]\ny = x + x\noutput y[b,h]", 3, 1, "a view is for graphs that are checked"},
      {"given m = x\ny = x + x\noutput y[b,h]", 3, 11, "nothing to compute"},
  };
  for (const Bad& bad : kBad) {
    CAPTURE(bad.text);
    try {
      parsed(head + bad.text);
      FAIL("it was taken");
    } catch (const TextError& error) {
      CAPTURE(error.what());
      CHECK(error.line == bad.line);
      CHECK(error.column == bad.column);
      CHECK_THAT(error.sentence, contains_text(bad.sentence));
      CHECK_THAT(error.what(), contains_text("^"));
    }
  }
}

TEST_CASE("several outputs are so many texts, their lines where they were") {
  const std::string head = "index b = 2, h = 3\ninput x[b,h]\ns = sum(h, x)\n";
  CHECK(one_output_each(head + "output s[b]  # one").size() == 1);
  for (const char* outputs :
       {"output s[b], y[b,h] f32\ny = x / s\n", "output s[b]\ny = x / s\noutput y[b,h] f32\n"}) {
    const std::vector<std::string> texts = one_output_each(head + outputs);
    REQUIRE(texts.size() == 2);
    CHECK(parsed(texts[0]).output_name == "s");
    const Program second = parsed(texts[1]);
    CHECK(second.output_name == "y");
    CHECK(second.output_storage == Storage::f32);
    for (const std::string& text : texts)
      CHECK(std::count(text.begin(), text.end(), '\n') ==
            std::count(head.begin(), head.end(), '\n') +
                std::count(outputs, outputs + std::string(outputs).size(), '\n'));
  }
}

TEST_CASE("signs, powers, comparisons and choices are made of what there is") {
  const std::string head = "index b = 2, h = 3\ninput x[b,h], z[h]\n";
  const auto text = [&](const std::string& right, const std::string& dims = "[b,h]") {
    const Program program = parsed(head + "y = " + right + "\noutput y" + dims + "\n");
    CAPTURE(right);
    CHECK(canonical(parse_graph(program, graph_text(program, program.graph), "again")).nodes ==
          canonical(program.graph).nodes);
    return formula(program.graph);
  };
  CHECK(text("-x") == "x * -1");
  CHECK(text("-x * z") == "x * -1 * z");
  CHECK(text("x - -2") == "x - -2");
  CHECK(text("x ** 2") == "x * x");
  CHECK(text("pow(x, 3)") == "x * x * x");
  CHECK(text("x ** 0.5") == "sqrt(x)");
  CHECK(text("pow(x, -1)") == "1 / x");
  CHECK(text("x ** 1.5") == "exp(1.5 * log(x))");
  CHECK(text("min(x, z)") == "-1 * max(x * -1, z * -1)");
  CHECK(text("min(h, x)", "[b]") == "-1 * max(h, x * -1)");
  CHECK(text("x > 0") == "positive(x)");
  CHECK(text("x >= z") == "not_positive(z - x)");
  CHECK(text("x == 1") == "zero(x - 1)");
  CHECK(text("where(x > z, x, 0)") == "x * positive(x - z)");
  CHECK(text("where(z, x, 1)") == "zero(z) + x * not_zero(z)");
  CHECK(text("exp(where(x > 0, x, -inf))") == "positive(x) * exp(x)");
  CHECK(text("sigmoid(x) + log(x) + softplus(x) + abs(x) + erf(x) + sin(x) + cos(x)").size() > 40);
  CHECK(text("x / rms(h, x, 1e-6)") == "x / sqrt(mean(h, x * x) + 1e-6)");
  CHECK(text("x") == "x");
  const Program ranged = parsed(head + "range x = -1000 1000, z = -inf 0\ny = x + z\noutput y[b,h]\n");
  CHECK(ranged.graph.inputs[0].high == 1000.0);
  CHECK(ranged.graph.inputs[1].holds_minus_infinity);
  CHECK(ranged.graph.inputs[1].low == -kUsualRange);
}

TEST_CASE("numbers follow from sizes, and products of several wait for their sum") {
  const std::string head =
      "index b = 2 5, h = 3 64, o = 2 7\ninput x[b,h], w[h,o], z[h], v[o,b,h]\nconstant c = 9\n";
  const auto text = [&](const std::string& right, const std::string& dims = "[b,h]") {
    CAPTURE(right);
    const Program program = parsed(head + "y = " + right + "\noutput y" + dims + "\n");
    CHECK(canonical(parse_graph(program, graph_text(program, program.graph), "again")).nodes ==
          canonical(program.graph).nodes);
    return formula(program.graph);
  };
  CHECK(text("x / sqrt(h)") == "x / sqrt(size(h))");
  CHECK(text("x * h ** -0.5") == "x * rsqrt(size(h))");
  CHECK(text("x * (1 / sqrt(h))") == "x * (1/sqrt(size(h)))");
  CHECK(text("sum(h, (x - mean(h, x)) ** 2) / (size(h) - 1)", "[b]") ==
        "sum(h, t1 * t1) / (size(h)-1), t1 = x - mean(h, x)");
  CHECK(text("x / size(h)") == "x / h");
  CHECK(text("x * (1 / h)") == "x / h");
  CHECK(text("x * sqrt(c) * 2 ** 3") == "x * sqrt(c) * (2**3)");
  CHECK(text("2 ** x") == "exp(x * log(2))");
  CHECK(text("x ** c") == text("x ** 9"));
  for (const char* product : {"sum(h, x * w * 2)", "sum(h, (x * w) * 2)", "sum(h, 2 * (x * w))"})
    CHECK_THAT(text(product, "[b,o]"), contains_text("2"));
  CHECK(text("sum(h, (x * w) / sqrt(h))", "[b,o]") == "(1/sqrt(size(h))) * sum(h, x * w)");
  CHECK(text("sum(h, x * w / h)", "[b,o]") == "mean(h, x * w)");
  CHECK(text("sum(h, x * w * z)", "[b,o]") == text("sum(h, x * z * w)", "[b,o]"));
  CHECK(text("sum(h, sum(o, w * x * v))", "[b]") == "sum(h, t2), t1 = w * v, t2 = x * sum(o, t1)");
  const Program named = parsed(head + "t = x * w\ny = sum(h, t)\noutput y[b,o]\n");
  CHECK(formula(named.graph) == "sum(h, x * w)");
  const Program sized = parsed(head + "y = x / (sqrt(h) - 2)\noutput y[b,h]\n");
  REQUIRE(sized.graph.constants.size() == 2);
  const Constant& root = sized.graph.constants[1];
  CHECK(value_of(root, real_extents(sized.graph)) == 6.0);
  CHECK(value_of(root, teaching_extents(sized.graph)) == std::sqrt(3.0) - 2.0);
  CHECK(text_of(root, [](int) { return std::string("h_size"); }) ==
        "(sqrtf(static_cast<float>(h_size)) - 2.00000000f)");
}

TEST_CASE("what NumPy's and PyTorch's users write is read, or refused with what to write") {
  const std::string head = "index b = 2 5, h = 3 64, u = 3 64\ninput x[b,h], z[b,h], id[b] i32, l[b,u]\n";
  const auto text = [&](const std::string& right, const std::string& dims = "[b,h]") {
    return formula(parsed(head + "y = " + right + "\noutput y" + dims + "\n").graph);
  };
  const std::tuple<const char*, const char*, const char*> kSame[] = {
      {"|x - z|", "abs(x - z)", "[b,h]"},
      {"+x", "x", "[b,h]"},
      {"where(x > 0 and z > 0, x, 0)", "where((x > 0) * (z > 0), x, 0)", "[b,h]"},
      {"where((x > 0) | (z > 0), x, 0)", "where(max(x > 0, z > 0), x, 0)", "[b,h]"},
      {"clamp(x, 0, 6)", "min(max(x, 0), 6)", "[b,h]"},
      {"var(h, x)", "mean(h, (x - mean(h, x)) ** 2)", "[b]"},
      {"norm(h, x - z)", "sqrt(sum(h, (x - z) * (x - z)))", "[b]"},
      {"softmax(h, clip(x, -1, 1))", "exp(min(max(x, -1), 1)) / sum(h, exp(min(max(x, -1), 1)))", "[b,h]"},
      {"sum(b, h, x)", "sum(b, sum(h, x))", ""},
      {"leaky_relu(x, 0.1)", "max(x, 0) + 0.1 * min(x, 0)", "[b,h]"},
      {"leaky_relu(x)", "max(x, 0) + 0.01 * min(x, 0)", "[b,h]"},
      {"elu(x, 0.5)", "max(x, 0) + 0.5 * expm1(min(x, 0))", "[b,h]"},
      {"max(x, z, 0)", "max(max(x, z), 0)", "[b,h]"},
      {"min(x, 1, z)", "min(min(x, 1), z)", "[b,h]"},
      {"where(x > 0 && z > 0 || x < -1, x, z)", "where((x > 0) * (z > 0) or x < -1, x, z)", "[b,h]"},
      {"where(not x > 0 and z > 0, x, 0)", "where((x <= 0) * (z > 0), x, 0)", "[b,h]"},
      {"where(!(x > 0), x, z)", "where(~(x > 0), x, z)", "[b,h]"},
      {"where(not h > 1, x, 0)", "where(h <= 1, x, 0)", "[b,h]"},
      {"x % 2", "x - 2 * floor(x / 2)", "[b,h]"},
      {"where(h // 2 == 1, x, 0)", "where(floor(place(h) / 2) == 1, x, 0)", "[b,h]"},
      {"where(h % 2 == 0, x, z)", "where(place(h) - 2 * floor(place(h) / 2) == 0, x, z)", "[b,h]"},
      {"rms_norm(h, x)", "x / rms(h, x, 1e-5)", "[b,h]"},
      {"layer_norm(h, x)", "(x - mean(h, x)) / sqrt(mean(h, (x - mean(h, x)) ** 2) + 1e-5)", "[b,h]"},
      {"amax(h, x)", "max(h, x)", "[b]"},
      {"sinh(x) + ln(z) + trunc(x)", "(expm1(x) - expm1(-x)) / 2 + log(z) + sign(x) * floor(abs(x))",
       "[b,h]"},
      {"x[b, (h + 1) / 2]", "x[b,(h + 1) // 2]", "[b,h]"},
      {"x[b,h] + z[b, h]", "x + z", "[b,h]"},
  };
  for (const auto& [one, other, dims] : kSame) CHECK(text(one, dims) == text(other, dims));
  CHECK(text("x * cos(pi)") == "x * cos(pi)");
  CHECK(text("where(id == 3, x, 0)") == "x * zero(id - 3)");
  CHECK_THAT(text("where(h < id, x, 0)"), contains_text("positive(id - "));
  CHECK(text("floor(x) + log1p(z)") == "floor(x) + log1p(z)");
  // A tensor may be called as a function that is written with others.
  CHECK(formula(parsed(head + "norm = x + z\ny = norm * x\noutput y[b,h]\n").graph) == "(x + z) * x");
  const std::pair<const char*, const char*> kRefused[] = {
      {"argmax(h, x)", "is no number that is computed here"},
      {"cumsum(h, x)", "is a masked sum over another index"},
      {"matmul(x, z)", "a matrix product is a sum of a product"},
      {"transpose(x)", "an element is found by the names of its indices"},
      {"sum(x)", "sum names the index first over which it goes: sum(h, x)"},
      {"softmax(x)", "softmax names the index first"},
      {"x.sum(h)", "a tensor has no methods"},
      {"x ^ 2", "a power is written **"},
      {"x[:, h]", "a part says where each of its elements lies"},
      {"x if z > 0 else z", "a choice is where(c, a, b)"},
      {"0 < x < 1", "two comparisons are joined by and"},
      {"clamp(x, 0)", "',' is expected here, not ')'"},
      {"var(h, l)", "it is over h, but has b and u"},
      {"x[b, -1]", "place -1 lies outside of h, whose places are 0 to 63; the last one is size(h) - 1"},
      {"x[b, size(h)]", "lies outside of h"},
      {"x[b, h / 2 + u / 2]", "what is divided as a sum stands in parentheses"},
      {"x[b]", "x has 2 dimensions: x[b, h]"},
      {"x / 0", "this divides by 0"},
      {"x * sqrt(-1)", "sqrt(-1) is no number"},
      {"Exp(x)", "there is no function 'Exp', but 'exp'"},
      {"torch.exp(x)", "a function stands by its name alone"},
      {"clamp(x, min=0)", "arguments have no names"},
      {"where(x = 0, 1, x)", "a comparison is =="},
      {"where(x > 0, x)", "where(c, a, b)"},
      {"max(h, x, 0)", "or over an index max(h, x)"},
      {"2x", "a product has its sign: 2 * x"},
      {"x z", "or a sign or a comma stand before it"},
      {"x;", "a line is one statement"},
      {"x <> z", "what differs is x != z"},
      {"x > 0 ? x : z", "a choice is where(c, a, b)"},
      {"e ** x", "e to the power of x is exp(x)"},
      {"sum(k, x)", "there is no index 'k'; there are b, h, u"},
      {"sum[h](x)", "an index is an argument: sum(h, x)"},
      {"half(x)", "types are those of inputs and of the output"},
      {"[x, z]", "inputs side by side are concat(i, a, b)"},
      {"x \xc3\x97 z", "only ASCII is read"},
  };
  for (const auto& [wrong, words] : kRefused) {
    CAPTURE(wrong);
    try {
      text(wrong);
      FAIL("it was taken");
    } catch (const TextError& error) {
      CHECK_THAT(error.sentence, contains_text(words));
      CHECK(error.line == 3);
      CHECK(error.column >= 5);
    }
  }
}

TEST_CASE("lines that are none, and declarations that are meant otherwise, are said at their own place") {
  struct Bad {
    const char* text;
    int line, column;
    const char* sentence;
  };
  const Bad kBad[] = {
      {"dim b = 4\ninput x[b]\ny = x\noutput y[b]", 1, 1, "is 'index' meant?"},
      {"index b = 4\ninputs x[b]\ny = x\noutput y[b]", 2, 1, "is 'input' meant?"},
      {"index b = 4\ninput x[b]\ny = x\nreturn y", 4, 1, "is 'output' meant?"},
      {"index b = 4\ninput x[b]\ny += x\noutput y[b]", 3, 1, "each name is said once"},
      {"index b = 4\ninput x[b]\ny, z = x, x\noutput y[b]", 3, 1, "two results are two lines"},
      {"index b = 4\ninput x[b]\nx = x + 1\noutput x[b]", 3, 1, "so give this one another"},
      {"index b = 4\ninput x[b]\nb = x + 1\noutput b[b]", 3, 1, "an index, whose place is place(b)"},
      {"input x[b]\ny = x\noutput y[b]", 1, 9, "index b = 64 is one of 64"},
      {"index b = 4\ninput x(b)\ny = x\noutput y[b]", 2, 8, "indices stand in [ ]"},
      {"index b = 4 h = 6\ninput x[b]\ny = x\noutput y[b]", 1, 13, "or a sign or a comma stand before it"},
      {"index b = 4\ninput x[b]\nrange x = 0..1\ny = x\noutput y[b]", 3, 11, "the ends of a range are two"},
      {"index b = 4\ninput x[b]\nrange x = [0, 1]\ny = x\noutput y[b]", 3, 11, "two numbers stand here"},
      {"index b = 4 // rows\ninput x[b]\ny = x\noutput y[b]", 1, 13, "a comment begins with #"},
      {"index b = 4\ninput x[b] f64\ny = x\noutput y[b]", 2, 12, "not 'f64'"},
      {"index b = 4, v = 9\ninput e[v], id[b]\ny = e[id]\noutput y[b]", 3, 7,
       "id is f16, and what chooses is i32"},
      {"index b = 4, v = 9\ninput e[v], id[b] i32\ny = e[id + 1]\noutput y[b]", 3, 10,
       "by what it holds alone"},
  };
  for (const Bad& bad : kBad) {
    CAPTURE(bad.text);
    try {
      parsed(bad.text);
      FAIL("it was taken");
    } catch (const TextError& error) {
      CAPTURE(error.what());
      CHECK(error.line == bad.line);
      CHECK(error.column == bad.column);
      CHECK_THAT(error.sentence, contains_text(bad.sentence));
    }
  }
  for (const char* type : {"float16", "half", "fp16"})
    CHECK(parsed("index b = 4\ninput x[b] " + std::string(type) + "\ny = x\noutput y[b] float32")
              .graph.inputs[0]
              .storage == Storage::f16);
  CHECK(formula(parsed("index b = 4, v = 9\ninput e[v], id[b] int32\ny = e[id[b]]\noutput y[b]").graph) ==
        "e[id]");
  // What is computed may be named with its indices.
  CHECK(
      formula(parsed("index b = 4, h = 9\ninput x[b,h]\nt = exp(x)\ny = t[b,h] * x\noutput y[b,h]").graph) ==
      "x * exp(x)");
}

TEST_CASE("10 000 damaged programs are read, or refused with a place") {
  int taken = 0, refused = 0;
  for (std::uint64_t key = 0; key < 10'000; ++key) {
    const std::string name = kShipped[key % std::size(kShipped)];
    std::string text = shipped(name).text;
    static constexpr std::string_view kBits[] = {"(",  ")", ",", "*",       "/", " - ", "=",  "[", "]",
                                                 "\n", "1", "x", "sum(h, ", "h", "exp", "\t", "#", "view "};
    for (std::uint64_t edit = 0; edit <= key % 3; ++edit) {
      const std::size_t at = mixed(key, 10 * edit + 1) % text.size();
      const std::size_t length = mixed(key, 10 * edit + 2) % 4;
      text.replace(at, length, kBits[mixed(key, 10 * edit + 3) % std::size(kBits)]);
    }
    CAPTURE(text);
    try {
      const Program program = parsed(text);
      ++taken;
      if (const auto fault = type_fault(program.graph, program.output_set())) FAIL(fault->sentence);
      if (!(canonical(parse_graph(program, graph_text(program, program.graph), "again")).nodes ==
            canonical(program.graph).nodes))
        FAIL("printed as another graph: " << graph_text(program, program.graph));
    } catch (const TextError& error) {
      ++refused;
      if (error.line < 1 || error.column < 1 || error.sentence.empty()) FAIL(error.what());
    }
  }
  CHECK(taken > 500);
  CHECK(refused > 500);
}

TEST_CASE("as many inputs as there may be, and no more") {
  std::string text = "index h = 2\n", sum = "y = x0";
  for (int i = 0; i < 40; ++i) {
    text += "input x" + std::to_string(i) + "[h]\n";
    if (i > 0) sum += " + x" + std::to_string(i);
  }
  CHECK_THROWS_AS(parsed(text + sum + "\noutput y[h]\n"), TextError);
}
