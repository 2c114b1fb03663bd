#include "model/puzzles.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "runs/json.h"

namespace workbook::viewer {
namespace {

VariantEntry read_variant(const runs::Json& json) {
  VariantEntry entry;
  entry.name = json.at("name").get<std::string>();
  entry.title = json.value("title", "");
  entry.summary = json.value("summary", "");
  entry.state = json.at("state").get<std::string>();
  entry.required = json.value("required", true);
  entry.done = json.at("done").get<bool>();
  entry.changed = json.value("changed", false);
  entry.run = json.value("run", std::int64_t{0});
  return entry;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool needs_terminal(const std::vector<std::string>& command) {
  static const std::vector<std::string> kInTerminals = {
      "vi", "vim", "nvim", "nano", "pico", "micro", "hx", "helix", "joe", "ne", "ed", "mcedit", "kak"};
  const std::string name = command[0].substr(command[0].find_last_of('/') + 1);
  const bool emacs_in_terminal =
      name == "emacs" && std::find(command.begin(), command.end(), "-nw") != command.end();
  return emacs_in_terminal || std::find(kInTerminals.begin(), kInTerminals.end(), name) != kInTerminals.end();
}

}  // namespace

std::vector<PuzzleEntry> parse_puzzles(std::string_view text) {
  try {
    std::vector<PuzzleEntry> puzzles;
    const runs::Json json = runs::parse_json(text);
    if (!json.is_array()) throw std::runtime_error("it is no list");
    for (const runs::Json& each : json) {
      PuzzleEntry entry;
      entry.number = each.at("number").get<int>();
      entry.name = each.at("name").get<std::string>();
      entry.title = each.at("title").get<std::string>();
      entry.part = each.value("part", "");
      entry.summary = each.value("summary", "");
      entry.kernels = each.at("kernels").get<std::string>();
      entry.done = each.at("done").get<bool>();
      entry.current = each.value("current", false);
      for (const runs::Json& variant : each.at("variants")) entry.variants.push_back(read_variant(variant));
      puzzles.push_back(std::move(entry));
    }
    return puzzles;
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("the list of puzzles cannot be read: ") + error.what());
  }
}

std::string state_words(const VariantEntry& variant) {
  if (variant.run == 0) return variant.required ? "to do" : "to do (optional)";
  std::string text = variant.state;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text + (variant.changed ? ", changed since" : "");
}

const VariantEntry* next_variant(const PuzzleEntry& puzzle) {
  for (const VariantEntry& variant : puzzle.variants)
    if (variant.required && !variant.done) return &variant;
  return puzzle.variants.empty() ? nullptr : &puzzle.variants.front();
}

std::string outcome_words(Job job, int code, int signal, bool cancelled) {
  if (cancelled) return "Cancelled";
  if (code < 0) return "Ended by signal " + std::to_string(signal);
  switch (code) {
    case 0:
      return job == Job::run ? "Correct" : "Done";
    case 1:
      return "Not correct yet";
    case 2:
      return "Asked for something that is not there";
    case 3:
      return "Does not compile";
    case 4:
      return "Crashed, or took too long";
    case 5:
      return "The workbook itself has a problem";
    case 77:
      return "There is no such device here";
    default:
      return "Ended with status " + std::to_string(code);
  }
}

EditorChoice choose_editor(const std::string& file, const std::function<std::string(const char*)>& variable,
                           const std::function<bool(const std::string&)>& has) {
  for (const char* name : {"VISUAL", "EDITOR"}) {
    std::vector<std::string> command = words_of(variable(name));
    if (command.empty()) continue;
    if (!has(command[0])) return {{}, "$" + std::string(name) + " is " + command[0] + ", which is not here."};
    command.push_back(file);
    if (!needs_terminal(command)) return {command, "Opened in " + command[0] + "."};
    if (!has("x-terminal-emulator"))
      return {{}, command[0] + " needs a terminal. In yours: " + variable(name) + " " + file};
    command.insert(command.begin(), {"x-terminal-emulator", "-e"});
    return {command, "Opened in a terminal."};
  }
  if (has("xdg-open")) return {{"xdg-open", file}, "Opened."};
  return {{}, "No editor is known: set VISUAL or EDITOR. The file is " + file};
}

}  // namespace workbook::viewer
