#include "unset_values.h"

#include <utility>

#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"
#include "unset_copies.h"
#include "words.h"
#include "workbook_sim/unset.h"

namespace workbook::sim {
namespace {

static_assert(kUnsetWords == kUnsetWordsInAll && std::size(kUndefinedResults) == kUndefinedKinds);

/// What the value is that nobody set, as the object of a sentence, and what to try.
std::string describe_origin(runs::Finding& f, const std::optional<unsigned int>& place, Pc store) {
  f.advice =
      "Give each variable a value where it is declared, or on every path to its use; of an array every element "
      "that is read.";
  if (!place) return "a value that nobody set";
  if (*place >= kUnsetPlaces) {
    const unsigned int what = *place - kUnsetPlaces;
    const runs::SourceLine at = source_line(undefined_result_at(what));
    if (at.line > 0) f.other = at;
    const bool is_scan = what == kOfScan;
    f.advice = is_scan ? "Give the scan an initial value, or let the first thread not use its output."
                       : "Let the thread that has the result store it in a __shared__ variable, then "
                         "__syncthreads() (__syncwarp() in a warp), and let the others read it there.";
    return std::string("what ") + kUndefinedResults[what] +
           (at.line > 0 ? " at line " + std::to_string(at.line) : "") +
           (is_scan ? " gives to the first thread, where it is undefined without an initial value"
            : what == kOfBlockReduce
                ? " gives to threads other than thread 0 of the block, for which its result is undefined"
                : " gives to lanes other than the first, for which its result is undefined");
  }
  const int line = static_cast<int>(*place / kUnsetOfLine);
  const runs::SourceLine at{source_line(store).file, line};
  const std::string name = declared_without_value(at, *place % kUnsetOfLine);
  if (name.empty()) return "a value that nobody set";
  f.other = at;
  return name + ", declared at line " + std::to_string(line) +
         " and used before anything has set it, or the part of it that is used";
}

}  // namespace

UnsetValues& UnsetValues::get() {
  static UnsetValues& all = *new UnsetValues;
  return all;
}

void UnsetValues::add(const std::string& kernel, const std::vector<UnsetWord>& words,
                      std::optional<unsigned int> place) {
  Arena& arena = Arena::get();
  Shadow& shadow = arena.shadow();
  std::vector<std::uint64_t> for_host;
  {
    const std::lock_guard lock(mutex_);
    causes_.push_back({kernel, place});
    for (const UnsetWord& word : words) {
      if (in_program_image(word.word * 4)) {
        add_variable(word.word * 4, causes_.size() - 1);
        for_host.push_back(word.word * 4);
        continue;
      }
      const Allocation* const a = arena.find(word.word * 4);
      if (a == nullptr || word.store == 0) continue;
      if (a->on_host())
        for_host.push_back(word.word * 4);
      else if (const std::uint32_t mask = word.mask & shadow.initialised(word.word); mask != 0)
        shadow.mark_uninitialised(word.word, mask);
      else
        continue;
      words_[word.word] = {shadow.writer(word.word), causes_.size() - 1, word.store, word.always, 0};
    }
  }
  for (const std::uint64_t at : for_host)
    UnsetCopies::get().depends(in_program_image(at) ? at : arena.address_of(at), sizeof(std::uint32_t), at);
}

/// The cells of variables say who stored them, and whether another launch has since.
void UnsetValues::add_variable(std::uintptr_t address, std::size_t cause) {
  const Cell& cell = image_cell(address);
  if (cell.w_gen == 0 || cell.w_pc == 0) return;
  words_[address / 4] = {0, cause, pc_at(cell.w_pc), true, cell.w_gen};
}

bool UnsetValues::is_valid(std::uint64_t offset, const Word& word) {
  return word.generation != 0 ? image_cell(offset).w_gen == word.generation
                              : word.writer == Arena::get().shadow().writer(offset / 4);
}

bool UnsetValues::tell(std::uint64_t offset, const std::function<std::string()>& use) {
  Word word{};
  Cause cause;
  {
    const std::lock_guard lock(mutex_);
    const auto found = words_.find(offset / 4);
    if (found == words_.end() || !is_valid(offset, found->second)) return false;
    word = found->second;
    cause = causes_[word.cause];
  }
  Diagnosis::get().findings.add(runs::FindingClass::uninit_local, word.store, 0, [&](runs::Finding& f) {
    f.kernel = cause.kernel;
    const Allocation* const a = word.generation != 0 ? nullptr : Arena::get().find(offset);
    f.object = word.generation != 0 ? program_variable(offset)
               : a == nullptr       ? "device memory"
                                    : describe_element(*a, offset);
    const auto writer =
        word.always && word.generation == 0 ? Diagnosis::get().last_writer(offset, 4) : std::nullopt;
    if (writer) f.who = writer->who;
    const std::string origin = describe_origin(f, cause.place, word.store);
    f.message = (word.always ? (writer && writer->who ? writer->name : cause.kernel) + " stores in " +
                                   f.object + " a value that depends on "
                             : "whether " + cause.kernel + " stores " + f.object + " here depends on ") +
                origin + ". " + use() + ".";
  });
  return true;
}

void UnsetValues::overwritten(std::uintptr_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  for (std::uintptr_t word = address / 4; word * 4 < address + bytes && !words_.empty(); ++word)
    words_.erase(word);
}

std::set<Pc> overruns_told() { return Diagnosis::get().findings.overruns(); }

void see_unset_index(const Launch& launch, Pc pc, std::optional<unsigned int> place) {
  Diagnosis::get().findings.add(runs::FindingClass::uninit_local, pc, 0, [&](runs::Finding& f) {
    f.kernel = launch.kernel->name;
    const std::string origin = describe_origin(f, place, pc);
    f.message = "where " + f.kernel + " reads or writes here depends on " + origin +
                ". With another value than it happened to have it lies outside of every array.";
  });
}

void see_unset_words(const Launch& launch, const std::vector<UnsetWord>& words,
                     std::optional<unsigned int> place) {
  UnsetValues::get().add(launch.kernel->name, words, place);
}

}  // namespace workbook::sim
