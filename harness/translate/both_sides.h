// Functions for host and device that ask by #if for which of the two they are compiled.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cuda_tokens.h"
#include "edits.h"

namespace workbook::sim {

/// nvcc compiles a __host__ __device__ function twice, with __CUDA_ARCH__ and without; here it is compiled
/// once. So `#ifdef __CUDA_ARCH__ A #else B #endif` between its statements becomes `if (it runs in a kernel)
/// { A } else { B }`, on the same lines. Left as for the host: conditions that ask for more than the
/// architecture, parts that are no whole statements, and those that declare what is used behind #endif.
/// `bodies`: the functions' braces, as tokens.
void choose_side_at_run_time(const Tokens& t, const std::vector<std::pair<std::size_t, std::size_t>>& bodies,
                             Edits& edits);

}  // namespace workbook::sim
