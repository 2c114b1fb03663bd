// `sass` and `ptx`: what the compiler made of a puzzle's kernels, beside the source lines.
#include <fmt/format.h>

#include <map>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/compile/listing_build.h"
#include "cli/report/listing_report.h"
#include "runs/json.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostInstructions = 100;  // of a kernel, unless all are asked for

void check_architecture(const std::string& word) {
  const std::string digits = word.starts_with("sm_") ? word.substr(3) : "";
  if (digits.size() < 2 || digits.size() > 4 || digits.find_first_not_of("0123456789af") != digits.npos)
    throw UsageError("--arch wants an architecture such as sm_75, sm_80 or sm_90, not '" + word + "'.");
}

/// The files that the learner knows, as they are now.
LineText source_text(const Puzzle& puzzle, const VariantInfo& variant, const Source& source) {
  std::map<std::string, std::vector<std::string>> files;
  std::vector<std::filesystem::path> known = puzzle.headers();
  known.push_back(puzzle.folder / "launches.cu");
  for (const std::filesystem::path& file : known)
    files[file.filename().string()] = lines_of(read_file_if_any(file).value_or(""));
  files[variant.file] = files[source.file.filename().string()] = lines_of(source.text);
  return [files](const std::string& file, int line) {
    const auto found = files.find(file);
    const bool there = found != files.end() && line > 0 && line <= static_cast<int>(found->second.size());
    return there ? found->second[static_cast<std::size_t>(line) - 1] : "";
  };
}

const KernelListing& chosen_kernel(const Listing& listing, const std::string& name) {
  if (const KernelListing* kernel = listing.find(name)) return *kernel;
  std::vector<std::string> names;
  for (const KernelListing& kernel : listing.kernels) names.push_back(kernel.name);
  throw UsageError("There is no kernel '" + name + "'." + did_you_mean(name, names) +
                   " There are: " + joined(names, ", ") + ".");
}

int record_listing(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                   const MadeListing& made) {
  const std::filesystem::path file =
      recorded_file(puzzle, variant, made.listing.form, made.listing.architecture);
  write_file(file, recorded_text(made.listing));
  print(project.shown(file) + " was written.\n");
  return kCorrect;
}

/// Leaves it for the viewer, the newest of each form and architecture of the learner's file and the
/// solution's.
void keep_record(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                 const Source& source, const Listing& listing) {
  runs::ListingRecord record = listing_record(listing);
  record.puzzle = puzzle.number;
  record.source_hash = runs::content_hash(source.text);
  runs::write_listing(project.state() / "listings" /
                          fmt::format("{}.{}.{}.{}.{}.json", puzzle.name, variant.file, source.origin,
                                      listing.architecture, record.form),
                      record);
}

}  // namespace

int listing_command(const Project& project, const RunOptions& options, ListingForm form,
                    const ListingOptions& wanted) {
  const Puzzle& puzzle = options.puzzle.empty() ? project.current() : project.puzzle(options.puzzle);
  const VariantInfo& variant = chosen_variant(puzzle, options.words);
  check_architecture(wanted.architecture);
  if (wanted.record && !wanted.solution)
    throw UsageError("--record is of the solution: --solution --record.");
  if (wanted.recorded && wanted.fresh) throw UsageError("--recorded and --fresh exclude each other.");
  project.prepare_state();
  const Source source = wanted.solution ? source_from(runs::kSolution, puzzle.solved_file(variant))
                                        : learner_source(project, puzzle, variant);
  const FileLock lock(build_folder(project, puzzle, source) / "lock");
  const ListingFrom from = wanted.record || wanted.fresh ? ListingFrom::tools
                           : wanted.recorded             ? ListingFrom::recorded
                                                         : ListingFrom::any;
  const MadeListing made = listing_of(project, puzzle, variant, source, form, wanted.architecture, from);
  if (!made.ok()) {
    print_error(made.diagnostics);
    return kDoesNotCompile;
  }
  const Listing& listing = made.listing;
  if (wanted.record) return record_listing(project, puzzle, variant, made);
  if (listing.kernels.empty()) throw UsageError(project.shown(source.file) + " has no kernels.");
  keep_record(project, puzzle, variant, source, listing);
  if (!wanted.kernel.empty()) chosen_kernel(listing, wanted.kernel);
  if (options.json) {
    print(runs::dump(listing_json(listing, wanted.kernel), 1) + '\n');
    return kCorrect;
  }
  const std::string command =
      fmt::format("workbook {} {}{}{}{}{}", form_name(form), puzzle.number,
                  options.words.empty() ? "" : " --" + variant.name, wanted.solution ? " --solution" : "",
                  wanted.fresh ? " --fresh" : "",
                  wanted.architecture == kListingArchitecture ? "" : " --arch " + wanted.architecture);
  show(paint(Colour::dim, listing_origin(listing)) + '\n');
  const LineText text = source_text(puzzle, variant, source);
  const std::size_t most = options.all ? static_cast<std::size_t>(-1) : kMostInstructions;
  const auto one = [&](const KernelListing& kernel) {
    print(listing_text(listing, kernel, text, most, command + " --kernel " + kernel.name + " --all"));
  };
  if (!wanted.kernel.empty() || listing.kernels.size() == 1) {
    one(wanted.kernel.empty() ? listing.kernels.front() : chosen_kernel(listing, wanted.kernel));
    return kCorrect;
  }
  print(listing_overview(listing));
  if (options.all)
    for (const KernelListing& kernel : listing.kernels) print("\n"), one(kernel);
  else
    show("One of them:  " + command + " --kernel " + listing.kernels.front().name + '\n');
  return kCorrect;
}

}  // namespace workbook::cli
