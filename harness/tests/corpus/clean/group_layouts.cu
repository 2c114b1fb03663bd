// wgmma of one step along k, for each way in which its tiles may lie: along k or across, with the swizzles of
// 128, 64 and 32 bytes and without, the left factor in registers, sums of half, bfloat16 and tf32.
// nvcc: -arch=sm_90a.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

constexpr int kM = 64, kN = 32;

/// Where an element lies in a tile of rows of kWidth bytes; `line` is its row or column, `k` its depth.
template <int kWidth, bool kAcross, int kBytes>
__device__ unsigned place(unsigned line, unsigned k) {
  constexpr unsigned kIn = 16 / kBytes, kRow = kWidth / kBytes;  // elements of 16 bytes, of a row
  if (kWidth == 16) {
    const unsigned along = kAcross ? line : k, other = kAcross ? k : line;
    return kAcross ? along / kIn * 256 + other / 8 * 128 + other % 8 * 16 + along % kIn * kBytes
                   : other / 8 * 256 + along / kIn * 128 + other % 8 * 16 + along % kIn * kBytes;
  }
  const unsigned at =
      kAcross ? line / kRow * 16 * kWidth + k / 8 * 8 * kWidth + k % 8 * kWidth + line % kRow * kBytes
              : line / 8 * 8 * kWidth + line % 8 * kWidth + (kWidth > 32 ? kWidth - 32 : 0) + k * kBytes;
  return at ^ ((at >> 7) & (kWidth / 16 - 1)) << 4;
}

/// A tile that begins at a multiple of 1024 bytes. Along k the last 32 bytes of its rows are taken.
template <int kWidth, bool kAcross>
__device__ unsigned long long descriptor(const void* tile) {
  const unsigned start =
      static_cast<unsigned>(__cvta_generic_to_shared(tile)) + (kAcross || kWidth == 16 ? 0 : kWidth - 32);
  const unsigned long long kind = kWidth == 128 ? 1 : kWidth == 64 ? 2 : kWidth == 32 ? 3 : 0;
  const unsigned leading = kWidth == 16 ? 128
                           : kAcross    ? 16 * kWidth
                                        : 16,
                 stride = kWidth == 16 ? 256 : 8 * kWidth;
  return (start & 0x3ffff) >> 4 | static_cast<unsigned long long>(leading >> 4) << 16 |
         static_cast<unsigned long long>(stride >> 4) << 32 | kind << 62;
}

template <bool kA, bool kB>
__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b, int adds, __half) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
      "%15}, %16, %17, p, %19, %20, %21, %22;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(adds), "n"(1), "n"(1), "n"(int(kA)), "n"(int(kB)));
}
template <bool kA, bool kB>
__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b, int adds,
                         __nv_bfloat16) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15}, %16, %17, p, -1, -1, %19, %20;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(adds), "n"(int(kA)), "n"(int(kB)));
}
template <bool kA, bool kB>
__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b, int adds, float) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15}, %16, %17, p, 1, 1;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(adds));
}

__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void wait() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// Twice: c = a b, and c += a b.
template <class T, int kWidth, bool kA, bool kB>
__global__ void tiles(float* c, const T* a, const T* b) {
  constexpr int kK = 32 / sizeof(T);
  __shared__ alignas(1024) unsigned char left[16384];
  __shared__ alignas(1024) unsigned char right[16384];
  for (int i = threadIdx.x; i < kM * kK; i += 128)
    *reinterpret_cast<T*>(left + place<kWidth, kA, sizeof(T)>(i / kK, i % kK)) = a[i];
  for (int i = threadIdx.x; i < kN * kK; i += 128)
    *reinterpret_cast<T*>(right + place<kWidth, kB, sizeof(T)>(i / kK, i % kK)) = b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[16];
  for (float& one : d) one = 1000;
  begin();
  multiply<kA, kB>(d, descriptor<kWidth, kA>(left), descriptor<kWidth, kB>(right), 0, T());
  multiply<kA, kB>(d, descriptor<kWidth, kA>(left), descriptor<kWidth, kB>(right), 1, T());
  wait();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 16; ++i) c[(row + i / 2 % 2 * 8) * kN + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

/// The left factor in registers, and sums of half.
__global__ void registers(float* c, const __half* a, const __half* b) {
  __shared__ alignas(1024) unsigned char right[4096];
  for (int i = threadIdx.x; i < kN * 16; i += 128)
    *reinterpret_cast<__half*>(right + place<64, true, 2>(i / 16, i % 16)) = b[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  unsigned r[4], d[8] = {};
  for (int i = 0; i < 4; ++i) memcpy(&r[i], a + (row + i % 2 * 8) * 16 + lane % 4 * 2 + i / 2 * 8, 4);
  begin();
  for (int turn = 0; turn < 2; ++turn)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1, 1, "
        "1, 1;\n"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(descriptor<64, true>(right)));
  wait();
  for (int i = 0; i < 8; ++i) {
    __half2 two;
    memcpy(&two, &d[i], 4);
    float* const to = c + (row + i % 2 * 8) * kN + i / 2 * 8 + lane % 4 * 2;
    to[0] = __low2float(two), to[1] = __high2float(two);
  }
}

template <class T>
T from_float(float x) {
  if constexpr (sizeof(T) == 4)
    return x;
  else
    return T(x);
}

template <class T, class Launch>
bool check(const char* name, Launch launch) {
  constexpr int kK = 32 / sizeof(T);
  static T a[kM * kK], b[kN * kK];
  static float x[kM * kK], y[kN * kK], c[kM * kN];
  for (int i = 0; i < kM * kK; ++i) a[i] = from_float<T>(x[i] = static_cast<float>(i * 37 % 23 - 11));
  for (int i = 0; i < kN * kK; ++i) b[i] = from_float<T>(y[i] = static_cast<float>(i * 53 % 19 - 9) / 4);
  T *da, *db;
  float* dc;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice), cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  launch(dc, da, db);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  cudaFree(da), cudaFree(db), cudaFree(dc);
  int wrong = 0;
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += x[i * kK + k] * y[j * kK + k];
      wrong += c[i * kN + j] != 2 * sum;
    }
  std::printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong == 0;
}

template <class T, int kWidth, bool kA, bool kB>
bool try_tiles(const char* name) {
  return check<T>(name,
                  [](float* c, const T* a, const T* b) { tiles<T, kWidth, kA, kB><<<1, 128>>>(c, a, b); });
}

int main() {
  bool right = true;
  right &= try_tiles<__half, 128, false, false>("128 bytes");
  right &= try_tiles<__half, 64, false, false>("64 bytes");
  right &= try_tiles<__half, 32, false, false>("32 bytes");
  right &= try_tiles<__half, 16, false, false>("no swizzle");
  right &= try_tiles<__half, 128, true, false>("128 bytes, left across");
  right &= try_tiles<__half, 64, false, true>("64 bytes, right across");
  right &= try_tiles<__half, 32, true, true>("32 bytes, both across");
  right &= try_tiles<__half, 16, true, true>("no swizzle, both across");
  right &= try_tiles<__nv_bfloat16, 128, false, true>("bfloat16");
  right &= try_tiles<float, 128, false, false>("tf32");
  right &= check<__half>("registers",
                         [](float* c, const __half* a, const __half* b) { registers<<<1, 128>>>(c, a, b); });
  return right ? 0 : 2;
}
