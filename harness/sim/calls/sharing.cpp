// Handles of memory and events for other processes: who made them, and what they stand for.
#include "workbook_sim/runtime/sharing.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "sim/engine/arena.h"
#include "sim/runtime/call.h"

namespace workbook::sim {
namespace {

struct Made {
  pid_t by;
  const void* what;
};

template <class Handle>
void fill_handle(Handle& handle, const void* what) {
  const Made made{getpid(), what};
  handle = {};
  std::memcpy(&handle, &made, sizeof made);
}

cudaError_t refuse_sharing(const char* call) {
  std::fprintf(
      stderr,
      "%s(): each process has a simulated GPU of its own: what other processes have of one cannot be "
      "handed over.\n",
      call);
  return cudaErrorNotSupported;
}

template <class Handle>
cudaError_t open_handle(const char* call, const Handle& handle) {
  Made made;
  std::memcpy(&made, &handle, sizeof made);
  if (made.what == nullptr) return cudaErrorInvalidValue;
  return made.by == getpid() ? cudaErrorDeviceUninitialized : refuse_sharing(call);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  if (handle == nullptr || Arena::get().find_start(pointer) == nullptr) return finish(cudaErrorInvalidValue);
  fill_handle(*handle, pointer);
  return finish(cudaSuccess);
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int) {
  if (pointer == nullptr) return finish(cudaErrorInvalidValue);
  return finish(open_handle("cudaIpcOpenMemHandle", handle));
}
cudaError_t cudaIpcCloseMemHandle(void*) { return finish(cudaErrorInvalidValue); }  // none was opened

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  if (handle == nullptr) return finish(cudaErrorInvalidValue);
  if (const cudaError_t there = cudaEventQuery(event); there != cudaSuccess && there != cudaErrorNotReady)
    return finish(there);
  fill_handle(*handle, event);
  return finish(cudaSuccess);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  if (event == nullptr) return finish(cudaErrorInvalidValue);
  return finish(open_handle("cudaIpcOpenEventHandle", handle));
}

cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType,
                                               unsigned int) {
  return finish(refuse_sharing("cudaMemPoolExportToShareableHandle"));
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType,
                                                 unsigned int) {
  return finish(refuse_sharing("cudaMemPoolImportFromShareableHandle"));
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*) {
  return finish(refuse_sharing("cudaMemPoolExportPointer"));
}
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, cudaMemPoolPtrExportData*) {
  return finish(refuse_sharing("cudaMemPoolImportPointer"));
}

}  // extern "C"
