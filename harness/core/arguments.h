// The words that the child program is started with, by harness/cli/run/phase.cpp and harness/gpu/check.sh.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backend.h"

namespace workbook::core {

struct Arguments {
  std::string variant;
  runs::PhaseKind phase = runs::PhaseKind::none;
  std::string out;            ///< the folder of report.json, trace.bin, stage.txt
  std::string fingerprints;   ///< file of the puzzle's mutants, for the diagnosis; empty: none
  std::string call;           ///< file of the arrays that phase "call" computes on (call.h)
  bool trace = true;          ///< write OUT/trace.bin
  bool host_versions = true;  ///< compare the puzzle's own answers with each other
  bool probe = false;         ///< write OUT/probes.json of the first wrong case
  std::string until;          ///< no further case once a finding says this; empty: every case
  bool dump = false;          ///< write every array to OUT/dump
  /// Not 0: once all cases are right, fresh ones are checked, too (fresh.h), but for those of `left_out`.
  std::uint64_t seed = 0;
  std::vector<std::string> left_out;
  Options options;
  std::vector<std::pair<std::string, std::int64_t>> sizes;  ///< of the teaching shape, in place of its own
};

/// Throws std::invalid_argument with a sentence.
Arguments parse_arguments(int argc, char** argv);

}  // namespace workbook::core
