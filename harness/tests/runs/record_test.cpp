#include "runs/record.h"

#include "tests/catch.h"

using workbook::runs::Score;

TEST_CASE("only what is both far above its budget and much in itself is hopeless") {
  CHECK(Score{"global reads", 154'112.0, 301.0}.hopeless());
  CHECK_FALSE(Score{"global reads", 2'408.0, 301.0}.hopeless());        // soon over on every shape
  CHECK_FALSE(Score{"global reads", 500'000.0, 100'000.0}.hopeless());  // five times: worth its time
  CHECK(Score{"launches", 200'000.0, 0.0}.hopeless());
}
