#include "mistakes.h"

#include <algorithm>

namespace workbook::core {
namespace {

/// Whether whoever writes the variant can make the mutant's mistake.
bool may_speak(const Fingerprint& print, const Variant& variant) {
  if (print.task != variant.task) return false;
  if (print.variant == variant.name) return true;
  return !print.regions.empty() &&
         std::all_of(print.regions.begin(), print.regions.end(), [&](const std::string& region) {
           return std::find(variant.regions.begin(), variant.regions.end(), region) != variant.regions.end();
         });
}

bool any_wrong(std::span<const Seen> tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Seen& seen) { return seen.wrong; });
}

struct Agreement {
  bool same = true, wrong = false, telling = false;
  std::size_t shared = 0;  ///< tensors
};

/// `own`: both are of one variant, so that what was not probed was right, or lay between what was.
Agreement compare_all(const std::vector<Probes>& prints, std::span<const Seen> tensors, bool own) {
  Agreement all;
  for (const Seen& seen : tensors) {
    const auto probes =
        std::find_if(prints.begin(), prints.end(), [&](const Probes& p) { return p.tensor == seen.name; });
    if (probes == prints.end()) {
      if (own && seen.wrong && (all.shared == 0 || seen.role == Role::output)) all.same = false;
      continue;
    }
    ++all.shared;
    all.telling = all.telling || is_telling(*probes);
    const Likeness likeness = probes->shape == seen.shape
                                  ? compare_probes(*probes, seen.got, seen.expected, seen.allowed)
                                  : Likeness{};
    all.same = all.same && likeness.same;
    all.wrong = all.wrong || likeness.wrong;
  }
  return all;
}

void add_new(std::vector<std::string>& sentences, const std::string& sentence) {
  if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
    sentences.push_back(sentence);
}

/// One sentence, or all of them where they cannot be told apart.
std::string either(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return "";
  if (sentences.size() == 1) return sentences.front();
  std::string text = "each of these mistakes gives just this result:";
  for (std::size_t i = 0; i < sentences.size(); ++i)
    text += (i > 0 ? "; (" : " (") + std::to_string(i + 1) + ") " + sentences[i];
  return text;
}

}  // namespace

std::vector<Probes> probes_of(std::span<const Seen> tensors, bool few) {
  std::vector<Probes> all;
  for (const Seen& seen : tensors) {
    if (!seen.wrong || (!all.empty() && seen.role != Role::output)) continue;
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < seen.got.size(); ++i)
      if (!seen.allowed.accepts(seen.got[i], seen.expected[i])) wrong.push_back(i);
    Probes probes{seen.name, seen.shape, {}, {}};
    probes.at = few ? few_positions(seen.got.size(), wrong) : probe_positions(seen.shape, wrong);
    for (const std::size_t position : probes.at) probes.got.push_back(seen.got[position]);
    all.push_back(std::move(probes));
  }
  return all;
}

KnownMistakes::KnownMistakes(const Variant& variant, std::vector<Fingerprint> prints) {
  for (Fingerprint& print : prints)
    if (may_speak(print, variant)) {
      const bool own = print.variant == variant.name;
      candidates_.push_back({std::move(print), own});
    }
}

void KnownMistakes::look_at(std::string_view on_case, std::span<const Seen> tensors, bool lucky) {
  for (Candidate& candidate : candidates_) look_at(candidate, on_case, tensors, lucky);
}

void KnownMistakes::look_at(Candidate& candidate, std::string_view on_case, std::span<const Seen> tensors,
                            bool lucky) const {
  const Fingerprint& print = candidate.print;
  if (print.on_case == on_case) {
    const Agreement all = compare_all(print.tensors, tensors, candidate.own);
    candidate.fits = all.shared > 0 && all.same && all.wrong;
    candidate.telling = all.telling;
    candidate.lucky = lucky;
    return;
  }
  if (lucky) return;
  const auto compared = [&](bool same) { (same ? candidate.confirmed : candidate.against) = true; };
  if (std::find(print.right.begin(), print.right.end(), on_case) != print.right.end())
    compared(!any_wrong(tensors));
  for (const CaseProbes& further : print.elsewhere)
    if (further.on_case == on_case) compared(compare_all(further.tensors, tensors, candidate.own).same);
}

std::string KnownMistakes::words_for(std::string_view on_case, const std::string& general) const {
  std::vector<std::string> known, uncertain;
  for (const Candidate& candidate : candidates_)
    if (candidate.fits && !candidate.against && candidate.print.on_case == on_case)
      add_new(candidate.certain() ? known : uncertain, candidate.print.says);
  if (!known.empty()) return either(known);
  if (uncertain.size() != 1 || general.empty()) return general;
  return general + " One mistake that does so: " + uncertain.front();
}

std::string KnownMistakes::waste(std::string_view on_case, const std::vector<runs::Score>& scores) const {
  std::vector<std::string> known;
  for (const Candidate& candidate : candidates_) {
    const Fingerprint& print = candidate.print;
    const auto spends = [&](const runs::Score& score) {
      return std::any_of(print.spent.begin(), print.spent.end(), [&](const auto& spent) {
        return spent.first == score.name && spent.second == score.spent;
      });
    };
    if (candidate.own && !print.spent.empty() && print.on_case == on_case &&
        std::all_of(scores.begin(), scores.end(), spends))
      add_new(known, print.says);
  }
  return either(known);
}

}  // namespace workbook::core
