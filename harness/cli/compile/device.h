// Which GPU this machine has, asked of the driver itself: no toolkit is needed to find out.
#pragma once

#include <string>

namespace workbook::cli {

struct Device {
  bool usable = false;
  std::string name;          ///< "NVIDIA H200"
  std::string architecture;  ///< "sm_90"
  std::string reason;        ///< why it cannot be used, a sentence
  std::string driver;        ///< the folder of the driver's library
};

/// The first GPU, if the driver, nvcc and this build can use it.
Device find_device();

}  // namespace workbook::cli
