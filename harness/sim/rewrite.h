// Turns CUDA's launch syntax into C++ that the simulator's cuda_runtime.h understands.
#pragma once

#include <string>
#include <string_view>

namespace workbook::sim {

/// `source` with every `kernel<<<grid, block, shared, stream>>>(args)` rewritten to a call of
/// ::workbook::sim::launch, every line break kept where it was. Comments, strings and raw strings are
/// left alone. Throws std::runtime_error with the line when a `<<<` has no matching `>>>`.
std::string rewrite_launches(std::string_view source);

}  // namespace workbook::sim
