// What stands above emitted kernels.
#include "optimizer/forms/forms.h"
#include "optimizer/graph/unary.h"
#include "optimizer/launch/device.h"

#include "tests/catch.h"

using namespace workbook::opt;

TEST_CASE("a file of device functions stands once, behind what it needs, and brings its headers") {
  const std::vector<std::string_view> used{"block_sum", "block_max", "copy_tile"};
  const DeviceText text(used);
  const auto at = [&](std::string_view words) { return text.text().find(words); };
  CHECK(at("warp_sum(float") < at("float block_sum("));
  CHECK(at("float over_block(") < at("float block_sum("));
  CHECK(at("float block_sum(") < at("float block_max("));
  CHECK(text.text().find("float over_block(", at("float over_block(") + 1) == std::string::npos);
  CHECK(at("kPad = ") < at("void copy_tile("));
  CHECK(at("#include") == std::string::npos);
  CHECK(at("load_row") == std::string::npos);
  CHECK(text.headers().count("cuda_pipeline.h") == 1);
  CHECK(text.headers().count("mma.h") == 0);
}

TEST_CASE("where bfloat16 is asked for it stands in for half") {
  const std::vector<std::string_view> half{"words"}, brain{"bfloat16", "words"};
  CHECK(DeviceText(half).text().find("using Half = half;") != std::string::npos);
  CHECK(DeviceText(brain).text().find("using Half = half;") == std::string::npos);
  CHECK(DeviceText(brain).text().find("using Half = __nv_bfloat16;") != std::string::npos);
  const std::vector<std::string_view> alone{"bfloat16", "warp_sums"};
  CHECK(DeviceText(alone).text().find("using Half") == std::string::npos);
}

TEST_CASE("a file that is not there is no device function; those of functions of one number are there") {
  const std::vector<std::string_view> none{"warp_product"};
  CHECK_THROWS_AS(DeviceText(none), std::invalid_argument);
  for (const Unary& row : unary_functions())
    if (!row.file.empty()) CHECK(!DeviceText({row.file}).text().empty());
}

TEST_CASE("each path is of one form, which has all that is asked of one") {
  for (int path = 0; path <= static_cast<int>(Path::window); ++path) {
    int found = 0;
    for (const Form* form : forms())
      for (const Path each : form->paths) found += each == static_cast<Path>(path);
    CHECK(found == 1);
  }
  for (const Form* form : forms())
    CHECK((!form->fault.empty() && form->bytes != nullptr && form->try_cuts != nullptr &&
           form->counter != nullptr && form->emitter != nullptr));
}
