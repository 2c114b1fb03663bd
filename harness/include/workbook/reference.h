// References in double that several puzzles share, so that each is written and checked once
// (harness/tests/core/reference_test.cpp derives every one in a second way). All arrays are row-major;
// outputs may be read by the caller afterwards and are written whole. None allocates more than a row. Those
// with a T are there for float too, as CPU versions: matmul<float>.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace workbook::reference {

using Values = std::span<const double>;
using Result = std::span<double>;
template <class T>
using ValuesOf = std::type_identity_t<std::span<const T>>;
template <class T>
using ResultOf = std::type_identity_t<std::span<T>>;

/// out [M,N] = a [M,K] b [K,N].
template <class T = double>
void matmul(ValuesOf<T> a, ValuesOf<T> b, ResultOf<T> out, std::size_t m, std::size_t n, std::size_t k);

/// out [M,O] = x [M,H] weight^T + bias, weight [O,H]; an empty bias counts as 0.
template <class T = double>
void linear(ValuesOf<T> x, ValuesOf<T> weight, ValuesOf<T> bias, ResultOf<T> out, std::size_t m,
            std::size_t h, std::size_t o);

/// out [C,R] = in [R,C] transposed.
void transpose(Values in, Result out, std::size_t rows, std::size_t columns);

/// What a row is normalised by: its mean, and 1 / sqrt(variance + epsilon).
template <class T>
struct RowStatistics {
  T mean = 0, inv_std = 0;
  RowStatistics(ValuesOf<T> row, double epsilon) {
    const auto size = static_cast<T>(row.size());
    T variance = 0;
    for (const T value : row) mean += value / size;
    for (const T value : row) variance += (value - mean) * (value - mean) / size;
    inv_std = 1 / std::sqrt(variance + static_cast<T>(epsilon));
  }
};

/// Each row of x [M,H]: (x - mean) / sqrt(variance + epsilon) * gamma [H] + beta [H]; the variance is the
/// mean of squared differences, divided by H (Ba, Kiros, Hinton 2016).
template <class T = double>
void layernorm(ValuesOf<T> x, ValuesOf<T> gamma, ValuesOf<T> beta, ResultOf<T> out, std::size_t m,
               std::size_t h, double epsilon);

/// Each row of x [M,H]: x / sqrt(mean of squares + epsilon) * gamma [H] (Zhang, Sennrich 2019).
void rmsnorm(Values x, Values gamma, Result out, std::size_t m, std::size_t h, double epsilon);

/// Each row of x [M,H]: exp(x - max) / sum of them.
template <class T = double>
void softmax(ValuesOf<T> x, ResultOf<T> out, std::size_t m, std::size_t h);

/// x * Phi(x) with the normal distribution's Phi, and its tanh form (Hendrycks, Gimpel 2016).
void gelu(Values x, Result out);
void gelu_tanh(Values x, Result out);

/// x / (1 + exp(-x)).
void silu(Values x, Result out);

/// out [Q,V] = softmax(scale * q [Q,D] k^T) v with k [K,D], v [K,V].
void attention(Values q, Values k, Values v, Result out, std::size_t queries, std::size_t keys, std::size_t d,
               std::size_t value_size, double scale);

/// Attention of one query whose scores come one by one. Their maximum is not known beforehand: what was added
/// up is made smaller whenever a larger one comes (Milakov, Gimelshein 2018).
template <class T>
class RunningAttention {
 public:
  explicit RunningAttention(std::size_t value_size) : sums_(value_size) {}
  void add(T score, std::span<const T> value) {
    const T larger = std::max(largest_, score), keep = std::exp(largest_ - larger);
    const T weight = std::exp(score - larger);
    total_ = total_ * keep + weight;
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] = sums_[c] * keep + weight * value[c];
    largest_ = larger;
  }
  /// Element `c` of the weighted mean of the values.
  T mean(std::size_t c) const { return sums_[c] / total_; }

 private:
  T largest_ = -std::numeric_limits<T>::infinity(), total_ = 0;
  std::vector<T> sums_;
};

/// What each part of `part_keys` keys knows of one query, `row` of `rows`: the largest of its scores [K], the
/// total of exp(score - largest), and the values v [K,V] added up with these weights; at [part * rows + row].
/// A part without keys has -infinity and zeros.
void attention_parts(Values scores, Values v, std::size_t part_keys, std::size_t row, std::size_t rows,
                     Result largest, Result totals, Result sums);

/// out[i] = sum over j of in[i + j] * kernel[j]; elements past the end count as 0.
template <class T = double>
void conv1d(ValuesOf<T> in, ValuesOf<T> kernel, ResultOf<T> out);

/// out[i] = in[0] + ... + in[i].
template <class T = double>
void inclusive_scan(ValuesOf<T> in, ResultOf<T> out);

}  // namespace workbook::reference
