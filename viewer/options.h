// The command line of workbook-viewer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/access.h"

namespace workbook::viewer {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::filesystem::path db;  ///< empty: the default one, unless runs are imported
  std::vector<std::filesystem::path> imports;
  std::optional<std::int64_t> run, baseline;
  std::string variant_a, variant_b;  ///< whose newest run to show; empty: unfused and fused
  int puzzle = 0;                    ///< 0: that of the newest run
  std::string origin;                ///< show only runs of this origin; empty: all
  std::optional<bool> dark;          ///< nothing: as it was left
  std::string shape;                 ///< as the runs call it: "teaching", "real", "program"
  std::string panel;                 ///< of the screenshot, or "app" for the whole window; empty: open one
  std::filesystem::path screenshot;
  std::filesystem::path screenshots;  ///< a list of pictures, or "-" for standard input; empty: none
  int width = 1600, height = 1000;
  float scale = 0;  ///< pixels a unit; 0: what the screen asks for
  // What a screenshot of Mapping has chosen.
  bool on_b = false, both = false;
  int launch = 0, block = -1, thread = -1, step = -1, moment = -1;
  std::string cell;  ///< "normalized:12", a tensor and a linear element
  std::string line;  ///< "given.cuh:46", a file of the run and a line of it
  std::optional<ColourBy> colour_by;
  // What a screenshot of Fusion has chosen.
  std::string program;
  int plan = 0;  ///< from 1; 0: the best
  bool search = false;
  bool listing = false;
  bool help = false;
};

/// Throws UsageError with a sentence.
Options parse_options(const std::vector<std::string>& arguments);
std::string usage();

/// .workbook/runs.sqlite of the repository around `from`, or $WORKBOOK_STATE/runs.sqlite; empty outside both.
std::filesystem::path default_store(const std::filesystem::path& from);

}  // namespace workbook::viewer
