#include "sim/source/source_blocks.h"
#include "sim/source/source_idioms.h"

#include "tests/catch.h"

using namespace workbook::sim;

namespace {

constexpr const char* kSource =
    "void f(int n) {\n"                                // 1
    "  for (int i = 0; i < n; ++i) {\n"                // 2
    "    tile[i] = x[i];  // if (this) were { code\n"  // 3
    "    __syncthreads();\n"                           // 4
    "    if (i % 2 == 0)\n"                            // 5
    "      sum += tile[n - i];\n"                      // 6
    "    else if (i > \"}\"[0])\n"                     // 7
    "      sum -= 1;\n"                                // 8
    "    each([&](int k) { while (k > 0) {\n"          // 9
    "      --k;\n"                                     // 10
    "    } });\n"                                      // 11
    "  }\n"                                            // 12
    "  do sum += 1; while (sum < 3);\n"                // 13
    "  return sum;\n"                                  // 14
    "}\n"                                              // 15
    "void g() { if (a) { b(); } else {\n"              // 16
    "  c();\n"                                         // 17
    "} }\n";                                           // 18

std::string around(int line) {
  std::string text;
  for (const SourceBlock& block : blocks_around(kSource, line))
    text +=
        block.keyword + " " + std::to_string(block.first_line) + "-" + std::to_string(block.last_line) + ";";
  return text;
}

}  // namespace

TEST_CASE("what stands around a line is what governs it, innermost first") {
  CHECK(around(1).empty());
  CHECK(around(3) == "for 2-12;");
  CHECK(around(6) == "if 5-8;for 2-12;");
  CHECK(around(8) == "if 7-8;if 5-8;for 2-12;");
  CHECK(around(10) == "while 9-11;for 2-12;");
  CHECK(around(13) == "do 13-13;");
  CHECK(around(14).empty());
  CHECK(around(17) == "if 16-18;");
  CHECK(blocks_around("} } ) else", 1).empty());
  CHECK(blocks_around("if (a { for (", 1).size() == 2);
}

TEST_CASE("what decides whether a thread comes to a line is in it, around it, or a return before it") {
  CHECK(condition_before(kSource, 6) == 5);
  CHECK_FALSE(condition_before(kSource, 3).has_value());
  CHECK_FALSE(condition_before(kSource, 14).has_value());
  const std::string source =
      "void f(int i, int n) {\n"            // 1
      "  if (i >= n) return;\n"             // 2
      "  y[i] = x[i];\n"                    // 3
      "  z[i] = i < n ? x[i + 1] : 0;\n"    // 4
      "}\n"                                 // 5
      "void g(int i) {\n"                   // 6
      "  y[i] = x[i];  // i < n ? 1 : 0\n"  // 7
      "}\n";                                // 8
  CHECK(condition_before(source, 3) == 2);
  CHECK(condition_before(source, 4) == 4);
  CHECK_FALSE(condition_before(source, 7).has_value());
  CHECK_FALSE(condition_before(source, 90).has_value());
}

TEST_CASE("threads get past a line by what returns before it, and around what governs it") {
  constexpr const char* kKernel =
      "__device__ int f(int n) { return n; }\n"              // 1
      "__global__ void __launch_bounds__(64) k(int n) {\n"   // 2
      "  if (n < 0) return;\n"                               // 3
      "  const auto twice = [](int x) { return 2 * x; };\n"  // 4
      "  for (int i = 0; i < n; ++i) {\n"                    // 5
      "    __syncthreads();\n"                               // 6
      "    if (i > 9) return;\n"                             // 7
      "  }\n"                                                // 8
      "  __syncthreads();\n"                                 // 9
      "  if (n > 3) return;\n"                               // 10
      "}\n";                                                 // 11
  const WaysPast in_loop = ways_past(kKernel, 6);
  CHECK(in_loop.in_kernel);
  CHECK(in_loop.returns == std::vector<int>{3, 7});
  REQUIRE(in_loop.around.size() == 1);
  CHECK(in_loop.around[0].first_line == 5);
  const WaysPast behind = ways_past(kKernel, 9);
  CHECK(behind.returns == std::vector<int>{3, 7});
  CHECK(behind.around.empty());
  CHECK_FALSE(ways_past(kKernel, 1).in_kernel);
  CHECK(ways_past("", 1).returns.empty());
}

TEST_CASE("a loop with a barrier between two lines has them in different passes") {
  const auto pass = next_pass(kSource, 6, 3, false);
  REQUIRE(pass.has_value());
  CHECK(pass->loop.line == 2);
  CHECK(pass->earlier == 3);
  CHECK(pass->later == 6);
  CHECK_FALSE(next_pass(kSource, 6, 8, false).has_value());   // no barrier
  CHECK_FALSE(next_pass(kSource, 3, 14, false).has_value());  // not in one loop
  CHECK_FALSE(
      next_pass("for (;;) {\n  a();\n  __shfl_down_sync(m, v, 1);\n  b();\n}\n", 2, 4, true).has_value());
  // What orders a warp orders no more than that.
  CHECK(next_pass("for (;;) {\n  a();\n  __syncwarp();\n  b();\n}\n", 2, 4, true).has_value());
  CHECK_FALSE(next_pass("for (;;) {\n  a();\n  __syncwarp();\n  b();\n}\n", 2, 4, false).has_value());
}

TEST_CASE("a number that atomicCAS() converts is told from bits") {
  const auto converted = [](const std::string& pointer, const std::string& value) {
    return converted_in_compare({"__device__ float add(float* sum, const double v, const float* x, int k) {",
                                 pointer, "  old = atomicCAS(p, seen,", value + ");"},
                                3);
  };
  const std::string bits = "  int* p = reinterpret_cast<int*>(sum);", other = "  int* p = counts + k;";
  CHECK(converted(bits, "static_cast<int>(v + 1)") == "v");
  CHECK(converted(bits, "(int)(x[k])") == "x");
  CHECK(converted("  unsigned* p = (unsigned*)sum;", "v * seen") == "v");
  CHECK(converted(bits, "__float_as_int(v + __int_as_float(seen))").empty());
  CHECK(converted(bits, "std::bit_cast<int>(v)").empty());
  CHECK(converted(bits, "k + 1").empty());
  CHECK(converted(other, "static_cast<int>(v)").empty());
}

TEST_CASE("a loop that halves a block's threads is found, and what is odd in it") {
  const auto loop = [](const std::string& line, const std::string& body) {
    return halving_loop({"__global__ void k(int* s) {", line, body, "}", "}"}, 1).first;
  };
  const std::string halves = "for (unsigned int d = blockDim.x / 2; d > 0; d >>= 1) {";
  CHECK(loop(halves, "if (t < d) s[t] += s[t + d];") == 2);
  CHECK(loop("for (int d = blockDim.x >> 1; d > 0; d /= 2) {",
             "if (threadIdx.x < d) s[t] = max(s[t], s[t + d]);") == 2);
  const HalvingLoop two_lines =
      halving_loop({"__global__ void k(int* s) {", "for (unsigned int d = blockDim.x / 2; d > 0;",
                    "d >>= 1) {", "if (t < d)", "s[t] += s[t + d];", "}", "}"},
                   1);
  CHECK((two_lines.first == 2 && two_lines.last == 6));
  CHECK(loop(halves, "if (t < d) s[t] += s[t + d]; if (n % 2 == 1) s[0] += s[n - 1];") == 0);
  CHECK(loop(halves, "if (t + d < n) s[t] += s[t + d];") == 0);
  CHECK(loop("for (int d = 128; d > 0; d /= 2) {", "if (t < d) s[t] += s[t + d];") == 0);
  CHECK(odd_when_halved(96) == 3);
  CHECK(odd_when_halved(100) == 25);
  CHECK(odd_when_halved(256) == 0);
  CHECK(odd_when_halved(1) == 0);
}

TEST_CASE("a lock that orders nothing is told from one that does") {
  const auto lock = [](const std::string& taken, const std::string& given) {
    return lock_without_order({"__global__ void k() {", taken, "  }", "  total += 1;", given, "}"}, 4);
  };
  CHECK(lock("  while (atomicCAS(&m, 0, 1) != 0) {", "  atomicExch(&m, 0);") == 2);
  CHECK(lock("  while (a.load(relaxed) != mine) {", "  a.store(mine + 1, relaxed);") == 2);
  CHECK(lock("  while (atomicCAS(&m, 0, 1) != 0) {", "  __threadfence(); atomicExch(&m, 0);") == 0);
  CHECK(lock("  while (a.load(cuda::memory_order_acquire) != mine) {", "  a.store(mine + 1);") == 0);
  CHECK(lock("  while (i < n) {", "  atomicExch(&m, 0);") == 0);
  CHECK(lock("  while (atomicCAS(&m, 0, 1) != 0) {", "  done();") == 0);
}
