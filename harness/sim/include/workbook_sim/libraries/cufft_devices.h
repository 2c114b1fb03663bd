// cuFFT over several GPUs, and callbacks. The simulator has one GPU, and transforms by FFTW: all of these say
// so on standard error, and answer CUFFT_NOT_IMPLEMENTED.
#pragma once

#include "cufft.h"

inline constexpr int MAX_CUDA_DESCRIPTOR_GPUS = 64;
enum cufftXtSubFormat_t : int {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4
};
using cufftXtSubFormat = cufftXtSubFormat_t;
enum cufftXtCopyType_t : int {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2
};
using cufftXtCopyType = cufftXtCopyType_t;
enum cufftXtCallbackType_t : int {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7
};
using cufftXtCallbackType = cufftXtCallbackType_t;
using cufftCallbackLoadC = cufftComplex (*)(void*, std::size_t, void*, void*);
using cufftCallbackLoadR = cufftReal (*)(void*, std::size_t, void*, void*);
using cufftCallbackStoreC = void (*)(void*, std::size_t, cufftComplex, void*, void*);
using cufftCallbackStoreR = void (*)(void*, std::size_t, cufftReal, void*, void*);

struct cudaXtDesc {
  int version, nGPUs;
  int GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
  void* data[MAX_CUDA_DESCRIPTOR_GPUS];
  std::size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
  void* cudaXtState;
};
struct cudaLibXtDesc {
  int version;
  cudaXtDesc* descriptor;
  int library, subFormat;
  void* libDescriptor;
};

extern "C" {
cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int* gpus);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format);
cufftResult cufftXtFree(cudaLibXtDesc* descriptor);
cufftResult cufftXtMemcpy(cufftHandle plan, void* to, void* from, cufftXtCopyType type);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtSetCallback(cufftHandle plan, void** callbacks, cufftXtCallbackType type, void** infos);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
}
