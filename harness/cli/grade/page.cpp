#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cli/base/text.h"
#include "cli/grade/graded.h"
#include "cli/grade/page_times.h"
#include "cli/report/format.h"
#include "clock/gpus.h"

namespace workbook::cli {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5b6470; --page: #ffffff; --line: #d8dde3; --soft: #f3f5f7;
  --good: #0b6e4f; --good-page: #dff3ea; --part-page: #fdf0cf; --part: #7a5200; --bad: #a3262a; --bad-page: #fbe3e2;
  --none: #5b6470; --none-page: #eceff2; --link: #0a5dab; --mark: #c2410c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --dim: #a0a9b4; --page: #14171b; --line: #343b44;
  --soft: #1d2227; --good: #7fdcb6; --good-page: #12382b; --part-page: #3b2f10; --part: #f2cd7a; --bad: #ff9c97;
  --bad-page: #45191b; --none: #a0a9b4; --none-page: #262c33; --link: #7fb9f5; --mark: #ff9d5c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--page); }
h1 { font-size: 1.6rem; margin: 0.5rem 0 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
p { margin: 0.3rem 0; } .dim { color: var(--dim); }
a { color: var(--link); } a:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.wide { overflow-x: auto; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; } th, td { padding: 0.35rem 0.6rem; text-align: left;
  border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > * { border-bottom: 0; } thead th { background: var(--soft); font-weight: 600; }
.class th:first-child { position: sticky; left: 0; background: var(--page); min-width: 9rem; max-width: 14rem;
  overflow-wrap: anywhere; } .class tbody th { font-weight: 500; } .class thead th:first-child { background: var(--soft); }
.class td a { display: flex; justify-content: space-between; gap: 0.6rem; padding: 0.1rem 0.5rem; border-radius: 4px;
  text-decoration: none; font-variant-numeric: tabular-nums; } .class td a:hover { text-decoration: underline; }
.wide:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.good { color: var(--good); background: var(--good-page); } .part { color: var(--part); background: var(--part-page); }
.bad { color: var(--bad); background: var(--bad-page); } .none { color: var(--none); background: var(--none-page); }
.class { width: auto; } .class td { min-width: 5.5rem; } .class td.number { min-width: 0; }
.where { white-space: nowrap; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem; min-width: 0; }
figcaption { font-weight: 600; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; } svg .axis { stroke: var(--line); }
svg .one { fill: var(--link); fill-opacity: 0.55; stroke: var(--link); }
svg .reference { fill: none; stroke: var(--mark); stroke-width: 2; } svg .reference-name { fill: var(--mark); }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin-top: 0.5rem; }
details { margin: 0.5rem 0; } summary { cursor: pointer; font-weight: 600; } summary:focus-visible { outline: 2px solid var(--link); }
.report { display: none; } .report:target { display: block; scroll-margin-top: 1rem; }
.report pre { overflow-x: auto; background: var(--soft); border: 1px solid var(--line); border-radius: 6px;
  padding: 0.8rem; font: 13px/1.45 ui-monospace, monospace; }
@media (max-width: 40rem) { body { padding: 0.6rem; font-size: 15px; } th, td { padding: 0.3rem 0.4rem; }
  .class th:first-child { min-width: 6.5rem; max-width: 9rem; }
  .mistakes thead { display: none; } .mistakes tbody, .mistakes { display: block; }
  .mistakes tr { display: grid; grid-template-columns: 2rem 1fr; border-bottom: 1px solid var(--line); padding: 0.2rem 0; }
  .mistakes tr:last-child { border-bottom: 0; } .mistakes td { border-bottom: 0; padding: 0.1rem 0.4rem; grid-column: 2; }
  .mistakes td:first-child { grid-column: 1; grid-row: 1 / 4; font-weight: 600; } }
)";

/// How a cell looks, and the mark that says the same without colour.
std::pair<const char*, const char*> look_of(const GradedResult& result, const GradedItem& item) {
  if (result.verdict == "missing" || result.verdict == "not_filled") return {"none", "\u2013"};
  if (!result.right()) return {"bad", "\u2717"};
  return result.score + 1e-9 < item.most() ? std::pair{"part", "\u25d0"} : std::pair{"good", "\u2713"};
}

std::string report_id(std::size_t learner, std::size_t item) {
  return fmt::format("report-{}-{}", learner + 1, item + 1);
}

std::string class_table(const Course& course, const std::vector<GradedSubmission>& all) {
  std::string html =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Learners and puzzles\"><table class=\"class\"><thead><tr><th scope=\"col\">Learner</th><th scope=\"col\" class=\"number\">Points</th>";
  for (const GradedItem& item : course.items)
    html += fmt::format("<th scope=\"col\" title=\"{}\">{:02} {}{}</th>", escaped(item.name()),
                        item.puzzle->number, escaped(item.variant->name),
                        item.bonus ? "<br><span class=\"dim\">bonus</span>" : "");
  html += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td>", escaped(all[i].learner),
                        points_text(all[i].score()));
    for (std::size_t j = 0; j < all[i].results.size(); ++j) {
      const GradedResult& result = all[i].results[j];
      const auto [style, mark] = look_of(result, course.items[j]);
      html += fmt::format(
          "<td><a class=\"{}\" href=\"#{}\" title=\"{}\" aria-label=\"{}, {}: {}, {} of {} points\">"
          "<span>{}</span>{}</a></td>",
          style, report_id(i, j), escaped(result.right() ? "right" : result.says), escaped(all[i].learner),
          escaped(course.items[j].name()),
          escaped(result.right()           ? "right"
                  : result.mistake.empty() ? result.verdict
                                           : replaced(result.mistake, "_", " ")),
          points_text(result.score), points_text(course.items[j].most()), mark, points_text(result.score));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string mistakes_table(const Course& course, const std::vector<GradedSubmission>& all) {
  struct Row {
    std::size_t count = 0;
    std::string says, first;
    std::set<std::string> sentences = {};
  };
  std::map<std::pair<std::size_t, std::string>, Row> rows;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all[i].results.size(); ++j) {
      const GradedResult& result = all[i].results[j];
      if (result.mistake.empty() || std::string_view(look_of(result, course.items[j]).first) == "none")
        continue;
      Row& row = rows[{j, result.mistake}];
      if (row.count++ == 0) row = {1, result.says, report_id(i, j)};
      row.sentences.insert(result.says);
    }
  if (rows.empty()) return "<p>None.</p>\n";
  std::vector<std::pair<std::pair<std::size_t, std::string>, Row>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::string html =
      "<div class=\"wide\"><table class=\"mistakes\" role=\"table\" aria-label=\"The commonest mistakes\"><thead><tr><th scope=\"col\" class=\"number\">How often</th><th scope=\"col\">Where</th>"
      "<th scope=\"col\">Mistake</th><th scope=\"col\">What they read</th></tr></thead><tbody>\n";
  for (const auto& [key, row] : sorted)
    html += fmt::format(
        "<tr role=\"row\"><td role=\"cell\" class=\"number\" aria-label=\"{0} times\">{0}</td><td role=\"cell\" class=\"where\">{1:02} {2}</td>"
        "<td role=\"cell\"><a href=\"#{3}\">{4}</a></td><td role=\"cell\">{5}{6}</td></tr>\n",
        row.count, course.items[key.first].puzzle->number, escaped(course.items[key.first].variant->name),
        row.first, escaped(replaced(key.second, "_", " ")), escaped(row.says),
        row.sentences.size() > 1
            ? fmt::format(" <span class=\"dim\">(the first of {} sentences)</span>", row.sentences.size())
            : "");
  return html + "</tbody></table></div>\n";
}

std::string reports(const Course& course, const std::vector<GradedSubmission>& all) {
  std::string html;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all[i].results.size(); ++j) {
      const GradedResult& result = all[i].results[j];
      html += fmt::format(
          "<section class=\"report\" id=\"{}\"><h2>{}: {}</h2><p>{} of {} points{}. <a href=\"#class\">Back to the class</a></p>"
          "<pre tabindex=\"0\">{}</pre></section>\n",
          report_id(i, j), escaped(all[i].learner), escaped(course.items[j].name()),
          points_text(result.score), points_text(course.items[j].most()),
          result.file.empty() ? "" : ", for " + escaped(result.file), escaped(result.report));
    }
  return html;
}

}  // namespace

std::string class_page(const Course& course, const GradedReference& reference,
                       const std::vector<GradedSubmission>& all) {
  const std::string title = course.name.empty() ? "A class" : course.name;
  const sim::GpuSpec* const gpu = sim::find_gpu(course.gpu);
  double sum = 0.0;
  for (const GradedSubmission& graded : all) sum += graded.score();
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{0}</title><style>{1}</style></head><body>\n<h1 id=\"class\">{0}</h1>\n"
      "<p class=\"dim\">{2}, {3} points each; {4} on average. Judged on a simulated {5}, with the seed {6}: whoever grades with it gives the same marks.</p>\n"
      "<p class=\"dim\">\u2713&nbsp;all points, \u25d0&nbsp;right, but not all points, \u2717&nbsp;wrong, \u2013&nbsp;nothing to judge. A cell opens its report.</p>\n",
      escaped(title), kStyle, count_text(static_cast<std::int64_t>(all.size()), "learner"),
      points_text(course.most()), points_text(all.empty() ? 0.0 : sum / static_cast<double>(all.size())),
      escaped(gpu == nullptr ? course.gpu : std::string(gpu->name)), course.seed);
  const std::string measured = measured_html(course, all);
  html += fmt::format(
      "<nav aria-label=\"Parts of this page\"><a href=\"#learners\">Learners and puzzles</a> <a href=\"#mistakes\">The commonest "
      "mistakes</a> <a href=\"#times\">Time and bytes</a>{}</nav>\n",
      measured.empty() ? "" : " <a href=\"#measured\">Measured times</a>");
  html += reports(course, all);
  html += "<h2 id=\"learners\">Learners and puzzles</h2>\n" + class_table(course, all);
  html += "<h2 id=\"mistakes\">The commonest mistakes</h2>\n" + mistakes_table(course, all);
  html += plots_html(course, reference, all) + measured;
  return html + "</body></html>\n";
}

}  // namespace workbook::cli
