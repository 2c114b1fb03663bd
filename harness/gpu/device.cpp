#include "gpu/device.h"

#include <cstdlib>

#include "core/backend.h"
#include "gpu/cuda_check.h"

namespace workbook::gpu {
namespace {

// Toolkit 13 dropped every architecture before Turing: nvcc cannot build for them.
constexpr int kOldestCapability = 75;

std::string version_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

std::string driver_text() {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const auto text = [](int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  };
  if (driver == 0) return "no NVIDIA driver is installed";
  return "the driver supports CUDA " + text(driver) + ", this program needs " + text(runtime);
}

}  // namespace

Device choose_device() {
  // Kernels load when the context starts, not at their first launch: that may fall into a graph capture,
  // where loading is not allowed, or into the first timed sample.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);

  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) throw core::NoDevice("no GPU can be used: " + driver_text());
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0))
    throw core::NoDevice("this machine has no NVIDIA GPU");
  if (counted != cudaSuccess) throw core::NoDevice("no GPU can be used: " + describe(counted));

  std::string refused;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    WORKBOOK_CUDA(cudaGetDeviceProperties(&properties, ordinal));
    const int capability = 10 * properties.major + properties.minor;
    if (capability >= kOldestCapability) {
      WORKBOOK_CUDA(cudaSetDevice(ordinal));
      return {ordinal, properties.name, capability, properties.totalGlobalMem};
    }
    refused += (refused.empty() ? "" : "; ") + std::string(properties.name) + " has compute capability " +
               version_text(capability);
  }
  throw core::NoDevice("no GPU is new enough: " + refused + "; CUDA 13 needs " +
                       version_text(kOldestCapability) + " (Turing) or newer");
}

}  // namespace workbook::gpu
