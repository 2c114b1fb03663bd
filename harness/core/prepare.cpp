#include "prepare.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace workbook::core {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every compiler and library, unlike <random>'s
/// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  double normal() {  // Box-Muller, one of the pair
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

std::uint64_t seed_of(std::string_view tensor, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const std::string_view part : {tensor, std::string_view("/"), name})
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

/// `checked` false: a shape that is only timed; uniform values of the same mean and deviation do, and are
/// ten times quicker to make.
std::vector<float> fill(const Tensor& tensor, const Case& which, bool checked) {
  Fill how = tensor.fill;
  for (const auto& [name, other] : which.fills)
    if (name == tensor.name) how = other;
  if (!checked && how.kind == Fill::Kind::normal)
    how = uniform(how.a - how.b * std::numbers::sqrt3, how.a + how.b * std::numbers::sqrt3);
  Random random(seed_of(tensor.name, which.name));
  std::vector<float> values(element_count(tensor, which.dims));
  for (float& v : values)
    v = static_cast<float>(how.kind == Fill::Kind::normal ? how.a + how.b * random.normal()
                                                          : how.a + (how.b - how.a) * random.uniform());
  return values;
}

}  // namespace

template <class T>
HostTensors<T> HostArrays<T>::view() {
  HostTensors<T> tensors;
  for (auto& [name, values] : arrays) tensors.bind(name, values);
  return tensors;
}

template struct HostArrays<float>;
template struct HostArrays<double>;

std::vector<std::int64_t> extents(const Tensor& tensor, const Dims& dims) {
  std::vector<std::int64_t> out;
  for (const std::string_view name : tensor.shape) out.push_back(dims[name]);
  return out;
}

std::size_t element_count(const Tensor& tensor, const Dims& dims) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents(tensor, dims)) count *= static_cast<std::size_t>(extent);
  return count;
}

const Variant* find_variant(const Puzzle& puzzle, std::string_view name) {
  for (const Variant& variant : puzzle.variants)
    if (variant.name == name) return &variant;
  return nullptr;
}

template <class T>
HostArrays<T> run_on_host(const Puzzle& puzzle, const Prepared& data,
                          void (*compute)(const Dims&, HostTensors<T>&)) {
  HostArrays<T> out;
  for (const Tensor& tensor : puzzle.tensors) {
    auto& values = out.arrays[std::string(tensor.name)];
    if (tensor.role == Role::input) {
      const auto& from = data.inputs.arrays.find(tensor.name)->second;
      values.assign(from.begin(), from.end());
    } else {
      values.assign(element_count(tensor, data.dims), std::numeric_limits<T>::quiet_NaN());
    }
  }
  HostTensors<T> view = out.view();
  compute(data.dims, view);
  return out;
}

template HostArrays<float> run_on_host(const Puzzle&, const Prepared&,
                                       void (*)(const Dims&, HostTensors<float>&));
template HostArrays<double> run_on_host(const Puzzle&, const Prepared&,
                                        void (*)(const Dims&, HostTensors<double>&));

Prepared prepare(const Puzzle& puzzle, const Case& which, bool with_reference) {
  Prepared out;
  out.name = which.name;
  out.dims = which.dims;
  for (const Tensor& tensor : puzzle.tensors)
    if (tensor.role == Role::input)
      out.inputs.arrays[std::string(tensor.name)] = fill(tensor, which, with_reference);
  if (with_reference) out.reference = run_on_host<double>(puzzle, out, puzzle.reference);
  return out;
}

Workload make_workload(const Puzzle& puzzle, const Variant& variant, const Prepared& data) {
  const auto used = [&](const Tensor& tensor) {
    if (tensor.role != Role::intermediate) return true;
    for (const auto& name : variant.intermediates)
      if (name == tensor.name) return true;
    return false;
  };
  Workload out;
  out.name = data.name;
  out.dims = data.dims;
  out.run = variant.run;
  for (const Tensor& tensor : puzzle.tensors) {
    if (!used(tensor)) continue;
    runs::TensorInfo info;
    info.id = static_cast<int>(out.tensors.size());
    info.name = tensor.name;
    info.role = tensor.role == Role::input    ? "input"
                : tensor.role == Role::output ? "output"
                                              : "intermediate";
    info.shape = extents(tensor, data.dims);
    info.bytes = static_cast<std::int64_t>(element_count(tensor, data.dims) * sizeof(float));
    out.tensors.push_back(std::move(info));
    out.initial.push_back(tensor.role == Role::input ? data.inputs.arrays.find(tensor.name)->second
                                                     : std::vector<float>{});
  }
  return out;
}

}  // namespace workbook::core
