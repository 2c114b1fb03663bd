// The error state: the latest error of each host thread, and the sticky one that a faulting kernel leaves.
#include <atomic>
#include <cstdint>

#include "sim/check/device_printf.h"
#include "sim/check/diagnosis.h"
#include "sim/check/stream_order.h"
#include "sim/engine/runtime.h"
#include "sim/runtime/call.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t pending_fault = cudaSuccess;  // of a kernel whose end nobody has waited for yet
cudaError_t sticky_error = cudaSuccess;
std::atomic<bool> begun = false;
std::uint64_t told = 0;  // calls that returned the sticky error

/// CUDA may refuse the calls of functions that streams call, or wait for ever for what waits for the
/// function.
void tell_of_call_in_function(Pc pc) {
  const runs::SourceLine at = line_of_program(pc);
  if (at.line == 0) return;
  runs::Finding f;
  f.klass = runs::FindingClass::bad_api_call;
  f.at = at;
  f.message =
      "a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback or a graph's host node) calls CUDA "
      "here, which it must not: on a GPU the call fails with cudaErrorNotPermitted, or never returns.";
  f.advice =
      "Let the function only leave word, in an atomic or a condition variable, and let a thread of the host that "
      "waits for that make the call; what is to follow in the stream can be given to the stream.";
  Diagnosis::get().findings.add(std::move(f));
}

}  // namespace

bool runtime_has_begun() { return begun.load(std::memory_order_relaxed); }

void set_last_error(cudaError_t error) { last_error = error; }

cudaError_t finish(cudaError_t error) {
  if (StreamOrder::is_in_function() && workbook_sim_is_diagnosing())
    tell_of_call_in_function(reinterpret_cast<Pc>(__builtin_return_address(0)));
  begun.store(true, std::memory_order_relaxed);
  if (sticky_error != cudaSuccess) error = sticky_error, ++told;
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t finish_waiting(cudaError_t error) {
  if (sticky_error == cudaSuccess) sticky_error = pending_fault;
  PrintedOutput::get().shown();
  return finish(error);
}

cudaError_t not_ready_yet() {
  const cudaError_t error = finish_waiting(cudaSuccess);
  return error != cudaSuccess ? error : cudaErrorNotReady;
}

void fault(cudaError_t error) {
  if (pending_fault == cudaSuccess) pending_fault = error;
}

bool device_is_lost() { return pending_fault != cudaSuccess || sticky_error != cudaSuccess; }

bool lost_device_is_used() { return told > 1; }

void forget_errors() {
  last_error = pending_fault = sticky_error = cudaSuccess;
  told = 0;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = sticky_error != cudaSuccess ? sticky_error : last_error;
  last_error = cudaSuccess;
  if (error != cudaSuccess) error_is_seen(error);
  return error;
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t error = sticky_error != cudaSuccess ? sticky_error : last_error;
  if (error != cudaSuccess) error_is_seen(error);
  return error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define WORKBOOK_SIM_NAME(NAME, NUMBER, TEXT) \
  case NAME:                                  \
    return #NAME;
    WORKBOOK_SIM_ERRORS(WORKBOOK_SIM_NAME)
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define WORKBOOK_SIM_STRING(NAME, NUMBER, TEXT) \
  case NAME:                                    \
    return TEXT;
    WORKBOOK_SIM_ERRORS(WORKBOOK_SIM_STRING)
  }
  return "unrecognized error code";
}

}  // extern "C"
