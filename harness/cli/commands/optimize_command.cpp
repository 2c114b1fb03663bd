// `optimize`: reads what is asked, and answers what takes no search.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/base/attached_process.h"
#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/optimize_outputs.h"
#include "cli/commands/optimize_run.h"
#include "cli/commands/python.h"
#include "cli/project/tensor_program.h"
#include "cli/report/optimize_report.h"
#include "optimizer/language/text.h"

namespace workbook::cli {
namespace {

/// One for each output.
std::vector<opt::Program> read_programs(const Project& project, const OptimizeOptions& options) {
  std::filesystem::path file = options.program;
  if (!file.string().ends_with(".wbp")) {
    const std::vector<std::string> names = opt::program_names(programs_folder(project));
    if (std::find(names.begin(), names.end(), options.program) == names.end())
      throw UsageError(fmt::format(
          "There is no program '{}'.{} `workbook optimize --list` lists them; a file of yours ends in .wbp.",
          options.program, did_you_mean(options.program, names)));
    file = programs_folder(project) / (options.program + ".wbp");
  }
  try {
    const std::string name = options.program.ends_with(".wbp") ? options.program : file.filename().string();
    const std::vector<std::string> texts = opt::one_output_each(read_file(file));
    std::vector<opt::Program> programs;
    for (const std::string& text : texts) {
      opt::Program& program = programs.emplace_back(opt::parse_program(text, name));
      if (texts.size() > 1) program.name += "_" + program.output_name;
      for (const std::string& size : options.sizes) opt::set_extent(program, size);
      // A lemma that is none would let wrong parts through as useful.
      opt::Verifier verifier(program, {});
      for (std::size_t i = 0; i < program.lemmas.size(); ++i)
        if (const opt::Verified verified = verifier.verify(program.lemmas[i], false); !verified.equal)
          throw Failure(kDoesNotCompile,
                        fmt::format("{}: lemma {} is not equal to the program: refused at {}.", name, i + 1,
                                    verified.refused_at));
    }
    return programs;
  } catch (const opt::TextError& error) {
    throw Failure(kDoesNotCompile, error.what());
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

opt::Graph read_graph(const opt::Program& program, const std::string& file, std::vector<int>* lines) {
  try {
    return opt::parse_graph(program, read_file(file), file, lines);
  } catch (const opt::TextError& error) {
    throw Failure(kDoesNotCompile, error.what());
  }
}

opt::Inputs inputs_of(const OptimizeOptions& options) {
  if (options.inputs == "uniform") return opt::Inputs::uniform;
  if (options.inputs == "progression") return opt::Inputs::progression;
  throw UsageError(fmt::format("--inputs is uniform or progression, not '{}'.", options.inputs));
}

std::filesystem::path python_folder() { return std::filesystem::path(build::kSourceDir) / "harness/python"; }

/// Becomes a Python that has NumPy.
[[noreturn]] void run_script(const Project& project, const std::string& script) {
  std::error_code error;
  if (!std::filesystem::exists(script, error)) throw UsageError("There is no file " + script + ".");
  const std::string python = prepare_python("");
  const char* rest = std::getenv("PYTHONPATH");
  const std::string path =
      python_folder().string() + (rest != nullptr && *rest != '\0' ? std::string(":") + rest : "");
  setenv("PYTHONPATH", path.c_str(), 1);
  if (project.is_apart()) setenv("WORKBOOK_STATE", project.state().c_str(), 0);
  become({python, script});
}

int list_programs(const Project& project, bool json) {
  runs::Json list = runs::Json::array();
  std::string text;
  for (const std::string& name : opt::program_names(programs_folder(project))) {
    const opt::Program program =
        opt::parse_program(read_file(programs_folder(project) / (name + ".wbp")), name + ".wbp");
    list.push_back({{"name", name}, {"title", program.title}, {"nodes", program.graph.operations()}});
    text += fmt::format("  {:<18} {}\n", name, program.title);
  }
  if (json)
    print(runs::dump(list, 1) + '\n');
  else
    show(
        text +
        "  A program of yours is a file of some ten lines, NAME.wbp: harness/optimizer/programs has examples.\n");
  return kCorrect;
}

int check_graph(const opt::Program& program, const OptimizeOptions& options) {
  const opt::Inputs inputs = inputs_of(options);
  std::vector<int> lines;
  const opt::Graph graph = read_graph(program, options.check, &lines);
  const opt::Checked checked = opt::check(program, graph, lines, inputs);
  if (options.json)
    print(runs::dump(opt::to_json(program, graph, checked), 1) + '\n');
  else
    show(program_lines(program) + check_lines(program, graph, checked, inputs));
  return checked.verified.equal ? kCorrect : kWrong;
}

int explain_why_not(const opt::Program& program, const OptimizeOptions& options,
                    const opt::SearchOptions& search) {
  const opt::Graph graph = read_graph(program, options.why_not, nullptr);
  if (graph.inputs != program.graph.inputs || graph.functions != program.graph.functions ||
      graph.constants != program.graph.constants)
    throw UsageError(
        "That graph reads views, constants or functions that the program does not have: the search never makes such.");
  const auto judged = opt::why_not(program, opt::Field(), graph, search);
  if (options.json)
    print(runs::dump(opt::to_json(program, graph, judged), 1) + '\n');
  else
    show(program_lines(program) + why_not_lines(program, graph, judged, opt::most_nodes_of(program, search)));
  return kCorrect;
}

}  // namespace

int optimize_command(const Project& project, const OptimizeOptions& options) {
  if (options.env) {
    print(fmt::format("export PYTHONPATH='{}'${{PYTHONPATH:+:$PYTHONPATH}}\n", python_folder().string()));
    return kCorrect;
  }
  if (options.program.ends_with(".py")) run_script(project, options.program);
  if (options.list) return list_programs(project, options.json);
  if (options.program.empty())
    throw UsageError("optimize takes a program: `workbook optimize --list` lists them.");
  const std::vector<opt::Program> programs = read_programs(project, options);
  if (programs.size() > 1 && !(options.check.empty() && options.why_not.empty() && options.tree.empty()))
    throw UsageError("--check, --why-not and --tree are for programs of one output.");
  if (!options.check.empty()) return check_graph(programs.front(), options);
  opt::SearchOptions search;
  search.threads =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : static_cast<unsigned>(worker_count());
  search.most_nodes = options.nodes;
  if (!options.why_not.empty()) return explain_why_not(programs.front(), options, search);
  if (programs.size() == 1) return OptimizeRun(project, programs.front(), options, search).run();
  return optimize_outputs(project, programs, options, search);
}

}  // namespace workbook::cli
