// How declarations of variables in the bodies of functions begin.
#pragma once

#include <cstddef>

#include "cuda_tokens.h"

namespace workbook::sim {

/// A word that no declaration of a plain variable begins with.
bool begins_something_else(const Tokens& t, std::size_t i);
/// One past the type at `i`; `i` where there is none. `float`, `unsigned long long`, `cg::tile<4>`, `struct
/// Hit`.
std::size_t type_end(const Tokens& t, std::size_t i);
/// The '}' of the class that is defined at `i`; `i` where none is.
std::size_t class_end(const Tokens& t, std::size_t i);

}  // namespace workbook::sim
