// The kernels that the simulator's tests launch. kernels.cu is compiled like a learner's file, once with
// diagnostics and once without; the tests themselves are ordinary C++.
#pragma once

#include <cstddef>
#include <string>

namespace kernels {

constexpr int kBlock = 64;

/// Launches the kernel called `name` with one pointer and a count; throws std::out_of_range for unknown
/// names.
void launch(const std::string& name, unsigned grid, unsigned block, std::size_t shared_bytes, float* data,
            int n);

/// The line of kernels.cu that carries the comment `// mark: NAME`.
int line_of(const std::string& mark);

}  // namespace kernels
