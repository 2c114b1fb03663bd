// Textures of linear memory and of arrays of two and three dimensions, filtered and not, and surfaces: each
// result against what the host computes.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k1(cudaTextureObject_t t, float* o, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = tex1Dfetch<float>(t, i);
}
__global__ void k2(cudaTextureObject_t t, float* o, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h) o[y * w + x] = tex2D<float>(t, x + 1.0f, y + 0.5f);
}
__global__ void norm(cudaTextureObject_t t, float* o, int w) {
  int x = threadIdx.x;
  if (x < w) o[x] = tex2D<float>(t, (x + 0.5f) / w + 1.0f, 0.25f);
}
__global__ void k3(cudaTextureObject_t t, float* o) {
  o[threadIdx.x] = tex3D<float>(t, threadIdx.x + 0.5f, 1.5f, 1.5f);
}
__global__ void uc(cudaTextureObject_t t, float4* o) {
  o[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f);
}
__global__ void surf(cudaSurfaceObject_t s, int w) {
  int x = threadIdx.x, y = threadIdx.y;
  float v = surf2Dread<float>(s, x * 4, y);
  float u;
  surf2Dread(&u, s, x * 4, y);
  surf2Dwrite(v + u, s, x * 4, y);
}
int failures = 0;
void report(const char* what, bool right) {
  printf("%s %s\n", what, right ? "right" : "wrong");
  failures += !right;
}

int main() {
  const int w = 8, h = 4;
  float in[w * h], out[w * h];
  for (int i = 0; i < w * h; ++i) in[i] = i;
  float *d, *o;
  cudaMalloc(&d, sizeof in);
  cudaMalloc(&o, sizeof out);
  cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = d;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = sizeof in;
  cudaTextureDesc td{};
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t t;
  if (cudaCreateTextureObject(&t, &r, &td, nullptr) != cudaSuccess) return 1;
  k1<<<1, 32>>>(t, o, 32);
  cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 32; ++i) bad += out[i] != in[i];
  report("fetch", bad == 0);
  cudaDestroyTextureObject(t);
  cudaArray_t a;
  cudaChannelFormatDesc f = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(a, 0, 0, in, w * 4, w * 4, h, cudaMemcpyHostToDevice);
  cudaResourceDesc ra{};
  ra.resType = cudaResourceTypeArray;
  ra.res.array.array = a;
  cudaTextureDesc ta{};
  ta.addressMode[0] = ta.addressMode[1] = cudaAddressModeClamp;
  ta.filterMode = cudaFilterModeLinear;
  ta.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&t, &ra, &ta, NULL);
  k2<<<1, dim3(8, 4)>>>(t, o, w, h);
  cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
  bad = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) bad += out[y * w + x] != (x + 1 < w ? y * w + x + 0.5f : y * w + x);
  report("linear", bad == 0);
  cudaDestroyTextureObject(t);
  ta.normalizedCoords = 1;
  ta.filterMode = cudaFilterModePoint;
  ta.addressMode[0] = cudaAddressModeWrap;
  cudaCreateTextureObject(&t, &ra, &ta, NULL);
  norm<<<1, 8>>>(t, o, w);
  cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
  bad = 0;
  for (int x = 0; x < w; ++x) bad += out[x] != w + x;
  report("wrap", bad == 0);
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &ra);
  surf<<<1, dim3(8, 4)>>>(s, w);
  cudaMemcpy2DFromArray(out, w * 4, a, 0, 0, w * 4, h, cudaMemcpyDeviceToHost);
  bad = 0;
  for (int i = 0; i < w * h; ++i) bad += out[i] != 2 * in[i];
  report("surface", bad == 0);
  cudaDestroySurfaceObject(s);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a);
  cudaArray_t a3;
  cudaExtent e = make_cudaExtent(4, 3, 2);
  cudaMalloc3DArray(&a3, &f, e);
  cudaMemcpy3DParms p = {0};
  p.srcPtr = make_cudaPitchedPtr(in, 4 * 4, 4, 3);
  p.dstArray = a3;
  p.extent = e;
  p.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&p);
  ra.res.array.array = a3;
  ta = {};
  ta.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&t, &ra, &ta, NULL);
  k3<<<1, 4>>>(t, o);
  cudaMemcpy(out, o, 16, cudaMemcpyDeviceToHost);
  report("3d", out[0] == 16 && out[1] == 17 && out[2] == 18 && out[3] == 19);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a3);
  cudaArray_t a4;
  cudaChannelFormatDesc f4 = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&a4, &f4, 2, 1);
  uchar4 px[2] = {{0, 51, 102, 255}, {255, 0, 0, 0}};
  cudaMemcpyToArray(a4, 0, 0, px, sizeof px, cudaMemcpyHostToDevice);
  ra.res.array.array = a4;
  ta.readMode = cudaReadModeNormalizedFloat;
  cudaCreateTextureObject(&t, &ra, &ta, NULL);
  uc<<<1, 2>>>(t, (float4*)o);
  cudaMemcpy(out, o, 32, cudaMemcpyDeviceToHost);
  report("uchar4", out[0] == 0 && out[1] == 0.2f && out[2] == 0.4f && out[3] == 1 && out[4] == 1);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a4);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  uint64_t th = UINT64_MAX;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th);
  int* q;
  cudaMallocAsync(&q, 64, 0);
  cudaFreeAsync(q, 0);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFree(o);
  return failures != 0;
}
