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
  // END: power
  return result;
}

// a / b, in both fields. What is lost in b is lost in the quotient.
Element divide(Element a, Element b) {
  Element inverse;
  // FILL ME IN: divide (roughly 1 line)
  // END: divide
  return multiply(a, inverse);
}

// exp(x): kBase to the power of x. exp(x + y) = exp(x) exp(y) has to hold.
Element exponential(Element x) {
  Element result;
  // FILL ME IN: exponential (roughly 2 lines)
  // END: exponential
  return result;
}

// One element of a node's result, from the operands' elements. `place` has a coordinate for each index;
// node.over, where there is one, takes the values from 0 to extent - 1.
Element value_at(const Node& node, const Tensor& a, const Tensor& b, Place place, int extent) {
  Element sum;
  // FILL ME IN: value (roughly 12 lines)
  // END: value
  return sum;
}

// Elements for all inputs, other ones in each draw.
std::vector<Tensor> random_inputs(const Program& program, int draw) {
  std::vector<Tensor> inputs = empty_inputs(program);
  std::uint64_t key = mixed(47, static_cast<std::uint64_t>(draw));
  // FILL ME IN: inputs (roughly 2 lines)
  // END: inputs
  return inputs;
}

// Whether `other` computes what the program does: the same elements in each of so many draws.
bool equal(const Program& program, const Graph& other, Draw inputs, int draws) {
  // FILL ME IN: equal (roughly 7 lines)
  // END: equal
  return true;
}

// ---- --search: which graphs are equal? ----

// The form of a node, from its operands' forms.
Form form_of(const Node& node, const Form& a, const Form& b, Atoms& atoms) {
  Form result;
  // FILL ME IN: form (roughly 16 lines)
  // END: form
  return sorted(std::move(result));
}

// Whether a tensor with the form `part` can be on the way to one with the form `goal`.
bool useful(const Form& part, const Form& goal, const Atoms& atoms) {
  // FILL ME IN: useful (roughly 6 lines)
  // END: useful
  return false;
}

// Whether `node` may be added behind `last`. Without such a rule a graph is met in every order that its nodes
// can be made in.
bool comes_after(const Node& node, const Node& last) {
  bool follows = true;
  // FILL ME IN: order (roughly 2 lines)
  // END: order
  return follows;
}

// All graphs that begin as the one that the search has now.
void extend(Search& search) {
  // FILL ME IN: extend (roughly 8 lines)
  // END: extend
}

// ---- --schedule: in how many launches? ----

// Whether one kernel can do what the plan puts into this launch. It goes once over its loop's index: what has
// that index exists a piece at a time, and a sum over it is there when the loop has ended.
bool fits(const Program& program, const Plan& plan, int launch) {
  const int loop = plan.loop[launch];
  const std::vector<Indices> sets = indices_of(plan.graph, program);
  // FILL ME IN: fits (roughly 11 lines)
  // END: fits
  return true;
}

// Bytes that a launch moves: every tensor that it needs from outside is read once, every tensor that is
// needed outside is written once. What lies between two of its nodes stays on the chip.
double bytes_of(const Program& program, const Plan& plan, int launch) {
  const std::vector<Indices> sets = indices_of(plan.graph, program);
  double elements = 0.0;
  // FILL ME IN: price (roughly 9 lines)
  // END: price
  return kBytesAnElement * elements;
}

// ---- --emit: as CUDA ----

// The body of a kernel for a plan of one launch.
void write_kernel(Writer& w) {
  // FILL ME IN: emit (roughly 15 lines)
  // END: emit
}

int main(int count, char** arguments) { return run_program(count, arguments); }
