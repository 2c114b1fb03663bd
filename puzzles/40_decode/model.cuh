// Puzzle 40, given: the model's weights in device memory, the ways through it, and what program.cu does with
// them.
#pragma once

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "given.cuh"

class Safetensors;  // safetensors.h: program.cu reads it

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

  /// The weights of `file`, or where that is null random ones from a seed. `bytes`: the text that is given.
  Model(const Safetensors* file, const Size& wanted, const std::string& bytes);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

 private:
  template <class T>
  T* room(size_t count);
  const half* tensor(const Safetensors* file, const std::string& name, int rows, int columns, float mean,
                     float spread);
  Norm norm(const Safetensors* file, const std::string& name);
  Linear linear(const Safetensors* file, const std::string& name, int outputs, int inputs);

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

// One thread: the token that comes next, and where. program.cu has it.
__global__ void set_kernel(State* state, int token, int position);

// One token: the state says which and where; afterwards the logits are there, and the likeliest next token.
void decode_token(const Model& model, const Way& way, cudaStream_t stream);

// A token that was captured.
struct Captured {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;  // what cudaGraphLaunch takes
};

using Capture = Captured (*)(const Model& model, const Way& way, cudaStream_t stream);

// program.cu: decodes a text with these ways, and compares all it can. Gives the program's exit status.
int run_program(int count, char** arguments, const Way& apart, const Way& fused, Capture capture);
