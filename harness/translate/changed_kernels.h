// Which kernels of a source an edit changes, so that only they need to be compiled again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

/// What stands around the kernels: all of it is compiled with the source as it was.
struct Surroundings {
  std::string_view launches;              ///< includes the kernels
  std::vector<std::string_view> headers;  ///< that they may include
};

/// The kernels that have to be compiled from `after` where everything else has been compiled from `before`:
/// those that differ, and those that use what differs. Of a template all instances that the launches have
/// made. In the order of their definitions; empty when the two say the same. Nothing where that would not be
/// the same program: a function, type or constant that launches use, a kernel's parameters or the names of
/// __shared__ variables change; or variables, conditions or macros at namespace scope, of which there would
/// be two.
std::optional<std::vector<std::string>> changed_kernels(std::string_view before, std::string_view after,
                                                        const Surroundings& around);

}  // namespace workbook::sim
