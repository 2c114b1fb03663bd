// What stands at namespace scope of a source, read from its tokens without the preprocessor, and what of it
// differs from another source.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_tokens.h"

namespace workbook::sim {

using Names = std::set<std::string_view>;  // in a source

/// One at namespace scope: tokens [begin, end).
struct Declaration {
  std::size_t begin = 0, end = 0;
  std::size_t body = 0;   ///< the '{' of a function, else `end`
  std::string_view name;  ///< of what it declares; empty where that is nothing or is not told
  bool is_function() const { return body != end; }
};

std::vector<Declaration> declarations(const Tokens& t);

/// Whether one of the words stands in tokens [begin, end).
bool holds(const Tokens& t, std::size_t begin, std::size_t end,
           std::initializer_list<std::string_view> words);
/// Past a template's parameters.
std::size_t head(const Tokens& t, const Declaration& d);
Names words_of(const Tokens& t, std::size_t begin, std::size_t end);
bool share_one(const Names& a, const Names& b);

/// Whether others may know the function by its symbol alone: a kernel, or one of the host, at namespace scope
/// that is no template, nor a copy in each object that uses it.
bool is_replaceable(const Tokens& t, const Declaration& d);
/// One of these that is no kernel.
bool is_host_function(const Tokens& t, const Declaration& d);
/// The source on the same lines, with nothing compiled with what such a function does in mind.
std::string known_by_symbols(const Tokens& t, bool (*which)(const Tokens&, const Declaration&));

/// Which declarations of `after` differ from those of `before`, one by one. Nothing where there are others,
/// where they do not tell all that there is, where some of it must be there once, or where names of
/// __shared__ variables change.
std::optional<std::vector<std::size_t>> differing(const Tokens& before, const std::vector<Declaration>& was,
                                                  const Tokens& after, const std::vector<Declaration>& is,
                                                  const std::vector<std::string_view>& headers);

}  // namespace workbook::sim
