// Puzzle 47, given: what the program does with the learner's functions. Each is tried alone, on examples that
// say what is wrong with it, before anything is built on it.
//
//   superoptimizer --fields | --search | --schedule | --emit | --all
#pragma once

#include <cstdio>
#include <string_view>

#include "emitted.cuh"
#include "lines.h"
#include "plans.h"
#include "search.h"

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

// ---- --search ----

inline std::string form_fault() {
  const Program program{"",   "bho", {}, {2, 2, 2}, {{"x", "bh"}, {"g", "h"}, {"w", "ho"}, {"v", "ho"}},
                        "bo", {}};
  struct {
    const char* what;
    bool same;
    void (*one)(Builder& g);
    void (*other)(Builder& g);
    const char* says;
  } const kPairs[] = {
      {"x * g and g * x", true, [](Builder& g) { g.mul(g["x"], g["g"]); },
       [](Builder& g) { g.mul(g["g"], g["x"]); }, "the order of factors does not matter: times() sorts them"},
      {"w + v and v + w", true, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.add(g["v"], g["w"]); }, "the order of terms does not matter: sorted() at the end"},
      {"w + v and w * v", false, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.mul(g["w"], g["v"]); },
       "a sum has the terms of both, a product has every pair of them as one term"},
      {"w + v and w", false, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.mul(g["w"], g["g"]); }, "a sum has the terms of both"},
      {"g * (w + v) and g * w + g * v", true, [](Builder& g) { g.mul(g["g"], g.add(g["w"], g["v"])); },
       [](Builder& g) {
         const int one = g.mul(g["g"], g["w"]);
         g.add(one, g.mul(g["g"], g["v"]));
       },
       "every term of one with every term of the other: two terms times one are two"},
      {"x / g and g / x", false, [](Builder& g) { g.div(g["x"], g["g"]); },
       [](Builder& g) { g.div(g["g"], g["x"]); },
       "a division does not commute: 1 / b is a factor of its own, atoms.make(Op::div, -1, b)"},
      {"x / g and x * g", false, [](Builder& g) { g.div(g["x"], g["g"]); },
       [](Builder& g) { g.mul(g["x"], g["g"]); },
       "1 / g is another factor than g: atoms.make(Op::div, -1, b)"},
      {"(w + v) / g and w / g + v / g", true, [](Builder& g) { g.div(g.add(g["w"], g["v"]), g["g"]); },
       [](Builder& g) {
         const int one = g.div(g["w"], g["g"]);
         g.add(one, g.div(g["v"], g["g"]));
       },
       "the denominator goes to every term"},
      {"sum(h, x) and x", false, [](Builder& g) { g.sum('h', g["x"]); },
       [](Builder& g) { g.mul(g["x"], g["g"]); }, "the index that is summed over belongs into `sums`"},
      {"sum(h, x * w) as a product and as a sum", true, [](Builder& g) { g.product('h', g["x"], g["w"]); },
       [](Builder& g) { g.sum('h', g.mul(g["x"], g["w"])); },
       "a product over h is a sum as well: its index belongs into `sums`"},
      {"sum(h, x) and sum(b, x)", false, [](Builder& g) { g.sum('h', g["x"]); },
       [](Builder& g) { g.sum('b', g["x"]); },
       "sums over different indices are different: node.over belongs into `sums`"},
      {"sum(h, w + v) and sum(h, w) + sum(h, v)", true, [](Builder& g) { g.sum('h', g.add(g["w"], g["v"])); },
       [](Builder& g) {
         const int one = g.sum('h', g["w"]);
         g.add(one, g.sum('h', g["v"]));
       },
       "a sum goes to every term"},
      {"sum(h, x / r * w) and sum(h, x * w) / r", true,
       [](Builder& g) { g.product('h', g.div(g["x"], g.rms('h', g["x"])), g["w"]); },
       [](Builder& g) {
         const int y = g.product('h', g["x"], g["w"]);
         g.div(y, g.rms('h', g["x"]));
       },
       "a sum is written at its terms, however far out it stands"},
      {"exp(x) and silu(x)", false, [](Builder& g) { g.exp(g["x"]); }, [](Builder& g) { g.silu(g["x"]); },
       "each function is an atom of its own: its op is part of it"},
      {"rms(h, x) and rms(b, x)", false, [](Builder& g) { g.rms('h', g["x"]); },
       [](Builder& g) { g.rms('b', g["x"]); },
       "an rms over another index is another atom: node.over is part of it"},
      {"exp(x * g) and exp(g * x)", true, [](Builder& g) { g.exp(g.mul(g["x"], g["g"])); },
       [](Builder& g) { g.exp(g.mul(g["g"], g["x"])); }, "an atom holds the form of its operand"},
  };
  Atoms atoms;
  for (const auto& pair : kPairs) {
    Builder one(program), other(program);
    pair.one(one), pair.other(other);
    if ((form_of(one.graph(), atoms) == form_of(other.graph(), atoms)) != pair.same)
      return std::string(pair.what) + (pair.same ? " have different forms" : " have the same form") + "\n  " +
             pair.says;
  }
  return {};
}

inline std::string useful_fault() {
  struct {
    const char* part;
    Program program;
    bool useful;
    void (*make)(Builder& g);
    const char* says;
  } const kParts[] = {
      {"x * g", rmsnorm_linear(), true, [](Builder& g) { g.mul(g["x"], g["g"]); },
       "multiplied by w / rms and summed it is the goal"},
      {"sum(h, x * w)", rmsnorm_linear(), true, [](Builder& g) { g.product('h', g["x"], g["w"]); },
       "times g / rms it has the goal's form: which g[h] is meant a form has forgotten"},
      {"g / rms(h, x)", rmsnorm_linear(), true, [](Builder& g) { g.div(g["g"], g.rms('h', g["x"])); },
       "1 / rms is one of the goal's factors"},
      {"x * x", rmsnorm_linear(), false, [](Builder& g) { g.mul(g["x"], g["x"]); },
       "no term of the goal has x twice, and rms takes x itself"},
      {"exp(x)", rmsnorm_linear(), false, [](Builder& g) { g.exp(g["x"]); },
       "nothing of the kind is in the goal"},
      {"w + a", lora_linear(), false, [](Builder& g) { g.add(g["w"], g["a"]); },
       "every term of the part has to be there, multiplied by the same factor"},
      {"w + sum(r, a * u)", lora_linear(), true,
       [](Builder& g) { g.add(g["w"], g.product('r', g["a"], g["u"])); },
       "times x, summed over h, it is both terms of the goal"},
      {"sum(r, a)", lora_linear(), true, [](Builder& g) { g.sum('r', g["a"]); },
       "by its form it may still be multiplied by x * u"},
      {"sum(h, x * u)", gated_mlp(), true, [](Builder& g) { g.product('h', g["x"], g["u"]); },
       "it goes into the silu: what stands within an atom of the goal is of use, too"},
      {"q * k", qknorm_attention(), true, [](Builder& g) { g.mul(g["q"], g["k"]); },
       "it goes into the exp: what stands within an atom of the goal is of use, too"},
      {"exp(scores)", qknorm_attention(), true,
       [](Builder& g) {
         const int q = g.div(g["q"], g.rms('d', g["q"])), k = g.div(g["k"], g.rms('d', g["k"]));
         g.exp(g.product('d', q, k));
       },
       "it is a factor of the goal"},
      {"exp(q)", qknorm_attention(), false, [](Builder& g) { g.exp(g["q"]); },
       "the goal has the exp of scores, and no other"},
  };
  for (const auto& part : kParts) {
    Atoms atoms;
    const Form goal = form_of(part.program.graph, atoms);
    Builder g(part.program);
    part.make(g);
    if (useful(form_of(g.graph(), atoms), goal, atoms) != part.useful)
      return std::string(part.part) + " in " + part.program.name +
             (part.useful ? " is useful" : " is of no use") + "\n  " + part.says;
  }
  return {};
}

/// Walks through all orders of all graphs of three operations.
class Orders {
 public:
  Orders() : program_{"", "h", {}, {2}, {{"x", "h"}, {"g", "h"}}, "h", {}} {
    graph_ = {{Op::input, 0}, {Op::input, 1}};
    walk(true);
  }
  std::map<std::vector<std::string>, int> allowed;  ///< by the formulas of its nodes: in how many orders
  int all = 0;

 private:
  void walk(bool is_allowed) {
    if (graph_.size() == 5) {
      std::vector<std::string> names;
      for (int i = 2; i < 5; ++i) names.push_back(name(i));
      std::sort(names.begin(), names.end());
      allowed[names] += is_allowed ? 1 : 0;
      ++all;
      return;
    }
    const int size = static_cast<int>(graph_.size());
    for (int a = 0; a < size; ++a) {
      go_on({Op::exp, a}, is_allowed);
      for (int b = a; b < size; ++b) go_on({Op::mul, a, b}, is_allowed);
    }
  }
  /// As a formula whose operands are sorted.
  std::string name(int i) const {
    const Node& node = graph_[static_cast<std::size_t>(i)];
    if (node.op == Op::input) return program_.inputs[static_cast<std::size_t>(node.a)].name;
    if (node.op == Op::exp) return "exp(" + name(node.a) + ")";
    const std::string a = name(node.a), b = name(node.b);
    return "(" + std::min(a, b) + " * " + std::max(a, b) + ")";
  }
  void go_on(const Node& node, bool is_allowed) {
    if (std::find(graph_.begin(), graph_.end(), node) != graph_.end()) return;
    const bool follows = graph_.size() == 2 || comes_after(node, graph_.back());
    graph_.push_back(node);
    walk(is_allowed && follows);
    graph_.pop_back();
  }
  Program program_;
  Graph graph_;
};

inline std::string order_fault() {
  const Orders orders;
  int kept = 0;
  for (const auto& [names, times] : orders.allowed) {
    kept += times;
    if (times > 0) continue;
    return "no order is left in which these may be made: " + names[0] + "; " + names[1] + "; " + names[2] +
           "\n  a node that reads the last one has to come after it: the later operand decides first";
  }
  if (kept == orders.all) return "every order is allowed, so each graph is met as often as it has orders";
  if (2 * kept > 3 * static_cast<int>(orders.allowed.size()))
    return number(static_cast<std::uint64_t>(kept)) + " orders are left for " +
           number(orders.allowed.size()) + " graphs: nearly one each would do";
  return {};
}

/// What a search should find: how many graphs, and in how many states the solution does.
struct Expected {
  Program program;
  std::size_t graphs;
  int states;
};
inline std::vector<Expected> expected() {
  return {
      {rmsnorm_linear(), 5, 83}, {lora_linear(), 3, 24}, {gated_mlp(), 1, 6}, {qknorm_attention(), 10, 977}};
}
inline int operations(const Program& program) {
  return static_cast<int>(program.graph.size()) - program.count();
}

inline bool functions_of_search() {
  return is_right("form", form_fault()) && is_right("useful", useful_fault()) &&
         is_right("order", order_fault());
}

/// Nothing where the search is right: else words.
inline std::string search_fault(const Expected& expected, const Search& search) {
  const Program& program = expected.program;
  if (search.states > Search::kMost)
    return "more than " + number(Search::kMost) +
           " states\n  one of the questions is not asked, or its answer is passed over";
  std::vector<std::string> found;
  for (const Graph& graph : search.found) found.push_back(formula(graph, program));
  std::sort(found.begin(), found.end());
  for (std::size_t i = 1; i < found.size(); ++i)
    if (found[i] == found[i - 1]) return "found twice: " + found[i];
  for (const Claim& claim : claims()) {
    if (claim.program.name != program.name || !claim.is_equal) continue;
    Search other(program, 0, 1);  // for the form alone
    bool is_there = false;
    for (const Graph& graph : search.found) is_there = is_there || graph.size() == claim.graph.size();
    if (!is_there)
      return "not found: " + formula(claim.graph, program) + ", " + claim.what +
             (search.found.empty()
                  ? "\n  nothing was kept: is a complete graph kept before the nodes left are asked for?"
                  : "");
  }
  if (search.found.size() > expected.graphs)
    return number(search.found.size()) + " graphs, and the forms let " + number(expected.graphs) +
           " through\n  is is_useful() asked of every node?";
  if (search.found.size() != expected.graphs)
    return number(search.found.size()) + " graphs, and there are " + number(expected.graphs) +
           (search.found.size() < expected.graphs ? "\n  something is left out before it could be joined"
                                                  : "");
  if (2 * search.states > 3 * expected.states)
    return "all graphs, in " + number(static_cast<std::uint64_t>(search.states)) + " states where " +
           number(static_cast<std::uint64_t>(expected.states)) +
           " would do\n  is every question asked: the order, the use, and whether all can still be joined?";
  return {};
}

inline void print_graphs(const Program& program, const std::vector<Graph>& graphs) {
  for (std::size_t i = 0; i < std::min<std::size_t>(graphs.size(), 5); ++i)
    std::printf("  %s\n", formula(graphs[i], program).c_str());
  if (graphs.size() > 5) std::printf("  and %zu more\n", graphs.size() - 5);
}

inline bool search() {
  if (!functions_of_search()) return false;
  for (const Expected& one : expected()) {
    Search search(one.program, operations(one.program), kDraws);
    extend(search);
    const std::string wrong = search_fault(one, search);
    if (!wrong.empty()) return is_right(one.program.name, wrong);
    std::printf("%s: %zu equal graph%s of at most %d operations, in %d states\n", one.program.name.c_str(),
                search.found.size(), search.found.size() == 1 ? "" : "s", operations(one.program),
                search.states);
    print_graphs(one.program, search.found);
  }
  // What the forms are worth, and what they miss.
  for (const Expected& one : {expected()[0], expected()[1]}) {
    Search all(one.program, operations(one.program), kDraws);
    all.prune = false;
    extend(all);
    std::printf("%s without forms: %zu equal graphs, in %d states\n", one.program.name.c_str(),
                all.found.size(), all.states);
    for (const Graph& graph : all.found) {
      Atoms atoms;
      if (form_of(graph, atoms) != form_of(one.program.graph, atoms))
        std::printf("  only so: %s\n", formula(graph, one.program).c_str());
    }
  }
  return true;
}

// ---- --schedule ----

/// Graphs that stand for what a search finds: the program's own, and the equal ones among the claims.
inline std::vector<Graph> known_graphs(const Program& program) {
  std::vector<Graph> graphs{program.graph};
  for (const Claim& claim : claims())
    if (claim.is_equal && claim.program.name == program.name) graphs.push_back(claim.graph);
  return graphs;
}

inline std::string fits_fault() {
  const auto as = [](const Graph& graph, std::vector<int> launches, std::vector<int> loops,
                     const Program& program) {
    Plan plan{graph, std::vector<int>(static_cast<std::size_t>(program.count()), -1), std::move(loops)};
    plan.launch.insert(plan.launch.end(), launches.begin(), launches.end());
    return plan;
  };
  const Program rms = rmsnorm_linear(), lora = lora_linear(), gated = gated_mlp(),
                attention = qknorm_attention();
  const std::vector<Graph> of_rms = known_graphs(rms), of_lora = known_graphs(lora),
                           of_attention = known_graphs(attention);
  const int h = 1, r = 2, t = 2, d = 3;
  Builder chain(rms);
  const int scaled = chain.mul(0, 1), root = chain.exp(chain.rms('h', 0));
  chain.product('h', chain.div(scaled, root), 2);
  struct {
    const char* what;
    const Program& program;
    Plan plan;
    bool fits;
    const char* says;
  } const kPlans[] = {
      {"rmsnorm_linear as it is written, in one launch with a loop over h", rms,
       as(rms.graph, {0, 0, 0, 0}, {h}, rms), false,
       "x * g / rms has h, so it belongs into the loop, and rms is there only behind it"},
      {"x * g divided by exp(rms(h, x)), and its product with w, in one launch with a loop over h", rms,
       as(chain.graph(), {0, 0, 0, 0, 0}, {h}, rms), false,
       "exp(rms) has no h, but it is there only behind the loop as well: waiting goes on from node to node"},
      {"the norm of rmsnorm_linear in one launch with a loop over h, the product in another", rms,
       as(rms.graph, {0, 0, 0, 1}, {h, h}, rms), false,
       "x * g / rms has h: it would take a second pass over x, when rms is finished"},
      {"rmsnorm_linear, divided behind the sum, in one launch with a loop over h", rms,
       as(of_rms[1], {0, 0, 0, 0}, {h}, rms), true, "both sums end with the loop, and the division has no h"},
      {"the same with no loop at all", rms, as(of_rms[1], {0, 0, 0, 0}, {-1}, rms), false,
       "h is summed over and 4096 long: a block cannot hold it whole, so it must be the loop's"},
      {"rmsnorm_linear as it is written, rms in a launch of its own", rms,
       as(rms.graph, {1, 0, 1, 1}, {h, h}, rms), true,
       "what an earlier launch has finished may be used in a loop"},
      {"lora_linear in one launch with a loop over h", lora, as(lora.graph, {0, 0, 0, 0}, {h}, lora), true,
       "r is 16 long: a block holds it whole, and sums over it behind the loop"},
      {"lora_linear in one launch with a loop over r", lora, as(lora.graph, {0, 0, 0, 0}, {r}, lora), false,
       "h is summed over as well, and too long to be held whole"},
      {"gated_mlp in one launch with a loop over h", gated, as(gated.graph, {0, 0, 0, 0}, {h}, gated), true,
       "silu and the product of the halves come behind the loop"},
      {"attention as it is written, in one launch with a loop over t", attention,
       as(attention.graph, std::vector<int>(9, 0), {t}, attention), false,
       "exp / sum has t, so it belongs into the loop, and the sum over t is there only behind it"},
      {"attention, divided last, in one launch with a loop over t", attention,
       as(of_attention[1], std::vector<int>(9, 0), {t}, attention), true,
       "both sums over t end with the loop. A sum over d is finished within a turn: d is not the loop's"},
      {"attention, divided last, in one launch with a loop over d", attention,
       as(of_attention[1], std::vector<int>(9, 0), {d}, attention), false, "t is 4096 long"},
  };
  for (const auto& plan : kPlans) {
    bool got = true;
    for (int launch = 0; launch < plan.plan.launches(); ++launch)
      got = got && fits(plan.program, plan.plan, launch);
    if (got != plan.fits)
      return std::string(plan.what) + (plan.fits ? " fits" : " does not fit") + "\n  " + plan.says;
  }
  return {};
}

inline std::string bytes_fault() {
  const Program rms = rmsnorm_linear();
  const double x = 16 * 4096, g = 4096, w = 4096.0 * 6144, y = 16 * 6144, n = x, r = 16;
  const Plan apart = one_by_one(rms, rms.graph);
  struct {
    const char* what;
    Plan plan;
    int launch;
    double elements;
    const char* says;
  } const kLaunches[] = {
      {"x * g, a launch of its own", apart, 0, x + g + n, "x and g are read, what comes out is written"},
      {"rms(h, x), a launch of its own", apart, 1, x + r, "x is read, b roots are written: h is summed away"},
      {"the product, the last launch", apart, 3, n + w + y, "the result is written though nothing reads it"},
      {"all in one launch",
       {rms.graph, {-1, -1, -1, 0, 0, 0, 0}, {1}},
       0,
       x + g + w + y,
       "x is read once, however many nodes use it, and what lies between two nodes of the launch is not moved"},
      {"x * g and x * g / rms, rms in a launch before",
       {rms.graph, {-1, -1, -1, 1, 0, 1, 2}, {1, 1, 1}},
       1,
       x + g + r + n,
       "what an earlier launch has written is read"},
  };
  for (const auto& one : kLaunches) {
    const double got = bytes_of(rms, one.plan, one.launch);
    if (got == kBytesAnElement * one.elements) continue;
    return std::string(one.what) + ", moves " + text_of(kBytesAnElement * one.elements, "%.0f") +
           " bytes, and yours are " + text_of(got, "%.0f") + "\n  " + one.says;
  }
  return {};
}

inline std::string launches_of(int count) {
  return number(static_cast<std::uint64_t>(count)) + (count == 1 ? " launch" : " launches");
}

/// The best plan of some graphs beside the program with a launch an operation.
inline Best print_best(const Program& program, const std::vector<Graph>& graphs) {
  const Best best = cheapest(program, graphs);
  if (!best.found) {
    std::printf("%s: WRONG, of %d plans none fits\n", program.name.c_str(), best.looked_at);
    return best;
  }
  const Price apart = price_of(program, one_by_one(program, program.graph));
  std::printf("%s: %s in place of %d, %.2f MB in place of %.2f\n  %s\n", program.name.c_str(),
              launches_of(best.plan.launches()).c_str(), operations(program), best.price.bytes * 1e-6,
              apart.bytes * 1e-6, formula(best.plan.graph, program).c_str());
  std::printf("  %.2f us in place of %.2f, the cheapest of %d plans\n", best.price.us, apart.us,
              best.looked_at);
  return best;
}

inline bool functions_of_schedule() {
  return is_right("fits", fits_fault()) && is_right("bytes", bytes_fault());
}

inline bool schedule() {
  if (!functions_of_schedule()) return false;
  for (const Expected& one : expected())
    if (!print_best(one.program, known_graphs(one.program)).found) return false;
  return true;
}

// ---- --emit ----

using Values = Reader::Values;

/// Sizes at which kernels are tried: as the real shape, but short.
inline std::vector<int> small_sizes(const Program& program) {
  std::vector<int> sizes;
  for (std::size_t i = 0; i < program.letters.size(); ++i) {
    const std::string all = "bhor";
    const int small[] = {3, 37, 40, program.real[i]};
    sizes.push_back(small[all.find(program.letters[i])]);  // r as it is: registers are declared by it
  }
  return sizes;
}

/// The program as it is written, in doubles; a loop over all indices for each node.
inline std::vector<Values> values_of(const Program& program, const std::vector<int>& sizes) {
  std::vector<Values> values;
  std::vector<Indices> sets;
  const auto strides = [&](Indices set) {
    std::array<int, 8> result{};
    int size = 1;
    for (std::size_t i = sizes.size(); i-- > 0;)
      if (has(set, static_cast<int>(i))) result[i] = size, size *= sizes[i];
    return std::pair(result, size);
  };
  std::uint64_t key = 1;
  for (const Node& node : program.graph) {
    sets.push_back(indices_of(node, sets, program));
    const auto [stride, size] = strides(sets.back());
    Values result(static_cast<std::size_t>(size));
    if (node.op == Op::input) {
      for (double& value : result) {
        // A float between -1 and 1, never symmetric.
        value = static_cast<double>(
            static_cast<float>(static_cast<double>(mixed(key++, 3) >> 40) * 0x1p-23 - 0.9));
      }
      values.push_back(std::move(result));
      continue;
    }
    const Values &a = values[static_cast<std::size_t>(node.a)],
                 &b = values[static_cast<std::size_t>(std::max(node.b, 0))];
    const auto a_strides = strides(sets[static_cast<std::size_t>(node.a)]).first;
    const auto b_strides = strides(sets[static_cast<std::size_t>(std::max(node.b, 0))]).first;
    const int terms = node.over < 0 ? 1 : sizes[static_cast<std::size_t>(node.over)];
    for (int i = 0; i < size; ++i)
      for (int term = 0; term < terms; ++term) {
        int at_a = 0, at_b = 0;
        for (int index = 0; index < static_cast<int>(sizes.size()); ++index) {
          const auto k = static_cast<std::size_t>(index);
          const int coordinate = index == node.over ? term : stride[k] > 0 ? i / stride[k] % sizes[k] : 0;
          at_a += a_strides[k] * coordinate, at_b += b_strides[k] * coordinate;
        }
        const double x = a[static_cast<std::size_t>(at_a)], y = b[static_cast<std::size_t>(at_b)];
        double& value = result[static_cast<std::size_t>(i)];
        if (node.op == Op::add) value = x + y;
        if (node.op == Op::mul) value = x * y;
        if (node.op == Op::div) value = x / y;
        if (node.op == Op::silu) value = x / (1.0 + std::exp(-x));
        if (node.op == Op::product) value += x * y;
        if (node.op == Op::rms) {
          value += x * x;
          if (term + 1 == terms) value = std::sqrt(value / terms + 1e-5);
        }
      }
    values.push_back(std::move(result));
  }
  return values;
}

/// What lines compute for each thread, beside what is right; an empty text where that is the same.
inline std::string lines_fault(const Program& program, const std::vector<std::string>& lines) {
  const std::vector<int> sizes = small_sizes(program);
  const std::vector<Values> right = values_of(program, sizes);
  Reader reader(lines);
  for (int i = 0; i < program.count(); ++i)
    reader.arrays[program.inputs[static_cast<std::size_t>(i)].name] = right[static_cast<std::size_t>(i)];
  reader.arrays["y"] = Values(right.back().size(), std::nan(""));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    reader.numbers[Writer::extent(program.letters.substr(i, 1))] = sizes[i];
  const int columns = sizes[static_cast<std::size_t>(program.index('o'))];
  try {
    // Threads of the first and of the last columns, in two rows.
    for (const int b : {0, 2})
      for (const int o : {0, 1, columns - 1}) {
        reader.numbers["b"] = b, reader.numbers["o"] = o;
        reader.run();
        const auto at = static_cast<std::size_t>(b * columns + o);
        const double got = reader.arrays["y"][at], wanted = right.back()[at];
        if (std::abs(got - wanted) <= 1e-9 * (1.0 + std::abs(wanted))) continue;
        std::string words = "y[" + number(static_cast<std::uint64_t>(b)) + "," +
                            number(static_cast<std::uint64_t>(o)) + "] is " + text_of(got) + ", and " +
                            text_of(wanted) + " is right";
        if (std::isnan(got))
          words += "\n  that is no number: what is added up needs a 0 to begin with, and y has to be stored";
        return words;
      }
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Whether the lines are those of emitted.cuh.
inline bool is_compiled(const Program& program, const std::vector<std::string>& lines) {
  const char* folder = std::getenv("WORKBOOK_PUZZLE");
  const std::string name =
      (folder == nullptr ? std::string("puzzles/47_superoptimizer") : std::string(folder)) + "/emitted.cuh";
  std::string text;
  if (std::FILE* file = std::fopen(name.c_str(), "rb")) {
    char part[4096];
    for (std::size_t size; (size = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, size);
    std::fclose(file);
  }
  const auto bare = [](const std::string& words) {
    std::string result;
    for (const char c : words)
      if (c != ' ' && c != '\n') result += c;
    return result;
  };
  std::string all = "if(o>=O)return;";
  for (const std::string& line : lines) all += bare(line);
  const std::size_t kernel = text.find(program.name + "_kernel(");
  return kernel != std::string::npos && bare(text.substr(kernel)).find(all) < 400;
}

/// The kernel of emitted.cuh, run.
inline std::string kernel_fault(const Program& program) {
  const std::vector<int> sizes = small_sizes(program);
  const std::vector<Values> right = values_of(program, sizes);
  std::vector<float*> inputs;
  for (int i = 0; i < program.count(); ++i) {
    const Values& values = right[static_cast<std::size_t>(i)];
    const std::vector<float> floats(values.begin(), values.end());
    float* device = nullptr;
    cudaMalloc(&device, floats.size() * sizeof(float));
    cudaMemcpy(device, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice);
    inputs.push_back(device);
  }
  std::vector<float> got(right.back().size());
  float* y = nullptr;
  cudaMalloc(&y, got.size() * sizeof(float));
  const auto size = [&](char letter) { return sizes[static_cast<std::size_t>(program.index(letter))]; };
  launch_emitted(program.name, y, inputs, size('b'), size('h'), size('o'));
  const cudaError_t error = cudaMemcpy(got.data(), y, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(y);
  for (float* input : inputs) cudaFree(input);
  if (error != cudaSuccess) return cudaGetErrorString(error);
  for (std::size_t i = 0; i < got.size(); ++i)
    // Sums of some 40 products of numbers below 1, in float: far below this.
    if (!(std::abs(got[i] - right.back()[i]) <= 1e-4 * (1.0 + std::abs(right.back()[i]))))
      return "element " + number(i) + " is " + text_of(static_cast<double>(got[i])) + ", and " +
             text_of(right.back()[i]) + " is right";
  return {};
}

/// Writes a plan down and judges the lines.
inline bool emit(const Program& program, const Plan& plan) {
  Writer writer(program, plan);
  write_kernel(writer);
  std::printf("%s, as a kernel: %s\n", program.name.c_str(), formula(plan.graph, program).c_str());
  std::size_t depth = 1;
  for (const std::string& line : writer.text) {
    if (line[0] == '}' && depth > 1) --depth;
    std::printf("%s%s\n", std::string(2 * depth, ' ').c_str(), line.c_str());
    if (!line.empty() && line.back() == '{') ++depth;
  }
  if (writer.text.empty()) std::printf("  no line\n");
  if (!is_right(program.name + ", the lines read one by one", lines_fault(program, writer.text)))
    return false;
  if (!is_compiled(program, writer.text)) {
    std::printf("%s: right, and written otherwise than in emitted.cuh, so not compiled here\n",
                program.name.c_str());
    return true;
  }
  return is_right(program.name + ", these lines compiled and run", kernel_fault(program));
}

inline bool emit() {
  for (const Expected& one : expected()) {
    if (one.program.name == "qknorm_attention") continue;  // a running maximum is Puzzle 44's
    const Graph graph = known_graphs(one.program)[one.program.name == "lora_linear" ? 0 : 1];
    Plan plan{graph, std::vector<int>(graph.size(), 0), {1}};
    std::fill_n(plan.launch.begin(), one.program.count(), -1);
    if (!emit(one.program, plan)) return false;
  }
  // Not the cheapest, but with a sum that is finished within a turn of the loop.
  Program merged = lora_linear();
  merged.name = "merged_linear";
  const Graph graph = known_graphs(lora_linear())[1];
  Plan plan{graph, std::vector<int>(graph.size(), 0), {1}};
  std::fill_n(plan.launch.begin(), merged.count(), -1);
  return emit(merged, plan);
}

// ---- --all ----

inline bool all() {
  if (!fields() || !functions_of_search() || !functions_of_schedule()) return false;
  for (const Expected& one : expected()) {
    Search search(one.program, operations(one.program), kDraws);
    extend(search);
    const std::string wrong = search_fault(one, search);
    if (!wrong.empty()) return is_right(one.program.name, wrong);
    const Best best = print_best(one.program, search.found);
    if (!best.found) return false;
    if (best.plan.launches() == 1 && one.program.name != "qknorm_attention" && !emit(one.program, best.plan))
      return false;
  }
  return true;
}

}  // namespace judge

inline int run_program(int count, char** arguments) {
  const std::string_view what = count == 2 ? arguments[1] : "";
  if (what == "--fields") return judge::fields() ? 0 : 1;
  if (what == "--search") return judge::search() ? 0 : 1;
  if (what == "--schedule") return judge::schedule() ? 0 : 1;
  if (what == "--emit") return judge::emit() ? 0 : 1;
  if (what == "--all") return judge::all() ? 0 : 1;
  std::printf("superoptimizer --fields | --search | --schedule | --emit | --all\n");
  return 2;
}
