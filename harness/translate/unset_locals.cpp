#include "unset_locals.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "local_types.h"

namespace workbook::sim {
namespace {

/// The names that the statement at `i` declares without a value, and the ';' at its end; none where it is no
/// such declaration.
struct Unset {
  std::vector<std::size_t> names;
  std::size_t end = 0;
};

Unset unset_in(const Tokens& t, std::size_t i) {
  while (t.is_one_of(i, {"alignas", "__align__"}) && t.is(i + 1, "(")) i = t.closing(i + 1) + 1;
  if (t.is(i, "register")) ++i;
  if (!t.is_word(i) || begins_something_else(t, i)) return {};
  std::size_t k = type_end(t, i);
  if (k == i) return {};
  Unset out;
  for (;; ++k) {
    while (t.is_one_of(k, {"*", "const", "__restrict__", "__restrict", "restrict"})) ++k;
    if (!t.is_word(k) || begins_something_else(t, k)) return {};
    const std::size_t name = k++;
    if (t[name].macro != t[i].macro) return {};
    while (t.is(k, "[")) k = t.closing(k) + 1;
    if (t.is(k, "=") || t.is(k, "{") || (t.is(k, "(") && !out.names.empty())) {
      while (k < t.size() && !t.is_one_of(k, {",", ";", ")", "}"})) {
        if (t.is(k, "<") && t.closing_angle(k) < t.size())
          k = t.closing_angle(k);
        else if (t.is_one_of(k, {"(", "[", "{"}))
          k = t.closing(k);
        ++k;
      }
    } else if (t.is_one_of(k, {",", ";"})) {
      out.names.push_back(name);
    } else {
      return {};
    }
    if (t.is(k, ";")) break;
    if (!t.is(k, ",")) return {};
  }
  out.end = k;
  return out;
}

/// A member that its declaration gives no value.
struct Member {
  std::string_view name;
  int line;
  unsigned int of_line;
};

/// Those of the class with the braces `open` and `close`.
std::vector<Member> unset_members(const Tokens& t, std::size_t open, std::size_t close) {
  std::vector<Member> out;
  int line = 0;
  unsigned int of_line = 0;
  for (std::size_t i = open; i < close; ++i) {
    if (i > open && t.is_one_of(i, {"{", "("})) i = t.closing(i);
    const bool labelled = t.is(i, ":") && t.is_one_of(i - 1, {"public", "protected", "private"});
    if (i >= close || (i > open && !labelled && !t.is_one_of(i, {";", "}"}))) continue;
    const Unset unset = unset_in(t, i + 1);
    if (unset.names.empty() || unset.end >= close) continue;
    for (const std::size_t name : unset.names) {
      if (t.line(unset.end) != line) line = t.line(unset.end), of_line = 0;
      out.push_back({t.text(name), line, of_line++});
    }
    i = unset.end - 1;
  }
  return out;
}

/// A constructor's body, and what stands in the list before it.
struct Constructor {
  std::size_t body = 0;  ///< its '{'; 0: there is none
  std::vector<std::string_view> given;
};

/// Of the constructor whose parameters begin at `i`.
Constructor constructor_at(const Tokens& t, std::size_t i) {
  Constructor out;
  std::size_t k = t.closing(i) + 1;
  if (t.is(k, "noexcept")) ++k;
  if (t.is(k, ":")) do {
      if (!t.is_word(++k)) return {};
      out.given.push_back(t.text(k++));
      if (t.is(k, "<")) k = t.closing_angle(k) + 1;
      if (!t.is_one_of(k, {"(", "{"})) return {};
      k = t.closing(k) + 1;
    } while (t.is(k, ","));
  if (t.is(k, "{") && t.closing(k) < t.size()) out.body = k;
  return out;
}

/// The members that no constructor's list has, at the begin of the body of each that the device may run.
void mark_constructors(const Tokens& t, const DeviceWords& words, std::size_t name, std::size_t open,
                       Edits& edits) {
  const std::size_t close = t.closing(open);
  const std::vector<Member> members = unset_members(t, open, close);
  for (std::size_t i = open + 1; i < close && !members.empty(); ++i) {
    if (t.is(i, "{")) i = t.closing(i);
    if (!t.is(i, t.text(name)) || !t.is(i + 1, "(") || t.is(i - 1, "~")) continue;
    bool device = false;
    for (std::size_t k = t.statement(i); k < i; ++k) device |= words.is_device(t, k);
    const Constructor made = constructor_at(t, i + 1);
    if (made.body == 0) continue;
    i = made.body - 1;
    if (!device) continue;
    const auto is_given = [&](std::string_view word) {
      return std::find(made.given.begin(), made.given.end(), word) != made.given.end();
    };
    if (is_given(t.text(name))) continue;  // another constructor sets them
    std::string marks;
    for (const Member& member : members)
      if (!is_given(member.name))
        marks += " WORKBOOK_SIM_UNSET_MEMBER(" + std::string(member.name) + ", " +
                 std::to_string(member.line) + ", " + std::to_string(member.of_line) + ");";
    edits.insert(t[made.body].end, marks);
  }
}

}  // namespace

void mark_unset_members(const Tokens& t, const DeviceWords& words, Edits& edits) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i].macro != 0 || !t.is_one_of(i, {"struct", "class"}) || !t.is_word(i + 1)) continue;
    std::size_t open = i + 1, name = open;
    while ((t.is(name, "alignas") || t.is(name, "__align__")) && t.is(name + 1, "("))
      name = open = t.closing(name + 1) + 1;
    while (open < t.size() && !t.is_one_of(open, {"{", ";", "(", ")", "=", "}", ","})) ++open;
    if (t.is_word(name) && t.is(open, "{") && t.closing(open) < t.size())
      mark_constructors(t, words, name, open, edits);
  }
}

void mark_unset_locals(const Tokens& t, const DeviceWords& words, Edits& edits) {
  int line = 0;
  unsigned int of_line = 0;
  for (const auto& [open, close] : device_bodies(t, words))
    for (std::size_t i = open; i < close; ++i) {
      if (t[i].macro != 0) continue;
      if (const std::size_t end = class_end(t, i); end != i) {
        i = end;
        continue;
      }
      if (!t.is_one_of(i, {"{", ";", "}"}) || t[i + 1].macro != 0) continue;
      const Unset unset = unset_in(t, i + 1);
      if (unset.names.empty() || unset.end >= close) continue;
      std::string marks;
      for (const std::size_t name : unset.names) {
        if (t.line(unset.end) != line) line = t.line(unset.end), of_line = 0;
        marks += " WORKBOOK_SIM_UNSET(" + std::string(t.text(name)) + ", " + std::to_string(of_line++) + ");";
      }
      edits.insert(t[unset.end].end, marks);
      i = unset.end - 1;
    }
}

}  // namespace workbook::sim
