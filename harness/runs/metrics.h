// A launch's counters under two names: plain words, and what NVIDIA Nsight Compute calls the same, so that
// what a learner looks up is found. For the terminal and the viewer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

struct Metric {
  std::string words;  ///< "sectors a load request"
  /// "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"; empty: no GPU counts it.
  std::string nvidia;
  double value = 0.0;
  enum class Unit { count, bytes, ratio, percent } unit = Unit::count;
};

// The names of what is shown elsewhere too.
inline constexpr std::string_view kDramRead = "dram__bytes_read.sum";
inline constexpr std::string_view kDramWritten = "dram__bytes_write.sum";
inline constexpr std::string_view kTime = "gpu__time_duration.sum";
inline constexpr std::string_view kSectorsPerLoad =
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
inline constexpr std::string_view kSectorsPerStore =
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
/// What comes nearest to the waits for memory, which no GPU counts.
inline constexpr std::string_view kStalledForMemory =
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";
inline constexpr std::string_view kSharedWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";

/// What a launch did, of which something was counted; nothing without counters.
std::vector<Metric> metrics_of(const LaunchRecord& launch);

/// "32", "0.5 %": as the terminal shows it, but for bytes, which it shows with a unit. Bytes are whole here.
std::string value_text(const Metric& metric);

}  // namespace workbook::runs
