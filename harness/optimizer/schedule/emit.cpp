#include "optimizer/schedule/emit.h"

#include <stdexcept>

#include "optimizer/forms/forms.h"
#include "optimizer/language/text.h"
#include "optimizer/launch/device.h"
#include "optimizer/launch/text.h"
#include "optimizer/plan/halves.h"
#include "optimizer/schedule/price.h"

namespace workbook::opt {
namespace {

/// Tensors that the whole takes: the output, inputs, then what crosses launches.
std::vector<int> outer(const Plan& plan, const std::vector<Launch>& launches) {
  std::vector<int> list = plan.graph.outputs;
  for (int node = 0; node < static_cast<int>(plan.graph.inputs.size()); ++node)
    for (const Launch& launch : launches)
      if (listed(stored_reads(plan, launch), node) && !listed(list, node)) list.push_back(node);
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

std::unique_ptr<LaunchEmitter> emitter(const Program& program, const Plan& plan,
                                       const std::vector<Launch>& launches, std::size_t k) {
  return form_of(plan.kernels[k].path).emitter(program, plan, launches, static_cast<int>(k) + 1);
}
/// CUDA's first.
std::string include_lines(std::set<std::string_view> headers, bool is_far) {
  headers.insert("cuda_runtime.h");
  if (is_far) headers.insert("cstdint");
  std::string cuda, standard;
  for (const std::string_view header : headers)
    (header.ends_with(".h") ? cuda : standard) += fmt::format("#include <{}>\n", header);
  return cuda + '\n' + standard;
}

/// "t_size parts": of what a launch leaves in parts, how many there are; nothing where it is whole.
std::string parts_of(const Plan& plan, const std::vector<Launch>& launches, int node) {
  for (std::size_t k = 0; k < launches.size(); ++k)
    if (listed(launches[k].writes, node) && launches[k].is_split(plan.graph, node))
      return parts_text(plan, launches[k].split, static_cast<int>(k) + 1);
  return "";
}

/// How many there are of a tensor, as an expression of the sizes.
std::string elements_text(const Names& names, const Program& program, const Plan& plan,
                          const std::vector<Launch>& launches, int node) {
  std::string text = "std::size_t{1}";
  for (const std::uint8_t index : dims_of(program, plan, node)) text += " * " + names.size(index);
  const std::string parts = slot(node) < plan.graph.inputs.size() ? "" : parts_of(plan, launches, node);
  return parts.empty() ? text : text + " * " + parts;
}

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
  return emit_fault(program, plan, launches_of(program, plan));
}

std::optional<std::string> emit_fault(const Program& program, const Plan& plan,
                                      const std::vector<Launch>& launches) {
  const Extents extents = real_extents(plan.graph);
  for (std::size_t k = 0; k < launches.size(); ++k)
    if (!tile_bytes_of(program, plan, launches[k], plan.kernels[k], extents))
      return std::string(form_of(plan.kernels[k].path).fault);
  return std::nullopt;
}

std::string emit(const Program& program, const Plan& plan) {
  if (auto fault = emit_fault(program, plan)) throw std::invalid_argument(*fault);
  const std::vector<Launch> launches = launches_of(program, plan);
  const Names names(program, plan);
  std::string kernels;
  std::vector<std::string_view> used{"conversions"};
  for (std::size_t k = 0; k < launches.size(); ++k) {
    const auto writer = emitter(program, plan, launches, k);
    kernels += '\n' + writer->kernel();
    used.insert(used.end(), writer->uses().begin(), writer->uses().end());
  }
  const DeviceText functions(used);
  std::string text = wrapped_comment(fmt::format("{}: {}", program.name, formulas(program, plan.graph)));
  text += wrapped_comment(fmt::format(
      "Written by `workbook optimize {}`, in {}. t1, t2, ... are the operations of the "
      "formula; {} has fewer than 2^31 elements.",
      program.name, launches.size() == 1 ? "one launch" : fmt::format("{} launches", launches.size()),
      names.is_far() ? "an index" : "a tensor"));
  text += include_lines(functions.headers(), names.is_far()) + functions.text();
  text += kernels;
  text += "\n// All launches. What crosses them lies in t1, t2, ..., as float";
  std::string in_parts;
  for (const int node : outer(plan, launches))
    if (const std::string parts = slot(node) < plan.graph.inputs.size() ? "" : parts_of(plan, launches, node);
        !parts.empty())
      in_parts +=
          fmt::format("// {} is there {} times.\n", names.tensor(node), parts.substr(1, parts.size() - 2));
  for (const int node : node_list(plan.halves()))
    in_parts +=
        fmt::format("// {} is there as {}.\n", names.tensor(node), Names::type(tensor_type(program, plan)));
  text += ". Ends early with the first error.\n" + in_parts;
  text += fmt::format("inline cudaError_t launch_{}({}, cudaStream_t stream = nullptr) {{\n",
                      identifier(program.name), name_list(names, plan, program, outer(plan, launches), true));
  for (std::size_t k = 0; k < launches.size(); ++k)
    text += emitter(program, plan, launches, k)->launch_lines();
  return text + "  return cudaGetLastError();\n}\n";
}

std::string emit_check(const Program& program, const Plan& plan) {
  const std::vector<Launch> launches = launches_of(program, plan);
  const Names names(program, plan);
  const std::vector<int> tensors = outer(plan, launches);
  Lines out;
  out.raw("// Runs the kernels on the cases of a file: CASES RESULTS (schedule/emit.h has the format).");
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
  const auto elements = [&](int node) { return elements_text(names, program, plan, launches, node); };
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
    if (is_stored(plan, node))
      out.add("auto* const {} = input<{}>(cases, {});", names.tensor(node),
              Names::type(storage_of(program, plan, node)), elements(node));
  for (const int node : tensors)
    if (node >= inputs)
      out.add("auto* const {} = allocated<{}>({});", names.tensor(node),
              Names::type(storage_of(program, plan, node)), elements(node));
  out.add("check(launch_{}({}), \"launch\");", identifier(program.name),
          name_list(names, plan, program, tensors, false));
  out.add("check(cudaDeviceSynchronize(), \"cudaDeviceSynchronize\");");
  for (const int node : plan.graph.outputs) {
    const std::string output = names.tensor(node);
    out.open("");
    out.add("std::vector<{}> values({});", Names::type(storage_of(program, plan, node)), elements(node));
    out.add(
        "check(cudaMemcpy(values.data(), {0}, values.size() * sizeof(*{0}), cudaMemcpyDeviceToHost), \"cudaMemcpy\");",
        output);
    out.open("for (const auto value : values)");
    out.add("const float number = read(value);");
    out.add("if (std::fwrite(&number, sizeof(number), 1, results) != 1) return 1;");
    out.close();
    out.close();
  }
  for (int node = 0; node < inputs; ++node)
    if (is_stored(plan, node)) out.add("cudaFree({});", names.tensor(node));
  for (const int node : tensors)
    if (node >= inputs) out.add("cudaFree({});", names.tensor(node));
  out.close();
  out.add("std::fclose(cases);");
  out.add("return std::fclose(results) == 0 ? 0 : 1;");
  out.close();
  return out.text();
}

std::string emit_timing(const Program& program, const Plan& plan) {
  const std::vector<Launch> launches = launches_of(program, plan);
  const Names names(program, plan);
  const std::vector<int> tensors = outer(plan, launches);
  std::string sizes, arguments;
  for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index)
    sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", names.size(index),
                         plan.graph.indices[slot(index)].real);
  for (const int node : tensors) arguments += fmt::format("run.tensor(\"{}\"), ", names.tensor(node));
  for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index)
    arguments += names.size(index) + ", ";
  Lines out;
  out.raw("// Times all launches on a GPU: TIMES (harness/gpu/time_emitted.h has the rest).");
  out.raw("#include \"gpu/time_emitted.h\"\n#include \"kernels.cu\"\n\nnamespace {\n");
  out.add("[[maybe_unused]] constexpr int {};\n", sizes);
  out.open("void all_launches(workbook::Run& run)");
  out.open("run.step({.name = \"launches\"}, [&]");
  out.add("workbook::gpu::require_launched(launch_{}({}run.stream()));", identifier(program.name), arguments);
  out.set_depth(1);
  out.add("}});");
  out.close();
  out.raw("\n}  // namespace\n");
  out.open("int main(int argc, char** argv)");
  out.open("const std::vector<workbook::gpu::EmittedTensor> tensors =");
  for (const int node : tensors)
    out.add("{{\"{}\", workbook::Type::{}, {}, {}}},", names.tensor(node),
            name_of(storage_of(program, plan, node)), slot(node) < plan.graph.inputs.size(),
            elements_text(names, program, plan, launches, node));
  out.set_depth(1);
  out.add("}};");
  out.add("return workbook::gpu::time_emitted(argc, argv, all_launches, tensors);");
  out.close();
  return out.text();
}

}  // namespace workbook::opt
