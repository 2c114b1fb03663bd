#include "workbook/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace workbook::reference {
namespace {

template <class T>
T dot(const T* a, const T* b, std::size_t count) {
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

template <class T>
void matmul(ValuesOf<T> a, ValuesOf<T> b, ResultOf<T> out, std::size_t m, std::size_t n, std::size_t k) {
  std::fill(out.begin(), out.end(), T{0});
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p)  // in this order b is read along its rows
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * k + p] * b[p * n + j];
}
template void matmul<float>(ValuesOf<float>, ValuesOf<float>, ResultOf<float>, std::size_t, std::size_t,
                            std::size_t);
template void matmul<double>(Values, Values, Result, std::size_t, std::size_t, std::size_t);

template <class T>
void linear(ValuesOf<T> x, ValuesOf<T> weight, ValuesOf<T> bias, ResultOf<T> out, std::size_t m,
            std::size_t h, std::size_t o) {
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < o; ++j)
      out[i * o + j] = dot(&x[i * h], &weight[j * h], h) + (bias.empty() ? T{0} : bias[j]);
}
template void linear<float>(ValuesOf<float>, ValuesOf<float>, ValuesOf<float>, ResultOf<float>, std::size_t,
                            std::size_t, std::size_t);
template void linear<double>(Values, Values, Values, Result, std::size_t, std::size_t, std::size_t);

void transpose(Values in, Result out, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = in[i * columns + j];
}

template <class T>
void layernorm(ValuesOf<T> x, ValuesOf<T> gamma, ValuesOf<T> beta, ResultOf<T> out, std::size_t m,
               std::size_t h, double epsilon) {
  for (std::size_t i = 0; i < m; ++i) {
    const auto row = x.subspan(i * h, h);
    const RowStatistics<T> of_row(row, epsilon);
    for (std::size_t j = 0; j < h; ++j)
      out[i * h + j] = (row[j] - of_row.mean) * of_row.inv_std * gamma[j] + beta[j];
  }
}
template void layernorm<float>(ValuesOf<float>, ValuesOf<float>, ValuesOf<float>, ResultOf<float>,
                               std::size_t, std::size_t, double);
template void layernorm<double>(Values, Values, Values, Result, std::size_t, std::size_t, double);

void rmsnorm(Values x, Values gamma, Result out, std::size_t m, std::size_t h, double epsilon) {
  for (std::size_t i = 0; i < m; ++i) {
    const double* row = &x[i * h];
    const double inv_rms = 1.0 / std::sqrt(dot(row, row, h) / static_cast<double>(h) + epsilon);
    for (std::size_t j = 0; j < h; ++j) out[i * h + j] = row[j] * inv_rms * gamma[j];
  }
}

template <class T>
void softmax(ValuesOf<T> x, ResultOf<T> out, std::size_t m, std::size_t h) {
  for (std::size_t i = 0; i < m; ++i) {
    const auto row = x.subspan(i * h, h);
    const T largest = *std::max_element(row.begin(), row.end());
    T sum = 0;
    for (const T value : row) sum += std::exp(value - largest);
    for (std::size_t j = 0; j < h; ++j) out[i * h + j] = std::exp(row[j] - largest) / sum;
  }
}
template void softmax<float>(ValuesOf<float>, ResultOf<float>, std::size_t, std::size_t);
template void softmax<double>(Values, Result, std::size_t, std::size_t);

void gelu(Values x, Result out) {
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = 0.5 * x[i] * std::erfc(-x[i] / std::numbers::sqrt2);
}

void gelu_tanh(Values x, Result out) {
  const double root = std::sqrt(2.0 / std::numbers::pi);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = 0.5 * x[i] * (1.0 + std::tanh(root * (x[i] + 0.044715 * x[i] * x[i] * x[i])));
}

void silu(Values x, Result out) {
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] / (1.0 + std::exp(-x[i]));
}

void attention(Values q, Values k, Values v, Result out, std::size_t queries, std::size_t keys, std::size_t d,
               std::size_t value_size, double scale) {
  std::vector<double> weights(keys);
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t j = 0; j < keys; ++j) weights[j] = scale * dot(&q[i * d], &k[j * d], d);
    softmax(weights, weights, 1, keys);
    matmul(weights, v, out.subspan(i * value_size, value_size), 1, value_size, keys);
  }
}

void attention_parts(Values scores, Values v, std::size_t part_keys, std::size_t row, std::size_t rows,
                     Result largest, Result totals, Result sums) {
  const std::size_t width = v.size() / scores.size();
  for (std::size_t part = 0; part < largest.size() / rows; ++part) {
    const std::size_t at = part * rows + row, begin = std::min(part * part_keys, scores.size());
    const Values of_part = scores.subspan(begin, std::min(part_keys, scores.size() - begin));
    const Result sum = sums.subspan(at * width, width);
    largest[at] = -std::numeric_limits<double>::infinity();
    for (const double score : of_part) largest[at] = std::max(largest[at], score);
    totals[at] = 0.0;
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t j = 0; j < of_part.size(); ++j) {
      const double weight = std::exp(of_part[j] - largest[at]);
      totals[at] += weight;
      for (std::size_t c = 0; c < width; ++c) sum[c] += weight * v[(begin + j) * width + c];
    }
  }
}

template <class T>
void conv1d(ValuesOf<T> in, ValuesOf<T> kernel, ResultOf<T> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    for (std::size_t j = 0; j < kernel.size() && i + j < in.size(); ++j) out[i] += in[i + j] * kernel[j];
  }
}
template void conv1d<float>(ValuesOf<float>, ValuesOf<float>, ResultOf<float>);
template void conv1d<double>(Values, Values, Result);

template <class T>
void inclusive_scan(ValuesOf<T> in, ResultOf<T> out) {
  T sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = sum += in[i];
}
template void inclusive_scan<float>(ValuesOf<float>, ResultOf<float>);
template void inclusive_scan<double>(Values, Result);

}  // namespace workbook::reference
