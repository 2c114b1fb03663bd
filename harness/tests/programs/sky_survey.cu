// A survey of the sky, from raw frames to a calibrated catalogue, as one program of a person's who has
// several years of CUDA behind them: simulated frames (cuRAND), flat fielding, a geometric correction through
// a texture, background and noise, a matched filter in Fourier space (cuFFT), detection by connected
// components, a catalogue sorted and reduced with Thrust, matching against a reference on a grid of cells, a
// photometric fit with cuBLAS, orbits of moving sources, and a picture drawn through a colour cube and a
// surface. Frames go through two streams with pinned memory and events, and once through a graph.
//
// Every stage is checked against a plain computation on the host, or against what the simulated sky must
// give. Prints a line a check, and ends with the number of those that failed.
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

// ---------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------

[[noreturn]] void give_up(const char* library, int error, const char* words, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: %s error %d: %s\n", file, line, library, error, words);
  std::exit(2);
}

#define CUDA_OK(call)                                                                        \
  do {                                                                                       \
    const cudaError_t cuda_ok_error = (call);                                                \
    if (cuda_ok_error != cudaSuccess)                                                        \
      give_up("CUDA", cuda_ok_error, cudaGetErrorString(cuda_ok_error), __FILE__, __LINE__); \
  } while (0)
#define CUBLAS_OK(call)                                                                 \
  do {                                                                                  \
    const cublasStatus_t cublas_ok_status = (call);                                     \
    if (cublas_ok_status != CUBLAS_STATUS_SUCCESS)                                      \
      give_up("cuBLAS", cublas_ok_status, "see its documentation", __FILE__, __LINE__); \
  } while (0)
#define CUFFT_OK(call)                                                                \
  do {                                                                                \
    const cufftResult cufft_ok_result = (call);                                       \
    if (cufft_ok_result != CUFFT_SUCCESS)                                             \
      give_up("cuFFT", cufft_ok_result, "see its documentation", __FILE__, __LINE__); \
  } while (0)
#define CURAND_OK(call)                                                                 \
  do {                                                                                  \
    const curandStatus_t curand_ok_status = (call);                                     \
    if (curand_ok_status != CURAND_STATUS_SUCCESS)                                      \
      give_up("cuRAND", curand_ok_status, "see its documentation", __FILE__, __LINE__); \
  } while (0)

/// After a launch: its configuration.
#define LAUNCHED() CUDA_OK(cudaGetLastError())

// ---------------------------------------------------------------------------------------------------------
// What was checked
// ---------------------------------------------------------------------------------------------------------

class Report {
 public:
  void check(const std::string& what, bool right) {
    std::printf("%-58s %s\n", what.c_str(), right ? "right" : "WRONG");
    failures_ += right ? 0 : 1;
    ++checks_;
  }

  /// The largest difference, relative to the largest value that is wanted, must not exceed `tolerance`.
  template <class T>
  void compare(const std::string& what, const std::vector<T>& got, const std::vector<T>& want,
               double tolerance) {
    double scale = 0.0, worst = 0.0;
    bool finite = got.size() == want.size();
    for (std::size_t i = 0; finite && i < want.size(); ++i) {
      scale = std::max(scale, std::fabs(static_cast<double>(want[i])));
      const double difference = std::fabs(static_cast<double>(got[i]) - static_cast<double>(want[i]));
      finite = std::isfinite(difference);
      worst = std::max(worst, difference);
    }
    const bool right = finite && worst <= tolerance * std::max(scale, 1e-30);
    if (!right) std::printf("  largest difference %g of %g\n", worst, scale);
    check(what, right);
  }

  int failures() const { return failures_; }
  int checks() const { return checks_; }

 private:
  int failures_ = 0, checks_ = 0;
};

Report report;

// ---------------------------------------------------------------------------------------------------------
// Things that the device owns
// ---------------------------------------------------------------------------------------------------------

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size > 0) CUDA_OK(cudaMalloc(&data_, size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { upload(values); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() {
    if (data_ != nullptr) CUDA_OK(cudaFree(data_));
  }

  void upload(const std::vector<T>& values) {
    CUDA_OK(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    CUDA_OK(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  void clear() { CUDA_OK(cudaMemset(data_, 0, size_ * sizeof(T))); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array of the host that the device can copy from while the host goes on.
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) : size_(size) { CUDA_OK(cudaMallocHost(&data_, size * sizeof(T))); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { CUDA_OK(cudaFreeHost(data_)); }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

class Stream {
 public:
  Stream() { CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { CUDA_OK(cudaStreamDestroy(stream_)); }
  operator cudaStream_t() const { return stream_; }
  void wait() const { CUDA_OK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { CUDA_OK(cudaEventCreate(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { CUDA_OK(cudaEventDestroy(event_)); }
  void record(cudaStream_t stream) { CUDA_OK(cudaEventRecord(event_, stream)); }
  void wait() const { CUDA_OK(cudaEventSynchronize(event_)); }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A picture in a CUDA array, read through a texture that interpolates and repeats the border.
class PictureTexture {
 public:
  PictureTexture(int width, int height) : width_(width), height_(height) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CUDA_OK(
        cudaMallocArray(&array_, &format, static_cast<std::size_t>(width), static_cast<std::size_t>(height)));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc texture = {};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModeLinear;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = 0;
    CUDA_OK(cudaCreateTextureObject(&object_, &resource, &texture, nullptr));
  }
  PictureTexture(const PictureTexture&) = delete;
  PictureTexture& operator=(const PictureTexture&) = delete;
  ~PictureTexture() {
    CUDA_OK(cudaDestroyTextureObject(object_));
    CUDA_OK(cudaFreeArray(array_));
  }

  void set(const float* device_pixels) {
    const std::size_t row = static_cast<std::size_t>(width_) * sizeof(float);
    CUDA_OK(cudaMemcpy2DToArray(array_, 0, 0, device_pixels, row, row, static_cast<std::size_t>(height_),
                                cudaMemcpyDeviceToDevice));
  }
  cudaTextureObject_t object() const { return object_; }

 private:
  int width_, height_;
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

// ---------------------------------------------------------------------------------------------------------
// The sky and the camera
// ---------------------------------------------------------------------------------------------------------

constexpr int kWidth = 128, kHeight = 64, kPixels = kWidth * kHeight;
constexpr int kStars = 16;
constexpr float kSigma = 1.4f;        // of a star's image, in pixels
constexpr float kBackground = 40.0f;  // counts a pixel, at the middle
constexpr float kNoise = 1.5f;        // counts, standard deviation
constexpr float kRotation = 0.02f;    // radians, of the camera against the sky

struct Star {
  float x, y, flux;
};

/// A generator of our own, so that the sky is the same everywhere.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  float uniform(float low, float high) {
    return low + (high - low) * static_cast<float>(bits() >> 8) * (1.0f / 16777216.0f);
  }

 private:
  std::uint32_t state_;
};

/// Stars at least thirteen pixels apart and away from the edge: none hides another.
std::vector<Star> make_sky(std::uint32_t seed) {
  Random random(seed);
  std::vector<Star> stars;
  while (stars.size() < kStars) {
    const Star star{random.uniform(10.0f, kWidth - 10.0f), random.uniform(8.0f, kHeight - 8.0f),
                    random.uniform(400.0f, 4000.0f)};
    bool alone = true;
    for (const Star& other : stars) alone &= std::hypot(star.x - other.x, star.y - other.y) > 13.0f;
    if (alone) stars.push_back(star);
  }
  return stars;
}

__constant__ Star sky[kStars];

__host__ __device__ inline float star_light(const Star& star, float x, float y) {
  const float dx = x - star.x, dy = y - star.y;
  const float r2 = (dx * dx + dy * dy) / (2.0f * kSigma * kSigma);
  return r2 > 12.5f ? 0.0f : star.flux / (2.0f * 3.14159265f * kSigma * kSigma) * expf(-r2);
}

/// Where the camera sees a point of the sky: turned about the middle.
__host__ __device__ inline float2 to_camera(float x, float y) {
  const float cx = kWidth / 2.0f, cy = kHeight / 2.0f;
  const float c = cosf(kRotation), s = sinf(kRotation);
  return make_float2(cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy));
}
__host__ __device__ inline float2 to_sky(float x, float y) {
  const float cx = kWidth / 2.0f, cy = kHeight / 2.0f;
  const float c = cosf(kRotation), s = sinf(kRotation);
  return make_float2(cx + c * (x - cx) + s * (y - cy), cy - s * (x - cx) + c * (y - cy));
}

/// How much of the light a pixel keeps: less towards the corners, and dust on a few columns.
__host__ __device__ inline float sensitivity(int x, int y) {
  const float dx = (x - kWidth / 2.0f) / kWidth, dy = (y - kHeight / 2.0f) / kHeight;
  const float vignette = 1.0f - 0.6f * (dx * dx + dy * dy);
  return x % 37 == 5 ? 0.9f * vignette : vignette;
}

/// The sky's own brightness, which grows to the right.
__host__ __device__ inline float sky_level(float x, float y) {
  return kBackground * (1.0f + 0.2f * (x / kWidth - 0.5f) + 0.1f * (y / kHeight - 0.5f));
}

__host__ __device__ inline float light_at(const Star* stars, int x, int y) {
  const float2 at = to_sky(x + 0.5f, y + 0.5f);
  float sum = sky_level(at.x, at.y);
  for (int i = 0; i < kStars; ++i) sum += star_light(stars[i], at.x, at.y);
  return sum * sensitivity(x, y);
}

__global__ void expose(float* frame, const float* noise) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const int i = y * kWidth + x;
  frame[i] = light_at(sky, x, y) + noise[i];
}

dim3 tiles() { return dim3((kWidth + 31) / 32, (kHeight + 7) / 8); }
dim3 tile() { return dim3(32, 8); }

/// Frames of one sky, each with noise of its own.
class Camera {
 public:
  explicit Camera(const std::vector<Star>& stars) : noise_(kPixels) {
    CUDA_OK(cudaMemcpyToSymbol(sky, stars.data(), sizeof sky));
    CURAND_OK(curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND_OK(curandSetPseudoRandomGeneratorSeed(generator_, 20240229ull));
  }
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;
  ~Camera() { CURAND_OK(curandDestroyGenerator(generator_)); }

  void take(float* frame) {
    CURAND_OK(curandGenerateNormal(generator_, noise_.data(), kPixels, 0.0f, kNoise));
    expose<<<tiles(), tile()>>>(frame, noise_.data());
    LAUNCHED();
  }
  std::vector<float> latest_noise() const { return noise_.download(); }

 private:
  curandGenerator_t generator_ = nullptr;
  DeviceArray<float> noise_;
};

void check_camera(Camera& camera, const std::vector<Star>& stars) {
  DeviceArray<float> frame(kPixels);
  camera.take(frame.data());
  const std::vector<float> noise = camera.latest_noise();
  std::vector<float> want(kPixels);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      want[y * kWidth + x] = light_at(stars.data(), x, y) + noise[y * kWidth + x];
  report.compare("a frame is the sky's light and the noise", frame.download(), want, 1e-5);
  const double mean = std::accumulate(noise.begin(), noise.end(), 0.0) / kPixels;
  double square = 0.0;
  for (const float v : noise) square += (v - mean) * (v - mean);
  report.check("the noise has the mean of noise", std::fabs(mean) < 0.1);
  report.check("the noise has the spread that was asked for",
               std::fabs(std::sqrt(square / kPixels) - kNoise) < 0.1);
}

// ---------------------------------------------------------------------------------------------------------
// Flat field: what a frame of an even light shows divides what the pixels keep out again
// ---------------------------------------------------------------------------------------------------------

__global__ void expose_flat(float* flat) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < kWidth && y < kHeight) flat[y * kWidth + x] = 1000.0f * sensitivity(x, y);
}

/// The sum of a block's values, in all its threads.
__device__ float block_sum(float value) {
  __shared__ float of_warp[32];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  for (int step = 16; step > 0; step /= 2) value += warp.shfl_down(value, step);
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    float sum = warp.thread_rank() < warp.meta_group_size() ? of_warp[warp.thread_rank()] : 0.0f;
    for (int step = 16; step > 0; step /= 2) sum += warp.shfl_down(sum, step);
    if (warp.thread_rank() == 0) of_warp[0] = sum;
  }
  block.sync();
  const float all = of_warp[0];
  block.sync();
  return all;
}

__global__ void sum_of(const float* values, int n, float* sum) {
  float mine = 0.0f;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    mine += values[i];
  const float all = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(sum, all);
}

__global__ void flatten(float* frame, const float* flat, const float* sum) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const int i = y * kWidth + x;
  frame[i] = frame[i] * (*sum / kPixels) / flat[i];
}

class FlatField {
 public:
  FlatField() : flat_(kPixels), sum_(1) {
    expose_flat<<<tiles(), tile()>>>(flat_.data());
    LAUNCHED();
    sum_.clear();
    sum_of<<<8, 256>>>(flat_.data(), kPixels, sum_.data());
    LAUNCHED();
    CUDA_OK(cudaDeviceSynchronize());
  }

  void apply(float* frame, cudaStream_t stream = nullptr) const {
    flatten<<<tiles(), tile(), 0, stream>>>(frame, flat_.data(), sum_.data());
    LAUNCHED();
  }
  float mean() const { return sum_.download()[0] / kPixels; }

 private:
  DeviceArray<float> flat_, sum_;
};

float flat_mean_of_host() {
  double sum = 0.0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) sum += 1000.0 * sensitivity(x, y);
  return static_cast<float>(sum / kPixels);
}

std::vector<float> flattened_on_host(std::vector<float> frame) {
  const float mean = flat_mean_of_host();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) frame[y * kWidth + x] *= mean / (1000.0f * sensitivity(x, y));
  return frame;
}

void check_flat(const FlatField& flat, const std::vector<float>& raw, const std::vector<float>& flattened) {
  report.check("the mean of the flat field",
               std::fabs(flat.mean() - flat_mean_of_host()) < 1e-3f * flat_mean_of_host());
  report.compare("flat fielding", flattened, flattened_on_host(raw), 1e-4);
}

// ---------------------------------------------------------------------------------------------------------
// Geometry: the frame turned back, through a texture that interpolates
// ---------------------------------------------------------------------------------------------------------

__global__ void straighten(cudaTextureObject_t frame, float* straight) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const float2 at = to_camera(x + 0.5f, y + 0.5f);
  straight[y * kWidth + x] = tex2D<float>(frame, at.x, at.y);
}

/// What a texture unit does: the place within a pixel has eight bits after the point.
float interpolated(const std::vector<float>& picture, float x, float y) {
  x -= 0.5f;
  y -= 0.5f;
  const float fx = std::floor(x), fy = std::floor(y);
  const float a = std::round((x - fx) * 256.0f) / 256.0f, b = std::round((y - fy) * 256.0f) / 256.0f;
  const auto at = [&](float i, float j) {
    const int column = std::clamp(static_cast<int>(i), 0, kWidth - 1);
    const int row = std::clamp(static_cast<int>(j), 0, kHeight - 1);
    return picture[static_cast<std::size_t>(row * kWidth + column)];
  };
  return (1 - a) * (1 - b) * at(fx, fy) + a * (1 - b) * at(fx + 1, fy) + (1 - a) * b * at(fx, fy + 1) +
         a * b * at(fx + 1, fy + 1);
}

void check_geometry(const std::vector<float>& frame, const std::vector<float>& straight,
                    const std::vector<Star>& stars) {
  std::vector<float> want(kPixels);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float2 at = to_camera(x + 0.5f, y + 0.5f);
      want[y * kWidth + x] = interpolated(frame, at.x, at.y);
    }
  report.compare("a texture turns the frame back", straight, want, 5e-3);
  // The brightest pixel near each star is where the sky has it.
  int found = 0;
  for (const Star& star : stars) {
    int best_x = 0, best_y = 0;
    float best = -1.0f;
    for (int y = static_cast<int>(star.y) - 3; y <= static_cast<int>(star.y) + 3; ++y)
      for (int x = static_cast<int>(star.x) - 3; x <= static_cast<int>(star.x) + 3; ++x)
        if (straight[y * kWidth + x] > best) best = straight[y * kWidth + x], best_x = x, best_y = y;
    found += std::hypot(best_x + 0.5f - star.x, best_y + 0.5f - star.y) < 1.6f;
  }
  report.check("the turned frame has its stars where the sky has them", found == kStars);
}

// ---------------------------------------------------------------------------------------------------------
// Background: a median of the rows of a cell, smoothed by a wide separable filter in shared memory
// ---------------------------------------------------------------------------------------------------------

constexpr int kRadius = 8;  // of the smoothing filter
__constant__ float smoothing[2 * kRadius + 1];

std::vector<float> smoothing_taps() {
  std::vector<float> taps;
  float sum = 0.0f;
  for (int k = -kRadius; k <= kRadius; ++k) {
    taps.push_back(std::exp(-static_cast<float>(k * k) / (2.0f * 16.0f)));
    sum += taps.back();
  }
  for (float& tap : taps) tap /= sum;
  return taps;
}

/// The middle of nine values, by the exchanges that leave it in the middle.
__host__ __device__ inline void order(float& a, float& b) {
  const float low = fminf(a, b), high = fmaxf(a, b);
  a = low;
  b = high;
}
__host__ __device__ inline float median_of_nine(float (&v)[9]) {
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
  order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
  order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
  order(v[4], v[2]);
  return v[4];
}

__host__ __device__ inline int kept(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/// Nine samples, four pixels apart: a star fills few of them.
__global__ void sparse_median(const float* frame, float* median) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  float v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k)
    v[k] = frame[kept(y + (k / 3 - 1) * 6, kHeight) * kWidth + kept(x + (k % 3 - 1) * 6, kWidth)];
  median[y * kWidth + x] = median_of_nine(v);
}

constexpr int kRowThreads = 64;

__global__ void smooth_rows(const float* in, float* out) {
  __shared__ float row[kRowThreads + 2 * kRadius];
  const int first = static_cast<int>(blockIdx.x) * kRowThreads, y = static_cast<int>(blockIdx.y);
  for (int i = static_cast<int>(threadIdx.x); i < kRowThreads + 2 * kRadius; i += kRowThreads)
    row[i] = in[y * kWidth + kept(first + i - kRadius, kWidth)];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k <= 2 * kRadius; ++k) sum += smoothing[k] * row[static_cast<int>(threadIdx.x) + k];
  out[y * kWidth + first + static_cast<int>(threadIdx.x)] = sum;
}

constexpr int kColumnTile = 32, kColumnRows = 8, kColumnSteps = 2;

__global__ void smooth_columns(const float* in, float* out) {
  constexpr int kTileRows = kColumnRows * kColumnSteps;
  __shared__ float part[kTileRows + 2 * kRadius][kColumnTile];
  const int x = static_cast<int>(blockIdx.x) * kColumnTile + static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.y) * kTileRows;
  for (int r = static_cast<int>(threadIdx.y); r < kTileRows + 2 * kRadius; r += kColumnRows)
    part[r][threadIdx.x] = in[kept(first + r - kRadius, kHeight) * kWidth + x];
  __syncthreads();
#pragma unroll
  for (int step = 0; step < kColumnSteps; ++step) {
    const int r = static_cast<int>(threadIdx.y) + step * kColumnRows;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k <= 2 * kRadius; ++k) sum += smoothing[k] * part[r + k][threadIdx.x];
    out[(first + r) * kWidth + x] = sum;
  }
}

__global__ void subtract(float* frame, const float* background) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kPixels) frame[i] -= background[i];
}

class Background {
 public:
  Background() : median_(kPixels), rows_(kPixels), level_(kPixels) {
    const std::vector<float> taps = smoothing_taps();
    CUDA_OK(cudaMemcpyToSymbol(smoothing, taps.data(), taps.size() * sizeof(float)));
  }
  void remove(float* frame, cudaStream_t stream = nullptr) {
    sparse_median<<<tiles(), tile(), 0, stream>>>(frame, median_.data());
    LAUNCHED();
    smooth_rows<<<dim3(kWidth / kRowThreads, kHeight), kRowThreads, 0, stream>>>(median_.data(),
                                                                                 rows_.data());
    LAUNCHED();
    smooth_columns<<<dim3(kWidth / kColumnTile, kHeight / (kColumnRows * kColumnSteps)),
                     dim3(kColumnTile, kColumnRows), 0, stream>>>(rows_.data(), level_.data());
    LAUNCHED();
    subtract<<<(kPixels + 255) / 256, 256, 0, stream>>>(frame, level_.data());
    LAUNCHED();
  }
  std::vector<float> level() const { return level_.download(); }

 private:
  DeviceArray<float> median_, rows_, level_;
};

std::vector<float> background_on_host(const std::vector<float>& frame) {
  std::vector<float> median(kPixels), rows(kPixels), level(kPixels);
  const std::vector<float> taps = smoothing_taps();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      std::vector<float> v;
      for (int k = 0; k < 9; ++k)
        v.push_back(frame[kept(y + (k / 3 - 1) * 6, kHeight) * kWidth + kept(x + (k % 3 - 1) * 6, kWidth)]);
      std::nth_element(v.begin(), v.begin() + 4, v.end());
      median[y * kWidth + x] = v[4];
    }
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        rows[y * kWidth + x] += taps[k + kRadius] * median[y * kWidth + kept(x + k, kWidth)];
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        level[y * kWidth + x] += taps[k + kRadius] * rows[kept(y + k, kHeight) * kWidth + x];
  return level;
}

void check_background(const std::vector<float>& straight, const std::vector<float>& level) {
  report.compare("background by medians and a separable filter", level, background_on_host(straight), 1e-4);
  double worst = 0.0;
  for (int y = 12; y < kHeight - 12; ++y)
    for (int x = 12; x < kWidth - 12; ++x)
      worst = std::max(worst, std::fabs(level[y * kWidth + x] / sky_level(x + 0.5f, y + 0.5f) - 1.0));
  report.check("the background is near the sky's level", worst < 0.2);
}

// ---------------------------------------------------------------------------------------------------------
// Noise: mean and spread, without what stands out
// ---------------------------------------------------------------------------------------------------------

constexpr int kBins = 256;
constexpr float kBinLow = -32.0f, kBinWidth = 0.25f;

/// Counts of values; what lies outside goes to the first and the last bin.
__global__ void histogram(const float* values, int n, unsigned* bins) {
  __shared__ unsigned own[kBins];
  for (int b = static_cast<int>(threadIdx.x); b < kBins; b += static_cast<int>(blockDim.x)) own[b] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const int bin = static_cast<int>(floorf((values[i] - kBinLow) / kBinWidth));
    atomicAdd(&own[kept(bin, kBins)], 1u);
  }
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < kBins; b += static_cast<int>(blockDim.x))
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
}

/// Where the sum of a histogram passes a part of all.
float quantile(const std::vector<unsigned>& bins, double part) {
  const double all = std::accumulate(bins.begin(), bins.end(), 0.0);
  double sum = 0.0;
  for (int b = 0; b < kBins; ++b) {
    const double before = sum;
    sum += bins[b];
    if (sum >= part * all)
      return kBinLow + kBinWidth * static_cast<float>(b + (part * all - before) / std::max(1u, bins[b]));
  }
  return kBinLow + kBinWidth * kBins;
}

struct Level {
  float middle, spread;
};

Level measure_noise(const float* frame) {
  DeviceArray<unsigned> bins(kBins);
  bins.clear();
  histogram<<<8, 256>>>(frame, kPixels, bins.data());
  LAUNCHED();
  const std::vector<unsigned> counts = bins.download();
  const float low = quantile(counts, 0.1587), middle = quantile(counts, 0.5);
  return {middle, middle - low};
}

void check_noise(const std::vector<float>& frame, const Level& level) {
  std::vector<float> sorted = frame;
  std::sort(sorted.begin(), sorted.end());
  const float middle = sorted[kPixels / 2], low = sorted[static_cast<std::size_t>(kPixels * 0.1587)];
  report.check("the middle of a histogram is the median", std::fabs(level.middle - middle) < 2 * kBinWidth);
  report.check("its spread is that of the sorted values",
               std::fabs(level.spread - (middle - low)) < 3 * kBinWidth);
}

// ---------------------------------------------------------------------------------------------------------
// Matched filter: the frame convolved with a star's image, in Fourier space
// ---------------------------------------------------------------------------------------------------------

/// A star in the corner, wrapped around the edges, of which all pixels together are one.
__global__ void make_kernel(float* kernel, float total) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const float dx = static_cast<float>(min(x, kWidth - x)), dy = static_cast<float>(min(y, kHeight - y));
  const float r2 = (dx * dx + dy * dy) / (2.0f * kSigma * kSigma);
  kernel[y * kWidth + x] = r2 > 12.5f ? 0.0f : expf(-r2) / total;
}

__global__ void multiply(cufftComplex* a, const cufftComplex* b, int n, float scale) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const cufftComplex x = a[i], y = b[i];
  a[i] = make_cuComplex((x.x * y.x - x.y * y.y) * scale, (x.x * y.y + x.y * y.x) * scale);
}

std::vector<float> kernel_on_host() {
  std::vector<float> kernel(kPixels);
  double total = 0.0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float dx = static_cast<float>(std::min(x, kWidth - x)),
                  dy = static_cast<float>(std::min(y, kHeight - y));
      const float r2 = (dx * dx + dy * dy) / (2.0f * kSigma * kSigma);
      total += kernel[y * kWidth + x] = r2 > 12.5f ? 0.0f : std::exp(-r2);
    }
  for (float& v : kernel) v /= static_cast<float>(total);
  return kernel;
}

class MatchedFilter {
 public:
  static constexpr int kHalf = kHeight * (kWidth / 2 + 1);

  MatchedFilter() : spectrum_(kHalf), filter_(kHalf) {
    CUFFT_OK(cufftPlan2d(&forward_, kHeight, kWidth, CUFFT_R2C));
    CUFFT_OK(cufftPlan2d(&back_, kHeight, kWidth, CUFFT_C2R));
    float total = 0.0f;
    for (int y = -8; y <= 8; ++y)
      for (int x = -8; x <= 8; ++x) {
        const float r2 = static_cast<float>(x * x + y * y) / (2.0f * kSigma * kSigma);
        total += r2 > 12.5f ? 0.0f : std::exp(-r2);
      }
    DeviceArray<float> kernel(kPixels);
    make_kernel<<<tiles(), tile()>>>(kernel.data(), total);
    LAUNCHED();
    CUFFT_OK(cufftExecR2C(forward_, kernel.data(), filter_.data()));
    CUDA_OK(cudaDeviceSynchronize());
  }
  MatchedFilter(const MatchedFilter&) = delete;
  MatchedFilter& operator=(const MatchedFilter&) = delete;
  ~MatchedFilter() {
    CUFFT_OK(cufftDestroy(forward_));
    CUFFT_OK(cufftDestroy(back_));
  }

  void apply(const float* frame, float* filtered, cudaStream_t stream = nullptr) {
    CUFFT_OK(cufftSetStream(forward_, stream));
    CUFFT_OK(cufftSetStream(back_, stream));
    CUFFT_OK(cufftExecR2C(forward_, const_cast<float*>(frame), spectrum_.data()));
    multiply<<<(kHalf + 255) / 256, 256, 0, stream>>>(spectrum_.data(), filter_.data(), kHalf,
                                                      1.0f / kPixels);
    LAUNCHED();
    CUFFT_OK(cufftExecC2R(back_, spectrum_.data(), filtered));
  }

 private:
  cufftHandle forward_ = 0, back_ = 0;
  DeviceArray<cufftComplex> spectrum_, filter_;
};

void check_filter(const std::vector<float>& frame, const std::vector<float>& filtered) {
  const std::vector<float> kernel = kernel_on_host();
  std::vector<float> want(kPixels);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      double sum = 0.0;
      for (int j = -8; j <= 8; ++j)
        for (int i = -8; i <= 8; ++i)
          sum += kernel[(j + kHeight) % kHeight * kWidth + (i + kWidth) % kWidth] *
                 frame[(y - j + kHeight) % kHeight * kWidth + (x - i + kWidth) % kWidth];
      want[y * kWidth + x] = static_cast<float>(sum);
    }
  report.compare("a convolution through cuFFT is the sum that it stands for", filtered, want, 1e-4);
}

// ---------------------------------------------------------------------------------------------------------
// Detection: connected pixels above a threshold, labelled by union and find
// ---------------------------------------------------------------------------------------------------------

constexpr int kNone = -1;

__global__ void begin_labels(const float* filtered, float threshold, int* labels) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kPixels) labels[i] = filtered[i] > threshold ? i : kNone;
}

/// Other threads may lower what is read here: it is read and written as atomics only.
__device__ int root_of(int* labels, int i) {
  int next = atomicAdd(&labels[i], 0);
  while (next != i) {
    i = next;
    next = atomicAdd(&labels[i], 0);
  }
  return i;
}

__device__ void join(int* labels, int a, int b) {
  for (;;) {
    a = root_of(labels, a);
    b = root_of(labels, b);
    if (a == b) return;
    if (a < b) {
      const int other = a;
      a = b;
      b = other;
    }
    const int before = atomicMin(&labels[a], b);
    if (before == a) return;
    a = before;
  }
}

__global__ void join_neighbours(const float* filtered, float threshold, int* labels) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const int i = y * kWidth + x;
  if (!(filtered[i] > threshold)) return;
  if (x + 1 < kWidth && filtered[i + 1] > threshold) join(labels, i, i + 1);
  if (y + 1 < kHeight && filtered[i + kWidth] > threshold) join(labels, i, i + kWidth);
}

__global__ void end_labels(const int* joined, int* labels) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= kPixels) return;
  int root = joined[i];
  while (root != kNone && joined[root] != root) root = joined[root];
  labels[i] = root;
}

void label(const float* filtered, float threshold, DeviceArray<int>& labels) {
  DeviceArray<int> joined(kPixels);
  begin_labels<<<(kPixels + 255) / 256, 256>>>(filtered, threshold, joined.data());
  LAUNCHED();
  join_neighbours<<<tiles(), tile()>>>(filtered, threshold, joined.data());
  LAUNCHED();
  end_labels<<<(kPixels + 255) / 256, 256>>>(joined.data(), labels.data());
  LAUNCHED();
  CUDA_OK(cudaDeviceSynchronize());
}

std::vector<int> labels_on_host(const std::vector<float>& filtered, float threshold) {
  std::vector<int> labels(kPixels, kNone);
  for (int start = 0; start < kPixels; ++start) {
    if (!(filtered[start] > threshold) || labels[start] != kNone) continue;
    std::vector<int> open = {start};
    labels[start] = start;
    while (!open.empty()) {
      const int i = open.back(), x = i % kWidth, y = i / kWidth;
      open.pop_back();
      const auto visit = [&](bool inside, int j) {
        if (!inside || !(filtered[j] > threshold) || labels[j] != kNone) return;
        labels[j] = start;
        open.push_back(j);
      };
      visit(x > 0, i - 1);
      visit(x + 1 < kWidth, i + 1);
      visit(y > 0, i - kWidth);
      visit(y + 1 < kHeight, i + kWidth);
    }
  }
  return labels;
}

void check_labels(const std::vector<float>& filtered, float threshold, const std::vector<int>& labels) {
  report.check("connected pixels have one label, the lowest of their places",
               labels == labels_on_host(filtered, threshold));
}

// ---------------------------------------------------------------------------------------------------------
// Catalogue: pixels to sources, with Thrust
// ---------------------------------------------------------------------------------------------------------

/// What the pixels of a source add up to.
struct Moments {
  float flux, x, y;
  int pixels;
};

struct AddMoments {
  __host__ __device__ Moments operator()(const Moments& a, const Moments& b) const {
    return {a.flux + b.flux, a.x + b.x, a.y + b.y, a.pixels + b.pixels};
  }
};

struct PixelMoments {
  const float* frame;
  __host__ __device__ Moments operator()(int i) const {
    const float flux = frame[i];
    return {flux, flux * (i % kWidth + 0.5f), flux * (i / kWidth + 0.5f), 1};
  }
};

struct IsLabelled {
  const int* labels;
  __host__ __device__ bool operator()(int i) const { return labels[i] != kNone; }
};

struct LabelOf {
  const int* labels;
  __host__ __device__ int operator()(int i) const { return labels[i]; }
};

struct Source {
  float x, y, flux;
  int pixels;
};

struct ToSource {
  __host__ __device__ Source operator()(const Moments& m) const {
    return {m.x / m.flux, m.y / m.flux, m.flux, m.pixels};
  }
};

struct IsLarge {
  __host__ __device__ bool operator()(const Source& s) const { return s.pixels >= 4; }
};

struct Brighter {
  __host__ __device__ bool operator()(const Source& a, const Source& b) const { return a.flux > b.flux; }
};

struct FluxOf {
  __host__ __device__ float operator()(const Source& s) const { return s.flux; }
};

/// Sources of at least four pixels, the brightest first.
thrust::device_vector<Source> catalogue_of(const DeviceArray<float>& frame, const DeviceArray<int>& labels) {
  const auto labelled = thrust::count_if(thrust::device, thrust::counting_iterator<int>(0),
                                         thrust::counting_iterator<int>(kPixels), IsLabelled{labels.data()});
  thrust::device_vector<int> pixels(static_cast<std::size_t>(labelled));
  thrust::copy_if(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(kPixels),
                  pixels.begin(), IsLabelled{labels.data()});
  thrust::device_vector<int> keys(pixels.size());
  thrust::transform(pixels.begin(), pixels.end(), keys.begin(), LabelOf{labels.data()});
  thrust::stable_sort_by_key(keys.begin(), keys.end(), pixels.begin());

  thrust::device_vector<Moments> of_pixel(pixels.size());
  thrust::transform(pixels.begin(), pixels.end(), of_pixel.begin(), PixelMoments{frame.data()});
  thrust::device_vector<int> found(pixels.size());
  thrust::device_vector<Moments> sums(pixels.size());
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), of_pixel.begin(), found.begin(),
                                          sums.begin(), thrust::equal_to<int>(), AddMoments());
  sums.resize(static_cast<std::size_t>(ends.second - sums.begin()));

  thrust::device_vector<Source> all(sums.size()), large(sums.size());
  thrust::transform(sums.begin(), sums.end(), all.begin(), ToSource());
  const auto end = thrust::copy_if(all.begin(), all.end(), large.begin(), IsLarge());
  large.resize(static_cast<std::size_t>(end - large.begin()));
  thrust::sort(large.begin(), large.end(), Brighter());
  return large;
}

std::vector<Source> catalogue_on_host(const std::vector<float>& frame, const std::vector<int>& labels) {
  std::map<int, Moments> sums;
  for (int i = 0; i < kPixels; ++i) {
    if (labels[i] == kNone) continue;
    const Moments one = PixelMoments{frame.data()}(i);
    const auto [at, fresh] = sums.emplace(labels[i], one);
    if (!fresh) at->second = AddMoments()(at->second, one);
  }
  std::vector<Source> sources;
  for (const auto& [label, moments] : sums)
    if (const Source source = ToSource()(moments); IsLarge()(source)) sources.push_back(source);
  std::sort(sources.begin(), sources.end(), Brighter());
  return sources;
}

void check_catalogue(const std::vector<Source>& got, const std::vector<Source>& want) {
  report.check("the catalogue has as many sources as the host finds", got.size() == want.size());
  std::vector<float> g, w;
  for (const Source& s : got) g.insert(g.end(), {s.x, s.y, s.flux, static_cast<float>(s.pixels)});
  for (const Source& s : want) w.insert(w.end(), {s.x, s.y, s.flux, static_cast<float>(s.pixels)});
  report.compare("places, fluxes and sizes of the sources", g, w, 1e-4);
  report.check("they are sorted by brightness", std::is_sorted(got.begin(), got.end(), Brighter()));
}

/// Numbers that a page about the catalogue would show.
struct Statistics {
  float total, brightest, mean;
  int over_mean;
};

struct OverMean {
  float mean;
  __host__ __device__ bool operator()(const Source& s) const { return s.flux > mean; }
};

Statistics statistics_of(const thrust::device_vector<Source>& sources) {
  Statistics s{};
  s.total = thrust::transform_reduce(sources.begin(), sources.end(), FluxOf(), 0.0f, thrust::plus<float>());
  thrust::device_vector<float> fluxes(sources.size());
  thrust::transform(sources.begin(), sources.end(), fluxes.begin(), FluxOf());
  s.brightest = *thrust::max_element(fluxes.begin(), fluxes.end());
  s.mean = s.total / static_cast<float>(sources.size());
  s.over_mean = static_cast<int>(thrust::count_if(sources.begin(), sources.end(), OverMean{s.mean}));
  return s;
}

void check_statistics(const thrust::device_vector<Source>& sources, const std::vector<Source>& host) {
  const Statistics s = statistics_of(sources);
  double total = 0.0;
  for (const Source& source : host) total += source.flux;
  const double mean = total / static_cast<double>(host.size());
  const auto over =
      std::count_if(host.begin(), host.end(), [&](const Source& one) { return one.flux > mean; });
  report.check("the sum of all fluxes", std::fabs(s.total - total) < 1e-4 * total);
  report.check("the brightest source", s.brightest == host.front().flux);
  report.check("sources brighter than the mean", s.over_mean == over);
  // Their part of all light, the brightest first, as a running sum.
  thrust::device_vector<float> part(sources.size());
  thrust::transform(sources.begin(), sources.end(), part.begin(), FluxOf());
  thrust::inclusive_scan(part.begin(), part.end(), part.begin());
  const thrust::host_vector<float> running = part;
  double sum = 0.0;
  bool right = running.size() == host.size();
  for (std::size_t i = 0; right && i < host.size(); ++i) {
    sum += host[i].flux;
    right = std::fabs(running[i] - sum) < 1e-4 * total;
  }
  report.check("running sums of the fluxes", right);
}

// ---------------------------------------------------------------------------------------------------------
// Matching: to each source the nearest star of the reference, by cells of a grid
// ---------------------------------------------------------------------------------------------------------

constexpr int kCell = 16, kCellsX = kWidth / kCell, kCellsY = kHeight / kCell, kCells = kCellsX * kCellsY;

__host__ __device__ inline int cell_of(float x, float y) {
  return kept(static_cast<int>(y) / kCell, kCellsY) * kCellsX + kept(static_cast<int>(x) / kCell, kCellsX);
}

struct CellOfStar {
  __host__ __device__ int operator()(const Star& s) const { return cell_of(s.x, s.y); }
};

/// begins[c] and ends[c]: the stars of cell c in the sorted list.
__global__ void find_cells(const int* cells, int n, int* begins, int* ends) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int cell = cells[i];
  if (i == 0 || cells[i - 1] != cell) begins[cell] = i;
  if (i == n - 1 || cells[i + 1] != cell) ends[cell] = i + 1;
}

struct Match {
  int star;
  float distance;
};

__global__ void match(const Source* sources, int n, const Star* stars, const int* begins, const int* ends,
                      float limit, Match* matches) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float x = sources[i].x, y = sources[i].y;
  Match best{kNone, limit};
  const int cx = kept(static_cast<int>(x) / kCell, kCellsX), cy = kept(static_cast<int>(y) / kCell, kCellsY);
  for (int j = max(cy - 1, 0); j <= min(cy + 1, kCellsY - 1); ++j)
    for (int k = max(cx - 1, 0); k <= min(cx + 1, kCellsX - 1); ++k)
      for (int s = begins[j * kCellsX + k]; s < ends[j * kCellsX + k]; ++s) {
        const float distance = hypotf(stars[s].x - x, stars[s].y - y);
        if (distance < best.distance) best = {s, distance};
      }
  matches[i] = best;
}

class Reference {
 public:
  explicit Reference(const std::vector<Star>& stars)
      : stars_(stars.begin(), stars.end()), begins_(kCells), ends_(kCells) {
    thrust::device_vector<int> cells(stars.size());
    thrust::transform(stars_.begin(), stars_.end(), cells.begin(), CellOfStar());
    thrust::sort_by_key(cells.begin(), cells.end(), stars_.begin());
    begins_.clear();
    ends_.clear();
    const int n = static_cast<int>(stars.size());
    find_cells<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(cells.data()), n, begins_.data(),
                                         ends_.data());
    LAUNCHED();
    CUDA_OK(cudaDeviceSynchronize());
  }

  std::vector<Match> match_all(const thrust::device_vector<Source>& sources, float limit) const {
    const int n = static_cast<int>(sources.size());
    DeviceArray<Match> matches(sources.size());
    match<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(sources.data()), n,
                                    thrust::raw_pointer_cast(stars_.data()), begins_.data(), ends_.data(),
                                    limit, matches.data());
    LAUNCHED();
    return matches.download();
  }
  std::vector<Star> sorted() const {
    std::vector<Star> stars(stars_.size());
    thrust::copy(stars_.begin(), stars_.end(), stars.begin());
    return stars;
  }

 private:
  thrust::device_vector<Star> stars_;
  DeviceArray<int> begins_, ends_;
};

void check_matches(const std::vector<Source>& sources, const std::vector<Star>& stars,
                   const std::vector<Match>& matches) {
  bool same = matches.size() == sources.size();
  std::vector<bool> found(stars.size(), false);
  for (std::size_t i = 0; same && i < sources.size(); ++i) {
    float best = 3.0f;
    int star = kNone;
    for (std::size_t s = 0; s < stars.size(); ++s) {
      const float distance = std::hypot(stars[s].x - sources[i].x, stars[s].y - sources[i].y);
      if (distance < best) best = distance, star = static_cast<int>(s);
    }
    same = star == matches[i].star;
    if (star != kNone) found[static_cast<std::size_t>(star)] = true;
  }
  report.check("the grid finds the nearest star of each source", same);
  int bright = 0, bright_found = 0;
  for (std::size_t s = 0; s < stars.size(); ++s)
    if (stars[s].flux > 700.0f) ++bright, bright_found += found[s];
  if (bright_found != bright) std::printf("  %d of %d\n", bright_found, bright);
  report.check("all but the faintest stars were found", bright_found == bright);
}

// ---------------------------------------------------------------------------------------------------------
// Calibration: measured fluxes as a linear function of true ones and of the place, by least squares
// ---------------------------------------------------------------------------------------------------------

constexpr int kTerms = 4;  // 1, true flux, x, y

/// The rows of the design, column by column as cuBLAS has matrices, and the measured fluxes.
__global__ void make_design(const Source* sources, const Star* stars, const int* star_of, int n,
                            float* design, float* measured) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const Source s = sources[i];
  const Star star = stars[star_of[i]];
  design[i] = 1.0f;
  design[n + i] = star.flux / 1000.0f;
  design[2 * n + i] = s.x / kWidth;
  design[3 * n + i] = s.y / kHeight;
  measured[i] = s.flux / 1000.0f;
}

/// a x = b for a symmetric positive a of kTerms rows, by Cholesky's factors.
std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
  for (int j = 0; j < kTerms; ++j) {
    for (int k = 0; k < j; ++k) a[j * kTerms + j] -= a[j * kTerms + k] * a[j * kTerms + k];
    a[j * kTerms + j] = std::sqrt(a[j * kTerms + j]);
    for (int i = j + 1; i < kTerms; ++i) {
      for (int k = 0; k < j; ++k) a[i * kTerms + j] -= a[i * kTerms + k] * a[j * kTerms + k];
      a[i * kTerms + j] /= a[j * kTerms + j];
    }
  }
  for (int i = 0; i < kTerms; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= a[i * kTerms + k] * b[k];
    b[i] /= a[i * kTerms + i];
  }
  for (int i = kTerms - 1; i >= 0; --i) {
    for (int k = i + 1; k < kTerms; ++k) b[i] -= a[k * kTerms + i] * b[k];
    b[i] /= a[i * kTerms + i];
  }
  return b;
}

class Calibration {
 public:
  Calibration() { CUBLAS_OK(cublasCreate(&handle_)); }
  Calibration(const Calibration&) = delete;
  Calibration& operator=(const Calibration&) = delete;
  ~Calibration() { CUBLAS_OK(cublasDestroy(handle_)); }

  /// The terms' coefficients; `design` and `measured` are left on the device.
  std::vector<double> fit(const DeviceArray<float>& design, const DeviceArray<float>& measured, int n) {
    DeviceArray<float> normal(kTerms * kTerms), right(kTerms);
    const float one = 1.0f, zero = 0.0f;
    CUBLAS_OK(cublasSgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, kTerms, kTerms, n, &one, design.data(), n,
                          design.data(), n, &zero, normal.data(), kTerms));
    CUBLAS_OK(cublasSgemv(handle_, CUBLAS_OP_T, n, kTerms, &one, design.data(), n, measured.data(), 1, &zero,
                          right.data(), 1));
    const std::vector<float> a = normal.download(), b = right.download();
    return solve({a.begin(), a.end()}, {b.begin(), b.end()});
  }

  /// The length of what the fit leaves.
  float residual(const DeviceArray<float>& design, DeviceArray<float>& measured, int n,
                 const std::vector<double>& fitted) {
    const DeviceArray<float> x(std::vector<float>(fitted.begin(), fitted.end()));
    const float one = 1.0f, minus = -1.0f;
    CUBLAS_OK(cublasSgemv(handle_, CUBLAS_OP_N, n, kTerms, &minus, design.data(), n, x.data(), 1, &one,
                          measured.data(), 1));
    float length = 0.0f;
    CUBLAS_OK(cublasSnrm2(handle_, n, measured.data(), 1, &length));
    return length;
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

void calibrate(const thrust::device_vector<Source>& sources, const std::vector<Match>& matches,
               const std::vector<Star>& stars) {
  std::vector<int> star_of;
  std::vector<Source> matched;
  const thrust::host_vector<Source> all = sources;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (matches[i].star != kNone) {
      matched.push_back(all[i]);
      star_of.push_back(matches[i].star);
    }
  const int n = static_cast<int>(matched.size());
  const DeviceArray<Source> device_sources(matched);
  const DeviceArray<Star> device_stars(stars);
  const DeviceArray<int> device_star_of(star_of);
  DeviceArray<float> design(static_cast<std::size_t>(n) * kTerms), measured(static_cast<std::size_t>(n));
  make_design<<<(n + 63) / 64, 64>>>(device_sources.data(), device_stars.data(), device_star_of.data(), n,
                                     design.data(), measured.data());
  LAUNCHED();
  Calibration calibration;
  const std::vector<double> fitted = calibration.fit(design, measured, n);

  std::vector<double> a(kTerms * kTerms), b(kTerms);
  const std::vector<float> rows = design.download(), y = measured.download();
  for (int i = 0; i < kTerms; ++i)
    for (int k = 0; k < n; ++k) {
      b[i] += static_cast<double>(rows[i * n + k]) * y[k];
      for (int j = 0; j < kTerms; ++j)
        a[i * kTerms + j] += static_cast<double>(rows[i * n + k]) * rows[j * n + k];
    }
  report.compare("least squares through cuBLAS", fitted, solve(a, b), 2e-2);
  report.check("the camera keeps most of a star's light", fitted[1] > 0.6 && fitted[1] < 1.3);
  const float left = calibration.residual(design, measured, n, fitted);
  double want = 0.0;
  for (int k = 0; k < n; ++k) {
    double model = 0.0;
    for (int i = 0; i < kTerms; ++i) model += fitted[i] * rows[i * n + k];
    want += (y[k] - model) * (y[k] - model);
  }
  report.check("what the fit leaves", std::fabs(left - std::sqrt(want)) < 1e-3 * (1.0 + std::sqrt(want)));
}

// ---------------------------------------------------------------------------------------------------------
// Frames through two streams, with pinned memory, events and a graph
// ---------------------------------------------------------------------------------------------------------

/// What one stream needs of its own.
struct Lane {
  Stream stream;
  PinnedArray<float> in{kPixels}, out{kPixels};
  DeviceArray<float> frame{kPixels};
  Background background;
  Event done;
};

std::vector<std::vector<float>> process_frames(const FlatField& flat,
                                               const std::vector<std::vector<float>>& raw) {
  Lane lanes[2];
  std::vector<std::vector<float>> results;
  for (std::size_t i = 0; i < raw.size() + 2; ++i) {
    Lane& lane = lanes[i % 2];
    if (i >= 2) {  // what this lane was given two turns ago
      lane.done.wait();
      results.emplace_back(lane.out.data(), lane.out.data() + kPixels);
    }
    if (i >= raw.size()) continue;
    std::copy(raw[i].begin(), raw[i].end(), lane.in.data());
    CUDA_OK(cudaMemcpyAsync(lane.frame.data(), lane.in.data(), lane.in.bytes(), cudaMemcpyHostToDevice,
                            lane.stream));
    flat.apply(lane.frame.data(), lane.stream);
    lane.background.remove(lane.frame.data(), lane.stream);
    CUDA_OK(cudaMemcpyAsync(lane.out.data(), lane.frame.data(), lane.out.bytes(), cudaMemcpyDeviceToHost,
                            lane.stream));
    lane.done.record(lane.stream);
  }
  return results;
}

/// The same work recorded once and replayed for each frame.
std::vector<std::vector<float>> replay_frames(const FlatField& flat,
                                              const std::vector<std::vector<float>>& raw) {
  Lane lane;
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(lane.stream, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(cudaMemcpyAsync(lane.frame.data(), lane.in.data(), lane.in.bytes(), cudaMemcpyHostToDevice,
                          lane.stream));
  flat.apply(lane.frame.data(), lane.stream);
  lane.background.remove(lane.frame.data(), lane.stream);
  CUDA_OK(cudaMemcpyAsync(lane.out.data(), lane.frame.data(), lane.out.bytes(), cudaMemcpyDeviceToHost,
                          lane.stream));
  CUDA_OK(cudaStreamEndCapture(lane.stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<std::vector<float>> results;
  for (const std::vector<float>& frame : raw) {
    std::copy(frame.begin(), frame.end(), lane.in.data());
    CUDA_OK(cudaGraphLaunch(exec, lane.stream));
    lane.stream.wait();
    results.emplace_back(lane.out.data(), lane.out.data() + kPixels);
  }
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  return results;
}

/// The mean of frames, summed where they lie.
__global__ void add_frame(float* sum, const float* frame) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kPixels) sum[i] += frame[i];
}
__global__ void scale(float* values, int n, float factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] *= factor;
}

std::vector<float> stacked(const std::vector<std::vector<float>>& frames) {
  DeviceArray<float> sum(kPixels), frame(kPixels);
  sum.clear();
  for (const std::vector<float>& one : frames) {
    frame.upload(one);
    add_frame<<<(kPixels + 255) / 256, 256>>>(sum.data(), frame.data());
    LAUNCHED();
  }
  scale<<<(kPixels + 255) / 256, 256>>>(sum.data(), kPixels, 1.0f / static_cast<float>(frames.size()));
  LAUNCHED();
  return sum.download();
}

void check_frames(Camera& camera, const FlatField& flat) {
  constexpr int kFrames = 4;
  std::vector<std::vector<float>> raw;
  DeviceArray<float> frame(kPixels);
  for (int i = 0; i < kFrames; ++i) {
    camera.take(frame.data());
    raw.push_back(frame.download());
  }
  const std::vector<std::vector<float>> processed = process_frames(flat, raw);
  std::vector<float> first = flattened_on_host(raw[0]);
  const std::vector<float> level = background_on_host(first);
  for (int i = 0; i < kPixels; ++i) first[i] -= level[i];
  report.compare("a frame through a stream", processed[0], first, 1e-3);
  report.check("a graph gives what two streams give", replay_frames(flat, raw) == processed);
  const std::vector<float> stack = stacked(processed);
  std::vector<float> want(kPixels, 0.0f);
  for (const std::vector<float>& one : processed)
    for (int i = 0; i < kPixels; ++i) want[i] += one[i] / kFrames;
  report.compare("a stack is the mean of its frames", stack, want, 1e-5);
  // Noise goes down with the root of the number of frames.
  const auto spread = [](const std::vector<float>& values) {
    std::vector<float> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[kPixels / 2] - sorted[static_cast<std::size_t>(kPixels * 0.1587)];
  };
  report.check("a stack has less noise than a frame", spread(stack) < 0.8f * spread(processed[0]));
}

// ---------------------------------------------------------------------------------------------------------
// Moving sources: a small system of bodies, by tiles in shared memory
// ---------------------------------------------------------------------------------------------------------

constexpr int kBodies = 64;
constexpr float kSoftening = 0.05f, kStep = 0.01f;

struct Body {
  float4 place;  // and mass
  float4 speed;
};

/// The pull of all bodies on the calling thread's.
__device__ float3 pull(const float4* places, const float4 own) {
  __shared__ float4 part[kBodies / 2];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < kBodies; first += kBodies / 2) {
    if (threadIdx.x < kBodies / 2) part[threadIdx.x] = places[first + static_cast<int>(threadIdx.x)];
    __syncthreads();
    for (int k = 0; k < kBodies / 2; ++k) {
      const float4 other = part[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening * kSoftening);
      const float strength = other.w * inverse * inverse * inverse;
      sum.x += strength * dx;
      sum.y += strength * dy;
      sum.z += strength * dz;
    }
    __syncthreads();
  }
  return sum;
}

/// Half a step of speeds, a step of places; the places go to another array, which the second half reads.
__global__ void drift(const float4* places, float4* next, float4* speeds) {
  const int i = static_cast<int>(threadIdx.x);
  float4 place = places[i], speed = speeds[i];
  const float3 a = pull(places, place);
  speed.x += a.x * kStep / 2, speed.y += a.y * kStep / 2, speed.z += a.z * kStep / 2;
  place.x += speed.x * kStep, place.y += speed.y * kStep, place.z += speed.z * kStep;
  next[i] = place;
  speeds[i] = speed;
}
__global__ void kick(const float4* places, float4* speeds) {
  const int i = static_cast<int>(threadIdx.x);
  const float3 a = pull(places, places[i]);
  float4 speed = speeds[i];
  speed.x += a.x * kStep / 2, speed.y += a.y * kStep / 2, speed.z += a.z * kStep / 2;
  speeds[i] = speed;
}

double energy_of(const std::vector<float4>& places, const std::vector<float4>& speeds) {
  double energy = 0.0;
  for (int i = 0; i < kBodies; ++i) {
    const double v2 = static_cast<double>(speeds[i].x) * speeds[i].x +
                      static_cast<double>(speeds[i].y) * speeds[i].y +
                      static_cast<double>(speeds[i].z) * speeds[i].z;
    energy += 0.5 * places[i].w * v2;
    for (int j = 0; j < i; ++j) {
      const double dx = places[i].x - places[j].x, dy = places[i].y - places[j].y,
                   dz = places[i].z - places[j].z;
      energy -= static_cast<double>(places[i].w) * places[j].w /
                std::sqrt(dx * dx + dy * dy + dz * dz + kSoftening * kSoftening);
    }
  }
  return energy;
}

void check_orbits() {
  Random random(77);
  std::vector<float4> places, speeds;
  for (int i = 0; i < kBodies; ++i) {
    const float angle = random.uniform(0.0f, 6.2831853f), radius = random.uniform(0.5f, 2.0f);
    places.push_back(make_float4(radius * std::cos(angle), radius * std::sin(angle),
                                 random.uniform(-0.1f, 0.1f), i == 0 ? 1.0f : 0.002f));
    const float speed = std::sqrt(1.0f / radius);
    speeds.push_back(make_float4(-speed * std::sin(angle), speed * std::cos(angle), 0.0f, 0.0f));
  }
  places[0] = make_float4(0.0f, 0.0f, 0.0f, 1.0f);
  speeds[0] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const double before = energy_of(places, speeds);
  DeviceArray<float4> a(places), b(places.size()), v(speeds);
  for (int step = 0; step < 20; ++step) {
    drift<<<1, kBodies>>>(a.data(), b.data(), v.data());
    LAUNCHED();
    kick<<<1, kBodies>>>(b.data(), v.data());
    LAUNCHED();
    std::swap(a, b);
  }
  const std::vector<float4> after_places = a.download(), after_speeds = v.download();
  const double after = energy_of(after_places, after_speeds);
  report.check("bodies keep their energy", std::fabs(after - before) < 2e-3 * std::fabs(before));
  double px = 0.0, want_px = 0.0;
  for (int i = 0; i < kBodies; ++i) {
    px += static_cast<double>(places[i].w) * after_speeds[i].x;
    want_px += static_cast<double>(places[i].w) * speeds[i].x;
  }
  report.check("and their momentum", std::fabs(px - want_px) < 1e-4);
}

// ---------------------------------------------------------------------------------------------------------
// A picture: counts to colours through a cube in a texture, written through a surface
// ---------------------------------------------------------------------------------------------------------

constexpr int kCube = 8;

/// Warm where it is bright, blue in the dark.
uchar4 colour_of(int r, int g, int b) {
  const float x = static_cast<float>(r) / (kCube - 1), y = static_cast<float>(g) / (kCube - 1),
              z = static_cast<float>(b) / (kCube - 1);
  return make_uchar4(static_cast<unsigned char>(255.0f * std::sqrt(x)),
                     static_cast<unsigned char>(255.0f * y),
                     static_cast<unsigned char>(255.0f * (0.3f * z + 0.7f * z * z)), 255);
}

class ColourCube {
 public:
  ColourCube() {
    std::vector<uchar4> colours;
    for (int b = 0; b < kCube; ++b)
      for (int g = 0; g < kCube; ++g)
        for (int r = 0; r < kCube; ++r) colours.push_back(colour_of(r, g, b));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const cudaExtent extent = make_cudaExtent(kCube, kCube, kCube);
    CUDA_OK(cudaMalloc3DArray(&array_, &format, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(colours.data(), kCube * sizeof(uchar4), kCube, kCube);
    copy.dstArray = array_;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc texture = {};
    for (cudaTextureAddressMode& mode : texture.addressMode) mode = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModeLinear;
    texture.readMode = cudaReadModeNormalizedFloat;
    texture.normalizedCoords = 0;
    CUDA_OK(cudaCreateTextureObject(&object_, &resource, &texture, nullptr));
  }
  ColourCube(const ColourCube&) = delete;
  ColourCube& operator=(const ColourCube&) = delete;
  ~ColourCube() {
    CUDA_OK(cudaDestroyTextureObject(object_));
    CUDA_OK(cudaFreeArray(array_));
  }
  cudaTextureObject_t object() const { return object_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

/// asinh, as astronomers stretch: faint sources show and bright ones do not burn out.
__host__ __device__ inline float stretched(float counts) {
  return fminf(fmaxf(asinhf(counts / 8.0f) / asinhf(40.0f), 0.0f), 1.0f);
}

__global__ void draw(const float* frame, cudaTextureObject_t cube, cudaSurfaceObject_t picture) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  const float v = stretched(frame[y * kWidth + x]);
  const float at = 0.5f + v * (kCube - 1);
  const float4 colour = tex3D<float4>(cube, at, at, 0.5f + (1.0f - v) * (kCube - 1));
  surf2Dwrite(make_uchar4(static_cast<unsigned char>(colour.x * 255.0f + 0.5f),
                          static_cast<unsigned char>(colour.y * 255.0f + 0.5f),
                          static_cast<unsigned char>(colour.z * 255.0f + 0.5f), 255),
              picture, x * static_cast<int>(sizeof(uchar4)), y);
}

/// What the surface holds, read back on the device: every second pixel of every second row.
__global__ void shrink(cudaSurfaceObject_t picture, uchar4* small) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth / 2 || y >= kHeight / 2) return;
  uchar4 colour;
  surf2Dread(&colour, picture, 2 * x * static_cast<int>(sizeof(uchar4)), 2 * y);
  small[y * (kWidth / 2) + x] = colour;
}

float cube_value(float at_r, float at_g, float at_b, int channel) {
  const auto corner = [&](int r, int g, int b) {
    const uchar4 c = colour_of(std::min(r, kCube - 1), std::min(g, kCube - 1), std::min(b, kCube - 1));
    return (channel == 0 ? c.x : channel == 1 ? c.y : c.z) / 255.0f;
  };
  const int r = static_cast<int>(at_r), g = static_cast<int>(at_g), b = static_cast<int>(at_b);
  const float fr = at_r - r, fg = at_g - g, fb = at_b - b;
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    sum += (k & 1 ? fr : 1 - fr) * (k & 2 ? fg : 1 - fg) * (k & 4 ? fb : 1 - fb) *
           corner(r + (k & 1), g + (k >> 1 & 1), b + (k >> 2 & 1));
  return sum;
}

void check_picture(const DeviceArray<float>& frame) {
  const ColourCube cube;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t picture = nullptr;
  CUDA_OK(cudaMallocArray(&picture, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = picture;
  cudaSurfaceObject_t surface = 0;
  CUDA_OK(cudaCreateSurfaceObject(&surface, &resource));
  draw<<<tiles(), tile()>>>(frame.data(), cube.object(), surface);
  LAUNCHED();
  DeviceArray<uchar4> small(kPixels / 4);
  shrink<<<dim3((kWidth / 2 + 31) / 32, (kHeight / 2 + 7) / 8), tile()>>>(surface, small.data());
  LAUNCHED();
  std::vector<uchar4> whole(kPixels);
  CUDA_OK(cudaMemcpy2DFromArray(whole.data(), kWidth * sizeof(uchar4), picture, 0, 0, kWidth * sizeof(uchar4),
                                kHeight, cudaMemcpyDeviceToHost));
  const std::vector<uchar4> half = small.download();
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaFreeArray(picture));

  const std::vector<float> counts = frame.download();
  int worst = 0;
  for (int i = 0; i < kPixels; ++i) {
    const float v = stretched(counts[i]), at = v * (kCube - 1), back = (1.0f - v) * (kCube - 1);
    const int got[3] = {whole[i].x, whole[i].y, whole[i].z};
    for (int c = 0; c < 3; ++c)
      worst =
          std::max(worst, std::abs(got[c] - static_cast<int>(cube_value(at, at, back, c) * 255.0f + 0.5f)));
  }
  report.check("colours through a cube, written through a surface", worst <= 3);
  bool same = true;
  for (int y = 0; y < kHeight / 2; ++y)
    for (int x = 0; x < kWidth / 2; ++x) {
      const uchar4 a = half[y * (kWidth / 2) + x], b = whole[2 * y * kWidth + 2 * x];
      same &= a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
    }
  report.check("a surface reads what it has written", same);
}

// ---------------------------------------------------------------------------------------------------------
// A light curve: one star over many exposures, its period by a transform
// ---------------------------------------------------------------------------------------------------------

constexpr int kSamples = 256, kCurves = 4;

__global__ void make_curves(float* curves) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= kSamples * kCurves) return;
  const int curve = i / kSamples, t = i % kSamples;
  const float turns = static_cast<float>((5 + 7 * curve) * t) / kSamples;
  curves[i] = 10.0f + cospif(2.0f * turns) + 0.3f * sinpif(6.0f * turns);
}

__global__ void powers(const cufftComplex* spectrum, int n, float* power) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) power[i] = spectrum[i].x * spectrum[i].x + spectrum[i].y * spectrum[i].y;
}

/// Twice the whole numbers from one place on, as an instruction: where nobody writes PTX, nobody learns it.
__device__ unsigned lane_of_thread() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

struct Peak {
  float power;
  int at;
};

/// The highest power of each curve but that of its mean: a warp a curve.
__global__ void peaks(const float* power, int bins, Peak* peak) {
  const unsigned lane = lane_of_thread();
  const int curve = static_cast<int>(blockIdx.x);
  Peak best{-1.0f, 0};
  for (int k = 1 + static_cast<int>(lane); k < bins; k += 32)
    if (power[curve * bins + k] > best.power) best = {power[curve * bins + k], k};
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_down_sync(0xffffffffu, best.power, step);
    const int at = __shfl_down_sync(0xffffffffu, best.at, step);
    if (other > best.power) best = {other, at};
  }
  if (lane == 0) peak[curve] = best;
}

void check_light_curves() {
  constexpr int kSpectrum = kSamples / 2 + 1;
  DeviceArray<float> curves(kSamples * kCurves), power(kSpectrum * kCurves);
  DeviceArray<cufftComplex> spectrum(kSpectrum * kCurves);
  DeviceArray<Peak> peak(kCurves);
  make_curves<<<kSamples * kCurves / 128, 128>>>(curves.data());
  LAUNCHED();
  cufftHandle plan = 0;
  int n[] = {kSamples};
  CUFFT_OK(cufftPlanMany(&plan, 1, n, nullptr, 1, kSamples, nullptr, 1, kSpectrum, CUFFT_R2C, kCurves));
  CUFFT_OK(cufftExecR2C(plan, curves.data(), spectrum.data()));
  powers<<<(kSpectrum * kCurves + 127) / 128, 128>>>(spectrum.data(), kSpectrum * kCurves, power.data());
  LAUNCHED();
  peaks<<<kCurves, 32>>>(power.data(), kSpectrum, peak.data());
  LAUNCHED();
  bool right = true;
  const std::vector<Peak> found = peak.download();
  for (int c = 0; c < kCurves; ++c) right &= found[c].at == 5 + 7 * c;
  report.check("the periods of four light curves, in one plan", right);
  report.check("the height of a peak",
               std::fabs(std::sqrt(found[0].power) - kSamples / 2.0) < 0.01 * kSamples);
  // Back again: every value times the number of samples.
  cufftHandle back = 0;
  CUFFT_OK(cufftPlanMany(&back, 1, n, nullptr, 1, kSpectrum, nullptr, 1, kSamples, CUFFT_C2R, kCurves));
  DeviceArray<float> again(kSamples * kCurves);
  CUFFT_OK(cufftExecC2R(back, spectrum.data(), again.data()));
  std::vector<float> want = curves.download();
  for (float& v : want) v *= kSamples;
  report.compare("a transform and its inverse", again.download(), want, 1e-5);
  CUFFT_OK(cufftDestroy(plan));
  CUFFT_OK(cufftDestroy(back));
}

// ---------------------------------------------------------------------------------------------------------
// Bookkeeping of nights: which exposures of which filter, with Thrust on the host's side, too
// ---------------------------------------------------------------------------------------------------------

struct SumOfPair {
  __host__ __device__ float operator()(const thrust::tuple<float, int>& t) const {
    return thrust::get<0>(t) * static_cast<float>(thrust::get<1>(t));
  }
};

void check_nights() {
  constexpr int kExposures = 300, kFilters = 5;
  Random random(5);
  thrust::host_vector<int> filter(kExposures);
  thrust::host_vector<float> seconds(kExposures);
  for (int i = 0; i < kExposures; ++i) {
    filter[i] = static_cast<int>(random.bits() % kFilters);
    seconds[i] = static_cast<float>(1 + random.bits() % 120);
  }
  thrust::device_vector<int> keys = filter, out_keys(kFilters);
  thrust::device_vector<float> values = seconds, sums(kFilters);
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  const auto end =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), out_keys.begin(), sums.begin());
  std::vector<float> want(kFilters, 0.0f), got(kFilters, 0.0f);
  for (int i = 0; i < kExposures; ++i) want[filter[i]] += seconds[i];
  const auto filters = end.first - out_keys.begin();
  for (int k = 0; k < filters; ++k) got[out_keys[k]] = sums[k];
  report.compare("seconds of each filter", got, want, 1e-6);

  // The same on the host: one library for both sides.
  thrust::sort_by_key(filter.begin(), filter.end(), seconds.begin());
  report.check("the host sorts as the device does", std::equal(filter.begin(), filter.end(), keys.begin()));

  thrust::device_vector<int> number(kFilters);
  thrust::sequence(number.begin(), number.end(), 1);
  const float weighted =
      thrust::transform_reduce(thrust::make_zip_iterator(thrust::make_tuple(sums.begin(), number.begin())),
                               thrust::make_zip_iterator(thrust::make_tuple(sums.end(), number.end())),
                               SumOfPair(), 0.0f, thrust::plus<float>());
  float by_hand = 0.0f;
  for (int k = 0; k < kFilters; ++k) by_hand += want[k] * static_cast<float>(k + 1);
  report.check("a sum over two vectors at once", std::fabs(weighted - by_hand) < 1e-3f * by_hand);

  // Positions where each filter begins, from counts.
  thrust::device_vector<int> counts(kFilters), begins(kFilters);
  for (int k = 0; k < kFilters; ++k) counts[k] = static_cast<int>(thrust::count(keys.begin(), keys.end(), k));
  thrust::exclusive_scan(counts.begin(), counts.end(), begins.begin());
  bool right = true;
  for (int k = 0; k < kFilters; ++k) {
    const int at = begins[k];
    right &= at == kExposures || counts[k] == 0 || (keys[at] == k && (at == 0 || keys[at - 1] < k));
  }
  report.check("where each filter begins", right);
}

// ---------------------------------------------------------------------------------------------------------
// Storage: counts packed into 12 bits for the archive, and back
// ---------------------------------------------------------------------------------------------------------

/// Two values of 12 bits in three bytes; a thread packs eight values into three words.
__global__ void pack(const float* frame, unsigned* words, int groups) {
  const int g = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (g >= groups) return;
  const float4 first = reinterpret_cast<const float4*>(frame)[2 * g];
  const float4 second = reinterpret_cast<const float4*>(frame)[2 * g + 1];
  const float v[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
  unsigned long long low = 0;
  unsigned high = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned code = static_cast<unsigned>(fminf(fmaxf(rintf(v[k] * 8.0f) + 256.0f, 0.0f), 4095.0f));
    const int bit = 12 * k;
    if (bit < 64) low |= static_cast<unsigned long long>(code) << bit;
    if (bit >= 64)
      high |= code << (bit - 64);
    else if (bit > 52)
      high |= code >> (64 - bit);
  }
  words[g] = static_cast<unsigned>(low);
  words[groups + g] = static_cast<unsigned>(low >> 32);
  words[2 * groups + g] = high;
}

__global__ void unpack(const unsigned* words, float* frame, int groups) {
  const int g = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (g >= groups) return;
  const unsigned long long low = words[g] | static_cast<unsigned long long>(words[groups + g]) << 32;
  const unsigned high = words[2 * groups + g];
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int bit = 12 * k;
    unsigned code = bit < 64 ? static_cast<unsigned>(low >> bit) : high >> (bit - 64);
    if (bit < 64 && bit > 52) code |= high << (64 - bit);
    v[k] = (static_cast<float>(code & 4095u) - 256.0f) / 8.0f;
  }
  reinterpret_cast<float4*>(frame)[2 * g] = make_float4(v[0], v[1], v[2], v[3]);
  reinterpret_cast<float4*>(frame)[2 * g + 1] = make_float4(v[4], v[5], v[6], v[7]);
}

/// A checksum of the archive: a word at a time, combined by exclusive or over the block.
__global__ void checksum(const unsigned* words, int n, unsigned* sum) {
  unsigned mine = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    mine ^= __funnelshift_l(words[i], words[i], static_cast<unsigned>(i) % 32u);
  for (int step = 16; step > 0; step /= 2) mine ^= __shfl_xor_sync(0xffffffffu, mine, step);
  if (threadIdx.x % 32 == 0) atomicXor(sum, mine);
}

void check_archive(const DeviceArray<float>& frame) {
  constexpr int kGroups = kPixels / 8, kWords = 3 * kGroups;
  DeviceArray<unsigned> words(kWords), sum(1);
  DeviceArray<float> back(kPixels);
  pack<<<(kGroups + 127) / 128, 128>>>(frame.data(), words.data(), kGroups);
  LAUNCHED();
  unpack<<<(kGroups + 127) / 128, 128>>>(words.data(), back.data(), kGroups);
  LAUNCHED();
  sum.clear();
  checksum<<<4, 128>>>(words.data(), kWords, sum.data());
  LAUNCHED();
  const std::vector<float> before = frame.download(), after = back.download();
  bool close = true;
  for (int i = 0; i < kPixels; ++i) {
    const float want = std::min(std::max(before[i], -32.0f), 4095.0f / 8.0f - 32.0f);
    close &= std::fabs(after[i] - want) <= 1.0f / 16.0f + 1e-4f;
  }
  report.check("twelve bits hold a sixteenth of a count", close);
  const std::vector<unsigned> host = words.download();
  unsigned want = 0;
  for (int i = 0; i < kWords; ++i) {
    const unsigned by = static_cast<unsigned>(i) % 32u;
    want ^= by == 0 ? host[i] : host[i] << by | host[i] >> (32u - by);
  }
  report.check("the archive's checksum", sum.download()[0] == want);
}

// ---------------------------------------------------------------------------------------------------------
// The survey
// ---------------------------------------------------------------------------------------------------------

/// What the stages hand on.
struct Frame {
  DeviceArray<float> raw{kPixels}, straight{kPixels}, filtered{kPixels};
  DeviceArray<int> labels{kPixels};
};

void describe_device() {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  report.check("a device with textures and enough of everything", properties.maxThreadsPerBlock >= 256 &&
                                                                      properties.maxTexture2D[0] >= kWidth &&
                                                                      properties.sharedMemPerBlock >= 16384);
}

void survey() {
  const std::vector<Star> stars = make_sky(12345u);
  Camera camera(stars);
  check_camera(camera, stars);

  Frame frame;
  const FlatField flat;
  camera.take(frame.raw.data());
  const std::vector<float> raw = frame.raw.download();
  flat.apply(frame.raw.data());
  const std::vector<float> flattened = frame.raw.download();
  check_flat(flat, raw, flattened);

  {
    PictureTexture texture(kWidth, kHeight);
    texture.set(frame.raw.data());
    straighten<<<tiles(), tile()>>>(texture.object(), frame.straight.data());
    LAUNCHED();
    CUDA_OK(cudaDeviceSynchronize());
  }
  const std::vector<float> straight = frame.straight.download();
  check_geometry(flattened, straight, stars);

  Background background;
  background.remove(frame.straight.data());
  check_background(straight, background.level());
  const std::vector<float> clean = frame.straight.download();

  const Level level = measure_noise(frame.straight.data());
  check_noise(clean, level);

  MatchedFilter filter;
  filter.apply(frame.straight.data(), frame.filtered.data());
  const std::vector<float> filtered = frame.filtered.download();
  check_filter(clean, filtered);

  const float threshold = level.middle + 4.0f * level.spread;
  label(frame.filtered.data(), threshold, frame.labels);
  const std::vector<int> labels = frame.labels.download();
  check_labels(filtered, threshold, labels);

  const thrust::device_vector<Source> sources = catalogue_of(frame.straight, frame.labels);
  std::vector<Source> catalogue(sources.size());
  thrust::copy(sources.begin(), sources.end(), catalogue.begin());
  check_catalogue(catalogue, catalogue_on_host(clean, labels));
  check_statistics(sources, catalogue);

  const Reference reference(stars);
  const std::vector<Star> sorted = reference.sorted();
  const std::vector<Match> matches = reference.match_all(sources, 3.0f);
  check_matches(catalogue, sorted, matches);
  calibrate(sources, matches, sorted);

  check_frames(camera, flat);
  check_picture(frame.straight);
  check_archive(frame.straight);
}

int main() {
  describe_device();
  survey();
  check_orbits();
  check_light_curves();
  check_nights();
  CUDA_OK(cudaDeviceSynchronize());
  std::printf("%d checks, %d wrong\n", report.checks(), report.failures());
  return report.failures() == 0 ? 0 : 1;
}
