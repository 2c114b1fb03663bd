// What confines submissions, whatever the walls are made of: a course file's limits, and no code for the
// host.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/confinement.h"
#include "cli/grade/course.h"

namespace workbook::cli {

class CourseConfinement : public Confinement {
 public:
  ProcessLimits limits(Of what) const override;
  std::string refuses(const std::filesystem::path& object,
                      const std::vector<std::filesystem::path>& beside) const override;
  std::string words() const override;

 protected:
  explicit CourseConfinement(const CourseLimits& limits) : limits_(limits) {}
  std::size_t memory_bytes() const;

 private:
  CourseLimits limits_;
};

/// The filter of system calls that programs may not make, as bubblewrap and workbook_confine take it. Throws
/// HarnessError. `uses_device`: of programs that reach a GPU's driver.
void write_call_filter(const std::filesystem::path& file, bool uses_device = false);

}  // namespace workbook::cli
