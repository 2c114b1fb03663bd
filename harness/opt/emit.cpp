#include "opt/emit.h"

#include <stdexcept>

#include "opt/emit_text.h"
#include "opt/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kConversions =
    R"(// Tensors in memory hold half, bfloat16 or float; what is computed is float.
template <class T>
__device__ inline float to_float(T value) {
  if constexpr (std::is_same_v<T, half>) return __half2float(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __bfloat162float(value);
  else return value;
}
template <class T>
__device__ inline T from_float(float value) {
  if constexpr (std::is_same_v<T, half>) return __float2half(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __float2bfloat16(value);
  else return value;
}
)";

constexpr const char* kWarpSums = R"(
// The sum and the maximum over a warp, in every lane.
__device__ inline float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
__device__ inline float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
)";

constexpr const char* kBlockSums = R"(
// The same over a block. Barriers: the warps' values of the last call have been read; those of this one are there.
template <int kThreads>
__device__ inline float block_sum(float value) {
  value = warp_sum(value);
  if (kThreads == 32) return value;
  __shared__ float of_warps[kThreads / 32];
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int i = 0; i < kThreads / 32; ++i) total += of_warps[i];
  return total;
}
template <int kThreads>
__device__ inline float block_max(float value) {
  value = warp_max(value);
  if (kThreads == 32) return value;
  __shared__ float of_warps[kThreads / 32];
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  float most = of_warps[0];
  for (int i = 1; i < kThreads / 32; ++i) most = fmaxf(most, of_warps[i]);
  return most;
}
)";

constexpr const char* kRowAccess = R"(
// A thread holds kVector neighbours of a row, then as many again a whole block further on.
template <int kThreads, int kVector>
__device__ inline int place_of(int e) {
  return (e / kVector * kThreads + static_cast<int>(threadIdx.x)) * kVector + e % kVector;
}
// kVector elements in one access. Where the row's length is a multiple of kVector, every row begins at such.
template <class T, int kVector>
struct alignas(sizeof(T) * kVector) Pack {
  T values[kVector];
};
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void load_row(float (&values)[kElements], const T* row, int size) {
#pragma unroll
  for (int e = 0; e < kElements; e += kVector) {
    const int place = place_of<kThreads, kVector>(e);
    if (size % kVector == 0 && place < size) {
      const auto pack = *reinterpret_cast<const Pack<T, kVector>*>(row + place);
#pragma unroll
      for (int v = 0; v < kVector; ++v) values[e + v] = to_float(pack.values[v]);
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v) values[e + v] = place + v < size ? to_float(row[place + v]) : 0.0f;
    }
  }
}
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void store_row(T* row, const float (&values)[kElements], int size) {
#pragma unroll
  for (int e = 0; e < kElements; e += kVector) {
    const int place = place_of<kThreads, kVector>(e);
    if (size % kVector == 0 && place < size) {
      Pack<T, kVector> pack;
#pragma unroll
      for (int v = 0; v < kVector; ++v) pack.values[v] = from_float<T>(values[e + v]);
      *reinterpret_cast<Pack<T, kVector>*>(row + place) = pack;
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (place + v < size) row[place + v] = from_float<T>(values[e + v]);
    }
  }
}
)";

constexpr const char* kSilu = R"(
__device__ inline float silu(float x) { return x / (1.0f + expf(-x)); }
)";
constexpr const char* kGelu = R"(
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
__device__ inline float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.797884561f * (x + 0.044715f * x * x * x)));
}
)";

/// Tensors that the whole takes: the output, inputs, then what crosses launches.
std::vector<int> outer(const Plan& plan, const std::vector<Launch>& launches) {
  std::vector<int> list{plan.graph.output()};
  for (int node = 0; node < static_cast<int>(plan.graph.inputs.size()); ++node)
    for (const Launch& launch : launches)
      if (listed(launch.reads, node) && !is_constant(plan, node) && !listed(list, node)) list.push_back(node);
  for (const Launch& launch : launches)
    for (const int node : launch.writes)
      if (!listed(list, node)) list.push_back(node);
  return list;
}

std::string wrapped_comment(const std::string& text) {
  std::string result, line = "//";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (line.size() + 1 + (end - at) > 100) result += line + '\n', line = "//";
    line += ' ' + text.substr(at, end - at);
    at = end + 1;
  }
  return result + line + '\n';
}

bool is_row(const Kernel& kernel) { return kernel.path == Path::row; }

std::string name_list(const Names& names, const Plan& plan, const Program& program,
                      const std::vector<int>& nodes, bool types) {
  std::string text;
  for (const int node : nodes) {
    const bool input = slot(node) < plan.graph.inputs.size();
    text += text.empty() ? "" : ", ";
    if (types)
      text += std::string(input ? "const " : "") + Names::type(storage_of(program, plan, node)) + "* ";
    text += names.tensor(node);
  }
  for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index)
    text += std::string(types ? ", [[maybe_unused]] int " : ", ") + names.size(index);
  return text;
}

}  // namespace

std::optional<std::string> emit_fault(const Program& program, const Plan& plan) {
  if (auto fault = plan_fault(program, plan, real_extents(plan.graph))) return fault;
  const std::vector<Launch> launches = launches_of(program, plan);
  for (const Tensor& tensor : plan.graph.inputs)
    if (tensor.view_of >= 0) return "a view is for graphs that are checked";
  for (std::size_t k = 0; k < launches.size(); ++k) {
    if (launches[k].split >= 0) return "a sum that the grid cuts (split-K) is not written down yet";
    const Kernel& kernel = plan.kernels[k];
    for (const int index : launches[k].grid)
      if (kernel.cuts[slot(index)].loop > 1)
        return "an index that both grid and loop cut is not written down yet";
    if (is_row(kernel) && !row_shape(program, plan, launches[k], kernel))
      return "a launch of path row has products, or rows that are too long or do not lie in one piece";
  }
  return std::nullopt;
}

std::string emit(const Program& program, const Plan& plan) {
  if (auto fault = emit_fault(program, plan)) throw std::invalid_argument(*fault);
  const std::vector<Launch> launches = launches_of(program, plan);
  const Names names(program, plan);
  std::string kernels;
  for (std::size_t k = 0; k < launches.size(); ++k)
    kernels += '\n' + (is_row(plan.kernels[k]) ? emit_row : emit_tiles)(
                          program, plan, launches[k], plan.kernels[k], static_cast<int>(k) + 1);
  std::string text =
      wrapped_comment(fmt::format("{}: {} = {}", program.name, program.output_name, formula(plan.graph)));
  text += wrapped_comment(fmt::format(
      "Written by `workbook optimize {}`, in {}. t1, t2, ... are the operations of the "
      "formula; a tensor has fewer than 2^31 elements.",
      program.name, launches.size() == 1 ? "one launch" : fmt::format("{} launches", launches.size())));
  text +=
      "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n\n#include <type_traits>\n\n";
  text += kConversions;
  const bool block = has_word(kernels, "block_sum") || has_word(kernels, "block_max");
  if (block || has_word(kernels, "warp_sum") || has_word(kernels, "warp_max")) text += kWarpSums;
  if (block) text += kBlockSums;
  if (has_word(kernels, "load_row") || has_word(kernels, "store_row")) text += kRowAccess;
  if (has_word(kernels, "silu")) text += kSilu;
  if (has_word(kernels, "gelu")) text += kGelu;
  text += kernels;
  text +=
      "\n// All launches. What crosses them lies in t1, t2, ..., as float. Ends early with the first error.\n";
  text += fmt::format("inline cudaError_t launch_{}({}, cudaStream_t stream = nullptr) {{\n",
                      identifier(program.name), name_list(names, plan, program, outer(plan, launches), true));
  for (std::size_t k = 0; k < launches.size(); ++k)
    text += (is_row(plan.kernels[k]) ? launch_row : launch_tiles)(program, plan, launches[k], plan.kernels[k],
                                                                  static_cast<int>(k) + 1);
  return text + "  return cudaGetLastError();\n}\n";
}

std::string emit_check(const Program& program, const Plan& plan) {
  const std::vector<Launch> launches = launches_of(program, plan);
  const Names names(program, plan);
  const std::vector<int> tensors = outer(plan, launches);
  Lines out;
  out.raw("// Runs the kernels on the cases of a file: CASES RESULTS (harness/opt/emit.h has the format).");
  out.raw("#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\n#include \"kernels.cu\"\n");
  out.raw(R"(namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
T stored(float value) {
  if constexpr (std::is_same_v<T, half>) return __float2half(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __float2bfloat16(value);
  else return value;
}
template <class T>
float read(T value) {
  if constexpr (std::is_same_v<T, half>) return __half2float(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __bfloat162float(value);
  else return value;
}

template <class T>
T* allocated(std::size_t size) {
  T* data = nullptr;
  check(cudaMalloc(&data, size * sizeof(T)), "cudaMalloc");
  check(cudaMemset(data, 0xff, size * sizeof(T)), "cudaMemset");  // NaN, until it is written
  return data;
}

template <class T>
T* input(std::FILE* cases, std::size_t size) {
  std::vector<float> values(size);
  if (std::fread(values.data(), sizeof(float), size, cases) != size) std::exit(1);
  std::vector<T> converted;
  for (const float value : values) converted.push_back(stored<T>(value));
  T* data = allocated<T>(size);
  check(cudaMemcpy(data, converted.data(), size * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return data;
}

}  // namespace
)");
  const auto elements = [&](int node) {
    std::string text = "std::size_t{1}";
    for (const std::uint8_t index : dims_of(program, plan, node)) text += " * " + names.size(index);
    return text;
  };
  out.open("int main(int argc, char** argv)");
  out.add("if (argc != 3) return 2;");
  out.add("std::FILE* const cases = std::fopen(argv[1], \"rb\");");
  out.add("std::FILE* const results = std::fopen(argv[2], \"wb\");");
  out.add("if (cases == nullptr || results == nullptr) return 2;");
  out.add("int sizes[{}];", plan.graph.indices.size());
  out.open(
      fmt::format("while (std::fread(sizes, sizeof(int), {0}, cases) == {0})", plan.graph.indices.size()));
  for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index)
    out.add("[[maybe_unused]] const int {} = sizes[{}];", names.size(index), index);
  const int inputs = static_cast<int>(plan.graph.inputs.size());
  for (int node = 0; node < inputs; ++node)
    if (!is_constant(plan, node))
      out.add("auto* const {} = input<{}>(cases, {});", names.tensor(node),
              Names::type(storage_of(program, plan, node)), elements(node));
  for (const int node : tensors)
    if (node >= inputs)
      out.add("auto* const {} = allocated<{}>({});", names.tensor(node),
              Names::type(storage_of(program, plan, node)), elements(node));
  out.add("check(launch_{}({}), \"launch\");", identifier(program.name),
          name_list(names, plan, program, tensors, false));
  out.add("check(cudaDeviceSynchronize(), \"cudaDeviceSynchronize\");");
  const std::string output = names.tensor(plan.graph.output());
  out.add("std::vector<{}> values({});", Names::type(program.output_storage), elements(plan.graph.output()));
  out.add(
      "check(cudaMemcpy(values.data(), {0}, values.size() * sizeof(*{0}), cudaMemcpyDeviceToHost), \"cudaMemcpy\");",
      output);
  out.open("for (const auto value : values)");
  out.add("const float number = read(value);");
  out.add("if (std::fwrite(&number, sizeof(number), 1, results) != 1) return 1;");
  out.close();
  for (int node = 0; node < inputs; ++node)
    if (!is_constant(plan, node)) out.add("cudaFree({});", names.tensor(node));
  for (const int node : tensors)
    if (node >= inputs) out.add("cudaFree({});", names.tensor(node));
  out.close();
  out.add("std::fclose(cases);");
  out.add("return std::fclose(results) == 0 ? 0 : 1;");
  out.close();
  return out.text();
}

}  // namespace workbook::opt
