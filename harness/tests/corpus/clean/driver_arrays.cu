// Right: arrays of the driver API, filled, copied as boxes, read as textures, and written as surfaces.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWidth = 32, kHeight = 8;

__global__ void shift(cudaTextureObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(tex2D<float>(from, x + 1.5f, y + 0.5f) + 1, to, x * 4, y);
}

int main() {
  float h[kWidth * kHeight];
  for (int i = 0; i < kWidth * kHeight; ++i) h[i] = static_cast<float>(i);
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  const CUDA_ARRAY_DESCRIPTOR how{kWidth, kHeight, CU_AD_FORMAT_FLOAT, 1};
  const CUDA_ARRAY3D_DESCRIPTOR written{kWidth, kHeight, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray in, out;
  if (cuArrayCreate(&in, &how) != CUDA_SUCCESS || cuArray3DCreate(&out, &written) != CUDA_SUCCESS) return 1;
  CUDA_ARRAY_DESCRIPTOR known{};
  cuArrayGetDescriptor(&known, in);

  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = h;
  copy.srcPitch = kWidth * 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = in;
  copy.WidthInBytes = kWidth * 4;
  copy.Height = kHeight;
  cuMemcpy2D(&copy);

  CUDA_RESOURCE_DESC what{};
  what.resType = CU_RESOURCE_TYPE_ARRAY;
  what.res.array.hArray = in;
  CUDA_TEXTURE_DESC sampled{};
  for (CUaddress_mode& mode : sampled.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  sampled.filterMode = CU_TR_FILTER_MODE_POINT;
  CUtexObject texture;
  CUsurfObject surface;
  cuTexObjectCreate(&texture, &what, &sampled, nullptr);
  what.res.array.hArray = out;
  cuSurfObjectCreate(&surface, &what);
  shift<<<kHeight, kWidth>>>(texture, surface);
  cuCtxSynchronize();

  CUDA_MEMCPY2D back{};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  back.srcArray = out;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = h;
  back.WidthInBytes = kWidth * 4;
  back.Height = kHeight;
  cuMemcpy2D(&back);
  std::printf("%g %g\n", h[0], h[kWidth - 1]);
  cuTexObjectDestroy(texture);
  cuSurfObjectDestroy(surface);
  cuArrayDestroy(in);
  cuArrayDestroy(out);
  cuCtxDestroy(context);
  return known.Width != kWidth || known.NumChannels != 1 || h[0] != 2 || h[kWidth - 1] != kWidth;
}
