// The fields: their arithmetic, exponentials between them, drawn elements.
#include "optimizer/algebra/field.h"

#include "optimizer/algebra/evaluate.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;

TEST_CASE("the four pairs are q and 2q + 1, both prime and 3 modulo 4") {
  for (int pair = 0; pair < Field::kPairs; ++pair) {
    const Field field(pair);
    for (const Modulus& modulus : {field.p(), field.q()}) {
      const std::uint32_t n = modulus.prime();
      CHECK(n % 4 == 3);
      bool prime = true;
      for (std::uint32_t d = 3; d * d <= n && d < 50'000; d += 2) prime = prime && n % d != 0;
      CHECK(prime);
    }
    CHECK(field.p().prime() == 2 * field.q().prime() + 1);
  }
}

TEST_CASE("reduction, inverses and roots") {
  const Field field;
  for (const Modulus& m : {field.p(), field.q()})
    for (std::uint64_t i = 1; i < 3000; ++i) {
      const std::uint64_t wide = mixed(i, 1);
      REQUIRE(m.reduce(wide) == wide % m.prime());
      const std::uint32_t a = m.reduce(wide);
      if (a != 0) REQUIRE(m.mul(a, m.inverse(a)) == 1);
      REQUIRE(m.square(m.mul(a, a)));
      const std::uint32_t root = m.root(m.mul(a, a));
      REQUIRE((root == a || root == m.sub(0, a)));
      REQUIRE(m.square(root));
    }
}

TEST_CASE("exp turns sums into products, and half an exponent into a root") {
  const Field field;
  const Modulus &p = field.p(), &q = field.q();
  for (std::uint64_t i = 1; i < 3000; ++i) {
    const std::uint32_t x = q.reduce(mixed(i, 1)), y = q.reduce(mixed(i, 2)),
                        k = 1 + q.reduce(mixed(i, 3)) % (q.prime() - 1);
    REQUIRE(p.mul(field.exp(x, k), field.exp(y, k)) == field.exp(q.add(x, y), k));
    REQUIRE(p.root(field.exp(x, k)) == field.exp(q.mul(x, q.inverse(2)), k));
    REQUIRE(field.exp(x, k) == p.power(field.exp(1, k), x));
  }
}

TEST_CASE("drawn elements are spread over the field") {
  const Field field;
  std::array<int, 16> low{}, high{};
  for (std::uint64_t i = 0; i < 16'000; ++i) {
    const Element e = field.drawn(i);
    REQUIRE(e.p < field.p().prime());
    REQUIRE(e.q < field.q().prime());
    ++low[e.q % 16];
    ++high[std::uint64_t{e.p} * 16 / field.p().prime()];
  }
  for (int i = 0; i < 16; ++i) {
    CHECK(std::abs(low[static_cast<std::size_t>(i)] - 1000) < 160);  // five standard deviations
    CHECK(std::abs(high[static_cast<std::size_t>(i)] - 1000) < 160);
  }
}

TEST_CASE("inputs are drawn so that every radicand is a square") {
  for (const std::string name : {"rmsnorm_linear", "qknorm_attention"}) {
    const Program program = workbook::test::shipped(name);
    const Field field;
    Extents extents;
    extents.fill(3);
    FieldEvaluator evaluator(field, program.graph, extents, {5, 0});
    const auto inputs = drawn_inputs(evaluator, program, Inputs::uniform);
    const auto values = evaluate(evaluator, program.graph, program.output_set(), inputs);
    for (const Node& node : program.graph.nodes)
      if (node.op == Op::fn)
        CHECK_FALSE(evaluator.non_square(node, values[static_cast<std::size_t>(node.a)]));
    CHECK_FALSE(values.back().zero_divisor);
    const auto plain = drawn_inputs(evaluator, program, Inputs::progression);
    CHECK(plain.front().values[2].p == 2);
  }
}

TEST_CASE("many rows have their roots, each drawn again by itself, also where they share an input") {
  const Program programs[] = {
      workbook::test::parsed("index b = 4, h = 8, o = 8\ninput x[b,h], w[h,o], r[b,o]\n"
                             "s = sum(h, x * w) + r\ny = s / rms(o, s)\noutput y[b,o]\n"),
      workbook::test::parsed("index b = 4, h = 8\ninput x[b,h], z[b,h]\n"
                             "u = x / rms(h, x)\ny = (u + z) / rms(h, u + z)\noutput y[b,h]\n")};
  for (const Program& program : programs) {
    const Field field;
    Extents extents;
    extents.fill(40);  // all at once: one draw of 2^40
    FieldEvaluator evaluator(field, program.graph, extents, {5, 0});
    const auto inputs = drawn_inputs(evaluator, program, Inputs::uniform);
    const auto values = evaluate(evaluator, program.graph, program.output_set(), inputs);
    for (const Node& node : program.graph.nodes)
      if (node.op == Op::fn)
        CHECK_FALSE(evaluator.non_square(node, values[static_cast<std::size_t>(node.a)]));
  }
}
