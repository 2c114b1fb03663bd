#include "cli/project/progress.h"

#include <algorithm>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/project/regions.h"

namespace workbook::cli {

namespace {

/// What is wrong with the record, once: a command may look at it several times.
void warn_once(const std::string& trouble) {
  static bool told = false;
  if (trouble.empty() || told) return;
  told = true;
  print_error(fitted_sentence("workbook: " + trouble) + "\nUntil then a new record beside it is used.\n");
}

}  // namespace

std::optional<runs::Store> records(const Project& project) {
  std::string trouble;
  auto store = runs::open_record(project.runs_file(), runs::Store::Mode::read_only, trouble);
  warn_once(trouble);
  return store;
}

runs::Store open_store(const Project& project) {
  std::string trouble;
  auto store = runs::open_record(project.runs_file(), runs::Store::Mode::read_write, trouble);
  warn_once(trouble);
  return *std::move(store);
}

bool Progress::done() const {
  return std::all_of(variants.begin(), variants.end(),
                     [](const VariantProgress& v) { return v.done || !v.variant->required; });
}

const VariantProgress* Progress::open_after(const std::string& variant) const {
  const auto at = std::find_if(variants.begin(), variants.end(),
                               [&](const VariantProgress& v) { return v.variant->name == variant; });
  const auto open = [](const VariantProgress& v) { return !v.done; };
  auto found = at == variants.end() ? at : std::find_if(at + 1, variants.end(), open);
  if (found == variants.end()) found = std::find_if(variants.begin(), at, open);
  return found == variants.end() || found == at ? nullptr : &*found;
}

Progress progress_of(const Project&, const Puzzle& puzzle, const runs::Store* store) {
  Progress progress;
  progress.puzzle = &puzzle;
  for (const VariantInfo& variant : puzzle.declaration.variants) {
    VariantProgress entry;
    entry.variant = &variant;
    const std::string source = read_file_if_any(puzzle.file(variant)).value_or("");
    entry.state = "to do";
    runs::RunFilter filter;
    filter.puzzle = puzzle.number;
    filter.variant = variant.name;
    filter.origin = runs::kLearner;
    if (const auto newest = store ? store->newest(filter) : std::nullopt) {
      entry.state = word_of(newest->verdict);
      entry.done = newest->verdict == runs::Verdict::correct;
      entry.changed = newest->source_hash != runs::content_hash(source) &&
                      differs_for(variant.regions, store->source(newest->id), source);
      entry.run = newest->id;
    }
    progress.variants.push_back(entry);
  }
  return progress;
}

std::optional<runs::RunRecord> correct_run(const runs::Store& store, const Puzzle& puzzle,
                                           const std::string& variant, runs::Backend backend) {
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.variant = variant;
  filter.verdict = runs::Verdict::correct;
  if (backend != runs::Backend::none) filter.backend = backend;
  for (const char* origin : {runs::kLearner, runs::kSolution}) {
    filter.origin = origin;
    if (const auto found = store.newest(filter)) return store.load(found->id);
  }
  return std::nullopt;
}

std::vector<runs::RunRecord> correct_runs(const runs::Store& store, const Puzzle& puzzle,
                                          const VariantInfo& variant, runs::Backend backend) {
  std::vector<runs::RunRecord> all;
  for (const VariantInfo& each : puzzle.declaration.variants) {
    if (!comparable(each, variant)) continue;
    try {
      if (auto run = correct_run(store, puzzle, each.name, backend)) all.push_back(*std::move(run));
    } catch (const runs::StoreError&) {
    }
  }
  return all;
}

std::string what_next(const Progress& progress, const runs::RunRecord& record, std::size_t comparable) {
  const int number = progress.puzzle->number;
  const std::string of_puzzle = " " + std::to_string(number);
  std::string out;
  const auto line = [&](const std::string& command, const std::string& what) {
    const std::string words = "workbook " + command;
    out += (out.empty() ? "Next: " : "      ") + words +
           std::string(words.size() < 30 ? 30 - words.size() : 2, ' ') + what + '\n';
  };
  if (const VariantProgress* next = progress.open_after(record.variant);
      next && runs::is_learner(record.origin))
    line("run" + of_puzzle + " --" + next->variant->name,
         std::string("the next variant") + (next->variant->given      ? ", given"
                                            : next->variant->required ? ""
                                                                      : ", optional"));
  if (comparable > 1) line("compare" + of_puzzle, "the variants side by side, and why");
  line("book" + of_puzzle, "the chapter");
  if (progress.done()) line("next", "the next puzzle");
  return out;
}

bool ever_solved(const Puzzle& puzzle, const std::string& variant, const runs::Store* store) {
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.variant = variant;
  filter.origin = runs::kLearner;
  filter.verdict = runs::Verdict::correct;
  return store && store->newest(filter);
}

}  // namespace workbook::cli
