#include "opt/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "opt/builder.h"
#include "opt/tokens.h"

namespace workbook::opt {
namespace {

std::string with_caret(std::string_view file, int line, int column, std::string_view source,
                       std::string_view sentence) {
  std::string shown(source);
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  return fmt::format("{}:{}:{}: {}\n{:>6} | {}\n       | {:>{}}", file, line, column, sentence, line, shown, '^',
                     column);
}

constexpr std::string_view kFunctions[] = {"exp",  "sqrt", "rsqrt", "silu", "gelu", "tanh",
                                           "relu", "max",  "sum",   "mean", "rms"};
constexpr std::string_view kStatements[] = {"index", "type", "input", "constant", "given", "lemma", "output", "view"};

bool reserved(std::string_view word) {
  return std::count(std::begin(kFunctions), std::end(kFunctions), word) != 0 ||
         std::count(std::begin(kStatements), std::end(kStatements), word) != 0;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : file_(file) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      line_ = static_cast<int>(i) + 1;
      try {
        tokens_.push_back(tokens_of(lines_[i]));
      } catch (const BadCharacter& bad) {
        fail(bad.column, bad.sentence);
      }
    }
  }

  Program program() {
    Program result;
    for (const std::string& line : lines_)
      if (line.starts_with('#')) {
        result.title = line.substr(std::min(line.find_first_not_of("# "), line.size()));
        break;
      }
    Graph graph;
    builder_.emplace(graph);
    declare();
    if (output_line_ == 0) fail_at_end("there is no `output` line");
    assignments();
    const int node = named_node(output_name_, output_line_);
    const IndexSet set = builder_->shape(node);
    if (set != output_set_)
      fail_in(output_line_, 1, fmt::format("{} has {}, and this line says {}", output_name_, names(set), names(output_set_)));
    if (node < 0) fail_in(output_line_, 1, "the output is an input: there is nothing to compute");
    result.graph = finish(node, nullptr);
    for (const auto& [lemma, line] : lemmas_) result.lemmas.push_back((line_ = line, finish(lemma, nullptr)));
    for (const auto& [input, made] : givens_) result.givens.push_back({input, finish(made, nullptr)});
    // All graphs of a program have the same lists before their nodes.
    result.output_dims = output_dims_;
    result.output_name = output_name_;
    result.output_storage = output_storage_;
    return result;
  }

  Graph graph(const Program& program, std::vector<int>* lines) {
    builder_.emplace(program.graph);
    checked_ = &program;
    for (std::size_t i = 0; i < program.graph.indices.size(); ++i)
      indices_[program.graph.indices[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < program.graph.inputs.size(); ++i)
      if (program.graph.inputs[i].constant < 0)
        values_[program.graph.inputs[i].name] = whole_value(builder_->input_value(static_cast<int>(i)));
    for (const Constant& constant : program.graph.constants)
      if (std::isalpha(static_cast<unsigned char>(constant.name.front())) != 0 &&
          constant.name.find_first_of("+-*/") == std::string::npos)
        values_[constant.name] = builder_->number(constant.value, constant.name);
    output_name_ = program.output_name;
    output_set_ = program.output_set();
    declare();
    assignments();
    if (output_line_ == 0) output_line_ = static_cast<int>(lines_.size());
    const int node = named_node(output_name_, output_line_);
    const IndexSet set = builder_->shape(node);
    if (set != program.output_set())
      fail_in(output_line_, 1,
              fmt::format("{} has {}, and the program's has {}", output_name_, names(set), names(program.output_set())));
    if (node < 0) fail_in(output_line_, 1, "the output is an input: there is nothing to compute");
    return finish(node, lines);
  }

 private:
  // ---- places ----
  [[noreturn]] void fail_in(int line, int column, std::string_view sentence) const {
    const std::string_view source = line >= 1 && line <= static_cast<int>(lines_.size())
                                        ? std::string_view(lines_[static_cast<std::size_t>(line) - 1])
                                        : std::string_view();
    throw TextError(file_, line, column, source, sentence);
  }
  [[noreturn]] void fail(int column, std::string_view sentence) const { fail_in(line_, column, sentence); }
  [[noreturn]] void fail(std::string_view sentence) const { fail(peek().column, sentence); }
  [[noreturn]] void fail_at_end(std::string_view sentence) const {
    fail_in(static_cast<int>(lines_.size()), static_cast<int>(lines_.back().size()) + 1, sentence);
  }
  std::string names(IndexSet set) { return names_of(builder_->graph(), set); }

  // ---- words ----
  const Token& peek() const { return tokens_[static_cast<std::size_t>(line_) - 1][at_]; }
  Token take() {
    const Token token = peek();
    if (token.kind != Token::end) ++at_;
    return token;
  }
  bool accept(std::string_view sign) {
    if (peek().kind != Token::sign || peek().text != sign) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) fail(fmt::format("'{}' is expected here{}", sign, found()));
  }
  std::string found() const {
    return peek().kind == Token::end ? ", not the end of the line" : fmt::format(", not '{}'", peek().text);
  }
  std::string new_name() {
    const Token token = take();
    if (token.kind != Token::name) fail(token.column, "a name is expected here");
    if (reserved(token.text)) fail(token.column, fmt::format("'{}' is a word of the language", token.text));
    return token.text;
  }
  int index_name() {
    const Token token = take();
    if (token.kind != Token::name) fail(token.column, "an index is expected here");
    const auto known = indices_.find(token.text);
    if (known == indices_.end()) fail(token.column, fmt::format("there is no index '{}'", token.text));
    return known->second;
  }
  void end_of_line() {
    if (peek().kind != Token::end) fail(fmt::format("the line should end here{}", found()));
  }

  // ---- declarations: before all assignments, wherever they stand ----
  void declare() {
    for (const auto word : {"index", "type", "constant", "input", "view", "output"}) {
      for (line_ = 1; line_ <= static_cast<int>(lines_.size()); ++line_) {
        at_ = 0;
        if (peek().kind != Token::name || peek().text != word || is_assignment()) continue;
        take();
        statement(word);
        end_of_line();
      }
    }
  }
  bool is_assignment() const {
    const auto& tokens = tokens_[static_cast<std::size_t>(line_) - 1];
    return tokens.size() > 1 && tokens[1].text == "=";
  }

  void statement(std::string_view word) {
    if (word == "type") {
      storage_ = storage().value_or(storage_);
      return;
    }
    if (word == "output") {
      if (output_line_ != 0) fail(1, "one output, for now: there is another above");
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
    const auto known = std::find_if(constants.begin(), constants.end(), [&](const Constant& c) { return c.name == name; });
    if (known != constants.end()) {
      if (checked_ == nullptr) fail(column, fmt::format("there is a constant '{}' already", name));
      if (known->value != value) fail(column, fmt::format("the program's {} is {}", name, known->value));
      return;
    }
    unused(name, column);
    constants.push_back({name, value});
    values_[name] = builder_->number(value, name);
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
    const auto known = std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == tensor.name; });
    if (checked_ != nullptr && !is_view) {
      if (known == inputs.end() || known->dims != tensor.dims)
        fail(column, fmt::format("the program has no such input '{}'", tensor.name));
      return;
    }
    unused(tensor.name, column);
    if (inputs.size() >= 24) fail(column, "more than 24 inputs");
    inputs.push_back(tensor);
    values_[tensor.name] = whole_value(builder_->input_value(static_cast<int>(inputs.size()) - 1));
  }

  void read_view(Tensor& tensor) {
    expect("=");
    const Token source = take();
    const auto& inputs = builder_->graph().inputs;
    const auto known = std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == source.text; });
    if (known == inputs.end() || known->view_of >= 0 || known->given)
      fail(source.column, fmt::format("there is no input '{}'", source.text));
    tensor.view_of = static_cast<int>(known - inputs.begin());
    tensor.storage = known->storage;
    expect("[");
    for (std::size_t dim = 0; dim < known->dims.size(); ++dim) {
      if (dim > 0) expect(",");
      Coordinate place;
      if (peek().kind == Token::number) {
        place.offset = static_cast<int>(whole_or_zero());
      } else {
        const int column = peek().column;
        place.index = static_cast<std::int8_t>(index_name());
        if (!has(tensor.set(), place.index)) fail(column, fmt::format("{} has no such index", tensor.name));
        if (accept("/")) place.divide = static_cast<int>(whole_number());
        if (accept("+")) place.offset = static_cast<int>(whole_number());
      }
      tensor.view.push_back(place);
    }
    expect("]");
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
      if (std::count(found.begin(), found.end(), index) != 0) fail(column, "an index may stand once in a tensor");
      found.push_back(index);
    } while (accept(","));
    expect("]");
    return found;
  }
  std::optional<Storage> storage() {
    if (peek().kind != Token::name) return std::nullopt;
    for (const Storage type : {Storage::f16, Storage::bf16, Storage::f32})
      if (peek().text == name_of(type)) {
        ++at_;
        return type;
      }
    fail("f16, bf16 or f32 is expected here");
  }
  void unused(const std::string& name, int column) const {
    if (values_.contains(name) || indices_.contains(name))
      fail(column, fmt::format("there is a '{}' already", name));
  }

  // ---- assignments ----
  void assignments() {
    for (line_ = 1; line_ <= static_cast<int>(lines_.size()); ++line_) {
      at_ = 0;
      if (peek().kind == Token::end) continue;
      std::string word = peek().text;
      const bool declared = std::count(std::begin(kStatements), std::end(kStatements), word) != 0 && !is_assignment();
      if (declared && word != "given" && word != "lemma") continue;
      if (declared) take();
      else word.clear();
      assignment(word);
    }
  }

  void assignment(const std::string& word) {
    const int column = peek().column;
    const std::string name = new_name();
    if (peek().text == "[") dims();  // said for the reader; the shape follows from the expression
    expect("=");
    builder_->line = line_;
    const bool taken = values_.contains(name) || indices_.contains(name);
    if (word == "lemma") {
      if (checked_ != nullptr) fail(1, "a lemma belongs into the program");
      if (name != output_name_) fail(column, fmt::format("a lemma is another spelling of {}", output_name_));
    } else if (word == "given" && checked_ != nullptr) {
      if (!taken) fail(column, fmt::format("the program gives no '{}'", name));
      at_ = tokens_[static_cast<std::size_t>(line_) - 1].size() - 1;
      return;
    } else if (taken) {
      fail(column, fmt::format("there is a '{}' already", name));
    }
    const int start = peek().column;
    const Value value = guarded(start, [&] { return expression(); });
    end_of_line();
    if (word.empty()) {
      values_[name] = value;
      return;
    }
    const int node = guarded(start, [&] { return builder_->whole(value); });
    if (node < 0) fail(start, "this is an input: there is nothing to compute");
    if (word == "lemma") {
      if (builder_->shape(node) != output_set_)
        fail(start, fmt::format("this has {}, and the output has {}", names(builder_->shape(node)), names(output_set_)));
      lemmas_.emplace_back(node, line_);
      return;
    }
    Tensor tensor;
    tensor.name = name;
    for (const int index : members(builder_->shape(node))) tensor.dims.push_back(static_cast<std::uint8_t>(index));
    tensor.given = true;
    tensor.storage = Storage::f32;
    auto& inputs = builder_->graph().inputs;
    inputs.push_back(tensor);
    const int input = static_cast<int>(inputs.size()) - 1;
    values_[name] = whole_value(builder_->input_value(input));
    givens_.emplace_back(input, node);
  }

  static Value whole_value(int node) {
    Value value;
    value.node = node;
    return value;
  }

  int named_node(const std::string& name, int line) {
    line_ = line;
    const auto value = values_.find(name);
    if (value == values_.end()) fail_in(line, 1, fmt::format("nothing says what {} is", name));
    return guarded(1, [&] { return builder_->whole(value->second); });
  }

  Graph finish(int node, std::vector<int>* lines) {
    return guarded(1, [&] { return builder_->finish(node, lines); });
  }

  template <class Body>
  auto guarded(int column, Body body) -> decltype(body()) {
    try {
      return body();
    } catch (const BuildError& error) {
      fail(column, error.sentence);
    }
  }

  // ---- expressions ----
  Value expression() {
    Value left = term();
    while (peek().kind == Token::sign && (peek().text == "+" || peek().text == "-")) {
      const Token sign = take();
      const Value right = term();
      left = guarded(sign.column,
                     [&] { return builder_->binary(sign.text == "+" ? Op::add : Op::sub, left, right, output_set_); });
    }
    return left;
  }
  Value term() {
    Value left = factor();
    while (peek().kind == Token::sign && (peek().text == "*" || peek().text == "/")) {
      const Token sign = take();
      const Value right = factor();
      left = guarded(sign.column,
                     [&] { return builder_->binary(sign.text == "*" ? Op::mul : Op::div, left, right, output_set_); });
    }
    return left;
  }
  Value factor() {
    const Token token = take();
    if (token.kind == Token::number) return builder_->number(token.value, token.text);
    if (token.kind == Token::sign && token.text == "(") {
      if (++depth_ > 200) fail(token.column, "too many parentheses");
      const Value inner = expression();
      --depth_;
      expect(")");
      return inner;
    }
    if (token.kind != Token::name) {
      --at_;
      if (token.kind == Token::end) ++at_;
      fail(token.column, fmt::format("a tensor, a number or a function is expected here{}", token.kind == Token::end ? ", not the end of the line" : ""));
    }
    if (std::count(std::begin(kFunctions), std::end(kFunctions), token.text) != 0) return call(token);
    const auto value = values_.find(token.text);
    if (value != values_.end()) {
      Value result = value->second;
      result.fresh = false;
      return result;
    }
    const auto index = indices_.find(token.text);
    if (index != indices_.end()) return builder_->extent(index->second);
    fail(token.column, peek().text == "(" ? fmt::format("there is no function '{}'", token.text)
                                          : fmt::format("there is no tensor '{}'", token.text));
  }
  Value call(const Token& function) {
    expect("(");
    if (++depth_ > 200) fail(function.column, "too many parentheses");
    const bool over = function.text == "sum" || function.text == "mean" || function.text == "rms" ||
                      (function.text == "max" && peek().kind == Token::name && indices_.contains(peek().text));
    int index = -1;
    if (over) {
      index = index_name();
      expect(",");
    }
    const Value argument = expression();
    Value second;
    if (function.text == "max" && !over) {
      expect(",");
      second = expression();
    }
    expect(")");
    --depth_;
    return guarded(function.column, [&]() -> Value {
      if (function.text == "sum") return builder_->sum(index, argument);
      if (function.text == "mean") return builder_->mean(index, argument);
      if (function.text == "rms") return builder_->rms(index, argument);
      if (function.text == "exp") return builder_->exponential(argument);
      if (function.text == "max")
        return over ? builder_->max_over(index, argument) : builder_->binary(Op::max, argument, second, output_set_);
      for (int base = 1; base <= static_cast<int>(Base::relu); ++base)
        if (function.text == name_of(static_cast<Base>(base))) return builder_->unary(static_cast<Base>(base), argument);
      fail(function.column, fmt::format("there is no function '{}'", function.text));
    });
  }

  std::string file_;
  std::vector<std::string> lines_;
  std::vector<std::vector<Token>> tokens_;
  int line_ = 1, depth_ = 0;
  std::size_t at_ = 0;
  std::optional<Builder> builder_;
  const Program* checked_ = nullptr;
  std::map<std::string, int, std::less<>> indices_;
  std::map<std::string, Value, std::less<>> values_;
  Storage storage_ = Storage::f16, output_storage_ = Storage::f16;
  int output_line_ = 0;
  std::string output_name_;
  std::vector<std::uint8_t> output_dims_;
  IndexSet output_set_ = 0;
  std::vector<std::pair<int, int>> lemmas_, givens_;
};

}  // namespace

TextError::TextError(std::string_view file, int at_line, int at_column, std::string_view source,
                     std::string_view words)
    : std::runtime_error(with_caret(file, at_line, at_column, source, words)),
      line(at_line),
      column(at_column),
      sentence(words) {}

Program parse_program(std::string_view text, std::string_view file) {
  Program program = Parser(text, file).program();
  program.name = std::filesystem::path(file).stem().string();
  program.text = text;
  return program;
}

Graph parse_graph(const Program& program, std::string_view text, std::string_view file, std::vector<int>* lines) {
  return Parser(text, file).graph(program, lines);
}

void set_extent(Program& program, std::string_view assignment) {
  const std::size_t sign = assignment.find('=');
  const std::string name(assignment.substr(0, sign));
  std::int64_t value = 0;
  if (sign != std::string_view::npos)
    for (const char c : assignment.substr(sign + 1)) value = c >= '0' && c <= '9' && value >= 0 && value < 100'000'000 ? value * 10 + (c - '0') : -1;
  if (value < 1) throw std::invalid_argument(fmt::format("'{}' is no size: such as h=1024.", assignment));
  const auto set = [&](Graph& graph) {
    for (Index& index : graph.indices)
      if (index.name == name) {
        index.real = value;
        return true;
      }
    return false;
  };
  if (!set(program.graph))
    throw std::invalid_argument(fmt::format("{} has no index '{}'; it has {}.", program.name, name,
                                            names_of(program.graph, static_cast<IndexSet>((1u << program.graph.indices.size()) - 1))));
  for (Graph& lemma : program.lemmas) set(lemma);
  for (Given& given : program.givens) set(given.graph);
}

std::vector<std::string> program_names(const std::filesystem::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".wbp") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

}  // namespace workbook::opt
