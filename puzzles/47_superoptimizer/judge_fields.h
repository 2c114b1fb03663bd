// Puzzle 47, given: how --fields is judged, and the graphs that somebody claims to be equal.
#pragma once

#include <cstdio>
#include <string_view>

#include "field.h"

namespace judge {

/// Prints that a part is right, or why it is not.
inline bool is_right(const std::string& part, const std::string& wrong) {
  std::printf("%s: %s%s\n", part.c_str(), wrong.empty() ? "right" : "WRONG, ", wrong.c_str());
  return wrong.empty();
}
inline std::string text_of(double number, const char* format = "%.6g") {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}
inline std::string number(std::uint64_t value) { return std::to_string(value); }

// ---- --fields ----

inline std::string power_fault() {
  struct {
    std::uint32_t base, exponent, prime, right;
  } const kCases[] = {{3, 5, 1'000'003, 243},
                      {3, 0, 1'000'003, 1},
                      {3, 8, 1'000'003, 6561},
                      {2, 40, kP, static_cast<std::uint32_t>((1ull << 40) % kP)},
                      {kBase, kQ, kP, 1}};
  for (const auto& c : kCases) {
    const std::uint32_t got = power(c.base, c.exponent, c.prime);
    if (got == c.right) continue;
    std::string words = number(c.base) + "^" + number(c.exponent) + " modulo " + number(c.prime) +
                        " came out as " + number(got) + ", and it is " + number(c.right);
    if (got == 9 && c.exponent == 5)
      words += "\n  base stays what it was: the next bit of the exponent stands for its square";
    if (got == 3 && c.exponent == 5)
      words += "\n  the highest bit of the exponent, 4 of the 5, is not looked at";
    if (c.exponent == 40)
      words +=
          "\n  products of two elements need 64 bits before they are reduced: multiply(a, b, prime) does that";
    return words;
  }
  return {};
}

inline std::string divide_fault() {
  for (std::uint64_t key = 1; key < 20; ++key) {
    const Element a = random_element(key), b = random_element(key + 100), got = divide(a, b);
    const Element back = multiply(got, b);
    if (back.p == a.p && back.q == a.q) continue;
    const std::string begin = "(a / b) * b is not a";
    if (same(got, a))
      return begin +
             ", and a / b is a\n  b to the power of prime - 1 is 1 for every b: the inverse is one factor less";
    if (same(got, multiply(a, b))) return begin + ", and a / b is a * b";
    if (back.p == a.p)
      return begin + " modulo q\n  each part has a prime of its own, in the exponent as well: kP, kQ";
    if (back.q == a.q)
      return begin + " modulo p\n  each part has a prime of its own, in the exponent as well: kP, kQ";
    return begin;
  }
  if (!divide(random_element(1), {5, 0, true}).lost)
    return "a / b where b has lost its part modulo q: the quotient takes a part for good that means nothing";
  return {};
}

inline std::string exponential_fault() {
  for (std::uint64_t key = 1; key < 20; ++key) {
    const Element x = random_element(key), y = random_element(key + 100);
    const Element sum = exponential(add(x, y)), product = multiply(exponential(x), exponential(y));
    if (sum.p == product.p && exponential(x).p != exponential(y).p) continue;
    const std::string begin = "exp(x + y) is not exp(x) exp(y)";
    if (exponential(x).p == power(kBase, x.p, kP))
      return begin +
             "\n  the exponent was x's part modulo p. Powers of kBase come round after kQ steps: an exponent is a number modulo q";
    if (exponential(x).p == power(kBase, x.q, kQ))
      return begin + "\n  the power was taken modulo q. Exponents count modulo q, and powers modulo p";
    if (exponential(x).p == exponential(y).p) return "exp(x) is " + number(exponential(x).p) + " for any x";
    return begin;
  }
  if (exponential({0, 1}).p != kBase) return "exp(1) is not kBase";
  if (!exponential(random_element(1)).lost)
    return "its part modulo q passes for a number\n  powers of kBase say nothing modulo q: that part is lost, and `lost` has to say so";
  return {};
}

inline std::string value_fault() {
  Program program{"", "hro", {3, 2, 2}, {3, 2, 2}, {{"x", "h"}, {"a", "hr"}, {"u", "ro"}}, "ho", {}};
  std::vector<Tensor> in = empty_inputs(program);
  std::uint64_t key = 7;
  for (Tensor& tensor : in)
    for (Element& element : tensor.values) element = random_element(key++);
  const std::vector<Element>&x = in[0].values, &a = in[1].values, &u = in[2].values;
  const auto differ = [&](const Node& node, const char* text, const std::vector<Element>& right) {
    const Tensor got = evaluate(node, program, in[static_cast<std::size_t>(node.a)],
                                in[static_cast<std::size_t>(std::max(node.b, 0))]);
    for (std::size_t i = 0; i < right.size(); ++i)
      if (got.values[i].lost != right[i].lost || !same(got.values[i], right[i]))
        return std::string(text) + ", element " + number(i) + " of " + number(right.size());
    return std::string();
  };
  const auto each = [&](auto&& of) {
    std::vector<Element> result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(of(a[i], x[i / 2]));
    return result;
  };
  std::string wrong;
  const auto look = [&](const Node& node, const char* text, const std::vector<Element>& right) {
    if (wrong.empty()) wrong = differ(node, text, right);
  };
  look({Op::add, 1, 0}, "a[h,r] + x[h]", each([](Element l, Element r) { return add(l, r); }));
  look({Op::mul, 1, 0}, "a[h,r] * x[h]", each([](Element l, Element r) { return multiply(l, r); }));
  look({Op::div, 1, 0}, "a[h,r] / x[h]", each([](Element l, Element r) { return divide(l, r); }));
  look({Op::exp, 1}, "exp(a)", each([](Element l, Element) { return exponential(l); }));
  look({Op::silu, 1}, "silu(a)", each([](Element l, Element) { return opaque(Op::silu, l); }));
  if (!wrong.empty()) return wrong;
  std::vector<Element> sums, squares, roots, products(6);
  for (std::size_t r = 0; r < 2; ++r) {
    sums.push_back(add(add(a[r], a[2 + r]), a[4 + r]));
    squares.push_back(
        add(add(multiply(a[r], a[r]), multiply(a[2 + r], a[2 + r])), multiply(a[4 + r], a[4 + r])));
    roots.push_back(opaque(Op::rms, squares[r]));
  }
  for (std::size_t h = 0; h < 3; ++h)
    for (std::size_t o = 0; o < 2; ++o)
      products[2 * h + o] = add(multiply(a[2 * h], u[o]), multiply(a[2 * h + 1], u[2 + o]));
  look({Op::sum, 1, -1, 0}, "sum(h, a[h,r])", sums);
  if (!wrong.empty()) {
    std::vector<Element> thrice;
    for (std::size_t r = 0; r < 2; ++r) thrice.push_back(add(add(a[r], a[r]), a[r]));
    if (differ({Op::sum, 1, -1, 0}, "", thrice).empty())
      wrong +=
          "\n  the first element was added as often as there are elements: the place has to move on, place[node.over]";
    return wrong;
  }
  look({Op::rms, 1, -1, 0}, "rms(h, a[h,r])", roots);
  if (!wrong.empty()) {
    const Node rms{Op::rms, 1, -1, 0};
    if (differ(rms, "", squares).empty())
      wrong += "\n  the squares are added up, but no root is taken: opaque(node.op, ...) stands for it";
    if (differ(rms, "", {opaque(Op::rms, sums[0]), opaque(Op::rms, sums[1])}).empty())
      wrong += "\n  the elements were added up, and their squares should be";
    if (differ(rms, "", sums).empty())
      wrong += "\n  that is the sum: squares should be added up, and opaque() taken of them";
    return wrong;
  }
  look({Op::product, 1, 2, 1}, "sum(r, a[h,r] * u[r,o])", products);
  return wrong;
}

inline std::string inputs_fault() {
  const Program program = lora_linear();
  std::vector<std::pair<Element, std::string>> seen;
  for (int draw = 0; draw < 3; ++draw) {
    const std::vector<Tensor> inputs = random_inputs(program, draw);
    bool counts = true;
    for (std::size_t t = 0; t < inputs.size(); ++t)
      for (std::size_t i = 0; i < inputs[t].values.size(); ++i) {
        const Element element = inputs[t].values[i];
        if (i > 0 && element.p != inputs[t].values[i - 1].p + 1) counts = false;
        const std::string name = program.inputs[t].name + "[" + number(i) + "] of draw " +
                                 number(static_cast<std::uint64_t>(draw));
        for (const auto& [other, where] : seen)
          if (other.p == element.p || other.q == element.q) {
            if (element.p == 0 && other.p == 0) return "nothing is filled in: " + name + " is 0";
            if (where.substr(0, 1) != name.substr(0, 1) && where.back() == name.back())
              return where + " and " + name +
                     " are the same element\n  so one input stands for another, and a graph that takes u for w would pass";
            return where + " and " + name +
                   " are the same element\n  a draw that repeats what was there before tells nothing new";
          }
        seen.emplace_back(element, name);
      }
    if (counts)
      return "the elements are a progression: " + program.inputs[0].name + "[1] is " +
             program.inputs[0].name + "[0] + 1, and so on";
  }
  return {};
}

/// A graph that somebody claims to be equal to a program.
struct Claim {
  std::string what;
  Program program;
  Graph graph;
  bool is_equal;
};

template <class Make>
Claim claim(const std::string& what, const Program& program, bool is_equal, Make&& make) {
  Builder g(program);
  make(g);
  return {what, program, g.graph(), is_equal};
}

inline std::vector<Claim> claims() {
  const Program rms = rmsnorm_linear(), lora = lora_linear(), gated = gated_mlp(),
                attention = qknorm_attention();
  const auto softmax = [](Builder& g, int scores, bool late) {
    const int e = g.exp(scores), l = g.sum('t', e);
    if (late)
      g.div(g.product('t', e, g["v"]), l);
    else
      g.product('t', g.div(e, l), g["v"]);
  };
  return {
      claim("divided behind the sum", rms, true,
            [](Builder& g) {
              const int r = g.rms('h', g["x"]), n = g.mul(g["x"], g["g"]);
              g.div(g.product('h', g["w"], n), r);
            }),
      claim("g multiplied into w", rms, true,
            [](Builder& g) {
              const int n = g.div(g["x"], g.rms('h', g["x"]));
              g.product('h', n, g.mul(g["g"], g["w"]));
            }),
      claim("w and a u merged", lora, true,
            [](Builder& g) { g.product('h', g["x"], g.add(g["w"], g.product('r', g["a"], g["u"]))); }),
      claim("the halves the other way round", gated, true,
            [](Builder& g) {
              const int gate = g.product('h', g["x"], g["u"]), plain = g.product('h', g["x"], g["w"]);
              g.mul(plain, g.silu(gate));
            }),
      claim("both norms behind the scores, the division last", attention, true,
            [&](Builder& g) {
              const int scores = g.product('d', g["q"], g["k"]);
              const int by_q = g.div(scores, g.rms('d', g["q"]));
              softmax(g, g.div(by_q, g.rms('d', g["k"])), true);
            }),
      claim("g forgotten", rms, false,
            [](Builder& g) {
              const int y = g.product('h', g["x"], g["w"]);
              g.div(y, g.rms('h', g["x"]));
            }),
      claim("rms of x g", rms, false,
            [](Builder& g) {
              const int n = g.mul(g["x"], g["g"]);
              const int y = g.product('h', n, g["w"]);
              g.div(y, g.rms('h', n));
            }),
      claim("divided in the sum and behind it", rms, false,
            [](Builder& g) {
              const int r = g.rms('h', g["x"]), n = g.div(g.mul(g["x"], g["g"]), r);
              g.div(g.product('h', n, g["w"]), r);
            }),
      claim("the adapter multiplied in place of added", lora, false,
            [](Builder& g) {
              const int down = g.product('h', g["x"], g["a"]);
              const int adapter = g.product('r', down, g["u"]);
              g.mul(g.product('h', g["x"], g["w"]), adapter);
            }),
      claim("silu on the wrong half", gated, false,
            [](Builder& g) {
              const int gate = g.silu(g.product('h', g["x"], g["w"]));
              g.mul(gate, g.product('h', g["x"], g["u"]));
            }),
      claim("silu of both halves", gated, false,
            [](Builder& g) {
              const int gate = g.product('h', g["x"], g["u"]);
              g.silu(g.mul(gate, g.product('h', g["x"], g["w"])));
            }),
      claim("k divided by its rms over t", attention, false,
            [&](Builder& g) {
              const int q = g.div(g["q"], g.rms('d', g["q"]));
              const int k = g.div(g["k"], g.rms('t', g["k"]));
              softmax(g, g.product('d', q, k), false);
            }),
      claim("not divided by the sum of exponentials", attention, false,
            [](Builder& g) {
              const int q = g.div(g["q"], g.rms('d', g["q"]));
              const int k = g.div(g["k"], g.rms('d', g["k"]));
              g.product('t', g.exp(g.product('d', q, k)), g["v"]);
            }),
  };
}

/// Attention whose queries alone are normalised, and a tensor of single elements of the keys: row[s,t] is
/// k[t, s / 2]. A search that cuts q by its rows and k by its depth with one and the same grid axis pairs the
/// two like this.
inline Program rows_attention() {
  Program p{"rows", "std", {256, 4096, 64}, {4, 2, 2}, {{"q", "sd"}, {"k", "td"}, {"v", "td"}, {"row", "st"}},
            "sd",   {}};
  Builder g(p);
  const int q = g.div(g["q"], g.rms('d', g["q"])), e = g.exp(g.product('d', q, g["k"]));
  const int l = g.sum('t', e);
  g.product('t', g.div(e, l), g["v"]);
  p.graph = g.graph();
  return p;
}
inline Graph rows_graph(const Program& program) {
  Builder g(program);
  const int q = g.div(g["q"], g.rms('d', g["q"]));
  const int e = g.exp(g.mul(g.sum('d', q), g["row"]));  // where sum(d, q * k) belongs
  const int l = g.sum('t', e);
  g.product('t', g.div(e, l), g["v"]);
  return g.graph();
}
inline std::vector<Tensor> with_rows(std::vector<Tensor> inputs) {
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t t = 0; t < 2; ++t) inputs[3].values[2 * s + t] = inputs[1].values[2 * t + s / 2];
  return inputs;
}
inline std::vector<Tensor> random_rows(const Program& program, int draw) {
  return with_rows(random_inputs(program, draw));
}
/// 0, 1, 2, ... in every input: what no graph should be tried on.
inline std::vector<Tensor> progression(const Program& program, int) {
  std::vector<Tensor> inputs = empty_inputs(program);
  for (Tensor& input : inputs)
    for (std::size_t i = 0; i < input.values.size(); ++i)
      input.values[i] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)};
  return with_rows(std::move(inputs));
}
inline std::vector<Tensor> progression_first(const Program& program, int draw) {
  return draw == 0 ? progression(program, draw) : random_rows(program, draw);
}

/// A tensor, and a copy of it that differs in the last element alone.
inline Program nearly_alike() {
  Program p{"copy", "st", {4, 4}, {2, 2}, {{"a", "st"}, {"b", "st"}}, "st", {}};
  Builder g(p);
  g.mul(g["a"], g["a"]);
  p.graph = g.graph();
  return p;
}
inline std::vector<Tensor> nearly_alike_inputs(const Program& program, int draw) {
  std::vector<Tensor> inputs = random_inputs(program, draw);
  inputs[1].values = inputs[0].values;
  inputs[1].values.back() = add(inputs[0].values.back(), {1, 1});
  return inputs;
}

inline constexpr int kDraws = 8;

inline bool fields() {
  if (!is_right("power", power_fault()) || !is_right("divide", divide_fault()) ||
      !is_right("exponential", exponential_fault()) || !is_right("value", value_fault()) ||
      !is_right("inputs", inputs_fault()))
    return false;
  int accepted = 0, refused = 0;
  for (const Claim& claim : claims()) {
    const bool got = equal(claim.program, claim.graph, random_inputs, kDraws);
    (got ? accepted : refused) += 1;
    if (got != claim.is_equal)
      return is_right("equal", claim.program.name + ", " + claim.what + ": " +
                                   formula(claim.graph, claim.program) +
                                   (got ? " is accepted, and is not equal" : " is refused, and is equal"));
  }
  const Program alike = nearly_alike();
  Builder square(alike);
  square.mul(0, 1);
  if (equal(alike, square.graph(), nearly_alike_inputs, kDraws))
    return is_right(
        "equal", "a graph whose last element alone differs is accepted: all elements have to be looked at");
  const Program program = rows_attention();
  const Graph graph = rows_graph(program);
  const bool counted = equal(program, graph, progression, kDraws),
             drawn = equal(program, graph, random_rows, kDraws);
  if (!equal(program, program.graph, progression, kDraws) || !counted)
    return is_right("equal", "a graph that has the same elements is refused");
  if (!drawn && equal(program, graph, progression_first, kDraws))
    return is_right("equal",
                    "a graph that differs from the second draw on is accepted: draw 0 was the only one");
  std::printf("equal: right, %d graphs accepted, %d refused\n", accepted, refused);
  std::printf("one element of each key in place of the key: %s\n", formula(graph, program).c_str());
  std::printf("  inputs 0, 1, 2, ...: %s\n", counted ? "accepted" : "refused");
  std::printf("  random inputs: %s\n", drawn ? "accepted" : "refused");
  return true;
}

}  // namespace judge
