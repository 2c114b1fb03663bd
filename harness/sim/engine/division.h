// Integer division in kernels where this machine traps: by zero, and of the lowest number by -1.
#pragma once

namespace workbook::sim {

/// In a handler of SIGFPE, whose third argument `context` is. Gives the interrupted division of a kernel the
/// result that a GPU has (seen on an H200: a quotient of all ones, and the dividend as the remainder) and
/// lets it go on behind it. False where it is no division of a kernel, or of another kind of machine.
bool finish_division(void* context);

}  // namespace workbook::sim
