// Puzzle 40, given: the model's weights in device memory, from a file or from a seed, and one token's walk
// through it.
#pragma once

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "given.cuh"
#include "safetensors.h"

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Blocks that work on `outputs` in groups of kRows and that the GPU can hold at once: four on each of its
// multiprocessors.
inline int resident_blocks(int outputs) {
  static const int multiprocessors = [] {
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    return count;
  }();
  const int groups = outputs / kRows, room = 4 * multiprocessors;
  return groups < room ? groups : room;
}

// Numbers around `mean`, at most `spread` away, from a seed: element i does not depend on the others.
__global__ void fill_kernel(half* out, size_t size, unsigned long long seed, float mean, float spread) {
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<size_t>(gridDim.x) * blockDim.x) {
    unsigned long long z = (i + 1) * 0x9e3779b97f4a7c15ull + seed * 0xd1342543de82ef95ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;  // SplitMix64
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    out[i] = __float2half(mean + spread * (static_cast<float>(z >> 40) * 0x1p-23f - 1.0f));
  }
}

inline int blocks_of_fill(size_t size) {
  const size_t blocks = (size + kThreads - 1) / kThreads;
  return static_cast<int>(blocks < 1024 ? blocks : 1024);
}

__global__ void set_kernel(State* state, int token, int position) { *state = {token, position, -1}; }

class Model {
 public:
  Size size;
  std::vector<Layer> layers;
  const half* embedding = nullptr;  // [vocabulary, hidden]
  Norm final_norm{};
  Linear out{};  // hidden to vocabulary, without a bias
  Buffers buffers{};
  float* losses = nullptr;        // [context]
  unsigned char* text = nullptr;  // [given] the bytes that are given; behind them the model goes on
  int given = 0;
  size_t weights = 0;  // how many

  /// The weights of `file`, or where that is null random ones from a seed.
  Model(const Safetensors* file, const Size& wanted, const std::string& bytes)
      : size(wanted), given(static_cast<int>(bytes.size())) {
    const int hidden = size.hidden, inner = size.inner();
    embedding = tensor(file, "embed_in.weight", size.vocabulary, hidden, 0.0f, 1.0f);
    for (int i = 0; i < size.layers; ++i) {
      const std::string at = "layers." + std::to_string(i) + ".";
      Layer layer{};
      layer.attention_norm = norm(file, at + "input_layernorm");
      layer.mlp_norm = norm(file, at + "post_attention_layernorm");
      layer.qkv = linear(file, at + "attention.query_key_value", 3 * hidden, hidden);
      layer.dense = linear(file, at + "attention.dense", hidden, hidden);
      layer.up = linear(file, at + "mlp.dense_h_to_4h", inner, hidden);
      layer.down = linear(file, at + "mlp.dense_4h_to_h", hidden, inner);
      layer.keys = room<float>(static_cast<size_t>(size.context) * hidden);
      layer.values = room<float>(static_cast<size_t>(size.context) * hidden);
      layers.push_back(layer);
    }
    final_norm = norm(file, "final_layer_norm");
    out = {tensor(file, "embed_out.weight", size.vocabulary, hidden, 0.0f, spread(hidden)), nullptr};
    buffers = {room<float>(hidden), room<float>(hidden),          room<float>(3 * hidden),
               room<float>(hidden), room<float>(inner),           room<float>(hidden),
               room<float>(hidden), room<float>(size.vocabulary), room<State>(1)};
    losses = room<float>(size.context);
    text = room<unsigned char>(bytes.size());
    check(cudaMemcpy(text, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "the text");
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() {
    for (void* memory : memory_) cudaFree(memory);
  }

 private:
  template <class T>
  T* room(size_t count) {
    T* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    memory_.push_back(memory);
    return memory;
  }
  static float spread(int inputs) { return 1.7f / std::sqrt(static_cast<float>(inputs)); }  // outputs near 1

  const half* tensor(const Safetensors* file, const std::string& name, int rows, int columns, float mean,
                     float spread) {
    const size_t count = static_cast<size_t>(rows) * columns;
    half* memory = room<half>(count);
    weights += count;
    if (file != nullptr) {
      check(cudaMemcpy(memory, file->halves(name, static_cast<std::int64_t>(count)), count * sizeof(half),
                       cudaMemcpyHostToDevice),
            name.c_str());
    } else {
      fill_kernel<<<blocks_of_fill(count), kThreads>>>(memory, count, ++seed_, mean, spread);
      check(cudaGetLastError(), "fill_kernel");
    }
    return memory;
  }
  Norm norm(const Safetensors* file, const std::string& name) {
    return {tensor(file, name + ".weight", 1, size.hidden, 1.0f, 0.3f),
            tensor(file, name + ".bias", 1, size.hidden, 0.0f, 0.2f)};
  }
  Linear linear(const Safetensors* file, const std::string& name, int outputs, int inputs) {
    return {tensor(file, name + ".weight", outputs, inputs, 0.0f, spread(inputs)),
            tensor(file, name + ".bias", 1, outputs, 0.0f, 0.1f)};
  }

  std::vector<void*> memory_;
  unsigned long long seed_ = 0;
};

// A block of the model has three parts, and a way to launch each: apart, a launch an operation, or fused in
// one.
using Part = void (*)(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream);
struct Way {
  Part norm_linear;  // qkv from LN1(x), inner from LN2(x)
  Part attention;    // context from qkv and the cache, which gets this token's key and value
  Part residual;     // x from x, context and inner
  void (*head)(const Model& model, cudaStream_t stream);  // the logits from x
};

// One token: the state says which and where; afterwards the logits are there, and the likeliest next token.
inline void decode_token(const Model& model, const Way& way, cudaStream_t stream) {
  const Size& size = model.size;
  const Buffers& b = model.buffers;
  embed_kernel<<<ceil_div(size.hidden, kThreads), kThreads, 0, stream>>>(b.x, model.embedding, b.state,
                                                                         size.hidden);
  for (const Layer& layer : model.layers) {
    way.norm_linear(layer, b, size, stream);
    way.attention(layer, b, size, stream);
    way.residual(layer, b, size, stream);
  }
  way.head(model, stream);
  const int warps = ceil_div(size.vocabulary / 4, kWarpSize);
  const int threads = warps * kWarpSize < kChooseThreads ? warps * kWarpSize : kChooseThreads;
  choose_kernel<<<1, threads, 0, stream>>>(b.state, model.losses, b.logits, size.vocabulary, model.text,
                                           model.given);
}

// A token that was captured.
struct Captured {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;  // what cudaGraphLaunch takes
};
