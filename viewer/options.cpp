#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "model/repository.h"
#include "panels/panel.h"

namespace workbook::viewer {
namespace {

template <class Number>
Number number(const std::string& option, const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(option + " needs a number, not '" + text + "'");
  return value;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string one_of(const std::string& option, const std::string& text,
                   const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return text;
  throw UsageError(option + " takes one of: " + list(allowed) + "; not '" + text + "'");
}

void parse_size(const std::string& text, Options& options) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos)
    throw UsageError("--size needs WIDTHxHEIGHT, such as 1600x1000, not '" + text + "'");
  options.width = number<int>("--size", text.substr(0, cross));
  options.height = number<int>("--size", text.substr(cross + 1));
  if (options.width < 320 || options.height < 240 || options.width > 8192 || options.height > 8192)
    throw UsageError("--size must lie between 320x240 and 8192x8192");
}

const std::vector<std::string>& colour_names() {
  static const std::vector<std::string> names = {"block", "warp",  "thread", "time",
                                                 "reads", "value", "error"};  // as in ColourBy
  return names;
}

std::vector<std::string> pictures() {
  std::vector<std::string> names = panel_names();
  names.push_back("app");
  return names;
}

}  // namespace

std::string usage() {
  return "workbook-viewer: pictures of the workbook's runs\n"
         "\n"
         "  --db FILE              the runs to watch (default: .workbook/runs.sqlite of this repository)\n"
         "  --import FILE...       runs exported as JSON; without --db only these are shown\n"
         "  --puzzle N             the puzzle to start with (default: that of the newest run)\n"
         "  --run ID               run B; --baseline ID is run A (default: the newest fused and unfused)\n"
         "  --a VARIANT            run A is the newest of this variant; --b VARIANT likewise\n"
         "  --origin ORIGIN        only runs of: learner, solution\n"
         "  --shape SHAPE          teaching or real\n"
         "  --theme THEME          light or dark\n"
         "  --size WxH             window or picture, 1600x1000 if not given; --scale F magnifies\n"
         "\n"
         "  --screenshot PANEL OUT.png   draw a panel off screen and exit: " +
         list(pictures()) +
         "\n"
         "  --screenshots FILE     draw many and exit: a picture a line, its options with tabs between them; -: "
         "standard input\n"
         "  --side A|B|both --launch N --block N --thread N --cell TENSOR:N --line FILE:N\n"
         "  --colour block|warp|thread|time|reads|value|error\n"
         "                               what a picture of mapping has chosen; numbers are linear, from 0\n"
         "  --step N [--moment N]        what a picture of steps shows: a step between barriers, or one line "
         "of\n"
         "                               it run once by its threads\n"
         "  --listing                    a picture of source has what the compiler made of it beside it\n"
         "  --program NAME [--plan N] [--search]   what a picture of fusion shows: a plan, from 1, or the search\n";
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  std::size_t at = 0;
  const auto value = [&](const std::string& option) -> const std::string& {
    if (at + 1 >= arguments.size() || arguments[at + 1].starts_with("--"))
      throw UsageError(option + " needs a value");
    return arguments[++at];
  };
  for (; at < arguments.size(); ++at) {
    const std::string& option = arguments[at];
    if (option == "--help" || option == "-h")
      options.help = true;
    else if (option == "--db")
      options.db = value(option);
    else if (option == "--import") {
      options.imports.emplace_back(value(option));
      while (at + 1 < arguments.size() && !arguments[at + 1].starts_with("--"))
        options.imports.emplace_back(arguments[++at]);
    } else if (option == "--run")
      options.run = number<std::int64_t>(option, value(option));
    else if (option == "--baseline")
      options.baseline = number<std::int64_t>(option, value(option));
    else if (option == "--a")
      options.variant_a = value(option);
    else if (option == "--b")
      options.variant_b = value(option);
    else if (option == "--origin")
      options.origin = value(option);
    else if (option == "--puzzle")
      options.puzzle = number<int>(option, value(option));
    else if (option == "--shape")
      options.shape = one_of(option, value(option), {"teaching", "real"});
    else if (option == "--theme")
      options.dark = one_of(option, value(option), {"light", "dark"}) == "dark";
    else if (option == "--size")
      parse_size(value(option), options);
    else if (option == "--scale") {
      const int tenths = static_cast<int>(std::strtof(value(option).c_str(), nullptr) * 10);
      if (tenths < 5 || tenths > 40) throw UsageError("--scale must lie between 0.5 and 4");
      options.scale = static_cast<float>(tenths) / 10;
    } else if (option == "--screenshot") {
      options.panel = one_of(option, value(option), pictures());
      options.screenshot = value(option);
    } else if (option == "--screenshots")
      options.screenshots = value(option);
    else if (option == "--side") {
      const std::string side = one_of(option, value(option), {"A", "B", "both"});
      options.on_b = side == "B";
      options.both = side == "both";
    } else if (option == "--launch")
      options.launch = number<int>(option, value(option));
    else if (option == "--block")
      options.block = number<int>(option, value(option));
    else if (option == "--thread")
      options.thread = number<int>(option, value(option));
    else if (option == "--step")
      options.step = number<int>(option, value(option));
    else if (option == "--moment")
      options.moment = number<int>(option, value(option));
    else if (option == "--program")
      options.program = value(option);
    else if (option == "--plan")
      options.plan = number<int>(option, value(option));
    else if (option == "--search")
      options.search = true;
    else if (option == "--listing")
      options.listing = true;
    else if (option == "--cell")
      options.cell = value(option);
    else if (option == "--line")
      options.line = value(option);
    else if (option == "--colour") {
      const std::string name = one_of(option, value(option), colour_names());
      options.colour_by = static_cast<ColourBy>(
          std::find(colour_names().begin(), colour_names().end(), name) - colour_names().begin());
    } else
      throw UsageError("unknown option '" + option + "'");
  }
  return options;
}

std::filesystem::path default_store(const std::filesystem::path& from) {
  if (const char* state = std::getenv("WORKBOOK_STATE"); state != nullptr && *state != '\0')
    return std::filesystem::path(state) / "runs.sqlite";
  const std::filesystem::path root = repository_around(from);
  return root.empty() ? root : root / ".workbook" / "runs.sqlite";
}

}  // namespace workbook::viewer
