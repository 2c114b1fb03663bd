// The kernels of speed.cu in OpenCL, with the same command line and the same output: for Oclgrind, which sees
// what kernels do wrong, and for PoCL, which only runs them.
//
//   g++ -std=c++20 -O2 speed_opencl.cpp -o speed_opencl -lOpenCL && oclgrind --data-races ./speed_opencl
//   saxpy 1048576 1
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

const char* const kSource = R"(
#define TILE 16
#define BLOCK 256
kernel void matmul_tiled(global float* c, global const float* a, global const float* b, int n) {
  local float a_tile[TILE][TILE];
  local float b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_global_id(1), column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    a_tile[y][x] = a[row * n + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
kernel void matmul_naive(global float* c, global const float* a, global const float* b, int n) {
  const int row = get_global_id(1), column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
kernel void saxpy(global float* y, global const float* x, float a, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
kernel void reduce(global float* partial, global const float* x, int n) {
  local float sums[BLOCK];
  const int t = get_local_id(0), i = get_global_id(0);
  sums[t] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = BLOCK / 2; half_size > 0; half_size /= 2) {
    if (t < half_size) sums[t] += sums[t + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) partial[get_group_id(0)] = sums[0];
}
)";

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "speed_opencl: %s: error %d\n", what, status);
  std::exit(5);
}

float input(std::size_t i) { return static_cast<float>(static_cast<int>(i * 7 % 5) - 2); }

double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kb = 0.0; word == "VmHWM:" && status >> kb) return kb / 1000.0;
  return 0.0;
}

/// One device, one queue, one program; lives as long as this process.
class OpenCl {
 public:
  OpenCl() {
    cl_platform_id platform{};
    cl_device_id device{};
    cl_int status = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr), "there is no OpenCL platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "there is no device");
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "context");
    queue_ = clCreateCommandQueue(context_, device, 0, &status);
    check(status, "queue");
    program_ = clCreateProgramWithSource(context_, 1, const_cast<const char**>(&kSource), nullptr, &status);
    check(status, "program");
    check(clBuildProgram(program_, 1, &device, "", nullptr, nullptr), "build");
  }

  cl_kernel kernel(const std::string& name) const {
    cl_int status = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program_, name.c_str(), &status);
    check(status, "kernel");
    return made;
  }

  cl_mem buffer(std::vector<float>& values) const {
    cl_int status = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 values.size() * sizeof(float), values.data(), &status);
    check(status, "buffer");
    return made;
  }

  std::vector<float> read(cl_mem from, std::size_t count) const {
    std::vector<float> values(count);
    check(clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, count * sizeof(float), values.data(), 0, nullptr,
                              nullptr),
          "read");
    return values;
  }

  void run(cl_kernel kernel, cl_uint dimensions, const std::size_t* global, const std::size_t* local) const {
    check(clEnqueueNDRangeKernel(queue_, kernel, dimensions, nullptr, global, local, 0, nullptr, nullptr),
          "launch");
    check(clFinish(queue_), "finish");
  }

 private:
  cl_context context_{};
  cl_command_queue queue_{};
  cl_program program_{};
};

template <class... T>
void set_arguments(cl_kernel kernel, const T&... arguments) {
  cl_uint index = 0;
  (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments), "argument"), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string workload = argc > 1 ? argv[1] : "";
  const int size = argc > 2 ? std::atoi(argv[2]) : 0, repeats = argc > 3 ? std::atoi(argv[3]) : 5;
  const bool matmul = workload.rfind("matmul", 0) == 0;
  if (size < 16 || repeats < 1) return std::fprintf(stderr, "speed_opencl WORKLOAD SIZE REPEATS\n"), 2;

  const OpenCl cl;
  const auto n = static_cast<std::size_t>(size);
  const std::size_t count = matmul ? n * n : n;
  std::vector<float> values(count), zeros(count, 0.0f);
  for (std::size_t i = 0; i < count; ++i) values[i] = input(i);
  const cl_mem a = cl.buffer(values), b = cl.buffer(values), out = cl.buffer(zeros);
  const cl_kernel kernel = cl.kernel(workload);
  std::size_t global[2] = {(n + 255) / 256 * 256, 1}, local[2] = {256, 1};
  if (matmul) {
    global[0] = global[1] = n;
    local[0] = local[1] = 16;
    set_arguments(kernel, out, a, b, size);
  } else if (workload == "saxpy") {
    set_arguments(kernel, out, a, 2.0f, size);
  } else {
    set_arguments(kernel, out, a, size);
  }

  std::vector<double> times_ms;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    // Under Oclgrind a launch takes seconds, and the first is as fast as any other.
    if (repeat < 0 && repeats == 1) continue;
    const auto begin = std::chrono::steady_clock::now();
    cl.run(kernel, matmul ? 2 : 1, global, local);
    const auto end = std::chrono::steady_clock::now();
    if (repeat >= 0) times_ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  std::sort(times_ms.begin(), times_ms.end());

  bool right = true;
  const std::vector<float> got = cl.read(out, count);
  if (matmul) {
    float sum = 0.0f;
    for (std::size_t k = 0; k < n; ++k) sum += input(37 % n * n + k) * input(k * n + 101 % n);
    right = got[37 % n * n + 101 % n] == sum;
  } else if (workload == "saxpy") {
    right = got[3] == 2.0f * static_cast<float>(repeats == 1 ? 1 : repeats + 1) * input(3);
  } else {
    double total = 0.0, expected = 0.0;
    for (std::size_t i = 0; i < (n + 255) / 256; ++i) total += static_cast<double>(got[i]);
    for (const float value : values) expected += static_cast<double>(value);
    right = total == expected;
  }
  std::printf("%s %d %.3f %.3f %.1f %s\n", workload.c_str(), size, times_ms.front(),
              times_ms[times_ms.size() / 2], peak_mb(), right ? "ok" : "WRONG");
  return right ? 0 : 1;
}
