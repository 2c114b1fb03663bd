// What the command tells a program that it runs, in the environment; the program takes them out of it again.
#pragma once

#include <cstdint>

namespace workbook::sim {

inline constexpr const char* kReportVariable = "WORKBOOK_SIM_REPORT";      ///< the file to write
inline constexpr const char* kGpuVariable = "WORKBOOK_SIM_GPU";            ///< a key of gpus.h
inline constexpr const char* kProgressVariable = "WORKBOOK_SIM_PROGRESS";  ///< a file of one ProgressNote
inline constexpr const char* kSampleVariable =
    "WORKBOOK_SIM_SAMPLE";  ///< percent of each launch's blocks that are checked
inline constexpr const char* kWholeBlocksVariable =
    "WORKBOOK_SIM_WHOLE_BLOCKS";  ///< set: a barrier that threads returned before is an error
inline constexpr const char* kResultsVariable =
    "WORKBOOK_SIM_RESULTS";  ///< the file for what was copied to the host: each array as 8 bytes of size,
                             ///< bytes

/// How far a program's kernels are; the program writes it, the command reads it.
struct ProgressNote {
  std::uint64_t work = 0;               ///< basic blocks that all kernels passed
  std::uint64_t blocks = 0, ended = 0;  ///< of the launch that runs; 0: none does
  char kernel[104] = {};                ///< its name, cut
};

}  // namespace workbook::sim
