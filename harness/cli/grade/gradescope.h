// What Gradescope takes: a zip file from which it makes an image, once, and in which it then runs one
// submission at a time (gradescope/setup.sh, gradescope/run_autograder).
#pragma once

#include <filesystem>

namespace workbook::cli {

/// Writes the zip: both scripts, the course file, and the workbook as far as grading needs it. `course` is
/// taken as it stands: whoever calls has read it. In a checkout it builds what is not built yet. Throws
/// HarnessError.
void write_autograder(const std::filesystem::path& course, const std::filesystem::path& zip);

/// The memory that this container may use, in MB; 0: no limit is known.
int container_memory_mb();

}  // namespace workbook::cli
