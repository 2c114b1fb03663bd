#include "optimizer/language/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "optimizer/language/expressions.h"
#include "optimizer/language/nearest.h"

namespace workbook::opt {
namespace {

std::string with_caret(std::string_view file, int line, int column, std::string_view source,
                       std::string_view sentence) {
  std::string shown(source);
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  return fmt::format("{}:{}:{}: {}\n{:>6} | {}\n       | {:>{}}", file, line, column, sentence, line, shown,
                     '^', column);
}

class Parser : Expressions {
 public:
  using Expressions::Expressions;

  Program program() {
    Program result;
    for (const std::string& line : lines_)
      if (line.starts_with('#')) {
        result.title = line.substr(std::min(line.find_first_not_of("# "), line.size()));
        break;
      }
    Graph graph;
    builder_.emplace(graph);
    require_statements();
    declare();
    if (output_line_ == 0) fail_at_end("there is no `output` line");
    if (builder_->graph().inputs.empty()) fail_at_end("there is no `input` line: what would it be made of?");
    assignments();
    const int node = named_node(output_name_, output_line_);
    const IndexSet set = builder_->shape(node);
    if (set != output_set_)
      fail_in(output_line_, 1,
              fmt::format("{} has {}, and this line says {}{}", output_name_, names(set), names(output_set_),
                          within(output_set_, set)
                              ? ": what it does not say is summed, as in sum(" +
                                    names(only(members(set & ~output_set_).front())) + ", ...)"
                              : ""));
    result.graph = finish(node < 0 ? copied(node) : node, nullptr);
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
    builder_->repeats = false;
    checked_ = &program;
    for (std::size_t i = 0; i < program.graph.indices.size(); ++i)
      indices_[program.graph.indices[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < program.graph.inputs.size(); ++i)
      if (program.graph.inputs[i].is_stored())
        values_[program.graph.inputs[i].name] = whole_value(builder_->input_value(static_cast<int>(i)));
    for (const Constant& constant : program.graph.constants)
      if (std::isalpha(static_cast<unsigned char>(constant.name.front())) != 0 &&
          constant.name.find_first_of("+-*/(") == std::string::npos)
        values_[constant.name] = builder_->number(constant.value, constant.name);
    output_name_ = program.output_name;
    output_set_ = program.output_set();
    declare();
    assignments();
    if (output_line_ == 0)
      output_line_ = assigned_.contains(output_name_) ? assigned_[output_name_] : line_count();
    const int node = named_node(output_name_, output_line_);
    const IndexSet set = builder_->shape(node);
    if (set != program.output_set())
      fail_in(output_line_, 1,
              fmt::format("{} has {}, and the program's has {}", output_name_, names(set),
                          names(program.output_set())));
    return finish(node < 0 ? copied(node) : node, lines);
  }

 private:
  /// A line that is none is at fault, and not what it would have declared.
  void require_statements() {
    for (line_ = 1; line_ <= line_count(); ++line_) {
      at_ = 0;
      const Token first = peek(), second = peek(1);
      const bool statement = std::count(std::begin(kStatements), std::end(kStatements), first.text) != 0;
      if (first.kind == Token::end || statement || first.kind != Token::name) continue;
      if (second.text != "=" && second.text != "[") fail(first.column, no_statement(first, second));
    }
  }
  static std::string no_statement(const Token& first, const Token& second) {
    if (second.text == "+" || second.text == "-" || second.text == "*" || second.text == "/")
      return "each name is said once: another name takes what is made of it, as in z = y + 1";
    if (second.text == ",") return "a line says one name: two results are two lines";
    if (second.text == "==") return "a line is NAME = EXPRESSION, with one =";
    std::vector<std::string> words(std::begin(kStatements), std::end(kStatements));
    std::string other = nearest(first.text, words);
    if (first.text == "dim" || first.text == "indices") other = "index";
    if (first.text == "const") other = "constant";
    if (first.text == "return") other = "output";
    return "a line is NAME = EXPRESSION, or begins with index, type, input, range, constant, given, lemma or "
           "output" +
           (other.empty() ? "" : ", but not with '" + first.text + "': is '" + other + "' meant?");
  }

  // ---- assignments ----
  void assignments() {
    for (line_ = 1; line_ <= line_count(); ++line_) {
      at_ = 0;
      if (peek().kind == Token::end) continue;
      std::string word = peek().text;
      const bool declared =
          std::count(std::begin(kStatements), std::end(kStatements), word) != 0 && !is_assignment();
      if (declared && word != "given" && word != "lemma") continue;
      if (declared)
        take();
      else
        word.clear();
      assignment(word);
    }
  }

  void assignment(const std::string& word) {
    const int column = peek().column;
    const std::string name = new_name();
    if (peek().text != "[" && peek().text != "=")
      fail(column, fmt::format("a line is NAME = EXPRESSION, or begins with {}",
                               "index, type, input, range, constant, given, lemma or output"));
    if (peek().text == "[") dims();  // said for the reader; the shape follows from the expression
    if (peek(1).text == "=" && peek().text != "=") fail(no_statement({}, peek()));
    expect("=");
    builder_->line = line_;
    const bool taken = values_.contains(name) || indices_.contains(name);
    if (word == "lemma") {
      if (checked_ != nullptr) fail(1, "a lemma belongs into the program");
      if (name != output_name_) fail(column, fmt::format("a lemma is another spelling of {}", output_name_));
    } else if (word == "given" && checked_ != nullptr) {
      if (!taken) fail(column, fmt::format("the program gives no '{}'", name));
      at_ = line_tokens().size() - 1;
      return;
    } else if (taken) {
      fail(column,
           indices_.contains(name)
               ? fmt::format("there is a '{0}' already: an index, whose place is place({0})", name)
               : fmt::format("there is a '{0}' already: each name is said once, so give this one another",
                             name));
    }
    const int start = peek().column;
    const Value value = guarded(start, [&] { return expression(); });
    end_of_line();
    if (word.empty()) {
      assigned_[name] = line_;
      starts_[name] = start;
      values_[name] = value;
      return;
    }
    const int node = guarded(start, [&] { return builder_->whole(value); });
    if (node < 0) fail(start, "this is an input: there is nothing to compute");
    if (word == "lemma") {
      if (builder_->shape(node) != output_set_)
        fail(start, fmt::format("this has {}, and the output has {}", names(builder_->shape(node)),
                                names(output_set_)));
      lemmas_.emplace_back(node, line_);
      return;
    }
    Tensor tensor;
    tensor.name = name;
    for (const int index : members(builder_->shape(node)))
      tensor.dims.push_back(static_cast<std::uint8_t>(index));
    tensor.given = true;
    tensor.storage = Storage::f32;
    const int input = guarded(start, [&] { return builder_->add_input(tensor); });
    values_[name] = whole_value(builder_->input_value(input));
    givens_.emplace_back(input, node);
  }

  int copied(int input) {
    return guarded(1, [&] { return builder_->copy(input); });
  }

  int named_node(const std::string& name, int line) {
    line_ = line;
    const auto value = values_.find(name);
    if (value == values_.end())
      fail_in(line, 1, fmt::format("nothing says what {0} is: {0} = EXPRESSION", name));
    if (assigned_.contains(name)) line_ = assigned_[name];
    return guarded(starts_.contains(name) ? starts_[name] : 1,
                   [&] { return builder_->whole(value->second); });
  }

  Graph finish(int node, std::vector<int>* lines) {
    return guarded(1, [&] { return builder_->finish(node, lines); });
  }

  std::map<std::string, int> assigned_, starts_;  ///< the line of each name, and where what it is begins
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

std::vector<std::string> one_output_each(std::string_view text) {
  std::vector<std::string> lines;
  std::vector<std::pair<std::size_t, std::string>> outputs;  // line, what stands behind the word
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line(text.substr(at, end - at));
    lines.push_back(line);
    at = end + 1;
    static constexpr std::string_view kWord = "output ";
    if (!line.starts_with(kWord) || line.find('=') < line.find('#')) continue;
    int depth = 0;
    outputs.emplace_back(lines.size() - 1, "");
    for (const char c : line.substr(kWord.size(), line.find('#') - kWord.size())) {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth == 0)
        outputs.emplace_back(lines.size() - 1, "");
      else
        outputs.back().second += c;
    }
  }
  if (outputs.size() < 2) return {std::string(text)};
  std::vector<std::string> texts;
  for (std::size_t one = 0; one < outputs.size(); ++one) {
    std::vector<std::string> own = lines;
    for (const auto& [line, rest] : outputs) own[line].clear();
    own[outputs[one].first] = "output " + outputs[one].second;
    std::string& joined = texts.emplace_back();
    for (std::size_t i = 0; i < own.size(); ++i) joined += (i == 0 ? "" : "\n") + own[i];
  }
  return texts;
}

Graph parse_graph(const Program& program, std::string_view text, std::string_view file,
                  std::vector<int>* lines) {
  return Parser(text, file).graph(program, lines);
}

void set_extent(Program& program, std::string_view assignment) {
  const std::size_t sign = assignment.find('=');
  const std::string name(assignment.substr(0, sign));
  std::int64_t value = 0;
  if (sign != std::string_view::npos)
    for (const char c : assignment.substr(sign + 1))
      value = c >= '0' && c <= '9' && value >= 0 && value < 100'000'000 ? value * 10 + (c - '0') : -1;
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
    throw std::invalid_argument(fmt::format(
        "{} has no index '{}'; it has {}.", program.name, name,
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
