#include "cli/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <set>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/elsewhere.h"
#include "cli/commands/long_help.h"
#include "cli/report/report.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

/// Where the parser puts what it reads; the chosen verb picks from it.
struct Words {
  RunOptions run;
  SweepOptions sweep;
  OpOptions op;
  OptimizeOptions optimize;
  ListingOptions listing;
  GradeOptions grade;
  std::vector<std::string> extra;
  std::vector<std::string> files;
  std::string format = "json", out, tool, name;
  std::int64_t limit = 20, id = 0;
  bool all = false, yes = false, show = false, poll = false, solutions = false, check = false, plain = false,
       map = false, declaration = false;
};

using Verb = std::function<int(const Project&)>;

class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(0, 1);
    app_.get_formatter()->column_width(22);
    app_.set_version_flag("--version", std::string(build::kVersion));
    app_.footer(
        "Without a verb: watch. A puzzle is 22, p22, puzzle22 or its name; a variant is its flag, such as "
        "--fused.");
    add_running();
    add_reading();
    add_changing();
    add_opening();
    add_grade();
  }

  int run(int argc, char** argv) {
    check_verb(argc, argv);
    if (argc > 1 &&
        std::string_view(argv[1]) == "sim")  // its words are a compiler's, which CLI11 does not read
      return sim_command(Project::open(Project::For::anyone), {argv + 2, argv + argc});
    if (argc > 1 && std::string_view(argv[1]) == "complete") {  // for the shell: words that may be unfinished
      std::vector<std::string> verbs;
      for (const auto& [name, verb] : verbs_) verbs.push_back(name);
      return complete_command(verbs, {argv + 2, argv + argc});
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
        show(app_.help());
        return kCorrect;
      }
      if (error.get_exit_code() == 0) return app_.exit(error);
      throw UsageError(std::string(error.what()) + " `workbook --help` lists what there is.");
    }
    const std::vector<CLI::App*> verb = app_.get_subcommands();
    const Project project =
        Project::open(!verb.empty() && is_for_anyone(verb.front()->get_name()) ? Project::For::anyone
                                                                               : Project::For::learner);
    if (app_.get_subcommands().empty()) return watch_command(project, words_.run, false);
    return verbs_.at(app_.get_subcommands().front()->get_name())(project);
  }

 private:
  /// What needs no kernels of a learner's own, and hence no folder of theirs.
  static bool is_for_anyone(const std::string& verb) {
    static const std::set<std::string> kVerbs = {"begin", "book", "describe", "doctor", "grade", "optimize"};
    return kVerbs.contains(verb);
  }

  CLI::App* add(const std::string& name, const std::string& what, Verb verb) {
    verbs_[name] = std::move(verb);
    CLI::App* app = app_.add_subcommand(name, what);
    app->add_flag("--json", words_.run.json, "machine-readable output");
    return app;
  }

  /// A puzzle, and variant flags that are known only when its declaration is read.
  CLI::App* with_variant(CLI::App* app) {
    app->add_option("puzzle", words_.run.puzzle, "the puzzle; the current one when absent");
    app->allow_extras();
    return app;
  }

  CLI::App* with_run_options(CLI::App* app) {
    with_variant(app);
    app->add_option("--backend", words_.run.backend, "sim or cuda; what the machine has when absent");
    app->add_option("--gpu", words_.run.gpu,
                    "the GPU that the simulator models: t4, rtx4090, a100, h100, h200");
    app->add_option("--size", words_.run.sizes, "NAME=NUMBER: another size for the teaching shape")
        ->expected(1)
        ->take_all();
    app->add_option("--timeout", words_.run.timeout_s, "seconds that a phase may take (10)");
    app->add_flag("--all", words_.run.all, "every finding; without a variant, every variant");
    app->add_flag("--counters", words_.run.counters, "what each launch did, with NVIDIA's names for it");
    app->add_flag("--explain", words_.run.explain, "the words of the report, below where they stand");
    app->add_option("--kernels", words_.run.kernels, "another kernels.cu in place of yours")->group("");
    return app;
  }

  /// What the parser left over: variants, or options that nobody knows.
  std::vector<std::string> variant_words() {
    std::vector<std::string> rest = app_.get_subcommands().front()->remaining();
    static const std::vector<std::string> kOptions = {"--backend", "--gpu",      "--size",   "--timeout",
                                                      "--json",    "--all",      "--show",   "--yes",
                                                      "--help",    "--counters", "--explain"};
    for (const std::string& word : rest)
      if (const auto near = closest(word, kOptions);
          near && word.starts_with("--") && edit_distance(word, *near) <= 2)
        near_option_ = *near;
    return rest;
  }

  RunOptions run_options() {
    words_.run.words = variant_words();
    return words_.run;
  }

  /// A flag that is no variant may be a misspelt option: then that is the better suggestion.
  template <class Body>
  int suggesting(Body body) {
    try {
      return body();
    } catch (const UsageError& error) {
      const std::string what = error.what();
      if (near_option_.empty() || what.find("Did you mean") != std::string::npos ||
          what.find("has no variant") == std::string::npos)
        throw;
      throw UsageError(what + " Or did you mean the option '" + near_option_ + "'?");
    }
  }

  void add_running() {
    with_run_options(
        add("run", "build, check, diagnose, time and record your kernels",
            [this](const Project& p) { return suggesting([&] { return run_command(p, run_options()); }); }));
    CLI::App* solution = with_run_options(
        add("solution", "the same for the solution; --show prints it", [this](const Project& p) {
          return suggesting([&] { return solution_command(p, run_options(), words_.show, words_.yes); });
        }));
    solution->add_flag("--show", words_.show, "print it instead of running it");
    solution->add_flag("--yes", words_.yes, "without a question");
    CLI::App* watch =
        with_run_options(add("watch", "the current puzzle, again at each save", [this](const Project& p) {
          return suggesting([&] { return watch_command(p, run_options(), words_.poll); });
        }));
    watch->add_flag("--poll", words_.poll, "ask for the file's time instead of waiting for events");
    CLI::App* sweep =
        with_variant(add("sweep", "time the variants over a range of sizes", [this](const Project& p) {
          words_.sweep.run = run_options();
          return sweep_command(p, words_.sweep);
        }));
    sweep->add_option("--variants", words_.sweep.variants, "which, such as unfused,fused; all when absent");
    sweep->add_option("--sizes", words_.sweep.range,
                      "NAME=8,16,32 or NAME=8..1024; from the teaching to the real shape when absent");
    sweep->add_flag("--solution", words_.sweep.solution, "the solution's kernels instead of yours");
    sweep->add_option("--backend", words_.run.backend, "sim or cuda; what the machine has when absent");
    sweep->add_option("--gpu", words_.run.gpu, "the GPU that the simulator models");
    sweep->add_option("--timeout", words_.run.timeout_s, "seconds that one size may take (10)");
    CLI::App* verify = add("verify", "check again every puzzle that is done", [this](const Project& p) {
      return verify_command(p, words_.run.puzzle, words_.all, words_.solutions, words_.run.json);
    });
    verify->add_option("puzzle", words_.run.puzzle, "only this one");
    verify->add_flag("--all", words_.all, "those that are not done as well");
    verify->add_flag("--solutions", words_.solutions, "the solutions instead of your kernels")->group("");
    CLI::App* derive =
        add("derive", "write anew what is kept of a puzzle beside its sources", [this](const Project& p) {
          return derive_command(p, words_.run.puzzle, words_.check, words_.declaration);
        });
    derive->add_option("puzzle", words_.run.puzzle, "the puzzle")->required();
    derive->add_flag("--check", words_.check, "only say whether its declaration is up to date");
    derive->add_flag("--declaration", words_.declaration, "its declaration alone: no mutant is run");
    CLI::App* made = add("new", "begin a puzzle: its folders, chapter and first mutant",
                         [this](const Project& p) { return new_command(p, words_.run.puzzle, words_.name); });
    made->add_option("number", words_.run.puzzle, "its number, such as 23")->required();
    made->add_option("name", words_.name, "its name, such as matrix_product")->required();
    CLI::App* mutants =
        add("mutants", "check that every plausible mistake of a puzzle is caught", [this](const Project& p) {
          return mutants_command(p, words_.run.puzzle, words_.out, words_.name, words_.run.json);
        });
    mutants->add_option("puzzle", words_.run.puzzle, "the puzzle")->required();
    CLI::App* sanitize = with_run_options(
        add("sanitize", "memory errors and races: compute-sanitizer on a GPU, else the simulator",
            [this](const Project& p) {
              return suggesting([&] { return sanitize_command(p, run_options(), words_.tool); });
            }));
    sanitize->add_option("tool", words_.tool, "memcheck, racecheck, initcheck or synccheck; all when absent");
    add_op();
    add_optimize();
    add("sim", "any CUDA program on the simulator: sim FILE.cu (sim --help)",
        [](const Project& p) { return sim_command(p, {}); });
    mutants->add_option("--write", words_.out, "a folder: write each as NAME.cu there, run none");
    mutants->add_option("--show", words_.name, "the name of one: print it, run none");
  }

  void add_optimize() {
    OptimizeOptions& to = words_.optimize;
    CLI::App* optimize =
        add("optimize", "kernels for a small tensor program, found by search", [this](const Project& p) {
          words_.optimize.json = words_.run.json;
          return optimize_command(p, words_.optimize);
        });
    optimize->add_option("program", to.program, "a name of --list, your file NAME.wbp, or NAME.py");
    optimize->add_flag("--list", to.list, "the programs there are");
    optimize->add_flag("--env", to.env,
                       "print what makes Python find it: eval \"$(workbook optimize --env)\"");
    optimize->add_option("--check", to.check, "a file with a graph of yours: equal, or where not");
    optimize->add_option("--why-not", to.why_not, "a file with a graph: where the search cuts it");
    optimize->add_option("--inputs", to.inputs, "uniform, or progression (0, 1, 2, ...), for --check");
    optimize->add_option("--size", to.sizes, "NAME=NUMBER: another size of the real shape")
        ->expected(1)
        ->take_all();
    optimize->add_option("--nodes", to.nodes, "operations of a graph at most (the program's and 3)")
        ->check(CLI::PositiveNumber);
    optimize->add_option("--threads", to.threads, "how many (those of the machine)")
        ->check(CLI::PositiveNumber);
    optimize->add_option("--seconds", to.seconds, "how long the search may take: then the best so far")
        ->check(CLI::PositiveNumber);
    optimize->add_option("--tree", to.tree, "a file: the search as JSON, for the viewer");
    optimize->add_option("--gpu", to.gpu, "whose modelled time decides (h200)");
    optimize
        ->add_option("--plans", to.plans,
                     "how many of the cheapest plans are built and run (1; with --measured 8)")
        ->check(CLI::Range(1, 8));
    optimize->add_flag("--measured", to.measured, "of these the fastest on this machine's GPU is chosen");
    optimize->add_flag("--emit-only", to.emit_only, "write the best plan's kernels without running them");
    optimize->add_flag("--resume", words_.yes, "go on where the last search ended, as it always does");
    optimize->add_flag("--no-cache", to.no_cache, "search anew, keep nothing");
    optimize->footer(kOptimizeHelp);
  }

  void add_op() {
    CLI::App* op = add("op", "your kernels as a Python module; op 18 FILE.py runs a script with it",
                       [this](const Project& p) {
                         words_.op.json = words_.run.json;
                         for (const std::string& word : app_.get_subcommands().front()->remaining())
                           words_.op.script.push_back(word);
                         return op_command(p, words_.op);
                       });
    op->add_option("puzzle", words_.op.puzzle, "the puzzle; the current one when absent");
    op->add_option("script", words_.op.script, "a Python file that imports the module, and its arguments");
    op->add_flag("-i,--interactive", words_.op.interactive,
                 "a Python prompt where the module can be imported");
    op->add_flag("--env", words_.op.env, "print what makes it importable: eval \"$(workbook op 18 --env)\"");
    op->add_option("--python", words_.op.python, "the Python to build for; python3 where it has NumPy");
    op->add_flag("--solution", words_.op.solution, "the solution's kernels instead of yours");
    op->add_option("--backend", words_.op.backend)->group("");
    op->add_option("--words", words_.op.words)->group("");
    op->add_option("--ended", words_.op.ended)->group("");
    op->add_option("--limit", words_.op.limit_ms)->group("");
    op->prefix_command();
  }

  void add_listing(const char* name, const char* what, ListingForm form) {
    CLI::App* listing = with_variant(add(name, what, [this, form](const Project& p) {
      words_.run.words = variant_words();
      words_.run.all = words_.all;
      return listing_command(p, words_.run, form, words_.listing);
    }));
    listing->add_option("--kernel", words_.listing.kernel,
                        "this kernel's listing; all of them in a row when absent");
    listing->add_option("--arch", words_.listing.architecture, "sm_75, sm_80, sm_90 (when absent) or newer");
    listing->add_flag("--solution", words_.listing.solution, "the solution's kernels instead of yours");
    listing->add_flag("--all", words_.all, "every instruction; without a kernel, every kernel");
    listing->add_flag("--fresh", words_.listing.fresh,
                      "made by your nvcc, where a recorded listing would do");
    listing->add_flag("--record", words_.listing.record)->group("");
    listing->add_flag("--recorded", words_.listing.recorded)->group("");
  }

  void add_reading() {
    add_listing("sass", "the machine code that the compiler made, beside its source lines",
                ListingForm::sass);
    add_listing("ptx", "the same a step earlier: PTX, before registers are handed out", ListingForm::ptx);
    CLI::App* compare = with_variant(add(
        "compare", "variants side by side, best first, and why: the newest correct runs",
        [this](const Project& p) {
          return compare_command(p, words_.run.puzzle, variant_words(), words_.run.backend, words_.run.json);
        }));
    compare->add_option("--backend", words_.run.backend, "sim or cuda");
    CLI::App* profile = with_variant(add(
        "profile", "where the time of the newest run goes: kernels, NVTX ranges", [this](const Project& p) {
          return profile_command(p, words_.run.puzzle, variant_words(), {words_.show, words_.run.json});
        }));
    profile->add_flag("--calls", words_.show, "a program's calls too, in their order");
    CLI::App* hint = with_variant(add("hint", "the next hint", [this](const Project& p) {
      return hint_command(p, words_.run.puzzle, variant_words(), words_.all, words_.run.json);
    }));
    hint->add_flag("--all", words_.all, "every hint of every region of the variant");
    CLI::App* list = add("list", "the puzzles and how far you are", [this](const Project& p) {
      return list_command(p,
                          words_.map     ? ListForm::map
                          : words_.plain ? ListForm::plain
                                         : ListForm::picker,
                          words_.run.json);
    });
    list->add_flag("--plain", words_.plain, "printed, also on a terminal");
    list->add_flag("--map", words_.map, "what each puzzle builds on, and which build on it");
    add("describe", "what a puzzle declares, as JSON",
        [this](const Project& p) { return describe_command(p, words_.run.puzzle); })
        ->add_option("puzzle", words_.run.puzzle)
        ->required();
    CLI::App* history = add("history", "past runs", [this](const Project& p) {
      return history_command(p, words_.run.puzzle, words_.all ? -1 : words_.limit, words_.run.json);
    });
    history->add_option("puzzle", words_.run.puzzle, "only of this one");
    history->add_option("--limit", words_.limit, "how many (20)")->check(CLI::PositiveNumber);
    history->add_flag("--all", words_.all, "all of them");
    add("doctor", "what this machine has",
        [this](const Project& p) { return doctor_command(p, words_.run.json); });
    CLI::App* exporting =
        add("export", "runs as JSON, CSV or a trace for Perfetto",
            [this](const Project& p) { return export_command(p, words_.files, words_.format, words_.out); });
    exporting->add_option(
        "runs", words_.files,
        "runs by their numbers in `workbook history`, or p22: all of puzzle 22; all when absent");
    exporting->add_option("--format", words_.format, "json, csv or trace (for ui.perfetto.dev)");
    exporting->add_option("--out", words_.out, "a file; JSON files keep the access traces");
  }

  void add_changing() {
    add("begin", "a folder of your own, with a file for each puzzle",
        [this](const Project& p) { return begin_command(p, words_.out); })
        ->add_option("folder", words_.out, "new, or one that `begin` made: what it lacks is added")
        ->required();
    add("next", "make the next open puzzle the current one",
        [this](const Project& p) { return next_command(p, words_.run.json); });
    add("goto", "make a puzzle the current one",
        [this](const Project& p) { return goto_command(p, words_.run.puzzle, words_.run.json); })
        ->add_option("puzzle", words_.run.puzzle)
        ->required();
    CLI::App* reset = add("reset", "back to the skeleton, keeping a copy of yours", [this](const Project& p) {
      return reset_command(p, words_.run.puzzle, words_.yes);
    });
    reset->add_option("puzzle", words_.run.puzzle)->required();
    reset->add_flag("--yes", words_.yes, "without a question");
    CLI::App* restore =
        add("restore", "a variant back to what a past run ran, keeping a copy of yours",
            [this](const Project& p) { return restore_command(p, words_.id, words_.all, words_.yes); });
    restore->add_flag("--all", words_.all, "the whole file, with what the run's other variants were");
    restore->add_option("run", words_.id, "its number, from `workbook history`")->required();
    restore->add_flag("--yes", words_.yes, "without a question");
    add("import", "add runs from JSON files to the record",
        [this](const Project& p) { return import_command(p, words_.files); })
        ->add_option("files", words_.files)
        ->required();
  }

  void add_opening() {
    CLI::App* view = add("view", "open the viewer", [this](const Project& p) {
      return view_command(p, words_.run.puzzle, app_.get_subcommands().front()->remaining());
    });
    view->add_option("puzzle", words_.run.puzzle);
    view->allow_extras();
    add("book", "open the chapter", [this](const Project& p) {
      return book_command(p, words_.run.puzzle);
    })->add_option("puzzle", words_.run.puzzle);
  }

  void add_grade() {
    GradeOptions& to = words_.grade;
    CLI::App* grade =
        add("grade", "marks for a class: judge what learners handed in", [this](const Project& p) {
          words_.grade.json = words_.run.json;
          return grade_command(p, words_.grade);
        });
    grade->add_option("paths", to.paths,
                      "folders, zip, tar or .cu files, a submission each; or a folder of such");
    grade->add_option("--course", to.course, "course.toml: puzzles, points, limits");
    grade->add_option("--out", to.out, "the folder of the results (grades)");
    grade
        ->add_option("--seed", to.seed,
                     "of the shapes and values that grading adds; the course's when absent")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53));
    grade->add_flag("--check", to.check,
                    "say what a course file means, and what a few submissions would get");
    grade->add_flag("--unconfined", to.unconfined, "no sandbox: for submissions that you trust");
    grade->add_option("--jobs", to.jobs, "submissions that are judged side by side")
        ->check(CLI::Range(1, kMostJobs));
    grade->add_flag("--measured", to.measured,
                    "where there is a GPU, time what is right on it, too: no mark depends on that");
    grade->add_flag("--slurm", to.slurm, "have the nodes of a SLURM cluster judge: a job array");
    grade->add_flag("--dry-run", to.dry_run, "with --slurm: show the job, and hand in nothing")
        ->needs("--slurm");
    grade->add_option("--chunk", to.chunk, "judge a list, for no class: what a task of that job does");
    grade->add_option("--gradescope", to.gradescope,
                      "a zip file to write: what Gradescope takes for this course");
    grade->add_option("--results", to.results)->group("");
    grade->add_flag("--prepare", to.prepare)->group("");
    grade->footer(kGradeHelp);
  }

  /// Before the parser, which would only say that a word was not expected.
  void check_verb(int argc, char** argv) const {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word.starts_with('-')) continue;
      if (verbs_.contains(word) || word == "complete") return;
      std::vector<std::string> names;
      for (const auto& [name, verb] : verbs_) names.push_back(name);
      const bool puzzle = word.find_first_of("0123456789") != std::string::npos;
      throw UsageError("There is no command '" + word + "'." +
                       (puzzle ? " Did you mean 'run " + word + "'?" : did_you_mean(word, names)) +
                       " `workbook --help` lists them.");
    }
  }

  CLI::App app_{"An interactive puzzle workbook of GPU programming", "workbook"};
  Words words_;
  std::map<std::string, Verb> verbs_;
  std::string near_option_;
};

int run_here_or_elsewhere(int argc, char** argv) {
  try {
    return CommandLine().run(argc, argv);
  } catch (const Elsewhere& elsewhere) {
    go_on_in(elsewhere.program, argv);
  }
}

int fail(int status, const std::string& sentence, bool json) {
  if (json)
    print(failure_json(sentence, status));
  else
    print_error(fitted_sentence("workbook: " + sentence) + '\n');
  return status;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  set_up_colour();
  const bool json =
      std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  if (json) set_colour(false);
  try {
    return run_here_or_elsewhere(argc, argv);
  } catch (const Failure& failure) {
    return fail(failure.exit, failure.what(), json);
  } catch (const runs::StoreError& error) {
    return fail(kHarnessFault, error.what(), json);
  } catch (const std::exception& error) {
    return fail(kHarnessFault, std::string("Something of ours broke: ") + error.what(), json);
  }
}

}  // namespace workbook::cli
