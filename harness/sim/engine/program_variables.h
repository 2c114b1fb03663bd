// What the command tells a program that it runs, in the environment; the program takes them out of it again.
#pragma once

namespace workbook::sim {

inline constexpr const char* kReportVariable = "WORKBOOK_SIM_REPORT";  ///< the file to write
inline constexpr const char* kGpuVariable = "WORKBOOK_SIM_GPU";        ///< a key of gpus.h
inline constexpr const char* kProgressVariable =
    "WORKBOOK_SIM_PROGRESS";  ///< 8 bytes that kernels count their work in

}  // namespace workbook::sim
