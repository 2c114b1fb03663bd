#include "sim/libraries/gemm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "clock/gpus.h"
#include "sim/libraries/blas.h"
#include "sim/runtime/apart.h"
#include "workbook_sim/small_float_format.h"

namespace workbook::sim {
namespace {

struct Shape {
  std::int64_t m, n, k;
};

Shape shape_of(const Gemm& g, const Gemm::Operands& o) {
  return {o.d.rows, o.d.cols, g.transpose_a ? o.a.rows : o.a.cols};
}

bool fits(const Matrix& m) {
  return m.rows >= 0 && m.cols >= 0 && m.ld >= std::max<std::int64_t>(1, m.row_major ? m.cols : m.rows) &&
         is_supported(m.type);
}

bool fits(const Gemm& g, const Gemm::Operands& o) {
  const Shape s = shape_of(g, o);
  return fits(o.a) && fits(o.b) && fits(o.d) && (g.transpose_a ? o.a.cols : o.a.rows) == s.m &&
         (g.transpose_b ? o.b.cols : o.b.rows) == s.k && (g.transpose_b ? o.b.rows : o.b.cols) == s.n &&
         (g.beta.is_always_zero() || (fits(o.c) && o.c.rows == s.m && o.c.cols == s.n));
}

Range range_of(const Matrix& m) {
  const std::size_t element = bytes_of(m.type);
  const std::int64_t lines = m.row_major ? m.rows : m.cols, length = m.row_major ? m.cols : m.rows;
  return {m.data, static_cast<std::size_t>(length) * element, static_cast<std::size_t>(lines),
          static_cast<std::size_t>(m.ld) * element};
}

/// To the 10 bits of mantissa that tensor cores keep of a float, ties away from zero.
float rounded_to_tf32(float x) {
  if (!std::isfinite(x)) return x;
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000u) & ~0x1fffu);
}

float rounded_input(float x, const Gemm& g) {
  if (g.tf32) return rounded_to_tf32(x);
  if (g.compute == CUBLAS_COMPUTE_32F_FAST_16F) return decode_half(encode_half(x));
  if (g.compute == CUBLAS_COMPUTE_32F_FAST_16BF) return decode_bfloat16(encode_bfloat16(x));
  return x;
}

/// The matrix in column-major order without gaps, or, where it is row-major, its transpose so.
template <class T>
std::vector<T> gathered(const Matrix& m, const Gemm& g) {
  const std::int64_t lines = m.row_major ? m.rows : m.cols, length = m.row_major ? m.cols : m.rows;
  std::vector<T> out(static_cast<std::size_t>(lines * length));
  for (std::int64_t line = 0; line < lines; ++line)
    for (std::int64_t i = 0; i < length; ++i) {
      T value = static_cast<T>(load(m.data, m.type, line * m.ld + i));
      if constexpr (std::is_same_v<T, float>) value = rounded_input(value, g);
      out[static_cast<std::size_t>(line * length + i)] = value;
    }
  return out;
}

std::int64_t index_of(const Matrix& m, std::int64_t row, std::int64_t col) {
  return m.row_major ? row * m.ld + col : col * m.ld + row;
}

/// The approximation by tanh, which is the one that cuBLASLt documents for its epilogues.
double gelu(double x) {
  constexpr double kRootTwoOverPi = 0.7978845608028654;
  return 0.5 * x * (1 + std::tanh(kRootTwoOverPi * (x + 0.044715 * x * x * x)));
}

double activated(double x, Activation activation) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::gelu:
      return gelu(x);
  }
  return x;
}

template <class T>
void compute(const Gemm& g, const Gemm::Operands& o) {
  const Shape s = shape_of(g, o);
  const std::vector<T> a = gathered<T>(o.a, g), b = gathered<T>(o.b, g);
  std::vector<T> product(static_cast<std::size_t>(s.m * s.n), T{0});
  const auto line = [](const Matrix& m) {
    return static_cast<int>(std::max<std::int64_t>(1, m.row_major ? m.cols : m.rows));
  };
  if (s.m > 0 && s.n > 0 && s.k > 0)
    multiply(Product<T>{turned_if(g.transpose_a != o.a.row_major), turned_if(g.transpose_b != o.b.row_major),
                        static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k),
                        static_cast<T>(g.alpha.value()), a.data(), line(o.a), b.data(), line(o.b), T{0},
                        product.data(), static_cast<int>(s.m)});
  const double beta = g.beta.value();
  for (std::int64_t col = 0; col < s.n; ++col)
    for (std::int64_t row = 0; row < s.m; ++row) {
      auto value = static_cast<double>(product[static_cast<std::size_t>(col * s.m + row)]);
      if (beta != 0) value += beta * load(o.c.data, o.c.type, index_of(o.c, row, col));
      if (g.bias != nullptr) value += load(g.bias, g.bias_type, row);
      if (g.aux != nullptr) {
        Matrix aux = o.d;
        aux.ld = g.aux_ld;
        store(g.aux, o.d.type, index_of(aux, row, col), value);
      }
      store(o.d.data, o.d.type, index_of(o.d, row, col), activated(value, g.activation));
    }
}

/// Without a detour where memory already is what BLAS wants.
template <class T>
bool compute_in_place(const Gemm& g, const Gemm::Operands& o, cudaDataType type) {
  const Shape s = shape_of(g, o);
  const double beta = g.beta.value();
  if (g.activation != Activation::none || g.bias != nullptr || g.aux != nullptr || g.tf32 ||
      g.compute == CUBLAS_COMPUTE_32F_FAST_16F || g.compute == CUBLAS_COMPUTE_32F_FAST_16BF)
    return false;
  for (const Matrix* m : {&o.a, &o.b, &o.d})
    if (m->type != type || m->row_major) return false;
  if (beta != 0 && (o.c.data != o.d.data || o.c.ld != o.d.ld || o.c.type != type || o.c.row_major))
    return false;
  if (s.m == 0 || s.n == 0 || s.k == 0) return false;
  multiply(Product<T>{turned_if(g.transpose_a), turned_if(g.transpose_b), static_cast<int>(s.m),
                      static_cast<int>(s.n), static_cast<int>(s.k), static_cast<T>(g.alpha.value()),
                      static_cast<const T*>(o.a.data), static_cast<int>(o.a.ld),
                      static_cast<const T*>(o.b.data), static_cast<int>(o.b.ld), static_cast<T>(beta),
                      static_cast<T*>(o.d.data), static_cast<int>(o.d.ld)});
  return true;
}

void compute_one(const Gemm& g, const Gemm::Operands& o) {
  if (compute_in_place<float>(g, o, CUDA_R_32F) || compute_in_place<double>(g, o, CUDA_R_64F)) return;
  // Sums of 8 bit products are exact in double as long as they are in 32 bit integers.
  const bool wide = o.a.type == CUDA_R_64F || o.a.type == CUDA_R_8I || o.a.type == CUDA_R_32I;
  wide ? compute<double>(g, o) : compute<float>(g, o);
}

double peak_tflops(const Gemm& g, cudaDataType type) {
  const GpuSpec& gpu = current_gpu();
  if (type == CUDA_R_64F) return gpu.fp64_tflops;
  if (type == CUDA_R_8I) return 2 * gpu.fp16_tflops;
  if (type == CUDA_R_16F || type == CUDA_R_16BF || g.compute == CUBLAS_COMPUTE_32F_FAST_16F ||
      g.compute == CUBLAS_COMPUTE_32F_FAST_16BF)
    return gpu.fp16_tflops;
  return g.tf32 ? gpu.tf32_tflops : gpu.fp32_tflops;
}

}  // namespace

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_64F:
      return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    default:
      return 1;
  }
}

bool is_supported(cudaDataType type) {
  return type == CUDA_R_64F || type == CUDA_R_32F || type == CUDA_R_32I || type == CUDA_R_16F ||
         type == CUDA_R_16BF || type == CUDA_R_8I;
}

double load(const void* data, cudaDataType type, std::int64_t index) {
  const auto at = [&]<class T>(T) { return static_cast<const T*>(data)[index]; };
  switch (type) {
    case CUDA_R_64F:
      return at(double{});
    case CUDA_R_32F:
      return static_cast<double>(at(float{}));
    case CUDA_R_32I:
      return at(std::int32_t{});
    case CUDA_R_16F:
      return static_cast<double>(decode_half(at(std::uint16_t{})));
    case CUDA_R_16BF:
      return static_cast<double>(decode_bfloat16(at(std::uint16_t{})));
    default:
      return at(std::int8_t{});
  }
}

void store(void* data, cudaDataType type, std::int64_t index, double value) {
  const auto put = [&]<class T>(T stored) { static_cast<T*>(data)[index] = stored; };
  switch (type) {
    case CUDA_R_64F:
      return put(value);
    case CUDA_R_32F:
      return put(static_cast<float>(value));
    case CUDA_R_32I:
      return put(static_cast<std::int32_t>(std::llrint(value)));
    case CUDA_R_16F:
      return put(encode_half(to_odd_float(value)));
    case CUDA_R_16BF:
      return put(encode_bfloat16(to_odd_float(value)));
    default:
      return put(static_cast<std::int8_t>(std::clamp(std::nearbyint(value), -128.0, 127.0)));
  }
}

namespace {

/// What it reads and writes, and its work.
void add_operands(LibraryLaunch& launch, const Gemm& g) {
  for (const auto& o : g.batch) {
    launch.reads.push_back(range_of(o.a));
    launch.reads.push_back(range_of(o.b));
    if (!g.beta.is_always_zero()) launch.scaled.back().reads.push_back(range_of(o.c));
    launch.writes.push_back(range_of(o.d));
  }
  launch.compute = [g] {
    for (const auto& o : g.batch) compute_one(g, o);
  };
}

/// Why the operands do not fit.
void tell_misfit(const Gemm::Operands& o) {
  for (const auto& [name, m] : {std::pair{"A", &o.a}, std::pair{"B", &o.b}, std::pair{"C", &o.d}})
    if (const std::int64_t least = m->row_major ? m->cols : m->rows; m->ld < least)
      return because(
          CUBLAS_STATUS_INVALID_VALUE,
          std::string("The leading dimension of ") + name + " is " + std::to_string(m->ld) + ", and " + name +
              " as it lies in memory has " + std::to_string(m->rows) + " rows and " +
              std::to_string(m->cols) + " columns: " +
              (m->row_major
                   ? "it lies row by row, and the leading dimension is the distance of rows."
                   : "cuBLAS takes matrices column by column, and the leading dimension is the distance of "
                     "columns, at least the number of rows. What C++ holds row by row is the transpose to it: "
                     "exchange the factors (B first, then A), and m with n."));
}

}  // namespace

cublasStatus_t run_gemm(cudaStream_t stream, const Gemm& g) {
  if (!blas_is_there()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (g.batch.empty()) return CUBLAS_STATUS_SUCCESS;
  for (const auto& o : g.batch)
    if (!fits(g, o)) return tell_misfit(o), CUBLAS_STATUS_INVALID_VALUE;
  for (const auto& o : g.batch)
    if (!g.follow)
      check_apart(g.call, range_of(o.d), "A", range_of(o.a)),
          check_apart(g.call, range_of(o.d), "B", range_of(o.b));
  const Shape s = shape_of(g, g.batch[0]);
  const auto count = static_cast<double>(g.batch.size());
  LibraryLaunch launch;
  launch.call = g.call;
  launch.scaled = {{g.alpha}, {g.beta}};
  if (g.follow) {
    launch.lists = g.lists;
    launch.follow = [g](LibraryLaunch& l) {
      Gemm found = g;
      found.follow(found.batch);
      add_operands(l, found);
    };
  } else {
    add_operands(launch, g);
  }
  if (g.bias != nullptr)
    launch.reads.push_back({g.bias, static_cast<std::size_t>(s.m) * bytes_of(g.bias_type)});
  if (g.aux != nullptr) {
    Matrix aux = g.batch[0].d;
    aux.data = g.aux;
    aux.ld = g.aux_ld;
    launch.writes.push_back(range_of(aux));
  }
  launch.flops = 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k) * count;
  launch.peak_tflops = peak_tflops(g, g.batch[0].a.type);
  // Tiles of 128 by 128, of 64 by 64 where those would leave multiprocessors idle.
  const auto tiles = [](std::int64_t extent, std::int64_t tile) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (extent + tile - 1) / tile));
  };
  const std::int64_t tile =
      tiles(s.m, 128) * tiles(s.n, 128) * g.batch.size() >= static_cast<std::size_t>(current_gpu().sms) ? 128
                                                                                                        : 64;
  launch.grid = {tiles(s.m, tile), tiles(s.n, tile), static_cast<std::uint32_t>(g.batch.size())};
  switch (run_library(stream, launch)) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInvalidResourceHandle:
      return CUBLAS_STATUS_INVALID_VALUE;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace workbook::sim
