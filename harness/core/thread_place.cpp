#include "thread_place.h"

#include <algorithm>
#include <optional>

#include "fit.h"

namespace workbook::core {
namespace {

/// What stands for an index: itself, or a coordinate of the thread that stored the element.
enum class Stands : std::uint8_t { index, thread_x, thread_y };

class Coordinates {
 public:
  explicit Coordinates(const Evidence& e) : e_(e), names_(index_names(e.s.shape.size())), threads_(e.size()) {
    for (const std::size_t i : e.computed) threads_[i] = e.s.thread_of(i);
  }

  std::string text(std::size_t axis, Stands stands) const {
    return stands == Stands::index      ? names_[axis]
           : stands == Stands::thread_x ? "threadIdx.x"
                                        : "threadIdx.y";
  }
  /// -1: not known.
  std::int64_t value(std::size_t i, std::size_t axis, Stands stands) const {
    if (stands == Stands::index) return index_of(i, e_.s.shape)[axis];
    if (!threads_[i]) return -1;
    return stands == Stands::thread_x ? threads_[i]->thread.x : threads_[i]->thread.y;
  }

 private:
  const Evidence& e_;
  const std::vector<std::string> names_;
  std::vector<std::optional<runs::ThreadId>> threads_;  ///< by element, of wrong ones
};

/// By axis.
using Meaning = std::vector<Stands>;

/// The indices of the output, and the elements that inputs have there.
class Own {
 public:
  Own(const Evidence& e, const Coordinates& coordinates) : e_(e), coordinates_(coordinates) {}

  std::size_t inputs() const { return e_.s.inputs.size(); }

  /// `indices` where an index is a number, `input(k)` where it is one of input k.
  template <class OfInput>
  std::vector<Ingredient> ingredients(const Meaning& indices, OfInput of_input) const {
    std::vector<Ingredient> all = {{"", std::vector<double>(e_.size(), 1.0)}};
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      Ingredient made{coordinates_.text(axis, indices[axis]), {}};
      for (std::size_t i = 0; i < e_.size(); ++i) {
        const std::int64_t value = coordinates_.value(i, axis, indices[axis]);
        made.values.push_back(value < 0 ? kNone : static_cast<double>(value));
      }
      all.push_back(std::move(made));
    }
    for (std::size_t k = 0; k < inputs(); ++k)
      for (const std::vector<std::size_t>& axes : axes_of(e_.s.input_shapes[k]))
        all.push_back(element(k, axes, of_input(k)));
    return all;
  }

 private:
  /// By which indices of the output an input of that shape can be asked.
  std::vector<std::vector<std::size_t>> axes_of(const std::vector<std::int64_t>& shape) const {
    if (shape == e_.s.shape)
      return {shape.size() == 1 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, 1}};
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t axis = 0; axis < 2 && shape.size() == 1 && e_.s.shape.size() == 2; ++axis)
      if (shape[0] == e_.s.shape[axis]) all.push_back({axis});
    return all;
  }

  Ingredient element(std::size_t input, const std::vector<std::size_t>& axes, const Meaning& meaning) const {
    Ingredient made{e_.s.inputs[input].first, {}};
    for (const std::size_t axis : axes) made.text += "[" + coordinates_.text(axis, meaning[axis]) + "]";
    const auto& shape = e_.s.input_shapes[input];
    for (std::size_t i = 0; i < e_.size(); ++i) {
      std::int64_t at = 0;
      bool inside = true;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::int64_t index = coordinates_.value(i, axes[k], meaning[axes[k]]);
        inside = inside && index >= 0 && index < shape[k];
        at = at * shape[k] + index;
      }
      made.values.push_back(inside ? e_.s.inputs[input].second[static_cast<std::size_t>(at)] : kNone);
    }
    return made;
  }

  const Evidence& e_;
  const Coordinates& coordinates_;
};

/// What the right elements are made of, as positions among the ingredients; nothing where it is no sum.
std::optional<Formula> meant_by(const Evidence& e, const std::vector<Ingredient>& plain) {
  std::vector<std::size_t> rows;
  std::vector<double> expected;
  for (std::size_t i = 0; i < e.size(); i += 1 + e.size() / 400) {
    rows.push_back(i);
    expected.push_back(e.s.expected[i]);
  }
  Formula meant = fit(plain, rows, expected);
  if (meant.empty() || meant.size() > 6) return std::nullopt;
  for (const std::size_t i : rows)
    if (!(std::abs(value_of(meant, i) - e.s.expected[i]) <= e.room(e.s.expected[i]))) return std::nullopt;
  return meant;
}

std::vector<Meaning> meanings(std::size_t axes) {
  if (axes == 1) return {{Stands::thread_x}};
  constexpr Stands kNot = Stands::index, kX = Stands::thread_x, kY = Stands::thread_y;
  return {{kY, kX}, {kNot, kX}, {kY, kNot}, {kX, kY}, {kNot, kY}, {kX, kNot}};
}

}  // namespace

std::string is_of_thread_place(const Evidence& e) {
  const std::size_t axes = e.s.shape.size();
  if (!e.s.thread_of || axes < 1 || axes > 2 || e.computed.size() < 10 || e.s.inputs.empty()) return {};
  const Coordinates coordinates(e);
  const Own own(e, coordinates);
  const Meaning index(axes, Stands::index);
  const std::vector<Ingredient> plain = own.ingredients(index, [&](std::size_t) { return index; });
  const std::optional<Formula> meant = meant_by(e, plain);
  if (!meant) return {};
  const auto words = [&](const std::vector<Ingredient>& other) -> std::string {
    Formula is = *meant;
    for (Term& term : is) term.of = &other[static_cast<std::size_t>(term.of - plain.data())];
    if (text_of(is) == text_of(*meant)) return {};
    const std::size_t count = count_of(e, e.computed, [&](std::size_t i) { return value_of(is, i); });
    if (!is_enough(e, count, is.size())) return {};
    return those_are(e, count) + " " + text_of(is) + ", where " + text_of(*meant) +
           " is right: threadIdx counts within its block.";
  };
  for (const Meaning& meaning : meanings(axes)) {
    const auto all = own.ingredients(meaning, [&](std::size_t) { return meaning; });
    if (std::string text = words(all); !text.empty()) return text;
    const auto indices = own.ingredients(meaning, [&](std::size_t) { return index; });
    if (std::string text = words(indices); !text.empty()) return text;
    for (std::size_t k = 0; k < own.inputs(); ++k) {
      const auto one =
          own.ingredients(index, [&](std::size_t input) { return input == k ? meaning : index; });
      if (std::string text = words(one); !text.empty()) return text;
    }
  }
  return {};
}

}  // namespace workbook::core
