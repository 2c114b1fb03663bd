// A sparse matrix times a vector: compressed rows, with a thread a row and with a warp a row.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

struct CsrMatrix {
  int rows, columns;
  std::vector<int> row_offsets, column_indices;
  std::vector<double> values;
};

template <typename IndexType, typename ValueType>
__global__ void csr_scalar(IndexType rows, const IndexType* __restrict__ offsets,
                           const IndexType* __restrict__ columns, const ValueType* __restrict__ values,
                           const ValueType* __restrict__ x, ValueType* y) {
  const IndexType row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row >= rows) return;
  ValueType sum = 0;
  for (IndexType e = offsets[row]; e < offsets[row + 1]; ++e) sum += values[e] * x[columns[e]];
  y[row] = sum;
}

template <typename IndexType, typename ValueType>
__global__ void csr_vector(IndexType rows, const IndexType* __restrict__ offsets,
                           const IndexType* __restrict__ columns, const ValueType* __restrict__ values,
                           const ValueType* __restrict__ x, ValueType* y) {
  const int lane = threadIdx.x & 31;
  const IndexType row = (blockDim.x * blockIdx.x + threadIdx.x) / 32;
  if (row >= rows) return;
  ValueType sum = 0;
  for (IndexType e = offsets[row] + lane; e < offsets[row + 1]; e += 32) sum += values[e] * x[columns[e]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

static CsrMatrix random_matrix(int rows, int columns) {
  std::mt19937 random(11);
  CsrMatrix m{rows, columns, {0}, {}, {}};
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (random() % (r % 10 == 0 ? 3 : 20) != 0) continue;
      m.column_indices.push_back(c);
      m.values.push_back(static_cast<double>(random() % 100) / 50.0 - 1.0);
    }
    m.row_offsets.push_back(static_cast<int>(m.values.size()));
  }
  return m;
}

template <typename T>
static T* upload(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device), host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const CsrMatrix m = random_matrix(203, 150);
  std::vector<double> x(m.columns), y(m.rows), expected(m.rows, 0.0);
  for (int c = 0; c < m.columns; ++c) x[c] = std::sin(0.1 * c);
  for (int r = 0; r < m.rows; ++r)
    for (int e = m.row_offsets[r]; e < m.row_offsets[r + 1]; ++e)
      expected[r] += m.values[e] * x[m.column_indices[e]];
  int *d_offsets = upload(m.row_offsets), *d_columns = upload(m.column_indices);
  double *d_values = upload(m.values), *d_x = upload(x), *d_y = nullptr;
  cudaMalloc(&d_y, m.rows * sizeof(double));
  int failures = 0;
  for (const bool vector : {false, true}) {
    cudaMemset(d_y, 0xff, m.rows * sizeof(double));
    if (vector)
      csr_vector<int, double>
          <<<(m.rows * 32 + 127) / 128, 128>>>(m.rows, d_offsets, d_columns, d_values, d_x, d_y);
    else
      csr_scalar<int, double>
          <<<(m.rows + 127) / 128, 128>>>(m.rows, d_offsets, d_columns, d_values, d_x, d_y);
    cudaMemcpy(y.data(), d_y, m.rows * sizeof(double), cudaMemcpyDeviceToHost);
    double worst = 0.0;
    for (int r = 0; r < m.rows; ++r) worst = std::fmax(worst, std::fabs(y[r] - expected[r]));
    std::printf("%s a row: largest error %.2g\n", vector ? "a warp" : "a thread", worst);
    failures += !(worst < 1e-12);
  }
  cudaFree(d_offsets), cudaFree(d_columns), cudaFree(d_values), cudaFree(d_x), cudaFree(d_y);
  return failures;
}
