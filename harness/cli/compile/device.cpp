#include "cli/compile/device.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <memory>

#include "cli/base/build_config.h"
#include "cli/compile/toolchain.h"

namespace workbook::cli {
namespace {

constexpr int kOldest = 75;              // what CUDA 13 still compiles for
constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR

struct Unload {
  void operator()(void* library) const { dlclose(library); }
};

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string folder_of(void* function) {
  Dl_info at{};
  return dladdr(function, &at) != 0 ? std::filesystem::path(at.dli_fname).parent_path().string() : "";
}

Device without(std::string reason) {
  Device device;
  device.reason = std::move(reason);
  return device;
}

}  // namespace

Device find_device() {
  const std::unique_ptr<void, Unload> driver(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL));
  if (!driver) return without("This machine has no NVIDIA driver (libcuda.so.1 is not there).");
  const auto init = symbol<int(unsigned)>(driver.get(), "cuInit");
  const auto count_of = symbol<int(int*)>(driver.get(), "cuDeviceGetCount");
  const auto name_of = symbol<int(char*, int, int)>(driver.get(), "cuDeviceGetName");
  const auto attribute = symbol<int(int*, int, int)>(driver.get(), "cuDeviceGetAttribute");
  if (!init || !count_of || !name_of || !attribute)
    return without("The NVIDIA driver of this machine is not one that can be used.");
  int count = 0;
  if (init(0) != 0 || count_of(&count) != 0 || count == 0) return without("The NVIDIA driver finds no GPU.");
  std::array<char, 256> name{};
  int major = 0, minor = 0;
  if (name_of(name.data(), static_cast<int>(name.size()) - 1, 0) != 0 || attribute(&major, kMajor, 0) != 0 ||
      attribute(&minor, kMinor, 0) != 0)
    return without("The NVIDIA driver does not answer for its GPU.");
  Device device;
  device.name = name.data();
  device.driver = folder_of(reinterpret_cast<void*>(init));
  const int version = 10 * major + minor;
  device.architecture = "sm_" + std::to_string(version);
  if (version < kOldest)
    device.reason = "The GPU is too old: " + device.name + " is " + device.architecture +
                    ", and the CUDA Toolkit compiles for sm_75 and later.";
  else if (build::kCudaLibraries.empty())
    device.reason = "There is a GPU (" + device.name +
                    "), but this workbook was built without the GPU backend: install the CUDA Toolkit 13 and "
                    "build again.";
  else if (find_nvcc().empty())
    device.reason = "There is a GPU (" + device.name + "), but no nvcc on PATH.";
  device.usable = device.reason.empty();
  return device;
}

}  // namespace workbook::cli
