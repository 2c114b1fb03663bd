// The compiled part of workbook_op: arrays of any framework, seen through DLPack, and calls into a puzzle's
// library for the GPU. Compiled by prepare.sh for the Python at hand, once for all puzzles.
#include <dlfcn.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "library.h"

namespace nb = nanobind;

namespace {

/// An array of somebody else's, which keeps its memory for as long as this lives.
class Array {
 public:
  explicit Array(nb::ndarray<nb::ro> array) : array_(std::move(array)) {}

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(array_.data()); }
  std::tuple<int, int, int> type() const {
    return {array_.dtype().code, array_.dtype().bits, array_.dtype().lanes};
  }
  std::tuple<int, int> device() const { return {array_.device_type(), array_.device_id()}; }
  std::vector<std::int64_t> shape() const { return {array_.shape_ptr(), array_.shape_ptr() + array_.ndim()}; }
  /// In elements.
  std::vector<std::int64_t> strides() const {
    return {array_.stride_ptr(), array_.stride_ptr() + array_.ndim()};
  }

 private:
  nb::ndarray<nb::ro> array_;
};

/// A puzzle's kernels, compiled for the GPU. Never unloaded: what it put on a stream may not have run yet.
class Library {
 public:
  explicit Library(const std::string& file) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    call_ = reinterpret_cast<WorkbookCall*>(dlsym(library, "workbook_op_call"));
    if (call_ == nullptr) throw std::runtime_error(file + " is no library of kernels");
  }

  /// The outcome (library.h), and words where it is not 0.
  std::tuple<int, std::string> call(const std::string& variant,
                                    const std::vector<std::tuple<std::string, int, std::uintptr_t>>& arrays,
                                    const std::vector<std::tuple<std::string, long long>>& sizes, int device,
                                    std::uintptr_t stream) const {
    std::vector<WorkbookArray> plain_arrays;
    for (const auto& [name, type, address] : arrays)
      plain_arrays.push_back({name.c_str(), type, reinterpret_cast<void*>(address)});
    std::vector<WorkbookSize> plain_sizes;
    for (const auto& [name, size] : sizes) plain_sizes.push_back({name.c_str(), size});
    std::array<char, 2048> words{};
    const nb::gil_scoped_release release;
    const int outcome = call_(variant.c_str(), plain_arrays.data(), static_cast<int>(plain_arrays.size()),
                              plain_sizes.data(), static_cast<int>(plain_sizes.size()), device,
                              reinterpret_cast<void*>(stream), words.data(), static_cast<int>(words.size()));
    return {outcome, words.data()};
  }

 private:
  WorkbookCall* call_;
};

}  // namespace

NB_MODULE(_workbook_arrays, m) {
  nb::class_<Array>(m, "Array")
      .def(nb::init<nb::ndarray<nb::ro>>())
      .def_prop_ro("address", &Array::address)
      .def_prop_ro("type", &Array::type, "DLPack's code, bits and lanes")
      .def_prop_ro("device", &Array::device, "DLPack's kind and number of the device")
      .def_prop_ro("shape", &Array::shape)
      .def_prop_ro("strides", &Array::strides);
  nb::class_<Library>(m, "Library").def(nb::init<const std::string&>()).def("call", &Library::call);
}
