// `op`: a puzzle's kernels as a Python module (harness/python). The module is a few lines that load the
// package workbook_op; that package asks for the build, with --json, when it is imported, and for the words
// of what went wrong, with --words.
#include <fmt/format.h>

#include <cstdlib>

#include "cli/base/attached_process.h"
#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/python.h"
#include "cli/compile/op_library.h"
#include "cli/project/declared.h"
#include "cli/report/report.h"
#include "cli/run/phase.h"
#include "runs/findings.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExample = "try.py";

std::string origin_of(const OpOptions& options) {
  return options.solution ? runs::kSolution : runs::kLearner;
}

/// The variants that can be called: those that a launcher launches.
std::vector<const VariantInfo*> callable(const Puzzle& puzzle) {
  std::vector<const VariantInfo*> variants;
  for (const VariantInfo& variant : puzzle.declaration.variants)
    if (!variant.program) variants.push_back(&variant);
  if (variants.empty())
    throw UsageError(
        fmt::format("Puzzle {:02} is a program of its own: it has no kernels to call.", puzzle.number));
  return variants;
}

Source source_of(const Project& project, const Puzzle& puzzle, const OpOptions& options) {
  const VariantInfo& variant = *callable(puzzle).front();
  return options.solution ? source_from(origin_of(options), puzzle.solved_file(variant))
                          : learner_source(project, puzzle, variant);
}

/// What `workbook run` prints where there is nothing to run yet, or what does not compile.
std::string words_of(const Project& project, const Puzzle& puzzle, RunOutcome outcome, const Source& source,
                     runs::Verdict verdict) {
  outcome.record.verdict = verdict;
  outcome.record.source = source.text;
  outcome.source = source.file;
  return run_report(project, puzzle, outcome, std::nullopt, {});
}

struct Module {
  Source source;
  runs::Backend backend = runs::Backend::none;
  std::string program;
  std::vector<std::pair<std::string, std::string>> unfilled;  ///< variant, and where to write
  RunOutcome broken;                                          ///< its diagnostics, where it does not compile
};

Module build_module(const Project& project, const Puzzle& puzzle, const OpOptions& options) {
  Module module;
  module.source = source_of(project, puzzle, options);
  Device device;
  module.backend = options.backend.empty() ? runs::Backend::sim : choose_backend(options.backend, device);
  for (const VariantInfo* variant : callable(puzzle)) {
    RunOutcome outcome;
    outcome.unfilled = unfilled_regions(module.source.text, variant->regions);
    if (!outcome.unfilled.empty())
      module.unfilled.emplace_back(
          variant->name, words_of(project, puzzle, outcome, module.source, runs::Verdict::not_filled));
  }
  project.prepare_state();
  const FileLock lock(build_folder(project, puzzle, module.source) / "lock");
  const Build build = module.backend == runs::Backend::sim
                          ? build_child(project, puzzle, module.source, Kind::sim_diagnosing, "", nullptr)
                          : build_op_library(project, puzzle, module.source, device.architecture);
  module.program = build.child.string();
  if (build.ok()) return module;
  module.broken.diagnostics = build.diagnostics;
  module.broken.record.compile_errors = build.compile_errors;
  if (!build.compile_errors.empty()) {
    module.broken.record.at = build.compile_errors.front().at;
    module.broken.record.detail = build.compile_errors.front().message;
  }
  return module;
}

std::string not_compiled(const Project& project, const Puzzle& puzzle, const Module& module) {
  return words_of(project, puzzle, module.broken, module.source, runs::Verdict::does_not_compile);
}

/// For the package, at import.
int describe_module(const Project& project, const Puzzle& puzzle, const OpOptions& options) {
  const Module module = build_module(project, puzzle, options);
  if (module.program.empty()) {
    print(runs::dump({{"error", not_compiled(project, puzzle, module)}, {"exit", kDoesNotCompile}}) + '\n');
    return kDoesNotCompile;
  }
  runs::Json unfilled = runs::Json::object();
  for (const auto& [variant, words] : module.unfilled) unfilled[variant] = words;
  print(runs::dump({{"name", puzzle.name},
                    {"backend", word_of(module.backend)},
                    {"program", module.program},
                    {"source", module.source.text},
                    {"unfilled", unfilled},
                    {"calls", runs::parse_json(declared_calls(puzzle.folder, project.state()))}}) +
        '\n');
  return kCorrect;
}

/// For the package, after a call of which there is something to say: `folder` is what the child wrote.
int explain_call(const Project& project, const Puzzle& puzzle, const OpOptions& options) {
  const fs::path folder = options.words;
  ProcessResult result;
  result.timed_out = options.ended == "timeout";
  const int status = std::atoi(options.ended.c_str());  // as Python has it: a signal is negative
  if (!result.timed_out) (status < 0 ? result.signal : result.exit_code) = std::abs(status);
  Phase phase = phase_of(result, folder, std::chrono::milliseconds(std::atoll(options.limit_ms.c_str())));
  phase.report.source = read_file_if_any(folder / "kernels.cu").value_or("");
  std::string text = findings_report(project, phase.report, "");
  for (const runs::Finding& finding : phase.report.findings)
    if (runs::ended_kernel(finding))
      phase.ended = finding.fatal ? runs::Verdict::crashed : runs::Verdict::timed_out;
  if (text.empty()) {
    text = phase.detail;
    if (phase.at)
      text += ", at " + phase.at->file + ":" + std::to_string(phase.at->line) + "\n" +
              source_excerpt(sources_of(project, phase.report), *phase.at);
  }
  print(runs::dump({{"ended", word_of(phase.ended)}, {"words", text}, {"puzzle", puzzle.name}}) + '\n');
  return kCorrect;
}

/// `import puzzle22` finds these: a file a puzzle, so that one `workbook op` is enough for all of them.
fs::path write_modules(const Project& project, const OpOptions& options) {
  const fs::path folder = project.state() / "op" / origin_of(options);
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const Puzzle& puzzle : project.puzzles()) {
    if (!puzzle.fault.empty()) continue;
    const runs::Json place = {{"number", puzzle.number},
                              {"workbook", program.string()},
                              {"root", project.root().string()},
                              {"state", project.state().string()},
                              {"compiled", python_work().string()},
                              {"origin", origin_of(options)}};
    const std::string text = fmt::format(
        "\"\"\"Puzzle {0:02}, {1}, as Python functions: made by `workbook op`.\"\"\"\n"
        "import sys\n\n"
        "if {2:?} not in sys.path:\n"
        "    sys.path.append({2:?})\n"
        "import workbook_op\n\n"
        "workbook_op.load(__name__, **{3})\n",
        puzzle.number, puzzle.declaration.title, (fs::path(build::kSourceDir) / "harness/python").string(),
        runs::dump(place));
    const fs::path file = folder / fmt::format("puzzle{:02}.py", puzzle.number);
    if (read_file_if_any(file) != text) write_file(file, text);
  }
  return folder;
}

std::string numpy_type(const std::string& type) {
  if (type == "f32") return "np.float32";
  if (type == "f16") return "np.float16";
  if (type == "bf16") return "np.uint16";
  if (type == "i32") return "np.int32";
  if (type == "u32") return "np.uint32";
  if (type == "u8") return "np.uint8";
  return "np.int64";
}

/// Ten lines to try: the first variant on the teaching shape, random floats and zeros.
std::string example_text(const Project& project, const Puzzle& puzzle) {
  const runs::Json calls = runs::parse_json(declared_calls(puzzle.folder, project.state()));
  const runs::Json& variant = calls.at("variants").front();
  std::string text = "import numpy as np\n";
  const std::string module = fmt::format("puzzle{:02}", puzzle.number);
  text += "import " + module + "\n\nrandom = np.random.default_rng(0)\n";
  std::vector<std::string> arguments;
  std::string results;
  for (const auto& [name, size] : variant.at("teaching").items())
    text += fmt::format("{} = {}\n", name, size.get<std::int64_t>());
  for (const runs::Json& tensor : variant.at("tensors")) {
    const std::string name = tensor.at("name"), type = tensor.at("type");
    const bool is_argument =
        tensor.at("role") == "input" || (tensor.at("role") == "output" && tensor.at("start") == "filled");
    if (tensor.at("role") == "output") results += (results.empty() ? "" : ", ") + name;
    if (!is_argument) continue;
    std::vector<std::string> shape;
    for (const runs::Json& extent : tensor.at("shape"))
      shape.push_back(replaced(extent.get<std::string>(), "/", "//"));
    const std::string dims = joined(shape, ", ") + (shape.size() == 1 ? "," : "");
    const bool real = type == "f32" || type == "f16";
    text += real ? fmt::format("{} = random.standard_normal(({})).astype({})\n", name, dims, numpy_type(type))
                 : fmt::format("{} = np.zeros(({}), {})\n", name, dims, numpy_type(type));
    arguments.push_back(name);
  }
  const std::string function = replaced(variant.at("name").get<std::string>(), "-", "_");
  text +=
      fmt::format("{} = {}.{}({})\nprint({})\n", results, module, function, joined(arguments, ", "), results);
  return text;
}

/// The puzzle's own example, or one that is written into `folder`.
fs::path example_of(const Project& project, const Puzzle& puzzle, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(puzzle.folder / kExample, error)) return puzzle.folder / kExample;
  const fs::path file = folder / fmt::format("try{:02}.py", puzzle.number);
  write_file(file, example_text(project, puzzle));
  return file;
}

/// A file of the current folder, else of the puzzle's, else the example.
fs::path script_of(const Project& project, const Puzzle& puzzle, const fs::path& folder,
                   const std::string& word) {
  std::error_code error;
  if (fs::exists(word, error)) return word;
  if (fs::exists(puzzle.folder / word, error)) return puzzle.folder / word;
  if (word == kExample) return example_of(project, puzzle, folder);
  throw UsageError("There is no file " + word + ".");
}

void put_first_on_python_path(const fs::path& folder) {
  const char* rest = std::getenv("PYTHONPATH");
  const std::string path =
      folder.string() + (rest != nullptr && *rest != '\0' ? std::string(":") + rest : "");
  setenv("PYTHONPATH", path.c_str(), 1);
}

int show_module(const Project& project, const Puzzle& puzzle, const OpOptions& options,
                const fs::path& folder, const std::string& python) {
  const Module module = build_module(project, puzzle, options);
  if (module.program.empty()) {
    print_error(not_compiled(project, puzzle, module));
    return kDoesNotCompile;
  }
  const std::string name = fmt::format("puzzle{:02}", puzzle.number);
  std::string functions;
  for (const VariantInfo* variant : callable(puzzle))
    functions += (functions.empty() ? "" : ", ") + name + "." + replaced(variant->name, "-", "_") + "()";
  show(fmt::format("{} {}: {}\n", paint(Colour::good, "Built:"), project.shown(folder / (name + ".py")),
                   functions));
  for (const auto& [variant, words] : module.unfilled)
    show(fmt::format("\n{} holds no code yet, and raises NotImplementedError:\n{}",
                     name + "." + replaced(variant, "-", "_") + "()", words));
  const fs::path example = example_of(project, puzzle, folder);
  print(
      fmt::format("\n{0}:\n\n{1}\nRun it:           workbook op {2} try.py    (or a file of yours)\n"
                  "A prompt:         workbook op {2} -i\n"
                  "Your own Python:  eval \"$(workbook op {2} --env)\"    (this one is {3})\n",
                  project.shown(example), read_file(example), puzzle.number, project.shown(python)));
  return kCorrect;
}

}  // namespace

int op_command(const Project& project, const OpOptions& options) {
  const Puzzle& puzzle = options.puzzle.empty() ? project.current() : project.puzzle(options.puzzle);
  if (!options.words.empty()) return explain_call(project, puzzle, options);
  if (options.json) return describe_module(project, puzzle, options);
  callable(puzzle);
  project.prepare_state();
  const std::string python = prepare_python(options.python);
  const fs::path folder = write_modules(project, options);
  if (options.env) {
    print(fmt::format("export PYTHONPATH='{}'${{PYTHONPATH:+:$PYTHONPATH}}\n", folder.string()));
    return kCorrect;
  }
  if (!options.interactive && options.script.empty())
    return show_module(project, puzzle, options, folder, python);
  put_first_on_python_path(folder);
  std::vector<std::string> script = options.script;
  if (!script.empty()) script.front() = script_of(project, puzzle, folder, script.front()).string();
  std::vector<std::string> command = {python};
  if (options.interactive) command.push_back("-i");
  if (options.interactive && options.script.empty())
    command.insert(command.end(),
                   {"-c", fmt::format("import numpy as np, puzzle{0:02}; print('import numpy as np, "
                                      "puzzle{0:02}')",
                                      puzzle.number)});
  command.insert(command.end(), script.begin(), script.end());
  become(command);
}

}  // namespace workbook::cli
