// What a program says of both address spaces: the host's code, and the variables and functions of the device
// that it names there. On a GPU the host has a copy of its own of each such variable, at another address; one
// address space, which is what the simulator has, would hide that.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_tokens.h"
#include "edits.h"
#include "execution_space.h"

namespace workbook::sim {

/// A file cut into what runs on the host and what is the device's.
struct Outline {
  Outline(const Tokens& tokens, const DeviceWords& words);

  /// A function's body on the host: where its declaration begins, and its braces.
  struct Body {
    std::size_t begin, open, close;
  };
  std::vector<Body> host;
  /// `__device__`, `__constant__` or `__managed__`, at namespace scope, and not const.
  struct Variable {
    std::size_t name, end;  ///< its name, and the ';' of its declaration
    bool constant, external, managed;
  };
  std::vector<Variable> variables;
  /// The host's, likewise: its name, and the ';'.
  std::vector<std::pair<std::size_t, std::size_t>> host_variables;
  /// The host's arrays that are const: their names.
  std::vector<std::size_t> host_tables;
  /// Names of functions that run on the device alone, each with its parameters as written.
  std::vector<std::pair<std::string, std::string>> functions;
};

/// What the files of a program declare for the device.
class DeviceNames {
 public:
  /// Every file, before the first is rewritten. What a header declares is known in every file, what a source
  /// declares only there.
  void learn(const Tokens& tokens, const Outline& outline, bool is_header);

  /// Puts each variable on record behind its declaration; lets the host's code have its own copy of those of
  /// the device; tells of functions of the device whose address the host takes, of errors that it drops, and
  /// of its own lambdas, where they are run.
  void rewrite(const Tokens& tokens, const DeviceWords& words, Edits& edits) const;

 private:
  static void refuse_tables(const Tokens& tokens, const DeviceWords& words, const Outline& outline,
                            Edits& edits);
  bool is_device_function(std::string_view name) const;
  void rewrite_body(const Tokens& tokens, const DeviceWords& words, const Outline::Body& body,
                    const std::set<std::string, std::less<>>& variables, Edits& edits) const;

  std::set<std::string, std::less<>> of_headers_;
  std::set<std::string, std::less<>> macros_;
  std::map<std::string, std::set<std::string>, std::less<>> functions_;
};

}  // namespace workbook::sim
