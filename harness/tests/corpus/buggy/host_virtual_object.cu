// Wrong: an object with virtual functions that the host makes, used by a kernel: in managed memory.
#include <new>

struct Shape {
  __host__ __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}  // expect-other: host_deref
  __host__ __device__ int area() const override { return side * side; }
};

__global__ void measure(const Shape* shape, int* out) {
  *out = shape->area();  // expect: host_deref
}

int main() {
  Square* square;
  int* out;
  cudaMallocManaged(&square, sizeof(Square));
  cudaMalloc(&out, sizeof(int));
  new (square) Square(3);
  measure<<<1, 1>>>(square, out);
  cudaFree(square);
  cudaFree(out);
}
