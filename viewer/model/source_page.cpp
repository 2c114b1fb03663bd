#include "model/source_page.h"

#include <algorithm>

#include "model/format.h"

namespace workbook::viewer {
namespace {

struct Totals {
  std::int64_t sectors = 0, passes = 0;
};

void add_figures(SourcePage& page, const runs::RunRecord& run, const std::string& benchmark) {
  std::map<int, Totals> of_launches;  // by line: of the launches that ran it
  for (const runs::Benchmark& each : run.benchmarks) {
    if (each.name != benchmark) continue;
    for (std::size_t i = 0; i < each.launches.size(); ++i) {
      if (!each.launches[i].counters) continue;
      const runs::LaunchCounters& counters = *each.launches[i].counters;
      std::set<int> ran;
      Totals all;
      for (const runs::SiteCounters& site : counters.sites) {
        all.sectors += site.sectors;
        all.passes += site.bank_passes;
        if (site.at.file != page.text.file || site.at.line < 1) continue;
        const auto [found, fresh] = page.figures.try_emplace(site.at.line);
        LineFigures& line = found->second;
        if (fresh) {
          line.launch = static_cast<int>(i);
          line.kernel = each.launches[i].kernel;
        }
        ran.insert(site.at.line);
        const bool shared = runs::is_shared(site.kind) || (site.bank_passes > 0 && site.sectors == 0);
        (shared ? line.shared_requests : line.requests) += site.requests;
        line.sectors += site.sectors;
        line.ideal_sectors += site.ideal_sectors;
        line.bank_passes += site.bank_passes;
        line.bytes += site.bytes;
        line.approximate = line.approximate || site.approximate;
      }
      for (const int line : ran) {
        of_launches[line].sectors += all.sectors;
        of_launches[line].passes += all.passes;
      }
    }
  }
  for (auto& [number, line] : page.figures) {
    const Totals& all = of_launches[number];
    if (all.sectors > 0)
      line.global_share = static_cast<double>(line.sectors) / static_cast<double>(all.sectors);
    if (all.passes > 0)
      line.shared_share = static_cast<double>(line.bank_passes) / static_cast<double>(all.passes);
  }
}

void add_notes(SourcePage& page, const runs::RunRecord& run) {
  const auto add = [&](const runs::SourceLine& at, LineNote note) {
    if (at.file == page.text.file && at.line > 0) page.notes[at.line].push_back(std::move(note));
  };
  for (const runs::CompileError& error : run.compile_errors)
    add(error.at, {runs::Severity::error, "error: " + error.message, ""});
  if (run.at && !run.detail.empty()) add(*run.at, {runs::Severity::error, "error: " + run.detail, ""});
  for (const runs::Finding& finding : run.findings) {
    const std::string times = finding.count > 1 ? " (" + format_count(finding.count) + " times)" : "";
    add(finding.at,
        {finding.severity, word_of(finding.severity) + (": " + finding.message) + times, finding.advice});
    if (finding.other && (finding.other->file != finding.at.file || finding.other->line != finding.at.line))
      add(*finding.other,
          {finding.severity, "The other side of what is said at " + format_line(finding.at) + ".", ""});
  }
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace

double LineFigures::sectors_per_request() const { return ratio(sectors, requests); }
double LineFigures::ideal_per_request() const { return ratio(ideal_sectors, requests); }
double LineFigures::passes_per_request() const { return ratio(bank_passes, shared_requests); }
bool LineFigures::wasteful() const {
  return ratio(sectors, ideal_sectors) > 1.05 || passes_per_request() > 1.05;
}

const FillRegion* SourcePage::region_of(int line) const {
  for (const FillRegion& region : regions)
    if (line >= region.first_line && line <= region.last_line) return &region;
  return nullptr;
}

SourcePage make_page(const runs::RunRecord& run, const std::string& file, const std::filesystem::path& root,
                     const std::string& benchmark) {
  SourcePage page;
  page.text = load_source(run, file, root);
  add_figures(page, run, benchmark);
  add_notes(page, run);
  page.regions = fill_regions(page.text.lines);
  bool in_comment = false;
  for (const std::string& line : page.text.lines) {
    page.words.push_back(tokenize(line, in_comment));
    page.widest = std::max(page.widest, line.size());
  }
  const int count = static_cast<int>(page.text.lines.size());
  for (int line = 1; line <= count; ++line) page.lines.push_back(line);
  // What the text does not reach, because it is gone or was shortened, is shown without it.
  std::set<int> beyond;
  for (const auto& [line, figures] : page.figures)
    if (line > count) beyond.insert(line);
  for (const auto& [line, notes] : page.notes)
    if (line > count) beyond.insert(line);
  page.lines.insert(page.lines.end(), beyond.begin(), beyond.end());
  return page;
}

std::vector<int> find_in(const SourcePage& page, const std::string& words) {
  std::vector<int> found;
  if (words.empty()) return found;
  const std::string wanted = lowercase(words);
  for (std::size_t i = 0; i < page.text.lines.size(); ++i)
    if (lowercase(page.text.lines[i]).find(wanted) != std::string::npos)
      found.push_back(static_cast<int>(i) + 1);
  return found;
}

std::set<int> lines_of_thread(const AccessIndex& accesses, const std::string& file, int launch, int block,
                              int thread) {
  std::set<int> lines;
  for (const std::uint32_t number : accesses.events_of(launch, block)) {
    const runs::TraceEvent& event = accesses.event(number);
    if (event.thread == thread && accesses.file(event.file) == file) lines.insert(event.line);
  }
  return lines;
}

std::set<int> lines_of_element(const AccessIndex& accesses, const std::string& file, const Place& place,
                               std::int64_t element) {
  std::set<int> lines;
  for (const Touch& touch : accesses.history(place, element))
    if (accesses.file(touch.file) == file) lines.insert(touch.line);
  return lines;
}

}  // namespace workbook::viewer
