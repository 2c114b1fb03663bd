// What has to be compiled of an edited program.
#include <algorithm>

#include "changed_kernels.h"
#include "declarations.h"

namespace workbook::sim {
namespace {

/// Whether others know the function by its symbol alone: one at namespace scope that is no template, nor a
/// copy in each object that uses it.
bool is_replaceable(const Tokens& t, const Declaration& d) {
  if (!d.is_function() || d.name.empty() || head(t, d) != d.begin ||
      holds(t, d.begin, d.body, {"inline", "static", "constexpr", "consteval", "auto", "__device__"}))
    return false;
  const auto offset = static_cast<std::size_t>(d.name.data() - t.source().data());
  std::size_t name = d.begin;
  while (name < d.body && t[name].begin != offset) ++name;
  return t.is(name + 1, "(") && name > d.begin && !t.is_one_of(name - 1, {"::", "~"});
}

/// What differs of a program, when nobody else names what it defines.
class ProgramComparison {
 public:
  ProgramComparison(std::string_view before, std::string_view after,
                    const std::vector<std::string_view>& headers)
      : before_(before),
        after_(after),
        headers_(headers),
        was_(declarations(before_)),
        is_(declarations(after_)) {}

  std::optional<EditedProgram> parts() {
    const auto differ = differing(before_, was_, after_, is_, headers_);
    if (!differ) return std::nullopt;
    reached_.insert(differ->begin(), differ->end());
    if (reached_.empty() || !spread()) return std::nullopt;
    return EditedProgram{changed(), unchanged()};
  }

 private:
  /// To all that mentions what is reached, but for replaceable functions. False where one of those is called
  /// otherwise than it was.
  bool spread() {
    Names names;
    for (bool more = true; more;) {
      more = false;
      for (const std::size_t i : reached_)
        if (!is_replaceable(after_, is_[i])) names.insert(is_[i].name);
      for (std::size_t i = 0; i < is_.size(); ++i)
        if (share_one(names, words_of(after_, is_[i].begin, is_[i].end))) more |= reached_.insert(i).second;
    }
    return std::none_of(reached_.begin(), reached_.end(), [&](std::size_t i) {
      const Declaration &was = was_[i], &is = is_[i];
      return is_replaceable(after_, is) &&
             (!is_replaceable(before_, was) || share_one(names, words_of(after_, is.begin, is.body)) ||
              before_.joined(was.begin, was.body) != after_.joined(is.begin, is.body));
    });
  }

  /// A declaration in place of each function that is as it was, on the same lines.
  std::string changed() const {
    std::string text(after_.source());
    for (std::size_t i = is_.size(); i-- > 0;) {
      if (reached_.contains(i) || !is_replaceable(after_, is_[i])) continue;
      const std::size_t begin = after_[is_[i].body].begin, end = after_[is_[i].end - 1].end;
      const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      text.replace(begin, end - begin, ";" + std::string(static_cast<std::size_t>(lines), '\n'));
    }
    return text;
  }

  /// Nothing is compiled with what a replaceable function does in mind.
  std::string unchanged() const {
    std::string text(before_.source());
    for (std::size_t i = was_.size(); i-- > 0;)
      if (is_replaceable(before_, was_[i]))
        text.insert(before_[was_[i].begin].begin, "__attribute__((noipa)) ");
    return text;
  }

  Tokens before_, after_;
  const std::vector<std::string_view>& headers_;
  std::vector<Declaration> was_, is_;
  std::set<std::size_t> reached_;  ///< what differs, or uses what differs
};

}  // namespace

std::optional<EditedProgram> edited_program(std::string_view before, std::string_view after,
                                            const std::vector<std::string_view>& headers) {
  return ProgramComparison(before, after, headers).parts();
}

}  // namespace workbook::sim
