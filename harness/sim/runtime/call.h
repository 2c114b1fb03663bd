// What every function of the host API does: know who called it, and leave its error where the program looks.
#pragma once

#include <string>

#include "sim/engine/engine.h"
#include "sim/engine/runtime.h"

namespace workbook::sim {

/// A call of the program: findings name it and its line.
struct Call {
  const char* api;  ///< "cudaMemcpy"
  Pc pc;            ///< return address
};

/// The call at hand fails with `error`, a status of whichever library, and why, in a sentence: for who drops
/// the error.
void because(int error, std::string why);

/// Keeps `error` for cudaGetLastError(), and returns it; a sticky error comes before it.
cudaError_t finish(cudaError_t error);
/// Whether the program has called the runtime.
bool runtime_has_begun();
/// The program asks for the latest error, and gets this one: the call that it comes from is not dropped.
void error_is_seen(cudaError_t error);
/// The same for calls that wait for the device: from here on a kernel's fault is known, and sticky.
cudaError_t finish_waiting(cudaError_t error);
/// The answer to a question about work that is under way, for all that the host knows: no error, and no one's
/// last one.
cudaError_t not_ready_yet();

}  // namespace workbook::sim

#define WORKBOOK_CALL \
  ::workbook::sim::Call { __func__, reinterpret_cast<::workbook::sim::Pc>(__builtin_return_address(0)) }
