#include "sim/libraries/scalar.h"

#include "sim/check/diagnosis.h"
#include "sim/engine/host_copies.h"
#include "sim/libraries/gemm.h"

namespace workbook::sim {

namespace {

bool is_of_device_alone(const Pointed& p, const void* at) {
  if (p.side == Side::device) return true;
  const HostCopy* const variable = find_device_variable(reinterpret_cast<std::uintptr_t>(at));
  return variable != nullptr && variable->kind != VariableKind::managed;
}

}  // namespace

bool check_factor(const Call& call, const void* at, bool on_device) {
  const Pointed p = point_to(at);
  if (on_device ? !is_pageable(at) : !is_of_device_alone(p, at)) return true;
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
    f.message = std::string(call.api) + " is given a scalar in " +
                (on_device ? "host memory" : "device memory") +
                ", but the handle's pointer mode says that scalars lie on the " +
                (on_device ? "device." : "host: on a GPU the program ends here with a segmentation fault.");
    f.advice =
        on_device
            ? "Set the mode for host pointers before the call, or copy it to device memory."
            : "Set the mode for device pointers before the call, or pass the address of a host variable.";
  });
  return false;
}

Scalar::Scalar(const Call& call, const void* at, cudaDataType type, bool on_device) : type_(type) {
  check_factor(call, at, on_device);
  if (on_device)
    on_device_ = at;
  else
    value_ = load(at, type, 0);
}

double Scalar::value() const { return on_device_ == nullptr ? value_ : load(on_device_, type_, 0); }

std::optional<Range> Scalar::range() const {
  if (on_device_ == nullptr) return std::nullopt;
  return Range{on_device_, bytes_of(type_)};
}

}  // namespace workbook::sim
