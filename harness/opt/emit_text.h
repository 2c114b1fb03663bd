// What the emitters share: names, expressions, places in global memory, lines with their indentation.
#pragma once

#include <fmt/format.h>

#include <string>

#include "opt/nests.h"

namespace workbook::opt {

class Lines {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += std::string(2 * depth_, ' ') + fmt::format(format, std::forward<Args>(args)...) + '\n';
  }
  void raw(std::string_view line) { text_ += std::string(line) + '\n'; }
  void open(const std::string& head) {
    add("{} {{", head);
    ++depth_;
  }
  void close() {
    --depth_;
    add("}}");
  }
  void append(const std::string& lines) { text_ += lines; }
  std::size_t depth() const { return depth_; }
  void set_depth(std::size_t depth) { depth_ = depth; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

/// Names in the emitted file: b_size the extent of b, b an element's place in it, b_in its place in the tile.
class Names {
 public:
  Names(const Program& program, const Plan& plan) : program_(program), plan_(plan) {}
  std::string index(int index) const;
  std::string size(int index) const { return this->index(index) + "_size"; }
  /// An input's or the output's own name; of other nodes t1, t2, ... as node_text counts.
  std::string tensor(int node) const;
  /// A node's value in a register.
  std::string value(int node) const;
  static std::string type(Storage storage);
  /// "x[b * h_size + h]", the places being the names of indices.
  std::string element(int node) const;
  std::string offset(const std::vector<std::uint8_t>& dims) const;
  /// Of a node from its operands' texts.
  std::string expression(int node, const std::string& a, const std::string& b) const;

 private:
  const Program& program_;
  const Plan& plan_;
};

/// The name of a program as one in C++.
std::string identifier(std::string name);

/// Is there this word in the text?
bool has_word(std::string_view text, std::string_view word);

/// The function of one launch with its constants above it. `number` from 1.
std::string emit_tiles(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                       int number);
std::string emit_row(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                     int number);
/// The lines that launch it, in the function that launches all.
std::string launch_tiles(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                         int number);
std::string launch_row(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                       int number);
/// "float* y, const half* x, ..., int b_size": what a launch takes, and what it is given.
std::string parameters(const Program& program, const Plan& plan, const Launch& launch);
std::string arguments(const Program& program, const Plan& plan, const Launch& launch);
std::string kernel_name(const Program& program, const Plan& plan, int number);
/// "1" of the first of several launches; nothing where there is one.
std::string suffix(const Plan& plan, int number);
std::string tile_name(const Plan& plan, int index, int number);

}  // namespace workbook::opt
