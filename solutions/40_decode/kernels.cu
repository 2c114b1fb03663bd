// Puzzle 40, GPT-NeoX decode: a language model writes one token after another. A block of GPT-NeoX computes
//   x + attention(LN1(x)) + mlp(LN2(x))
// and both sums begin with x as it came in, not with LN(x). First with a launch for each operation, then with
// three launches a block, then as a graph that is captured once and launched for each token.
//
// CUDA offers for this: 16-byte loads, a warp's shuffles, and graphs (cudaStreamBeginCapture and what
// follows). unfused.cuh has the kernels of --unfused, and given.cuh what they share with yours: fetch,
// multiply, sum_rows, rotated, attend. main() hands your launches to program.cu.
#include "model.cuh"
#include "unfused.cuh"

// Blocks for so many outputs, or for so many elements.
inline int blocks_of_rows(int outputs) { return outputs / kRows; }
inline int blocks_of(int elements) { return ceil_div(elements, kThreads); }

// ---- --unfused: sixteen launches a block ----

void norm_linear_apart(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  const int hidden = size.hidden, inner = size.inner(), threads = row_threads(hidden);
  layernorm_kernel<<<1, kThreads, 0, stream>>>(b.norm, b.x, layer.attention_norm, hidden);
  linear_kernel<<<blocks_of_rows(3 * hidden), threads, 0, stream>>>(b.qkv, layer.qkv.weight, b.norm, hidden);
  add_bias_kernel<<<blocks_of(3 * hidden), kThreads, 0, stream>>>(b.qkv, layer.qkv.bias, 3 * hidden);
  layernorm_kernel<<<1, kThreads, 0, stream>>>(b.norm, b.x, layer.mlp_norm, hidden);
  linear_kernel<<<blocks_of_rows(inner), threads, 0, stream>>>(b.inner, layer.up.weight, b.norm, hidden);
  add_bias_kernel<<<blocks_of(inner), kThreads, 0, stream>>>(b.inner, layer.up.bias, inner);
  gelu_kernel<<<blocks_of(inner), kThreads, 0, stream>>>(b.inner, inner);
}

void attention_apart(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  rotary_kernel<<<size.heads, kHeadThreads, 0, stream>>>(b.qkv, b.state, size);
  append_kernel<<<size.heads, kHeadThreads, 0, stream>>>(layer.keys, layer.values, b.qkv, b.state, size);
  attention_kernel<<<size.heads, kHeadThreads, attention_bytes(size), stream>>>(b.context, b.qkv, layer.keys,
                                                                                layer.values, b.state, size);
}

// x + (Wd context + bd) + (Wm inner + bm), by way of b.attended and b.product.
void residual_apart(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  const int hidden = size.hidden, inner = size.inner(), threads = row_threads(hidden);
  // FILL ME IN: residual_apart (roughly 7 lines)
  linear_kernel<<<blocks_of_rows(hidden), threads, 0, stream>>>(b.attended, layer.dense.weight, b.context,
                                                                hidden);
  add_bias_kernel<<<blocks_of(hidden), kThreads, 0, stream>>>(b.attended, layer.dense.bias, hidden);
  linear_kernel<<<blocks_of_rows(hidden), threads, 0, stream>>>(b.product, layer.down.weight, b.inner, inner);
  add_bias_kernel<<<blocks_of(hidden), kThreads, 0, stream>>>(b.product, layer.down.bias, hidden);
  // What both are added to is x as it came in. b.norm, its LN, lies at hand too, and would be another model.
  add_kernel<<<blocks_of(hidden), kThreads, 0, stream>>>(b.x, b.x, b.attended, hidden);
  add_kernel<<<blocks_of(hidden), kThreads, 0, stream>>>(b.x, b.x, b.product, hidden);
  // END: residual_apart
}

void head_apart(const Model& model, cudaStream_t stream) {
  const Buffers& b = model.buffers;
  const int hidden = model.size.hidden, vocabulary = model.size.vocabulary, threads = row_threads(hidden);
  layernorm_kernel<<<1, kThreads, 0, stream>>>(b.norm, b.x, model.final_norm, hidden);
  linear_kernel<<<blocks_of_rows(vocabulary), threads, 0, stream>>>(b.logits, model.out.weight, b.norm,
                                                                    hidden);
}

// ---- --norm-linear: a norm, a matrix, its bias and GELU in one launch ----

// out = W LN(x) + b, with GELU or without it. linear.bias is null where there is none: for the logits.
struct Job {
  float* out;
  Norm norm;
  Linear linear;
  int outputs;
  bool with_gelu;
};

// Two jobs that begin with the same x, in one grid: the blocks are shared out as the outputs are. A block
// goes from one group of kRows outputs to the next; `row`, what it multiplies by, stays in its registers.
__global__ void norm_linear_kernel(Job first, Job second, const float* x, int hidden) {
  const int all = first.outputs + second.outputs, blocks = gridDim.x;
  const int of_first = second.outputs == 0
                           ? blocks
                           : max(1, static_cast<int>(static_cast<long long>(blocks) * first.outputs / all));
  const bool is_first = static_cast<int>(blockIdx.x) < of_first;
  const Job job = is_first ? first : second;
  const int step = kRows * (is_first ? of_first : blocks - of_first);
  int output = kRows * (blockIdx.x - (is_first ? 0 : of_first));
  // The first weights are asked for before anything else: they are on their way while the row is normalised.
  const half* matrix = job.linear.weight;
  Weights weights = fetch(matrix + static_cast<size_t>(output) * hidden, hidden, hidden);
  const Halves gamma = load_halves(job.norm.gamma, hidden), beta = load_halves(job.norm.beta, hidden);
  float row[kEach];
  load_slice(row, x, hidden);

  // FILL ME IN: normalize (roughly 6 lines)
  // Each block normalises the whole row for itself: a row out of the L2 against a launch and a row that goes
  // through memory.
  float sum = 0.0f, squares = 0.0f;
  for (int j = 0; j < kEach; ++j) sum += row[j];  // behind the row's end there are zeros
  const float mean = block_sum(sum) / hidden;
  for (int j = 0; j < kEach; ++j) squares += element(j) < hidden ? (row[j] - mean) * (row[j] - mean) : 0.0f;
  const float scale = rsqrtf(block_sum(squares) / hidden + kEpsilon);
  for (int j = 0; j < kEach; ++j) row[j] = (row[j] - mean) * scale * gamma[j] + beta[j];
  // END: normalize

  for (; output < job.outputs; output += step) {
    float sums[kRows] = {};
    multiply(sums, weights, row);
    // What comes next is asked for before the block waits for its sums.
    if (output + step < job.outputs)
      weights = fetch(matrix + static_cast<size_t>(output + step) * hidden, hidden, hidden);
    const float product = sum_rows(sums);  // thread r has that of output + r
    // FILL ME IN: epilogue (roughly 5 lines)
    if (threadIdx.x < kRows) {
      // The bias costs two bytes more, where a kernel of its own would read and write the row again.
      const int own = output + threadIdx.x;
      const float value = product + (job.linear.bias != nullptr ? __half2float(job.linear.bias[own]) : 0.0f);
      job.out[own] = job.with_gelu ? gelu(value) : value;
    }
    // END: epilogue
  }
}

void norm_linear_fused(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  const int hidden = size.hidden;
  const Job qkv = {b.qkv, layer.attention_norm, layer.qkv, 3 * hidden, false};
  const Job up = {b.inner, layer.mlp_norm, layer.up, size.inner(), true};
  // FILL ME IN: launch (roughly 2 lines)
  // Both norms see the same x, so that their matrices can share a launch. In a model that adds attention to x
  // first, the MLP would have to wait for it.
  const int blocks = resident_blocks(qkv.outputs + up.outputs);
  norm_linear_kernel<<<blocks, row_threads(hidden), 0, stream>>>(qkv, up, b.x, hidden);
  // END: launch
}

void head_fused(const Model& model, cudaStream_t stream) {
  const Size& size = model.size;
  const Job logits = {model.buffers.logits, model.final_norm, model.out, size.vocabulary, false};
  norm_linear_kernel<<<resident_blocks(size.vocabulary), row_threads(size.hidden), 0, stream>>>(
      logits, Job{}, model.buffers.x, size.hidden);
}

// ---- --rotary-attention: rotation, cache and attention in one launch ----

// A block a head; attention_bytes() of shared memory: the query, then what attend() needs.
__global__ void rotary_attention_kernel(float* context, float* keys, float* values, const float* qkv,
                                        const State* state, Size size) {
  extern __shared__ __align__(16) float query[];
  const int head = size.head(), position = state->position;
  const float* own = qkv + 3 * blockIdx.x * head;  // this head's query, key and value of this token

  // FILL ME IN: append (roughly 8 lines)
  // The query is needed by this block alone: it stays in shared memory. Key and value are for all tokens to
  // come.
  float* key = keys + static_cast<size_t>(position) * size.hidden + blockIdx.x * head;
  float* value = values + static_cast<size_t>(position) * size.hidden + blockIdx.x * head;
  for (int i = threadIdx.x; i < head; i += kHeadThreads) {
    query[i] = rotated(own, i, position, size);
    key[i] = rotated(own + head, i, position, size);
    value[i] = own[2 * head + i];
  }
  __syncthreads();  // attend() reads the query, and the cache up to this very token
  // END: append

  float* parts = query + head;
  attend(context, query, keys, values, parts + kHeadWarps * head, parts, position, size);
}

void attention_fused(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  rotary_attention_kernel<<<size.heads, kHeadThreads, attention_bytes(size), stream>>>(
      b.context, layer.keys, layer.values, b.qkv, b.state, size);
}

// ---- --residual: both matrices that lead back to x, in one launch ----

// x += Wd context + bd + Wm inner + bm. A block has kRows outputs.
__global__ void linear_residual_kernel(float* x, Linear dense, const float* context, Linear down,
                                       const float* inner, Size size) {
  const int output = blockIdx.x * kRows;
  float sums[kRows] = {};
  // FILL ME IN: residual (roughly 7 lines)
  // One block has both products of an output, so nobody else touches x there: no atomic, no second launch.
  add_products(sums, dense.weight + static_cast<size_t>(output) * size.hidden, context, size.hidden);
  add_products(sums, down.weight + static_cast<size_t>(output) * size.inner(), inner, size.inner());
  const float product = sum_rows(sums);  // thread r has that of output + r
  if (threadIdx.x < kRows) {
    const int own = output + threadIdx.x;
    x[own] += product + __half2float(dense.bias[own]) + __half2float(down.bias[own]);
  }
  // END: residual
}

void residual_fused(const Layer& layer, const Buffers& b, const Size& size, cudaStream_t stream) {
  linear_residual_kernel<<<blocks_of_rows(size.hidden), row_threads(size.hidden), 0, stream>>>(
      b.x, layer.dense, b.context, layer.down, b.inner, size);
}

// ---- --graph: captured once, launched for each token ----

// Moves the state on to the next token. It is the text's as long as that goes, then the one that was chosen.
// One thread.
__global__ void advance_kernel(State* state, const unsigned char* text, int given) {
  // FILL ME IN: advance (roughly 2 lines)
  // What the host did between two tokens: had it to do so still, it would have to wait for each of them.
  const int position = ++state->position;
  state->token = position < given ? text[position] : state->chosen;
  // END: advance
}

// Captures a whole token, whichever it is: first decode_token, then the step to the next one.
Captured capture_token(const Model& model, const Way& way, cudaStream_t stream) {
  Captured captured;
  // FILL ME IN: capture (roughly 5 lines)
  // While the stream is captured nothing runs: kernels, sizes and arguments are written down. So no argument
  // may be what changes from token to token; that lies in device memory, where each launch of the graph finds
  // it as it is then.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin");
  decode_token(model, way, stream);
  advance_kernel<<<1, 1, 0, stream>>>(model.buffers.state, model.text, model.given);
  check(cudaStreamEndCapture(stream, &captured.graph), "end");
  check(cudaGraphInstantiate(&captured.ready, captured.graph, 0), "instantiate");
  // END: capture
  return captured;
}

int main(int count, char** arguments) {
  const Way apart = {norm_linear_apart, attention_apart, residual_apart, head_apart};
  const Way fused = {norm_linear_fused, attention_fused, residual_fused, head_fused};
  return run_program(count, arguments, apart, fused, capture_token);
}
