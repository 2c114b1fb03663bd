#include "cli/grade/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>
#include <tuple>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/grade/archive.h"
#include "cli/grade/plain_text.h"
#include "cli/project/answers.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// Folders of a checkout in which no learner works.
bool is_given(const fs::path& part) {
  static const std::set<std::string> kGiven = {"solutions", "build", "harness", "book", "viewer", "__MACOSX"};
  const std::string name = part.string();
  return kGiven.contains(name) || (name.starts_with('.') && name.size() > 1);
}

bool is_regular(const fs::directory_entry& entry) {
  std::error_code error;
  return fs::is_regular_file(entry.symlink_status(error));
}

bool is_folder(const fs::directory_entry& entry) {
  std::error_code error;
  return fs::is_directory(entry.symlink_status(error));
}

/// Whether the folder is what one learner handed in, and not a folder of such.
bool is_submission(const fs::path& folder) {
  static const std::regex kNamedFile(R"((p|puzzle)[-_]?\d{1,2}\.cu|\d\d_[a-z].*\.cu)");
  std::error_code error;
  if (fs::exists(folder / "puzzles", error)) return true;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (is_regular(entry) && (name == "kernels.cu" || std::regex_match(name, kNamedFile))) return true;
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    const std::string head = name.substr(0, digits);
    if (is_folder(entry) && digits < name.size() && (head.empty() || head == "puzzle" || head == "p") &&
        (fs::exists(entry.path() / "kernels.cu", error) || fs::exists(entry.path() / kAnswersFile, error)))
      return true;
  }
  return false;
}

std::map<std::string, std::string> read_folder(const fs::path& folder) {
  const SubmissionLimits limits;
  std::map<std::string, std::string> sources;
  std::size_t files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_given(entry->path().filename())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (++files > limits.files)
      throw std::runtime_error(fmt::format("the folder holds more than {} files", limits.files));
    if (!is_regular(*entry) || !is_source(entry->path())) continue;
    const std::string path = entry->path().lexically_relative(folder).string();
    if (entry->file_size() > limits.source_bytes)
      throw std::runtime_error(fmt::format("'{}' is larger than {} KB", path, limits.source_bytes >> 10));
    sources[path] = read_file(entry->path());
  }
  if (error) throw std::runtime_error("the folder cannot be read: " + error.message());
  return sources;
}

}  // namespace

bool names_puzzle(std::string_view name, const Puzzle& puzzle) {
  if (name == puzzle.name || name == puzzle.name.substr(puzzle.name.find('_') + 1)) return true;
  for (const std::string_view prefix : {"puzzle_", "puzzle-", "puzzle", "p"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
  if (end == 0 || end > 4) return false;
  if (end < name.size() && name[end] != '_' && name[end] != '-' && name[end] != '.') return false;
  return std::stoi(std::string(name.substr(0, end))) == puzzle.number;
}

SubmissionPlace place_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (is_archive(path)) return {plain_text(without_archive_ending(name)), path};
  return {plain_text(path.extension() == ".cu" ? path.stem().string() : name), path};
}

std::vector<SubmissionPlace> find_submissions(const std::vector<std::string>& paths) {
  std::vector<SubmissionPlace> all;
  for (const std::string& word : paths) {
    std::error_code error;
    fs::path path = fs::absolute(word).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    if (!fs::exists(path, error))
      throw UsageError(word + " is not there: submissions are folders, zip or tar files.");
    const bool is_empty_one = paths.size() > 1 && fs::is_empty(path, error);  // beside others: somebody's
    if (!fs::is_directory(path, error) || is_submission(path) || is_empty_one) {
      all.push_back(place_of(path));
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path)) {
      const fs::path& each = entry.path();
      if (each.filename().string().starts_with('.')) continue;
      if (is_folder(entry) || (is_regular(entry) && (is_archive(each) || each.extension() == ".cu")))
        all.push_back(place_of(each));
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.learner, a.path) < std::tie(b.learner, b.path);
  });
  all.erase(
      std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.path == b.path; }),
      all.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].learner == all[i - 1].learner)
      throw UsageError(
          fmt::format("Two submissions are {}'s: {} and {}. Each learner has one: rename or remove one.",
                      all[i].learner, all[i - 1].path.string(), all[i].path.string()));
  if (all.empty())
    throw UsageError("There is no submission in " + joined(paths, ", ") +
                     ": they are folders, zip, tar or .cu files.");
  return all;
}

Submission read_submission(const SubmissionPlace& place) {
  Submission submission{place.learner, {}, ""};
  try {
    if (fs::is_directory(place.path)) {
      submission.sources = read_folder(place.path);
    } else if (is_archive(place.path)) {
      submission.sources = read_archive(place.path);
    } else {
      if (fs::file_size(place.path) > SubmissionLimits().source_bytes)
        throw std::runtime_error("the file is too large");
      submission.sources[place.path.filename().string()] = read_file(place.path);
    }
  } catch (const std::exception& error) {
    submission.trouble = plain_text(error.what());
    return submission;
  }
  std::erase_if(submission.sources, [](const auto& source) {
    const fs::path path = source.first;
    return std::any_of(path.begin(), path.end(), is_given);
  });
  if (submission.sources.empty())
    submission.trouble = "it holds no CUDA source (archives within archives are not opened)";
  return submission;
}

const std::pair<const std::string, std::string>* file_of(const Submission& submission, const Puzzle& puzzle,
                                                         const std::string& file, bool only_puzzle) {
  const std::pair<const std::string, std::string>* best = nullptr;
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  const auto consider = [&](const auto& source) {
    if (best == nullptr || depth(source.first) < depth(best->first)) best = &source;
  };
  for (const auto& source : submission.sources) {
    const fs::path path = source.first;
    const bool in_folder = path.filename() == file &&
                           std::any_of(path.begin(), std::prev(path.end()), [&](const fs::path& part) {
                             return names_puzzle(part.string(), puzzle);
                           });
    const bool by_name =
        path.extension() == ".cu" && file == "kernels.cu" && names_puzzle(path.stem().string(), puzzle);
    if (in_folder || by_name) consider(source);
  }
  if (best != nullptr || !only_puzzle) return best;
  for (const auto& source : submission.sources)
    if (fs::path(source.first).filename() == file) consider(source);
  if (best == nullptr && file != kAnswersFile && submission.sources.size() == 1 &&
      submission.sources.begin()->first.ends_with(".cu"))
    best = &*submission.sources.begin();
  return best;
}

}  // namespace workbook::cli
