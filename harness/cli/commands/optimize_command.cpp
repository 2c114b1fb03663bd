// `optimize NAME`: all graphs equal to a small tensor program, verified; the best plan's kernels, run and
// written.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/interrupt.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/optimize_plans.h"
#include "cli/project/tensor_program.h"
#include "cli/report/optimize_plan_report.h"
#include "cli/report/optimize_report.h"
#include "cli/run/execute.h"
#include "optimizer/fusion.h"
#include "optimizer/store.h"
#include "optimizer/text.h"
#include "optimizer/verdict_store.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kFullyDrawn = 8;  ///< of the best graphs, which are drawn at full extents too
constexpr std::size_t kRounded = 32;    ///< of the best graphs, whose rounding is looked at

opt::Program read_program(const Project& project, const OptimizeOptions& options) {
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
    opt::Program program = opt::parse_program(read_file(file), name);
    for (const std::string& size : options.sizes) opt::set_extent(program, size);
    // A lemma that is none would let wrong parts through as useful.
    opt::Verifier verifier(program, {});
    for (std::size_t i = 0; i < program.lemmas.size(); ++i)
      if (const opt::Verified verified = verifier.verify(program.lemmas[i], false); !verified.equal)
        throw Failure(kDoesNotCompile, fmt::format("{}: lemma {} is not equal to the program: refused at {}.",
                                                   name, i + 1, verified.refused_at));
    return program;
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

void verify_all(const opt::Program& program, std::vector<opt::Reported>& graphs) {
  opt::Verifier verifier(program, {});
  const opt::RoundingCheck rounding(program);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    graphs[i].verified = verifier.verify(graphs[i].graph, i < kFullyDrawn);
    if (i < kRounded) graphs[i].numerics = rounding.of(graphs[i].graph);
    say_progress(fmt::format("  verify     {} of {}", i + 1, graphs.size()));
  }
  say_progress("");
}

/// What was found, verified; what may be used comes first, else in the same order.
std::vector<opt::Reported> verified(const opt::Program& program, const opt::Search& search,
                                    opt::SearchStore* store) {
  std::vector<opt::Reported> graphs;
  for (const opt::Graph& graph : search.found)
    graphs.push_back({graph, opt::work_of(program, graph), {}, {}});
  const std::string key = opt::verdicts_key(program, graphs, kFullyDrawn, kRounded);
  if (!store || !opt::load_verdicts(*store, key, graphs)) {
    verify_all(program, graphs);
    if (store) opt::save_verdicts(*store, key, graphs);
  }
  std::stable_partition(graphs.begin(), graphs.end(), [](const opt::Reported& graph) {
    return graph.verified->equal && (!graph.numerics || graph.numerics->within);
  });
  return graphs;
}

/// Equal, and no victims of cancellation.
std::vector<opt::Graph> usable(const std::vector<opt::Reported>& graphs) {
  std::vector<opt::Graph> list;
  for (const opt::Reported& graph : graphs)
    if (graph.verified->equal && (!graph.numerics || graph.numerics->within)) list.push_back(graph.graph);
  return list;
}

/// Leaves the whole result for the viewer. Its picture of the search is the last one's where all depths were
/// known from before.
void keep_record(const Project& project, const opt::Program& program, const opt::Search& search,
                 const std::string& key, const std::vector<opt::Graph>& graphs,
                 const std::optional<PlansDone>& plans, const OptimizeOptions& options,
                 opt::SearchStore* store) {
  const std::filesystem::path file = fusion_file(project, program.name);
  runs::FusionRecord record = opt::fusion_record(program, search, graphs);
  record.made_at = utc_now();
  record.search = key;
  if (const sim::GpuSpec* gpu = sim::find_gpu(options.gpu)) record.gpu = gpu->name;
  if (plans)
    record_plans(record, program, *plans, options, store);
  else
    record.note = "No equal graph was found that may be used.";
  if (record.tree.empty() && std::filesystem::exists(file)) try {
      runs::FusionRecord before = runs::read_fusion(file);
      if (before.search == key && before.depths.size() == record.depths.size()) {
        record.tree = std::move(before.tree);
        record.tree_one_in = before.tree_one_in;
      }
    } catch (const std::runtime_error&) {
      // A damaged one is written over.
    }
  project.prepare_state();
  runs::write_fusion(file, record);
}

/// This machine's GPU, where plans are run at all.
Device device_for(const OptimizeOptions& options) {
  if (options.emit_only && options.measured)
    throw UsageError("--emit-only runs nothing, and --measured chooses by what was run.");
  Device device;
  if (!options.emit_only) device = find_device();
  if (options.measured && !device.usable)
    throw NoDeviceError(device.reason + " Without --measured the modelled time decides.");
  return device;
}

int run_search(const Project& project, const opt::Program& program, const OptimizeOptions& options,
               opt::SearchOptions search_options) {
  const Device device = device_for(options);
  std::unique_ptr<opt::SearchStore> store;
  const std::string key = opt::search_key(program, search_options);
  if (!options.no_cache) {
    project.prepare_state();
    store = std::make_unique<opt::SearchStore>(project.state() / "optimize.sqlite");
    search_options.known = [&](int nodes) { return store->load(key, program, nodes); };
    search_options.finished = [&](const opt::Depth& depth) { store->save(key, depth); };
  }
  // A depth that is known from before has no picture: it is gone through again only where a file is asked
  // for.
  const int most = opt::most_nodes_of(program, search_options);
  search_options.tree = !options.tree.empty() || !store || !store->load(key, program, most);
  search_options.stop = &interrupted;
  search_options.progress = [](const opt::Progress& at) {
    say_progress(fmt::format("  algebra    {} of {} operations: {} of {} parts{}", at.nodes, at.last, at.done,
                             at.tasks,
                             at.seconds_left < 0 ? "" : fmt::format(", {:.0f} s left", at.seconds_left)));
  };
  const opt::Field field;
  if (!options.json) show(program_lines(program));
  opt::Search search;
  {
    const StopOnInterrupt guard;
    search = opt::search(program, field, search_options);
    say_progress("");
  }
  const std::vector<opt::Reported> graphs = verified(program, search, store.get());
  if (!options.tree.empty() && !search.stopped)
    write_file(options.tree, runs::dump(opt::tree_json(program, search, most)) + '\n');
  if (!options.json) show(search_lines(program, search, most, graphs));
  std::optional<PlansDone> plans;
  if (!search.stopped && !graphs.empty()) {
    const StopOnInterrupt guard;
    say_progress("  schedule   launches and their cuts are priced");
    plans = make_plans(project, program, usable(graphs), options, device, store.get());
    say_progress("");
  }
  if (store && !store->trouble().empty())
    print_error(fitted_sentence("workbook: " + store->trouble()) + '\n');
  if (options.json) {
    runs::Json json = opt::to_json(program, search, most, graphs);
    json["schedule"] = plans ? plans_json(*plans) : runs::Json(nullptr);
    print(runs::dump(json, 1) + '\n');
  } else if (plans) {
    show(plan_lines(program, *plans));
  }
  end_if_interrupted();
  if (!search.stopped)
    keep_record(project, program, search, key, usable(graphs), plans, options, store.get());
  return plans && !options.emit_only && !plans->chosen ? kHarnessFault : kCorrect;
}

}  // namespace

int optimize_command(const Project& project, const OptimizeOptions& options) {
  if (options.list) return list_programs(project, options.json);
  if (options.program.empty())
    throw UsageError("optimize takes a program: `workbook optimize --list` lists them.");
  const opt::Program program = read_program(project, options);
  if (!options.check.empty()) return check_graph(program, options);
  opt::SearchOptions search;
  search.threads =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : static_cast<unsigned>(worker_count());
  search.most_nodes = options.nodes;
  if (!options.why_not.empty()) return explain_why_not(program, options, search);
  return run_search(project, program, options, search);
}

}  // namespace workbook::cli
