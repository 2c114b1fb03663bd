#include "core/expression.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

const Dims kDims{{"N", 257}, {"H", 8}, {"B_2", 3}, {"zero", 0}};

void check_refused(const std::string& expression, const std::string& words) {
  INFO(expression);
  CHECK_THROWS_AS(evaluate(expression, kDims), std::invalid_argument);
  CHECK_THROWS_WITH(evaluate(expression, kDims),
                    contains_text("the size '" + expression + "': ") && contains_text(words));
}

}  // namespace

TEST_CASE("a size is a number, a dimension, or made of them") {
  const std::pair<const char*, std::int64_t> values[] = {
      {"N", 257},     {"42", 42},         {"H/2", 4},           {"N/2", 128},
      {"2*N+1", 515}, {"ceil(N/256)", 2}, {"ceil(256/256)", 1}, {" ( N + 1 ) * 2 ", 516},
      {"N-H-1", 248}, {"N-(H-1)", 250},   {"2*N/4", 128},       {"B_2*H", 24},
      {"1+2*3", 7},   {"H-N", -249},      {"zero", 0},          {"ceil((N+H)/H)", 34}};
  for (const auto& [expression, value] : values) {
    INFO(expression);
    CHECK(evaluate(expression, kDims) == value);
  }
}

TEST_CASE("what is no size is refused with what is wrong with it") {
  check_refused("", "it ends too early");
  check_refused("N+", "it ends too early");
  check_refused("Q", "no dimension is called 'Q'");
  check_refused("N H", "'H' is left over");
  check_refused("N)", "')' is left over");
  check_refused("(N", "a ')' is missing");
  check_refused("ceil(N)", "a '/' is missing");
  check_refused("ceil(N*H/16)", "ceil() divides one factor by another: ceil((N*H)/16)");
  check_refused("ceil(N+(H/2)/(2*H))", "ceil((N+(H/2))/(2*H))");
  check_refused("ceil(N*H)", "a '/' is missing");
  check_refused("ceil N/2", "a '(' is missing");
  check_refused("-1", "'-1' is no size");
  check_refused("N/0", "it divides by 0");
  check_refused("N/zero", "it divides by 0");
  check_refused("ceil(N/(H-9))", "it divides by -1");
  check_refused("2N", "'2N' is no size: a product is written 2*N");
  check_refused("99999999999999999999", "'99999999999999999999' is too large");
}
