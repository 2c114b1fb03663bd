// Whether a form can be a part of another: quotients of terms and forms.
#include <algorithm>
#include <iterator>

#include "optimizer/algebra/normal_form.h"

namespace workbook::opt {
namespace {

/// a - b for sorted multisets, or false where b is not in a.
template <class List>
bool take_away(const List& a, const List& b, List& rest) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return false;
  rest.clear();
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return true;
}

}  // namespace

std::vector<NormalForms::Term> NormalForms::quotients(const Term& whole, const Term& part) {
  Term quotient;
  quotient.sign = static_cast<std::int8_t>(whole.sign * part.sign);
  if (!take_away(whole.sigma, part.sigma, quotient.sigma)) return {};
  if (!take_away(whole.atoms, part.atoms, quotient.atoms)) return {};
  quotient.exp = whole.exp;
  if (part.exp != kNoForm) {
    if (whole.exp == kNoForm) return {};
    Form rest;
    if (!take_away(forms_[whole.exp], forms_[part.exp], rest)) return {};
    quotient.exp = rest.empty() ? kNoForm : intern(std::move(rest));
  }
  quotient.den = whole.den;
  if (part.den == kNoForm || part.den == whole.den) {
    if (part.den != kNoForm) quotient.den = kNoForm;
    return {quotient};
  }
  if (whole.den == kNoForm) return {};
  std::vector<Term> found;
  for (const FormId den : quotients(whole.den, part.den)) {
    quotient.den = den;
    found.push_back(quotient);
  }
  return found;
}

std::vector<FormId> NormalForms::quotients(FormId whole, FormId part) {
  const Form rest = forms_[whole], by = forms_[part];
  std::vector<FormId> found;
  if (by.empty() || rest.size() % by.size() != 0) return found;
  Form quotient;
  divide_out(rest, by, quotient, found);
  return found;
}

/// Some term of the part gave rise to the first term of the rest, times a term of the quotient.
void NormalForms::divide_out(const Form& rest, const Form& part, Form& quotient, std::vector<FormId>& found) {
  if (rest.empty()) {
    const FormId form = intern(Form(quotient));
    if (std::find(found.begin(), found.end(), form) == found.end()) found.push_back(form);
    return;
  }
  const FormId divisor = intern(Form(part));
  for (const TermId id : part) {
    const Term whole = terms_[rest.front()], by = terms_[id];
    for (const Term& factor : quotients(whole, by)) {
      Form taken = scaled(factor, divisor), left;
      std::sort(taken.begin(), taken.end());
      if (!take_away(rest, taken, left)) continue;
      quotient.push_back(intern(factor));
      divide_out(left, part, quotient, found);
      quotient.pop_back();
    }
  }
}

bool NormalForms::contained(FormId part, FormId whole, bool positive) {
  const Form terms = forms_[whole];
  if (forms_[part].size() > terms.size()) return false;
  const Term first = terms_[forms_[part].front()];
  TermId last = ~TermId{0};
  for (const TermId id : terms) {
    if (id == last) continue;
    last = id;
    const Term term = terms_[id];
    for (const Term& factor : quotients(term, first)) {
      if (positive && factor.sign < 0) continue;
      if (forms_[part].size() == 1) return true;
      Form scaled_part = scaled(factor, part);
      std::sort(scaled_part.begin(), scaled_part.end());
      if (std::includes(terms.begin(), terms.end(), scaled_part.begin(), scaled_part.end())) return true;
    }
  }
  return false;
}

std::vector<FormId> NormalForms::inner(FormId form) const {
  std::vector<FormId> found;
  for (const TermId id : forms_[form]) {
    const Term& term = terms_[id];
    if (term.exp != kNoForm) found.push_back(term.exp);
    if (term.den != kNoForm) found.push_back(term.den);
    for (const std::uint32_t atom : term.atoms) {
      if (atom < kFirstMade) continue;
      found.push_back(atoms_[atom - kFirstMade].a);
      if (atoms_[atom - kFirstMade].b != kNoForm) found.push_back(atoms_[atom - kFirstMade].b);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool NormalForms::useful(FormId part, FormId whole, bool positive) {
  if (part == whole) return true;
  if (part == kHugeForm || part == kNoForm || whole == kHugeForm) return false;
  const std::uint64_t key = std::uint64_t{part} << 32 | std::uint64_t{whole} << 1 | (positive ? 1 : 0);
  if (const bool* known = useful_.find(key)) return *known;
  bool result = contained(part, whole, positive);
  if (!result)
    for (const FormId form : inner(whole))
      if (useful(part, form, positive)) {
        result = true;
        break;
      }
  useful_.add(key, result);
  return result;
}

}  // namespace workbook::opt
