// `list`, `next`, `goto` and `describe`: what there is and how far the learner has come.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

const char* mark(const VariantProgress& entry) { return entry.done ? "[x]" : entry.run > 0 ? "[~]" : "[ ]"; }

std::string words(const VariantProgress& entry) {
  const char* optional = entry.variant->required ? "" : " (optional)";
  if (entry.run == 0) return std::string("to do") + optional;
  std::string text = entry.state;
  for (char& c : text)
    if (c == '_') c = ' ';
  return text + optional + (entry.changed ? ", changed since" : "");
}

runs::Json variant_json(const VariantProgress& entry) {
  return {{"name", entry.variant->name},
          {"title", entry.variant->title},
          {"summary", entry.variant->summary},
          {"required", entry.variant->required},
          {"file", entry.variant->file},
          {"regions", entry.variant->regions},
          {"state", entry.state},
          {"done", entry.done},
          {"changed", entry.changed},
          {"run", entry.run}};
}

runs::Json puzzle_json(const Project& project, const Puzzle& puzzle, const Progress& progress) {
  runs::Json json = {{"number", puzzle.number},
                     {"name", puzzle.name},
                     {"title", puzzle.declaration.title},
                     {"part", puzzle.declaration.part},
                     {"summary", puzzle.declaration.summary},
                     {"kernels", project.shown(puzzle.kernels())},
                     {"done", progress.done()},
                     {"current", project.current().name == puzzle.name},
                     {"variants", runs::Json::array()}};
  for (const VariantProgress& entry : progress.variants) json["variants"].push_back(variant_json(entry));
  return json;
}

/// Optional variants of a puzzle that is done, for those who want more of it; nothing when there are none.
std::string optional_rungs(const Progress& progress) {
  std::string out;
  if (!progress.done()) return out;
  for (const VariantProgress& entry : progress.variants)
    if (!entry.done)
      out += fmt::format("Puzzle {:02} has an optional variant: workbook run {} --{}\n  {}\n",
                         progress.puzzle->number, progress.puzzle->number, entry.variant->name,
                         entry.variant->summary);
  return out;
}

std::string move_to(const Project& project, const Puzzle& puzzle, bool json) {
  project.prepare_state();
  project.set_current(puzzle);
  if (json) return runs::dump({{"number", puzzle.number}, {"name", puzzle.name}}) + '\n';
  return fitted(fmt::format(
      "{}\n{}\nThe chapter:      workbook book {}\nThe file to edit: {}\nThe first run:    workbook run {} --{}\n",
      paint(Colour::bold, fmt::format("Puzzle {:02}: {}", puzzle.number, puzzle.declaration.title)),
      puzzle.declaration.summary, puzzle.number, project.shown(puzzle.kernels()), puzzle.number,
      puzzle.first_variant().name));
}

}  // namespace

int list_command(const Project& project, bool json) {
  const auto store = records(project);
  runs::Json list = runs::Json::array();
  std::string out, part;
  int done = 0, faults = 0, optional = 0, optional_done = 0;
  for (const Puzzle& puzzle : project.puzzles()) {
    if (!puzzle.fault.empty()) {
      print_error(paint(Colour::bad, project.shown(puzzle.folder / "puzzle.cpp")) + ": " + puzzle.fault +
                  "\n");
      ++faults;
      continue;
    }
    const Progress progress = progress_of(project, puzzle, store ? &*store : nullptr);
    list.push_back(puzzle_json(project, puzzle, progress));
    if (puzzle.declaration.part != part) {
      if (!part.empty()) out += '\n';
      part = puzzle.declaration.part;
      out += paint(Colour::bold, part) + '\n';
    }
    const bool current = project.current().name == puzzle.name;
    out += fmt::format("{} {:02}  {}\n", current ? paint(Colour::accent, ">") : " ", puzzle.number,
                       paint(progress.done() ? Colour::good : Colour::plain, puzzle.declaration.title));
    for (const VariantProgress& entry : progress.variants) {
      const Colour colour = entry.done ? Colour::good : entry.run > 0 ? Colour::warn : Colour::dim;
      out += fmt::format("      {} {:<16} {}\n", paint(colour, mark(entry)), "--" + entry.variant->name,
                         paint(colour, words(entry)));
    }
    done += progress.done();
    for (const VariantProgress& entry : progress.variants) {
      optional += !entry.variant->required;
      optional_done += !entry.variant->required && entry.done;
    }
  }
  out += fmt::format("\n{} of {} done", done, list.size());
  if (optional > 0) out += fmt::format(", {} of {} optional", optional_done, optional);
  out += ". " + paint(Colour::dim, "> is the current puzzle: `workbook` runs it at each save.") + '\n';
  print(json ? runs::dump(list, 1) + '\n' : fitted(out));
  return faults > 0 ? kHarnessFault : kCorrect;
}

int describe_command(const Project& project, const std::string& word) {
  const Puzzle& puzzle = project.puzzle(word);
  const auto store = records(project);
  print(runs::dump(puzzle_json(project, puzzle, progress_of(project, puzzle, store ? &*store : nullptr)), 1) +
        '\n');
  return kCorrect;
}

int next_command(const Project& project, bool json) {
  const auto store = records(project);
  const Puzzle& current = project.current();
  const auto is_open = [&](const Puzzle& puzzle) {
    return puzzle.fault.empty() && !progress_of(project, puzzle, store ? &*store : nullptr).done();
  };
  const Puzzle* chosen = nullptr;
  for (const Puzzle& puzzle : project.puzzles())
    if (puzzle.number > current.number && is_open(puzzle) && !chosen) chosen = &puzzle;
  for (const Puzzle& puzzle : project.puzzles())
    if (!chosen && puzzle.number != current.number && is_open(puzzle)) chosen = &puzzle;
  if (!json) show(optional_rungs(progress_of(project, current, store ? &*store : nullptr)));
  if (chosen) {
    print(move_to(project, *chosen, json));
  } else if (is_open(current)) {
    print(json ? "null\n"
               : fmt::format("Puzzle {:02} is the only one left: `workbook run {}`.\n", current.number,
                             current.number));
  } else {
    print(json ? "null\n" : "Every puzzle is done.\n");
  }
  return kCorrect;
}

int goto_command(const Project& project, const std::string& word, bool json) {
  print(move_to(project, project.puzzle(word), json));
  return kCorrect;
}

}  // namespace workbook::cli
