#include "cli/compile/kernel_faults.h"

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kBegun = "__global__ void a(float* x, int n) {}\n__global__ void b(int n) {}\n";
const WrittenSource kLaunches = {"p/launches.cu",
                                 "void run() {\n  a<<<1, 2>>>(x, n);\n  b<<<1, 2>>>(n);\n}\n", ""};

CompilerOutput told(const std::string& kernels, const std::string& file = "p/launches.cu") {
  CompilerOutput output;
  output.errors = {{{file, 2}, 0, "something about it"}};
  output.text = "as it was";
  name_kernel_faults(output, {"p/kernels.cu", kernels, ""}, kBegun, kLaunches);
  return output;
}

}  // namespace

TEST_CASE("of two renamed kernels each is found by its parameters") {
  const CompilerOutput output =
      told("__global__ void second(int m) {}\n__global__ void first(float* x, int n) {}\n");
  REQUIRE(output.errors.size() == 2);
  CHECK(output.errors[0].at.line == 2);
  CHECK(output.errors[0].message ==
        "there is no kernel a any more, and launches.cu:2 uses it. This one is new: call it a again");
  CHECK(output.errors[1].at.line == 1);
}

TEST_CASE("a helper of the learner's own is not taken for a renamed kernel where nothing is missing") {
  const std::string kernels = std::string(kBegun) + "__global__ void mine() {}\n";
  CHECK(told(kernels).text == "as it was");
}

TEST_CASE("names of parameters may be others, types may not") {
  CHECK(told("__global__ void a(float *y, const_iterator<int, 2> n = {}) {}\n__global__ void b(int) {}\n")
            .errors[0]
            .message.find("a has other parameters than launches.cu:2 gives it") == 0);
  CHECK(told("__global__ void a(float* y, int count = 1) {}\n__global__ void b(int) {}\n").text ==
        "as it was");
}

TEST_CASE("errors in the learner's file alone stay the compiler's") {
  CHECK(told("__global__ void c(float* x, int n) {}\n", "p/kernels.cu").text == "as it was");
}

TEST_CASE("a function that lost its __global__ is found, unless a macro may have it") {
  const auto lost = [](const std::string& kernels) {
    return lost_kernels({"p/kernels.cu", kernels, ""}, kBegun, kLaunches.written).size();
  };
  CHECK(lost("void a(float* x, int n) {}\n__device__ inline void b(int n) {}\n") == 2);
  CHECK(lost("template <int k>\nvoid a(float* x, int n) {}\n__global__ void b(int n) {}\n") == 1);
  CHECK(lost("KERNEL void a(float* x, int n) {}\n__global__ void b(int n) {}\n") == 0);
  CHECK(lost(kBegun) == 0);
}
