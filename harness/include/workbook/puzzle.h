// What a puzzle sees of the workbook: how it declares itself, once, with designated initialisers.
// Included by every puzzles/NN_name/puzzle.cu; read by harness/core, which does everything else
// (allocation, poisoning, checking, diagnosis, timing, recording) on either backend.
//
// This header is compiled at every save of a learner's file: keep it light.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct CUstream_st;  // cudaStream_t of the CUDA runtime, real or simulated

namespace workbook {

/// The sizes of one case by name, such as {{"B", 4}, {"H", 8}}, in declaration order.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<std::pair<std::string_view, std::int64_t>> sizes) {
    for (const auto& [name, size] : sizes) sizes_.emplace_back(std::string(name), size);
  }

  /// The size called `name`; throws std::out_of_range naming it when there is none. The curriculum's
  /// sizes fit an int, which is what kernels take.
  int operator[](std::string_view name) const {
    for (const auto& [key, size] : sizes_)
      if (key == name) return static_cast<int>(size);
    throw std::out_of_range("no dimension is called '" + std::string(name) + "'");
  }

  /// Replaces the size called `name`; throws std::out_of_range when there is none (`--size H=64`).
  void set(std::string_view name, std::int64_t value) {
    for (auto& [key, size] : sizes_)
      if (key == name) {
        size = value;
        return;
      }
    throw std::out_of_range("no dimension is called '" + std::string(name) + "'");
  }

  const std::vector<std::pair<std::string, std::int64_t>>& items() const { return sizes_; }

 private:
  std::vector<std::pair<std::string, std::int64_t>> sizes_;
};

/// How an input is filled. Always from a fixed seed (one a tensor and case), never with a constant.
struct Fill {
  enum class Kind { normal, uniform } kind = Kind::normal;
  double a = 0.0;  ///< normal: mean; uniform: lower bound
  double b = 1.0;  ///< normal: standard deviation; uniform: upper bound
};
inline Fill normal(double mean, double deviation) { return {Fill::Kind::normal, mean, deviation}; }
inline Fill uniform(double low, double high) { return {Fill::Kind::uniform, low, high}; }

enum class Role { input, intermediate, output };

/// One float32 tensor of the puzzle, row-major. Intermediates exist only in the variants that name them.
struct Tensor {
  std::string_view name;
  Role role = Role::input;
  std::vector<std::string_view> shape;              ///< names of dimensions, outermost first
  Fill fill = {};                                   ///< inputs only
  double (*tolerance)(const Dims& dims) = nullptr;  ///< outputs and checked intermediates: the largest
                                                    ///< absolute error that is accepted
  std::string_view tolerance_source = {};           ///< where the tolerance comes from, in one sentence
};

/// The arrays of one case on the host, by tensor name: double for references, float for the CPU version.
template <class T>
class HostTensors {
 public:
  std::span<T> operator[](std::string_view name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) throw std::out_of_range("no tensor is called '" + std::string(name) + "'");
    return found->second;
  }
  void bind(std::string name, std::span<T> array) { arrays_[std::move(name)] = array; }

 private:
  std::map<std::string, std::span<T>, std::less<>> arrays_;
};

/// A set of sizes on which the answer is checked. The first case is the teaching shape.
struct Case {
  std::string_view name;
  Dims dims;
  std::vector<std::pair<std::string_view, Fill>> fills = {};  ///< inputs filled otherwise in this case
};

/// A plausible mistake: when the learner's output equals this wrong reference and not the right one,
/// `diagnosis` is what the learner reads.
struct Suspect {
  std::string_view diagnosis;  ///< "gamma was never applied: ..."
  void (*reference)(const Dims& dims, HostTensors<double>& tensors);
};

/// What a launch is, beside its body. `flops` counts an add, a multiply, a divide or a square root as one.
struct LaunchInfo {
  std::string_view kernel;
  double flops = 0.0;
};

/// One execution of a variant on one case. The harness implements it; a variant's `run` uses it.
class Run {
 public:
  virtual ~Run() = default;
  virtual int dim(std::string_view name) const = 0;
  /// Device pointer to the tensor called `name`; throws when the variant does not have it.
  virtual float* tensor(std::string_view name) = 0;
  /// The stream that every launch must go to, so that the harness can capture and time it.
  virtual CUstream_st* stream() const = 0;
  /// Runs `body`, which launches exactly one kernel; checks and times it.
  virtual void launch(const LaunchInfo& info, const std::function<void()>& body) = 0;
};

/// One way of computing the puzzle, chosen by `--name`.
struct Variant {
  std::string_view name;                             ///< "fused-block": the flag without its dashes
  std::string_view title = {};                       ///< "FUSED (one block a position)"
  std::string_view summary = {};                     ///< one sentence for lists and the viewer
  std::vector<std::string_view> regions = {};        ///< FILL ME IN regions that it needs
  std::vector<std::string_view> intermediates = {};  ///< tensors that travel between its launches
  void (*run)(Run& run) = nullptr;
  bool required = true;  ///< false: a further rung, not needed to call the puzzle done
};

/// The declaration of a puzzle. puzzle.cu defines `const workbook::Puzzle workbook::puzzle`.
struct Puzzle {
  int number = 0;
  std::string_view title;
  std::string_view part;     ///< "Part I: fundamentals"
  std::string_view summary;  ///< one sentence
  std::vector<Tensor> tensors;
  std::vector<Case> cases;  ///< the first is the teaching shape; the others are ragged or nasty
  Dims large;               ///< checked without diagnostics: several full blocks and a ragged tail
  Dims bench;               ///< the real shape, timed (GPU) or modelled (simulator)
  void (*reference)(const Dims& dims, HostTensors<double>& tensors) = nullptr;
  /// The same result derived another way in double, to check the reference itself. Optional.
  void (*cross_check)(const Dims& dims, HostTensors<double>& tensors) = nullptr;
  /// A plain single-threaded CPU implementation in float.
  void (*cpu)(const Dims& dims, HostTensors<float>& tensors) = nullptr;
  std::vector<Suspect> suspects = {};
  std::vector<Variant> variants;
};

extern const Puzzle puzzle;

}  // namespace workbook
