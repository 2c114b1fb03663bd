// What is left where no sandbox can be made, as in a container that may make no namespaces: strangers' code
// as users of their own, who may read what the world may, and write to one folder; limits; and the filter of
// system calls. It is for one submission in a container that is thrown away: nothing keeps two submissions
// apart. SECURITY.md says what it lacks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/confinement.h"
#include "cli/grade/course.h"

namespace workbook::cli {

class Users : public Confinement {
 public:
  /// `state`: as Sandbox has it; what of it holds answers is closed to others. Throws HarnessError where this
  /// is not root, who alone can start something as somebody else.
  Users(const std::filesystem::path& state, const CourseLimits& limits);

  std::vector<std::string> around(Of what, const std::vector<std::string>& command,
                                  const std::filesystem::path& folder,
                                  const Reachable& reachable) const override;
  ProcessLimits limits(Of what) const override;
  bool failed(const std::string& output) const override;
  std::string refuses(const std::filesystem::path& object,
                      const std::vector<std::filesystem::path>& beside) const override;
  std::string words() const override;

 private:
  CourseLimits limits_;
  std::filesystem::path confine_, filter_;
};

}  // namespace workbook::cli
