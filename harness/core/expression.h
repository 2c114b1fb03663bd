// Sizes in a declaration: "H", "H/2", "2*N+1", "ceil(N/256)".
#pragma once

#include <cstdint>
#include <string_view>

#include "workbook/dims.h"

namespace workbook::core {

/// Whole numbers, names of `dims`, + - * / (rounded down), parentheses and ceil(a/b). Throws
/// std::invalid_argument with a sentence naming the expression and what is wrong with it.
std::int64_t evaluate(std::string_view expression, const Dims& dims);

}  // namespace workbook::core
