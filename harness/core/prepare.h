// From a puzzle's declaration to data: inputs from fixed seeds, references in double, the workload of a
// variant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// All tensors of a puzzle on one set of sizes, on the host.
template <class T>
struct HostArrays {
  std::map<std::string, std::vector<T>, std::less<>> arrays;
  HostTensors<T> view();
};

struct Prepared {
  std::string name;
  Dims dims;
  HostArrays<float> inputs;      ///< inputs only
  HostArrays<double> reference;  ///< everything: inputs converted exactly, the rest by Puzzle::reference
};

/// Fills inputs (each from a seed made of the tensor's and the case's name) and computes the reference,
/// whose outputs start as NaN. `with_reference` false: inputs only, for shapes that are timed and not
/// checked.
Prepared prepare(const Puzzle& puzzle, const Case& which, bool with_reference);

/// What a backend needs to execute `variant` on the prepared data. Tensor ids are positions in the workload.
Workload make_workload(const Puzzle& puzzle, const Variant& variant, const Prepared& data);

/// Runs `compute` on a fresh copy of the inputs; everything else starts as NaN.
template <class T>
HostArrays<T> run_on_host(const Puzzle& puzzle, const Prepared& data,
                          void (*compute)(const Dims&, HostTensors<T>&));

std::size_t element_count(const Tensor& tensor, const Dims& dims);
std::vector<std::int64_t> extents(const Tensor& tensor, const Dims& dims);
const Variant* find_variant(const Puzzle& puzzle, std::string_view name);

/// The bits of an element that was never written: NaN with every bit set.
inline constexpr std::uint32_t kPoisonBits = 0xffffffffu;

}  // namespace workbook::core
