// Attention without the matrix of scores: tiles of keys and values pass through shared memory, and the
// softmax is corrected as they come. A block owns 32 queries of a head; dynamic shared memory holds four
// tiles.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Br = 32, Bc = 32;

__global__ void flash_forward(const float* Q, const float* K, const float* V, float* O, float* L, int T,
                              int d, float scale, bool causal) {
  extern __shared__ float smem[];
  const int tx = threadIdx.x, pitch = d + 1;
  float *Qi = smem, *Kj = Qi + Br * pitch, *Vj = Kj + Bc * pitch, *Oi = Vj + Bc * pitch;
  float S[Bc];
  const size_t head = (static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x) * T * d;
  const int row = blockIdx.z * Br + tx;

  for (int i = tx; i < Br * d; i += Br) {
    const int r = i / d, x = i % d, q = blockIdx.z * Br + r;
    Qi[r * pitch + x] = q < T ? Q[head + q * d + x] : 0.0f;
    Oi[r * pitch + x] = 0.0f;
  }
  float m = -INFINITY, l = 0.0f;
  const int tiles = causal ? blockIdx.z + 1 : (T + Bc - 1) / Bc;
  for (int j = 0; j < tiles; ++j) {
    __syncthreads();
    for (int i = tx; i < Bc * d; i += Br) {
      const int r = i / d, x = i % d, k = j * Bc + r;
      Kj[r * pitch + x] = k < T ? K[head + k * d + x] : 0.0f;
      Vj[r * pitch + x] = k < T ? V[head + k * d + x] : 0.0f;
    }
    __syncthreads();
    float m_new = m;
    for (int y = 0; y < Bc; ++y) {
      const int k = j * Bc + y;
      float sum = 0.0f;
      for (int x = 0; x < d; ++x) sum += Qi[tx * pitch + x] * Kj[y * pitch + x];
      S[y] = k < T && (!causal || k <= row) ? sum * scale : -INFINITY;
      m_new = fmaxf(m_new, S[y]);
    }
    const float correction = __expf(m - m_new);
    l *= correction;
    for (int x = 0; x < d; ++x) Oi[tx * pitch + x] *= correction;
    for (int y = 0; y < Bc; ++y) {
      const float p = __expf(S[y] - m_new);
      l += p;
      for (int x = 0; x < d; ++x) Oi[tx * pitch + x] += p * Vj[y * pitch + x];
    }
    m = m_new;
  }
  if (row < T) L[(blockIdx.y * gridDim.x + blockIdx.x) * T + row] = m + logf(l);
  const float inverse = 1.0f / l;
  for (int x = 0; x < d; ++x) Oi[tx * pitch + x] *= inverse;
  __syncthreads();
  for (int i = tx; i < Br * d; i += Br) {
    const int r = i / d, x = i % d, q = blockIdx.z * Br + r;
    if (q < T) O[head + q * d + x] = Oi[r * pitch + x];
  }
}

int main() {
  const int B = 2, H = 2, T = 70, d = 32, n = B * H * T * d;
  const float scale = 1.0f / std::sqrt(static_cast<float>(d));
  std::vector<float> q(n), k(n), v(n), o(n);
  for (auto* tensor : {&q, &k, &v})
    for (float& x : *tensor) x = 2.0f * static_cast<float>(rand()) / RAND_MAX - 1.0f;
  float *d_q, *d_k, *d_v, *d_o, *d_l;
  for (float** p : {&d_q, &d_k, &d_v, &d_o}) cudaMalloc(p, n * sizeof(float));
  cudaMalloc(&d_l, B * H * T * sizeof(float));
  cudaMemcpy(d_q, q.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_k, k.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  int failures = 0;
  for (const bool causal : {false, true}) {
    const size_t shared = (2 * Br + 2 * Bc) * (d + 1) * sizeof(float);
    const dim3 grid(H, B, (T + Br - 1) / Br);
    flash_forward<<<grid, Br, shared>>>(d_q, d_k, d_v, d_o, d_l, T, d, scale, causal);
    cudaMemcpy(o.data(), d_o, n * sizeof(float), cudaMemcpyDeviceToHost);
    double worst = 0.0;
    for (int h = 0; h < B * H; ++h)
      for (int i = 0; i < T; ++i) {
        const int keys = causal ? i + 1 : T;
        std::vector<double> score(keys);
        double most = -1e30, sum = 0.0;
        for (int j = 0; j < keys; ++j) {
          for (int x = 0; x < d; ++x)
            score[j] += static_cast<double>(q[(h * T + i) * d + x]) * k[(h * T + j) * d + x];
          most = std::fmax(most, score[j] *= scale);
        }
        for (double& s : score) sum += s = std::exp(s - most);
        for (int x = 0; x < d; ++x) {
          double expected = 0.0;
          for (int j = 0; j < keys; ++j) expected += score[j] / sum * v[(h * T + j) * d + x];
          worst = std::fmax(worst, std::fabs(expected - o[(h * T + i) * d + x]));
        }
      }
    std::printf("%s: largest error %.2g\n", causal ? "causal" : "full", worst);
    failures += !(worst < 1e-4);
  }
  for (float* p : {d_q, d_k, d_v, d_o, d_l}) cudaFree(p);
  return failures;
}
