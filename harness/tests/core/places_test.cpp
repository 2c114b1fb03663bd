// What is said and drawn of wrong values that no fingerprint knows: values of other places, formulas,
// pictures, suppositions about the inputs.
#include "core/places.h"

#include <cmath>
#include <numeric>

#include "core/diagnose.h"
#include "core/supposition.h"
#include "tests/catch.h"
#include "tests/core/not_finite.h"

using namespace workbook;
using namespace workbook::core;
using sample::kNan;

namespace {

using Shape = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

Numbers drawn(std::size_t count, std::uint64_t seed) {
  Numbers made;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) made.push_back(rounded(Type::f32, 1.0 + 7.0 * random.uniform()));
  return made;
}

/// An output y of two inputs a and b.
struct Result {
  Tensor tensor{.name = "y", .type = Type::f32, .role = Role::output, .shape = {}};
  Shape shape;
  Numbers expected, y;
  std::vector<std::pair<std::string, Numbers>> inputs = {};
  std::vector<Shape> input_shapes = {};
  std::vector<std::int64_t> block_threads = {}, sizes = {};
  std::function<bool(std::size_t)> written = [](std::size_t) { return true; };

  explicit Result(Shape of_shape) : shape(std::move(of_shape)) {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    y = expected = drawn(count, 3);
  }
  void add_input(std::string_view name, Shape of_shape, std::uint64_t seed) {
    const auto count =
        std::accumulate(of_shape.begin(), of_shape.end(), std::int64_t{1}, std::multiplies<>());
    inputs.emplace_back(name, drawn(static_cast<std::size_t>(count), seed));
    input_shapes.push_back(std::move(of_shape));
  }
  template <class Look>
  auto with_suspicion(Look look) const {
    const Contents contents{y, written};
    return look(Suspicion{tensor,
                          shape,
                          contents,
                          expected,
                          {1e-6, 0.0},
                          {},
                          inputs,
                          block_threads,
                          false,
                          false,
                          false,
                          input_shapes,
                          sizes});
  }
  std::string words() const {
    return with_suspicion([](const Suspicion& s) { return diagnose(s).words; });
  }
  std::string picture() const {
    return with_suspicion([](const Suspicion& s) { return places_of(s); });
  }
};

/// Each element of y, in a matrix of `columns`, as `place` reads it from what is expected.
template <class Place>
void move(Result& result, Place place) {
  const std::size_t columns = static_cast<std::size_t>(result.shape.back());
  for (std::size_t i = 0; i < result.y.size(); ++i)
    result.y[i] = result.expected[place(i / columns, i % columns)];
}

}  // namespace

TEST_CASE("a value that stands in another place is told with the rule for that place") {
  Result reversed({200});
  move(reversed, [](auto, auto c) { return 199 - c; });
  CHECK(reversed.words() == "each wrong element holds the value of another place: y[i] that of y[199 - i].");

  Result strided({200});
  move(strided, [](auto, auto c) { return c < 100 ? 2 * c : c; });
  CHECK(strided.words() == "each wrong element holds the value of another place: y[i] that of y[2 * i].");

  Result far({200});
  for (std::size_t i = 8; i < 48; ++i) far.y[i] = far.expected[i + 9];
  CHECK(far.words() == "each wrong element holds the value of another place: y[i] that of y[i + 9].");
}

TEST_CASE("in a matrix the rule is one of row and column where it is one") {
  Result swapped({12, 12});
  move(swapped, [](auto r, auto c) { return r < 6 ? c * 12 + r : r * 12 + c; });
  CHECK_THAT(swapped.words(), contains_text("another place: y[r][c] that of y[c][r]."));
  Result mirrored({6, 10});
  move(mirrored, [](auto r, auto c) { return r * 10 + 9 - c; });
  CHECK_THAT(mirrored.words(), contains_text("y[r][c] that of y[r][9 - c]."));
  Result first_row({6, 10});
  move(first_row, [](auto, auto c) { return c; });
  CHECK_THAT(first_row.words(), contains_text("y[r][c] that of y[0][c]."));
  Result pitch({6, 10});
  move(pitch, [](auto r, auto c) { return r * 6 + c; });
  CHECK_THAT(pitch.words(), contains_text("that of the element at place 6 * r + c, counted row by row."));
}

TEST_CASE("a rule may fail for a quarter, and then says for how many it holds") {
  Result shifted({100});
  for (std::size_t i = 20; i < 80; ++i)
    shifted.y[i] = i < 70 ? shifted.expected[i + 20] : 50.0 + double(i * i);
  CHECK(shifted.words() ==
        "50 of the 60 wrong elements hold the value of another place: y[i] that of y[i + 20].");
  for (std::size_t i = 50; i < 80; ++i) shifted.y[i] = 50.0 + double(i * i);
  CHECK(shifted.words().find("another place") == std::string::npos);
}

TEST_CASE("a place in a block or a warp is told") {
  Result first({200});
  first.block_threads = {64};
  move(first, [](auto, auto c) { return c - c % 64; });
  CHECK_THAT(first.words(), contains_text("the value of the first of its 64 elements (a block's threads)."));
  Result turned({256});
  move(turned, [](auto, auto c) { return c - c % 32 + 31 - c % 32; });
  CHECK_THAT(turned.words(), contains_text("from the other end of its 32 elements (a warp)."));
}

TEST_CASE("values that are few or alike follow no rule") {
  Result few({200});
  few.y[5] = few.expected[9], few.y[6] = few.expected[10];
  CHECK(few.words().find("another place") == std::string::npos);
  Result alike({200});
  for (std::size_t i = 0; i < 200; ++i) alike.expected[i] = alike.y[i] = double(i % 2);
  for (std::size_t i = 40; i < 60; ++i) alike.y[i] = alike.expected[i + 1];
  CHECK(alike.words().find("another place") == std::string::npos);
}

TEST_CASE("a formula in the inputs' elements is told beside the right one") {
  Result sum({100});
  sum.add_input("a", {100}, 11), sum.add_input("b", {100}, 12);
  const Numbers a = sum.inputs[0].second, b = sum.inputs[1].second;
  for (std::size_t i = 0; i < 100; ++i) {
    sum.expected[i] = 2 * a[i] + b[i];
    sum.y[i] = 2 * a[i] + b[i + 1 < 100 ? i + 1 : i];
  }
  CHECK(sum.words() == "each wrong element is 2 * a[i] + b[i + 1], where 2 * a[i] + b[i] is right.");
  for (std::size_t i = 0; i < 100; ++i) sum.y[i] = 2 * a[i] * b[i];
  CHECK(sum.words().empty());

  Result ends({100});
  ends.add_input("a", {100}, 11);
  ends.sizes = {100, 7};
  for (std::size_t i = 0; i < 100; ++i) {
    ends.expected[i] = (i >= 7 ? a[i - 7] : 0.0) + a[i];
    ends.y[i] = (i >= 6 ? a[i - 6] : 0.0) + a[i];
  }
  CHECK_THAT(ends.words(), contains_text("where a[i] + a[i - 7] is right."));
}

TEST_CASE("in a matrix a formula may have indices, the other matrix's places, rows and columns") {
  Result of({12, 20});
  of.add_input("a", {12, 20}, 11), of.add_input("b", {20}, 12);
  of.sizes = {12, 20};
  const Numbers a = of.inputs[0].second, b = of.inputs[1].second;
  for (std::size_t i = 0; i < 240; ++i) {
    const std::size_t r = i / 20, c = i % 20;
    of.expected[i] = a[i] - b[c] + 0.5 * double(r);
    of.y[i] = a[r * 12 + c] - b[c] + 0.5 * double(r);
  }
  CHECK_THAT(of.words(), contains_text("each wrong element is "));
  CHECK_THAT(of.words(), contains_text("a[12 * r + c]"));
  CHECK_THAT(of.words(), contains_text("a[r][c]"));
  for (std::size_t i = 0; i < 240; ++i) of.y[i] = a[i] - b[i / 20] + 0.5 * double(i / 20);
  CHECK_THAT(of.words(), contains_text("b[r]"));
}

TEST_CASE("numbers of three rows, of which anything can be made, are no formula") {
  Result rows({3, 40});
  rows.add_input("x", {3, 40}, 11);
  const Numbers x = rows.inputs[0].second;
  for (std::size_t i = 0; i < 120; ++i) {
    rows.expected[i] = x[i] - std::sqrt(2.0 + double(i / 40));
    rows.y[i] = x[i] - std::sqrt(5.0 + double(i / 40));
  }
  CHECK_THAT(rows.words(),
             contains_text("in each row of y that is wrong all elements are off by the same amount"));
}

TEST_CASE("of a long formula it is told what is too much") {
  Result window({200});
  window.add_input("a", {200}, 11);
  const Numbers a = window.inputs[0].second;
  for (std::size_t i = 0; i < 200; ++i) {
    window.expected[i] = 0;
    for (std::size_t k = 0; k < 7 && i + k < 200; ++k) window.expected[i] += 0.3 * double(k + 1) * a[i + k];
    window.y[i] = window.expected[i] - (i + 2 < 200 ? 0.9 * a[i + 2] : 0.0);
  }
  CHECK_THAT(window.words(), contains_text("what is right and -0.9 * a[i + 2] more."));
}

TEST_CASE("rows that are off by an amount or a factor of their own are told") {
  Result offset({4, 20}), factor({4, 20});
  for (std::size_t i = 0; i < 80; ++i) {
    offset.y[i] += 1.5 + double(i / 20 * i / 20);
    factor.y[i] *= 1.5 + double(i / 20);
  }
  for (std::size_t i = 0; i < 80; ++i) offset.y[i] = offset.expected[i] + 1.5 + double((i / 20) * (i / 20));
  CHECK_THAT(offset.words(),
             contains_text("in each row of y that is wrong all elements are off by the same amount"));
  CHECK_THAT(factor.words(),
             contains_text("in each row of y that is wrong all elements are off by the same factor"));
  factor.y[45] += 1.0;
  CHECK(factor.words().find("in each row") == std::string::npos);
}

TEST_CASE("runs of a vector that are off by an amount of their own are told") {
  Result scan({200});
  for (std::size_t i = 48; i < 200; ++i) scan.y[i] += 1.5 * double(i / 48 * (i / 48));
  CHECK_THAT(scan.words(), contains_text("stays the same within each run of 48 elements"));
  scan.y[100] += 1.0;
  CHECK(scan.words().find("stays the same") == std::string::npos);
}

TEST_CASE("whole numbers in place of fractions are told, and places of a block's threads") {
  Result whole({40});
  for (std::size_t i = 0; i < 40; ++i) whole.y[i] = std::floor(whole.expected[i]);
  CHECK_THAT(whole.words(), contains_text("every wrong element is a whole number"));
  whole.y[3] += 0.25;
  CHECK(whole.words().find("whole number") == std::string::npos);

  Result last({600});
  last.block_threads = {256};
  last.y[255] += 1.0, last.y[511] += 2.5;
  CHECK_THAT(last.words(), contains_text("only the last is wrong, in every block."));
  last.y[511] = last.expected[511];
  last.y[100] += 3.0;
  CHECK(last.words().find("as many as a block has threads") == std::string::npos);
}

TEST_CASE("a picture has a line for 64 elements, or characters that stand for several") {
  Result vector({200});
  for (std::size_t i = 63; i < 200; i += 64) vector.y[i] += 9.0;
  CHECK(vector.picture() ==
        "Places of y: # wrong, . right\n"
        "  y[0]    ...............................................................#\n"
        "  y[64]   ...............................................................#\n"
        "  y[128]  ...............................................................#\n"
        "  y[192]  ........");
  Result matrix({3, 10});
  matrix.y[14] += 9.0;
  matrix.written = [](std::size_t i) { return i < 28; };
  matrix.y[28] = matrix.y[29] = kNan;
  CHECK(matrix.picture() ==
        "Places of y: # wrong, . right, _ never written\n"
        "  y[0]  ..........\n  y[1]  ....#.....\n  y[2]  ........__");
  Result large({100, 300});
  large.y[0] += 9.0;
  const std::string picture = large.picture();
  CHECK_THAT(picture, contains_text("a character for 16 x 8 of them: # wrong, . right, + some of each"));
  CHECK(std::count(picture.begin(), picture.end(), '\n') == 7);
  std::size_t longest = 0, length = 0;
  for (const char c : picture) longest = std::max(longest, length = c == '\n' ? 0 : length + 1);
  CHECK(longest < 80);
}

TEST_CASE("no picture is drawn where all is wrong, or nothing") {
  Result result({40});
  CHECK(result.picture().empty());
  for (double& value : result.y) value += 9.0;
  CHECK(result.picture().empty());
}

namespace {

/// out[r] is the sum of row r of a matrix.
void row_sums(const Dims& dims, HostTensors<double>& t) {
  const auto columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t r = 0; r < t["out"].size(); ++r) {
    t["out"][r] = 0.0;
    for (std::size_t c = 0; c < columns; ++c) t["out"][r] += t["a"][r * columns + c];
  }
}

const Task kRowSums{.tensors = {{.name = "a", .shape = {"R", "C"}, .fill = uniform(0.5, 1.5)},
                                {.name = "out",
                                 .role = Role::output,
                                 .shape = {"R"},
                                 .tolerance = Tolerance{1e-5, 0.0, "sums"}}},
                    .cases = {},
                    .reference = row_sums};

/// What comes out when `sum` adds up a row: its values, and how many there are in it and in all of a.
template <class Sum>
CheckedValues checked(const Case& which, Sum sum) {
  CheckedValues values{prepare(kRowSums, which, true), {}, false, 64};
  const auto& a = values.data.reference.arrays.find("a")->second;
  const auto& right = values.data.reference.arrays.find("out")->second;
  const auto columns = static_cast<std::size_t>(which.dims["C"]);
  Numbers got;
  for (std::size_t r = 0; r < right.size(); ++r) {
    got.push_back(rounded(Type::f32, sum(a, r, columns)));
    values.wrong = values.wrong || std::abs(got[r] - right[r]) > 1e-5;
  }
  values.got = {{"out", got}};
  return values;
}

template <class Sum>
std::string supposed(Sum sum) {
  Suppositions suppositions(kRowSums);
  suppositions.add_length(64);
  for (const Case& which :
       {Case{"teaching", {{"R", 6}, {"C", 80}}, {}}, Case{"whole", {{"R", 3}, {"C", 128}}, {}},
        Case{"small", {{"R", 5}, {"C", 7}}, {}}})
    suppositions.look_at(checked(which, sum));
  return suppositions.words("teaching");
}

template <class Counts>
auto sum_where(Counts counts) {
  return [counts](const Numbers& a, std::size_t r, std::size_t columns) {
    double sum = 0.0;
    for (std::size_t c = 0; c < columns; ++c)
      if (counts(c, columns)) sum += a[r * columns + c];
    return sum;
  };
}

}  // namespace

TEST_CASE("a sum over too few elements is told by which it leaves out") {
  CHECK(
      supposed(sum_where([](auto c, auto columns) { return c < columns / 64 * 64; })) ==
      "on all 3 shapes out is what comes out when what each row of a has past its last whole 64 does not count, "
      "as if it were 0.");
  CHECK(supposed(sum_where([](auto c, auto columns) { return c + 1 < columns; })) ==
        "on all 3 shapes out is what comes out when the last column of a does not count, as if it were 0.");
  CHECK_THAT(supposed(sum_where([](auto c, auto) { return c % 32 < 8; })),
             contains_text("of every 32 elements of each row of a only the first 8 count."));
  CHECK_THAT(supposed([](const Numbers& a, std::size_t r, std::size_t columns) {
               return sum_where([](auto, auto) { return true; })(a, r, columns) + a[r * columns];
             }),
             contains_text("the first element of each row of a counts twice."));
  CHECK_THAT(supposed(sum_where([](auto c, auto) { return c < 64; })),
             contains_text("only the first 64 of each row"));
}

TEST_CASE("an input that is read in the wrong place is told") {
  CHECK_THAT(supposed([](const Numbers& a, std::size_t, std::size_t columns) {
               return std::accumulate(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(columns), 0.0);
             }),
             contains_text("a[0][c] is read for a[r][c]"));
}

TEST_CASE("a supposition that one shape contradicts is none, right or wrong as that is") {
  // As if the last column did not count, but for the smallest shape.
  CHECK(supposed(sum_where([](auto c, auto columns) { return columns < 10 || c + 1 < columns; })).empty());
  CHECK(supposed(sum_where([](auto c, auto) { return c != 3; })).empty());
}

namespace {

/// out[k] is how often key k stands among the keys; a key that is none would be counted outside of out.
void histogram(const Dims&, HostTensors<double>& t) {
  std::fill(t["out"].begin(), t["out"].end(), 0.0);
  for (const double key : t["keys"]) {
    REQUIRE(key >= 0.0);
    REQUIRE(key < static_cast<double>(t["out"].size()));
    ++t["out"][static_cast<std::size_t>(key)];
  }
}

const Task kHistogram{.tensors = {{.name = "keys", .type = Type::i32, .shape = {"N"}, .fill = integers(0, 7)},
                                  {.name = "out",
                                   .type = Type::i32,
                                   .role = Role::output,
                                   .shape = {"8"},
                                   .tolerance = Tolerance{0.0, 0.0, "counts"}}},
                      .cases = {},
                      .reference = histogram};

}  // namespace

TEST_CASE("no reference is asked with an index that the input does not have") {
  Suppositions suppositions(kHistogram);
  suppositions.add_length(32);
  CheckedValues values{
      prepare(kHistogram, {"teaching", {{"N", 100}}, {}}, true), {{"out", Numbers(8, 3.0)}}, true, 64};
  suppositions.look_at(values);
  CHECK(suppositions.words("teaching").empty());
}
