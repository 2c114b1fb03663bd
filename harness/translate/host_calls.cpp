#include "host_calls.h"

#include <map>

#include "cuda_tokens.h"
#include "device_code.h"

namespace workbook::sim {
namespace {

/// Functions of the standard library that have no form for kernels, each with what CUDA has instead.
const std::map<std::string_view, std::string_view> kStandard = {
    {"max", "write max(a, b), which CUDA has for kernels"},
    {"min", "write min(a, b), which CUDA has for kernels"},
    {"clamp", "write min(max(x, low), high)"},
    {"swap", "write the three assignments"},
    {"accumulate", "write the loop"},
    {"fill", "write the loop"},
    {"copy", "write the loop"},
    {"sort", "kernels have no such function"}};

/// Types whose every constructor is the host's, each with what kernels have instead.
const std::map<std::string_view, std::string_view> kHostTypes = {
    {"vector", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"deque", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"list", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"map", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"set", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"unordered_map", "a kernel has arrays of a constant size, or those that the host has allocated"},
    {"string", "a kernel has arrays of char"},
    {"function", "let a template parameter take the function"}};

bool opens_namespace(const Tokens& t, std::size_t brace) {
  std::size_t i = brace;
  while (i > 0 && (t.is_word(i - 1) || t.is(i - 1, "::")) && !t.is(i - 1, "namespace")) --i;
  return (i > 0 && t.is(i - 1, "namespace")) || (brace > 1 && t.is(brace - 2, "extern"));  // extern "C" {
}

/// The function whose body holds token `i`, for the message: the one declared last before it.
std::string enclosing(const Tokens& t, std::size_t i) {
  std::size_t name = t.size();
  bool global = false;
  for (std::size_t k = 0; k < i; ++k) {
    if (!t.is(k, "__global__") && !t.is(k, "__device__")) continue;
    global = t.is(k, "__global__");
    if (const std::size_t declared = t.declared_name(k); declared < i) name = declared;
  }
  return std::string(global ? "__global__" : "__device__") + " function(\"" + std::string(t.text(name)) +
         "\")";
}

}  // namespace

void HostFunctions::learn(std::string_view source) {
  words_.learn(source);
  const Tokens t(source);
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i].macro != 0) continue;
    if (t.is(i, "{") && !opens_namespace(t, i)) {
      i = t.closing(i);
      continue;
    }
    if (!t.is_word(i) || !t.is(i + 1, "(") || i == 0) continue;
    const std::string_view name = t.text(i);
    const bool typed = t.is_word(i - 1) || t.is(i - 1, "*") || t.is(i - 1, "&") || t.is(i - 1, ">");
    if (name.starts_with("__") || name == "alignas" || name == "decltype" || !typed) {
      i = t.closing(i + 1);
      continue;
    }
    bool device = false;
    for (std::size_t k = t.statement(i); k < i; ++k) device |= words_.is_device(t, k);
    std::size_t end = t.closing(i + 1) + 1;
    while (end < t.size() && !t.is(end, "{") && !t.is(end, ";") && !t.is(end, "=") && !t.is(end, "}")) ++end;
    if (device)
      device_.emplace(name);
    else if (t.is(end, "{"))
      host_.emplace(name);
    i = end - 1;
  }
}

std::vector<RewriteError> HostFunctions::refused_calls(std::string_view source) const {
  std::vector<RewriteError> found;
  const Tokens t(source);
  const DeviceCode device(t);
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (!t.is_word(i) || t[i].macro != 0 || !device.contains(i)) continue;
    std::size_t open = i + 1;
    if (t.is(open, "<") && t.closing_angle(open) < t.size()) open = t.closing_angle(open) + 1;
    if (!t.is(open, "(")) continue;
    const std::string name(t.text(i));
    if (t.is(i - 1, "::")) {
      const auto standard = kStandard.find(name);
      if (i < 2 || !t.is(i - 2, "std") || standard == kStandard.end()) continue;
      if (i > 2 && t.is(i - 3, "::")) continue;  // cuda::std::max
      found.emplace_back(t.line(i), "calling a __host__ function(\"std::" + name + "\") from a " +
                                        enclosing(t, i) +
                                        " is not allowed: " + std::string(standard->second));
    } else if (host_.contains(name) && !device_.contains(name) && !t.is(i - 1, ".") && !t.is(i - 1, "->") &&
               !t.is_word(i - 1)) {
      found.emplace_back(t.line(i), "calling a __host__ function(\"" + name + "\") from a " +
                                        enclosing(t, i) +
                                        " is not allowed: write __device__ before the definition of " + name);
    }
  }
  return found;
}

std::vector<RewriteError> refused_in_device_code(std::string_view source) {
  std::vector<RewriteError> found;
  const Tokens t(source);
  const DeviceCode device(t);
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (!t.is_word(i) || t[i].macro != 0 || !device.contains(i)) continue;
    if (t.is(i, "throw") || t.is(i, "try"))
      found.emplace_back(
          t.line(i),
          "device code does not support exception handling: let the caller see a value that says it, "
          "or end the kernel with __trap()");
    const auto type = kHostTypes.find(t.text(i));
    if (type == kHostTypes.end() || i < 2 || !t.is(i - 1, "::") || !t.is(i - 2, "std")) continue;
    if (i > 2 && t.is(i - 3, "::")) continue;  // cuda::std
    std::size_t name = i + 1;
    if (t.is(name, "<")) name = t.closing_angle(name) + 1;
    if (!t.is_word(name)) continue;  // no variable
    const std::string shown = "std::" + std::string(t.text(i));
    found.emplace_back(t.line(i), "calling a __host__ function(\"" + shown + "::" + std::string(t.text(i)) +
                                      "\") from a " + enclosing(t, i) +
                                      " is not allowed: " + std::string(type->second));
  }
  return found;
}

}  // namespace workbook::sim
