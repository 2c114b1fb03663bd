#include "cli/project/declared.h"

#include <algorithm>
#include <chrono>

#include "cli/base/build_config.h"
#include "cli/base/build_key.h"
#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "runs/json.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// puzzle.cpp and the headers beside it that it may share with kernels: plain ones, and others that it names.
std::string texts(const fs::path& folder) {
  std::string all = read_file(folder / "puzzle.cpp");
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const fs::path& file = entry.path();
    const bool named =
        file.extension() == ".cuh" && all.find('"' + file.filename().string() + '"') != all.npos;
    if (file.extension() == ".h" || named) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) all += file.filename().string() + '\n' + read_file(file);
  return all;
}

std::string fingerprint_of(const fs::path& folder) { return runs::content_hash(texts(folder)); }

/// In the folder of this declaration's products, made by `make` unless they are there.
template <class Make>
fs::path product(const fs::path& folder, const fs::path& state, const Words& command, const Words& inputs,
                 const char* name, Make make) {
  const std::string key = build_key(texts(folder), command, inputs);
  const fs::path place = state / "cache" / ("puzzle-" + folder.filename().string());
  fs::create_directories(place);
  const FileLock lock(place / (std::string(name) + ".lock"));
  const fs::path file = place / name, key_file = place / (std::string(name) + ".key");
  std::error_code error;
  if (read_file_if_any(key_file) == key && fs::exists(file, error)) return file;
  fs::remove(key_file, error);
  make(file);
  write_file(key_file, key);
  return file;
}

void run_or_throw(const Words& command, const fs::path& folder, const std::string& what) {
  const ProcessResult made = run_process(command, folder, {});
  if (!made.ok()) throw HarnessError(what + ":\n" + made.output);
}

/// The declaration, linked to a program with `libraries`.
fs::path linked_program(const fs::path& folder, const fs::path& state, std::string_view libraries_list,
                        const char* name) {
  Words link = {build::kCxx, declaration_object(folder, state).string()};
  const Words libraries = split_list(libraries_list);
  link.insert(link.end(), libraries.begin(), libraries.end());
  return product(folder, state, link, libraries, name, [&](const fs::path& file) {
    const fs::path draft = file.string() + ".new";
    Words words = link;
    words.insert(words.end(), {"-o", draft.string()});
    run_or_throw(words, folder, "The puzzle's declaration does not link");
    fs::rename(draft, file);
  });
}

fs::path describe_program(const fs::path& folder, const fs::path& state) {
  return linked_program(folder, state, build::kDescribeLibraries, "describe");
}

std::string said_by(const Words& command, const fs::path& folder) {
  const ProcessResult said = run_process(command, folder, {});
  if (!said.ok()) throw HarnessError("The puzzle's declaration cannot be read:\n" + said.output);
  return said.output;
}

}  // namespace

fs::path declaration_object(const fs::path& folder, const fs::path& state) {
  // A package brings them, for these are the first seconds of a first run.
  std::error_code error;
  if (const fs::path brought = folder / "puzzle.o"; build::kInstalled && fs::exists(brought, error))
    return brought;
  // -fPIC: for a library
  Words command = {
      build::kCxx, "-std=c++20", "-O1", "-fPIC", "-Wall", "-Wextra", "-fdiagnostics-color=never"};
  command.insert(command.end(), std::begin(kSameArithmetic), std::end(kSameArithmetic));
  for (const std::string& include : split_list(build::kPuzzleIncludes)) command.push_back("-I" + include);
  return product(folder, state, command, {}, "puzzle.o", [&](const fs::path& file) {
    const fs::path draft = file.string() + ".new";
    Words words = command;
    words.insert(words.end(), {"-c", (folder / "puzzle.cpp").string(), "-o", draft.string()});
    run_or_throw(words, folder, "The puzzle's declaration does not compile");
    fs::rename(draft, file);
  });
}

fs::path judge_program(const fs::path& folder, const fs::path& state) {
  return linked_program(folder, state, build::kJudgeLibraries, "judge");
}

std::string declare(const fs::path& folder, const fs::path& state) {
  runs::Json json = runs::parse_json(said_by({describe_program(folder, state).string()}, folder));
  json["of"] = fingerprint_of(folder);
  return runs::dump(json, 1) + '\n';
}

std::string declared_calls(const fs::path& folder, const fs::path& state) {
  const fs::path kept =
      product(folder, state, {"calls"}, split_list(build::kDescribeLibraries), "calls.json",
              [&](const fs::path& file) {
                write_file(file, said_by({describe_program(folder, state).string(), "--calls"}, folder));
              });
  return read_file(kept);
}

std::string declared(const fs::path& folder, const fs::path& state) {
  if (const auto kept = read_file_if_any(folder / "declared.json")) {
    try {
      if (runs::parse_json(*kept).value("of", "") == fingerprint_of(folder)) return *kept;
    } catch (const std::runtime_error&) {
      // Damaged: made anew, as if it were not there.
    }
  }
  const fs::path cached =
      product(folder, state, {"declared"}, split_list(build::kDescribeLibraries), "declared.json",
              [&](const fs::path& file) { write_file(file, declare(folder, state)); });
  return read_file(cached);
}

}  // namespace workbook::cli
