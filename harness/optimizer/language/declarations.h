// What a program text declares, wherever it stands: indices, types, constants, inputs, views and the output.
// A graph that is checked may say again what its program declares, and nothing else.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "optimizer/graph/unary.h"
#include "optimizer/language/builder.h"
#include "optimizer/language/reader.h"

namespace workbook::opt {

/// Beside those of one number (unary.h).
inline constexpr std::string_view kFunctions[] = {"sum", "mean",  "rms",   "max",  "min",   "exp",
                                                  "pow", "where", "place", "size", "concat"};
inline constexpr std::string_view kStatements[] = {"index", "type",  "input",  "range", "constant",
                                                   "given", "lemma", "output", "view"};

inline bool is_function(std::string_view word) {
  return std::count(std::begin(kFunctions), std::end(kFunctions), word) != 0 ||
         std::any_of(unary_functions().begin() + 1, unary_functions().end(),
                     [&](const Unary& row) { return row.name == word; });
}
/// "sum, mean, ... and silu".
inline std::string function_list() {
  std::string text;
  for (const std::string_view name : kFunctions) text += std::string(name) + ", ";
  for (std::size_t i = 1; i < unary_functions().size(); ++i)
    text += (i == 1                              ? ""
             : i + 1 == unary_functions().size() ? " and "
                                                 : ", ") +
            std::string(unary_functions()[i].name);
  return text;
}

inline bool reserved(std::string_view word) {
  return is_function(word) || word == "inf" || word == "size" ||
         std::count(std::begin(kStatements), std::end(kStatements), word) != 0;
}

class Declarations : protected LineReader {
 public:
  using LineReader::LineReader;

 protected:
  std::string names(IndexSet set) { return names_of(builder_->graph(), set); }

  std::string new_name() {
    const Token token = take();
    if (token.kind != Token::name)
      fail(token.column, fmt::format("a name is expected here{}",
                                     token.kind == Token::end ? ", not the end of the line" : ""));
    if (reserved(token.text)) fail(token.column, fmt::format("'{}' is a word of the language", token.text));
    return token.text;
  }
  std::string index_list() const {
    std::string text;
    for (const auto& [name, index] : indices_) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
  int index_name() {
    const Token token = take();
    if (token.kind != Token::name)
      fail(token.column, fmt::format("an index is expected here, by its name, not '{0}'{1}", token.text,
                                     token.kind == Token::number
                                         ? ": index n = " + std::string(token.text) + " gives it one"
                                         : ""));
    if (instead_ != nullptr && token.text == "i") return bound_index_;
    const auto known = indices_.find(token.text);
    if (known == indices_.end())
      fail(token.column,
           fmt::format("there is no index '{}'{}", token.text,
                       indices_.empty() ? fmt::format(": index {} = 64 is one of 64", token.text)
                                        : "; there are " + index_list()));
    return known->second;
  }
  void declare() {
    for (const auto word : {"index", "type", "constant", "input", "range", "view", "output"}) {
      for (line_ = 1; line_ <= line_count(); ++line_) {
        at_ = 0;
        if (peek().kind != Token::name || peek().text != word || is_assignment()) continue;
        take();
        statement(word);
        end_of_line();
      }
    }
  }
  bool is_assignment() const { return line_tokens().size() > 1 && line_tokens()[1].text == "="; }

  void statement(std::string_view word) {
    if (word == "type") {
      storage_ = storage().value_or(storage_);
      return;
    }
    if (word == "output") {
      if (output_line_ != 0)
        fail(1, "a program has one output, and there is another above: write two programs");
      const int column = peek().column;
      const std::string name = new_name();
      if (checked_ != nullptr && name != output_name_)
        fail(column, fmt::format("the program's output is {}", output_name_));
      output_line_ = line_;
      output_name_ = name;
      output_dims_ = dims();
      output_set_ = 0;
      for (const std::uint8_t dim : output_dims_) output_set_ |= only(dim);
      output_storage_ = storage().value_or(storage_);
      return;
    }
    do {
      if (word == "index") declare_index();
      if (word == "constant") declare_constant();
      if (word == "range") declare_range();
      if (word == "input" || word == "view") declare_tensor(word == "view");
    } while (accept(","));
  }

  void declare_index() {
    const int column = peek().column;
    Index index{new_name(), 1, 1};
    if (peek().text != "=") fail(fmt::format("'=' is expected here{0}: index {1} = 64", found(), index.name));
    expect("=");
    index.teaching = index.real = whole_number();
    if (peek().kind == Token::number) index.real = whole_number();
    const auto known = indices_.find(index.name);
    if (checked_ != nullptr) {  // sizes may have been set otherwise
      if (known == indices_.end()) fail(column, fmt::format("the program has no index '{}'", index.name));
      return;
    }
    if (known != indices_.end()) fail(column, fmt::format("there is an index '{}' already", index.name));
    add_index(index, column);
  }
  /// One that `others` do not have.
  int index_of_size(const std::vector<std::uint8_t>& others) {
    const int column = peek().column;
    const std::int64_t size = whole_number();
    for (std::string name = fmt::format("of_{}", size);; name += "_") {
      const auto known = indices_.find(name);
      if (known == indices_.end()) return add_index({name, size, size}, column);
      const bool taken = std::count(others.begin(), others.end(), known->second) != 0;
      if (!taken && builder_->graph().indices[static_cast<std::size_t>(known->second)].real == size)
        return known->second;
    }
  }
  int add_index(const Index& index, int column) {
    Graph& graph = builder_->graph();
    if (graph.indices.size() == kMaxIndices) fail(column, fmt::format("more than {} indices", kMaxIndices));
    graph.indices.push_back(index);
    return indices_[index.name] = static_cast<int>(graph.indices.size()) - 1;
  }
  std::int64_t whole_number() {
    const Token token = take();
    if (token.kind != Token::number || token.value < 1 || token.value > 1e9 ||
        token.value != static_cast<double>(static_cast<std::int64_t>(token.value)))
      fail(token.column, "a whole number from 1 on is expected here, and at most 1e9");
    return static_cast<std::int64_t>(token.value);
  }

  void declare_constant() {
    const int column = peek().column;
    const std::string name = new_name();
    expect("=");
    const bool negative = accept("-");
    const Token token = take();
    if (token.kind != Token::number) fail(token.column, "a number is expected here");
    const double value = negative ? -token.value : token.value;
    auto& constants = builder_->graph().constants;
    const auto known =
        std::find_if(constants.begin(), constants.end(), [&](const Constant& c) { return c.name == name; });
    if (known != constants.end()) {
      if (checked_ == nullptr) fail(column, fmt::format("there is a constant '{}' already", name));
      if (known->value != value) fail(column, fmt::format("the program's {} is {}", name, known->value));
      return;
    }
    unused(name, column);
    constants.push_back({name, value, {}});
    values_[name] = builder_->number(value, name);
  }

  /// "range x = -1000 1000", "range m = -inf 0": what an input's elements are within.
  void declare_range() {
    const int column = peek().column;
    const Token name = take();
    auto& inputs = builder_->graph().inputs;
    const auto known =
        std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == name.text; });
    if (known == inputs.end() || known->constant >= 0)
      fail(column, fmt::format("there is no input '{}'", name.text));
    expect("=");
    const int numbers = peek().column;
    if (peek().text == "[" || peek().text == "(")
      fail("two numbers stand here, as in range x = -1 1, m = -inf 0");
    const double low = bound();
    if (peek().text == ",") fail("two numbers stand here without a comma, as in range x = -1 1, m = -inf 0");
    const double high = bound();
    if (!(low <= high) || !std::isfinite(high))
      fail(numbers, "two numbers are expected here, the smaller first, which may be -inf");
    if (checked_ != nullptr) return;
    known->holds_minus_infinity = !std::isfinite(low);
    known->low = std::isfinite(low) ? low : std::min(-kUsualRange, high);
    known->high = high;
  }
  double bound() {
    const bool negative = accept("-");
    const Token token = take();
    double value = token.value;
    if (token.kind == Token::name && token.text == "inf")
      value = std::numeric_limits<double>::infinity();
    else if (token.kind != Token::number)
      fail(token.column, "a number or -inf is expected here");
    return negative ? -value : value;
  }

  void declare_tensor(bool is_view) {
    const int column = peek().column;
    Tensor tensor;
    tensor.name = new_name();
    tensor.dims = dims(!is_view && checked_ == nullptr);
    if (is_view) {
      if (checked_ == nullptr) fail(1, "a view is for graphs that are checked, not for programs");
      read_view(tensor);
    } else {
      tensor.storage = storage().value_or(storage_);
    }
    auto& inputs = builder_->graph().inputs;
    const auto known =
        std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == tensor.name; });
    if (checked_ != nullptr && !is_view) {
      if (known == inputs.end() || known->dims != tensor.dims)
        fail(column, fmt::format("the program has no such input '{}'", tensor.name));
      return;
    }
    unused(tensor.name, column);
    const int input = guarded(column, [&] { return builder_->add_input(tensor); });
    values_[tensor.name] = whole_value(builder_->input_value(input));
  }

  // ---- places (declarations_places.cpp) ----
  void read_view(Tensor& tensor);
  /// "b", "2 * i + 1", "t - 3", "h + size(h) / 2", "(s + 1) / 4", or the name of an input of whole numbers.
  Coordinate coordinate();
  Coordinate chosen_by(const Token& name);
  /// Terms, of which one may be divided: floor(a + b / n) = floor((n * a + b) / n).
  void sum_of_places(Coordinate& place);
  /// Adds `from` so many times.
  void add_place(Coordinate& to, const Coordinate& from, std::int64_t times, int column) const;
  void coordinate_term(Coordinate& place);
  std::int64_t whole_or_zero();

  /// `sized`: a number stands for an index of that size, which is read at other places alone: table[512, h].
  std::vector<std::uint8_t> dims(bool sized = false) {
    std::vector<std::uint8_t> found;
    if (!accept("[")) return found;
    if (accept("]")) return found;
    do {
      const int column = peek().column;
      const bool number = sized && peek().kind == Token::number;
      const auto index = static_cast<std::uint8_t>(number ? index_of_size(found) : index_name());
      if (std::count(found.begin(), found.end(), index) != 0)
        fail(column, "an index may stand once in a tensor");
      found.push_back(index);
    } while (accept(","));
    expect("]");
    return found;
  }
  std::optional<Storage> storage() {
    if (peek().kind != Token::name) return std::nullopt;
    static constexpr std::pair<std::string_view, Storage> kTypes[] = {
        {"f16", Storage::f16},   {"float16", Storage::f16}, {"fp16", Storage::f16},
        {"half", Storage::f16},  {"bf16", Storage::bf16},   {"bfloat16", Storage::bf16},
        {"f32", Storage::f32},   {"float32", Storage::f32}, {"fp32", Storage::f32},
        {"float", Storage::f32}, {"i32", Storage::i32},     {"int32", Storage::i32},
        {"int", Storage::i32}};
    for (const auto& [name, type] : kTypes)
      if (peek().text == name) {
        ++at_;
        return type;
      }
    fail(fmt::format("f16, bf16, f32 or i32 is expected here, not '{}': a type stands behind the indices",
                     peek().text));
  }
  void unused(const std::string& name, int column) const {
    if (values_.contains(name) || indices_.contains(name))
      fail(column, fmt::format("there is a '{}' already", name));
  }

  template <class Body>
  auto guarded(int column, Body body) -> decltype(body()) {
    try {
      return body();
    } catch (const BuildError& error) {
      fail(column, error.sentence);
    }
  }

  static Value whole_value(int node) {
    Value value;
    value.node = node;
    return value;
  }

  std::vector<Value> bound_;  ///< arguments of a definition whose text is read
  int bound_index_ = -1;
  std::optional<Builder> builder_;
  const Program* checked_ = nullptr;
  std::map<std::string, int, std::less<>> indices_;
  std::map<std::string, Value, std::less<>> values_;
  Storage storage_ = Storage::f16, output_storage_ = Storage::f16;
  int output_line_ = 0;
  std::string output_name_;
  std::vector<std::uint8_t> output_dims_;
  IndexSet output_set_ = 0;
};

}  // namespace workbook::opt
