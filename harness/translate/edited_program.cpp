// What has to be compiled of an edited program.
#include <algorithm>

#include "changed_kernels.h"
#include "declarations.h"

namespace workbook::sim {
namespace {

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
    return EditedProgram{changed(), known_by_symbols(before_, is_replaceable)};
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
