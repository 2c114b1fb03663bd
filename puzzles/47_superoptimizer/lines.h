// Puzzle 47, given: what the lines of a kernel are made of, and a reader that computes what such lines say,
// so that a kernel is judged by its results and not by its looks.
#pragma once

#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "plans.h"

namespace graphs {

/// Writes the body of a kernel for a plan of one launch: a thread an element of the result.
class Writer {
 public:
  Writer(const Program& program, const Plan& plan)
      : program_(program), graph_(plan.graph), sets_(indices_of(graph_, program)), loop_(plan.loop[0]) {
    for (int i = program.count(); i < static_cast<int>(graph_.size()); ++i) nodes.push_back(i);
  }
  /// The operations, each after its operands.
  std::vector<int> nodes;
  /// The lines so far.
  std::vector<std::string> text;
  void line(const std::string& words) { text.push_back(words); }

  // ---- words ----

  /// The loop's index: "h". Its extent is extent("h"): "H".
  std::string loop() const { return letter(loop_); }
  static std::string extent(const std::string& index) {
    return std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(index[0]))));
  }
  /// A node where it is declared: "n5", or "n5[R]" where a thread has several elements of it.
  std::string declared(int i) const {
    std::string result = plain_name(i);
    for (const int index : own_indices(i)) result += "[" + extent(letter(index)) + "]";
    return result;
  }
  /// A node where it is used: "n5", or "n5[r]".
  std::string name(int i) const {
    if (i < program_.count()) return element(program_.inputs[at(i)].name, program_.inputs[at(i)].indices);
    std::string result = plain_name(i);
    for (const int index : own_indices(i)) result += "[" + letter(index) + "]";
    return result;
  }
  /// The element of the result that is this thread's: "y[b * O + o]".
  std::string result() const { return element("y", program_.output); }
  /// The loops over the elements that a thread has of a node: mostly none, "", or "for (int r = 0; ...) ".
  std::string own_loops(int i) const {
    std::string result;
    for (const int index : own_indices(i)) result += loop_over(letter(index));
    return result;
  }
  /// The loop over what is summed, where that is not the kernel's loop: else "".
  std::string sum_loop(int i) const {
    const int over = graph_[at(i)].over;
    return over < 0 || over == loop_ ? "" : loop_over(letter(over));
  }
  /// What a node is, or what a sum adds up: "x[b * H + h] * w[h * O + o]".
  std::string term(int i) const {
    const Node& node = graph_[at(i)];
    const std::string a = name(node.a), b = node.b < 0 ? "" : name(node.b);
    switch (node.op) {
      case Op::add:
        return a + " + " + b;
      case Op::div:
        return a + " / " + b;
      case Op::mul:
      case Op::product:
        return a + " * " + b;
      case Op::rms:
        return a + " * " + a;
      case Op::exp:
        return "expf(" + a + ")";
      case Op::silu:
        return "silu(" + a + ")";
      default:
        return a;
    }
  }
  /// Of an rms whose squares are added up: "root(n3, H)", the root of their mean.
  std::string root(int i) const {
    return "root(" + name(i) + ", " + extent(letter(graph_[at(i)].over)) + ")";
  }

  // ---- questions ----

  Op op(int i) const { return graph_[at(i)].op; }
  /// Whether it adds up over an index.
  bool is_sum(int i) const { return graph_[at(i)].over >= 0; }
  /// Whether it adds up over the loop's.
  bool sums_over_loop(int i) const { return loop_ >= 0 && graph_[at(i)].over == loop_; }
  /// Whether each turn of the loop has a part in it.
  bool in_loop(int i) const { return has(sets_[at(i)], loop_) || sums_over_loop(i); }
  bool has_loop() const { return loop_ >= 0; }

  static std::string loop_over(const std::string& index) {
    return "for (int " + index + " = 0; " + index + " < " + extent(index) + "; ++" + index + ") ";
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::string letter(int index) const { return index < 0 ? "" : std::string(1, program_.letters[at(index)]); }
  static std::string plain_name(int i) { return "n" + std::to_string(i); }
  /// Its indices that are neither the thread's nor the loop's.
  std::vector<int> own_indices(int i) const {
    std::vector<int> result;
    const Indices own = sets_[at(i)] & ~program_.set(program_.output) & ~only(loop_);
    for (int index = 0; index < static_cast<int>(program_.letters.size()); ++index)
      if (has(own, index)) result.push_back(index);
    return result;
  }
  static std::string element(const std::string& name, const std::string& indices) {
    std::string place(1, indices[0]);
    for (std::size_t i = 1; i < indices.size(); ++i) {
      if (i > 1) place = "(" + place + ")";
      place += " * " + extent(indices.substr(i, 1)) + " + " + indices[i];
    }
    return name + "[" + place + "]";
  }
  const Program& program_;
  Graph graph_;
  std::vector<Indices> sets_;
  int loop_;
};

}  // namespace graphs
using namespace graphs;

// The learner's (kernels.cu).
void write_kernel(Writer& w);

namespace graphs {

/// Computes what lines say, for one thread after another: declarations, loops, assignments.
class Reader {
 public:
  using Values = std::vector<double>;
  explicit Reader(const std::vector<std::string>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) split(lines[i], i + 1);
  }
  /// Arrays and numbers that the lines may use; the result is among the arrays.
  std::map<std::string, Values> arrays;
  std::map<std::string, double> numbers;

  /// All lines once. Throws a sentence.
  void run() {
    scopes_.assign(1, {});
    next_ = 0;
    while (next_ < words_.size()) statement(true);
  }

 private:
  struct Word {
    std::string text;
    std::size_t line;
  };
  static bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  void split(const std::string& line, std::size_t number) {
    for (std::size_t i = 0; i < line.size();) {
      if (line.compare(i, 2, "//") == 0) return;
      std::size_t end = i + 1;
      if (is_letter(line[i])) {
        while (end < line.size() && (is_letter(line[end]) || line[end] == '.')) ++end;
      } else if (end < line.size() &&
                 (line.compare(i, 2, "++") == 0 || (line[end] == '=' && line[i] != ' '))) {
        ++end;
      }
      if (line[i] != ' ') words_.push_back({line.substr(i, end - i), number});
      i = end;
    }
  }
  [[noreturn]] void refuse(const std::string& why) const {
    const std::size_t at = std::min(next_, words_.size() - 1);
    throw std::runtime_error("line " + std::to_string(words_.empty() ? 0 : words_[at].line) + ": " + why);
  }
  const std::string& peek() const {
    static const std::string kEnd = "the end";
    return next_ < words_.size() ? words_[next_].text : kEnd;
  }
  std::string take() {
    if (next_ >= words_.size()) refuse("something is missing at the end: a } perhaps");
    return words_[next_++].text;
  }
  void want(const std::string& word) {
    if (peek() != word) refuse("there is '" + peek() + "' where '" + word + "' should be");
    ++next_;
  }

  void statement(bool runs) {
    if (peek() == "{") {
      ++next_;
      scopes_.emplace_back();
      while (peek() != "}") {
        if (next_ >= words_.size()) refuse("a { has no }");
        statement(runs);
      }
      ++next_;
      scopes_.pop_back();
    } else if (peek() == "for") {
      loop(runs);
    } else {
      assignment(runs);
    }
  }
  void loop(bool runs) {
    ++next_;
    want("("), want("int");
    const std::string index = take();
    want("=");
    const double first = sum(runs);
    want(";");
    if (take() != index) refuse("the loop asks for another index than it began with");
    want("<");
    const double end = sum(runs);
    want(";"), want("++");
    if (take() != index) refuse("the loop counts another index than it began with");
    want(")");
    const std::size_t body = next_;
    scopes_.emplace_back();
    if (!runs || first >= end) statement(false);
    for (double i = first; runs && i < end; ++i) {
      next_ = body;
      scopes_.back()[index] = {i};
      statement(true);
    }
    scopes_.pop_back();
  }
  void assignment(bool runs) {
    bool declares = false;
    while (peek() == "const" || peek() == "float") ++next_, declares = true;
    const std::string name = take();
    if (!is_letter(name[0])) refuse("there is '" + name + "' where a name should be");
    std::size_t size = 1, place = 0;
    if (peek() == "[") {
      ++next_;
      const double inside = sum(runs);
      want("]");
      (declares ? size : place) = static_cast<std::size_t>(inside);
    }
    Values* target = nullptr;
    if (runs) {
      if (declares) scopes_.back()[name] = Values(size, std::numeric_limits<double>::quiet_NaN());
      target = find(name);
      if (target == nullptr) refuse(name + " is not declared here");
      if (place >= target->size()) refuse(name + " has no element " + std::to_string(place));
    }
    const std::string how = take();
    if (how == ";") return;
    if (how != "=" && how != "+=") refuse("there is '" + how + "' where = or += should be");
    if (peek() == "{") {
      ++next_;
      want("}");
      if (target != nullptr) target->assign(target->size(), 0.0);
    } else {
      const double value = sum(runs);
      if (target != nullptr) (*target)[place] = how == "=" ? value : (*target)[place] + value;
    }
    want(";");
  }
  Values* find(const std::string& name) {
    for (std::size_t i = scopes_.size(); i-- > 0;)
      if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &found->second;
    const auto found = arrays.find(name);
    return found == arrays.end() ? nullptr : &found->second;
  }

  double sum(bool runs) {
    double value = product(runs);
    while (peek() == "+" || peek() == "-") {
      const bool plus = take() == "+";
      const double other = product(runs);
      value = plus ? value + other : value - other;
    }
    return value;
  }
  double product(bool runs) {
    double value = factor(runs);
    while (peek() == "*" || peek() == "/") {
      const bool times = take() == "*";
      const double other = factor(runs);
      value = times ? value * other : value / other;
    }
    return value;
  }
  double factor(bool runs) {
    const std::string word = take();
    if (word == "-") return -factor(runs);
    if (word == "(") {
      const double value = sum(runs);
      want(")");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return std::stod(word);
    if (!is_letter(word[0])) --next_, refuse("there is '" + word + "' where a number should be");
    if (peek() == "(") return function(word, runs);
    if (peek() == "[") {
      ++next_;
      const auto place = static_cast<std::size_t>(sum(runs));
      want("]");
      if (!runs) return 0.0;
      const Values* values = find(word);
      if (values == nullptr) refuse(word + " is not declared here");
      if (place >= values->size()) refuse(word + " has no element " + std::to_string(place));
      return (*values)[place];
    }
    if (!runs) return 0.0;
    if (const auto number = numbers.find(word); number != numbers.end() && find(word) == nullptr)
      return number->second;
    const Values* values = find(word);
    if (values == nullptr) refuse(word + " is not declared here");
    return (*values)[0];
  }
  double function(const std::string& name, bool runs) {
    want("(");
    const double a = sum(runs);
    double b = 1.0;
    if (peek() == ",") ++next_, b = sum(runs);
    want(")");
    if (name == "expf") return std::exp(a);
    if (name == "silu") return a / (1.0 + std::exp(-a));
    if (name == "root") return std::sqrt(a / b + 1e-5);
    refuse("no function is called " + name);
  }

  std::vector<Word> words_;
  std::size_t next_ = 0;
  std::vector<std::map<std::string, Values>> scopes_;
};

}  // namespace graphs
