#include "session/workbench.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace workbook::viewer {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const std::string path = variable("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (access((path.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

Workbench::Workbench(fs::path repository, fs::path state)
    : repository_(std::move(repository)), state_(std::move(state)) {
  refresh();
}

std::vector<std::pair<std::string, std::string>> Workbench::environment() const {
  std::vector<std::pair<std::string, std::string>> all = {{"NO_COLOR", "1"}};
  if (!state_.empty()) all.emplace_back("WORKBOOK_STATE", state_.string());
  return all;
}

fs::path Workbench::program() const {
  const std::string given = variable("WORKBOOK");
  return given.empty() ? repository_ / "bin" / "workbook" : fs::path(given);
}

void Workbench::refresh() {
  if (list_.running()) return;
  if (repository_.empty()) {
    problem_ = "There is no repository of the workbook around this folder: start the viewer inside one.";
    return;
  }
  try {
    list_.start({program().string(), "list", "--json"}, repository_, environment());
    problem_.clear();
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
}

void Workbench::read_list() {
  try {
    // Warnings of the build or of a broken puzzle may come before the list.
    const std::string& text = list_.output();
    const std::size_t begin = text.starts_with("[") ? 0 : text.find("\n[");
    if (begin == std::string::npos) throw std::runtime_error("workbook list says: " + last_line(text));
    puzzles_ = parse_puzzles(std::string_view(text).substr(begin, text.rfind(']') + 1 - begin));
    problem_.clear();
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
}

bool Workbench::poll() {
  bool changed = false;
  if (list_.running() && list_.poll() && !list_.running()) {
    read_list();
    changed = true;
  }
  if (work_.running()) {
    changed = work_.poll() || changed;
    if (!work_.running()) finish();
  }
  return changed;
}

void Workbench::finish() {
  refresh();  // states have changed
  if (job_ != Job::book || !succeeded()) return;
  const std::string page = last_line(work_.output());  // `workbook book` builds it and says where it is
  try {
    if (on_path("xdg-open")) start_detached({"xdg-open", page}, repository_);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
}

void Workbench::wait_for_list() {
  if (list_.running() && list_.wait(std::chrono::seconds(60))) read_list();
}

const PuzzleEntry* Workbench::puzzle(int number) const {
  const auto found = std::find_if(puzzles_.begin(), puzzles_.end(),
                                  [&](const PuzzleEntry& each) { return each.number == number; });
  return found == puzzles_.end() ? nullptr : &*found;
}

int Workbench::at_hand(int selected) const {
  if (selected != 0 || puzzles_.empty()) return selected;
  const auto current =
      std::find_if(puzzles_.begin(), puzzles_.end(), [](const PuzzleEntry& each) { return each.current; });
  return (current == puzzles_.end() ? puzzles_.front() : *current).number;
}

std::string Workbench::variant_of(int number) const {
  if (const auto chosen = chosen_.find(number); chosen != chosen_.end()) return chosen->second;
  const PuzzleEntry* entry = puzzle(number);
  const VariantEntry* next = entry == nullptr ? nullptr : next_variant(*entry);
  return next == nullptr ? "" : next->name;
}

std::string Workbench::start(Job job, const std::vector<std::string>& words) {
  if (busy()) return "One at a time: " + title_ + " still runs.";
  if (repository_.empty()) return problem_;
  std::vector<std::string> command = {program().string()};
  command.insert(command.end(), words.begin(), words.end());
  try {
    work_.start(command, repository_, environment());
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    return problem_;
  }
  job_ = job;
  title_ = "workbook";
  for (const std::string& word : words) title_ += " " + word;
  return title_;
}

std::string Workbench::run(int number) {
  std::vector<std::string> words = {"run", std::to_string(number)};
  if (const std::string variant = variant_of(number); !variant.empty()) words.push_back("--" + variant);
  return start(Job::run, words);
}

std::string Workbench::hint(int number) {
  std::vector<std::string> words = {"hint", std::to_string(number)};
  if (const std::string variant = variant_of(number); !variant.empty()) words.push_back("--" + variant);
  return start(Job::hint, words);
}

std::string Workbench::book(int number) { return start(Job::book, {"book", std::to_string(number)}); }

std::string Workbench::edit(int number) {
  const PuzzleEntry* entry = puzzle(number);
  if (entry == nullptr) return "There is no puzzle to open.";
  const fs::path file = repository_ / entry->kernels;
  std::error_code error;
  if (!fs::exists(file, error)) return file.string() + " is not there any more.";
  const EditorChoice choice = choose_editor(file.string(), variable, on_path);
  if (choice.command.empty()) return choice.words;
  try {
    start_detached(choice.command, repository_);
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return choice.words;
}

std::string Workbench::outcome() const {
  if (busy() || !any_job()) return "";
  return outcome_words(job_, work_.exit_code(), work_.signal(), work_.cancelled());
}

}  // namespace workbook::viewer
