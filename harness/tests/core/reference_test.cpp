// Every function of workbook/reference.h against a second derivation, and values that are known.
#include "workbook/reference.h"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tests/catch.h"
#include "workbook/random.h"

namespace reference = workbook::reference;

namespace {

using Numbers = std::vector<double>;

Numbers numbers(std::size_t count, std::uint64_t seed) {
  workbook::Random random(seed);
  Numbers values(count);
  for (double& value : values) value = random.normal();
  return values;
}

void check_near(const Numbers& got, const Numbers& expected, double allowed = 1e-12) {
  REQUIRE(got.size() == expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (const double error = std::abs(got[i] - expected[i]); !(error <= largest)) largest = error;
  CHECK(largest <= allowed);
}

}  // namespace

TEST_CASE("a matrix product is a sum of outer products") {
  Numbers out(4);
  reference::matmul(Numbers{1, 2, 3, 4, 5, 6}, Numbers{7, 8, 9, 10, 11, 12}, out, 2, 2, 3);
  CHECK(out == Numbers{58, 64, 139, 154});
  const std::size_t m = 3, n = 5, k = 4;
  const Numbers a = numbers(m * k, 1), b = numbers(k * n, 2);
  Numbers got(m * n), second(m * n, 0.0);
  reference::matmul(a, b, got, m, n, k);
  for (std::size_t p = k; p-- > 0;)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i) second[i * n + j] += a[i * k + p] * b[p * n + j];
  check_near(got, second);
}

TEST_CASE("a transpose puts [i][j] at [j][i], and twice is nothing") {
  Numbers out(6), back(6);
  reference::transpose(Numbers{1, 2, 3, 4, 5, 6}, out, 2, 3);
  CHECK(out == Numbers{1, 4, 2, 5, 3, 6});
  reference::transpose(out, back, 3, 2);
  CHECK(back == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a linear layer is a product with the transposed weight, and a bias") {
  const std::size_t m = 3, h = 4, o = 5;
  const Numbers x = numbers(m * h, 3), weight = numbers(o * h, 4), bias = numbers(o, 5);
  Numbers got(m * o), transposed(h * o), second(m * o);
  reference::transpose(weight, transposed, o, h);
  reference::matmul(x, transposed, second, m, o, h);
  reference::linear(x, weight, {}, got, m, h, o);
  check_near(got, second);
  for (std::size_t i = 0; i < m * o; ++i) second[i] += bias[i % o];
  reference::linear(x, weight, bias, got, m, h, o);
  check_near(got, second);
}

TEST_CASE("a layer norm is (x - E[x]) / sqrt(E[x^2] - E[x]^2 + epsilon), row by row") {
  Numbers known(4);
  reference::layernorm(Numbers{1, 2, 3, 4}, Numbers(4, 1.0), Numbers(4, 0.0), known, 1, 4, 0.0);
  check_near(known, {-1.3416407864998738, -0.4472135954999579, 0.4472135954999579, 1.3416407864998738});
  const std::size_t m = 3, h = 7;
  const Numbers x = numbers(m * h, 6), gamma = numbers(h, 7), beta = numbers(h, 8);
  Numbers got(m * h), second(m * h);
  reference::layernorm(x, gamma, beta, got, m, h, 1e-2);
  for (std::size_t i = 0; i < m; ++i) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t j = 0; j < h; ++j) sum += x[i * h + j], squares += x[i * h + j] * x[i * h + j];
    const double mean = sum / 7.0, variance = squares / 7.0 - mean * mean;
    for (std::size_t j = 0; j < h; ++j)
      second[i * h + j] = (x[i * h + j] - mean) / std::sqrt(variance + 1e-2) * gamma[j] + beta[j];
  }
  check_near(got, second);
}

TEST_CASE("an rms norm is a layer norm of a row beside its negative") {
  Numbers known(2);
  reference::rmsnorm(Numbers{3, 4}, Numbers{1, 2}, known, 1, 2, 0.0);
  check_near(known, {3 / std::sqrt(12.5), 8 / std::sqrt(12.5)});
  const std::size_t h = 6;
  const Numbers x = numbers(h, 9), gamma = numbers(h, 10);
  Numbers got(h), both(x), twice(2 * h), gamma_twice(gamma);
  for (const double value : x) both.push_back(-value);  // the mean is 0, the squares are the same
  gamma_twice.insert(gamma_twice.end(), gamma.begin(), gamma.end());
  reference::rmsnorm(x, gamma, got, 1, h, 1e-2);
  reference::layernorm(both, gamma_twice, Numbers(2 * h, 0.0), twice, 1, 2 * h, 1e-2);
  twice.resize(h);
  check_near(got, twice);
}

TEST_CASE("a softmax is known from ratios, and large numbers do not overflow it") {
  Numbers known(4);
  reference::softmax(Numbers{0.0, std::log(2.0), 1000.0, 1000.0}, known, 2, 2);
  check_near(known, {1.0 / 3.0, 2.0 / 3.0, 0.5, 0.5});
  const std::size_t m = 2, h = 9;
  const Numbers x = numbers(m * h, 11);
  Numbers got(m * h), second(m * h);
  reference::softmax(x, got, m, h);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < h; ++j) {
      double others = 0.0;  // 1 / sum of exp(x_k - x_j)
      for (std::size_t k = 0; k < h; ++k) others += std::exp(x[i * h + k] - x[i * h + j]);
      second[i * h + j] = 1.0 / others;
    }
  check_near(got, second);
}

TEST_CASE("activations have their known values, and their symmetries") {
  Numbers out(3);
  reference::gelu(Numbers{1.0, 0.0, -1.0}, out);
  check_near(out, {0.8413447460685429, 0.0, -0.15865525393145707});
  reference::gelu_tanh(Numbers{1.0, 0.0, -1.0}, out);
  check_near(out, {0.8411919906082768, 0.0, -0.15880800939172324});
  reference::silu(Numbers{1.0, 0.0, -1.0}, out);
  check_near(out, {0.7310585786300049, 0.0, -0.2689414213699951});
  const Numbers x = numbers(50, 12);
  Numbers exact(50), tanh_form(50), silu(50), second(50), third(50), fourth(50);
  reference::gelu(x, exact);
  reference::gelu_tanh(x, tanh_form);
  reference::silu(x, silu);
  for (std::size_t i = 0; i < 50; ++i) {
    second[i] = 0.5 * x[i] * (1.0 + std::erf(x[i] / std::sqrt(2.0)));
    // (1 + tanh u) / 2 is 1 / (1 + exp(-2u)).
    const double u = std::sqrt(8.0 / std::acos(-1.0)) * (x[i] + 0.044715 * std::pow(x[i], 3.0));
    third[i] = x[i] / (1.0 + std::exp(-u));
    fourth[i] = 0.5 * x[i] * (1.0 + std::tanh(0.5 * x[i]));
  }
  check_near(exact, second);
  check_near(tanh_form, third);
  check_near(silu, fourth);
}

TEST_CASE("attention is a mean of the values, weighted by exp of scaled products") {
  const std::size_t queries = 3, keys = 5, d = 4, value_size = 2;
  const Numbers q = numbers(queries * d, 13), k = numbers(keys * d, 14), v = numbers(keys * value_size, 15);
  Numbers got(queries * value_size), second(queries * value_size);
  reference::attention(q, k, v, got, queries, keys, d, value_size, 0.5);
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t c = 0; c < value_size; ++c) {
      double weighted = 0.0, weights = 0.0;
      for (std::size_t j = 0; j < keys; ++j) {
        double product = 0.0;
        for (std::size_t p = 0; p < d; ++p) product += q[i * d + p] * k[j * d + p];
        weighted += std::exp(0.5 * product) * v[j * value_size + c];
        weights += std::exp(0.5 * product);
      }
      second[i * value_size + c] = weighted / weights;
    }
  check_near(got, second);
}

TEST_CASE("a convolution spreads each element backwards, and ends with zeros") {
  Numbers known(4);
  reference::conv1d(Numbers{1, 2, 3, 4}, Numbers{10, 1}, known);
  CHECK(known == Numbers{12, 23, 34, 40});
  const Numbers in = numbers(20, 16), kernel = numbers(3, 17);
  Numbers got(20), second(20, 0.0);
  reference::conv1d(in, kernel, got);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 3 && j <= i; ++j) second[i - j] += in[i] * kernel[j];
  check_near(got, second);
}

TEST_CASE("the differences of a scan are its elements") {
  Numbers known(4);
  reference::inclusive_scan(Numbers{1, 2, 3, 4}, known);
  CHECK(known == Numbers{1, 3, 6, 10});
  const Numbers in = numbers(20, 18);
  Numbers got(20), differences(20);
  reference::inclusive_scan(in, got);
  for (std::size_t i = 0; i < 20; ++i) differences[i] = got[i] - (i > 0 ? got[i - 1] : 0.0);
  check_near(differences, in);
}

TEST_CASE("scores that come one by one weigh as all at once") {
  const std::size_t keys = 7, width = 3;
  const Numbers scores = numbers(keys, 19), v = numbers(keys * width, 20);
  Numbers got(width), weights(keys), second(width);
  reference::RunningAttention<double> running(width);
  for (std::size_t j = 0; j < keys; ++j) running.add(scores[j], std::span(v).subspan(j * width, width));
  for (std::size_t c = 0; c < width; ++c) got[c] = running.mean(c);
  reference::softmax(scores, weights, 1, keys);
  reference::matmul(weights, v, second, 1, width, keys);
  check_near(got, second);
}

TEST_CASE("parts of the keys together are all of them") {
  const std::size_t keys = 7, width = 3, rows = 2,
                    parts = 4;  // of three keys: the third has one, the last none
  const Numbers scores = numbers(keys, 21), v = numbers(keys * width, 22);
  Numbers largest(parts * rows), totals(parts * rows), sums(parts * rows * width);
  reference::attention_parts(scores, v, 3, 1, rows, largest, totals, sums);
  Numbers got(width, 0.0), weights(keys), second(width);
  double total = 0.0;
  for (std::size_t at = 1; at < parts * rows; at += rows) {
    total += totals[at] * std::exp(largest[at]);
    for (std::size_t c = 0; c < width; ++c) got[c] += sums[at * width + c] * std::exp(largest[at]);
  }
  for (double& value : got) value /= total;
  reference::softmax(scores, weights, 1, keys);
  reference::matmul(weights, v, second, 1, width, keys);
  check_near(got, second);
  CHECK(largest[3 * rows + 1] == -std::numeric_limits<double>::infinity());
  CHECK(totals[3 * rows + 1] == 0.0);
}

TEST_CASE("a CPU version in float is the reference but for its rounding") {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {7, 8, 9, 10, 11, 12};
  std::vector<float> product(4), weights(6), sums(6), convolved(6);
  reference::matmul<float>(a, b, product, 2, 2, 3);
  CHECK(product == std::vector<float>{58, 64, 139, 154});
  reference::softmax<float>(a, weights, 3, 2);
  CHECK(weights[1] == std::exp(0.0f) / (1.0f + std::exp(-1.0f)));
  reference::inclusive_scan<float>(a, sums);
  CHECK(sums == std::vector<float>{1, 3, 6, 10, 15, 21});
  reference::conv1d<float>(a, std::vector<float>{10, 1}, convolved);
  CHECK(convolved == std::vector<float>{12, 23, 34, 45, 56, 60});
}
