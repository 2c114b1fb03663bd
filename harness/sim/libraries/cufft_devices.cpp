#include "workbook_sim/libraries/cufft_devices.h"

#include <cstdio>

namespace {

cufftResult refuse(const char* call, const char* what) {
  std::fprintf(stderr, "%s(): %s not simulated.\n", call, what);
  return CUFFT_NOT_IMPLEMENTED;
}
cufftResult refuse_devices(const char* call) { return refuse(call, "transforms over several GPUs are"); }
cufftResult refuse_callback(const char* call) { return refuse(call, "callbacks of transforms are"); }

}  // namespace

extern "C" {

cufftResult cufftXtSetGPUs(cufftHandle, int, int*) { return refuse_devices("cufftXtSetGPUs"); }
cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc**, cufftXtSubFormat) {
  return refuse_devices("cufftXtMalloc");
}
cufftResult cufftXtFree(cudaLibXtDesc*) { return refuse_devices("cufftXtFree"); }
cufftResult cufftXtMemcpy(cufftHandle, void*, void*, cufftXtCopyType) {
  return refuse_devices("cufftXtMemcpy");
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return refuse_devices("cufftXtExecDescriptorC2C");
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return refuse_devices("cufftXtExecDescriptorZ2Z");
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_devices("cufftXtExecDescriptorR2C");
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_devices("cufftXtExecDescriptorC2R");
}
cufftResult cufftXtSetCallback(cufftHandle, void**, cufftXtCallbackType, void**) {
  return refuse_callback("cufftXtSetCallback");
}
cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) {
  return refuse_callback("cufftXtClearCallback");
}

}  // extern "C"
