// Normal forms: the axioms hold, every part of a whole is useful for it, and what is no part is not.
#include "optimizer/algebra/normal_form.h"

#include "optimizer/algebra/field.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;

namespace {

/// Random terms over four inputs, two summed indices and two functions.
class Terms {
 public:
  explicit Terms(NormalForms& forms, std::uint64_t seed) : forms_(forms), seed_(seed) {}

  std::uint64_t pick(std::uint64_t below) { return mixed(seed_, ++count_) % below; }
  FormId two(Op op, FormId a, FormId b) { return forms_.apply({op, 0, 1, -1, 0}, a, b); }
  FormId exp(FormId a) { return forms_.apply({Op::exp, 0, -1, -1, 0}, a, kNoForm); }
  FormId fn(FormId a, int number) {
    return forms_.apply({Op::fn, 0, -1, -1, static_cast<std::uint8_t>(number)}, a, kNoForm);
  }
  FormId sum(FormId a, int over) {
    return forms_.apply({Op::sum, 0, -1, static_cast<std::int8_t>(over), 0}, a, kNoForm);
  }
  FormId product(FormId a, FormId b, int over) {
    return forms_.apply({Op::matmul, 0, 1, static_cast<std::int8_t>(over), 0}, a, b);
  }

  FormId term(int depth) {
    if (depth == 0 || pick(4) == 0) return forms_.input(static_cast<int>(pick(4)));
    const FormId a = term(depth - 1);
    switch (pick(9)) {
      case 0:
        return two(Op::add, a, term(depth - 1));
      case 1:
        return two(Op::sub, a, term(depth - 1));
      case 2:
      case 3:
        return two(Op::mul, a, term(depth - 1));
      case 4:
        return two(Op::div, a, term(depth - 1));
      case 5:
        return exp(a);
      case 6:
        return fn(a, static_cast<int>(pick(2)));
      case 7:
        return sum(a, static_cast<int>(pick(2)));
      default:
        return product(a, term(depth - 1), static_cast<int>(pick(2)));
    }
  }

  /// The form with something done to it.
  FormId context(FormId a) {
    switch (pick(11)) {
      case 0:
        return two(Op::add, a, term(2));
      case 1:
        return two(Op::sub, a, term(2));
      case 2:
        return two(Op::sub, term(2), a);
      case 3:
        return two(Op::mul, a, term(2));
      case 4:
        return two(Op::div, a, term(2));
      case 5:
        return two(Op::div, term(2), a);
      case 6:
        return exp(a);
      case 7:
        return fn(a, static_cast<int>(pick(2)));
      case 8:
        return sum(a, static_cast<int>(pick(2)));
      case 9:
        return two(Op::mul, a, a);
      default:
        return product(a, term(2), static_cast<int>(pick(2)));
    }
  }

 private:
  NormalForms& forms_;
  std::uint64_t seed_, count_ = 0;
};

}  // namespace

TEST_CASE("both sides of an axiom have one form: 128 000 instances") {
  const Graph graph = workbook::test::shipped("rmsnorm_linear").graph;
  std::size_t checked = 0, huge = 0;
  for (std::uint64_t batch = 0; batch < 40; ++batch) {
    NormalForms forms(graph);
    Terms t(forms, batch);
    for (int i = 0; i < 200; ++i) {
      const FormId a = t.term(2), b = t.term(2), c = t.term(2);
      const int h = static_cast<int>(t.pick(2));
      const auto add = [&](FormId x, FormId y) { return t.two(Op::add, x, y); };
      const auto sub = [&](FormId x, FormId y) { return t.two(Op::sub, x, y); };
      const auto mul = [&](FormId x, FormId y) { return t.two(Op::mul, x, y); };
      const auto div = [&](FormId x, FormId y) { return t.two(Op::div, x, y); };
      const std::pair<FormId, FormId> kAxioms[] = {
          {add(a, b), add(b, a)},
          {add(add(a, b), c), add(a, add(b, c))},
          {mul(a, b), mul(b, a)},
          {mul(mul(a, b), c), mul(a, mul(b, c))},
          {mul(add(a, b), c), add(mul(a, c), mul(b, c))},
          {div(add(a, b), c), add(div(a, c), div(b, c))},
          {mul(a, div(b, c)), div(mul(a, b), c)},
          {div(div(a, b), c), div(a, mul(b, c))},
          {mul(t.exp(a), t.exp(b)), t.exp(add(a, b))},
          {t.sum(add(a, b), h), add(t.sum(a, h), t.sum(b, h))},
          {t.sum(mul(a, b), h), mul(t.sum(a, h), b)},
          {t.sum(t.sum(a, 0), 1), t.sum(t.sum(a, 1), 0)},
          {t.sum(div(a, b), h), div(t.sum(a, h), b)},
          {t.product(a, b, h), t.sum(mul(a, b), h)},
          {sub(sub(a, b), c), sub(a, add(b, c))},
          {sub(a, sub(b, c)), add(sub(a, b), c)},
      };
      for (const auto& [left, right] : kAxioms) {
        ++checked;
        huge += left == kHugeForm || right == kHugeForm ? 1 : 0;
        if (left != kHugeForm && right != kHugeForm && left != right)
          FAIL("axiom " << (&left - &kAxioms[0].first));
      }
    }
  }
  CHECK(checked == 128'000);
  CHECK(huge < checked / 10);
}

TEST_CASE("a part is useful for every whole that contains it: 100 000 contexts") {
  const Graph graph = workbook::test::shipped("rmsnorm_linear").graph;
  std::size_t checked = 0;
  for (std::uint64_t batch = 100; checked < 100'000; ++batch) {
    NormalForms forms(graph);
    Terms t(forms, batch);
    for (int i = 0; i < 500; ++i) {
      const FormId part = t.term(2);
      FormId whole = part;
      for (std::uint64_t depth = 1 + t.pick(4); depth > 0 && whole != kHugeForm; --depth) {
        const FormId larger = t.context(whole);
        if (larger == kHugeForm || forms.terms(larger) > 64) break;
        whole = larger;
        ++checked;
        if (!forms.useful(part, whole)) FAIL("batch " << batch << ", term " << i);
      }
    }
  }
  CHECK(checked >= 100'000);
}

TEST_CASE("what is no part is not useful") {
  const Graph graph = workbook::test::shipped("rmsnorm_linear").graph;
  NormalForms forms(graph);
  Terms t(forms, 1);
  const FormId x = forms.input(0), y = forms.input(1), z = forms.input(2);
  const FormId xy = t.two(Op::mul, x, y);
  CHECK_FALSE(forms.useful(z, xy));
  CHECK_FALSE(forms.useful(t.two(Op::add, x, y), xy));
  CHECK_FALSE(forms.useful(t.sum(x, 0), xy));
  CHECK(forms.useful(t.sum(x, 0), t.sum(xy, 0)));
  CHECK_FALSE(forms.useful(t.sum(x, 1), t.sum(xy, 0)));  // sigma has names
  CHECK_FALSE(forms.useful(t.exp(xy), t.exp(x)));
  CHECK(forms.useful(t.exp(x), t.exp(t.two(Op::add, x, y))));
  CHECK_FALSE(forms.useful(t.two(Op::div, x, y), t.two(Op::div, y, x)));
  CHECK(forms.useful(y, t.two(Op::div, x, t.two(Op::mul, y, z))));
  CHECK_FALSE(forms.useful(t.fn(x, 0), t.fn(x, 1)));
}

TEST_CASE("a difference is useful in the whole's sign only where that is asked") {
  const Graph graph = workbook::test::shipped("rmsnorm_linear").graph;
  NormalForms forms(graph);
  Terms t(forms, 1);
  const FormId x = forms.input(0), y = forms.input(1), z = forms.input(2);
  const FormId whole = t.two(Op::mul, z, t.two(Op::sub, x, y)), turned = t.two(Op::sub, y, x);
  CHECK(forms.useful(turned, whole));
  CHECK_FALSE(forms.useful(turned, whole, true));
  CHECK(forms.useful(t.two(Op::sub, x, y), whole, true));
  CHECK(forms.is_difference(turned));
}

TEST_CASE("a map of numbers has what was added, under neighbouring keys and distant ones") {
  NumberMap<std::uint32_t> map;
  const auto key = [](std::uint64_t i) { return i % 2 == 0 ? i : i << 40; };
  CHECK(map.find(0) == nullptr);
  for (std::uint32_t i = 0; i < 5000; ++i) map.add(key(i), i);
  CHECK(map.size() == 5000);
  bool all = true;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::uint32_t* const found = map.find(key(i));
    all = all && found != nullptr && *found == i && map.find(key(i) + 5001) == nullptr;
  }
  CHECK(all);
}

TEST_CASE("occurrences are counted all written out") {
  const Graph graph = workbook::test::shipped("rmsnorm_linear").graph;
  NormalForms forms(graph);
  Terms t(forms, 1);
  const FormId x = forms.input(0), y = forms.input(1);
  const FormId both = t.two(Op::add, x, y);
  const FormId form =
      t.two(Op::div, t.two(Op::mul, both, both), t.fn(x, 0));  // 4 terms, x in each denominator
  CHECK(forms.occurrences(form)[0] == 4 + 4);
  CHECK(forms.occurrences(form)[1] == 4);
}
