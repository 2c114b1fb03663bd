#include "sim/libraries/scalar.h"

#include "sim/libraries/gemm.h"

namespace workbook::sim {

Scalar::Scalar(const void* at, cudaDataType type, bool on_device)
    : value_(on_device ? 0 : load(at, type, 0)), on_device_(on_device ? at : nullptr), type_(type) {}

double Scalar::value() const { return on_device_ == nullptr ? value_ : load(on_device_, type_, 0); }

std::optional<Range> Scalar::range() const {
  if (on_device_ == nullptr) return std::nullopt;
  return Range{on_device_, bytes_of(type_)};
}

}  // namespace workbook::sim
