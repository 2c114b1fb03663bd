// Runs a program as the shell would: in our own process group and terminal, with our stdin, stdout and
// stderr.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/process.h"

namespace workbook::cli {

/// Runs `command` in the current folder to its end; Ctrl-C reaches it and not us. `environment` comes on top
/// of ours. Of the limits, those of output and cancellation do not apply. Throws HarnessError when it cannot
/// be started.
ProcessResult run_attached(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment,
                           const ProcessLimits& limits, const std::function<void()>& on_start);

/// Becomes another program, found on PATH. Throws HarnessError when it cannot be started.
[[noreturn]] void become(const std::vector<std::string>& command);

}  // namespace workbook::cli
