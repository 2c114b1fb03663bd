// Strangers' code in a sandbox of bubblewrap: no network, the system's files read-only, of all others only
// those that it is given, its own processes, and limits. SECURITY.md says what that keeps out.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/grade/control_groups.h"
#include "cli/grade/course_confinement.h"

namespace workbook::cli {

class Sandbox : public CourseConfinement {
 public:
  /// `state`: where it keeps the filter of system calls. Throws HarnessError saying what to install where
  /// there is no bubblewrap, or it cannot make a sandbox here, or one that holds the compiler.
  Sandbox(const std::filesystem::path& state, const CourseLimits& limits);

  std::vector<std::string> around(Of what, const std::vector<std::string>& command,
                                  const std::filesystem::path& folder,
                                  const Reachable& reachable) const override;
  bool failed(const std::string& output) const override;

  /// What it could not have on this machine, a sentence each.
  std::vector<std::string> missing() const;

 private:
  std::unique_ptr<ControlGroups> groups_;
  std::string bwrap_;
  std::filesystem::path compiler_;                ///< its folder, where it is not the system's; else empty
  std::filesystem::path filter_, device_filter_;  ///< of system calls
};

}  // namespace workbook::cli
