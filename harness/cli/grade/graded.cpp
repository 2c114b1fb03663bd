#include "cli/grade/graded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/base/text.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using runs::Json;

Json as_json(const GradedResult& result) {
  Json json = {{"verdict", result.verdict}, {"mistake", result.mistake}, {"says", result.says},
               {"report", result.report},   {"file", result.file},       {"score", result.score},
               {"time_us", result.time_us}, {"bytes", result.bytes},     {"ratio", result.ratio}};
  if (!result.measured_on.empty()) {
    json["measured_us"] = result.measured_us;
    json["measured_on"] = result.measured_on;
  }
  return json;
}

GradedResult result_from(const Json& json) {
  GradedResult result;
  json.at("verdict").get_to(result.verdict);
  json.at("mistake").get_to(result.mistake);
  json.at("says").get_to(result.says);
  json.at("report").get_to(result.report);
  json.at("file").get_to(result.file);
  json.at("score").get_to(result.score);
  json.at("time_us").get_to(result.time_us);
  json.at("bytes").get_to(result.bytes);
  json.at("ratio").get_to(result.ratio);
  result.measured_us = json.value("measured_us", 0.0);
  result.measured_on = json.value("measured_on", "");
  return result;
}

/// In quotes where it has to be. What a spreadsheet would compute gets an apostrophe.
std::string csv_cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + replaced(std::move(text), "\"", "\"\"") + '"';
}

std::string status_of(const GradedResult& result) { return result.right() ? "passed" : "failed"; }

}  // namespace

bool any_measured(const std::vector<GradedSubmission>& all, std::size_t item) {
  return std::any_of(all.begin(), all.end(),
                     [&](const GradedSubmission& graded) { return graded.results[item].measured_us > 0.0; });
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  return out;
}

double GradedSubmission::score() const {
  double all = 0.0;
  for (const GradedResult& result : results) all += result.score;
  return std::round(100.0 * all) / 100.0;
}

std::optional<GradedSubmission> read_graded(const fs::path& file, const std::string& key) {
  const auto text = read_file_if_any(file);
  if (!text) return std::nullopt;
  try {
    const Json json = runs::parse_json(*text);
    GradedSubmission graded;
    json.at("key").get_to(graded.key);
    if (graded.key != key) return std::nullopt;
    json.at("learner").get_to(graded.learner);
    json.at("trouble").get_to(graded.trouble);
    for (const Json& result : json.at("results")) graded.results.push_back(result_from(result));
    return graded;
  } catch (const std::exception&) {  // damaged: graded again
    return std::nullopt;
  }
}

void write_graded(const fs::path& file, const GradedSubmission& graded) {
  Json json = {{"key", graded.key},
               {"learner", graded.learner},
               {"trouble", graded.trouble},
               {"results", Json::array()}};
  for (const GradedResult& result : graded.results) json["results"].push_back(as_json(result));
  write_file(file, runs::dump(json, 1) + '\n');
}

std::string folder_name(const std::string& learner) {
  std::string name;
  for (const char c : learner) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-';
    name += plain ? c : '_';
  }
  if (name == learner && name.front() != '.' && name.size() < 100) return name;
  return name.substr(0, 100) + '-' + runs::content_hash(learner).substr(0, 8);
}

std::string points_text(double points) { return fmt::format("{:g}", std::round(100.0 * points) / 100.0); }

std::string gradescope_results(const Course& course, const GradedSubmission& graded) {
  Json tests = Json::array();
  for (std::size_t i = 0; i < graded.results.size(); ++i) {
    const GradedItem& item = course.items[i];
    const GradedResult& result = graded.results[i];
    Json test = {{"name", item.name()},         {"score", result.score},   {"max_score", item.most()},
                 {"status", status_of(result)}, {"output", result.report}, {"output_format", "text"},
                 {"visibility", "visible"}};
    if (item.bonus) test["tags"] = {"bonus"};
    if (result.measured_us > 0.0)
      test["extra_data"] = {{"modelled_us", result.time_us},
                            {"measured_us", result.measured_us},
                            {"measured_on", result.measured_on}};
    tests.push_back(std::move(test));
  }
  const std::string output =
      graded.trouble.empty()
          ? fmt::format("{} of {} points.", points_text(graded.score()), points_text(course.most()))
          : "The submission cannot be read: " + graded.trouble + ".";
  const Json json = {{"score", graded.score()},       {"output", output},
                     {"output_format", "text"},       {"visibility", "visible"},
                     {"stdout_visibility", "hidden"}, {"tests", tests}};
  return runs::dump(json, 1) + '\n';
}

std::string class_csv(const Course& course, const std::vector<GradedSubmission>& all) {
  std::string text = "learner,score,most";
  std::vector<bool> measured;
  for (std::size_t i = 0; i < course.items.size(); ++i) {
    const GradedItem& item = course.items[i];
    const std::string name = fmt::format("{}-{}", item.puzzle->name, item.variant->name);
    for (const char* what : {"", " verdict", " mistake", " time_us", " bytes"})
      text += ',' + csv_cell(name + what);
    measured.push_back(any_measured(all, i));
    if (measured.back())
      for (const char* what : {" measured_us", " measured_on"}) text += ',' + csv_cell(name + what);
  }
  text += ",trouble\n";
  for (const GradedSubmission& graded : all) {
    text += fmt::format("{},{},{}", csv_cell(graded.learner), points_text(graded.score()),
                        points_text(course.most()));
    for (std::size_t i = 0; i < graded.results.size(); ++i) {
      const GradedResult& result = graded.results[i];
      text +=
          fmt::format(",{},{},{},{},{}", points_text(result.score), result.verdict, csv_cell(result.mistake),
                      result.time_us > 0.0 ? fmt::format("{:.4g}", result.time_us) : "",
                      result.bytes > 0.0 ? fmt::format("{:.0f}", result.bytes) : "");
      if (measured[i])
        text +=
            fmt::format(",{},{}", result.measured_us > 0.0 ? fmt::format("{:.4g}", result.measured_us) : "",
                        csv_cell(result.measured_on));
    }
    text += ',' + csv_cell(graded.trouble) + '\n';
  }
  return text;
}

std::string class_junit(const Course& course, const std::vector<GradedSubmission>& all) {
  std::string suites;
  std::size_t tests = 0, failures = 0;
  for (const GradedSubmission& graded : all) {
    std::string cases;
    std::size_t failed = 0;
    for (std::size_t i = 0; i < graded.results.size(); ++i) {
      const GradedResult& result = graded.results[i];
      cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">", escaped(graded.learner),
                           escaped(course.items[i].name()));
      if (!result.right()) {
        ++failed;
        cases += fmt::format("\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    ", result.verdict,
                             escaped(replaced(result.says, "\n", " ")), escaped(result.report));
      }
      cases += "</testcase>\n";
    }
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                          escaped(graded.learner), graded.results.size(), failed, cases);
    tests += graded.results.size();
    failures += failed;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}</testsuites>\n",
      escaped(course.name), tests, failures, suites);
}

}  // namespace workbook::cli
