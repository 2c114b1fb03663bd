// What is left where no sandbox can be made, as in a container that may make no namespaces: strangers' code
// as users of their own, who may read what the world may, and write to one folder; limits; and the filter of
// system calls. It is for one submission in a container that is thrown away: nothing keeps two submissions
// apart. SECURITY.md says what it lacks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/grade/course_confinement.h"

namespace workbook::cli {

class Users : public CourseConfinement {
 public:
  /// `state`: as Sandbox has it; what of it holds answers is closed to others. Throws HarnessError where this
  /// is not root, who alone can start something as somebody else.
  Users(const std::filesystem::path& state, const CourseLimits& limits);

  std::vector<std::string> around(Of what, const std::vector<std::string>& command,
                                  const std::filesystem::path& folder,
                                  const Reachable& reachable) const override;
  bool failed(const std::string& output) const override;

 private:
  std::filesystem::path confine_, filter_;
};

}  // namespace workbook::cli
