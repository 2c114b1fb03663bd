// What launches.cu sees of the workbook: how a variant gets its tensors and says what it launches.
//
// This header is compiled at every save of a learner's file: keep it light. launches.cu includes given.cuh
// and kernels.cu, and ends with the table that ties the declaration's variants (puzzle.cpp) to functions:
//   const workbook::Launchers workbook::launchers = {{"unfused", run_unfused}, {"fused", run_fused}};
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "workbook/ceil_div.h"

struct CUstream_st;  // cudaStream_t of the CUDA runtime, real or simulated
struct __half;
struct __nv_bfloat16;

namespace workbook {

/// The types that elements of a tensor have, in kernels float, half, __nv_bfloat16, int, unsigned,
/// unsigned char and a 64-bit signed integer.
enum class Type : std::uint8_t { f32, f16, bf16, i32, u32, u8, i64 };

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, float>) {
    return Type::f32;
  } else if constexpr (std::is_same_v<T, __half>) {
    return Type::f16;
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return Type::bf16;
  } else if constexpr (std::is_same_v<T, int>) {
    return Type::i32;
  } else if constexpr (std::is_same_v<T, unsigned int>) {
    return Type::u32;
  } else if constexpr (std::is_same_v<T, unsigned char>) {
    return Type::u8;
  } else {
    static_assert(
        std::is_same_v<T, long> || std::is_same_v<T, long long>,
        "a tensor holds float, half, __nv_bfloat16, int, unsigned, unsigned char or a 64-bit integer");
    static_assert(sizeof(T) == 8);
    return Type::i64;
  }
}

class Run;

/// What a kernel is given by name: it becomes the pointer or the size that the kernel asks for.
class Argument {
 public:
  Argument(Run& run, std::string_view name) : run_(run), name_(name) {}

  /// Device pointer to the tensor of that name. Throws std::out_of_range when the variant does not have it,
  /// std::invalid_argument naming the tensor, its type and T when its type is another.
  template <class T>
  operator T*() const;  // NOLINT(google-explicit-constructor): that it is implicit is its purpose
  /// The size of that name, as Run::dim() has it.
  operator int() const;  // NOLINT(google-explicit-constructor)

 private:
  Run& run_;
  std::string_view name_;
};

/// A step of a variant, beside its body. `flops` counts an add, a multiply, a divide or a square root as one.
struct Step {
  std::string_view name;
  double flops = 0.0;
  /// A thread's, as nvcc has them of the solution for sm_90: a compiler for CPUs cannot say. 0: as few as
  /// never bound how many blocks are resident.
  int registers = 0;
};

/// One execution of a variant on one case. The harness implements it; a variant's function uses it.
class Run {
 public:
  virtual ~Run() = default;
  /// The size called `name`, or the value of an expression of sizes as in a tensor's shape. Throws
  /// std::invalid_argument naming the expression and the name that is no size.
  int dim(std::string_view name) const { return static_cast<int>(evaluate(name)); }
  /// What the declaration calls `name`: a tensor as its device pointer, a size as a number.
  Argument operator[](std::string_view name) { return {*this, name}; }
  Argument tensor(std::string_view name) { return {*this, name}; }
  /// The stream that work must go to, or be ordered with by events, so that it can be captured and timed.
  virtual CUstream_st* stream() const = 0;

  /// Runs `body`: one or more kernels, copies and memsets, on stream(). Which kernels these are is found out.
  template <class Body>
  void step(const Step& step, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    run_step(
        step, [](void* object) { (*static_cast<Plain*>(object))(); },
        const_cast<void*>(static_cast<const void*>(&body)));
  }
  /// The same with `flops` as a number, as an expression of sizes ("2*N"), or none.
  template <class Body>
  void step(std::string_view name, double flops, Body&& body) {
    step(Step{name, flops}, body);
  }
  template <class Body>
  void step(std::string_view name, const char* flops, Body&& body) {
    step(Step{name, static_cast<double>(evaluate(flops))}, body);
  }
  template <class Body>
  void step(std::string_view name, Body&& body) {
    step(Step{name}, body);
  }

  /// What launches.cu asks of numbers that the learner chose. Where it does not `hold`, the launch fails, and
  /// the learner reads `why`.
  void demand(bool hold, std::string_view why) const {
    if (!hold) fail_launch(why);
  }

 protected:
  struct Found {
    void* data;
    Type type;
  };
  virtual std::int64_t evaluate(std::string_view expression) const = 0;
  virtual Found find_tensor(std::string_view name) = 0;
  virtual void run_step(const Step& step, void (*body)(void*), void* object) = 0;

 private:
  friend class Argument;
  [[noreturn]] virtual void refuse(std::string_view tensor, Type has, Type asked) const = 0;
  [[noreturn]] virtual void fail_launch(std::string_view why) const = 0;
};

template <class T>
Argument::operator T*() const {
  const auto [data, type] = run_.find_tensor(name_);
  if (type_of<std::remove_cv_t<T>>() != type) run_.refuse(name_, type, type_of<std::remove_cv_t<T>>());
  return static_cast<T*>(data);
}
inline Argument::operator int() const { return run_.dim(name_); }

/// The one variant that this launches.cu is compiled for, specialised ahead of it by whoever wants no other:
/// the functions that launch the others, and what only they make the compiler instantiate, are then not
/// compiled; their kernels, where they are no templates, still are. Empty: all of them.
template <class>
constexpr std::string_view only_variant = "";

/// A variant of the declaration and the function that runs it, which is null in an object without it.
struct Launcher {
  template <class All = void>
  consteval Launcher(std::string_view name, void (*function)(Run& run))
      : variant(name), run(only_variant<All>.empty() || only_variant<All> == name ? function : nullptr) {}

  std::string_view variant;
  void (*run)(Run& run);
};

/// Defined by launches.cu.
using Launchers = std::initializer_list<Launcher>;
extern const Launchers launchers;

}  // namespace workbook
