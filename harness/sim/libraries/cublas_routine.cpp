#include "sim/libraries/cublas_routine.h"

#include <algorithm>

#include "clock/gpus.h"
#include "sim/runtime/pointers.h"

namespace workbook::sim {

cublasStatus_t run_routine(Routine r, const std::function<void()>& compute) {
  if (!is_handle(r.handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto ok = [](const Range& range) { return range.height == 0 || range.pitch > 0; };
  for (const auto* list : {&r.reads, &r.writes})
    for (const Range& range : *list)
      if (!ok(range)) {
        because(CUBLAS_STATUS_INVALID_VALUE,
                "The elements of an operand do not follow each other: its stride or leading dimension is 0.");
        return CUBLAS_STATUS_INVALID_VALUE;
      }
  const bool on_device = r.handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  if (r.result != nullptr && on_device && !check_factor(r.call, r.result, true))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  // In host mode cuBLAS copies the result, which memory of the device takes as well.
  if (r.result != nullptr && (on_device || point_to(r.result).side == Side::device))
    r.writes.push_back({r.result, r.result_bytes, 1, r.result_bytes});
  LibraryLaunch launch;
  launch.call = r.call;
  std::size_t elements = 1;
  for (const Range& range : r.reads) elements = std::max(elements, range.height);
  launch.reads = std::move(r.reads);
  launch.writes = std::move(r.writes);
  launch.scaled = std::move(r.scaled);
  launch.lists = std::move(r.lists);
  launch.follow = std::move(r.follow);
  launch.flops = r.flops;
  launch.peak_tflops = current_gpu().fp32_tflops;
  launch.grid.x = static_cast<std::uint32_t>((elements + 255) / 256);
  launch.compute = compute;
  return status_of(run_library(r.handle->stream, launch));
}

}  // namespace workbook::sim
