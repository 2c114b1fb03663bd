#include "cli/build/listing_build.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/build/compiler_output.h"
#include "cli/build/simulator_toolchain.h"
#include "cli/build_config.h"
#include "cli/project/errors.h"
#include "cli/report/text.h"
#include "cli/run/process.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// What the compiler reads of the puzzle, by name. The last is what it is started with.
NamedTexts listed_files(const Puzzle& puzzle, const VariantInfo& variant, const Source& source) {
  NamedTexts files;
  for (const auto& entry : std::filesystem::directory_iterator(puzzle.folder))
    if (entry.path().extension() == ".cuh" || entry.path().extension() == ".h")
      files.emplace_back(entry.path().filename().string(), read_file(entry.path()));
  std::sort(files.begin(), files.end());
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
  std::vector<std::filesystem::path> folders = {std::filesystem::path(find_nvcc()).parent_path()};
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split_list(replaced(path ? path : "", ":", ";")))
    folders.push_back(folder);
  for (const std::filesystem::path& folder : folders)
    if (!folder.empty() && access((folder / tool).c_str(), X_OK) == 0) return (folder / tool).string();
  return "";
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
  const std::string key = runs::content_hash(hash_of(files) + joined(command, " ") + disassembler);
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
             ? "SASS wants nvcc and nvdisasm of the CUDA Toolkit 13 (cuda-nvcc-13-0, cuda-nvdisasm-13-0) on PATH."
             : "PTX wants nvcc of the CUDA Toolkit 13 (cuda-nvcc-13-0) on PATH.";
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
  const std::string disassembler = form == ListingForm::sass ? find_beside_nvcc("nvdisasm") : "";
  const bool has_tools = !find_nvcc().empty() && (form == ListingForm::ptx || !disassembler.empty());
  if (has_tools && from != ListingFrom::recorded)
    return made_by_tools(project, puzzle, variant, source, form, architecture, disassembler);
  if (from == ListingFrom::tools) throw NoDeviceError(how_to_install(form));
  const std::filesystem::path file = recorded_file(puzzle, variant, form, architecture);
  const auto text = read_file_if_any(file);
  if (!text)
    throw NoDeviceError("There is no recorded listing of " + project.shown(puzzle.folder / variant.file) +
                        " for " + architecture + ". " + how_to_install(form));
  MadeListing made;
  try {
    made.listing = read_recorded(*text);
  } catch (const std::runtime_error& error) {
    throw HarnessError(project.shown(file) + " cannot be read: " + error.what() + ".");
  }
  if (made.listing.of != hash_of(listed_files(puzzle, variant, source)))
    throw NoDeviceError("The recorded listing is of the solution as it is shipped, and " +
                        project.shown(source.file) + " is another source. " + how_to_install(form));
  return made;
}

}  // namespace workbook::cli
