// What host code alone may name, and a kernel has used: variables of the host at namespace scope, and lambdas
// without `__device__`. nvcc refuses a kernel that names one; here, where both sides are one program, it
// runs.
#pragma once

#include <cstdint>

#include "scene.h"

namespace workbook::sim {

/// Whether the program has such variables.
bool has_host_variables();

/// A kernel accesses `address`, which lies in the program: a finding where it is a variable of the host's.
void see_host_variable(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc);

}  // namespace workbook::sim
