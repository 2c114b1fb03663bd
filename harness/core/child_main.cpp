// The child program: checks and times one variant of the puzzle it is linked with and writes what it saw to
// DIR/report.json; harness/cli/run/verdict.cpp makes a verdict of it. The learner's code runs only here, so
// nothing it does can hurt the parent.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "declaration.h"
#include "runner.h"
#include "runs/json_text.h"

namespace workbook::core {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitHarnessFault = 5;
constexpr int kExitNoDevice = 77;

/// Complete or not there: written beside its place and then renamed.
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path + ".part", std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  std::filesystem::rename(path + ".part", path);
}

/// What the parent reads when this process did not live to report.
struct LastWords {
  Runner* runner = nullptr;
  std::string file;
};
LastWords& last_words() {
  static LastWords words;
  return words;
}
void say_last_words() {
  const LastWords& words = last_words();
  if (words.runner == nullptr) return;
  write_file(words.file, runs::json_text(words.runner->partial_report()));
}

void refuse_faults(bool apart) {
  std::vector<std::string> faults = faults_of(puzzle);
  if (faults.empty() && !apart) faults = faults_of(puzzle, launchers);
  if (faults.empty()) return;
  std::string text = "The puzzle's declaration (puzzle.cpp) cannot be right:";
  for (const std::string& fault : faults) text += "\n  " + fault;
  throw std::logic_error(text);
}

int run(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  refuse_faults(!arguments.options.apart.empty());
  const Variant* variant = find_variant(puzzle, arguments.variant);
  if (variant == nullptr)
    throw std::invalid_argument("this puzzle has no variant '" + arguments.variant + "'");
  for (const Launcher& launcher : launchers)
    if (launcher.variant == variant->name && launcher.run == nullptr)
      throw std::invalid_argument("this program was compiled without --" + arguments.variant);
  const auto backend = make_backend(arguments.options);
  Stage stage(arguments.out, backend.get());
  Runner runner(*backend, stage, arguments, *variant);
  if (arguments.phase == runs::PhaseKind::check || arguments.phase == runs::PhaseKind::large) {
    last_words() = {&runner, arguments.out + "/partial.json"};
    stage.set_last_words(&say_last_words);
  }
  try {
    runner.run();
  } catch (const KernelsLost& lost) {
    stage.add(lost.last_words);
    say_last_words();
    return lost.status;
  }
  stage.set_last_words(nullptr);
  if (arguments.trace && !runner.trace.values.empty())
    write_file(arguments.out + "/trace.bin", runs::serialize(runner.trace));
  Fingerprint& print = runner.print;
  if (!print.tensors.empty()) print.spent.clear();
  if (print.tensors.empty()) print.right.clear();
  print.task = variant->task;
  print.variant = variant->name;
  if (!print.tensors.empty() || !print.spent.empty())
    write_file(arguments.out + "/probes.json", to_text({print}));
  write_file(arguments.out + "/report.json", runs::json_text(runner.report));
  return 0;
}

}  // namespace
}  // namespace workbook::core

int main(int argc, char** argv) {
  try {
    return workbook::core::run(argc, argv);
  } catch (const workbook::core::KernelsLost& lost) {  // before anything was asked of them
    return lost.status;
  } catch (const workbook::core::NoDevice& reason) {
    std::cerr << reason.what() << "\n";
    return workbook::core::kExitNoDevice;
  } catch (const workbook::core::Refused& why) {
    std::cerr << why.what() << "\n";
    return workbook::core::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return workbook::core::kExitHarnessFault;
  }
}
