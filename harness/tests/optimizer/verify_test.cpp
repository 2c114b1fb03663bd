// Verification: equal is equal, wrong is refused, and the fields agree with doubles on random mutants.
#include "optimizer/judge/verify.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "optimizer/language/text.h"
#include "optimizer/search/algebra.h"
#include "optimizer/search/enumerate.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;
using workbook::test::kShipped;
using workbook::test::parsed;
using workbook::test::shipped;

namespace {

/// A node of the graph changed at random; false where it has not what would be changed.
bool change(Graph& graph, std::uint64_t key) {
  const std::size_t inputs = graph.inputs.size();
  const std::size_t at = inputs + mixed(key, 1) % (graph.nodes.size() - inputs);
  Node& node = graph.nodes[at];
  const auto any = [&](std::uint64_t stream) { return static_cast<std::int8_t>(mixed(key, stream) % at); };
  switch (mixed(key, 2) % 5) {
    case 0:
      node.a = any(3);
      return true;
    case 1:
      if (node.b < 0) return false;
      node.b = any(4);
      return true;
    case 2: {
      if (node.b < 0 || node.over >= 0) return false;
      static constexpr Op kOps[] = {Op::add, Op::sub, Op::mul, Op::div};
      node.op = kOps[mixed(key, 5) % 4];
      return true;
    }
    case 3:
      if (node.over < 0) return false;
      node.over = static_cast<std::int8_t>(mixed(key, 6) % graph.indices.size());
      return true;
    default:
      if (node.b < 0) return false;
      std::swap(node.a, node.b);
      return true;
  }
}

/// The program's graph with one to three changes, or nothing where that makes no graph.
std::optional<Graph> mutant_of(const Program& program, std::uint64_t key) {
  Graph graph = program.graph;
  for (std::uint64_t left = 1 + mixed(key, 7) % 3; left > 0; --left)
    if (!change(graph, mixed(key, 100 + left))) return std::nullopt;
  if (type_fault(graph, program.output_set())) return std::nullopt;
  if (shapes_of(graph, program.output_set())[static_cast<std::size_t>(graph.output())] !=
      program.output_set())
    return std::nullopt;
  return graph;
}

enum class Same { yes, no, unknown };

/// Values of the program and of the mutant at the same inputs, which have `number`'s values.
template <class Number>
std::pair<NumberTensor, NumberTensor> both_of(const Program& program, Graph graph, const Extents& extents,
                                              Number number) {
  Graph own = program.graph;
  for (std::size_t i = 0; i < own.constants.size(); ++i)  // a small eps would hide in the rounding
    own.constants[i].value = graph.constants[i].value = 0.3 + 0.1 * static_cast<double>(i);
  std::vector<NumberTensor> inputs;
  for (std::size_t input = 0; input < own.inputs.size(); ++input) {
    const Tensor& tensor = own.inputs[input];
    NumberTensor values{tensor.set(), {}, {}};
    for (std::size_t i = 0; i < size_of(values.set, extents); ++i)
      values.values.push_back(tensor.constant >= 0
                                  ? own.constants[static_cast<std::size_t>(tensor.constant)].value
                                  : number(static_cast<int>(input), i));
    inputs.push_back(values);
  }
  const auto values = [&](const Graph& of) {
    return evaluate_numbers(of, program.output_set(), extents, inputs,
                            {0x1p-53})[static_cast<std::size_t>(of.output())];
  };
  return {values(own), values(graph)};
}

/// By doubles whose bounds say what they know.
Same in_doubles(const Program& program, const Graph& graph, const Extents& extents, std::uint64_t key) {
  const auto [a, b] = both_of(program, graph, extents, [&](int input, std::size_t i) {
    const std::uint64_t name = hash_of(program.graph.inputs[static_cast<std::size_t>(input)].name);
    return 0.5 + static_cast<double>(mixed(key, name + i) >> 11) * 0x1p-53;
  });
  bool unknown = false;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double bound = 4 * (a.bounds[i] + b.bounds[i]), difference = std::abs(a.values[i] - b.values[i]);
    if (difference > bound) return Same::no;
    if (!(bound < 1e-9 * std::abs(a.values[i]))) unknown = true;
  }
  return unknown ? Same::unknown : Same::yes;
}

/// What an equal mutant is at zeros, ties, ends and minus infinities: the same, another number, or none.
enum class AtEdges { same, another, none };
AtEdges at_edges(const Program& program, const Graph& graph, const Extents& extents, std::uint64_t key,
                 int draws) {
  AtEdges result = AtEdges::same;
  for (int draw = 0; draw < draws && result == AtEdges::same; ++draw) {
    static constexpr Edge kEdges[] = {Edge::few, Edge::ends, Edge::none};
    const Edge edge = kEdges[draw % 3];
    key = mixed(key, 13);
    const auto [a, b] = both_of(program, graph, extents, [&](int input, std::size_t i) {
      const std::uint64_t name = hash_of(program.graph.inputs[static_cast<std::size_t>(input)].name);
      return edge_number(program.graph, input, edge,
                         mixed(mixed(key, static_cast<std::uint64_t>(edge)), name + i));
    });
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      if (!std::isfinite(a.values[i]) || !std::isfinite(a.bounds[i])) continue;
      if (!std::isfinite(b.values[i]) || !std::isfinite(b.bounds[i])) {
        result = AtEdges::none;
        continue;
      }
      const double bound = 4 * (a.bounds[i] + b.bounds[i]) + 1e-9 * std::abs(a.values[i]);
      if (std::abs(a.values[i] - b.values[i]) > bound) return AtEdges::another;
    }
  }
  return result;
}

}  // namespace

// WORKBOOK_MUTANTS: how many of them, 20 000 else; then it prints its figures.
TEST_CASE("random mutants: one draw in the fields says what doubles say") {
  const char* wanted = std::getenv("WORKBOOK_MUTANTS");
  const std::int64_t count = wanted ? std::stoll(wanted) : 20'000;
  struct Prepared {
    Program program;
    Extents extents;
    std::unique_ptr<FieldEvaluator> evaluator;
    std::vector<FieldTensor> inputs;
    Fingerprint output;
    bool draws_more = false;
  };
  const Field field;
  // Beside the shipped ones, places and parts: masks, distances, windows, halves, chosen rows.
  const char* const kPlaces[] = {
      "index s = 4, t = 4, d = 3\ninput q[s,d], k[t,d], v[t,d], z[s]\n"
      "p = exp(where((s >= t) * (s < t + 2), sum(d, q * k) + z * (t - s), -inf))\ny = sum(t, p / sum(t, p) * v)\n"
      "output y[s,d]\n",
      "index b = 2, h = 3, g = 6, v = 5\ninput x[b,g], e[v,h], id[b] i32\n"
      "y = silu(x[b,h]) * x[b,h + size(h)] + e[id,h] * place(h)\noutput y[b,h]\n",
      // Masks that hold minus infinity, maxima and what is 0 below 0, ranges.
      "index s = 3, t = 3, d = 3\ninput q[s,d], k[t,d], v[t,d], m[s,t]\nrange m = -inf 0, v = 0 1000\n"
      "p = exp(sum(d, q * k) + m)\ny = sum(t, p * v) / sum(t, p)\noutput y[s,d]\n",
      "index b = 2, h = 3\ninput x[b,h], z[b,h], g[h]\nrange g = -8 8\n"
      "y = max(x, z) * relu(x) + (max(h, x) - x) * g / (1 + z * z)\noutput y[b,h]\n"};
  std::vector<Prepared> all(std::size(kShipped) + std::size(kPlaces));
  for (std::size_t i = 0; i < all.size(); ++i) {
    Prepared& one = all[i];
    const bool ships = i < std::size(kShipped);
    one.program = ships ? shipped(kShipped[i]) : workbook::test::parsed(kPlaces[i - std::size(kShipped)]);
    one.extents = tiny_extents(one.program, 3 - static_cast<int>(i % 2));
    const Graph& graph = one.program.graph;
    one.evaluator = std::make_unique<FieldEvaluator>(field, graph, one.extents, Draw{3, 0});
    one.inputs = drawn_inputs(*one.evaluator, one.program, Inputs::uniform);
    for (const Node& node : graph.nodes) one.draws_more = one.draws_more || node.op == Op::max;
    one.output = fingerprint(evaluate(*one.evaluator, graph, one.program.output_set(),
                                      one.inputs)[static_cast<std::size_t>(graph.output())]);
  }
  const auto began = std::chrono::steady_clock::now();
  std::int64_t compared = 0, equal = 0, unknown = 0, disagreements = 0, none = 0, edges = 0, refused = 0;
  constexpr std::int64_t kMostRefused = 50;  // of those that have no number at an edge
  for (std::uint64_t key = 0; compared < count; ++key) {
    Prepared& one = all[key % all.size()];
    const auto mutant = mutant_of(one.program, key);
    if (!mutant) continue;
    const auto values = evaluate(*one.evaluator, *mutant, one.program.output_set(), one.inputs);
    const FieldTensor& output = values[static_cast<std::size_t>(mutant->output())];
    if (output.zero_divisor) continue;
    const Same same = in_doubles(one.program, *mutant, one.extents, key);
    if (same == Same::unknown) {
      ++unknown;
      continue;
    }
    ++compared;
    equal += same == Same::yes ? 1 : 0;
    // Of maxima one draw says little: which is larger may be the same.
    const bool in_fields = fingerprint(output) == one.output &&
                           (!one.draws_more || Verifier(one.program, {}).verify(*mutant, false).equal);
    if (same == Same::yes) {  // of positive numbers: what they do not tell apart, others may
      ++edges;
      const AtEdges there = at_edges(one.program, *mutant, one.extents, key, in_fields ? 3 : 200);
      if (in_fields && there == AtEdges::none) {
        ++none;
        if (refused < kMostRefused) refused += RoundingCheck(one.program).of(*mutant).within ? 0 : 1;
      }
      if (in_fields == (there != AtEdges::another)) continue;
      if (!in_fields && there != AtEdges::same) continue;
    } else if (!in_fields) {
      continue;
    }
    ++disagreements;
    UNSCOPED_INFO(one.program.name << ", mutant " << key << ": " << formula(*mutant));
  }
  if (wanted)
    std::printf(
        "%lld mutants of %zu programs, %lld of them equal; %lld more that doubles cannot tell; "
        "%lld tried at zeros, ties, ends of ranges and minus infinities, where %lld have no number and the program one "
        "(%lld of the first are refused for it); "
        "%lld disagreements; %.1f s\n",
        static_cast<long long>(compared), all.size(), static_cast<long long>(equal),
        static_cast<long long>(unknown), static_cast<long long>(edges), static_cast<long long>(none),
        static_cast<long long>(refused), static_cast<long long>(disagreements),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  CHECK(disagreements == 0);
  CHECK(refused >= std::min(none, kMostRefused) / 2);  // by data of its own, not by these
  CHECK(equal > count / 20);
  CHECK(compared - equal > count / 20);
  CHECK(unknown < compared / 4);
}

TEST_CASE("all that the search finds is verified, with the draws that the bound asks for") {
  for (const auto& [name, nodes] : {std::pair<const char*, int>{"rmsnorm_linear", 0},
                                    {"lora_linear", 0},
                                    {"qknorm_attention", 13},
                                    {"gated_mlp", 0},
                                    {"layernorm_linear", 8}}) {
    CAPTURE(name);
    const Program program = shipped(name);
    SearchOptions options;
    options.most_nodes = nodes;
    Verifier verifier(program, {});
    int number = 0;
    for (const Graph& graph : search(program, Field(), options).found) {
      const Verified verified = verifier.verify(graph, number++ == 0);
      CHECK(verified.equal);
      CHECK(verified.chance <= 1e-9);
    }
  }
}

TEST_CASE("the bound: four draws without exp, sixty-four for one softmax over two keys") {
  const Program linear = shipped("rmsnorm_linear");
  const Verified plain = Verifier(linear, {}).verify(linear.graph, false);
  CHECK(plain.draws == 4);
  CHECK(plain.difference.degree < 64);
  CHECK(plain.difference.roots);
  CHECK(plain.chance < 1e-26);
  const Program attention = parsed(workbook::test::kAttention);
  const Verified soft = Verifier(attention, {}).verify(attention.graph, false);
  CHECK(soft.difference.exponentials == 8);  // 2 t^2, t = 2
  CHECK(soft.draws == 64);
  // At many keys the bound says nothing, and that is said.
  Extents wide = tiny_extents(attention);
  wide.fill(64);
  CHECK(difference_of(attention, attention.graph, wide).chance_a_draw(Field()) == 1.0);
}

TEST_CASE(
    "wrong QK-Norm graphs: the progression lets them pass, uniform inputs refuse them at the first draw") {
  const std::string tail = "p = exp(scores)\nl = sum(t, p)\ny = sum(t, p * v) / l\n";
  struct Wrong {
    std::string declared, scores, views, wrong;
  };
  const Wrong kWrong[] = {
      {"index s = 16, t = 8, d = 4\ninput q[s,d], k[d,t], v[t,d]\noutput y[s,d]\nqn = q / rms(d, q)\n",
       "scores = sum(d, qn * k)\n", "view row[s,t] = k[s/4,t]\nqn = q / rms(d, q)\n",
       "scores = sum(d, qn) * row\n"},
      {"index n = 2, s = 16, t = 8, d = 4\ninput q[n,s,d], k[d,t], v[n,t,d]\noutput y[n,s,d]\nqn = q / rms(d, q)\n",
       "scores = sum(d, qn * k)\n", "view row[n,s,t] = k[s/4,t]\nqn = q / rms(d, q)\n",
       "scores = sum(d, qn) * row\n"},
      {"index s = 16, t = 8, d = 4\ninput q[s,d], k[d,t], v[t,d]\noutput y[s,d]\n",
       "scores = sum(d, q * k)\n", "view first[s,t] = k[0,t]\n", "scores = sum(d, q) * first\n"},
  };
  for (const Wrong& wrong : kWrong) {
    const std::string body = wrong.views + wrong.wrong + tail;
    CAPTURE(body);
    const Program program = parsed("constant eps = 1e-5\n" + wrong.declared + wrong.scores + tail);
    const Graph graph = parse_graph(program, body, "wrong");
    VerifyOptions progression;
    progression.inputs = Inputs::progression;
    progression.full_extents = false;
    CHECK(Verifier(program, progression).verify(graph).equal);
    const Verified uniform = Verifier(program, {}).verify(graph);
    CHECK_FALSE(uniform.equal);
    CHECK(uniform.refused_at == "draw 1");
  }
}

TEST_CASE("a variance in one pass is refused for cancellation, in two passes it is not") {
  const Program program = parsed(
      "index b = 2 4, h = 4 8\ninput x[b,h]\nm = mean(h, x)\nd = x - m\nv = mean(h, d * d)\ny = d / sqrt(v + 0.1)\noutput y[b,h]\n");
  const Graph one =
      parse_graph(program, "m = mean(h, x)\ny = (x - m) / sqrt(mean(h, x * x) - m * m + 0.1)\n", "one");
  CHECK(Verifier(program, {}).verify(one).equal);
  CHECK_THAT(RoundingCheck(program).of(one).words, contains_text("cancellation"));
  CHECK(RoundingCheck(program).of(program.graph).within);
}

TEST_CASE("equal graphs that have no number at the edges of what is declared are refused, for these") {
  const std::string head = "index b = 2, h = 4\ninput x[b,h], m[b,h]\n";
  const auto words = [&](const std::string& ranges, const std::string& right, const std::string& other) {
    const Program program = parsed(head + ranges + "\ny = " + right + "\noutput y[b,h]\n");
    const Graph graph = parse_graph(program, "y = " + other + "\n", "other");
    CAPTURE(right, other);
    CHECK(Verifier(program, {}).verify(graph).equal);
    return RoundingCheck(program).of(graph).words;
  };
  CHECK(words("", "x * (1 + m)", "x + x * m") == "");
  CHECK_THAT(words("", "x * m", "x * m * m / m"), contains_text("where the program has"));  // 0 / 0
  CHECK(words("range m = 1 2", "x * m", "x * m * m / m") == "");
  CHECK(words("range m = -inf 0", "exp(x + m)", "exp(x) * exp(m)") == "");
  CHECK_THAT(words("range m = -inf 0", "exp(x + m)", "exp(x + m + m) / exp(m)"),
             contains_text("nan where the program has 0"));
  CHECK_THAT(words("range m = -inf 0", "exp((x + m) * 2)", "exp(m + m) * (exp(x + x + m) / exp(m))"),
             contains_text("nan where"));
  // A variance in one pass is judged within the range, where nearly all may be the mean.
  const Program program = parsed(
      "index b = 2 4, h = 4 8\ninput x[b,h]\nrange x = 0 0.5\nm = mean(h, x)\nd = x - m\ny = d / sqrt(mean(h, d * d) + 1e-6)\noutput y[b,h]\n");
  const Graph one =
      parse_graph(program, "m = mean(h, x)\ny = (x - m) / sqrt(mean(h, x * x) - m * m + 1e-6)\n", "one");
  CHECK_THAT(RoundingCheck(program).of(one).words, contains_text("cancellation"));
}

TEST_CASE("an identity of other constants is refused, one of sizes is not") {
  const Program program = parsed("index h = 3 8\ninput x[h]\nconstant c = 0.7\ny = x * c\noutput y[h]\n");
  CHECK_FALSE(Verifier(program, {}).verify(parse_graph(program, "y = x * 0.71\n", "g")).equal);
  CHECK(Verifier(program, {}).verify(parse_graph(program, "y = c * x\n", "g")).equal);
  const Program mean = parsed("index b = 2, h = 3 8\ninput x[b,h]\ny = mean(h, x)\noutput y[b]\n");
  CHECK(Verifier(mean, {}).verify(parse_graph(mean, "y = sum(h, x) / h\n", "g")).equal);
  CHECK_FALSE(Verifier(mean, {}).verify(parse_graph(mean, "y = sum(h, x) / 3\n", "g")).equal);
}
