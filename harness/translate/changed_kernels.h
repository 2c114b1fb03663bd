// What of a source an edit changes, so that only that needs to be compiled again.
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

/// The kernels and functions of the host that have to be compiled from `after` where everything else has been
/// compiled from `before`, as `unchanged_kernels` has it: those that differ, and those that use what differs.
/// Of a template all instances that the launches have made. In the order of their definitions; empty when the
/// two say the same. Nothing where that would not be the same program: a type, constant, template or inline
/// function that launches use, a kernel's or function's parameters or the names of __shared__ variables
/// change; or variables, conditions or macros at namespace scope, of which there would be two.
std::optional<std::vector<std::string>> changed_kernels(std::string_view before, std::string_view after,
                                                        const Surroundings& around);

/// `before` on the same lines, its functions of the host such that another object's may take their place.
std::string unchanged_kernels(std::string_view before);

/// Two sources that are linked in this order, of what both define the first: together they are the program
/// after the edit, and the second one is the same for every edit.
struct EditedProgram {
  std::string changed;    ///< functions that are as they were are only declared
  std::string unchanged;  ///< all of the program before the edit
};

/// Of a source that is a program's, or one of its parts. Nothing where it has to be compiled as it is, as
/// above.
std::optional<EditedProgram> edited_program(std::string_view before, std::string_view after,
                                            const std::vector<std::string_view>& headers);

}  // namespace workbook::sim
