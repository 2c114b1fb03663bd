#include "cli/report/program_report.h"

#include <fmt/format.h>

#include <set>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "cli/report/report.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostProgramFindings = 20;

/// "3 errors, 1 warning".
std::string counts_text(const ProgramRun& run) {
  std::vector<std::string> parts;
  for (const runs::Severity severity : {runs::Severity::error, runs::Severity::warning})
    if (const std::int64_t n = run.count(severity)) parts.push_back(count_text(n, word_of(severity)));
  if (const std::int64_t n = run.count(runs::Severity::advice))
    parts.push_back(n == 1 ? "1 piece of advice" : fmt::format("{} pieces of advice", n));
  return joined(parts, ", ");
}

struct Sums {
  std::int64_t launches = 0, threads = 0, read = 0, written = 0, l2 = 0, passes = 0, atomics = 0,
               barriers = 0, blocks = 0, checked = 0;
  double modelled_us = 0.0;
};

Sums sums_of(const runs::ProgramReport& report) {
  Sums s;
  for (const runs::KernelTotals& k : report.kernels) {
    s.launches += k.launches;
    s.threads += k.counters.threads;
    s.read += k.counters.dram_bytes_read;
    s.written += k.counters.dram_bytes_written;
    s.l2 += k.counters.l2_sectors;
    s.passes += k.counters.shared_passes;
    s.atomics += k.counters.atomics;
    s.barriers += k.counters.barriers;
    s.blocks += k.counters.blocks_total;
    s.checked += k.counters.blocks_sampled;
    s.modelled_us += k.modelled_us();
  }
  return s;
}

std::string summary(const ProgramRun& run) {
  if (!run.reported) return "";
  const Sums sums = sums_of(run.report);
  if (!run.report.diagnosing)
    return fmt::format("not checked (--fast): {}", count_text(sums.launches, "launch"));
  if (!run.report.findings.empty()) {
    std::set<std::string> kernels;
    for (const runs::Finding& finding : run.report.findings)
      if (!finding.kernel.empty()) kernels.insert(finding.kernel);
    return counts_text(run) +
           (kernels.empty() ? "" : " in " + count_text(static_cast<std::int64_t>(kernels.size()), "kernel"));
  }
  if (!run.trouble.empty() || run.process.signal != 0)  // the launch that it ended in is not among these
    return "ended early: nothing found in " + count_text(sums.launches, "finished launch");
  if (sums.launches == 0) return "no findings: no kernel was launched";
  return fmt::format(
      "no findings: {}, {} moved, {} modelled on {} {}", count_text(sums.launches, "launch"),
      bytes_text(static_cast<double>(sums.read + sums.written)), time_text(sums.modelled_us),
      run.report.gpu.starts_with('A') || run.report.gpu.starts_with('H') || run.report.gpu.starts_with('R')
          ? "an"
          : "a",
      run.report.gpu);
}

/// The whole last line; a sample says of how many blocks it speaks.
std::string last_line(const ProgramRun& run) {
  std::string line = summary(run);
  if (line.empty()) return "";
  const Sums sums = sums_of(run.report);
  if (run.report.diagnosing && sums.checked < sums.blocks)
    line += fmt::format("; checked {} of {} blocks (--sample)", sums.checked, sums.blocks);
  return "workbook sim: " + line + '\n';
}

std::string kernel_table(const runs::ProgramReport& report) {
  Table table({"kernel", "launches", "grid", "block", "shared", "DRAM", "sectors/request", "bank degree",
               "barriers", "atomics", "modelled"});
  for (const runs::KernelTotals& k : report.kernels) {
    const runs::LaunchCounters& c = k.counters;
    const auto ratio = [](std::int64_t all, std::int64_t of) {
      return of == 0 ? std::string("-")
                     : fmt::format("{:.2f}", static_cast<double>(all) / static_cast<double>(of));
    };
    table.row({k.kernel, std::to_string(k.launches), dim3_text(k.grid), dim3_text(k.block),
               bytes_text(static_cast<double>(k.shared_bytes)),
               bytes_text(static_cast<double>(c.dram_bytes_read + c.dram_bytes_written)),
               ratio(c.l2_sectors, c.global_requests), ratio(c.shared_passes, c.shared_requests),
               std::to_string(c.barriers), std::to_string(c.atomics), time_text(k.modelled_us())});
  }
  return table.empty() ? "" : table.text() + '\n';
}

runs::Json thread_json(const std::optional<runs::ThreadId>& who) {
  if (!who) return nullptr;
  return {{"block", {who->block.x, who->block.y, who->block.z}},
          {"thread", {who->thread.x, who->thread.y, who->thread.z}}};
}

runs::Json finding_json(const runs::Finding& f) {
  runs::Json json = {{"class", runs::word_of(f.klass)},
                     {"severity", word_of(f.severity)},
                     {"kernel", f.kernel},
                     {"file", f.at.file},
                     {"line", f.at.line},
                     {"other_file", nullptr},
                     {"other_line", nullptr},
                     {"count", f.count},
                     {"message", f.message},
                     {"advice", f.advice},
                     {"object", f.object},
                     {"who", thread_json(f.who)},
                     {"other_who", thread_json(f.other_who)}};
  if (f.other) {
    json["other_file"] = f.other->file;
    json["other_line"] = f.other->line;
  }
  return json;
}

runs::Json site_json(const runs::KernelTotals& kernel, const runs::SiteCounters& s) {
  const auto ratio = [&](std::int64_t part) {
    return s.requests == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(s.requests);
  };
  return {{"kernel", kernel.kernel},
          {"file", s.at.file},
          {"line", s.at.line},
          {"kind", runs::word_of(s.kind)},
          {"requests", s.requests},
          {"sectors", s.sectors},
          {"ideal_sectors", s.ideal_sectors},
          {"sectors_per_request", ratio(s.sectors)},
          {"bank_passes", s.bank_passes},
          {"bank_degree", ratio(s.bank_passes)},
          {"bytes", s.bytes},
          {"approximate", s.approximate},
          {"launches", kernel.launches}};
}

}  // namespace

std::string program_report_text(const ProgramRun& run, const SimOptions& options) {
  const SourceText source = [](const std::string& file) { return read_file_if_any(file).value_or(""); };
  std::string out =
      findings_text(run.report.findings, source, kMostProgramFindings, "--report writes them all");
  if (!run.trouble.empty()) {
    out += paint(Colour::bad, run.trouble) + '\n';
    if (run.report.at)
      out += fmt::format("{}: here\n{}", paint(Colour::bold, line_text(*run.report.at)),
                         source_excerpt(source, *run.report.at));
    if (!run.reported) out += "What was found until then is lost: it ended before it could say.\n";
    out += '\n';
  }
  if (options.counters) out += kernel_table(run.report);
  return out + last_line(run);
}

runs::Json program_report_json(const ProgramRun& run) {
  runs::Json findings = runs::Json::array(), counters = runs::Json::array(), kernels = runs::Json::array();
  for (const runs::Finding& finding : run.report.findings) findings.push_back(finding_json(finding));
  for (const runs::KernelTotals& kernel : run.report.kernels) {
    for (const runs::SiteCounters& site : kernel.counters.sites) counters.push_back(site_json(kernel, site));
    kernels.push_back({{"kernel", kernel.kernel},
                       {"launches", kernel.launches},
                       {"grid", {kernel.grid.x, kernel.grid.y, kernel.grid.z}},
                       {"block", {kernel.block.x, kernel.block.y, kernel.block.z}},
                       {"threads", kernel.counters.threads},
                       {"shared_bytes", kernel.shared_bytes},
                       {"dram_bytes_read", kernel.counters.dram_bytes_read},
                       {"dram_bytes_written", kernel.counters.dram_bytes_written},
                       {"modelled_us", kernel.modelled_us()},
                       {"counters", runs::to_json(kernel.counters)}});
  }
  const Sums s = sums_of(run.report);
  runs::Json totals = {{"launches", s.launches},
                       {"kernels", std::move(kernels)},
                       {"threads", s.threads},
                       {"dram_bytes_read", s.read},
                       {"dram_bytes_written", s.written},
                       {"l2_sectors", s.l2},
                       {"shared_passes", s.passes},
                       {"atomics", s.atomics},
                       {"barriers", s.barriers},
                       {"modelled_us", s.modelled_us},
                       {"gpu", run.report.gpu},
                       {"checked", run.report.diagnosing},
                       {"blocks", s.blocks},
                       {"blocks_checked", s.checked},
                       {"wall_ms", run.process.elapsed_ms},
                       {"errors", run.count(runs::Severity::error)},
                       {"warnings", run.count(runs::Severity::warning)},
                       {"advice", run.count(runs::Severity::advice)},
                       {"exit", run.exit_status()},
                       {"program_exit", nullptr},
                       {"trouble", run.trouble}};
  if (run.process.exit_code >= 0) totals["program_exit"] = run.process.exit_code;
  return {
      {"findings", std::move(findings)}, {"counters", std::move(counters)}, {"totals", std::move(totals)}};
}

}  // namespace workbook::cli
