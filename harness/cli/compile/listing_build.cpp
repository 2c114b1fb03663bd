#include "cli/compile/listing_build.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "cli/base/build_config.h"
#include "cli/base/build_key.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/compiler_output.h"
#include "cli/compile/simulator_toolchain.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// What the compiler reads of the puzzle, by name. The last is what it is started with.
NamedTexts listed_files(const Puzzle& puzzle, const VariantInfo& variant, const Source& source) {
  NamedTexts files;
  for (const std::filesystem::path& header : puzzle.headers())
    files.emplace_back(header.filename().string(), read_file(header));
  files.emplace_back(variant.file, source.text);
  if (!variant.program) files.emplace_back("launches.cu", read_file(puzzle.folder / "launches.cu"));
  return files;
}

std::string hash_of(const NamedTexts& files) {
  std::string all;
  for (const auto& [name, text] : files) all += name + '\0' + text + '\0';
  return runs::content_hash(all);
}

/// A tool of the CUDA Toolkit: beside nvcc, or on PATH; empty where it is not installed.
std::string find_beside_nvcc(const std::string& tool) {
  return find_tool(tool, std::filesystem::path(find_nvcc()).parent_path());
}

/// "13.0.88" of what nvcc or nvdisasm says of itself.
std::string version_of(const std::string& program) {
  const ProcessResult said = run_process({program, "--version"}, std::filesystem::current_path(), {});
  const std::size_t at = said.output.rfind(", V");
  if (at == std::string::npos) return "of an unknown version";
  const std::size_t begin = at + 3;
  return said.output.substr(begin, said.output.find_first_not_of("0123456789.", begin) - begin);
}

MadeListing not_compiled(const ProcessResult& result) {
  const CompilerOutput read = read_compiler_output(result.output, {});
  MadeListing made;
  made.diagnostics = read.text.empty() ? result.output : read.text;
  made.compile_errors = read.errors;
  if (made.compile_errors.empty()) made.compile_errors.push_back({{}, 0, "nvcc failed"});
  return made;
}

MadeListing made_by_tools(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                          const Source& source, ListingForm form, const std::string& architecture,
                          const std::string& disassembler) {
  const NamedTexts files = listed_files(puzzle, variant, source);
  const std::filesystem::path folder = build_folder(project, puzzle, source) / "listing";
  const std::filesystem::path kept = folder / (variant.file + "." + architecture + "." + form_name(form));
  std::vector<std::string> command = compile_command(Kind::cuda, architecture);
  const std::string key = build_key(hash_of(files) + disassembler, command, {});
  const std::filesystem::path key_file = kept.string() + ".key";
  if (read_file_if_any(key_file) == key)
    if (const auto text = read_file_if_any(kept)) {
      MadeListing made{read_recorded(*text), {}, {}};
      made.listing.recorded = false;
      return made;
    }
  for (const auto& [name, text] : files) {
    const std::filesystem::path shown = name == variant.file ? source.file : puzzle.folder / name;
    write_file(folder / name, "#line 1 \"" + project.shown(shown) + "\"\n" + text);
  }
  const std::filesystem::path out = folder / (form == ListingForm::sass ? "kernels.cubin" : "kernels.ptx");
  // Words that are no error: a subroutine that is never called, launch bounds that an old GPU cannot keep.
  append(command, {form == ListingForm::sass ? "-cubin" : "-ptx", "-Xptxas=-v", "-diag-suppress", "177",
                   (folder / files.back().first).string(), "-o", out.string()});
  const ProcessResult compiled = run_process(command, project.root(), {});
  if (!compiled.ok()) return not_compiled(compiled);
  MadeListing made;
  Listing& listing = made.listing;
  listing.form = form;
  listing.architecture = architecture;
  listing.of = hash_of(files);
  listing.made_by = "nvcc " + version_of(find_nvcc());
  if (form == ListingForm::sass) {
    const ProcessResult listed = run_process({disassembler, "-g", "-c", out.string()}, project.root(), {});
    if (!listed.ok()) throw HarnessError("nvdisasm cannot read what nvcc made:\n" + listed.output);
    listing.made_by += ", nvdisasm " + version_of(disassembler);
    listing.kernels = read_sass(listed.output, compiled.output);
  } else {
    listing.kernels = read_ptx(read_file(out));
  }
  write_file(kept, recorded_text(listing));
  write_file(key_file, key);
  return made;
}

std::string how_to_install(ListingForm form) {
  return form == ListingForm::sass
             ? "Making one needs nvcc and nvdisasm of the CUDA Toolkit 13 (cuda-nvcc-13-0, cuda-nvdisasm-13-0) on "
               "PATH."
             : "Making one needs nvcc of the CUDA Toolkit 13 (cuda-nvcc-13-0) on PATH.";
}

/// Those for which there is a recorded listing, of whatever source.
std::vector<std::string> recorded_architectures(const Puzzle& puzzle, const VariantInfo& variant,
                                                ListingForm form) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(puzzle.folder / "listings", none)) {
    const std::string architecture = entry.path().stem().extension().string();
    if (!architecture.empty() && entry.path() == recorded_file(puzzle, variant, form, architecture.substr(1)))
      names.push_back(architecture.substr(1));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The recorded listing of these very files; where there is none, `why_not` says why.
std::optional<Listing> recorded_of(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                                   const Source& source, ListingForm form, const std::string& architecture,
                                   std::string& why_not) {
  const std::filesystem::path file = recorded_file(puzzle, variant, form, architecture);
  const auto text = read_file_if_any(file);
  if (!text) {
    const std::vector<std::string> others = recorded_architectures(puzzle, variant, form);
    why_not = fmt::format("There is no recorded listing of {} for {}{}.", project.shown(puzzle.file(variant)),
                          architecture, others.empty() ? "" : "; recorded are " + joined(others, ", "));
    return std::nullopt;
  }
  Listing listing;
  try {
    listing = read_recorded(*text);
  } catch (const std::runtime_error& error) {
    throw HarnessError(project.shown(file) + " cannot be read: " + error.what() + ".");
  }
  const NamedTexts files = listed_files(puzzle, variant, source);
  if (listing.of == hash_of(files)) return listing;
  std::vector<std::string> names;
  for (const auto& [name, its_text] : files) names.push_back(name);
  const bool solved = variant.regions.empty() || source.file == puzzle.solved_file(variant);
  why_not = fmt::format("The recorded listing is of {} {}, as the workbook came; {}.",
                        solved ? "the files" : "the solution, and of", joined(names, ", "),
                        solved ? "one of them has changed since" : "`--solution` shows it");
  return std::nullopt;
}

}  // namespace

std::filesystem::path recorded_file(const Puzzle& puzzle, const VariantInfo& variant, ListingForm form,
                                    const std::string& architecture) {
  const std::string stem = std::filesystem::path(variant.file).stem().string();
  return puzzle.folder / "listings" / (stem + "." + architecture + "." + form_name(form));
}

MadeListing listing_of(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                       const Source& source, ListingForm form, const std::string& architecture,
                       ListingFrom from) {
  std::string why_not;
  if (from != ListingFrom::tools)
    if (const auto listing = recorded_of(project, puzzle, variant, source, form, architecture, why_not))
      return {*listing, {}, {}};
  const std::string disassembler = form == ListingForm::sass ? find_beside_nvcc("nvdisasm") : "";
  const bool has_tools = !find_nvcc().empty() && (form == ListingForm::ptx || !disassembler.empty());
  if (has_tools && from != ListingFrom::recorded)
    return made_by_tools(project, puzzle, variant, source, form, architecture, disassembler);
  throw NoDeviceError(why_not + (why_not.empty() ? "" : " ") + how_to_install(form));
}

}  // namespace workbook::cli
