#include "prepare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>

#include "declaration.h"
#include "expression.h"

namespace workbook::core {
namespace {

/// The next ones, a loop for each kind: of a real shape there are tens of millions.
void draw(const Fill& how, std::int64_t extent, Random& random, std::span<double> values) {
  switch (how.kind) {
    case Fill::Kind::normal:
      for (double& value : values) value = how.a + how.b * random.normal();
      return;
    case Fill::Kind::integers:
      for (double& value : values)
        value = static_cast<double>(
            random.integer(static_cast<std::int64_t>(how.a), static_cast<std::int64_t>(how.b)));
      return;
    case Fill::Kind::index:
      for (double& value : values) value = static_cast<double>(random.integer(0, extent - 1));
      return;
    default:
      for (double& value : values) value = how.a + (how.b - how.a) * random.uniform();
  }
}

/// What is made as a whole: sorted rows, a one in each row, the declaration's own function.
std::vector<double> whole(const Fill& how, const Dims& dims, std::size_t count, std::size_t row,
                          std::int64_t extent, Random& random) {
  std::vector<double> values(count, 0.0);
  if (how.kind == Fill::Kind::function) {
    how.function(dims, values, random);
  } else if (how.kind == Fill::Kind::one_hot) {
    for (std::size_t first = 0; first < count; first += row)
      values[first + static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(row) - 1))] = 1.0;
  } else {
    draw(how, extent, random, values);
  }
  if (how.ascending)
    for (std::size_t first = 0; first < count; first += row)
      std::sort(values.begin() + static_cast<std::ptrdiff_t>(first),
                values.begin() + static_cast<std::ptrdiff_t>(first + row));
  return values;
}

/// `checked` false: a shape that is only timed; uniform values of the same mean and deviation do, and are
/// ten times quicker to make.
Bytes fill(const Tensor& tensor, const Case& which, bool checked, std::uint64_t seed) {
  Fill how = tensor.fill;
  for (const auto& [name, other] : which.fills)
    if (name == tensor.name) how = other;
  if (!checked && how.kind == Fill::Kind::normal)
    how = uniform(how.a - how.b * std::numbers::sqrt3, how.a + how.b * std::numbers::sqrt3);
  Random random(seed_of(tensor.name, which.name, seed));
  const std::size_t count = element_count(tensor, which.dims);
  const std::int64_t extent = how.kind == Fill::Kind::index ? evaluate(how.extent, which.dims) : 0;
  Bytes bytes(count * size_of(tensor.type));
  if (how.kind == Fill::Kind::function || how.kind == Fill::Kind::one_hot || how.ascending) {
    const auto row = static_cast<std::size_t>(extents(tensor, which.dims).back());
    const std::vector<double> values = whole(how, which.dims, count, row, extent, random);
    store_rounded(tensor.type, bytes, 0, values);
  } else {
    std::array<double, 512> some;
    for (std::size_t first = 0; first < count; first += some.size()) {
      const std::span next(some.data(), std::min(some.size(), count - first));
      draw(how, extent, random, next);
      store_rounded(tensor.type, bytes, first, next);
    }
  }
  return bytes;
}

}  // namespace

std::uint64_t seed_of(std::string_view tensor, std::string_view name, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  const auto add = [&](unsigned char c) { hash = (hash ^ c) * 0x100000001b3ull; };
  for (const std::string_view part : {tensor, std::string_view("/"), name})
    for (const char c : part) add(static_cast<unsigned char>(c));
  for (; seed != 0; seed >>= 8) add(static_cast<unsigned char>(seed));
  return hash;
}

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
  for (const std::string_view extent : tensor.shape) out.push_back(evaluate(extent, dims));
  return out;
}

std::size_t element_count(const Tensor& tensor, const Dims& dims) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents(tensor, dims)) count *= static_cast<std::size_t>(extent);
  return count;
}

template <class T>
HostArrays<T> run_on_host(const Task& task, const Prepared& data,
                          void (*compute)(const Dims&, HostTensors<T>&)) {
  HostArrays<T> out;
  for (const Tensor& tensor : task.tensors) {
    auto& values = out.arrays[std::string(tensor.name)];
    if (const auto from = data.initial.find(tensor.name); from != data.initial.end()) {
      const std::vector<double> given = as_doubles(tensor.type, from->second);
      values.assign(given.begin(), given.end());
    } else {
      values.assign(element_count(tensor, data.dims),
                    tensor.start == Start::zeroed ? T{0} : std::numeric_limits<T>::quiet_NaN());
    }
  }
  HostTensors<T> view = out.view();
  compute(data.dims, view);
  return out;
}

template HostArrays<float> run_on_host(const Task&, const Prepared&,
                                       void (*)(const Dims&, HostTensors<float>&));
template HostArrays<double> run_on_host(const Task&, const Prepared&,
                                        void (*)(const Dims&, HostTensors<double>&));

Prepared prepare(const Task& task, const Case& which, bool with_reference, std::uint64_t seed) {
  Prepared out;
  out.name = which.name;
  out.dims = which.dims;
  for (const Tensor& tensor : task.tensors)
    if (tensor.role == Role::input || tensor.start == Start::filled)
      out.initial[std::string(tensor.name)] = fill(tensor, which, with_reference, seed);
  if (with_reference) out.reference = run_on_host<double>(task, out, task.reference);
  return out;
}

Workload make_workload(const Task& task, const Variant& variant, const Prepared& data) {
  Workload out;
  out.name = data.name;
  out.variant = variant.name;
  out.dims = data.dims;
  out.sampled = variant.sampled;
  for (const Tensor& tensor : task.tensors) {
    if (!uses(variant, tensor)) continue;
    runs::TensorInfo info;
    info.id = static_cast<int>(out.tensors.size());
    info.name = tensor.name;
    info.role = role_of(tensor);
    info.dtype = type_name(tensor.type);
    info.shape = extents(tensor, data.dims);
    info.bytes = static_cast<std::int64_t>(element_count(tensor, data.dims) * size_of(tensor.type));
    out.types.push_back(tensor.type);
    const auto given = data.initial.find(tensor.name);
    if (given != data.initial.end())
      out.initial.push_back(given->second);
    else
      out.initial.emplace_back(tensor.start == Start::zeroed ? static_cast<std::size_t>(info.bytes) : 0);
    out.changes |= tensor.role != Role::input && tensor.start != Start::poisoned;
    out.tensors.push_back(std::move(info));
  }
  return out;
}

}  // namespace workbook::core
