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
    if (token.kind != Token::name) fail(token.column, "a name is expected here");
    if (reserved(token.text)) fail(token.column, fmt::format("'{}' is a word of the language", token.text));
    return token.text;
  }
  int index_name() {
    const Token token = take();
    if (token.kind != Token::name) fail(token.column, "an index is expected here");
    if (instead_ != nullptr && token.text == "i") return bound_index_;
    const auto known = indices_.find(token.text);
    if (known == indices_.end()) fail(token.column, fmt::format("there is no index '{}'", token.text));
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
    expect("=");
    index.teaching = index.real = whole_number();
    if (peek().kind == Token::number) index.real = whole_number();
    const auto known = indices_.find(index.name);
    if (checked_ != nullptr) {  // sizes may have been set otherwise
      if (known == indices_.end()) fail(column, fmt::format("the program has no index '{}'", index.name));
      return;
    }
    if (known != indices_.end()) fail(column, fmt::format("there is an index '{}' already", index.name));
    Graph& graph = builder_->graph();
    if (graph.indices.size() == kMaxIndices) fail(column, fmt::format("more than {} indices", kMaxIndices));
    indices_[index.name] = static_cast<int>(graph.indices.size());
    graph.indices.push_back(index);
  }
  std::int64_t whole_number() {
    const Token token = take();
    if (token.kind != Token::number || token.value < 1 || token.value > 1e9 ||
        token.value != static_cast<double>(static_cast<std::int64_t>(token.value)))
      fail(token.column, "a whole number from 1 on is expected here");
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
    const double low = bound(), high = bound();
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
    tensor.dims = dims();
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

  void read_view(Tensor& tensor) {
    expect("=");
    const Token source = take();
    const auto& inputs = builder_->graph().inputs;
    const auto known =
        std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == source.text; });
    if (known == inputs.end() || known->view_of >= 0 || known->given)
      fail(source.column, fmt::format("there is no input '{}'", source.text));
    tensor.view_of = static_cast<int>(known - inputs.begin());
    tensor.storage = known->storage;
    expect("[");
    for (std::size_t dim = 0; dim < known->dims.size(); ++dim) {
      if (dim > 0) expect(",");
      const int column = peek().column;
      tensor.view.push_back(coordinate());
      for (const Placed::Term& term : tensor.view.back().line.terms)
        if (!has(tensor.set(), term.index)) fail(column, fmt::format("{} has no such index", tensor.name));
    }
    expect("]");
  }

  /// "b", "2 * i + 1", "t - 3", "h + size(h)", "s / 4", or the name of an input of whole numbers.
  Coordinate coordinate() {
    Coordinate place;
    place.line.kind = Placed::number;
    if (peek().kind == Token::name && !indices_.contains(peek().text) && peek().text != "size") {
      const Token name = take();
      const auto& inputs = builder_->graph().inputs;
      const auto known =
          std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == name.text; });
      if (known == inputs.end() || known->storage != Storage::i32)
        fail(name.column,
             fmt::format("there is no index '{0}', and no input {0} of type i32, to choose with", name.text));
      place.by = static_cast<int>(known - inputs.begin());
      return place;
    }
    for (int sign = accept("-") ? -1 : 1;;) {
      coordinate_term(place, sign);
      if (accept("+"))
        sign = 1;
      else if (accept("-"))
        sign = -1;
      else
        break;
    }
    if (accept("/")) place.divide = static_cast<int>(whole_number());
    return place;
  }
  void coordinate_term(Coordinate& place, int sign) {
    std::int64_t times = sign;
    const int column = peek().column;
    if (peek().kind == Token::number) {
      times *= whole_or_zero();
      if (!accept("*")) {
        place.line.plus += times;
        return;
      }
    }
    const bool extent = peek().kind == Token::name && peek().text == "size";
    if (extent) take(), expect("(");
    const auto index = static_cast<std::uint8_t>(index_name());
    if (extent) expect(")");
    if (!extent && accept("*")) times *= whole_number();
    if (times == 0 || std::abs(times) > (1 << 20)) fail(column, "a place times 0, or more than 2^20");
    std::vector<Placed::Term>& terms = extent ? place.sizes : place.line.terms;
    const auto at = std::lower_bound(terms.begin(), terms.end(), index,
                                     [](const Placed::Term& term, int other) { return term.index < other; });
    if (at != terms.end() && at->index == index)
      at->times += static_cast<std::int32_t>(times);
    else
      terms.insert(at, {index, static_cast<std::int32_t>(times)});
  }
  std::int64_t whole_or_zero() {
    if (peek().value == 0.0) return take(), 0;
    return whole_number();
  }

  std::vector<std::uint8_t> dims() {
    std::vector<std::uint8_t> found;
    if (!accept("[")) return found;
    if (accept("]")) return found;
    do {
      const int column = peek().column;
      const auto index = static_cast<std::uint8_t>(index_name());
      if (std::count(found.begin(), found.end(), index) != 0)
        fail(column, "an index may stand once in a tensor");
      found.push_back(index);
    } while (accept(","));
    expect("]");
    return found;
  }
  std::optional<Storage> storage() {
    if (peek().kind != Token::name) return std::nullopt;
    for (const Storage type : {Storage::f16, Storage::bf16, Storage::f32, Storage::i32})
      if (peek().text == name_of(type)) {
        ++at_;
        return type;
      }
    fail("f16, bf16, f32 or i32 is expected here");
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
