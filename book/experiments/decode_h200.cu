// Puzzle 40 at the size of Pythia-2.8b on a GPU: each kernel of the solution by itself, and whole tokens with
// each fusion on and off, in a CUDA graph and launched by the host. book/experiments/decode_h200.py and
// decode_parts.py read what it prints.
//   nvcc -O3 -std=c++20 -arch=native -I puzzles/40_decode -I solutions/40_decode -o decode
//   book/experiments/decode_h200.cu
//   ./decode >book/data/h200/decode/decode.txt
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#define main puzzle_main
#include "kernels.cu"
#undef main

namespace {

constexpr Size kSize = {32, 2560, 32, 50304, 512};
constexpr int kPosition = 96, kRounds = 25, kCalls = 10;
constexpr double kCopyRate = 4.27e12;  // bytes a second

struct Work {
  std::string name;
  std::function<void(cudaStream_t)> launch;
  int calls;     // in one launch: the time is divided by it
  double bytes;  // of a call
  bool graph = true;
  cudaGraphExec_t ready = nullptr;
  std::vector<double> us = {};
};

void prepare(Work& work, cudaStream_t stream) {
  if (work.graph) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin");
    work.launch(stream);
    check(cudaStreamEndCapture(stream, &graph), "end");
    check(cudaGraphInstantiate(&work.ready, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "destroy");
    check(cudaGraphLaunch(work.ready, stream), "warm up");
  } else {
    work.launch(stream);
  }
}

// In turns, so that a drift of the clocks meets all alike.
void time_all(std::vector<Work>& all, cudaStream_t stream) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (Work& work : all) prepare(work, stream);
  for (int round = 0; round < kRounds; ++round)
    for (Work& work : all) {
      check(cudaEventRecord(begin, stream), "record");
      if (work.ready != nullptr)
        check(cudaGraphLaunch(work.ready, stream), "graph");
      else
        work.launch(stream);
      check(cudaEventRecord(end, stream), "record");
      check(cudaEventSynchronize(end), "wait");
      float ms = 0.0f;
      check(cudaEventElapsedTime(&ms, begin, end), "time");
      work.us.push_back(ms * 1000.0 / work.calls);
    }
  for (Work& work : all) {
    std::sort(work.us.begin(), work.us.end());
    const double median = work.us[kRounds / 2], floor = work.bytes / kCopyRate * 1e6;
    std::printf("%-90s %9.2f us  (p10 %9.2f, p90 %9.2f)  floor %8.2f  %5.1f %%  %s\n", work.name.c_str(),
                median, work.us[kRounds / 10], work.us[kRounds * 9 / 10], floor, 100.0 * floor / median,
                work.graph ? "graph" : "host");
    if (work.ready != nullptr) cudaGraphExecDestroy(work.ready);
  }
}

}  // namespace

int main() try {
  const Model model(nullptr, kSize, std::string("ab"));
  const Size& size = model.size;
  const Buffers& b = model.buffers;
  const int hidden = size.hidden;
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "stream");
  const Way apart = {norm_linear_apart, attention_apart, residual_apart, head_apart};
  const Way fused = {norm_linear_fused, attention_fused, residual_fused, head_fused};

  // Real keys and values for the tokens before.
  for (int position = 0; position <= kPosition; ++position) {
    set_kernel<<<1, 1, 0, stream>>>(b.state, (position * 7919 + 13) % size.vocabulary, position);
    decode_token(model, apart, stream);
  }
  const std::vector<float> expected = program::fetched(b.logits, size.vocabulary, stream);

  const double cache = 2.0 * (kPosition + 1) * hidden * sizeof(float), out = 2.0 * size.vocabulary * hidden;
  const double first = 2.0 * 7 * hidden * hidden, last = 2.0 * 5 * hidden * hidden;
  const auto blocks = [&](Part part) {
    return [&, part](cudaStream_t to) {
      for (const Layer& layer : model.layers) part(layer, b, size, to);
    };
  };
  std::vector<Work> parts = {{"norm_linear apart", blocks(norm_linear_apart), size.layers, first},
                             {"norm_linear fused", blocks(norm_linear_fused), size.layers, first},
                             {"attention apart", blocks(attention_apart), size.layers, cache},
                             {"attention fused", blocks(attention_fused), size.layers, cache},
                             {"residual apart", blocks(residual_apart), size.layers, last},
                             {"residual fused", blocks(residual_fused), size.layers, last},
                             {"head apart", [&](cudaStream_t to) { head_apart(model, to); }, 1, out},
                             {"head fused", [&](cudaStream_t to) { head_fused(model, to); }, 1, out},
                             {"choose",
                              [&](cudaStream_t to) {
                                for (int i = 0; i < kCalls; ++i)
                                  choose_kernel<<<1, kChooseThreads, 0, to>>>(b.state, model.losses, b.logits,
                                                                              size.vocabulary, model.text, 0);
                              },
                              kCalls, 4.0 * size.vocabulary}};
  time_all(parts, stream);

  std::vector<Work> tokens;
  for (int off = 7; off >= 0; --off) {
    Way way = fused;
    if (off & 1) way.norm_linear = norm_linear_apart, way.head = head_apart;
    if (off & 2) way.attention = attention_apart;
    if (off & 4) way.residual = residual_apart;
    const int launches =
        2 + (off & 1 ? 2 : 1) + size.layers * ((off & 1 ? 7 : 1) + (off & 2 ? 3 : 1) + (off & 4 ? 6 : 1));
    const auto word = [&](int bit) { return off & bit ? " apart" : " fused"; };
    const std::string name = std::string("token: norm_linear") + word(1) + ", attention" + word(2) +
                             ", residual" + word(4) + ", " + std::to_string(launches) + " launches";
    const auto decode = [&model, way](cudaStream_t to) { decode_token(model, way, to); };
    check(cudaMemset(b.logits, 0, size.vocabulary * sizeof(float)), "memset");
    set_kernel<<<1, 1, 0, stream>>>(b.state, (kPosition * 7919 + 13) % size.vocabulary, kPosition);
    decode(stream);
    const std::vector<float> got = program::fetched(b.logits, size.vocabulary, stream);
    double off_by = 0.0;
    for (size_t i = 0; i < got.size(); ++i)
      off_by = std::max(off_by, static_cast<double>(std::abs(got[i] - expected[i])));
    if (!(off_by < 1e-3)) std::printf("WRONG %s: logits off by %g\n", name.c_str(), off_by);
    const double bytes = size.layers * (first + last + cache) + out;
    tokens.push_back({name, decode, 1, bytes});
    tokens.push_back({name, decode, 1, bytes, false});
  }
  time_all(tokens, stream);
  check(cudaStreamDestroy(stream), "stream");
  return 0;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
