#include "model/source_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string_view>

namespace workbook::viewer {
namespace {

constexpr std::size_t kMostLines = 20'000;  // a file longer than that is no kernel

std::vector<std::string> split(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; lines.size() < kMostLines && std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

// Seconds since 1970 of "2026-01-05T09:31:00Z"; 0 when it is no such time.
std::time_t seconds_of(const std::string& iso) {
  std::tm time{};
  if (std::sscanf(iso.c_str(), "%d-%d-%dT%d:%d:%d", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour,
                  &time.tm_min, &time.tm_sec) != 6)
    return 0;
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return timegm(&time);
}

// By stat: the clock of std::filesystem cannot be compared with this one by every library.
bool written_after(const std::filesystem::path& file, const runs::RunRecord& run) {
  struct stat status {};
  const std::time_t started = seconds_of(run.started_at);
  return started != 0 && ::stat(file.c_str(), &status) == 0 && status.st_mtime > started;
}

bool inside(const std::string& file) {
  // Names come from records, which are not trusted: nothing outside the repository is read.
  return !file.empty() && file.front() != '/' && file.find("..") == std::string::npos;
}

std::string marker(const std::string& line, std::string_view kind) {
  const std::size_t from = line.find_first_not_of(" \t");
  if (from == std::string::npos || line.compare(from, kind.size(), kind) != 0) return "";
  const std::string rest = line.substr(from + kind.size());
  return rest.substr(0, rest.find_first_of(" \t("));
}

bool any_of(const std::string_view word, const auto& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::array<std::string_view, 33> kKeywords = {
    "if",     "else",          "for",      "while",    "do",        "return", "break",   "continue",
    "switch", "case",          "default",  "const",    "constexpr", "static", "extern",  "inline",
    "struct", "using",         "template", "typename", "namespace", "auto",   "sizeof",  "true",
    "false",  "static_assert", "goto",     "class",    "operator",  "public", "private", "nullptr",
    "new"};
constexpr std::array<std::string_view, 18> kTypes = {
    "void",   "bool",   "char", "int",  "unsigned", "float",    "double",  "long",     "short",
    "float2", "float4", "int4", "half", "size_t",   "uint32_t", "int32_t", "uint64_t", "int64_t"};
constexpr std::array<std::string_view, 12> kBuiltins = {"threadIdx", "blockIdx",  "blockDim",   "gridDim",
                                                        "warpSize",  "dim3",      "atomicAdd",  "atomicMax",
                                                        "atomicMin", "atomicCAS", "atomicExch", "cg"};

Token word_token(const std::string_view word) {
  if (any_of(word, kKeywords)) return Token::keyword;
  if (any_of(word, kTypes)) return Token::type;
  // __global__, __shared__, __syncthreads, __shfl_xor_sync
  if (any_of(word, kBuiltins) || word.starts_with("__")) return Token::builtin;
  return Token::plain;
}

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t quoted_end(const std::string& line, std::size_t at) {
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
  return std::min(line.size(), end + 1);
}

}  // namespace

std::string SourceText::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(number) - 1];
  const std::size_t from = text.find_first_not_of(" \t");
  return from == std::string::npos ? "" : text.substr(from);
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

SourceText load_source(const runs::RunRecord& run, const std::string& file,
                       const std::filesystem::path& root) {
  SourceText text;
  text.file = file;
  if (file.ends_with("kernels.cu") && !run.source.empty()) {
    std::istringstream in(run.source);
    text.lines = split(in);
    text.origin = SourceOrigin::record;
    return text;
  }
  const std::string name = file.substr(file.find_last_of('/') + 1);
  std::error_code error;
  const std::filesystem::path path = root / file;
  if (root.empty() || !inside(file) || !std::filesystem::is_regular_file(path, error)) {
    text.note = name + (root.empty() ? " is not at hand" : " is not in the repository any more") +
                ": a run keeps only kernels.cu. What was counted remains.";
    return text;
  }
  std::ifstream in(path);
  text.lines = split(in);
  text.origin = SourceOrigin::repository;
  if (written_after(path, run)) {
    text.origin = SourceOrigin::changed;
    text.note =
        name + " was written after this run: its lines may have moved. Run again for figures that fit.";
  }
  return text;
}

std::vector<std::string> source_files(const runs::RunRecord& run, const std::vector<std::string>& traced) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  };
  for (const std::string& file : traced) add(file);
  for (const runs::Benchmark& benchmark : run.benchmarks)
    for (const runs::LaunchRecord& launch : benchmark.launches)
      if (launch.counters)
        for (const runs::SiteCounters& site : launch.counters->sites) add(site.at.file);
  for (const runs::Finding& finding : run.findings) {
    add(finding.at.file);
    if (finding.other) add(finding.other->file);
  }
  for (const runs::CompileError& error : run.compile_errors) add(error.at.file);
  const auto is_kernels = [](const std::string& file) { return file.ends_with("kernels.cu"); };
  if (!run.source.empty() && std::none_of(files.begin(), files.end(), is_kernels))
    files.push_back((runs::is_solution(run.origin) ? "solutions/" : "puzzles/") + run.puzzle_name +
                    "/kernels.cu");
  std::stable_partition(files.begin(), files.end(), is_kernels);
  return files;
}

std::vector<FillRegion> fill_regions(const std::vector<std::string>& lines) {
  std::vector<FillRegion> regions;
  FillRegion open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (const std::string begins = marker(lines[i], "// FILL ME IN: "); !begins.empty())
      open = {begins, number, 0};
    else if (const std::string ends = marker(lines[i], "// END: "); !ends.empty() && ends == open.name) {
      open.last_line = number;
      regions.push_back(open);
      open = {};
    }
  }
  return regions;
}

std::vector<Lexeme> tokenize(const std::string& line, bool& in_comment) {
  std::vector<Lexeme> found;
  const auto add = [&](std::size_t begin, std::size_t end, Token token) {
    if (end > begin) found.push_back({begin, end, token});
    return end;
  };
  std::size_t at = 0;
  while (at < line.size()) {
    const char c = line[at];
    if (in_comment || line.compare(at, 2, "/*") == 0) {
      const std::size_t close = line.find("*/", in_comment ? at : at + 2);
      in_comment = close == std::string::npos;
      at = add(at, in_comment ? line.size() : close + 2, Token::comment);
    } else if (line.compare(at, 2, "//") == 0) {
      at = add(at, line.size(), Token::comment);
    } else if (c == '#' && line.find_first_not_of(" \t") == at) {
      std::size_t end = at + 1;
      while (end < line.size() && word_char(line[end])) ++end;
      at = add(at, end, Token::directive);
    } else if (c == '"' || (c == '\'' && (at == 0 || !word_char(line[at - 1])))) {
      at = add(at, quoted_end(line, at), Token::text);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      std::size_t end = at + 1;
      while (end < line.size() &&
             (word_char(line[end]) || line[end] == '.' || line[end] == '\'' ||
              ((line[end] == '-' || line[end] == '+') && (line[end - 1] == 'e' || line[end - 1] == 'E') &&
               line.compare(at, 2, "0x") != 0)))
        ++end;
      at = add(at, end, Token::number);
    } else if (word_char(c)) {
      std::size_t end = at + 1;
      while (end < line.size() && word_char(line[end])) ++end;
      at = add(at, end, word_token(std::string_view(line).substr(at, end - at)));
    } else {
      std::size_t end = at + 1;
      while (end < line.size() && !word_char(line[end]) && line[end] != '/' && line[end] != '"' &&
             line[end] != '\'')
        ++end;
      at = add(at, end, Token::plain);
    }
  }
  return found;
}

}  // namespace workbook::viewer
