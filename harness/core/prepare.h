// From a puzzle's declaration to data: inputs from fixed seeds, references in double, the workload of a
// variant.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// All tensors of a task on one set of sizes, on the host.
template <class T>
struct HostArrays {
  std::map<std::string, std::vector<T>, std::less<>> arrays;
  HostTensors<T> view();
};

struct Prepared {
  std::string name;
  Dims dims;
  std::map<std::string, Bytes, std::less<>> initial;  ///< of inputs and what starts filled, in their types
  HostArrays<double> reference;  ///< everything: inputs converted exactly, the rest by Task::reference
};

/// What the numbers of a tensor begin from in the case called `name`. `seed` 0: what learners see.
std::uint64_t seed_of(std::string_view tensor, std::string_view name, std::uint64_t seed);

/// Fills inputs (each from its seed_of()) and computes the reference, whose outputs start as NaN, 0 or
/// filled. `with_reference` false: inputs only, for shapes that are timed and not checked.
Prepared prepare(const Task& task, const Case& which, bool with_reference, std::uint64_t seed = 0);

/// What a backend needs to execute `variant` on the prepared data. Tensor ids are positions in the workload.
Workload make_workload(const Task& task, const Variant& variant, const Prepared& data);

/// Runs `compute` on a fresh copy of the inputs and of what starts filled; the rest starts as NaN or 0.
template <class T>
HostArrays<T> run_on_host(const Task& task, const Prepared& data,
                          void (*compute)(const Dims&, HostTensors<T>&));

/// Throws std::invalid_argument naming the tensor when a size is none.
std::vector<std::int64_t> extents(const Tensor& tensor, const Dims& dims);
std::size_t element_count(const Tensor& tensor, const Dims& dims);

}  // namespace workbook::core
