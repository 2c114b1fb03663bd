// Puzzle 47, given: how --emit is judged: lines are read one by one, and the kernels of emitted.cuh run.
#pragma once

#include "emitted.cuh"
#include "judge_plans.h"
#include "lines.h"

namespace judge {

using Values = Reader::Values;

/// Sizes at which kernels are tried: as the real shape, but short.
inline std::vector<int> small_sizes(const Program& program) {
  std::vector<int> sizes;
  for (std::size_t i = 0; i < program.letters.size(); ++i) {
    const std::string all = "bhor";
    const int small[] = {3, 37, 40, program.real[i]};
    sizes.push_back(small[all.find(program.letters[i])]);  // r as it is: registers are declared by it
  }
  return sizes;
}

/// The program as it is written, in doubles; a loop over all indices for each node.
inline std::vector<Values> values_of(const Program& program, const std::vector<int>& sizes) {
  std::vector<Values> values;
  std::vector<Indices> sets;
  const auto strides = [&](Indices set) {
    std::array<int, 8> result{};
    int size = 1;
    for (std::size_t i = sizes.size(); i-- > 0;)
      if (has(set, static_cast<int>(i))) result[i] = size, size *= sizes[i];
    return std::pair(result, size);
  };
  std::uint64_t key = 1;
  for (const Node& node : program.graph) {
    sets.push_back(indices_of(node, sets, program));
    const auto [stride, size] = strides(sets.back());
    Values result(static_cast<std::size_t>(size));
    if (node.op == Op::input) {
      for (double& value : result) {
        // A float between -1 and 1, never symmetric.
        value = static_cast<double>(
            static_cast<float>(static_cast<double>(mixed(key++, 3) >> 40) * 0x1p-23 - 0.9));
      }
      values.push_back(std::move(result));
      continue;
    }
    const Values &a = values[static_cast<std::size_t>(node.a)],
                 &b = values[static_cast<std::size_t>(std::max(node.b, 0))];
    const auto a_strides = strides(sets[static_cast<std::size_t>(node.a)]).first;
    const auto b_strides = strides(sets[static_cast<std::size_t>(std::max(node.b, 0))]).first;
    const int terms = node.over < 0 ? 1 : sizes[static_cast<std::size_t>(node.over)];
    for (int i = 0; i < size; ++i)
      for (int term = 0; term < terms; ++term) {
        int at_a = 0, at_b = 0;
        for (int index = 0; index < static_cast<int>(sizes.size()); ++index) {
          const auto k = static_cast<std::size_t>(index);
          const int coordinate = index == node.over ? term : stride[k] > 0 ? i / stride[k] % sizes[k] : 0;
          at_a += a_strides[k] * coordinate, at_b += b_strides[k] * coordinate;
        }
        const double x = a[static_cast<std::size_t>(at_a)], y = b[static_cast<std::size_t>(at_b)];
        double& value = result[static_cast<std::size_t>(i)];
        if (node.op == Op::add) value = x + y;
        if (node.op == Op::mul) value = x * y;
        if (node.op == Op::div) value = x / y;
        if (node.op == Op::silu) value = x / (1.0 + std::exp(-x));
        if (node.op == Op::product) value += x * y;
        if (node.op == Op::rms) {
          value += x * x;
          if (term + 1 == terms) value = std::sqrt(value / terms + 1e-5);
        }
      }
    values.push_back(std::move(result));
  }
  return values;
}

/// What lines compute for each thread, beside what is right; an empty text where that is the same.
inline std::string lines_fault(const Program& program, const std::vector<std::string>& lines) {
  const std::vector<int> sizes = small_sizes(program);
  const std::vector<Values> right = values_of(program, sizes);
  Reader reader(lines);
  for (int i = 0; i < program.count(); ++i)
    reader.arrays[program.inputs[static_cast<std::size_t>(i)].name] = right[static_cast<std::size_t>(i)];
  reader.arrays["y"] = Values(right.back().size(), std::nan(""));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    reader.numbers[Writer::extent(program.letters.substr(i, 1))] = sizes[i];
  const int columns = sizes[static_cast<std::size_t>(program.index('o'))];
  try {
    // Threads of the first and of the last columns, in two rows.
    for (const int b : {0, 2})
      for (const int o : {0, 1, columns - 1}) {
        reader.numbers["b"] = b, reader.numbers["o"] = o;
        reader.run();
        const auto at = static_cast<std::size_t>(b * columns + o);
        const double got = reader.arrays["y"][at], wanted = right.back()[at];
        if (std::abs(got - wanted) <= 1e-9 * (1.0 + std::abs(wanted))) continue;
        std::string words = "y[" + number(static_cast<std::uint64_t>(b)) + "," +
                            number(static_cast<std::uint64_t>(o)) + "] is " + text_of(got) + ", and " +
                            text_of(wanted) + " is right";
        if (std::isnan(got))
          words += "\n  that is no number: what is added up needs a 0 to begin with, and y has to be stored";
        return words;
      }
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Whether the lines are those of emitted.cuh.
inline bool is_compiled(const Program& program, const std::vector<std::string>& lines) {
  const char* folder = std::getenv("WORKBOOK_PUZZLE");
  const std::string name =
      (folder == nullptr ? std::string("puzzles/47_superoptimizer") : std::string(folder)) + "/emitted.cuh";
  std::string text;
  if (std::FILE* file = std::fopen(name.c_str(), "rb")) {
    char part[4096];
    for (std::size_t size; (size = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, size);
    std::fclose(file);
  }
  const auto bare = [](const std::string& words) {
    std::string result;
    for (const char c : words)
      if (c != ' ' && c != '\n') result += c;
    return result;
  };
  std::string all = "if(o>=O)return;";
  for (const std::string& line : lines) all += bare(line);
  const std::size_t kernel = text.find(program.name + "_kernel(");
  return kernel != std::string::npos && bare(text.substr(kernel)).find(all) < 400;
}

/// The kernel of emitted.cuh, run.
inline std::string kernel_fault(const Program& program) {
  const std::vector<int> sizes = small_sizes(program);
  const std::vector<Values> right = values_of(program, sizes);
  std::vector<float*> inputs;
  for (int i = 0; i < program.count(); ++i) {
    const Values& values = right[static_cast<std::size_t>(i)];
    const std::vector<float> floats(values.begin(), values.end());
    float* device = nullptr;
    cudaMalloc(&device, floats.size() * sizeof(float));
    cudaMemcpy(device, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice);
    inputs.push_back(device);
  }
  std::vector<float> got(right.back().size());
  float* y = nullptr;
  cudaMalloc(&y, got.size() * sizeof(float));
  const auto size = [&](char letter) { return sizes[static_cast<std::size_t>(program.index(letter))]; };
  launch_emitted(program.name, y, inputs, size('b'), size('h'), size('o'));
  const cudaError_t error = cudaMemcpy(got.data(), y, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(y);
  for (float* input : inputs) cudaFree(input);
  if (error != cudaSuccess) return cudaGetErrorString(error);
  for (std::size_t i = 0; i < got.size(); ++i)
    // Sums of some 40 products of numbers below 1, in float: far below this.
    if (!(std::abs(got[i] - right.back()[i]) <= 1e-4 * (1.0 + std::abs(right.back()[i]))))
      return "element " + number(i) + " is " + text_of(static_cast<double>(got[i])) + ", and " +
             text_of(right.back()[i]) + " is right";
  return {};
}

/// Writes a plan down and judges the lines.
inline bool emit(const Program& program, const Plan& plan) {
  Writer writer(program, plan);
  write_kernel(writer);
  std::printf("%s, as a kernel: %s\n", program.name.c_str(), formula(plan.graph, program).c_str());
  std::size_t depth = 1;
  for (const std::string& line : writer.text) {
    if (line[0] == '}' && depth > 1) --depth;
    std::printf("%s%s\n", std::string(2 * depth, ' ').c_str(), line.c_str());
    if (!line.empty() && line.back() == '{') ++depth;
  }
  if (writer.text.empty()) std::printf("  no line\n");
  if (!is_right(program.name + ", the lines read one by one", lines_fault(program, writer.text)))
    return false;
  if (!is_compiled(program, writer.text)) {
    std::printf("%s: right, and written otherwise than in emitted.cuh, so not compiled here\n",
                program.name.c_str());
    return true;
  }
  return is_right(program.name + ", these lines compiled and run", kernel_fault(program));
}

inline bool emit() {
  for (const Expected& one : expected()) {
    if (one.program.name == "qknorm_attention") continue;  // a running maximum is Puzzle 44's
    const Graph graph = known_graphs(one.program)[one.program.name == "lora_linear" ? 0 : 1];
    Plan plan{graph, std::vector<int>(graph.size(), 0), {1}};
    std::fill_n(plan.launch.begin(), one.program.count(), -1);
    if (!emit(one.program, plan)) return false;
  }
  // Not the cheapest, but with a sum that is finished within a turn of the loop.
  Program merged = lora_linear();
  merged.name = "merged_linear";
  const Graph graph = known_graphs(lora_linear())[1];
  Plan plan{graph, std::vector<int>(graph.size(), 0), {1}};
  std::fill_n(plan.launch.begin(), merged.count(), -1);
  return emit(merged, plan);
}

}  // namespace judge
