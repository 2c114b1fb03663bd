// Puzzle 47, Build a superoptimizer: a program that finds programs. Given a small tensor program, it searches
// all graphs that are equal to it, cuts them into launches, prices them, and writes the best one down as
// CUDA.
//
// CUDA offers nothing for this: it is C++ on the host. What it prints in the end is a kernel.
// graph.h has the type that all of it is about; field.h, forms.h, search.h, plans.h and lines.h what stands
// around your functions.
#include "program.h"

// ---- --fields: are two graphs equal? ----

// base * base * ... modulo a prime, `exponent` factors. A bit of the exponent a step, the lowest one first:
// 31 steps where a loop over the factors would take a billion.
std::uint32_t power(std::uint32_t base, std::uint32_t exponent, std::uint32_t prime) {
  std::uint32_t result = 1;
  // FILL ME IN: power (roughly 4 lines)
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base, prime);
    base = multiply(base, base, prime);  // base^1, base^2, base^4, ...
  }
  // END: power
  return result;
}

// a / b, in both fields. What is lost in b is lost in the quotient.
Element divide(Element a, Element b) {
  Element inverse;
  // FILL ME IN: divide (roughly 1 line)
  // Fermat: b^(prime - 1) is 1 for every b but 0, so b^(prime - 2) is what b has to be multiplied by.
  inverse = {power(b.p, kP - 2, kP), power(b.q, kQ - 2, kQ), b.lost};
  // END: divide
  return multiply(a, inverse);
}

// exp(x): kBase to the power of x. exp(x + y) = exp(x) exp(y) has to hold.
Element exponential(Element x) {
  Element result;
  // FILL ME IN: exponential (roughly 2 lines)
  // Powers of kBase come round after q steps, so an exponent is a number modulo q, and the power is one
  // modulo p. Nothing is left to be the result's part modulo q.
  result.p = power(kBase, x.q, kP);
  result.lost = true;
  // END: exponential
  return result;
}

// One element of a node's result, from the operands' elements. `place` has a coordinate for each index;
// node.over, where there is one, takes the values from 0 to extent - 1.
Element value_at(const Node& node, const Tensor& a, const Tensor& b, Place place, int extent) {
  Element sum;
  // FILL ME IN: value (roughly 12 lines)
  if (node.op == Op::add) return add(a.at(place), b.at(place));
  if (node.op == Op::mul) return multiply(a.at(place), b.at(place));
  if (node.op == Op::div) return divide(a.at(place), b.at(place));
  if (node.op == Op::exp) return exponential(a.at(place));
  if (node.op == Op::silu) return opaque(node.op, a.at(place));
  int& over = place[node.over];
  for (over = 0; over < extent; ++over) {
    const Element x = a.at(place);
    sum = add(sum, node.op == Op::sum ? x : multiply(x, node.op == Op::rms ? x : b.at(place)));
  }
  if (node.op == Op::rms) return opaque(node.op, sum);  // of the sum of squares
  // END: value
  return sum;
}

// Elements for all inputs, other ones in each draw.
std::vector<Tensor> random_inputs(const Program& program, int draw) {
  std::vector<Tensor> inputs = empty_inputs(program);
  std::uint64_t key = mixed(47, static_cast<std::uint64_t>(draw));
  // FILL ME IN: inputs (roughly 2 lines)
  // The key goes on from input to input: no two elements of a draw have anything to do with one another.
  for (Tensor& input : inputs)
    for (Element& element : input.values) element = random_element(key++);
  // END: inputs
  return inputs;
}

// Whether `other` computes what the program does: the same elements in each of so many draws.
bool equal(const Program& program, const Graph& other, Draw inputs, int draws) {
  // FILL ME IN: equal (roughly 7 lines)
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<Tensor> drawn = inputs(program, draw);
    const Tensor wanted = result_of(program.graph, program, drawn), got = result_of(other, program, drawn);
    if (wanted.set != got.set) return false;
    for (std::size_t i = 0; i < wanted.values.size(); ++i)
      if (!same(wanted.values[i], got.values[i])) return false;  // one draw is enough to refuse
  }
  // END: equal
  return true;
}

// ---- --search: which graphs are equal? ----

// The form of a node, from its operands' forms.
Form form_of(const Node& node, const Form& a, const Form& b, Atoms& atoms) {
  Form result;
  // FILL ME IN: form (roughly 16 lines)
  switch (node.op) {
    case Op::add:  // all terms of both
      result = a;
      result.insert(result.end(), b.begin(), b.end());
      break;
    case Op::mul:
    case Op::product:  // every term of one with every term of the other
      for (const Term& x : a)
        for (const Term& y : b) result.push_back(times(x, y));
      break;
    case Op::div:  // 1 / b is one factor more for each term
      result = times(atoms.make(Op::div, -1, b), a);
      break;
    case Op::sum:
      result = a;
      break;
    default:  // exp, silu and rms cannot be multiplied out
      return {atoms.make(node.op, node.over, a)};
  }
  // A sum goes to each of its terms, and it does not matter how far out it stands: that is what lets a
  // division move past it.
  if (node.op == Op::sum || node.op == Op::product)
    for (Term& term : result) term = times(Term{{node.over}, {}}, term);
  // END: form
  return sorted(std::move(result));
}

// Whether a tensor with the form `part` can be on the way to one with the form `goal`.
bool useful(const Form& part, const Form& goal, const Atoms& atoms) {
  // FILL ME IN: useful (roughly 6 lines)
  for (const Term& term : goal) {
    // What follows can multiply the part by one factor and add other terms to it. Nothing cancels.
    Term factor;
    if (quotient(term, part.front(), factor) && contains(goal, times(factor, part))) return true;
    // Or it goes into an exp, a silu, an rms, or a denominator.
    for (const int number : term.factors)
      if (Atoms::is_atom(number) && useful(part, atoms.inside(number), atoms)) return true;
  }
  // END: useful
  return false;
}

// Whether `node` may be added behind `last`. Without such a rule a graph is met in every order that its nodes
// can be made in.
bool comes_after(const Node& node, const Node& last) {
  bool follows = true;
  // FILL ME IN: order (roughly 2 lines)
  // The later operand decides first. A node that reads `last` itself comes after it in any case: its later
  // operand is later than any that `last` could have had.
  const auto key = [](const Node& n) { return std::tuple(std::max(n.a, n.b), std::min(n.a, n.b), n); };
  follows = key(node) > key(last);
  // END: order
  return follows;
}

// All graphs that begin as the one that the search has now.
void extend(Search& search) {
  // FILL ME IN: extend (roughly 8 lines)
  if (search.is_complete()) return search.keep();
  if (search.left() == 0) return;
  for (const Node& node : search.candidates()) {
    // The cheapest question first.
    if (!comes_after(node, search.last()) || !search.is_useful(node)) continue;
    search.push(node);
    if (search.loose() - 1 <= search.left()) extend(search);  // else they cannot all be joined any more
    search.pop();
  }
  // END: extend
}

// ---- --schedule: in how many launches? ----

// Whether one kernel can do what the plan puts into this launch. It goes once over its loop's index: what has
// that index exists a piece at a time, and a sum over it is there when the loop has ended.
bool fits(const Program& program, const Plan& plan, int launch) {
  const int loop = plan.loop[launch];
  const std::vector<Indices> sets = indices_of(plan.graph, program);
  // FILL ME IN: fits (roughly 11 lines)
  std::vector<bool> behind(plan.graph.size());  // is there only behind the loop
  for (std::size_t i = 0; i < plan.graph.size(); ++i) {
    if (plan.launch[i] != launch) continue;  // an input, or finished by an earlier launch
    const Node& node = plan.graph[i];
    const bool waits = behind[node.a] || (node.b >= 0 && behind[node.b]);
    const bool sums_over_loop = loop >= 0 && node.over == loop;
    // A second pass over the same index is another kernel's.
    if (waits && (sums_over_loop || has(sets[i], loop))) return false;
    if (node.over >= 0 && !sums_over_loop && program.real[node.over] > kWhole) return false;
    behind[i] = waits || sums_over_loop;
  }
  // END: fits
  return true;
}

// Bytes that a launch moves: every tensor that it needs from outside is read once, every tensor that is
// needed outside is written once. What lies between two of its nodes stays on the chip.
double bytes_of(const Program& program, const Plan& plan, int launch) {
  const std::vector<Indices> sets = indices_of(plan.graph, program);
  double elements = 0.0;
  // FILL ME IN: price (roughly 9 lines)
  for (int i = 0; i < static_cast<int>(plan.graph.size()); ++i) {
    bool here = false, elsewhere = plan.is_result(i);  // who reads node i
    for (int reader = program.count(); reader < static_cast<int>(plan.graph.size()); ++reader) {
      const Node& node = plan.graph[reader];
      if (node.a == i || node.b == i) (plan.launch_of(reader) == launch ? here : elsewhere) = true;
    }
    const bool is_made_here = plan.launch_of(i) == launch;
    if (is_made_here ? elsewhere : here) elements += elements_of(program, sets[i]);
  }
  // END: price
  return kBytesAnElement * elements;
}

// ---- --emit: as CUDA ----

// The body of a kernel for a plan of one launch.
void write_kernel(Writer& w) {
  // FILL ME IN: emit (roughly 15 lines)
  for (const int i : w.nodes) w.line("float " + w.declared(i) + " = {};");
  const auto compute = [&](int i) {
    w.line(w.own_loops(i) + w.sum_loop(i) + w.name(i) + (w.is_sum(i) ? " += " : " = ") + w.term(i) + ";");
  };
  w.line(Writer::loop_over(w.loop()) + "{");
  for (const int i : w.nodes) {
    if (!w.in_loop(i)) continue;
    // A sum that is finished within a turn begins again in the next one.
    if (w.is_sum(i) && !w.sums_over_loop(i)) w.line(w.own_loops(i) + w.name(i) + " = 0.0f;");
    compute(i);
  }
  w.line("}");
  for (const int i : w.nodes) {
    if (!w.in_loop(i)) compute(i);
    if (w.op(i) == Op::rms) w.line(w.own_loops(i) + w.name(i) + " = " + w.root(i) + ";");
  }
  w.line(w.result() + " = " + w.name(w.nodes.back()) + ";");
  // END: emit
}

int main(int count, char** arguments) { return run_program(count, arguments); }
