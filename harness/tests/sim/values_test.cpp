// What kernels compute: the same in both builds.
#include "simulator.h"
#include "tests/catch.h"

TEST_CASE("values come out as on a GPU") {
  const Outcome saxpy = simulate("saxpy", {.grid = 3, .elements = 150});
  for (int i = 0; i < 150; ++i)
    CHECK(saxpy.values[static_cast<std::size_t>(i)] == 2.0f * static_cast<float>(i) + 1.0f);
  CHECK(simulate("reverse", {}).values[0] == 63.0f);
  const Outcome sums = simulate("warp_sum", {});
  CHECK(sums.values[0] == 496.0f);
  CHECK(sums.values[32] == 1520.0f);
  CHECK(simulate("warp_exchange", {.block = 32}).values[0] == 31.0f);
  CHECK(simulate("half_a_mask", {}).values[2] == 3.0f);
}

TEST_CASE("atomics lose nothing when blocks run on several cores") {
  CHECK(simulate("atomic_sum", {.grid = 500}).values[0] == 500.0f * 64.0f);
}

TEST_CASE("grids and blocks have three dimensions") {
  const Outcome outcome = simulate("index_in_3d", {.grid = 3, .block = 4, .elements = 3 * 4 * 4 * 4});
  for (std::size_t i = 0; i < outcome.values.size(); ++i) REQUIRE(outcome.values[i] == static_cast<float>(i));
}

TEST_CASE("threads of a block may end, or wait for later ones, wherever they are") {
  const Outcome ends = simulate("ends_between_barriers", {.grid = 4, .elements = 4 * kernels::kBlock});
  for (std::size_t i = 0; i < ends.values.size(); ++i) {
    const std::size_t thread = i % kernels::kBlock;
    REQUIRE(ends.values[i] == (thread == kernels::kBlock - 1 ? 4.0f : static_cast<float>(thread % 5)));
  }
  for (const char* kernel : {"waits_by_volatile", "waits_by_name"}) {
    const Outcome waits = simulate(kernel, {.grid = 2, .elements = 4 * kernels::kBlock});
    for (std::size_t i = 0; i < 2 * kernels::kBlock; ++i)
      REQUIRE(waits.values[i] == static_cast<float>(i) + 1.0f);
    CHECK(waits.complete);
  }
}

TEST_CASE("launches that a GPU refuses are refused") {
  simulate("saxpy", {.block = 1025});
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(workbook::sim::last_launch_error().find("1025 threads") != std::string::npos);
  simulate("dynamic_overrun", {.shared_bytes = 49153});
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}
