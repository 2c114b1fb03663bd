// Functions of the program itself without __device__.
struct Point {
  float x, y;
  float norm() const { return x * x + y * y; }
  Point operator+(const Point& other) const { return {x + other.x, y + other.y}; }
};

inline float half_of(float x) { return 0.5f * x; }

template <class T>
T square(T x) {
  return x * x;
}

__global__ void move(float* out, const float* in) {
  const Point a{in[0], in[1]}, b{in[2], in[3]};
  out[0] = a.norm();      // refused: ("Point::norm() const"), __global__ function("move")
  const Point c = a + b;  // refused: ("Point::operator+(Point const&) const"), function("move")
  out[1] = c.x - c.y;
  out[2] = half_of(in[0]);  // refused: ("half_of(float)"), write __device__ before the definition of half_of
  const auto less = [=](float x) {
    return square(x) - in[3];  // refused: ("square"), is not allowed
  };
  out[3] = less(in[1]);
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  move<<<1, 1>>>(out, in);
  cudaFree(in);
  cudaFree(out);
}
