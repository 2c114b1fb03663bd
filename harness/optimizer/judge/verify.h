// Are two graphs equal? Random draws in the fields, as many as the bound on the chance of error asks for;
// then draws at other and at full extents; then doubles, for what rounding does to them.
//
// The bound. Of polynomials of degree d over a field of p elements that differ, at most d/p of all points
// agree (Schwartz, Zippel); cross-multiplied, two quotients are such polynomials. Roots of drawn squares make
// it 4d/p: the norm of the difference has degree 2d, and at least half the points are drawn. With k
// exponentials at most 8 d k^4 / q + q^(-1/k^2) (Mirage, OSDI 2025, theorem 2), so the draws that carry the
// proof have two keys only. Draws are independent: their chances multiply.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "optimizer/algebra/evaluate.h"

namespace workbook::opt {

/// How complicated the difference of two graphs is, at the tiny extents.
struct Difference {
  double degree = 0;        ///< of its numerator, exponents included
  double exponentials = 0;  ///< distinct products of them; 0: there are none
  bool roots = false;
  bool opaque = false;                             ///< an exp of an exp, a maximum, relu: no bound
  double chance_a_draw(const Field& field) const;  ///< 1 where the bound says nothing
};
Difference difference_of(const Program& program, const Graph& graph, const Extents& extents);

struct Verified {
  bool equal = false;
  int draws = 0;        ///< that carry the bound
  int other_draws = 0;  ///< at other extents
  double chance = 1.0;  ///< of having taken an unequal graph for equal, at the tiny extents
  Difference difference;
  std::string refused_at;  ///< "draw 1", "extents b 3, h 5, o 7"; empty when equal
  Extents full{};          ///< the largest extents that were drawn at; 0: none
  bool hashed = false;     ///< a hash stood for something that the fields do not know
};

struct VerifyOptions {
  Inputs inputs = Inputs::uniform;
  double chance = 1e-9;  ///< draw until the bound is below
  int most_draws = 200;
  bool full_extents = true;
  std::uint64_t seed = 2;
};

/// Keeps the program's values at each draw, so that many graphs are compared with them.
class Verifier {
 public:
  Verifier(const Program& program, const VerifyOptions& options);
  Verified verify(const Graph& graph, bool full_extents = true);

 private:
  struct At {  ///< the program at one draw
    std::unique_ptr<FieldEvaluator> evaluator;
    std::vector<FieldTensor> inputs;
    FieldTensor output;
  };
  At& at(const Extents& extents, std::uint32_t number);
  bool agrees(At& at, const Graph& graph, bool& hashed);
  Extents full_extents() const;

  const Program& program_;
  VerifyOptions options_;
  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<std::pair<std::pair<Extents, std::uint32_t>, At>> kept_;
};

/// What rounding may do to a graph, beside what it may do to the program itself.
struct Numerics {
  bool within = false;
  double ratio = 0.0;  ///< the graph's bound over the program's, the worst element of the worst data
  std::string data;    ///< "normal data", "x with a mean of 30 sigma"
  std::string words;   ///< "cancellation: ..." when not within
};

/// Numbers at the edges of what a program declares of its inputs: a few, so that there are zeros and ties;
/// the ends of the ranges among others, 16 where there is none. In both minus infinity where an input may
/// hold it.
enum class Edge : std::uint8_t { none, few, ends };
double edge_number(const Graph& graph, int input, Edge edge, std::uint64_t key);

/// Holds graphs beside their program: on normal data, with each input in turn having a mean of 30 sigma,
/// within the program's ranges; and at their edges, where a graph may have no number while the program has
/// one.
class RoundingCheck {
 public:
  explicit RoundingCheck(const Program& program);
  Numerics of(const Graph& graph) const;

 private:
  struct Data {
    std::string name;
    bool edge = false;
    std::vector<NumberTensor> inputs;
    NumberTensor own;  ///< the program's output
  };
  void add(std::string name, int shifted, Edge edge);

  const Program& program_;
  Extents extents_{};
  std::vector<Data> data_;
};

/// "b 2, h 3" of those indices that the graph has.
std::string extents_text(const Graph& graph, const Extents& extents);

}  // namespace workbook::opt
