// References in double that several puzzles share, so that each is written and checked once
// (harness/tests/core/reference_test.cpp derives every one in a second way). All arrays are row-major;
// outputs may be read by the caller afterwards and are written whole. None allocates more than a row.
#pragma once

#include <cstddef>
#include <span>

namespace workbook::reference {

using Values = std::span<const double>;
using Result = std::span<double>;

/// out [M,N] = a [M,K] b [K,N].
void matmul(Values a, Values b, Result out, std::size_t m, std::size_t n, std::size_t k);

/// out [M,O] = x [M,H] weight^T + bias, weight [O,H]; an empty bias counts as 0.
void linear(Values x, Values weight, Values bias, Result out, std::size_t m, std::size_t h, std::size_t o);

/// out [C,R] = in [R,C] transposed.
void transpose(Values in, Result out, std::size_t rows, std::size_t columns);

/// Each row of x [M,H]: (x - mean) / sqrt(variance + epsilon) * gamma [H] + beta [H]; the variance is the
/// mean of squared differences, divided by H (Ba, Kiros, Hinton 2016).
void layernorm(Values x, Values gamma, Values beta, Result out, std::size_t m, std::size_t h, double epsilon);

/// Each row of x [M,H]: x / sqrt(mean of squares + epsilon) * gamma [H] (Zhang, Sennrich 2019).
void rmsnorm(Values x, Values gamma, Result out, std::size_t m, std::size_t h, double epsilon);

/// Each row of x [M,H]: exp(x - max) / sum of them.
void softmax(Values x, Result out, std::size_t m, std::size_t h);

/// x * Phi(x) with the normal distribution's Phi, and its tanh form (Hendrycks, Gimpel 2016).
void gelu(Values x, Result out);
void gelu_tanh(Values x, Result out);

/// x / (1 + exp(-x)).
void silu(Values x, Result out);

/// out [Q,V] = softmax(scale * q [Q,D] k^T) v with k [K,D], v [K,V].
void attention(Values q, Values k, Values v, Result out, std::size_t queries, std::size_t keys, std::size_t d,
               std::size_t value_size, double scale);

/// out[i] = sum over j of in[i + j] * kernel[j]; elements past the end count as 0.
void conv1d(Values in, Values kernel, Result out);

/// out[i] = in[0] + ... + in[i].
void inclusive_scan(Values in, Result out);

}  // namespace workbook::reference
