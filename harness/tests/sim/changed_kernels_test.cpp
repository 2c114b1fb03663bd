#include "translate/changed_kernels.h"

#include "tests/catch.h"

using workbook::sim::changed_kernels;
using workbook::sim::edited_program;
using workbook::sim::unchanged_kernels;
using Kernels = std::optional<std::vector<std::string>>;

namespace {

constexpr std::string_view kSource = R"(#include "given.cuh"
constexpr int kBlock = 64;
constexpr int kItems = 4;
struct Sums {
  float plain, squared;
};
__device__ inline float twice(float x) { return 2.0f * x; }
__device__ inline float four_times(float x) { return twice(twice(x)); }
__global__ void scale(float* y, const float* x) {
  y[threadIdx.x] = four_times(x[threadIdx.x]);
}
__global__ void __launch_bounds__(kItems) add(float* y, int n) {
  __shared__ float tile[kBlock], one;
  for (int i = 0; i < kItems; ++i) tile[i] = y[i];
  const Sums sums = {};
}
template <int kVectors>
__global__ void many(float* y) {
  y[kVectors] = 0.0f;
}
)";

/// Of kSource with `from` replaced.
Kernels changed(std::string_view from, std::string_view to,
                const std::vector<std::string_view>& headers = {}) {
  std::string after(kSource);
  const std::size_t at = after.find(from);
  REQUIRE(at != std::string::npos);
  after.replace(at, from.size(), to);
  return changed_kernels(
      kSource, after,
      {"#include \"kernels.cu\"\nvoid run() { scale<<<1, kBlock>>>(y, x); add<<<1, 1>>>(y, n); }", headers});
}

}  // namespace

TEST_CASE("of a kernel whose body changes, that kernel alone is compiled again") {
  CHECK(changed("four_times(x[threadIdx.x])", "x[0]") == Kernels({"scale"}));
  CHECK(changed("i < kItems;", "i <= kItems;") == Kernels({"add"}));
  CHECK(changed("y[kVectors] = 0.0f", "y[kVectors] = 1.0f") == Kernels({"many"}));
}

TEST_CASE("whoever launches a kernel is not compiled again for it") {
  const std::string before =
      "__global__ void scale(float* y) { *y = 1; }\nvoid both() { scale<<<1, 1>>>(y); }";
  std::string after = before;
  after.replace(after.find("= 1"), 3, "= 2");
  CHECK(changed_kernels(before, after, {"void run() { both(); }", {}}) == Kernels({"scale"}));
}

TEST_CASE(
    "a function of the host that launches call is compiled again alone, where the other one steps aside") {
  const std::string before =
      "__global__ void scale(float* y) { *y = 1; }\n"
      "inline int twice(int n) { return 2 * n; }\n"
      "dim3 grid_for(int n) {\n  return dim3(twice(n));\n}\n"
      "void both() { scale<<<grid_for(1), 1>>>(y); }\n";
  const auto edited = [&](std::string_view from, std::string_view to, std::string_view launches) {
    std::string after = before;
    after.replace(after.find(from), from.size(), to);
    return changed_kernels(before, after, {launches, {}});
  };
  CHECK(edited("twice(n)", "n", "grid_for(n); both();") == Kernels({"grid_for"}));
  CHECK(edited("2 * n", "3 * n", "grid_for(n); both();") == Kernels({"grid_for"}));
  CHECK(edited("2 * n", "3 * n", "twice(n); grid_for(n); both();") == std::nullopt);
  CHECK(edited("grid_for(1)", "grid_for(2)", "both();") == Kernels({"both"}));
  CHECK(edited("grid_for(int n)", "grid_for(long n)", "grid_for(n);") == std::nullopt);
  CHECK(edited("dim3 grid_for", "inline dim3 grid_for", "grid_for(n);") == std::nullopt);
  CHECK(unchanged_kernels(before) ==
        "__global__ void scale(float* y) { *y = 1; }\n"
        "inline int twice(int n) { return 2 * n; }\n"
        "__attribute__((noipa)) dim3 grid_for(int n) {\n  return dim3(twice(n));\n}\n"
        "__attribute__((noipa)) void both() { scale<<<grid_for(1), 1>>>(y); }\n");
}

TEST_CASE("a comment or a line break changes nothing") {
  CHECK(changed("y[threadIdx.x] = ", "y[threadIdx.x] =  // here\n") == Kernels(std::vector<std::string>{}));
}

TEST_CASE("what a helper changes are the kernels that reach it") {
  CHECK(changed("2.0f * x", "3.0f * x") == Kernels({"scale"}));
  CHECK(changed("float plain", "double plain") == Kernels({"add"}));
}

TEST_CASE("what launches know of the kernels stays as it was, or all is compiled") {
  CHECK(changed("kBlock = 64", "kBlock = 32") == std::nullopt);
  CHECK(changed("const float* x)", "const float* x, int n = 0)") == std::nullopt);
  CHECK(changed("__global__ void scale", "void scale") == std::nullopt);
  CHECK(changed("int kVectors>", "class T>") == std::nullopt);
  CHECK(changed("kItems = 4", "kItems = 8") == std::nullopt);  // the launch bounds of add
  CHECK(changed("constexpr int kItems = 4;\n", "constexpr int kItems = 4;\nconstexpr int kMore = 1;\n") ==
        std::nullopt);
}

TEST_CASE("shared variables of the kernel as it was must not be left over") {
  CHECK(changed("tile[kBlock], one", "tile[2 * kBlock], one") == Kernels({"add"}));
  CHECK(changed("tile[kBlock], one", "tile[kBlock]") == std::nullopt);
  const std::string before =
      "struct Sum { __device__ static float of(float x) { __shared__ float s[2]; return s[0] = x; } };\n"
      "__global__ void sum(float* y) { *y = Sum::of(1); }";
  std::string after = before;
  after.replace(after.find("= x"), 3, "= 1");
  CHECK(changed_kernels(before, after, {"sum<<<1, 1>>>(y);", {}}) == Kernels({"sum"}));
  after.replace(after.find("s[2]"), 4, "t[2]");
  CHECK(changed_kernels(before, after, {"sum<<<1, 1>>>(y);", {}}) == std::nullopt);
}

TEST_CASE("there are no two of a variable, and what the preprocessor decides is not read") {
  const std::string_view from = "x[threadIdx.x]", to = "x[0]";
  CHECK(changed(from, to, {"constexpr float kHalf = 0.5f;\nnamespace w = wide;\n"}) == Kernels({"scale"}));
  CHECK(changed(from, to, {"__constant__ float weights[9];\n"}) == std::nullopt);
  CHECK(changed(from, to, {"static int calls;\n"}) == std::nullopt);
  CHECK(changed(from, to, {"namespace {\nint calls;\n}\n"}) == std::nullopt);
  CHECK(changed(from, to, {"namespace wide {\nstatic int calls;\n}\n"}) == std::nullopt);
  CHECK(changed(from, to,
                {"struct Calls {\n  int n;\n  __device__ int more() { return n + 1; }\n} static calls;\n"}) ==
        std::nullopt);
  CHECK(changed(from, to, {"__device__ int calls(1);\n"}) == std::nullopt);
  CHECK(changed(from, to,
                {"struct Scale {\n  __device__ float of(float x) const;\n};\nnamespace wide {\n"
                 "__device__ int next(int n);\n__host__ int all();\n}\n"}) == Kernels({"scale"}));
  CHECK(changed(from, to, {"#define SIZE 4\n"}) == Kernels({"scale"}));
  CHECK(changed(from, "x[0];\n#define SIZE 4\n") == std::nullopt);
}

TEST_CASE("of a program only the functions that differ are compiled, on the lines where they were") {
  const std::string before =
      "struct Size {\n  int n;\n};\n"
      "inline int twice(int n) { return 2 * n; }\n"
      "__global__ void scale(float* y) {\n  *y = 2;\n}\n"
      "int blocks(Size s) { return s.n; }\n"
      "template <class T>\nint items(T n) { return n; }\n"
      "int main() {\n  return blocks({twice(items(3))});\n}\n";
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string after = before;
    after.replace(after.find(from), from.size(), to);
    return edited_program(before, after, {});
  };
  const auto kernel = edited("= 2;", "= 3;");
  REQUIRE(kernel);
  CHECK(kernel->changed ==
        "struct Size {\n  int n;\n};\n"
        "inline int twice(int n) { return 2 * n; }\n"
        "__global__ void scale(float* y) {\n  *y = 3;\n}\n"
        "int blocks(Size s) ;\n"
        "template <class T>\nint items(T n) { return n; }\n"
        "int main() ;\n\n\n");
  CHECK(kernel->unchanged.find("__attribute__((noipa)) int blocks(Size s)") != std::string::npos);
  CHECK(kernel->unchanged.find("noipa)) inline") == std::string::npos);
  for (const char* in_main : {"2 * n", "return n;"}) {
    const auto helper = edited(in_main, "5;");
    REQUIRE(helper);
    CHECK(helper->changed.find("int main() {") != std::string::npos);
    CHECK(helper->changed.find("int blocks(Size s) ;") != std::string::npos);
    CHECK(helper->unchanged == kernel->unchanged);
  }
  CHECK(!edited("int n;\n}", "long n;\n}"));  // a parameter's type
  CHECK(!edited("int blocks(Size s)", "long blocks(Size s)"));
  CHECK(!edited("int main", "static int calls;\nint main"));
  CHECK(!edited("= 2;", "= 2;\n"));  // nothing differs
}
