// The search: the graphs of the design's table, the order's completeness, any number of threads.
#include "optimizer/search/algebra.h"

#include <map>
#include <set>

#include "optimizer/graph/order.h"
#include "optimizer/language/text.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;
using workbook::test::parsed;
using workbook::test::shipped;

namespace {

const Field& field() {
  static const Field the;
  return the;
}

Search found(const Program& program, int nodes, unsigned threads = 1) {
  SearchOptions options;
  options.most_nodes = nodes;
  options.threads = threads;
  return search(program, field(), options);
}

std::set<std::string> formulas(const Search& search) {
  std::set<std::string> texts;
  for (const Graph& graph : search.found) texts.insert(formula(graph));
  return texts;
}

}  // namespace

TEST_CASE("RMSNorm and a linear layer: five graphs, the division behind the product first") {
  const Search result = found(shipped("rmsnorm_linear"), 0);
  CHECK(formula(result.found.front()) == "sum(h, x * g * w) / sqrt(mean(h, x * x) + eps)");
  CHECK(formulas(result) == std::set<std::string>{"sum(h, x * g * w) / sqrt(mean(h, x * x) + eps)",
                                                  "sum(h, x * g / sqrt(mean(h, x * x) + eps) * w)",
                                                  "sum(h, g * w * x) / sqrt(mean(h, x * x) + eps)",
                                                  "sum(h, g * w * (x / sqrt(mean(h, x * x) + eps)))",
                                                  "sum(h, x / sqrt(mean(h, x * x) + eps) * g * w)"});
}

TEST_CASE("a low-rank adapter: three graphs, one with merged weights") {
  const Search result = found(shipped("lora_linear"), 0);
  CHECK(formula(result.found.front()) == "sum(h, x * w) + sum(r, u * sum(h, x * a))");
  CHECK(formulas(result) == std::set<std::string>{"sum(h, x * w) + sum(r, u * sum(h, x * a))",
                                                  "sum(h, x * w) + sum(h, x * sum(r, a * u))",
                                                  "sum(h, (w + sum(r, a * u)) * x)"});
}

TEST_CASE("gated MLP, softmax and the GELU chain stand as they are") {
  CHECK(formulas(found(shipped("gated_mlp"), 0)) ==
        std::set<std::string>{"sum(h, x * w) * silu(sum(h, x * u))"});
  CHECK(formulas(found(shipped("softmax"), 0)) == std::set<std::string>{"t1 / sum(t, t1), t1 = exp(x)"});
  CHECK(formulas(found(shipped("gelu_chain"), 0)) == std::set<std::string>{"skip + gate * gelu(x + bias)"});
}

TEST_CASE("attention: two graphs, the division after the values first") {
  const Search result = found(parsed(workbook::test::kAttention), 0);
  CHECK(result.found.size() == 2);
  CHECK(formula(result.found.front()) == "sum(t, v * t1) / sum(t, t1), t1 = exp(sum(d, q * k))");
}

TEST_CASE("QK-Norm attention: ten graphs, the scores divided by both norms first") {
  const Search result = found(shipped("qknorm_attention"), 13);
  CHECK(result.found.size() == 10);
  CHECK(
      formula(result.found.front()) ==
      "sum(t, v * t1) / sum(t, t1), t1 = exp(sum(d, q * k) / sqrt(mean(d, k * k) + eps) / sqrt(mean(d, q * q) + eps))");
}

TEST_CASE("MLA decode: sixteen graphs, both products absorbed first") {
  const Search result = found(shipped("mla_decode"), 9);
  CHECK(result.found.size() == 16);
  CHECK(
      formula(result.found.front()) ==
      "sum(c, wv * sum(t, ckv * t1)) / sum(t, t1), t1 = exp(sum(r, qr * kr) + sum(c, ckv * sum(d, qn * wk)))");
}

TEST_CASE("LayerNorm and a linear layer: one pass over the weights with what is given") {
  const Search result = found(shipped("layernorm_linear"), 9);
  CHECK(result.found.size() == 48);
  CHECK(formula(result.found.front()) ==
        "bias + sum(h, beta * w) + (sum(h, x * g * w) - mu * sum(h, g * w)) * r");
}

TEST_CASE("LayerNorm and a linear layer from scratch: four graphs") {
  const Search result = found(parsed(workbook::test::kLayerNorm), 11);
  CHECK(result.found.size() == 4);
}

TEST_CASE("every state of the search is a graph of the one order, and counted once") {
  const Search a = found(shipped("rmsnorm_linear"), 6);
  CHECK(a.counts.states == 161);
  CHECK(a.counts.tried == 7578);
  std::uint64_t cut = 0;
  for (std::size_t i = 1; i < kPruneReasons; ++i) cut += a.counts.cut[i];
  CHECK(cut + a.counts.states - 1 == a.counts.tried);  // each candidate is kept or cut for one reason
}

TEST_CASE("one, two and eight threads give the same answer") {
  for (const auto& [name, nodes] :
       {std::pair<const char*, int>{"mla_decode", 8}, {"layernorm_linear", 8}, {"rmsnorm_linear", 9}}) {
    CAPTURE(name);
    const Program program = shipped(name);
    const Search one = found(program, nodes, 1);
    for (const unsigned threads : {2u, 8u}) {
      const Search many = found(program, nodes, threads);
      CHECK(many.found == one.found);
      REQUIRE(many.depths.size() == one.depths.size());
      for (std::size_t i = 0; i < one.depths.size(); ++i) {
        CHECK(many.depths[i].counts == one.depths[i].counts);
        CHECK(many.depths[i].found == one.depths[i].found);
      }
    }
  }
}

TEST_CASE("the picture of the search is the same for any number of threads") {
  SearchOptions options;
  options.most_nodes = 8;
  options.tree = true;
  const Program program = shipped("mla_decode");
  options.threads = 1;
  const Search one = search(program, field(), options);
  options.threads = 3;
  const Search many = search(program, field(), options);
  REQUIRE(many.tree.size() == one.tree.size());
  for (std::size_t i = 0; i < one.tree.size(); ++i) {
    CHECK(many.tree[i].nodes == one.tree[i].nodes);
    CHECK(many.tree[i].cut == one.tree[i].cut);
  }
}

TEST_CASE("what was found stays found: the program itself among it, all of other text") {
  for (const std::string name : {"rmsnorm_linear", "lora_linear", "gated_mlp", "softmax", "gelu_chain"}) {
    const Program program = shipped(name);
    const Search result = found(program, 0);
    const Graph own = canonical(program.graph);
    CHECK(std::count(result.found.begin(), result.found.end(), own) == 1);
    CHECK(formulas(result).size() == result.found.size());
  }
}

TEST_CASE("a lemma lets the search find what needs cancellation") {
  const std::string text = "index b = 2 4, h = 3 8\ninput x[b,h], g[b,h]\ny = x / (x * g)\noutput y[b,h]\n";
  const Search without = found(parsed(text), 3), with = found(parsed(text + "lemma y = 1 / g\n"), 3);
  CHECK(formulas(without) == std::set<std::string>{"x / (x * g)", "x / g / x"});
  CHECK(formulas(with).contains("1 / g"));
  CHECK(formula(with.found.front()) == "1 / g");
}

TEST_CASE("why a graph is not found") {
  const Program program = shipped("rmsnorm_linear");
  const auto why = [&](const std::string& text) {
    return why_not(program, field(), parse_graph(program, text, "g"), {});
  };
  CHECK(why("y = sum(h, x * g * w) / rms(h, x)\n").node == -1);
  CHECK(why("y = sum(h, x * g * w) / rms(h, x)\n").equal);
  const auto wrong = why("y = sum(h, x * g * w) * rms(h, x)\n");
  CHECK(wrong.node >= 0);
  CHECK(wrong.cut == PruneReason::expression);
  CHECK(why("y = sum(h, x * w) / rms(h, x)\n").cut == PruneReason::loose);  // g is left out
}

namespace {

/// All graphs over 2 inputs with a unary and a non-commuting operation, and with a commuting one where that
/// is asked. An expression is a number; a graph is the set of its nodes' numbers, whatever their order.
class AllGraphs {
 public:
  using Set = std::vector<int>;
  AllGraphs(int nodes, bool commuting) : nodes_(nodes), commuting_(commuting) {
    all.resize(static_cast<std::size_t>(nodes) + 1);
    reached.resize(all.size());
    all[0].insert(Set{});
    for (std::size_t depth = 0; depth + 1 < all.size(); ++depth)
      for (const Set& graph : all[depth]) extend(graph, all[depth + 1]);
    visit(0);
  }

  int number(int op, int a, int b) {
    if (op == 1 && a > b) std::swap(a, b);
    return numbers_.try_emplace({op, a, b}, static_cast<int>(numbers_.size()) + 2).first->second;
  }

  std::vector<std::set<Set>> all;           ///< by number of nodes, made without an order
  std::vector<std::map<Set, int>> reached;  ///< how often, by nodes in ascending keys

 private:
  void extend(const Set& graph, std::set<Set>& into) {
    Set there{0, 1};
    there.insert(there.end(), graph.begin(), graph.end());
    const auto add = [&](int made) {
      if (std::find(there.begin(), there.end(), made) != there.end()) return;
      Set next = graph;
      next.insert(std::lower_bound(next.begin(), next.end(), made), made);
      into.insert(next);
    };
    for (const int a : there) {
      add(number(0, a, -1));
      for (const int b : there) {
        if (commuting_) add(number(1, a, b));
        add(number(2, a, b));
      }
    }
  }

  void visit(std::uint64_t last) {
    Set graph(expressions_.begin() + 2, expressions_.end());
    std::sort(graph.begin(), graph.end());
    ++reached[graph.size()][graph];
    const int size = static_cast<int>(expressions_.size());
    if (size - 2 == nodes_) return;
    const auto add = [&](const Node& node, int made) {
      if (order_key(node) <= last ||
          std::find(expressions_.begin(), expressions_.end(), made) != expressions_.end())
        return;
      expressions_.push_back(made);
      visit(order_key(node));
      expressions_.pop_back();
    };
    const auto at = [&](int i) { return expressions_[static_cast<std::size_t>(i)]; };
    for (std::int8_t a = 0; a < size; ++a) {
      add({Op::fn, a, -1, -1, 0}, number(0, at(a), -1));
      for (std::int8_t b = 0; b < size; ++b) {
        if (commuting_ && a <= b) add({Op::mul, a, b, -1, 0}, number(1, at(a), at(b)));
        add({Op::div, a, b, -1, 0}, number(2, at(a), at(b)));
      }
    }
  }

  int nodes_;
  bool commuting_;
  std::map<std::array<int, 3>, int> numbers_;  ///< operation, operands: expression
  Set expressions_{0, 1};
};

}  // namespace

TEST_CASE("the one order reaches every graph exactly once: brute force over 2 inputs") {
  for (const auto& [nodes, commuting] : {std::pair<int, bool>{4, true}, {5, false}}) {
    AllGraphs graphs(nodes, commuting);
    for (std::size_t i = 1; i < graphs.all.size(); ++i) {
      CAPTURE(nodes, i, graphs.all[i].size());
      CHECK(graphs.all[i].size() > 4);
      CHECK(graphs.reached[i].size() == graphs.all[i].size());
      bool same = true, once = true;
      for (const auto& [graph, times] : graphs.reached[i]) {
        same = same && graphs.all[i].contains(graph);
        once = once && times == 1;
      }
      CHECK(same);
      CHECK(once);
    }
    const int root = graphs.number(0, 1, -1);  // f(Y), and X / f(Y)
    AllGraphs::Set quotient{root, graphs.number(2, 0, root)};
    std::sort(quotient.begin(), quotient.end());
    CHECK(graphs.reached[2].contains(quotient));
  }
}

TEST_CASE("a search whose memory is bounded finds what another finds") {
  const Program program = shipped("lora_linear");
  const Space space(program, field(), {1, 0});
  const std::atomic<bool> stop{false};
  Enumerator free(space), bounded(space);
  bounded.most_held = 200;
  for (int limit = 1; limit <= program.graph.operations() + 1; ++limit)
    for (Enumerator* each : {&free, &bounded}) each->run({}, limit, 0, stop);
  CHECK(free.found.size() > 1);
  CHECK(bounded.found == free.found);
  CHECK(bounded.counts == free.counts);
}
