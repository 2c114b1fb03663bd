// The numbers that are none.
#pragma once

#include <limits>

namespace sample {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace sample
