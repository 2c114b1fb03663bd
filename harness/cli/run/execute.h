// From a kernels.cu to a run record: builds the child programs, runs their phases side by side, and puts
// what they report together.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/compile/device.h"
#include "cli/compile/toolchain.h"
#include "cli/project/regions.h"
#include "runs/record.h"
#include "runs/store.h"
#include "runs/trace.h"

namespace workbook::cli {

struct RunRequest {
  const Puzzle* puzzle = nullptr;
  const VariantInfo* variant = nullptr;
  Source source;
  runs::Backend backend = runs::Backend::none;
  Device device;                            ///< for "cuda"
  std::string gpu = "h200";                 ///< which GPU the simulator models
  std::vector<std::string> sizes;           ///< "H=64"
  std::chrono::milliseconds limit{10'000};  ///< of each phase
  bool probe = false;                       ///< ask for the fingerprint of what is wrong
  std::string until;                        ///< enough is known once a finding says this; empty: every case
  bool traced = true;                       ///< false: nothing for the viewer
  /// The puzzle's own answers are compared with each other; false: a run of the solution does that (mutants).
  bool host_versions = true;
  bool tells = false;                 ///< a line on the terminal says how far it is
  bool timed = true;                  ///< false: check only (mutants, verify)
  std::uint64_t seed = 0;             ///< not 0: fresh cases are checked, too (harness/core/fresh.h)
  std::vector<std::string> left_out;  ///< of these
  /// Of a program: what is in answers.txt, in place of the file beside the learner's.
  std::optional<std::string> answers;
  bool eager = true;  ///< false: the large case only after the small ones have passed
};

/// How a program ended, and the arrays that it copied to the host, where it is a stranger's.
struct ProgramEnd {
  int exit_code = -1;
  std::vector<std::string> results;
};

struct RunOutcome {
  runs::RunRecord record;
  std::optional<runs::Trace> trace;
  std::string diagnostics;            ///< the compiler's words when it does not compile
  std::string warnings;               ///< the compiler's, in the learner's file
  std::string probes;                 ///< RunRequest::probe: probes.json of the first wrong case, or nothing
  std::vector<Region> unfilled;       ///< regions of the variant that hold no code yet: then nothing was run
  std::filesystem::path source;       ///< the file that was run
  std::optional<ProgramEnd> program;  ///< of a variant that is a program, once it has run
  runs::StoredRun stored() const { return {record, trace}; }
};

RunOutcome execute(const Project& project, const RunRequest& request);

/// The time as records have it: UTC, ISO 8601.
std::string utc_now();

/// The backend that a user's word names, none for ""; throws UsageError.
runs::Backend backend_named(const std::string& word);

/// The same where "" is for what the machine has; throws NoDeviceError, too.
runs::Backend choose_backend(const std::string& word, Device& device);

}  // namespace workbook::cli
