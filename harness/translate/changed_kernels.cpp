#include "changed_kernels.h"

#include "declarations.h"

namespace workbook::sim {
namespace {

class Comparison {
 public:
  Comparison(std::string_view before, std::string_view after, const Surroundings& around)
      : before_(before),
        after_(after),
        around_(around),
        was_(declarations(before_)),
        is_(declarations(after_)) {}

  std::optional<std::vector<std::string>> kernels() {
    const auto differ = differing(before_, was_, after_, is_, around_.headers);
    if (!differ) return std::nullopt;
    for (const std::size_t i : *differ) reached_.insert(is_[i].name);
    spread();
    return reached_kernels();
  }

 private:
  /// To all that mentions what is reached already, but for what is known by its symbol alone: who launches a
  /// kernel, or calls a function of the host, is the same code as before.
  void spread() {
    std::vector<Names> words;
    for (const Declaration& d : is_) words.push_back(words_of(after_, d.begin, d.end));
    Names symbols;
    for (const Declaration& d : is_)
      if (is_symbol(d)) symbols.insert(d.name);
    for (const Declaration& d : is_)
      if (!is_symbol(d)) symbols.erase(d.name);
    for (Names& mentioned : words)
      for (const std::string_view symbol : symbols) mentioned.erase(symbol);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < is_.size(); ++i)
        if (!reached_.contains(is_[i].name) && share_one(reached_, words[i]))
          more |= reached_.insert(is_[i].name).second;
    }
  }

  std::optional<std::vector<std::string>> reached_kernels() const {
    std::vector<std::string> kernels;
    const Tokens launches(around_.launches);
    const Names launched = words_of(launches, 0, launches.size());
    for (std::size_t i = 0; i < is_.size(); ++i) {
      const Declaration& d = is_[i];
      if (!reached_.contains(d.name)) continue;
      if (!is_symbol(d)) {
        if (d.name.empty() || launched.contains(d.name)) return std::nullopt;
        continue;
      }
      if (!d.is_function()) continue;  // declared ahead of its definition
      if (!stands_alone(i)) return std::nullopt;
      kernels.emplace_back(d.name);
    }
    return kernels;
  }

  bool is_symbol(const Declaration& d) const {
    return holds(after_, d.begin, d.body, {"__global__"}) || is_host_function(after_, d);
  }

  /// Whether launches that know the kernel or function as it was can launch or call it as it is.
  bool stands_alone(std::size_t i) const {
    const Declaration &was = was_[i], &is = is_[i];
    Names around = words_of(after_, is.begin, is.body);  // its launch bounds are known from the first object
    around.erase(is.name);
    return was.is_function() && !share_one(around, reached_) &&
           !holds(after_, is.begin, is.body, {"inline", "static"}) &&
           before_.joined(was.begin, was.body) == after_.joined(is.begin, is.body);
  }

  Tokens before_, after_;
  const Surroundings& around_;
  std::vector<Declaration> was_, is_;
  Names reached_;  ///< names of what differs, or uses what differs
};

}  // namespace

std::optional<std::vector<std::string>> changed_kernels(std::string_view before, std::string_view after,
                                                        const Surroundings& around) {
  return Comparison(before, after, around).kernels();
}

std::string unchanged_kernels(std::string_view before) {
  return known_by_symbols(Tokens(before), is_host_function);
}

}  // namespace workbook::sim
