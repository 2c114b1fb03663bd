#include "supposition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "declaration.h"
#include "evidence.h"

namespace workbook::core {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
using Index = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

/// An input, as a supposition sees it.
struct Input {
  const Tensor& tensor;
  Index shape;
  const Dims& dims;
  std::int64_t threads;
  Numbers values;

  std::size_t size() const { return values.size(); }
  std::int64_t row() const { return shape.back(); }
  std::int64_t rows() const { return static_cast<std::int64_t>(size()) / std::max<std::int64_t>(1, row()); }
};

/// What becomes of an input: its values as the mistake reads them; NaN where that is not known.
struct Supposition {
  std::string_view input;
  std::string words;  ///< behind "out is what belongs to it where "
  std::function<Numbers(const Input&)> read;
};

/// Zero where `is_left_out` says so, by column and row.
std::function<Numbers(const Input&)> without(
    std::function<bool(const Input&, std::int64_t row, std::int64_t column)> is_left_out) {
  return [is_left_out](const Input& input) {
    Numbers values = input.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (is_left_out(input, at / input.row(), at % input.row())) values[i] = 0.0;
    }
    return values;
  };
}

/// Twice what it is where `is_twice` says so, by column.
std::function<Numbers(const Input&)> twice(std::function<bool(const Input&, std::int64_t column)> is_twice) {
  return [is_twice](const Input& input) {
    Numbers values = input.values;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (is_twice(input, static_cast<std::int64_t>(i) % input.row())) values[i] *= 2.0;
    return values;
  };
}

/// Each element read at the place that `place` says; a place outside is not known.
std::function<Numbers(const Input&)> read_at(
    std::function<std::int64_t(const Input&, std::int64_t row, std::int64_t column)> place) {
  return [place](const Input& input) {
    Numbers values(input.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const std::int64_t from = place(input, at / input.row(), at % input.row());
      const bool inside = from >= 0 && from < static_cast<std::int64_t>(input.size());
      values[i] = inside ? input.values[static_cast<std::size_t>(from)] : kNowhere;
    }
    return values;
  };
}

/// Suppositions about one input, from the simplest to the least simple.
class Reader {
 public:
  Reader(const Tensor& tensor, const Dims& dims, const std::vector<std::int64_t>& lengths)
      : name_(tensor.name), matrix_(tensor.shape.size() >= 2), lengths_(lengths) {
    if (matrix_) {
      rows_and_columns(tensor, dims);
    } else {
      elements();
    }
    for (const std::int64_t length : lengths) parts(length);
    add("the first element of " + line() + " counts twice",
        twice([](const Input&, std::int64_t c) { return c == 0; }));
    add("the last element of " + line() + " counts twice",
        twice([](const Input& in, std::int64_t c) { return c + 1 == in.row(); }));
    add("what " + line() +
            " has past its last whole round of all threads of the grid does not count, as if "
            "it were 0",
        without([](const Input& in, auto, auto c) {
          return in.threads > 0 && c >= in.row() / in.threads * in.threads;
        }));
    add("only as many elements of " + line() + " count as the grid has threads, as if the others were 0",
        without([](const Input& in, auto, auto c) { return in.threads > 0 && c >= in.threads; }));
  }

  std::vector<Supposition> all;

 private:
  void add(const std::string& words, std::function<Numbers(const Input&)> read) {
    all.push_back({name_, words, std::move(read)});
  }
  std::string the(const std::string& words) const { return words + " of " + std::string(name_); }
  /// "each row of a", or "a" itself where it is a vector.
  std::string line() const { return (matrix_ ? "each row of " : "") + std::string(name_); }

  void elements() {
    add(the("the last element") + " does not count, as if it were 0",
        without([](const Input& in, auto, auto c) { return c + 1 == in.row(); }));
    add(the("the first element") + " does not count, as if it were 0",
        without([](const Input&, auto, auto c) { return c == 0; }));
    for (const int by : {1, -1})
      add(std::string(name_) + "[i " + (by > 0 ? "+" : "-") + " 1] is read for " + std::string(name_) + "[i]",
          read_at([by](const Input&, auto, auto c) { return c + by; }));
    add(std::string(name_) + " is read from its end to its beginning",
        read_at([](const Input& in, auto, auto c) { return in.row() - 1 - c; }));
    add(std::string(name_) + "[0] is read for every " + std::string(name_) + "[i]",
        read_at([](const Input&, auto, auto) { return 0; }));
    every_other();
  }

  void every_other() {
    for (const int rest : {0, 1})
      add("only every second element of " + line() + " counts, from the " + (rest == 0 ? "first" : "second") +
              " on, as if the others were 0",
          without([rest](const Input&, auto, auto c) { return c % 2 != rest; }));
  }

  void rows_and_columns(const Tensor& tensor, const Dims& dims) {
    const std::string a(name_);
    add(the("the last column") + " does not count, as if it were 0",
        without([](const Input& in, auto, auto c) { return c + 1 == in.row(); }));
    add(the("the first column") + " does not count, as if it were 0",
        without([](const Input&, auto, auto c) { return c == 0; }));
    add(the("the last row") + " does not count, as if it were 0",
        without([](const Input& in, auto r, auto) { return r + 1 == in.rows(); }));
    add(the("the first row") + " does not count, as if it were 0",
        without([](const Input&, auto r, auto) { return r == 0; }));
    add(a + "[0][c] is read for " + a + "[r][c]", read_at([](const Input&, auto, auto c) { return c; }));
    add(a + "[r][0] is read for " + a + "[r][c]",
        read_at([](const Input& in, auto r, auto) { return r * in.row(); }));
    add(a + " is transposed: " + a + "[c][r] is read for " + a + "[r][c], as far as it has that",
        read_at([](const Input& in, auto r, auto c) {
          return r < in.row() && c < in.rows() ? c * in.row() + r : -1;
        }));
    add(a + " is read column by column, at place c * rows + r for r * columns + c",
        read_at([](const Input& in, auto r, auto c) { return c * in.rows() + r; }));
    add(a + " is read at place c * columns + r for r * columns + c",
        read_at([](const Input& in, auto r, auto c) { return c * in.row() + r; }));
    add(a + " is read at place r + c for r * columns + c",
        read_at([](const Input&, auto r, auto c) { return r + c; }));
    for (const int by : {1, -1}) {
      const std::string sign = by > 0 ? " + 1]" : " - 1]";
      add(a + "[r][c" + sign + " is read for " + a + "[r][c]", read_at([by](const Input& in, auto r, auto c) {
            return c + by >= 0 && c + by < in.row() ? r * in.row() + c + by : -1;
          }));
      add(a + "[r" + sign + "[c] is read for " + a + "[r][c]",
          read_at([by](const Input& in, auto r, auto c) { return (r + by) * in.row() + c; }));
    }
    for (const auto& [size, extent] : dims.items())
      if (tensor.shape.back() != size) {
        add(a + " is read at place r * " + size + " + c, as if its rows were " + size + " long",
            read_at([size = size](const Input& in, auto r, auto c) { return r * in.dims[size] + c; }));
        add("of each row of " + a + " no more than " + size + " elements count, as if the others were 0",
            without([size = size](const Input& in, auto, auto c) { return c >= in.dims[size]; }));
      }
    every_other();
  }

  /// Ends and repetitions that a block, a warp or a tile of `length` makes.
  void parts(std::int64_t length) {
    const std::string a(name_), those = std::to_string(length);
    const auto past_whole = [length](std::int64_t at, std::int64_t of) { return at >= of / length * length; };
    add("what " + line() + " has past its last whole " + those + " does not count, as if it were 0",
        without([=](const Input& in, auto, auto c) { return past_whole(c, in.row()); }));
    add("only the first " + those + " of " + line() + " count, as if the others were 0",
        without([=](const Input&, auto, auto c) { return c >= length; }));
    add("of " + line() + " only every " + those +
            "th element counts, from the first on, as if the others were 0",
        without([=](const Input&, auto, auto c) { return c % length != 0; }));
    add("the first " + those + " of " + line() + " are read again and again",
        read_at([=](const Input& in, auto r, auto c) { return r * in.row() + c % length; }));
    add("of every " + std::to_string(length + 1) + " elements of " + line() + " the last does not count",
        without([=](const Input&, auto, auto c) { return c % (length + 1) == length; }));
    for (const std::int64_t all_of : lengths_)
      if (all_of >= length) {
        const std::int64_t period = all_of > length ? all_of : 2 * length;
        const std::string first = "of every " + std::to_string(period) + " ";
        add(first + "elements of " + line() + " only the first " + those + " count",
            without([=](const Input&, auto, auto c) { return c % period >= length; }));
        if (matrix_)
          add(first + "rows of " + a + " only the first " + those + " count",
              without([=](const Input&, auto r, auto) { return r % period >= length; }));
      }
    if (!matrix_) return;
    add("what each column of " + a + " has past its last whole " + those + " does not count, as if it were 0",
        without([=](const Input& in, auto r, auto) { return past_whole(r, in.rows()); }));
    add("only the first " + those + " rows of " + a + " count, as if the others were 0",
        without([=](const Input&, auto r, auto) { return r >= length; }));
    add("of " + a + " only every " + those + "th row counts, from the first on, as if the others were 0",
        without([=](const Input&, auto r, auto) { return r % length != 0; }));
    add("the first " + those + " rows of " + a + " are read again and again",
        read_at([=](const Input& in, auto r, auto c) { return r % length * in.row() + c; }));
    add(a + " is read at place r * " + those + " + c, as if its rows were " + those + " long",
        read_at([=](const Input&, auto r, auto c) { return r * length + c; }));
  }

  const std::string_view name_;
  const bool matrix_;
  const std::vector<std::int64_t>& lengths_;
};

double room(const Tensor& tensor, const Allowed& allowed, double value) {
  return allowed.at(value) + rounding_of(tensor.type) * std::abs(value);
}

/// What speaks for a supposition: wrong elements that it gives, no two of them alike.
struct Support {
  bool against = false;
  std::size_t elements = 0, given = 0, unknown = 0;
};

void weigh(const Task& task, const CheckedValues& seen, HostArrays<double>& supposed, Support& support) {
  for (const auto& [name, got] : seen.got) {
    const Tensor& tensor = *find_tensor(task, name);
    const Allowed allowed(tensor, seen.data.dims);
    const Numbers& expected = seen.data.reference.arrays.find(name)->second;
    const Numbers& values = supposed.arrays.find(name)->second;
    std::set<double> distinct;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool is_wrong = !allowed.accepts(got[i], expected[i]);
      support.given += is_wrong;
      if (!std::isfinite(values[i])) {
        support.unknown += is_wrong;
        continue;
      }
      if (!(std::abs(got[i] - values[i]) <= room(tensor, allowed, values[i]))) {
        support.against = true;
        return;
      }
      // Far from right, beside what is accepted: then it is not met by accident.
      if (is_wrong && std::abs(got[i] - expected[i]) > 50.0 * room(tensor, allowed, values[i]))
        distinct.insert(got[i]);
    }
    support.elements += distinct.size();
  }
}

/// Whether the reference may be asked with these in the place of `own`. A whole number may be an index: what
/// is not known is none, and what is larger than all that there are may lie outside.
bool may_be_read(Type type, const Numbers& own, const Numbers& values) {
  if (!is_integer(type) || own.empty()) return true;
  const auto ends = std::minmax_element(own.begin(), own.end());
  const double least = std::min(0.0, *ends.first), most = std::max(0.0, *ends.second);
  return std::all_of(values.begin(), values.end(), [&](double v) { return v >= least && v <= most; });
}

Support support_of(const Task& task, const Supposition& supposition,
                   const std::vector<CheckedValues>& cases) {
  Support support;
  for (const CheckedValues& seen : cases) {
    const Prepared& data = seen.data;
    const Tensor& tensor = *find_tensor(task, supposition.input);
    HostArrays<double> arrays = data.reference;
    Numbers& values = arrays.arrays.find(supposition.input)->second;
    const Numbers own = values;
    values = supposition.read({tensor, extents(tensor, data.dims), data.dims, seen.threads, own});
    if (!may_be_read(tensor.type, own, values)) {
      support.against = true;
      return support;
    }
    for (const Tensor& other : task.tensors)
      if (other.role != Role::input && other.start != Start::filled) {
        Numbers& start = arrays.arrays.find(other.name)->second;
        std::fill(start.begin(), start.end(), other.start == Start::zeroed ? 0.0 : kNowhere);
      } else if (other.role != Role::input) {
        arrays.arrays.find(other.name)->second =
            as_doubles(other.type, data.initial.find(other.name)->second);
      }
    HostTensors<double> view = arrays.view();
    task.reference(data.dims, view);
    weigh(task, seen, arrays, support);
    if (support.against) return support;
  }
  return support;
}

}  // namespace

void Suppositions::look_at(CheckedValues values) {
  // A reference's loops run over some of the sizes; no more than all of them, one in another.
  constexpr double kMostSteps = 1 << 18;
  double steps = 1.0;
  for (const auto& [name, size] : values.data.dims.items()) steps *= static_cast<double>(size);
  if (steps <= kMostSteps) cases_.push_back(std::move(values));
}

void Suppositions::add_length(std::int64_t length) {
  if (length > 1 && std::find(lengths_.begin(), lengths_.end(), length) == lengths_.end())
    lengths_.push_back(length);
}

std::string Suppositions::words(std::string_view on_case) const {
  const auto wrong = std::find_if(cases_.begin(), cases_.end(), [on_case](const CheckedValues& each) {
    return each.wrong && each.data.name == on_case;
  });
  if (wrong == cases_.end() || task_.reference == nullptr) return {};
  std::vector<std::int64_t> lengths = lengths_;
  for (const std::int64_t length : {32, 16, 8, 4})
    if (std::find(lengths.begin(), lengths.end(), length) == lengths.end()) lengths.push_back(length);
  for (const Tensor& tensor : task_.tensors) {
    if (tensor.role != Role::input || is_integer(tensor.type) != is_integer(task_.tensors.back().type))
      continue;
    for (const Supposition& each : Reader(tensor, wrong->data.dims, lengths).all) {
      const Support support = support_of(task_, each, cases_);
      if (support.against || support.elements < 3 || 4 * support.unknown > support.given) continue;
      return "on all " + std::to_string(cases_.size()) + " shapes " + wrong->got.back().first +
             " is what comes out when " + each.words +
             (support.unknown > 0 ? ", as far as that can be told." : ".");
    }
  }
  return {};
}

}  // namespace workbook::core
