// `watch`, and `workbook` alone: the current puzzle, run again at each save. It never moves on by itself.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cli/base/errors.h"
#include "cli/base/file_watch.h"
#include "cli/base/raw_terminal.h"
#include "cli/base/terminal.h"
#include "cli/commands/commands.h"

namespace workbook::cli {
namespace {

constexpr const char* kKeys =
    "r run   f other variant   h hint   n next   s solution   l list\n"
    "v viewer   b book   x reset   q quit   ? keys";

class Watcher {
 public:
  Watcher(const Project& project, RunOptions options, bool poll)
      : project_(project), options_(std::move(options)), poll_(poll) {
    open(options_.puzzle.empty() ? project.current() : project.puzzle(options_.puzzle));
    if (!options_.words.empty()) variant_ = variant_of(*puzzle_, options_.words.front()).name;
  }

  int loop() {
    run();
    for (;;) {
      const FileWatch::Event event = watch_->wait(std::chrono::hours(1));
      if (event == FileWatch::Event::saved) run();
      if (event != FileWatch::Event::key) continue;
      char key = 'q';
      if (read(STDIN_FILENO, &key, 1) != 1 || key == 'q') return kCorrect;
      press(key);
    }
  }

 private:
  void open(const Puzzle& puzzle) {
    puzzle_ = &puzzle;
    variant_ = puzzle.first_variant().name;
    watch_.emplace(puzzle.file(variant_of(puzzle, variant_)), poll_);
  }

  void run() {
    if (stdout_is_terminal()) print("\033[H\033[2J\033[3J");
    guarded([&] {
      RunOptions options = options_;
      options.puzzle = puzzle_->name;
      options.words = {variant_};
      passed_ = run_command(project_, options) == kCorrect;
    });
    show(paint(
        Colour::dim,
        fmt::format("\nPuzzle {:02}: {}. Its chapter: workbook book {}\nWaiting for a save of {}.{}\n{}\n",
                    puzzle_->number, puzzle_->declaration.title, puzzle_->number,
                    project_.shown(puzzle_->file(variant_of(*puzzle_, variant_))),
                    passed_ ? " n goes on." : "", kKeys)));
  }

  void press(char key) {
    const std::string name = puzzle_->name;
    switch (key) {
      case 'r':
        return run();
      case 'f':
        return other_variant();
      case 'h':
        return guarded([&] { hint_command(project_, name, {variant_}, false, false); });
      case 'l':
        return choose();
      case 'n':
        return next();
      case 's':
        return show_solution();
      case 'x':
        return cooked([&] { reset_command(project_, name, false); });
      case 'v':
        return beside([&] { view_command(project_, name, {}); });
      case 'b':
        return beside([&] { book_command(project_, name); });
      case '?':
        return show(std::string(kKeys) + '\n');
      default:
        return;
    }
  }

  void show_solution() {
    RunOptions options;
    options.puzzle = puzzle_->name;
    options.words = {variant_};
    cooked([&] { solution_command(project_, options, true, false); });
  }

  void other_variant() {
    const auto names = puzzle_->variant_names();
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), variant_) - names.begin());
    variant_ = names[(at + 1) % names.size()];
    watch_.emplace(puzzle_->file(variant_of(*puzzle_, variant_)), poll_);
    run();
  }

  void choose() {
    const Puzzle* chosen = nullptr;
    cooked([&] { chosen = choose_puzzle(project_); });
    if (chosen && chosen != puzzle_) {
      project_.set_current(*chosen);
      open(*chosen);
    }
    run();
  }

  void next() {
    if (!passed_) return print("Not yet: this one does not pass. `workbook next` goes on all the same.\n");
    guarded([&] {
      next_command(project_, false);
      const Puzzle& current = project_.current();
      if (&current == puzzle_) return;
      open(current);
      run();
    });
  }

  /// Failures are told and the watch goes on.
  template <class Body>
  void guarded(Body body) {
    try {
      body();
    } catch (const std::exception& error) {
      print_error(std::string(error.what()) + '\n');
    }
  }

  /// With a line-wise terminal, for questions.
  template <class Body>
  void cooked(Body body) {
    raw_.reset();
    guarded(body);
    raw_.emplace();
  }

  /// In a process of its own, which the watch does not wait for.
  template <class Body>
  void beside(Body body) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    print("\n");
    if (fork() != 0) return;
    setsid();
    guarded(body);
    _exit(0);
  }

  const Project& project_;
  RunOptions options_;
  bool poll_;
  const Puzzle* puzzle_ = nullptr;
  std::string variant_;
  bool passed_ = false;
  std::optional<FileWatch> watch_;
  std::optional<RawTerminal> raw_{std::in_place};
};

}  // namespace

int watch_command(const Project& project, const RunOptions& options, bool poll) {
  if (!stdin_is_terminal() && !stdout_is_terminal())
    print_error("watch runs until it is stopped (Ctrl-C).\n");
  return Watcher(project, options, poll).loop();
}

}  // namespace workbook::cli
