// Wrong elements and findings, as compilers print them: file:line, the source line, a marker.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "cli/run/verdict.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostFindings = 6;
constexpr std::size_t kWidth = 96;

Colour colour_of(const std::string& severity) {
  return severity == "error" ? Colour::bad : severity == "warning" ? Colour::warn : Colour::accent;
}

int rank(const runs::Finding& finding) {
  return finding.severity == "error" ? 0 : finding.severity == "warning" ? 1 : 2;
}

std::string one_finding(const SourceText& source, const runs::Finding& finding) {
  std::string out = fmt::format("{}: {} {}\n", paint(Colour::bold, line_text(finding.at)),
                                paint(colour_of(finding.severity), finding.severity + ":"),
                                wrapped(finding.message, kWidth, "  "));
  out += source_excerpt(source, finding.at);
  if (finding.other) {
    out += fmt::format("  the other one is at {}\n", line_text(*finding.other));
    if (finding.other->line != finding.at.line || finding.other->file != finding.at.file)
      out += source_excerpt(source, *finding.other);
  }
  std::string where = finding.kernel.empty() ? "  on the host" : "  in " + finding.kernel;
  if (finding.who && finding.message.find("thread ") == std::string::npos)
    where += ", " + thread_text(*finding.who);
  if (!finding.on_case.empty()) where += ", shape '" + finding.on_case + "'";
  if (finding.count > 1) where += fmt::format(", {} times", finding.count);
  out += paint(Colour::dim, where) + '\n';
  if (!finding.advice.empty()) out += "  Try: " + wrapped(finding.advice, kWidth, "       ") + '\n';
  return out + '\n';
}

}  // namespace

SourceText sources_of(const Project& project, const runs::RunRecord& record) {
  return [&](const std::string& file) {
    const bool judged = file.ends_with(".cu") && !file.ends_with("launches.cu");
    return judged ? record.source : read_file_if_any(project.root() / file).value_or("");
  };
}

std::string source_excerpt(const SourceText& source, const runs::SourceLine& at, int column) {
  if (at.line <= 0) return "";
  const std::vector<std::string> lines = lines_of(source(at.file));
  if (static_cast<std::size_t>(at.line) > lines.size()) return "";
  const std::string& line = lines[static_cast<std::size_t>(at.line) - 1];
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t mark = column > 0 ? static_cast<std::size_t>(column) - 1 : first;
  const std::size_t length =
      column > 0 ? 0 : trimmed(line.substr(first, line.find("//", first) - first)).size();
  return fmt::format(" {:>4} | {}\n      | {}{}\n", at.line, line, std::string(mark, ' '),
                     paint(Colour::bad, "^" + std::string(length > 1 ? length - 1 : 0, '~')));
}

std::string wrong_report(const Project& project, const runs::RunRecord& record) {
  const auto wrong = first_wrong(record);
  if (!wrong) return "";
  const runs::Check& check = *wrong->check;
  std::string out;
  if (check.first_wrong) {
    const runs::FirstWrong& first = *check.first_wrong;
    out += fmt::format("{} {}\n", paint(Colour::bad, "First wrong:"),
                       fmt::format("{}{} on '{}' ({})", check.tensor, index_text(first.index),
                                   wrong->at->name, sizes_text(wrong->at->sizes)));
    out += fmt::format("  got       {}{}\n", value_text(first.got),
                       first.written ? "" : "   (nothing was written there)");
    out += fmt::format("  expected  {}\n", value_text(first.expected));
    if (first.writer)
      out += fmt::format("  written by {}{}\n", thread_text(*first.writer),
                         first.at ? ", " + line_text(*first.at) : "");
    if (first.at) out += source_excerpt(sources_of(project, record), *first.at);
  }
  out += fmt::format("  {} of {} elements of {} are wrong", check.wrong, check.total, check.tensor);
  if (!std::isnan(check.max_difference))
    out += fmt::format(", by at most {} ({} is accepted)", difference_text(check.max_difference),
                       difference_text(check.tolerance));
  out += fmt::format("; {}\n", wrong->at->engine);
  if (!wrong->at->diagnosis.empty())
    out += fmt::format("\n{} {}\n", paint(Colour::bad, "Diagnosis:"),
                       wrapped(wrong->at->diagnosis, kWidth, "           "));
  return out + '\n';
}

std::string findings_text(const std::vector<runs::Finding>& findings, const SourceText& source,
                          std::size_t most, const std::string& rest) {
  std::vector<const runs::Finding*> sorted;
  for (const runs::Finding& finding : findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  std::string out;
  for (std::size_t i = 0; i < std::min(sorted.size(), most); ++i) out += one_finding(source, *sorted[i]);
  if (sorted.size() > most) out += fmt::format("and {} more ({})\n\n", sorted.size() - most, rest);
  return out;
}

std::string findings_report(const Project& project, const runs::RunRecord& record) {
  return findings_text(record.findings, sources_of(project, record), kMostFindings, "--json shows them all");
}

}  // namespace workbook::cli
