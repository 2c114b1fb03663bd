// What launches.cu sees of the workbook: how a variant gets its tensors and says what it launches.
//
// This header is compiled at every save of a learner's file: keep it light. launches.cu includes given.cuh
// and kernels.cu, and ends with the table that ties the declaration's variants (puzzle.cpp) to functions:
//   const std::initializer_list<workbook::Launcher> workbook::launchers = {{"unfused", run_unfused}};
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

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

/// A tensor on its way into a kernel's argument list: it becomes the pointer that the kernel asks for, if
/// that is a pointer to the tensor's own type.
class TensorPointer {
 public:
  TensorPointer(const Run& run, std::string_view name, void* data, Type type)
      : run_(run), name_(name), data_(data), type_(type) {}

  /// Throws std::invalid_argument naming the tensor, its type and T.
  template <class T>
  operator T*() const;  // NOLINT(google-explicit-constructor): that it is implicit is its purpose

 private:
  const Run& run_;
  std::string_view name_;
  void* data_;
  Type type_;
};

/// A step of a variant, beside its body. `flops` counts an add, a multiply, a divide or a square root as one.
struct Step {
  std::string_view name;
  double flops = 0.0;
};

/// One execution of a variant on one case. The harness implements it; a variant's function uses it.
class Run {
 public:
  virtual ~Run() = default;
  /// The size called `name`, or the value of an expression of sizes as in a tensor's shape. Throws
  /// std::invalid_argument naming the expression and the name that is no size.
  virtual int dim(std::string_view name) const = 0;
  /// Device pointer to the tensor called `name`; throws std::out_of_range when the variant does not have it.
  TensorPointer tensor(std::string_view name) {
    const Found found = find_tensor(name);
    return {*this, name, found.data, found.type};
  }
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

 protected:
  struct Found {
    void* data;
    Type type;
  };
  virtual Found find_tensor(std::string_view name) = 0;
  virtual void run_step(const Step& step, void (*body)(void*), void* object) = 0;

 private:
  friend class TensorPointer;
  [[noreturn]] virtual void refuse(std::string_view tensor, Type has, Type asked) const = 0;
};

template <class T>
TensorPointer::operator T*() const {
  if (type_of<std::remove_cv_t<T>>() != type_) run_.refuse(name_, type_, type_of<std::remove_cv_t<T>>());
  return static_cast<T*>(data_);
}

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
extern const std::initializer_list<Launcher> launchers;

}  // namespace workbook
