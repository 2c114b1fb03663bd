// What an expression equals under the axioms of a commutative semiring with division but without
// cancellation, in which a sum over h is the factor "sigma h" of each of its terms: a normal form. Which
// element of a tensor is meant is forgotten, so equal forms do not prove equality (verify.h does); but of a
// graph that is equal under the axioms, every node's form is useful for the whole's.
//   form  a multiset of terms
//   term  sign, sigma (indices summed over), atoms (inputs, f(form)), the argument of its exp, its
//   denominator
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "optimizer/algebra/number_map.h"
#include "optimizer/graph/graph.h"

namespace workbook::opt {

using FormId = std::uint32_t;
inline constexpr FormId kNoForm = 0;  ///< no denominator, no exp
/// More terms than kMaxTerms: useful for nothing that we look for.
inline constexpr FormId kHugeForm = 1;
inline constexpr std::size_t kMaxTerms = 512;

using Occurrences = std::array<std::uint16_t, kMaxInputs>;  ///< of each input

/// Interns forms: the same form has the same number. One for each thread.
class NormalForms {
 public:
  explicit NormalForms(const Graph& graph);

  FormId input(int input);
  /// Of a node whose operands have the forms a and b.
  FormId apply(const Node& node, FormId a, FormId b);
  /// Of every node.
  std::vector<FormId> forms_of(const Graph& graph);

  /// Is there a context, made by the axioms' operations, that turns the part into the whole? `positive`: one
  /// that does not change the part's sign (the part is a difference, which has a spelling for each sign).
  bool useful(FormId part, FormId whole, bool positive = false);

  /// How often each input stands in the form, all written out.
  const Occurrences& occurrences(FormId form) const { return occurrences_[form]; }
  std::size_t terms(FormId form) const { return forms_[form].size(); }
  /// Terms of both signs.
  bool is_difference(FormId form) const;
  std::size_t size() const { return forms_.size(); }
  /// What is kept, in entries of some 100 bytes.
  std::size_t held() const { return forms_.size() + terms_.size() + applied_.size() + useful_.size(); }

 private:
  static constexpr std::uint32_t kFirstMade = kMaxInputs;  ///< atoms below are inputs

  using TermId = std::uint32_t;
  struct Term {
    std::int8_t sign = 1;
    FormId exp = kNoForm, den = kNoForm;
    std::vector<std::uint8_t> sigma;   ///< sorted
    std::vector<std::uint32_t> atoms;  ///< sorted: an input, or kMaxInputs + a number in atoms_
    bool operator==(const Term&) const = default;
  };
  struct Atom {
    std::uint32_t kind;  ///< a function's number, or what max is
    FormId a, b;
    bool operator==(const Atom&) const = default;
  };
  using Form = std::vector<TermId>;  ///< sorted
  struct Hash {
    std::size_t operator()(const Term& term) const;
    std::size_t operator()(const Atom& atom) const;
    std::size_t operator()(const Form& form) const;
  };

  TermId intern(const Term& term);
  FormId intern(Form form);
  FormId atom(const Atom& atom);
  FormId add(FormId a, FormId b, int sign);
  FormId multiply(FormId a, FormId b);
  FormId divide(FormId a, FormId b);
  FormId sum(FormId a, int over);
  Term product(const Term& a, const Term& b);
  FormId compute(const Node& node, FormId a, FormId b);
  Form scaled(const Term& factor, FormId form);

  /// All terms m with m * part = whole.
  std::vector<Term> quotients(const Term& whole, const Term& part);
  /// All forms m with m * part = whole.
  std::vector<FormId> quotients(FormId whole, FormId part);
  void divide_out(const Form& rest, const Form& part, Form& quotient, std::vector<FormId>& found);
  bool contained(FormId part, FormId whole, bool positive);
  /// Arguments of the form's atoms and exps, and its denominators.
  std::vector<FormId> inner(FormId form) const;

  const Graph& graph_;
  std::vector<Term> terms_;
  std::vector<Form> forms_;
  std::vector<Atom> atoms_;
  std::vector<Occurrences> occurrences_;
  std::unordered_map<Term, TermId, Hash> term_ids_;
  std::unordered_map<Form, FormId, Hash> form_ids_;
  std::unordered_map<Atom, std::uint32_t, Hash> atom_ids_;
  NumberMap<FormId> applied_;
  NumberMap<bool> useful_;
};

}  // namespace workbook::opt
