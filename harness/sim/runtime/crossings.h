// Addresses that mean something on one side only, on their way to the other: of functions that the host took,
// and of the virtual tables in objects that the host made.
#pragma once

#include "sim/runtime/call.h"
#include "workbook_sim/launch.h"

namespace workbook::sim {

/// Looks at what was copied, byte by byte. Objects and functions of the host that arrive on the device are
/// told of where a kernel uses them, or here.
void note_copied(const Call& call, const void* to, const void* from, std::size_t bytes);

/// A finding at the line of a launch.
void report_launch(const LaunchConfig& config, runs::FindingClass klass, std::string message,
                   std::string advice, std::string kernel = "");

/// Tells of functions of the device whose address the host took, among a kernel's arguments.
void check_arguments(const LaunchConfig& config, const BoundKernel& kernel);
/// Tells of addresses of a thread's own variables and of shared memory among the arguments that the running
/// thread gives a kernel.
void check_child_arguments(const LaunchConfig& config, const BoundKernel& kernel);

}  // namespace workbook::sim
