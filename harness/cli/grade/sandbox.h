// Strangers' code in a sandbox of bubblewrap: no network, the system's files read-only, of all others only
// those that it is given, its own processes, and limits. SECURITY.md says what that keeps out.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/confinement.h"
#include "cli/grade/control_groups.h"
#include "cli/grade/course.h"

namespace workbook::cli {

/// The filter of system calls that programs may not make, as bubblewrap and workbook_confine take it. Throws
/// HarnessError.
void write_call_filter(const std::filesystem::path& file);
/// What a confined command may use, and the same for whoever meets a limit.
ProcessLimits confined_limits(const CourseLimits& limits, Confinement::Of what);
std::string limit_words(const CourseLimits& limits);

class Sandbox : public Confinement {
 public:
  /// `state`: where it keeps the filter of system calls. Throws HarnessError saying what to install where
  /// there is no bubblewrap, or it cannot make a sandbox here.
  Sandbox(const std::filesystem::path& state, const CourseLimits& limits);

  std::vector<std::string> around(Of what, const std::vector<std::string>& command,
                                  const std::filesystem::path& folder,
                                  const Reachable& reachable) const override;
  ProcessLimits limits(Of what) const override;
  bool failed(const std::string& output) const override;
  std::string refuses(const std::filesystem::path& object,
                      const std::vector<std::filesystem::path>& beside) const override;
  std::string words() const override;

  /// What it could not have on this machine, a sentence each.
  std::vector<std::string> missing() const;

 private:
  CourseLimits limits_;
  std::unique_ptr<ControlGroups> groups_;
  std::string bwrap_;
  std::filesystem::path filter_;
};

}  // namespace workbook::cli
