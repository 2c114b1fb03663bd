// Where a function may run, as its declaration says it: `__device__`, `__host__ __device__`, neither. Debug
// information names the line of a declaration, and not its attributes.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_tokens.h"
#include "device_code.h"

namespace workbook::sim {

enum class Space {
  kernel,
  device,
  both,
  host,
  host_constant,  ///< constexpr, and nothing else
  implicit,       ///< made by the compiler, for whoever calls it: an implicit or defaulted member
  unknown,        ///< the text does not tell: a macro may say it
};

/// A macro by its looks: what it stands for may be an attribute.
bool looks_like_macro(std::string_view word);

/// What all sources of a program say together.
class DeviceWords {
 public:
  /// Every file of a program, before the first question.
  void learn(std::string_view source);
  /// Whether token `i` says that what is declared runs on the device: the attribute, or a macro with it.
  bool is_device(const Tokens& tokens, std::size_t i) const;
  /// Whether it says that the host runs it, too.
  bool is_host(const Tokens& tokens, std::size_t i) const;
  /// Whether token `i` is a macro for an attribute of another kind: UNUSED for __attribute__((unused)).
  bool is_attribute(const Tokens& tokens, std::size_t i) const;
  /// Whether some function of that name runs on the device.
  bool names(std::string_view function) const { return functions_.contains(function); }

 private:
  std::set<std::string, std::less<>> macros_, functions_, of_host_, attributes_;
};

/// The braces, as numbers of tokens, of functions and lambdas that the device may run.
std::vector<std::pair<std::size_t, std::size_t>> device_bodies(const Tokens& tokens,
                                                               const DeviceWords& words);

/// The declarations of one source.
class Declarations {
 public:
  /// `words` and `source` must outlive this. Of a header of the standard library its own macros say nothing
  /// about the device.
  Declarations(std::string_view source, const DeviceWords& words, bool standard_library = false);

  /// Of the function that is declared as `name` (without scope, with or without template arguments) in
  /// `line`.
  Space space_of(int line, std::string_view name) const;
  /// Whether code in that line belongs to a function that runs on the device only.
  bool is_device_code(int line) const;

 private:
  Space of_declarator(std::size_t name, std::size_t open) const;
  Space of_lambda(int line) const;
  std::size_t first_in(int line) const;

  const DeviceWords& words_;
  bool standard_library_;
  Tokens tokens_;
  DeviceCode device_;
  std::vector<int> lines_;  ///< of each token
};

}  // namespace workbook::sim
