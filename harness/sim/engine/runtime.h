// State of the simulated runtime that launches need.
#pragma once

#include <functional>
#include <optional>

#include "launch.h"
#include "workbook_sim/launch.h"

namespace workbook::sim {

void set_last_error(cudaError_t error);
/// A kernel did what ends it on a GPU. The program learns of it as there: from the next call that waits for
/// the device on, every call returns this error.
void fault(cudaError_t error);
/// Whether every call returns an error from now on, because of a kernel's fault.
bool device_is_lost();
/// Whether the program went on after a call had told it so: it looks at no errors.
bool lost_device_is_used();
/// As if the process began: no error, none sticky.
void forget_errors();
/// Runs a launch that a lost device would refuse, for what can be found in it: it prints nothing, and leaves
/// all memory that the host can read as it was.
void run_unseen(const std::function<void()>& launch);

/// What submit() asks before it runs a launch: a value where it must not, because it is recorded in a graph
/// (cudaSuccess) or has no stream to run on.
std::optional<cudaError_t> redirect_launch(const LaunchConfig& config, const BoundKernel& kernel);
/// Whether the caller is a kernel's thread.
bool in_kernel();
/// A kernel launches: kept, with a copy of its arguments, until the launching grid has ended.
cudaError_t keep_device_launch(const LaunchConfig& config, const BoundKernel& kernel);
/// Runs what the grid of `kernel` that has ended on `stream` has launched, and what that launches.
void run_device_launches(cudaStream_t stream, const BoundKernel& kernel);
/// Puts a finished launch on the modelled clock; `cpu_us`: what it took here.
void account_launch(cudaStream_t stream, const FinishedLaunch& launch, double cpu_us);

}  // namespace workbook::sim
