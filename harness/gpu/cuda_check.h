// The one check that every CUDA call of the GPU backend goes through.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace workbook::gpu {

/// A CUDA call of the harness itself failed (a learner's launch that fails is a core::LaunchFailed).
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// "an illegal memory access was encountered (cudaErrorIllegalAddress)"
inline std::string describe(cudaError_t code) {
  return std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
}

inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  throw CudaError(code, std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + describe(code));
}

/// For destructors. After a kernel has faulted the context answers every call with that fault, which is
/// reported already; any other error is worth a line.
inline void check_in_destructor(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  if (cudaDeviceSynchronize() == code) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, describe(code).c_str());
}

}  // namespace workbook::gpu

#define WORKBOOK_CUDA(call) ::workbook::gpu::check((call), #call, __FILE__, __LINE__)
#define WORKBOOK_CUDA_DTOR(call) ::workbook::gpu::check_in_destructor((call), #call, __FILE__, __LINE__)
