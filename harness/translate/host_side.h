// What host code declares for itself: variables at namespace scope, and lambdas. And what a declaration looks
// like in tokens.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cuda_tokens.h"
#include "execution_space.h"

namespace workbook::sim {

/// Whether an opening bracket stands at `i`.
bool opens(const Tokens& t, std::size_t i);
/// Whether a word can stand before a name that is an expression.
bool is_expression_word(const Tokens& t, std::size_t i);
/// Whether the words before `i`, back to `begin`, are no more than a type: "float4 *", "const ns::T<3>&".
bool is_type_before(const Tokens& t, std::size_t begin, std::size_t i);
/// The names of a declaration whose first is at `name`, and its ';'.
std::pair<std::vector<std::size_t>, std::size_t> declared_names(const Tokens& t, std::size_t name);

/// Of the host, and not const; `end`: the ';' of the declaration.
struct HostVariables {
  std::vector<std::size_t> names;
  std::size_t end = 0;
};
/// Those that the statement at `i`, which stands at namespace scope, declares, if it is a plain declaration.
HostVariables host_variables_at(const Tokens& t, const DeviceWords& words, std::size_t i);

/// The same of arrays that are const, or whose elements point to what is.
HostVariables host_tables_at(const Tokens& t, const DeviceWords& words, std::size_t i);

/// The '{' of the lambda whose '[' is at `i`, in host code; size(): it is none, or for the device, too, or
/// macros may say what it is for.
std::size_t host_lambda(const Tokens& t, const DeviceWords& words, std::size_t i);

}  // namespace workbook::sim
