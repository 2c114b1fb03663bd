// Inline PTX that is not simulated, or wrong: each is named at its line.
__global__ void k(int* out, const float* from) {
  unsigned x = 0;
  float v = 0.0f;
  asm volatile("tcgen05.wait::ld.sync.aligned;");  // refused: inline PTX, 'tcgen05.wait::ld.sync.aligned'
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(x));    // refused: special register '%pm0'
  asm volatile("bar.arrive 1;" ::: "memory");      // refused: 'bar.arrive' with 1 operands
  asm volatile("addc.u32 %0, %0, 1;" : "+r"(x));   // refused: reads a carry
  asm volatile("ld.global.f32 %0, [q];" : "=f"(v) : "l"(from));  // refused: address 'q'
  out[threadIdx.x] = static_cast<int>(x) + static_cast<int>(v);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out, nullptr);
  cudaFree(out);
}
