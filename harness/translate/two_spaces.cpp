#include "two_spaces.h"

#include <algorithm>
#include <cctype>

#include "host_side.h"

namespace workbook::sim {
namespace {

enum class Brace { scope, record, body, other };

/// What the '{' at `i` begins, outside of functions.
Brace brace_at(const Tokens& t, std::size_t i) {
  if (i == 0) return Brace::other;
  if (t.is_one_of(i - 1, {")", "const", "noexcept", "override", "final", "try"})) return Brace::body;
  bool arrow = false, record = false, space = false;
  for (std::size_t k = t.statement(i); k < i; ++k) {
    arrow |= t.is(k, "->");
    record |= t.is_one_of(k, {"struct", "class", "union"});
    space |= t.is(k, "namespace") || t.is(k, "\"C\"") || t.is(k, "\"C++\"");
    if (t.is(k, "enum") || t.is(k, "=")) return Brace::other;
  }
  return space ? Brace::scope : record ? Brace::record : arrow ? Brace::body : Brace::other;
}

/// The opening bracket around token `i` that closes behind it, not before `begin`; `begin` where there is
/// none.
std::size_t around(const Tokens& t, std::size_t i, std::size_t begin) {
  for (std::size_t k = i; k-- > begin;) {
    if (t.is_one_of(k, {")", "]", "}"}))
      k = t.opening(k);
    else if (opens(t, k))
      return k;
    if (k >= t.size()) break;
  }
  return begin;
}

/// Whether token `i` declares something of its name.
bool declares(const Tokens& t, const Outline::Body& body, std::size_t i) {
  if (i == 0) return false;
  if (t.is_word(i - 1)) return !is_expression_word(t, i - 1);
  if (t.is_one_of(i - 1, {"*", "&", ">"})) {
    std::size_t begin = i;
    while (begin > body.begin && !t.is_one_of(begin - 1, {";", "{", "}", "(", ","})) --begin;
    const bool parameter = i < body.open || !t.is_one_of(begin - 1, {"(", ","});
    return parameter && is_type_before(t, begin, i);
  }
  if (!t.is(i - 1, ",")) return i < body.open && t.is(i - 1, "<");
  // "int a = 0, n = 5;", also in the head of a loop.
  std::size_t begin = around(t, i, t.statement(i));
  if (t.is(begin, "(") && begin > 0 && !t.is(begin - 1, "for")) return false;
  if (opens(t, begin)) ++begin;
  std::size_t first = begin;
  while (first < i && !t.is_one_of(first, {"=", ",", "[", "("})) ++first;
  return first > begin + 1 && is_type_before(t, begin, first);
}

/// Inside of a template's arguments: kernel<n>.
bool in_template_arguments(const Tokens& t, std::size_t i) {
  for (std::size_t k = i; k-- > t.statement(i);) {
    if (t.is_one_of(k, {")", "]", "}"}))
      k = t.opening(k);
    else if (opens(t, k))
      return false;
    else if (t.is(k, "<") && k > 0 && t.is_word(k - 1) && t.closing_angle(k) > i &&
             t.closing_angle(k) < t.size())
      return true;
    if (k >= t.size()) break;
  }
  return false;
}

/// Names that programs give to macros around calls, which may come from a header that nobody has read here:
/// cudaCheckErrors(), cudaSafeCall(), cudaErrCheck().
bool sounds_like_a_check(std::string_view name) {
  for (const std::string_view word : {"Check", "Safe", "Assert", "Err", "Try", "Call", "Must"})
    if (const std::size_t at = name.find(word);
        at != name.npos && !name.substr(at).starts_with("Callback"))  // cudaStreamAddCallback()
      return true;
  return false;
}

/// A call of the runtime or of a library, as a statement: what it returns is dropped. Its ')'; size(): none.
std::size_t dropped_call(const Tokens& t, std::size_t i, const std::set<std::string, std::less<>>& macros) {
  const std::string_view name = t.text(i);
  if (macros.contains(name) || sounds_like_a_check(name)) return t.size();
  bool known = false;
  for (const std::string_view prefix : {"cuda", "cublas", "cufft", "curand", "cusparse", "cu"})
    known |= name.size() > prefix.size() && name.starts_with(prefix) &&
             std::isupper(static_cast<unsigned char>(name[prefix.size()])) != 0;
  if (!known || i == 0) return t.size();
  std::size_t open = i + 1;
  if (t.is(open, "<")) open = t.closing_angle(open) + 1;
  if (!t.is(open, "(")) return t.size();
  const std::size_t close = t.closing(open);
  if (!t.is(close + 1, ";") && !t.is(close + 1, ",")) return t.size();
  bool statement = t.is_one_of(i - 1, {";", "{", "}", "else", "do", ":"});
  if (t.is(i - 1, ")")) {
    const std::size_t head = t.opening(i - 1);
    statement = head > 0 && head < t.size() && t.is_one_of(head - 1, {"if", "for", "while", "switch"});
  }
  return statement && t.is(close + 1, ";") ? close : t.size();
}

/// As workbook_sim/two_spaces.h numbers them.
int kind_of(const Tokens& t, const Outline::Variable& variable) {
  if (variable.managed) return 3;
  if (!variable.constant) return 0;
  std::size_t k = variable.name + 1;
  while (t.is(k, "[")) k = t.closing(k) + 1;
  return t.is_one_of(k, {"=", "{"}) ? 1 : 2;
}

/// The names of a file's macros.
void learn_macros(std::string_view source, std::set<std::string, std::less<>>& macros) {
  for (std::size_t at = source.find("define"); at != source.npos; at = source.find("define", at + 6)) {
    const std::size_t mark = at == 0 ? source.npos : source.find_last_not_of(" \t", at - 1);
    if (mark == source.npos || source[mark] != '#') continue;
    const std::size_t begin = source.find_first_not_of(" \t", at + 6);
    std::size_t end = begin;
    while (end < source.size() &&
           (std::isalnum(static_cast<unsigned char>(source[end])) != 0 || source[end] == '_'))
      ++end;
    if (begin < end) macros.emplace(source.substr(begin, end - begin));
  }
}

class Reader {
 public:
  Reader(const Tokens& t, const DeviceWords& words, Outline& out) : t_(t), words_(words), out_(out) {}

  void read() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (t_[i].macro != 0) continue;
      if ((i == 0 || t_.is_one_of(i - 1, {";", "{", "}"})) && !in_record()) statement(i);
      if (t_.is(i, "{"))
        i = brace(i);
      else if (t_.is(i, "}") && !records_.empty())
        records_.pop_back();
      else if (words_.is_device(t_, i) || t_.is_one_of(i, {"__constant__", "__managed__"}))
        i = std::max(i, declaration(i));
    }
    for (const std::string_view mark : {"__global__", "#pragma once", "#ifndef", "main"})
      if (t_.source().find(mark) != std::string_view::npos && !fragment_) return;
    out_.host_variables.clear();
    out_.host_tables.clear();
  }

 private:
  /// At namespace scope; or the text is included within a function or class, whose variables are others.
  void statement(std::size_t i) {
    fragment_ |= t_.is_one_of(
        i, {"if", "for", "while", "do", "switch", "return", "case", "break", "public", "private"});
    const HostVariables found = host_variables_at(t_, words_, i);
    for (const std::size_t name : found.names) out_.host_variables.emplace_back(name, found.end);
    for (const std::size_t name : host_tables_at(t_, words_, i).names) out_.host_tables.push_back(name);
  }

  /// The last token that is dealt with.
  std::size_t brace(std::size_t i) {
    const Brace what = brace_at(t_, i);
    if (what == Brace::scope || what == Brace::record) {
      records_.push_back(what == Brace::record);
      return i;
    }
    const std::size_t close = t_.closing(i);
    if (what == Brace::body && !of_device(i)) out_.host.push_back({t_.statement(i), i, close});
    return close;
  }

  bool of_device(std::size_t brace) const {
    for (std::size_t k = t_.statement(brace); k < brace; ++k)
      if (words_.is_device(t_, k)) return true;
    return false;
  }

  /// Of a function or a variable, from one of its attributes at `i` on.
  std::size_t declaration(std::size_t i) {
    bool constant = false, external = false, managed = false, plain = true, host = false;
    for (std::size_t k = t_.statement(i); k < t_.size(); ++k) {
      if (opens(t_, k) || t_.is_one_of(k, {";", "="})) return i;
      constant |= t_.is(k, "__constant__");
      managed |= t_.is(k, "__managed__");
      external |= t_.is(k, "extern");
      host |= t_.is_one_of(k, {"__host__", "__global__"});
      plain &= !t_.is_one_of(
          k, {"const", "constexpr", "template", "typedef", "using", "__shared__", "operator", "friend"});
      if (!t_.is_word(k)) {
        if (t_.is(k, "<")) k = t_.closing_angle(k);
        continue;
      }
      if (t_.is(k + 1, "(")) {
        if (t_.text(k).starts_with("__") || t_.is_one_of(k, {"alignas", "decltype"})) {
          k = t_.closing(k + 1);
          continue;
        }
        if (plain && !host && !constant && !in_record()) function(k);
        return k;
      }
      if (t_.is_one_of(k, {"struct", "class", "union"})) {
        while (k + 1 < t_.size() && t_.is_word(k + 1)) ++k;
        if (t_.is(k + 1, "{")) return i;
        continue;
      }
      if (!t_.is_one_of(k + 1, {"[", ";", "=", ",", "{"})) continue;
      while (k > i + 1 && words_.is_attribute(t_, k) && t_.is_word(k - 1)) --k;
      return plain && !host && !in_record() ? variables(k, {k, k, constant, external, managed}) : k;
    }
    return i;
  }

  void function(std::size_t name) {
    out_.functions.emplace_back(t_.text(name), t_.joined(name + 1, t_.closing(name + 1) + 1));
  }

  std::size_t variables(std::size_t name, Outline::Variable like) {
    const auto [names, k] = declared_names(t_, name);
    if (k >= t_.size()) return name;
    like.end = k;
    for (const std::size_t one : names) {
      like.name = one;
      out_.variables.push_back(like);
    }
    return k;
  }

  bool in_record() const { return std::find(records_.begin(), records_.end(), true) != records_.end(); }

  const Tokens& t_;
  const DeviceWords& words_;
  Outline& out_;
  bool fragment_ = false;
  std::vector<bool> records_;  ///< of the braces around: whether they are a class's
};

}  // namespace

Outline::Outline(const Tokens& tokens, const DeviceWords& words) { Reader(tokens, words, *this).read(); }

void DeviceNames::learn(const Tokens& t, const Outline& outline, bool is_header) {
  for (const Outline::Variable& variable : outline.variables)
    if (is_header && !variable.managed) of_headers_.emplace(t.text(variable.name));
  learn_macros(t.source(), macros_);
  for (const auto& [name, parameters] : outline.functions) functions_[name].insert(parameters);
}

/// One that has no overload: which of several is meant the text does not say.
bool DeviceNames::is_device_function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found != functions_.end() && found->second.size() == 1;
}

/// Elements of the host's tables in code of the device alone: nvcc takes the value of a const number there,
/// of an array nothing, and no hook sees who reads what is const.
void DeviceNames::refuse_tables(const Tokens& t, const DeviceWords& words, const Outline& outline,
                                Edits& edits) {
  std::set<std::string_view> tables, others;
  for (const std::size_t name : outline.host_tables) tables.insert(t.text(name));
  if (tables.empty()) return;
  const Outline::Body all{0, 0, t.size()};
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {  // what another declaration means by the name
    if (!tables.contains(t.text(i)) ||
        std::find(outline.host_tables.begin(), outline.host_tables.end(), i) != outline.host_tables.end())
      continue;
    const bool parameter =
        t.is_one_of(i - 1, {"*", "&", ">"}) && t.is_one_of(i + 1, {",", ")", "=", ";", ":"});
    if (t[i].macro != 0 || parameter || declares(t, all, i)) others.insert(t.text(i));
  }
  for (const auto& [open, close] : device_bodies(t, words)) {
    bool both = false;
    for (std::size_t k = t.statement(open); k < open; ++k) both |= words.is_host(t, k);
    for (std::size_t i = open + 1; i < close && !both; ++i) {
      if (!tables.contains(t.text(i)) || others.contains(t.text(i)) || !t.is(i + 1, "[") || t[i].macro != 0 ||
          t.is_one_of(i - 1, {".", "->", "::"}))
        continue;
      const std::string name(t.text(i));
      edits.insert(t[i].begin,
                   "(WORKBOOK_SIM_REFUSE(\"identifier \\\"" + name +
                       "\\\" is undefined in device code: it is an array of the host's; declare it "
                       "__constant__ or __device__\"), ");
      edits.insert(t[i].end, ")");
    }
  }
}

void DeviceNames::rewrite(const Tokens& t, const DeviceWords& words, Edits& edits) const {
  const Outline outline(t, words);
  std::set<std::string, std::less<>> variables = of_headers_;
  for (const Outline::Variable& variable : outline.variables) {
    if (!variable.managed) variables.emplace(t.text(variable.name));
    if (!variable.external)
      edits.insert(t[variable.end].end, " WORKBOOK_SIM_VARIABLE(" + std::string(t.text(variable.name)) +
                                            ", " + std::to_string(kind_of(t, variable)) + ")");
  }
  for (const auto& [name, end] : outline.host_variables)
    edits.insert(t[end].end, " WORKBOOK_SIM_HOST_VARIABLE(" + std::string(t.text(name)) + ")");
  for (const Outline::Body& body : outline.host) rewrite_body(t, words, body, variables, edits);
  refuse_tables(t, words, outline, edits);
}

void DeviceNames::rewrite_body(const Tokens& t, const DeviceWords& words, const Outline::Body& body,
                               const std::set<std::string, std::less<>>& variables, Edits& edits) const {
  std::set<std::string_view> own;  // names that mean something else here
  for (std::size_t i = body.begin; i < body.close && i < t.size(); ++i)
    if (t.is_word(i) && (variables.contains(t.text(i)) || is_device_function(t.text(i))) &&
        declares(t, body, i))
      own.insert(t.text(i));
  bool of_host_alone = true;  // as far as the text says it
  for (std::size_t i = body.begin; i < body.open; ++i)
    of_host_alone &= !t.is(i, "constexpr") && !(t.is_word(i) && looks_like_macro(t.text(i)));
  for (std::size_t i = body.open; i < body.close && i < t.size(); ++i) {
    if (t.is(i, "[") && of_host_alone && t[i].macro == 0)
      if (const std::size_t open = host_lambda(t, words, i); open < body.close)
        edits.insert(t[open].end, " ::workbook::sim::runs_on_host();");
    if (!t.is_word(i) || t[i].macro != 0) continue;
    if (words.is_device(t, i)) {  // a lambda or a member for the device
      while (i < body.close && !t.is_one_of(i, {"{", ";"})) ++i;
      if (t.is(i, "{")) i = t.closing(i);
      continue;
    }
    if (const std::size_t close = dropped_call(t, i, macros_); close < t.size()) {
      edits.insert(t[close].end, ", ::workbook::sim::Dropped(\"" + std::string(t.text(i)) + "\")");
      continue;
    }
    if (own.contains(t.text(i)) || t.is_one_of(i - 1, {".", "->", "::"}) || t.is(i + 1, "::")) continue;
    const bool variable = variables.contains(t.text(i)) && !t.is_word(i + 1) && !t.is(i + 1, "(");
    const bool function = is_device_function(t.text(i)) && t.is_one_of(i + 1, {";", ",", ")", "}", ":"}) &&
                          t.is_one_of(i - 1, {"=", "(", ",", "{", "return", "&", "?", ":", "["});
    if ((!variable && !function) || in_template_arguments(t, i)) continue;
    if (i > 1 && t.is(i - 1, "(") && t.is(i - 2, "decltype")) continue;
    const std::size_t begin = function && t.is(i - 1, "&") ? i - 1 : i;
    edits.insert(t[begin].begin,
                 variable ? "::workbook::sim::host_copy(" : "::workbook::sim::taken_on_host(");
    edits.insert(t[i].end, ")");
  }
}

}  // namespace workbook::sim
