// Puzzle 47, given: normal forms. Forget which element of a tensor is meant, and multiply everything out:
// what is left is a sum of terms, each a product of factors below some sums. Graphs that are equal by the
// laws of arithmetic have the same form.
#pragma once

#include <map>

#include "graph.h"

namespace graphs {

/// sum(h, sum(r, x * a * u)): sums {h, r}, factors {x, a, u}. Both are sorted; what occurs twice stands
/// twice.
struct Term {
  std::vector<int> sums;     ///< indices summed over
  std::vector<int> factors;  ///< inputs by their number, and what Atoms has made of whole forms
  auto operator<=>(const Term&) const = default;
};
/// The terms that are added up, sorted.
using Form = std::vector<Term>;

inline Form sorted(Form form) {
  std::sort(form.begin(), form.end());
  return form;
}
/// All of both lists, sorted.
inline std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> result(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), result.begin());
  return result;
}
inline Term times(const Term& a, const Term& b) {
  return {joined(a.sums, b.sums), joined(a.factors, b.factors)};
}
/// Each term of the form times the factor.
inline Form times(const Term& factor, const Form& form) {
  Form result;
  for (const Term& term : form) result.push_back(times(factor, term));
  return sorted(std::move(result));
}
/// Whether `part` times something is `whole`; that is then left in `factor`.
inline bool quotient(const Term& whole, const Term& part, Term& factor) {
  const auto take_away = [](const std::vector<int>& from, const std::vector<int>& what,
                            std::vector<int>& rest) {
    rest.clear();
    std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(rest));
    return rest.size() + what.size() == from.size();
  };
  return take_away(whole.sums, part.sums, factor.sums) &&
         take_away(whole.factors, part.factors, factor.factors);
}
/// Whether all terms of `part` are among those of `whole`.
inline bool contains(const Form& whole, const Form& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// What cannot be multiplied out becomes one factor: exp, silu or rms of a form, or 1 / form (Op::div).
class Atoms {
 public:
  struct Atom {
    Op op;
    int over;
    Form inside;
    auto operator<=>(const Atom&) const = default;
  };
  /// As a form of one term of one factor; the same atom has the same number.
  Term make(Op op, int over, const Form& inside) {
    const auto [at, is_new] =
        numbers_.try_emplace({op, over, inside}, kFirst + static_cast<int>(atoms_.size()));
    if (is_new) atoms_.push_back({op, over, inside});
    return {{}, {at->second}};
  }
  static bool is_atom(int factor) { return factor >= kFirst; }
  const Form& inside(int factor) const { return atoms_[static_cast<std::size_t>(factor - kFirst)].inside; }

 private:
  static constexpr int kFirst = 32;  ///< numbers below are inputs
  std::map<Atom, int> numbers_;
  std::vector<Atom> atoms_;
};

}  // namespace graphs
using namespace graphs;

// The learner's (kernels.cu).
Form form_of(const Node& node, const Form& a, const Form& b, Atoms& atoms);
bool useful(const Form& part, const Form& goal, const Atoms& atoms);

namespace graphs {

inline Form form_of(const Graph& graph, Atoms& atoms) {
  std::vector<Form> forms;
  for (const Node& node : graph)
    forms.push_back(node.op == Op::input
                        ? Form{{{}, {node.a}}}
                        : ::form_of(node, forms[static_cast<std::size_t>(node.a)],
                                    forms[static_cast<std::size_t>(std::max(node.b, 0))], atoms));
  return forms.back();
}

}  // namespace graphs
