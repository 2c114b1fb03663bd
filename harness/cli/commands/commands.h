// The verbs of `workbook`. Each returns the exit status; failures that end one early are thrown (errors.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/listing/listing.h"
#include "cli/project/project.h"
#include "cli/run/execute.h"

namespace workbook::cli {

struct RunOptions {
  std::string puzzle;              ///< empty: the current one
  std::vector<std::string> words;  ///< "--fused" or "fused": the variant
  std::string backend, gpu = "h200", kernels;
  std::vector<std::string> sizes;
  double timeout_s = 10.0;
  bool json = false;
  bool all = false;  ///< every finding; of every variant where none is named
  bool counters = false, explain = false;
};

struct SweepOptions {
  RunOptions run;         ///< its sizes are those of the points: none are taken
  std::string variants;   ///< "unfused,fused"; empty: all of them
  std::string range;      ///< "H=8..1024"; empty: from the teaching to the real shape
  bool solution = false;  ///< the solution's kernels instead of the learner's
};

struct ProfileOptions {
  bool calls = false;  ///< the host's calls too
  bool json = false;
};

struct OpOptions {
  std::string puzzle;               ///< empty: the current one
  std::vector<std::string> script;  ///< a file to run, and its arguments
  std::string python;               ///< empty: python3 where it has NumPy, else one of the workbook's own
  std::string backend;
  bool solution = false, interactive = false, env = false, json = false;
  std::string words, ended,
      limit_ms;  ///< from the Python package: the folder of a call, and how its child ended
};

struct OptimizeOptions {
  std::string program;             ///< a name of --list, or a file *.wbp
  std::vector<std::string> sizes;  ///< "h=1024": another real extent
  std::string check, why_not;      ///< files with a graph
  std::string tree;                ///< a file to write
  std::string inputs = "uniform";  ///< of --check
  int threads = 0;                 ///< 0: those of the machine
  int nodes = 0;                   ///< operations of a graph at most; 0: those of the program and some more
  std::string gpu = "h200";        ///< whose clock prices the plans
  bool list = false, no_cache = false, json = false;
  bool emit_only = false;  ///< write the best plan's kernels, run nothing
  int seconds = 0;         ///< that the search may take; 0: as long as it wants
  bool env = false;        ///< print what makes the Python package importable
  bool measured = false;   ///< of the built plans the fastest on this machine's GPU is chosen
  int plans = 0;           ///< of the cheapest, so many are compiled and run; 0: one, or eight where measured
};

struct ListingOptions {
  std::string kernel;  ///< empty: every one in a row
  std::string architecture = "sm_90";
  bool solution = false;
  bool record = false;    ///< write the recorded listing instead of showing it
  bool recorded = false;  ///< the recorded one, also where it would have to be made
  bool fresh = false;     ///< made by this machine's nvcc, also where a recorded one would do
};

struct GradeOptions {
  std::vector<std::string> paths;  ///< submissions, and folders of them
  std::string course;       ///< a course file; empty: a point for each required variant that was handed in
  std::string out;          ///< a folder; empty: grades
  std::uint64_t seed = 0;   ///< 0: the course's
  bool check = false;       ///< try the course itself
  bool unconfined = false;  ///< no sandbox
  std::string gradescope;   ///< a zip file to write for Gradescope
  std::string results;      ///< where one submission's results go, as Gradescope has it
  bool prepare = false;     ///< compile in advance what each submission needs
  bool json = false;
  int jobs = 0;            ///< submissions side by side; 0: as many as there are processors, up to 8
  bool measured = false;   ///< times on this machine's GPU, beside the modelled ones
  bool slurm = false;      ///< the nodes of a cluster judge
  bool dry_run = false;    ///< their job is shown only
  std::string chunk = {};  ///< a list of submissions: what one of their tasks judges
};

/// The one variant that the words name, or the first. Throws UsageError.
const VariantInfo& chosen_variant(const Puzzle& puzzle, const std::vector<std::string>& words);

/// Everything about a run that the record needs to be right about, checked before any work is done.
RunRequest request_of(const Project& project, const Puzzle& puzzle, const RunOptions& options, Source source);

int run_command(const Project& project, const RunOptions& options);
int solution_command(const Project& project, const RunOptions& options, bool show, bool yes);
int compare_command(const Project& project, const std::string& puzzle, const std::vector<std::string>& words,
                    const std::string& backend, bool json);
int profile_command(const Project& project, const std::string& puzzle, const std::vector<std::string>& words,
                    const ProfileOptions& options);
/// The verbs, puzzles or variants that `words` (a command line without its last word) may go on with, a line
/// each: what shells complete from.
int complete_command(const std::vector<std::string>& verbs, const std::vector<std::string>& words);
/// SASS or PTX of the learner's or the solution's kernels.
int listing_command(const Project& project, const RunOptions& options, ListingForm form,
                    const ListingOptions& wanted);
int sweep_command(const Project& project, const SweepOptions& options);
/// With `write_to`, writes each mutant's kernels.cu into that folder and runs nothing.
int mutants_command(const Project& project, const std::string& puzzle, const std::string& write_to,
                    const std::string& show, bool json);
/// With `check`, writes nothing; kWrong where declared.json is out of date.
int derive_command(const Project& project, const std::string& puzzle, bool check, bool declaration_alone);
/// `number` and `name` of the puzzle that is to be.
int new_command(const Project& project, const std::string& number, const std::string& name);
/// `word`: one of compute-sanitizer's tools, a variant, or nothing.
int sanitize_command(const Project& project, const RunOptions& options, const std::string& word);
int verify_command(const Project& project, const std::string& puzzle, bool all, bool solutions, bool json);

int grade_command(const Project& project, const GradeOptions& options);
/// `grade` for Gradescope: --gradescope, --prepare and --results.
int gradescope_command(const Project& project, const GradeOptions& options);

int hint_command(const Project& project, const std::string& puzzle, const std::vector<std::string>& words,
                 bool all, bool json);
enum class ListForm {
  picker,  ///< to choose from, over the whole terminal; plain where there is none
  plain,
  map,  ///< with what each builds on and leads to
};
int list_command(const Project& project, ListForm form, bool json);
/// The puzzle that the reader chose of that list; null when none.
const Puzzle* choose_puzzle(const Project& project);
int describe_command(const Project& project, const std::string& puzzle);
int next_command(const Project& project, bool json);
int goto_command(const Project& project, const std::string& puzzle, bool json);

/// Makes `folder` a learner's, or adds to one what it lacks.
int begin_command(const Project& project, const std::string& folder);
int reset_command(const Project& project, const std::string& puzzle, bool yes);
int restore_command(const Project& project, std::int64_t run, bool whole, bool yes);
int history_command(const Project& project, const std::string& puzzle, std::int64_t limit, bool json);
/// `words`: numbers of runs, and puzzles as p22, puzzle22 or by name for all their runs; none: every run.
int export_command(const Project& project, const std::vector<std::string>& words, const std::string& format,
                   const std::string& out);
int import_command(const Project& project, const std::vector<std::string>& files);

/// `words` are what stands after `sim`.
int sim_command(const Project& project, const std::vector<std::string>& words);

int optimize_command(const Project& project, const OptimizeOptions& options);

int op_command(const Project& project, const OpOptions& options);

int watch_command(const Project& project, const RunOptions& options, bool poll);
int doctor_command(const Project& project, bool json);
int view_command(const Project& project, const std::string& puzzle,
                 const std::vector<std::string>& arguments);
int book_command(const Project& project, const std::string& puzzle);

}  // namespace workbook::cli
