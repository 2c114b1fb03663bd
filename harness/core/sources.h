// The elements that a task's outputs may depend on, those of inputs and of what starts filled, numbered one
// after another: their names, and other values for them. For dependence.cpp.
#pragma once

#include <string>
#include <vector>

#include "prepare.h"

namespace workbook::core {

using Positions = std::vector<std::size_t>;  ///< of sources, ascending

class Sources {
 public:
  /// The number of the tensor's first element, or -1 where it is no source: it has no values of its own, or
  /// is an index into others, which `result`, the type of the outputs, tells.
  std::int64_t add(const Tensor& tensor, const Prepared& data, Type result);
  std::size_t size() const { return size_; }
  const Tensor& tensor_of(std::size_t i) const { return *of(i).tensor; }
  /// Gives the source another value in the bytes of its tensor, a larger (`sign` 1) or a smaller one (-1), if
  /// there is one; returns what was there.
  double change(std::size_t i, Bytes& bytes, int sign) const;
  void put_back(std::size_t i, Bytes& bytes, double value) const;
  /// "a[2]", "the old x[2]".
  std::string name(std::size_t i) const;
  /// "a[2], a[6], a[10] ... a[38] (10 elements) and b[2] to b[9]".
  std::string list(const Positions& positions) const;

 private:
  struct Source {
    const Tensor* tensor;
    std::vector<std::int64_t> shape;
    std::size_t first, count;
    double least, most;  ///< of its values
  };
  const Source& of(std::size_t i) const;

  std::vector<Source> all_;
  std::size_t size_ = 0;
};

}  // namespace workbook::core
