// `list`, `next`, `goto` and `describe`: what there is and how far the learner has come.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/picker.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// How far a puzzle is, in one word or a few, with its mark.
struct State {
  const char* mark;
  std::string words;
  Colour colour;
};

State state_of(const VariantProgress& entry) {
  const char* optional = entry.variant->given ? " (given)" : entry.variant->required ? "" : " (optional)";
  if (entry.run == 0) return {"[ ]", std::string("to do") + optional, Colour::dim};
  return {entry.done ? "[x]" : "[~]",
          replaced(entry.state, "_", " ") + optional + (entry.changed ? ", changed since" : ""),
          entry.done ? Colour::good : Colour::warn};
}

State state_of(const Progress& progress) {
  int required = 0, done = 0, optional = 0, run = 0;
  for (const VariantProgress& entry : progress.variants) {
    required += entry.variant->required;
    done += entry.variant->required && entry.done;
    optional += !entry.variant->required && !entry.done;
    run += entry.run > 0;
  }
  if (progress.done())
    return {"[x]", optional > 0 ? fmt::format("done, {} optional", optional) : "done", Colour::good};
  if (run == 0) return {"[ ]", "to do", Colour::dim};
  return {"[~]",
          required > 1 ? fmt::format("{} of {} done", done, required) : state_of(progress.variants[0]).words,
          Colour::warn};
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
                     {"builds_on", puzzle.declaration.builds_on},
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

struct Listed {
  const Puzzle* puzzle;
  Progress progress;
  State state;
};

/// Every puzzle that can be read; of the others, what is wrong goes to stderr.
std::vector<Listed> listed(const Project& project, int& faults) {
  const auto store = records(project);
  std::vector<Listed> found;
  for (const Puzzle& puzzle : project.puzzles()) {
    if (!puzzle.fault.empty()) {
      print_error(paint(Colour::bad, project.shown(puzzle.folder / "puzzle.cpp")) + ": " + puzzle.fault +
                  "\n");
      ++faults;
      continue;
    }
    Progress progress = progress_of(project, puzzle, store ? &*store : nullptr);
    State state = state_of(progress);
    found.push_back({&puzzle, std::move(progress), std::move(state)});
  }
  return found;
}

std::string tally(const std::vector<Listed>& list) {
  int done = 0, optional = 0, optional_done = 0;
  for (const Listed& entry : list) {
    done += entry.progress.done();
    for (const VariantProgress& variant : entry.progress.variants) {
      optional += !variant.variant->required;
      optional_done += !variant.variant->required && variant.done;
    }
  }
  return fmt::format("{} of {} done", done, list.size()) +
         (optional > 0 ? fmt::format(", {} of {} optional", optional_done, optional) : "");
}

/// The heading of the puzzle's part, where that is another than `part`, below an empty line.
void begin_part(std::string& out, std::string& part, const Declaration& declaration) {
  if (declaration.part == part) return;
  part = declaration.part;
  out += (out.empty() ? "" : "\n") + paint(Colour::bold, part) + '\n';
}

/// A line a puzzle, under its part; the variants of the current one below it.
std::string plain_list(const Project& project, const std::vector<Listed>& list) {
  std::string out, part;
  for (const Listed& entry : list) {
    const Puzzle& puzzle = *entry.puzzle;
    begin_part(out, part, puzzle.declaration);
    const bool current = project.current().name == puzzle.name;
    out += fmt::format("{} {:02}  {:<42} {}\n", current ? paint(Colour::accent, ">") : " ", puzzle.number,
                       puzzle.declaration.title,
                       paint(entry.state.colour, fmt::format("{} {}", entry.state.mark, entry.state.words)));
    if (!current || entry.progress.variants.size() < 2) continue;
    for (const VariantProgress& variant : entry.progress.variants) {
      const State state = state_of(variant);
      out += fmt::format("      {:<42} {}\n", "--" + variant.variant->name,
                         paint(state.colour, fmt::format("{} {}", state.mark, state.words)));
    }
  }
  return out + '\n' + tally(list) + ". " +
         paint(Colour::dim, "> is the current puzzle: `workbook` runs it at each save.") + '\n';
}

std::string numbers(const std::vector<int>& puzzles) {
  std::string out;
  for (const int number : puzzles) out += fmt::format("{}{:02}", out.empty() ? "" : " ", number);
  return out;
}

/// What each puzzle builds on, and which build on it. One whose ground is not all done is dim.
std::string map_list(const Project& project, const std::vector<Listed>& list) {
  constexpr std::size_t kMarks = 10, kTitle = 29, kGround = 16, kLeads = kMarks + kTitle + kGround;
  std::map<int, std::vector<int>> leads_to;
  std::set<int> done;
  for (const Listed& entry : list) {
    if (entry.progress.done()) done.insert(entry.puzzle->number);
    for (const int ground : entry.puzzle->declaration.builds_on)
      leads_to[ground].push_back(entry.puzzle->number);
  }
  std::string part, out = paint(Colour::dim, fmt::format("{:{}}{:<{}}{:<{}}{}\n", "", kMarks, "puzzle",
                                                         kTitle, "builds on", kGround, "leads to"));
  for (const Listed& entry : list) {
    const Declaration& declaration = entry.puzzle->declaration;
    begin_part(out, part, declaration);
    const bool ready = std::ranges::all_of(declaration.builds_on, [&](int n) { return done.contains(n); });
    std::string line =
        fmt::format("{:02}  {:<{}}{:<{}}{}", entry.puzzle->number, declaration.title, kTitle,
                    numbers(declaration.builds_on), kGround,
                    replaced(wrapped(numbers(leads_to[entry.puzzle->number]), kScreen - kLeads, ""), "\n",
                             '\n' + std::string(kLeads, ' ')));
    line.erase(line.find_last_not_of(' ') + 1);
    out += fmt::format("{} {} {}\n",
                       project.current().name == entry.puzzle->name ? paint(Colour::accent, ">") : " ",
                       paint(entry.state.colour, entry.state.mark), ready ? line : paint(Colour::dim, line));
  }
  return out + '\n' + tally(list) + ". " +
         paint(Colour::dim, "[x] done, [~] begun, [ ] to do; > is the current puzzle.") + '\n';
}

}  // namespace

const Puzzle* choose_puzzle(const Project& project) {
  int faults = 0;
  const std::vector<Listed> list = listed(project, faults);
  std::vector<PickerRow> rows;
  std::size_t current = 0;
  for (const Listed& entry : list) {
    if (project.current().name == entry.puzzle->name) current = rows.size();
    PickerRow row{.heading = entry.puzzle->declaration.part,
                  .text = fmt::format("{:02}  {}", entry.puzzle->number, entry.puzzle->declaration.title),
                  .state = fmt::format("{} {}", entry.state.mark, entry.state.words),
                  .colour = entry.state.colour,
                  .details = lines_of(fitted(entry.puzzle->declaration.summary))};
    for (const VariantProgress& variant : entry.progress.variants)
      row.details.push_back(fmt::format("  --{:<20} {}", variant.variant->name, state_of(variant).words));
    rows.push_back(std::move(row));
  }
  const auto chosen = pick("GPU workbook: " + tally(list), rows, current);
  return chosen ? list[*chosen].puzzle : nullptr;
}

int list_command(const Project& project, ListForm form, bool json) {
  if (form == ListForm::picker && !json && stdin_is_terminal() && stdout_is_terminal()) {
    if (const Puzzle* chosen = choose_puzzle(project)) print(move_to(project, *chosen, false));
    return kCorrect;
  }
  int faults = 0;
  const std::vector<Listed> list = listed(project, faults);
  if (json) {
    runs::Json all = runs::Json::array();
    for (const Listed& entry : list) all.push_back(puzzle_json(project, *entry.puzzle, entry.progress));
    print(runs::dump(all, 1) + '\n');
  } else {
    print(fitted(form == ListForm::map ? map_list(project, list) : plain_list(project, list)));
  }
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
