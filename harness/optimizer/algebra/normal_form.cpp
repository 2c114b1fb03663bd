#include "optimizer/algebra/normal_form.h"

#include <algorithm>
#include <numeric>

#include "optimizer/algebra/field.h"

namespace workbook::opt {
namespace {

constexpr std::uint32_t kMaxOver = 0x100, kMaxOfTwo = 0x200;  // kinds of atoms beyond the functions

template <class List>
List merged(const List& a, const List& b) {
  List result(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), result.begin());
  return result;
}

}  // namespace

std::size_t NormalForms::Hash::operator()(const Term& term) const {
  std::uint64_t hash = mixed(mixed(static_cast<std::uint64_t>(term.sign + 1), term.exp), term.den);
  for (const std::uint8_t index : term.sigma) hash = mixed(hash, index);
  for (const std::uint32_t atom : term.atoms) hash = mixed(hash, atom + 0x100);
  return hash;
}
std::size_t NormalForms::Hash::operator()(const Atom& atom) const {
  return mixed(mixed(atom.kind, atom.a), atom.b);
}
std::size_t NormalForms::Hash::operator()(const Form& form) const {
  std::uint64_t hash = form.size();
  for (const TermId term : form) hash = mixed(hash, term);
  return hash;
}

NormalForms::NormalForms(const Graph& graph) : graph_(graph), forms_(2), occurrences_(2) {
  occurrences_[kHugeForm].fill(0xffff);
}

NormalForms::TermId NormalForms::intern(const Term& term) {
  const auto [at, made] = term_ids_.try_emplace(term, static_cast<TermId>(terms_.size()));
  if (made) terms_.push_back(term);
  return at->second;
}

FormId NormalForms::intern(Form form) {
  if (form.size() > kMaxTerms) return kHugeForm;
  for (const TermId id : form)
    if (terms_[id].exp == kHugeForm || terms_[id].den == kHugeForm) return kHugeForm;
  std::sort(form.begin(), form.end());
  const auto known = form_ids_.find(form);
  if (known != form_ids_.end()) return known->second;
  const auto number = static_cast<FormId>(forms_.size());
  Occurrences counts{};
  const auto add = [&](std::size_t input, unsigned times) {
    counts[input] = static_cast<std::uint16_t>(std::min(0xffffu, counts[input] + times));
  };
  const auto add_form = [&](FormId inner) {
    for (std::size_t i = 0; i < counts.size(); ++i) add(i, occurrences_[inner][i]);
  };
  for (const TermId id : form) {
    const Term& term = terms_[id];
    for (const std::uint32_t atom : term.atoms) {
      if (atom < kFirstMade) {
        add(atom, 1);
        continue;
      }
      add_form(atoms_[atom - kFirstMade].a);
      if (atoms_[atom - kFirstMade].b != kNoForm) add_form(atoms_[atom - kFirstMade].b);
    }
    if (term.exp != kNoForm) add_form(term.exp);
    if (term.den != kNoForm) add_form(term.den);
  }
  form_ids_.emplace(form, number);
  forms_.push_back(std::move(form));
  occurrences_.push_back(counts);
  return number;
}

FormId NormalForms::input(int input) {
  Term term;
  term.atoms = {static_cast<std::uint32_t>(input)};
  return intern(Form{intern(term)});
}

FormId NormalForms::atom(const Atom& wanted) {
  const auto [at, made] = atom_ids_.try_emplace(wanted, static_cast<std::uint32_t>(atoms_.size()));
  if (made) atoms_.push_back(wanted);
  Term term;
  term.atoms = {kFirstMade + at->second};
  return intern(Form{intern(term)});
}

FormId NormalForms::add(FormId a, FormId b, int sign) {
  if (a == kHugeForm || b == kHugeForm) return kHugeForm;
  Form other = forms_[b];
  if (sign < 0)
    for (TermId& id : other) {
      Term term = terms_[id];
      term.sign = static_cast<std::int8_t>(-term.sign);
      id = intern(term);
    }
  Form form = forms_[a];
  form.insert(form.end(), other.begin(), other.end());
  return intern(std::move(form));
}

NormalForms::Term NormalForms::product(const Term& a, const Term& b) {
  Term result;
  result.sign = static_cast<std::int8_t>(a.sign * b.sign);
  result.sigma = merged(a.sigma, b.sigma);
  result.atoms = merged(a.atoms, b.atoms);
  result.exp = a.exp == kNoForm ? b.exp : b.exp == kNoForm ? a.exp : add(a.exp, b.exp, 1);
  result.den = a.den == kNoForm ? b.den : b.den == kNoForm ? a.den : multiply(a.den, b.den);
  return result;
}

NormalForms::Form NormalForms::scaled(const Term& factor, FormId form) {
  const Form terms = forms_[form];  // a copy: interning moves what is kept
  Form result;
  result.reserve(terms.size());
  for (const TermId id : terms) {
    const Term term = terms_[id];
    result.push_back(intern(product(factor, term)));
  }
  return result;
}

FormId NormalForms::multiply(FormId a, FormId b) {
  if (a == kHugeForm || b == kHugeForm) return kHugeForm;
  if (forms_[a].size() * forms_[b].size() > kMaxTerms) return kHugeForm;
  const Form terms = forms_[a];
  Form form;
  for (const TermId id : terms) {
    const Term factor = terms_[id];
    const Form part = scaled(factor, b);
    form.insert(form.end(), part.begin(), part.end());
  }
  return intern(std::move(form));
}

FormId NormalForms::divide(FormId a, FormId b) {
  Term factor;
  factor.den = b;
  return intern(scaled(factor, a));
}

FormId NormalForms::sum(FormId a, int over) {
  Term factor;
  factor.sigma = {static_cast<std::uint8_t>(over)};
  return intern(scaled(factor, a));
}

FormId NormalForms::apply(const Node& node, FormId a, FormId b) {
  if (a == kHugeForm || b == kHugeForm) return kHugeForm;
  const std::uint64_t key = std::uint64_t{a} << 40 | std::uint64_t{b} << 16 |
                            static_cast<std::uint64_t>(node.op) << 12 |
                            static_cast<std::uint64_t>((node.over + 1) << 6) | node.fn;
  if (const FormId* known = applied_.find(key)) return *known;
  const FormId result = compute(node, a, b);
  applied_.add(key, result);
  return result;
}

FormId NormalForms::compute(const Node& node, FormId a, FormId b) {
  switch (node.op) {
    case Op::input:
      break;
    case Op::add:
      return add(a, b, 1);
    case Op::sub:
      return add(a, b, -1);
    case Op::mul:
      return multiply(a, b);
    case Op::div:
      return divide(a, b);
    case Op::exp: {
      Term term;
      term.exp = a;
      return intern(Form{intern(term)});
    }
    case Op::fn:
      return atom({node.fn, a, kNoForm});
    case Op::max:
      if (node.b < 0) return atom({kMaxOver + static_cast<std::uint32_t>(node.over), a, kNoForm});
      return atom({kMaxOfTwo, std::min(a, b), std::max(a, b)});
    case Op::sum:
      return sum(a, node.over);
    case Op::matmul: {
      const FormId factors = multiply(a, b);
      return factors == kHugeForm ? factors : sum(factors, node.over);
    }
  }
  return kNoForm;
}

std::vector<FormId> NormalForms::forms_of(const Graph& graph) {
  std::vector<FormId> forms;
  for (const Node& node : graph.nodes)
    forms.push_back(node.op == Op::input
                        ? input(node.a)
                        : apply(node, forms[static_cast<std::size_t>(node.a)],
                                node.b < 0 ? kNoForm : forms[static_cast<std::size_t>(node.b)]));
  return forms;
}

bool NormalForms::is_difference(FormId form) const {
  bool plus = false, minus = false;
  for (const TermId id : forms_[form]) (terms_[id].sign > 0 ? plus : minus) = true;
  return plus && minus;
}

}  // namespace workbook::opt
