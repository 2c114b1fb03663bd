// Which known mistake a wrong answer comes from. A fingerprint speaks only where nothing that was seen is
// against it: on all cases its values are those of the answer, and what its mutant changes is part of what
// the variant is made of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint.h"
#include "runs/record.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// What a case left in a tensor that is checked.
struct Seen {
  std::string name;
  Role role;
  std::vector<std::int64_t> shape;
  std::span<const double> got, expected;
  Allowed allowed;
  bool wrong;
};

/// Probes of the first tensor that is wrong and of wrong outputs: what lies between tells no more.
/// `few`: for a further case.
std::vector<Probes> probes_of(std::span<const Seen> tensors, bool few);

class KnownMistakes {
 public:
  KnownMistakes(const Variant& variant, std::vector<Fingerprint> prints);

  /// Once a case, with its checked tensors in dataflow order. `lucky`: a finding says that luck decided its
  /// values, which then are neither for nor against a further case's.
  void look_at(std::string_view on_case, std::span<const Seen> tensors, bool lucky);

  /// After the last case: the words for a wrong one. `general` is what can be said without knowing the
  /// mistake; it stays where no mistake fits. Where several fit, all are said. NaN everywhere has too many
  /// causes to name one for certain, and so has what luck decided, if no further case bears the mistake out:
  /// the finding comes first there.
  std::string words_for(std::string_view on_case, const std::string& general) const;

  /// The mutants of this variant that spend exactly as much; empty where none does.
  std::string waste(std::string_view on_case, const std::vector<runs::Score>& scores) const;

 private:
  struct Candidate {
    Fingerprint print;
    bool own = false;  ///< of this variant
    bool fits = false, telling = false, against = false;
    bool lucky = false;      ///< luck decided the values that fit
    bool confirmed = false;  ///< by a further case, as far as luck left it alone
    bool certain() const {
      return telling && (confirmed || !lucky || (print.right.empty() && print.elsewhere.empty()));
    }
  };
  void look_at(Candidate& candidate, std::string_view on_case, std::span<const Seen> tensors,
               bool lucky) const;

  std::vector<Candidate> candidates_;
};

}  // namespace workbook::core
