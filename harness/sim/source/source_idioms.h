// Forms of code that compile, run, and compute something else than was meant, told from the program's text.
#pragma once

#include <string>
#include <vector>

namespace workbook::sim {

/// The float or double whose value, and not its bits, is what atomicCAS() in the line stores, where the word
/// holds a float or double; empty where the text does not say so. `code`: lines without comments, from 1 on.
std::string converted_in_compare(const std::vector<std::string>& code, int line);

/// The call, atomicMin or atomicMax, that the line makes of the bits of a float taken for an int; else empty.
std::string ordered_by_bits(const std::vector<std::string>& code, int line);

/// The lines of the loop, in the function that begins at `line`, that halves the number of threads of a block
/// from blockDim.x / 2 on and lets each thread below it add the element that lies so far off; 0: there is
/// none.
struct HalvingLoop {
  int first = 0, last = 0;
};
HalvingLoop halving_loop(const std::vector<std::string>& code, int line);

/// The line of the loop that takes a lock by atomics before `line`, in its function, where neither they nor a
/// fence order what the lock guards; 0: there is none, or the text has an order.
int lock_without_order(const std::vector<std::string>& code, int line);

/// The line behind this one, close by, with a __threadfence_block() and no wider fence before it; 0: none.
int block_fence_behind(const std::vector<std::string>& code, int line);

/// Whether no function ends or begins between the two lines: what stands behind another in the text is
/// reached behind it then.
bool in_one_function(const std::vector<std::string>& code, int a, int b);

/// Whether one of the lines is the `if` that governs the other, and asks for the element that is stored
/// there.
bool decides_by(const std::vector<std::string>& code, int a, int b);

/// A parameter of a kernel, as it is written. `read_only`: const, a pointer, and __restrict__.
struct KernelParameter {
  std::string name;
  bool read_only;
};
/// Those of the kernel of that name whose body begins in or near the line; none where it is not found.
std::vector<KernelParameter> written_parameters(const std::vector<std::string>& code, int line,
                                                const std::string& kernel);

/// The number, not 1, that is odd when `threads` are halved again and again; 0 where none is.
unsigned int odd_when_halved(unsigned int threads);

}  // namespace workbook::sim
