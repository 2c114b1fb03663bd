// How long a solution takes on this machine's GPU, for a mark that does not depend on it.
#pragma once

#include <string>

#include "cli/run/execute.h"

namespace workbook::cli {

/// Of the whole variant at the real shape, with cold caches.
struct DeviceTime {
  double us = 0.0;  ///< the median; 0: not measured
  std::string why;  ///< then why, a sentence's end
};

/// `request.device` is one that can be used. Its phases run confined where the source's are; what is wrong on
/// the device has no time.
DeviceTime device_time(const Project& project, RunRequest request);

}  // namespace workbook::cli
