#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "model/repository.h"
#include "panels/panel.h"

namespace workbook::viewer {
namespace {

void set_size(const std::string& text, Options& options) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, cross), options.width) ||
      !CLI::detail::lexical_cast(text.substr(cross + 1), options.height))
    throw UsageError("--size needs WIDTHxHEIGHT, such as 1600x1000, not '" + text + "'");
  if (options.width < 320 || options.height < 240 || options.width > 8192 || options.height > 8192)
    throw UsageError("--size must lie between 320x240 and 8192x8192");
}

std::vector<std::string> pictures() {
  std::vector<std::string> names = panel_names();
  names.push_back("app");
  return names;
}

/// The help lists them as the option's type.
CLI::Validator one_of(const std::vector<std::string>& names) { return CLI::IsMember(names).description(""); }

/// Of the options whose value the help calls N or ID.
CLI::Validator whole_number() {
  const auto refusal = [](const std::string& text) {
    std::int64_t number = 0;
    return CLI::detail::lexical_cast(text, number) ? std::string() : "needs a number, not '" + text + "'";
  };
  return CLI::Validator(refusal, "");
}

void add_runs(CLI::App& app, Options& options) {
  app.add_option("--db", options.db, "the runs to watch (default: .workbook/runs.sqlite of this repository)")
      ->type_name("FILE");
  app.add_option("--import", options.imports, "runs exported as JSON; without --db only these are shown")
      ->type_name("FILE")
      ->take_all();
  app.add_option("--puzzle", options.puzzle, "the puzzle to start with (default: that of the newest run)")
      ->type_name("N");
  app.add_option("--run", options.run, "run B (default: the newest fused one)")->type_name("ID");
  app.add_option("--baseline", options.baseline, "run A (default: the newest unfused one)")->type_name("ID");
  app.add_option("--a", options.variant_a, "run A is the newest of this variant")->type_name("VARIANT");
  app.add_option("--b", options.variant_b, "run B is the newest of this variant")->type_name("VARIANT");
  app.add_option("--origin", options.origin, "only runs of: learner, solution")->type_name("ORIGIN");
  app.add_option("--shape", options.shape,
                 "the shape that is shown: teaching, real, or as the runs call it (default: their first)")
      ->type_name("SHAPE");
}

void add_window(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--theme", [&](const std::string& theme) { options.dark = theme == "dark"; },
         "the colours; as they were left, if not given")
      ->type_name("light|dark")
      ->check(one_of({"light", "dark"}));
  app.add_option_function<std::string>(
         "--size", [&](const std::string& text) { set_size(text, options); },
         "window or picture, 1600x1000 if not given")
      ->type_name("WxH");
  app.add_option_function<float>(
         "--scale",
         [&](float scale) {
           const int tenths = static_cast<int>(scale * 10);
           if (tenths < 5 || tenths > 40) throw UsageError("--scale must lie between 0.5 and 4");
           options.scale = static_cast<float>(tenths) / 10;
         },
         "magnifies it, by 0.5 to 4")
      ->type_name("F");
  app.add_option_function<std::pair<std::string, std::string>>(
         "--screenshot",
         [&](const std::pair<std::string, std::string>& wanted) {
           std::tie(options.panel, options.screenshot) = wanted;
         },
         "draw a panel off screen and exit: " + CLI::detail::join(pictures(), ", "))
      ->type_name("PANEL OUT.png")
      ->check(one_of(pictures()).application_index(0));
  app.add_option(
         "--screenshots", options.screenshots,
         "draw many and exit: a picture a line, its options with tabs between them; -: standard input")
      ->type_name("FILE");
}

void add_choices(CLI::App& app, Options& options) {
  static const std::vector<std::string> kColours = {"block", "warp",  "thread", "time",
                                                    "reads", "value", "error"};  // as in ColourBy
  app.option_defaults()->group("What a picture has chosen (numbers are linear, from 0)");
  app.add_option_function<std::string>(
         "--side",
         [&](const std::string& side) {
           options.on_b = side == "B";
           options.both = side == "both";
         },
         "of mapping: whose launches")
      ->type_name("A|B|both")
      ->check(one_of({"A", "B", "both"}));
  app.add_option("--launch", options.launch, "of mapping")->type_name("N");
  app.add_option("--block", options.block, "of mapping")->type_name("N");
  app.add_option("--thread", options.thread, "of mapping")->type_name("N");
  app.add_option("--cell", options.cell, "of mapping")->type_name("TENSOR:N");
  app.add_option("--line", options.line, "of mapping and source")->type_name("FILE:N");
  app.add_option_function<std::string>(
         "--colour",
         [&](const std::string& name) {
           options.colour_by =
               static_cast<ColourBy>(std::find(kColours.begin(), kColours.end(), name) - kColours.begin());
         },
         "of mapping")
      ->type_name(CLI::detail::join(kColours, "|"))
      ->check(one_of(kColours));
  app.add_option("--step", options.step, "of steps: between barriers")->type_name("N");
  app.add_option("--moment", options.moment, "of steps: one line of --step, run once by its threads")
      ->type_name("N");
  app.add_flag("--listing", options.listing, "of source: what the compiler made of it beside it");
  app.add_option("--program", options.program, "of fusion")->type_name("NAME");
  app.add_option("--plan", options.plan, "of fusion: from 1 (default: the best)")->type_name("N");
  app.add_flag("--search", options.search, "of fusion: the search");
}

/// Reads into `options`, which must outlive it.
class CommandLine : public CLI::App {
 public:
  explicit CommandLine(Options& options)
      : App("workbook-viewer: pictures of the workbook's runs", "workbook-viewer") {
    option_defaults()->take_last();
    allow_extras();
    get_formatter()->column_width(34);
    add_runs(*this, options);
    add_window(*this, options);
    add_choices(*this, options);
    const auto numbers = [](const CLI::Option* each) {
      return each->get_type_name() == "N" || each->get_type_name() == "ID";
    };
    for (CLI::Option* each : get_options(numbers)) each->check(whole_number());
  }
};

}  // namespace

std::string usage() {
  Options none;
  return CommandLine(none).help();
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  CommandLine line(options);
  try {
    line.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the last first
  } catch (const CLI::CallForHelp&) {
    options.help = true;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  if (const auto rest = line.remaining(); !rest.empty() && !options.help)
    throw UsageError("unknown option '" + rest.front() + "'");
  return options;
}

std::filesystem::path default_store(const std::filesystem::path& from) {
  if (const char* state = std::getenv("WORKBOOK_STATE"); state != nullptr && *state != '\0')
    return std::filesystem::path(state) / "runs.sqlite";
  const std::filesystem::path root = repository_around(from);
  return root.empty() ? root : root / ".workbook" / "runs.sqlite";
}

}  // namespace workbook::viewer
