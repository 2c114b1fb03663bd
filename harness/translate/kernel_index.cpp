#include "kernel_index.h"

namespace workbook::sim {
namespace {

/// Counts the parameters of the `template <` at `open`, up to its '>' at `close`.
void read_parameters(const Tokens& tokens, std::size_t open, std::size_t close, KernelDeclaration& kernel) {
  if (close == open + 1) return;
  kernel.parameters = 1;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{"))
      i = tokens.closing(i);
    else if (tokens.is(i, "<"))
      i = tokens.closing_angle(i);
    else if (tokens.is(i, ","))
      ++kernel.parameters;
    else if (tokens.is(i, "="))
      kernel.defaults = true;
  }
}

}  // namespace

void KernelIndex::add(const Tokens& tokens) {
  std::size_t open = tokens.size(), close = tokens.size();  // of the template header that awaits its entity
  KernelDeclaration before;                                 // attributes that stand before __global__
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "template") && tokens.is(i + 1, "<")) {
      open = i + 1;
      close = tokens.closing_angle(open);
      if (close == tokens.size()) return;
      i = close;
    } else if (tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "}")) {
      open = close = tokens.size();
      before = {};
    } else if (tokens.is(i, "__cluster_dims__") && tokens.is(i + 1, "(")) {
      before.cluster = tokens.joined(i + 2, tokens.closing(i + 1));
    } else if (tokens.is(i, "__global__")) {
      KernelDeclaration kernel = before;
      const std::size_t name = tokens.declared_name(i);
      if (name == tokens.size()) continue;
      for (std::size_t k = i + 1; k < name; ++k)
        if (tokens.is(k, "__cluster_dims__") && tokens.is(k + 1, "("))
          kernel.cluster = tokens.joined(k + 2, tokens.closing(k + 1));
      if (open < tokens.size()) read_parameters(tokens, open, close, kernel);
      kernels_.emplace(std::string(tokens.text(name)), kernel);
      i = name;
    }
  }
}

bool KernelIndex::deduces_defaults(std::string_view name, std::size_t arguments) const {
  const auto [first, last] = kernels_.equal_range(name);
  for (auto kernel = first; kernel != last; ++kernel)
    if (kernel->second.defaults && arguments < kernel->second.parameters) return true;
  return false;
}

std::string KernelIndex::cluster_of(std::string_view name) const {
  const auto [first, last] = kernels_.equal_range(name);
  for (auto kernel = first; kernel != last; ++kernel)
    if (!kernel->second.cluster.empty()) return kernel->second.cluster;
  return "";
}

}  // namespace workbook::sim
