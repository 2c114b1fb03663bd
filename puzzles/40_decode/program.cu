// Puzzle 40, given: what the program does with the learner's launches. It decodes a text of its own with
// them, compares each part of the first tokens and all logits with a reference on the CPU, counts the
// launches, and says what it found.
//
//   decode [--unfused|--norm-linear|--rotary-attention|--residual|--fused|--graph]
//     --weights FILE     where model.safetensors lies, if it is not found
//     --prompt TEXT      what is given; the model goes on behind it. --text N: the first N bytes of text.h
//     --tokens N         how many tokens, the given ones included (40)
//     --bench            only times, and the logits beside those of --unfused: for a GPU, with random weights
//     of any size:
//     --layers N --hidden N --heads N --vocabulary N
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model.cuh"
#include "reference.h"
#include "safetensors.h"
#include "text.h"

// ---- The model ----

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

int blocks_of_fill(size_t size) {
  const size_t blocks = (size + kThreads - 1) / kThreads;
  return static_cast<int>(blocks < 1024 ? blocks : 1024);
}

float spread(int inputs) { return 1.7f / std::sqrt(static_cast<float>(inputs)); }  // outputs near 1

template <class T>
T* Model::room(size_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  memory_.push_back(memory);
  return memory;
}

const half* Model::tensor(const Safetensors* file, const std::string& name, int rows, int columns, float mean,
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
Norm Model::norm(const Safetensors* file, const std::string& name) {
  return {tensor(file, name + ".weight", 1, size.hidden, 1.0f, 0.3f),
          tensor(file, name + ".bias", 1, size.hidden, 0.0f, 0.2f)};
}
Linear Model::linear(const Safetensors* file, const std::string& name, int outputs, int inputs) {
  return {tensor(file, name + ".weight", outputs, inputs, 0.0f, spread(inputs)),
          tensor(file, name + ".bias", 1, outputs, 0.0f, 0.1f)};
}

Model::Model(const Safetensors* file, const Size& wanted, const std::string& bytes)
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

Model::~Model() {
  for (void* memory : memory_) cudaFree(memory);
}

// ---- One token ----

// x = the row of the embedding that belongs to the token. Grid ceil(hidden / kThreads).
__global__ void embed_kernel(float* x, const half* embedding, const State* state, int hidden) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < hidden) x[i] = __half2float(embedding[static_cast<size_t>(state->token) * hidden + i]);
}

constexpr int kChooseThreads = 1024;

// Reads the logits: the likeliest next token, and the loss -log p(next token of the text) where there is one.
// One block of at most kChooseThreads, a multiple of 32. The vocabulary is a multiple of 4.
__global__ void choose_kernel(State* state, float* losses, const float* logits, int vocabulary,
                              const unsigned char* text, int text_size) {
  __shared__ float best_of[kChooseThreads / kWarpSize], sum_of[kChooseThreads / kWarpSize];
  __shared__ int at_of[kChooseThreads / kWarpSize];
  const int warps = blockDim.x / kWarpSize;
  const float4* fours = reinterpret_cast<const float4*>(logits);
  float best = -INFINITY;
  int at = 0;
#pragma unroll 8
  for (int i = threadIdx.x; i < vocabulary / 4; i += blockDim.x) {
    const float4 four = fours[i];
    if (four.x > best) best = four.x, at = 4 * i;
    if (four.y > best) best = four.y, at = 4 * i + 1;
    if (four.z > best) best = four.z, at = 4 * i + 2;
    if (four.w > best) best = four.w, at = 4 * i + 3;
  }
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, best, offset);
    const int other_at = __shfl_xor_sync(0xffffffffu, at, offset);
    if (other > best || (other == best && other_at < at)) best = other, at = other_at;
  }
  if (threadIdx.x % kWarpSize == 0) {
    best_of[threadIdx.x / kWarpSize] = best;
    at_of[threadIdx.x / kWarpSize] = at;
  }
  __syncthreads();
  for (int warp = 0; warp < warps; ++warp)
    if (best_of[warp] > best || (best_of[warp] == best && at_of[warp] < at))
      best = best_of[warp], at = at_of[warp];
  float sum = 0.0f;
#pragma unroll 8
  for (int i = threadIdx.x; i < vocabulary / 4; i += blockDim.x) {
    const float4 four = fours[i];
    sum += expf(four.x - best) + expf(four.y - best) + expf(four.z - best) + expf(four.w - best);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % kWarpSize == 0) sum_of[threadIdx.x / kWarpSize] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0.0f;
  for (int warp = 0; warp < warps; ++warp) sum += sum_of[warp];
  state->chosen = at;
  const int next = state->position + 1;
  if (next < text_size) losses[state->position] = logf(sum) + best - logits[text[next]];
}

// One token: the state says which and where; afterwards the logits are there, and the likeliest next token.
void decode_token(const Model& model, const Way& way, cudaStream_t stream) {
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

__global__ void set_kernel(State* state, int token, int position) { *state = {token, position, -1}; }

namespace {

constexpr int kTraced = 3;  // tokens whose parts are compared: rotation and cache show from the second on
// A difference that is allowed: this many times what the same model in plain float loops is off by. The
// kernels add in another order, over 32 lanes; that has about the same error.
constexpr double kSlack = 8.0;

struct Options {
  std::string way = "fused", weights, prompt = "The last boat of the";
  int tokens = 40;
  bool bench = false;
  Size size{0, 0, 0, 0, 0};

  Options(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      const std::string_view word = arguments[i];
      const auto number = [&] {
        if (++i == count || std::atoi(arguments[i]) <= 0)
          throw std::runtime_error(std::string(word) + " needs a number above 0");
        return std::atoi(arguments[i]);
      };
      if (word == "--tokens")
        tokens = number();
      else if (word == "--text")
        prompt.assign(kText, std::min<std::size_t>(number(), sizeof kText - 1));
      else if (word == "--prompt" && i + 1 < count)
        prompt = arguments[++i];
      else if (word == "--layers")
        size.layers = number();
      else if (word == "--hidden")
        size.hidden = number();
      else if (word == "--heads")
        size.heads = number();
      else if (word == "--vocabulary")
        size.vocabulary = number();
      else if (word == "--bench")
        bench = true;
      else if (word == "--weights" && i + 1 < count)
        weights = arguments[++i];
      else if (word == "--unfused" || word == "--norm-linear" || word == "--rotary-attention" ||
               word == "--residual" || word == "--fused" || word == "--graph")
        way = word.substr(2);
      else
        throw std::runtime_error("no such argument: " + std::string(word));
    }
    if (prompt.size() < 2) throw std::runtime_error("a prompt has at least two bytes");
    tokens = std::max(tokens, static_cast<int>(prompt.size()));
  }
  bool random() const { return size.layers > 0; }
};

/// The file of weights: as given, here, in the puzzle's folder as `workbook run` tells it, or in
/// puzzles/40_decode of a folder around this one.
std::string weights_file(const std::string& given) {
  if (!given.empty()) return given;
  std::vector<std::string> tried = {"model.safetensors"};
  if (const char* puzzle = std::getenv("WORKBOOK_PUZZLE"))
    tried.push_back(std::string(puzzle) + "/" + tried[0]);
  for (std::string up; up.size() < 40; up += "../") tried.push_back(up + "puzzles/40_decode/" + tried[0]);
  for (const std::string& file : tried)
    if (std::FILE* found = std::fopen(file.c_str(), "rb")) {
      std::fclose(found);
      return file;
    }
  throw std::runtime_error(
      "model.safetensors is not found: run this inside the workbook, or say --weights FILE");
}

template <class T>
std::vector<T> fetched(const T* device, std::size_t count, cudaStream_t stream) {
  std::vector<T> host(count);
  check(cudaStreamSynchronize(stream), "the kernels");
  check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return host;
}

/// The weights on the host, in float.
class Fetched {
 public:
  explicit Fetched(const Model& model) : size_(model.size) {
    const int hidden = size_.hidden;
    weights.hidden = hidden, weights.heads = size_.heads, weights.vocabulary = size_.vocabulary;
    weights.epsilon = kEpsilon, weights.base = kRotaryBase;
    weights.embedding = floats(model.embedding, size_.vocabulary * hidden);
    for (const Layer& layer : model.layers)
      weights.blocks.push_back({norm(layer.attention_norm), norm(layer.mlp_norm),
                                matrix(layer.qkv, 3 * hidden, hidden), matrix(layer.dense, hidden, hidden),
                                matrix(layer.up, size_.inner(), hidden),
                                matrix(layer.down, hidden, size_.inner())});
    weights.final_norm = norm(model.final_norm);
    weights.out = floats(model.out.weight, size_.vocabulary * hidden);
  }
  reference::Weights weights;

 private:
  static std::vector<float> floats(const half* device, int count) {
    const std::vector<half> halves = fetched(device, count, nullptr);
    std::vector<float> out(count);
    for (int i = 0; i < count; ++i) out[i] = __half2float(halves[i]);
    return out;
  }
  reference::Normed norm(const Norm& from) const {
    return {floats(from.gamma, size_.hidden), floats(from.beta, size_.hidden)};
  }
  static reference::Matrix matrix(const Linear& from, int outputs, int inputs) {
    return {floats(from.weight, outputs * inputs), floats(from.bias, outputs)};
  }
  Size size_;
};

/// What should come out: the tokens, their logits and losses, and how far plain float loops are from that.
struct Expected {
  std::vector<int> tokens;
  std::vector<std::vector<double>> logits;
  double perplexity = 0.0, logit_tolerance = 0.0;

  Expected(const reference::Weights& weights, const Options& options) {
    reference::Decoder exact(weights, false), plain(weights, true);
    double losses = 0.0, off = 0.0;
    const int given = static_cast<int>(options.prompt.size());
    const auto byte = [&](int i) { return static_cast<unsigned char>(options.prompt[i]); };
    int token = byte(0);
    for (int i = 0; i < options.tokens; ++i) {
      tokens.push_back(token);
      logits.push_back(exact.decode(token));
      const std::vector<double>& row = logits.back();
      const std::vector<double> rounded = plain.decode(token);
      double largest = row[0], sum = 0.0;
      for (const double logit : row) largest = std::max(largest, logit);
      for (const double logit : row) sum += std::exp(logit - largest);
      for (std::size_t o = 0; o < row.size(); ++o) off = std::max(off, std::abs(row[o] - rounded[o]));
      token = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
      if (i + 1 < given) {
        token = byte(i + 1);
        losses += std::log(sum) + largest - row[token];
      }
    }
    tokens.push_back(token);
    perplexity = std::exp(losses / (given - 1));
    logit_tolerance = kSlack * off;
  }
};

/// One part after the other, for the first tokens, against the reference; says which is wrong, and as what.
class Tracer {
 public:
  Tracer(const Model& model, const Way& way, const reference::Weights& weights, cudaStream_t stream)
      : model_(model), way_(way), stream_(stream), exact_(weights, false), plain_(weights, true) {}

  /// Prints a line a part; or, where `whole` names all of them together, one.
  bool all_right(const std::vector<int>& tokens, const char* whole = nullptr) {
    for (std::size_t t = 0; t < kTraced && t < tokens.size() && wrong_.empty(); ++t) trace(tokens[t]);
    if (whole != nullptr) {
      if (wrong_.empty())
        std::printf("%s: right\n", whole);
      else
        std::printf("%s: WRONG in %s, %s\n", whole, std::string(wrong_part_).c_str(), wrong_.c_str());
      return wrong_.empty();
    }
    static const char* const kParts[] = {"q, k and v",    "inner",   "cached keys",
                                         "cached values", "context", "x"};
    for (const char* part : kParts) {
      if (part == wrong_part_) {
        std::printf("%s: WRONG, %s\n", part, wrong_.c_str());
        return false;
      }
      std::printf("%s: right\n", part);
    }
    return true;
  }

 private:
  using Slip = reference::Slip;

  void trace(int token) {
    const Size& size = model_.size;
    const Buffers& b = model_.buffers;
    exact_.decode(token);
    plain_.decode(token);
    const int position = exact_.position;
    set_kernel<<<1, 1, 0, stream_>>>(b.state, token, position);
    embed_kernel<<<ceil_div(size.hidden, kThreads), kThreads, 0, stream_>>>(b.x, model_.embedding, b.state,
                                                                            size.hidden);
    for (std::size_t i = 0; i < model_.layers.size() && wrong_.empty(); ++i) {
      const Layer& layer = model_.layers[i];
      const auto& want = exact_.stages[i];
      const auto& near = plain_.stages[i];
      block_ = i;
      way_.norm_linear(layer, b, size, stream_);
      compare("q, k and v", fetched(b.qkv, 3 * size.hidden, stream_), want.qkv, near.qkv, &Reference::qkv,
              {Slip::raw_row, Slip::no_bias, Slip::bare_norm, Slip::other_norm, Slip::no_mean, Slip::no_scale,
               Slip::no_epsilon, Slip::zeros_counted});
      compare("inner", fetched(b.inner, size.inner(), stream_), want.inner, near.inner, &Reference::inner,
              {Slip::no_gelu, Slip::no_bias, Slip::gelu_first, Slip::after_attention, Slip::raw_row,
               Slip::bare_norm, Slip::other_norm, Slip::no_mean, Slip::no_scale, Slip::no_epsilon,
               Slip::zeros_counted});
      if (!wrong_.empty()) return;
      way_.attention(layer, b, size, stream_);
      const std::size_t row = static_cast<std::size_t>(position) * size.hidden;
      compare("cached keys", fetched(layer.keys + row, size.hidden, stream_), want.keys, near.keys,
              &Reference::keys,
              {Slip::not_rotated, Slip::backwards, Slip::neighbours, Slip::whole_head, Slip::other_end,
               Slip::next_position, Slip::all_positions_zero});
      compare("cached values", fetched(layer.values + row, size.hidden, stream_), want.values, near.values,
              &Reference::values, {Slip::key_for_value});
      compare("context", fetched(b.context, size.hidden, stream_), want.context, near.context,
              &Reference::context,
              {Slip::root_left_out, Slip::no_root, Slip::query_not_rotated, Slip::not_itself,
               Slip::first_head_for_all});
      if (!wrong_.empty()) return;
      way_.residual(layer, b, size, stream_);
      compare("x", fetched(b.x, size.hidden, stream_), want.x, near.x, &Reference::residual,
              {Slip::no_x, Slip::norm_of_x, Slip::no_dense_bias, Slip::no_down_bias, Slip::no_attention,
               Slip::no_mlp, Slip::x_twice});
    }
  }

  using Reference = reference::Decoder;
  using Stage = std::vector<double> (Reference::*)(std::size_t block, Slip slip) const;

  static bool fits(const std::vector<float>& got, const std::vector<double>& want, double tolerance,
                   std::size_t* where) {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!(std::abs(got[i] - want[i]) <= tolerance)) {
        *where = i;
        return false;
      }
    return true;
  }

  void compare(const char* part, const std::vector<float>& got, const std::vector<double>& want,
               const std::vector<double>& near, Stage stage, std::initializer_list<Slip> slips) {
    if (!wrong_.empty()) return;
    double off = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      off = std::max(off, std::abs(want[i] - near[i]));
      largest = std::max(largest, std::abs(want[i]));
    }
    // At least a few roundings of the largest value: a row may be lucky in the plain loops.
    const double tolerance = kSlack * std::max(off, largest * 0x1p-24);
    std::size_t at = 0, ignored = 0;
    if (fits(got, want, tolerance, &at)) return;
    char text[160];
    std::snprintf(text, sizeof text, "token %d, block %zu, element %zu: %.6f where %.6f is right",
                  exact_.position, block_, at, static_cast<double>(got[at]), want[at]);
    wrong_part_ = part;
    wrong_ = text;
    if (std::isnan(got[at]))
      wrong_ += "\n  that is no number: what was read there, or for it, nobody has written";
    for (const Slip slip : slips)
      if (fits(got, (exact_.*stage)(block_, slip), tolerance, &ignored)) {
        wrong_ += std::string("\n  ") + reference::words_of(slip);
        return;
      }
  }

  const Model& model_;
  const Way& way_;
  cudaStream_t stream_;
  Reference exact_, plain_;
  std::size_t block_ = 0;
  std::string wrong_;
  std::string_view wrong_part_;
};

/// The parts of a block whose rows take more than one warp and end within the last one, with random weights:
/// the little model's row fits one warp, and what is added up there is not yet added up over a block.
bool wide_rows_right(const Way& way) {
  const Size size = {1, 520, 5, 256, kTraced + 1};
  const Model model(nullptr, size, "ab");
  const Fetched weights(model);
  return Tracer(model, way, weights.weights, nullptr)
      .all_right({'a', 'b'}, "a block 520 wide, where a row takes two warps");
}

/// How many kernels a graph has.
int kernels_in(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  int kernels = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    kernels += type == cudaGraphNodeTypeKernel ? 1 : 0;
  }
  return kernels;
}

/// Decodes one token after another, by launches from the host or by a captured token.
class Run {
 public:
  Run(const Model& model, const Way& way, Capture capture, const Options& options, bool graph)
      : model_(model), way_(way), prompt_(options.prompt), graph_(graph) {
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    if (!graph_) return;
    try {
      captured_ = capture(model, way, stream);
    } catch (const std::exception& error) {
      // Nothing can be freed while a stream is captured.
      cudaGraph_t unfinished = nullptr;
      if (cudaStreamEndCapture(stream, &unfinished) == cudaSuccess && unfinished != nullptr)
        cudaGraphDestroy(unfinished);
      throw std::runtime_error(std::string("capture_token: ") + error.what());
    }
    if (captured_.ready == nullptr)
      throw std::runtime_error("capture_token made no graph that can be launched");
    launches = kernels_in(captured_.graph);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    if (captured_.ready != nullptr) cudaGraphExecDestroy(captured_.ready);
    if (captured_.graph != nullptr) cudaGraphDestroy(captured_.graph);
    cudaStreamDestroy(stream);
  }

  void begin() {
    token_ = static_cast<unsigned char>(prompt_[0]), position_ = 0;
    set_kernel<<<1, 1, 0, stream>>>(model_.buffers.state, token_, position_);
  }

  /// The token that the state says. What comes next is in the state afterwards (graph), or the host fetches
  /// it.
  void step() {
    if (graph_) return check(cudaGraphLaunch(captured_.ready, stream), "cudaGraphLaunch");
    if (position_ > 0) set_kernel<<<1, 1, 0, stream>>>(model_.buffers.state, token_, position_);
    decode_token(model_, way_, stream);
  }
  /// By launches: waits for the token that was chosen. By graph: nothing is left to do.
  void next() {
    if (graph_) return;
    const State state = fetched(model_.buffers.state, 1, stream)[0];
    ++position_;
    token_ = position_ < model_.given ? static_cast<unsigned char>(prompt_[position_]) : state.chosen;
  }
  /// What the state should say after step() and next(), and says.
  State state() const {
    if (!graph_) return {token_, position_, 0};
    return fetched(model_.buffers.state, 1, stream)[0];
  }

  /// The launches of a token that the host makes one by one, counted by capturing it.
  int count_launches() {
    if (graph_) return launches;
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    set_kernel<<<1, 1, 0, stream>>>(model_.buffers.state, 0, 0);
    decode_token(model_, way_, stream);
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    const int kernels = kernels_in(graph);
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return kernels;
  }

  cudaStream_t stream = nullptr;
  int launches = 0;

 private:
  const Model& model_;
  const Way& way_;
  const std::string& prompt_;
  bool graph_;
  Captured captured_;
  int token_ = 0, position_ = 0;
};

void print_text(const char* what, const std::vector<int>& tokens, std::size_t from) {
  std::printf("%s: \"", what);
  for (std::size_t i = from; i < tokens.size(); ++i) std::printf(tokens[i] == '\n' ? "\\n" : "%c", tokens[i]);
  std::printf("\"\n");
}

/// All tokens; true when logits, tokens and perplexity are right.
bool decoded_right(const Model& model, Run& run, const Options& options, const Expected& expected) {
  double off = 0.0;
  std::vector<int> tokens = {expected.tokens[0]};
  run.begin();
  for (int i = 0; i < options.tokens; ++i) {
    run.step();
    const std::vector<float> logits = fetched(model.buffers.logits, model.size.vocabulary, run.stream);
    for (std::size_t o = 0; o < logits.size(); ++o) {
      const double difference = std::abs(logits[o] - expected.logits[i][o]);
      if (!(difference <= off)) off = difference;
    }
    if (!(off <= expected.logit_tolerance)) {
      std::printf("logits: WRONG from token %d on: off by %.6f, and %.6f is allowed\n", i, off,
                  expected.logit_tolerance);
      const int position = fetched(&model.buffers.state->position, 1, run.stream)[0];
      if (options.way == "graph" && position != i + 1)
        std::printf(
            "  launch %d of the graph left position %d, and %d is right: what was captured sets it, or leaves it alone\n",
            i + 1, position, i + 1);
      return false;
    }
    run.next();
    const State now = run.state();
    tokens.push_back(now.token);
    if (now.position != i + 1 || now.token != expected.tokens[i + 1]) {
      std::printf("state: WRONG after token %d: position %d and token %d where %d and %d are right\n", i,
                  now.position, now.token, i + 1, expected.tokens[i + 1]);
      if (now.position == i)
        std::printf("  the graph does the same token again: nothing in it moves the state on\n");
      else if (now.position == i + 1)
        std::printf("  %s\n", i + 1 < model.given ? "the text still goes: its next byte comes next"
                                                  : "the text is over: the chosen token comes next");
      return false;
    }
  }
  std::printf("logits: right, off by %.6f at most, and %.6f is allowed\n", off, expected.logit_tolerance);
  const std::vector<float> losses = fetched(model.losses, model.given - 1, run.stream);
  double sum = 0.0;
  for (const float loss : losses) sum += loss;
  const double perplexity = std::exp(sum / static_cast<double>(losses.size()));
  // A loss is a difference of two logits, more or less: each may be off by the tolerance.
  const double allowed = expected.perplexity * std::expm1(2.0 * expected.logit_tolerance);
  std::printf("perplexity of %d bytes: %.3f\n", model.given, perplexity);
  if (!(std::abs(perplexity - expected.perplexity) <= allowed)) {
    std::printf("  WRONG: %.6f where %.6f is right\n", perplexity, expected.perplexity);
    return false;
  }
  print_text("it goes on", tokens, model.given);
  return true;
}

/// With what the host does between two tokens.
double microseconds_a_token(Run& run, int tokens) {
  run.begin();
  for (int i = 0; i < 4; ++i) run.step(), run.next();
  check(cudaStreamSynchronize(run.stream), "the kernels");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  check(cudaEventRecord(begin, run.stream), "cudaEventRecord");
  for (int i = 0; i < tokens; ++i) run.step(), run.next();
  check(cudaEventRecord(end, run.stream), "cudaEventRecord");
  check(cudaEventSynchronize(end), "the kernels");
  float ms = 0.0f;
  check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return ms * 1000.0 / tokens;
}

}  // namespace

/// The whole program; its exit status.
int run_program(int count, char** arguments, const Way& apart, const Way& fused, Capture capture) try {
  Options options(count, arguments);
  Way way = options.way == "fused" || options.way == "graph" ? fused : apart;
  if (options.way == "norm-linear") way.norm_linear = fused.norm_linear, way.head = fused.head;
  if (options.way == "rotary-attention") way.attention = fused.attention;
  if (options.way == "residual") way.residual = fused.residual;

  std::optional<Safetensors> file;
  Size size = options.size;
  if (!options.random()) {
    file.emplace(weights_file(options.weights));
    const auto& shape = file->shape("embed_in.weight");
    if (shape.size() != 2) throw std::runtime_error("embed_in.weight is no matrix");
    size = {file->number("layers"), static_cast<int>(shape[1]), file->number("heads"),
            static_cast<int>(shape[0]), 0};
  }
  size.context = options.tokens + 4;
  if (size.hidden % kLoad != 0 || size.heads < 1 || size.hidden % size.heads != 0 || size.head() % 8 != 0 ||
      size.head() > 128 || size.vocabulary < 256)
    throw std::runtime_error(
        "these sizes do not go: hidden in heads of 8 to 128 elements, a multiple of 8, vocabulary 256 or more, a multiple of 4");
  const Model model(file ? &*file : nullptr, size, options.prompt);
  std::printf("--%s: %d blocks, hidden %d, %d heads, vocabulary %d, %.3f million weights\n",
              options.way.c_str(), size.layers, size.hidden, size.heads, size.vocabulary,
              static_cast<double>(model.weights) * 1e-6);

  if (options.bench) {
    Run run(model, way, capture, options, options.way == "graph");
    Run plain(model, apart, capture, options, false);
    // Both work on the same buffers, each on a stream of its own: fetched() waits for the one before the
    // other begins.
    plain.begin(), plain.step();
    const std::vector<float> want = fetched(model.buffers.logits, size.vocabulary, plain.stream);
    run.begin(), run.step();
    const std::vector<float> got = fetched(model.buffers.logits, size.vocabulary, run.stream);
    double off = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i)
      off = std::max(off, static_cast<double>(std::abs(got[i] - want[i])));
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) times.push_back(microseconds_a_token(run, options.tokens));
    std::sort(times.begin(), times.end());
    const double bytes =
        2.0 * (static_cast<double>(model.weights) - static_cast<double>(size.vocabulary) * size.hidden);
    std::printf(
        "launches a token: %d\nlogits off from --unfused by %.6f\n%.1f us a token (median of 5 times %d), %.3f GB of weights: %.2f TB/s\n",
        run.count_launches(), off, times[2], options.tokens, bytes * 1e-9, bytes / times[2] * 1e-6);
    return 0;
  }
  const Fetched weights(model);
  const Expected expected(weights.weights, options);
  if (!Tracer(model, way, weights.weights, nullptr).all_right(expected.tokens)) return 1;
  if (!wide_rows_right(way)) return 1;
  Run run(model, way, capture, options, options.way == "graph");
  if (!decoded_right(model, run, options, expected)) return 1;
  std::printf("launches a token: %d\n", run.count_launches());
  return 0;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 2;
}
