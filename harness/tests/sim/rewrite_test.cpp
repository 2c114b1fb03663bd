#include "translate/rewrite.h"
#include "translate/host_calls.h"

#include <algorithm>

#include "tests/catch.h"

using workbook::sim::rewrite_launches;
using workbook::sim::RewriteError;
using workbook::sim::Rewriter;

namespace {

int error_line(const std::string& source) {
  try {
    rewrite_launches(source);
  } catch (const RewriteError& error) {
    return error.line;
  }
  return 0;
}

std::string call(const std::string& kernel, const std::string& config) {
  return "WORKBOOK_SIM_KERNEL(" + kernel + ")(::workbook::sim::LaunchConfig(" + config + "))";
}

}  // namespace

TEST_CASE("a launch becomes a call and keeps its line") {
  CHECK(rewrite_launches("a;\nscale<<<grid,\n  block>>>(y, n);\nb;") ==
        "a;\n" + call("scale", "grid,\n  block") + "(y, n);\nb;");
}

TEST_CASE("template arguments, qualifiers and shifts inside the configuration stay whole") {
  CHECK(rewrite_launches("ns::k<float, 4><<<1 << 2, f(a >> 1), 0, s>>>(x);") ==
        call("ns::k<float, 4>", "1 << 2, f(a >> 1), 0, s") + "(x);");
  CHECK(rewrite_launches("k<<<1, f<g<2>>>>(x);") == call("k", "1, f<g<2>") + "(x);");
}

TEST_CASE("whatever CUDA takes for a kernel is taken whole") {
  for (const std::string kernel :
       {"k", "::a::k", "a::k<(1 > 2 ? 3 : 4)>", "S<T>::template k<int, 2>", "kernels[i + 1]", "object.kernel",
        "this->kernel", "get(1)[2]", "(c ? a : b)", "table.find(3)->second"})
    CHECK(rewrite_launches("return " + kernel + "<<<1, 2>>>(x);") ==
          "return " + call(kernel, "1, 2") + "(x);");
}

TEST_CASE("launches in macros are launches, and their lines go on") {
  CHECK(rewrite_launches("#define L(k, n) \\\n  k<<<n, \\\n 1>>>(x)\n") ==
        "#define L(k, n) \\\n  " + call("k", "n, \\\n 1") + "(x)\n");
  CHECK(rewrite_launches("#define L(k) k##_kernel<<<1, 1>>>\n") ==
        "#define L(k) " + call("k##_kernel", "1, 1") + "\n");
}

TEST_CASE("comments between the parts of a launch stay") {
  CHECK(rewrite_launches("k // why\n <<<1, /* 2 */ 3>>> /* x */ (y);") ==
        "WORKBOOK_SIM_KERNEL(k // why\n )(::workbook::sim::LaunchConfig(1, /* 2 */ 3)) /* x */ (y);");
}

TEST_CASE("a template-id that leaves a default to be deduced is deduced, wherever it was declared") {
  Rewriter rewriter;
  rewriter.learn("template <class T, int N = f<1, 2>(3)>\n__global__ void __launch_bounds__(64) k(T* y);");
  rewriter.learn("template <class T, int N>\n__global__ void plain(T* y);");
  CHECK(contains(rewriter.rewrite("k<float><<<1, 2>>>(p);"), "WORKBOOK_SIM_DEDUCED_KERNEL(k<float>)"));
  CHECK(contains(rewriter.rewrite("k<float, 3><<<1, 2>>>(p);"), "WORKBOOK_SIM_KERNEL(k<float, 3>)"));
  CHECK(contains(rewriter.rewrite("plain<float><<<1, 2>>>(p);"), "WORKBOOK_SIM_KERNEL(plain<float>)"));
}

TEST_CASE("__cluster_dims__ reaches the launches of its kernel") {
  for (const std::string declared : {"__global__ void __cluster_dims__(2, 1, 1) k(int* x);",
                                     "__cluster_dims__(2, 1, 1) __global__ void k(int* x);"})
    CHECK(rewrite_launches(declared + "void f() { k<<<4, 1>>>(x); }") ==
          declared +
              "void f() { WORKBOOK_SIM_KERNEL(k)(::workbook::sim::with_cluster({2, 1, 1}, "
              "::workbook::sim::LaunchConfig(4, 1)))(x); }");
}

TEST_CASE("comments, strings, raw strings and directives are left alone") {
  for (const std::string text :
       {"// k<<<1, 1>>>(x)\n", "/* k<<<1,1>>>() */", "\"k<<<1,1>>>()\"", "R\"(k<<<1,1>>>())\"",
        "const auto n = 1'000; const char c = '<';", "// goes on \\\n k<<<1, 1>>>(x)\n",
        "u8R\"x(k<<<1,1>>>)\")x\"", "#error don't k<<<\n", "#if 0\n it's text\n#endif\n", "#include <a'b>\n",
        "#pragma x <<<\n"})
    CHECK(rewrite_launches(text) == text);
  CHECK(contains(rewrite_launches("#error don't\nk<<<1, 1>>>(x);"), "WORKBOOK_SIM_KERNEL(k)"));
}

TEST_CASE("what is no launch is refused with its line") {
  CHECK(error_line("x;\nk<<<1, 2(y);\n") == 2);
  CHECK(error_line("x;\n\n= <<<1, 2>>>(y);\n") == 3);
  CHECK(error_line("k<<<1,\n2>>>;\n") == 2);
}

TEST_CASE("kernels reach the runtime without their casts") {
  CHECK(rewrite_launches("cudaLaunchKernel((void*)k<1>, g, (void*)b);") ==
        "cudaLaunchKernel(       k<1>, g, (void*)b);");
  CHECK(rewrite_launches("cudaFuncGetAttributes(&a[f(1, 2)], reinterpret_cast<const void*>(&k));") ==
        "cudaFuncGetAttributes(&a[f(1, 2)],                              (&k));");
  CHECK(rewrite_launches("cudaOccupancyMaxPotentialBlockSize(&g, &b, (const void *)\nk);") ==
        "cudaOccupancyMaxPotentialBlockSize(&g, &b,               \nk);");
  const std::string other = "cudaMalloc((void*)p, 1); cudaFuncSetAttribute(k, a, (int)n);";
  CHECK(rewrite_launches(other) == other);
}

TEST_CASE("a kernel that is kept as void* is made known on the way") {
  const std::string kernel = "template <int N> __global__ void k(int* x);\n";
  CHECK(rewrite_launches(kernel + "params.func = (void*)ns::k<(1 > 2)>; f(p);") ==
        kernel + "params.func = (void*)::workbook::sim::kernel_address(ns::k<(1 > 2)>); f(p);");
  CHECK(rewrite_launches(kernel + "const auto f = reinterpret_cast<const void*>(&k<1>);") ==
        kernel + "const auto f = reinterpret_cast<const void*>(::workbook::sim::kernel_address(&k<1>));");
  for (const std::string other : {"(void*)x;", "(void*)kk;", "f((void*)&pointer, (void)k);"})
    CHECK(rewrite_launches(kernel + other) == kernel + other);
}

TEST_CASE("branches of the preprocessor that open a block each open one") {
  const std::string host = "}\nint main() { std::vector<int> v(2); }\n";
  const std::string kernel = "__global__ void k(int* x) {\n";
  for (const std::string loop :
       {"#if A\nfor (;;) {\n#else\nif (x) {\n#endif\n}\n",
        "#if A\nfor (;;) {\n#elif B\nwhile (x) {\n#else\n{\n#endif\n}\n",
        "#if A\n{\n#if B\n{\n#else\n{\n#endif\n}\n#else\n{\n#endif\n}\n",
        "{\n#if A\n}\n#else\nx[0] = 1; }\n#endif\n", "#if A\n{\n#endif\n#if A\n}\n#endif\n",
        "#ifndef A\n#else\n{\n#endif\n#ifdef A\n}\n#endif\n"}) {
    INFO(loop);
    CHECK(workbook::sim::refused_in_device_code(kernel + loop + host).empty());
    CHECK(workbook::sim::refused_in_device_code(kernel + loop + "std::vector<int> w(1);" + host).size() == 1);
  }
}

TEST_CASE("PTX that is not simulated becomes an error that names it, host code and barriers stay") {
  const std::string out =
      rewrite_launches("a;\nasm volatile(\"tcgen05.wait::ld.sync.aligned;\" :\n \"=r\"(x));\nb;");
  CHECK(contains(out, "inline PTX: the instruction 'tcgen05.wait::ld.sync.aligned' is not simulated: "));
  CHECK(std::count(out.begin(), out.end(), '\n') == 3);
  const std::pair<std::string, std::string> refused[] = {
      {"asm(\"mov.u32 %0, %%pm0;\" : \"=r\"(x));", "special register '%pm0' is not simulated"},
      {"asm(\"add.f32 %0, r1, %0;\" : \"+f\"(x));", "'r1' in 'add.f32' is no register"},
      {"asm(\"bra.uni L2;\");", "there is no label 'L2'"},
      {"asm(\"bar.arrive 1;\");", "'bar.arrive' with 1 operands is not simulated"},
      {"asm(\"addc.u32 %0, %0, 0;\" : \"+r\"(x));", "reads a carry"},
      {"asm(\".shared .b32 t[4]; mov.u32 %0, 1;\" : \"=r\"(x));", "directive '.shared'"},
      {"asm(\"ld\" CACHE \".f32 %0, [%1];\" : \"=f\"(x) : \"l\"(p));", "whose text macros put together"},
      {"asm(\"mov.b32 %0, 1;\" : \"=C\"(x));", "constraint"},
      {"asm(\"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0};\" : \"=f\"(y));", "is not simulated"}};
  for (const auto& [text, words] : refused) {
    INFO(text);
    CHECK(contains(rewrite_launches(text), words));
  }
  for (const std::string text : {"asm volatile(\"\" ::: \"memory\");", "asm(\"rdtsc\" : \"=a\"(x));",
                                 "int y asm(\"a.b\");", "int asmx(int);"})
    CHECK(rewrite_launches(text) == text);
}

TEST_CASE("PTX becomes a block with its registers, and a call for each instruction") {
  const std::string text = rewrite_launches(
      "asm(\"{\\n\\t.reg .pred p; // why\\n\\t@!p mul.wide.s32 %0, %1, -3;\\n}\" : \"=l\"(y) : \"r\"(x + 1));");
  CHECK(contains(
      text, "::workbook::sim::ptx::u32 ptx_1 = ::workbook::sim::ptx::take<::workbook::sim::ptx::u32>(x+1);"));
  CHECK(contains(text, "::workbook::sim::ptx::pred ptx_p{};"));
  CHECK(contains(text, "if (!::workbook::sim::ptx::get<::workbook::sim::ptx::pred>(ptx_p))"));
  CHECK(contains(text, "mul_wide<::workbook::sim::ptx::s32>("));
  CHECK(contains(text, "constant<::workbook::sim::ptx::s32>(-3ll)"));
  CHECK(contains(text, "::workbook::sim::ptx::give(y, ptx_0);"));
}

TEST_CASE("casts and shifts among the operands of PTX stay with it") {
  const std::string text = rewrite_launches(
      "__device__ void f(bool p, int n) {\n  asm(\"mov.u32 %0, %1;\" : \"=r\"(y) : \"r\"((int)p << n));\n}\n#else\n");
  CHECK(contains(text, "take<::workbook::sim::ptx::u32>((int)p<<n);"));
  CHECK(std::count(text.begin(), text.end(), '#') == 1);
}

TEST_CASE("PTX of tensor cores takes its operands as they stand, in the order of the text") {
  CHECK(contains(
      rewrite_launches("asm volatile(\"cvt.rna.tf32.f32 %0, %1;\\n\" : \"=r\"(y[0]) : \"f\"(x + 1.0f));"),
      "::workbook::sim::ptx::cvt_rna_tf32_f32(y[0], x+1.0f)"));
  CHECK(contains(
      rewrite_launches("asm(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];\" : \"=r\"(a), "
                       "\"=r\"(b) : \"r\"(f<int, 2>(p)) : \"memory\");"),
      "ldmatrix_sync_aligned_m8n8_x2_shared_b16(a, b, f<int, 2>(p))"));
  CHECK(contains(rewrite_launches("asm(\"cvt.rna.tf32.f32 %1, %0;\" :: \"f\"(x), \"r\"(y));"), "(y, x)"));
  CHECK(contains(
      rewrite_launches("asm(\"cvt.rna.tf32.f32 %0, %1; cvt.rna.tf32.f32 %0, %1;\" : \"=r\"(y) : \"f\"(x));"),
      "cvt_rna_tf32_f32(ptx_0, ptx_1)"));
}

TEST_CASE("PTX of warp groups takes its sums as they stand, and has its other operands converted") {
  const std::string product =
      "asm volatile(\"{\\n.reg .pred p;\\nsetp.ne.b32 p, %6, 0;\\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3}, %4, %5, p, 1, -1, 0, %7;\\n}\" : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : "
      "\"l\"(a), \"l\"(b), \"r\"(adds), \"n\"(kTurned));";
  const std::string text = rewrite_launches(product);
  CHECK(contains(text, "auto& ptx_3 = d[3];"));
  CHECK(!contains(text, "give(d[3]"));
  CHECK(contains(text,
                 "group_form(8, ::workbook::sim::GroupFactor::bf16, ::workbook::sim::GroupFactor::bf16, "
                 "::workbook::sim::GroupSum::f32, false, 1ull, -1ll, 0ull, (kTurned))"));
  CHECK(contains(text, ", ptx_0, ptx_1, ptx_2, ptx_3); "));
  CHECK(contains(rewrite_launches(
                     "asm(\"wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5, "
                     "%6, %7}, %8, 1, 1, 1, 1;\" : \"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]), \"+r\"(d[3]) : "
                     "\"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(b));"),
                 "GroupSum::f16, true, 1ull, 1ull, 0, 1ull)"));
  for (const std::string wrong : {"m64n12k16.f32.f16.f16", "m64n8k8.f32.f16.f16", "m64n8k16.f32.f16.bf16",
                                  "m64n264k16.f32.f16.f16", "m64n8k16.f16.bf16.bf16"})
    CHECK(contains(rewrite_launches("asm(\"wgmma.mma_async.sync.aligned." + wrong +
                                    " {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\" : \"+f\"(d[0]));"),
                   "is not simulated"));
  CHECK(contains(rewrite_launches("asm volatile(\"\" : \"+f\"(x) :: \"memory\");"),
                 "__asm__ volatile(\"\" ::: \"memory\")"));
}

TEST_CASE("PTX of copies by tensor maps: a box to shared memory, and back") {
  CHECK(
      contains(rewrite_launches(
                   "asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx"
                   "::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;\" :: \"r\"(to), \"l\"(map), "
                   "\"r\"(bar), \"r\"(x), \"r\"(y), \"l\"(policy) : \"memory\");"),
               "tensor_load(::workbook::sim::ptx::at_shared(ptx_0, 0), ::workbook::sim::ptx::at(ptx_1, 0), "
               "::workbook::sim::ptx::at_shared(ptx_2, 0), 0u, "));
  CHECK(contains(
      rewrite_launches(
          "asm volatile(\"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];\" "
          ":: \"l\"(map), \"r\"(from), \"r\"(x));"),
      "tensor_store(::workbook::sim::ptx::at(ptx_0, 0), ::workbook::sim::ptx::at_shared(ptx_1, 0), "));
  CHECK(contains(rewrite_launches(
                     "asm(\"cp.async.bulk.tensor.4d.im2col.shared::cluster.global [%0], [%1];\" :: \"r\"(x), "
                     "\"l\"(y));"),
                 "is not simulated"));
}

TEST_CASE("launch bounds go on record behind their kernel") {
  CHECK(rewrite_launches("__global__ void __launch_bounds__(128, 2) k(int* x) { if (x) {} }\n") ==
        "__global__ void __launch_bounds__(128, 2) k(int* x) { if (x) {} } WORKBOOK_SIM_BOUNDS(k, 128, 2)\n");
  CHECK(rewrite_launches("template <class T>\n__launch_bounds__(kBlock * 2) __global__ void k(T);") ==
        "template <class T>\n__launch_bounds__(kBlock * 2) __global__ void k(T); WORKBOOK_SIM_BOUNDS(k, "
        "kBlock*2)");
  for (const std::string text : {"template <int N> __global__ void __launch_bounds__(N) k() {}",
                                 "#define KERNEL(name) __global__ __launch_bounds__(64) void name()\n"})
    CHECK(rewrite_launches(text) == text);
}

TEST_CASE("a launch in device code is a launch") {
  CHECK(contains(rewrite_launches("__global__ void k(int* x) { child<<<1, 1>>>(x); }"),
                 "{ " + call("child", "1, 1") + "(x); }"));
}

TEST_CASE("shared variables may be aligned as in CUDA, and not be initialised") {
  CHECK(rewrite_launches("static __shared__ alignas(16) float a[2];") ==
        "alignas(16) static __shared__             float a[2]; WORKBOOK_SIM_SHAPE(a);");
  CHECK(rewrite_launches("extern __shared__ __align__(8) char raw[];") ==
        "__align__(8) extern WORKBOOK_SIM_EXTERN_SHARED              char raw[]; WORKBOOK_SIM_SHAPE(raw);");
  CHECK(contains(rewrite_launches("__shared__ int x = 1;"), "static_assert(false, \"a __shared__ variable"));
  CHECK(contains(rewrite_launches("__shared__ int x{1};"), "static_assert"));
  CHECK(rewrite_launches("#define SHARED __shared__\n") == "#define SHARED __shared__\n");
}

TEST_CASE("each shared variable leaves its shape") {
  const std::pair<std::string, std::string> cases[] = {
      {"__shared__ union { float f[2]; int i; } u;", " WORKBOOK_SIM_SHAPE(u);"},
      {"__shared__ typename B<T, (N = 3)>::Storage s;", " WORKBOOK_SIM_SHAPE(s);"},
      {"__shared__ float a[f(x = 2)], b[3];", " WORKBOOK_SIM_SHAPE(a); WORKBOOK_SIM_SHAPE(b);"}};
  for (const auto& [text, shapes] : cases) CHECK(rewrite_launches(text) == text + shapes);
}

TEST_CASE("a launch that a formatter pulled apart is a launch") {
  CHECK(rewrite_launches("void f() { k<< <1, 32>> >(x); }") ==
        rewrite_launches("void f() { k<<<1, 32>>>(x); }"));
}

TEST_CASE("device code knows its architecture, and every file of the program its compiler") {
  const std::string out = rewrite_launches(
      "#ifdef __CUDACC__\n#if __CUDA_ARCH__ < 600\n#endif\n#endif\n"
      "__host__ __device__ void both() {\n#ifdef __CUDA_ARCH__\n#endif\n}\n"
      "__global__ void k() {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n  f(__CUDA_ARCH__);\n#endif\n}\n");
  CHECK(out ==
        "#ifdef WORKBOOK_SIM_CUDACC\n#if __CUDA_ARCH__ < 600\n#endif\n#endif\n"
        "__host__ __device__ void both() {\n#ifdef __CUDA_ARCH__\n#endif\n}\n"
        "__global__ void k() {\n#if defined(WORKBOOK_SIM_ARCH) && WORKBOOK_SIM_ARCH >= 700\n"
        "  f(WORKBOOK_SIM_ARCH);\n#endif\n}\n");
}

TEST_CASE("headers that only the device's compilation reads are read, and no more than those") {
  CHECK(
      rewrite_launches(
          "#ifdef __CUDA_ARCH__\n#include <a.h>\n\n#endif\n#if defined(__CUDA_ARCH__)\n#include \"b.h\"\n#endif\n") ==
      "#ifdef WORKBOOK_SIM_ARCH\n#include <a.h>\n\n#endif\n#if defined(WORKBOOK_SIM_ARCH)\n#include \"b.h\"\n#endif\n");
  for (const std::string other :
       {"#ifdef __CUDA_ARCH__\nint x();\n#endif\n", "#ifndef __CUDA_ARCH__\n#include <a.h>\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#include <a.h>\n#else\n#include <b.h>\n#endif\n",
        "#if !defined(__CUDA_ARCH__)\n#include <a.h>\n#endif\n"})
    CHECK(rewrite_launches(other) == other);
  CHECK(rewrite_launches("#ifdef __NVCC__\n#endif\n") == "#ifdef WORKBOOK_SIM_CUDACC\n#endif\n");
}

TEST_CASE("a member template of what is known later needs no word in device code, as with nvcc") {
  const auto device = [](const std::string& body) {
    return rewrite_launches("template <class T> __device__ void f(T x) { " + body + " }");
  };
  CHECK(contains(device("A<T, 3>::cast<int>(x);"), "A<T, 3>::template cast<int>(x);"));
  CHECK(contains(device("A<T>::value < x > (y);"), "A<T>::template value < x > (y);"));
  for (const std::string other :
       {"A<T>::template cast<int>(x);", "A<T>::cast(x);", "typename A<T>::B<int>(x);", "ns::cast<int>(x);"})
    CHECK(contains(device(other), other));
  CHECK(
      contains(rewrite_launches("template <class T> void f(T x) { A<T>::cast<int>(x); }"), "::cast<int>(x)"));
}

TEST_CASE("code for both sides chooses when it runs, where the preprocessor chose between whole statements") {
  CHECK(rewrite_launches(
            "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__  // here\n  return 1;\n#else\n  return "
            "0;\n#endif\n}\n") ==
        "__host__ __device__ int f() {\nif (WORKBOOK_SIM_ON_DEVICE) {\n  return 1;\n} else {\n  return "
        "0;\n}\n}\n");
  const std::string nested = rewrite_launches(
      "__device__ __host__ void f() {\n  g();\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 300\n  h();\n#else\n"
      "#if __CUDA_ARCH__ >= 700\n  k();\n#endif\n#endif\n}\n");
  CHECK(contains(nested, "\nif (!WORKBOOK_SIM_ON_DEVICE) {\n  h();\n} else {\n"));
  CHECK(contains(nested, "#if WORKBOOK_SIM_ARCH >= 700\n  k();\n#endif\n}\n}"));
  CHECK(
      contains(rewrite_launches("#define BOTH __host__ __device__\n#define HERE BOTH inline\nHERE int f() {\n"
                                "#ifdef __CUDA_ARCH__\n  return 1;\n#endif\n  return 0;\n}\n"),
               "if (WORKBOOK_SIM_ON_DEVICE) {"));
  CHECK(contains(
      rewrite_launches("#define DEV __device__ __forceinline__\nDEV int f() {\n#if __CUDA_ARCH__ >= 700\n"
                       "  return 1;\n#endif\n}\n"),
      "#if WORKBOOK_SIM_ARCH >= 700"));
  for (const std::string other :
       {"#ifdef __CUDA_ARCH__\n  int n = 1;\n#else\n  int n = 2;\n#endif\n  use(n);\n",  // is used behind it
        "  return\n#ifdef __CUDA_ARCH__\n  1\n#else\n  0\n#endif\n;\n",                  // no statement
        "#if defined(__CUDA_ARCH__) && defined(OWN)\n  g();\n#endif\n",                  // asks for more
        "#if __CUDA_ARCH__ < 9000\n  g();\n#endif\n"})                                   // holds for both
    CHECK_FALSE(contains(rewrite_launches("__host__ __device__ void f() {\n" + other + "}\n"), "ON_DEVICE"));
}

TEST_CASE("a variable of device code without a value is marked where somebody asks for it") {
  const auto marked = [](const std::string& body) {
    Rewriter rewriter;
    rewriter.follow_unset();
    const std::string source = "__global__ void k() { " + body + " }";
    rewriter.learn(source);
    return rewriter.rewrite(source);
  };
  CHECK(contains(marked("float sum;"), "float sum; WORKBOOK_SIM_UNSET(sum, 0);"));
  CHECK(contains(marked("int i, *p, a[2][n], b = 3, c;"),
                 "c; WORKBOOK_SIM_UNSET(i, 0); WORKBOOK_SIM_UNSET(p, 1); WORKBOOK_SIM_UNSET(a, 2); "
                 "WORKBOOK_SIM_UNSET(c, 3);"));
  CHECK(contains(marked("{ alignas(16) typename ns::T<a, 4>::Type v; } unsigned long long x;"),
                 "v; WORKBOOK_SIM_UNSET(v, 0); } unsigned long long x; WORKBOOK_SIM_UNSET(x, 1);"));
  for (const std::string other :
       {"return x;", "f(x);", "x;", "x = y;", "static int s;", "__shared__ float t[4];",
        "extern __shared__ int e[];", "const int c = 3;", "struct S { int member; }; S s{};",
        "using T = int;", "for (int i; f(i);) g();", "goto out;", "auto v = f(); T w(3);", "int g(int);",
        "a.b;", "delete p;"})
    CHECK_FALSE(contains(marked(other), "WORKBOOK_SIM_UNSET"));
  CHECK_FALSE(contains(rewrite_launches("__global__ void k() { int i; }"), "WORKBOOK_SIM_UNSET"));
  Rewriter rewriter;
  rewriter.follow_unset();
  CHECK(rewriter.rewrite("void host() { int i; }") == "void host() { int i; }");
}

TEST_CASE("an array of device code that is handed on gets a fence where somebody asks for it") {
  const auto fenced = [](const std::string& body, const std::string& head = "__global__ void k()") {
    Rewriter rewriter;
    rewriter.follow_unset();
    const std::string source = head + " { " + body + " }";
    rewriter.learn(source);
    return rewriter.rewrite(source);
  };
  CHECK(contains(fenced("float c[4]; f(c);"),
                 "WORKBOOK_SIM_FENCE float c[4] WORKBOOK_SIM_FENCED(c); WORKBOOK_SIM_UNSET(c, 0);"));
  CHECK(
      contains(fenced("{ int* c[2] = {p, q}; f(&c[1]); }"),
               "WORKBOOK_SIM_FENCE int* c[2]  WORKBOOK_SIM_FENCED_AS(c) {p, q} WORKBOOK_SIM_FENCED_END(c);"));
  CHECK(contains(fenced("for (;;) { alignas(16) T<1, 2> c[2][n]{}; f(c[1]); }"),
                 "WORKBOOK_SIM_FENCE alignas(16) T<1, 2> c[2][n] WORKBOOK_SIM_FENCED_AS(c) {} "
                 "WORKBOOK_SIM_FENCED_END(c);"));
  for (const std::string other :
       {"float c[4]; c[1] = sizeof(c);", "float c[2][2] = {}; x = c[0][i[1]];",
        "const float c[2] = {1, 2}; f(c);", "switch (x) { case 0: int c[2]; f(c); }",
        "int c[2]; f(c); goto out; out:;", "int c[] = {1}; f(c);", "int c[2] = {}; for (int x : c) g(x);",
        "__shared__ int c[2]; f(c);", "{ int c[2]; } f(c);", "struct S { int c[2]; } s; f(s.c);",
        "int c[2], d; f(c);"})
    CHECK_FALSE(contains(fenced(other), "WORKBOOK_SIM_FENCE"));
  CHECK_FALSE(contains(fenced("int c[2]; f(c);", "__device__ constexpr int k()"), "WORKBOOK_SIM_FENCE"));
  CHECK_FALSE(contains(fenced("int c[2]; f(c);", "void host()"), "WORKBOOK_SIM_FENCE"));
}

TEST_CASE("inline PTX that reads a result of the statement before it is written says so") {
  const auto says = [](const std::string& statement) {
    return contains(rewrite_launches("__device__ void f() { " + statement + " }"),
                    "workbook_sim_output_read(0)");
  };
  CHECK(says(R"(asm("mad.lo.s32 %0, %1, %1, %0;" : "=r"(x) : "r"(y));)"));
  CHECK_FALSE(says(R"(asm("mad.lo.s32 %0, %1, %1, %0;" : "+r"(x) : "r"(y));)"));
  CHECK_FALSE(says(R"(asm("mov.u32 %0, %1; add.u32 %0, %0, %1;" : "=r"(x) : "r"(y));)"));
}

TEST_CASE("between functions, too, an architecture that is asked for is there for what the device has") {
  CHECK(contains(rewrite_launches("#if __CUDA_ARCH__ >= 700\n__device__ int f();\n#else\nint g();\n#endif\n"),
                 "#if WORKBOOK_SIM_ARCH >= 700\n__device__"));
  for (const std::string text : {"#if __CUDA_ARCH__ >= 700\n#define N 3\n#endif\n__device__ int f();",
                                 "#if !defined(__CUDA_ARCH__)\n__device__ int f();\n#endif\n"})
    CHECK_FALSE(contains(rewrite_launches(text), "WORKBOOK_SIM_ARCH"));
}

TEST_CASE("a macro for an attribute behind a variable of the device is not its name") {
  CHECK(contains(rewrite_launches("#define UNUSED __attribute__((unused))\n__device__ int here UNUSED;\n"),
                 "WORKBOOK_SIM_VARIABLE(here, 0)"));
}

TEST_CASE("a variable of the device goes on record, and the host's code has its copy") {
  const std::string text = rewrite_launches(
      "namespace n {\n__device__ int hits, *p;\n__constant__ float taps[4];\n}\n"
      "__global__ void k() { hits = 1; }\nint main() { f(&hits, taps, sizeof hits); }\n");
  CHECK(contains(text, "int hits, *p; WORKBOOK_SIM_VARIABLE(hits, 0) WORKBOOK_SIM_VARIABLE(p, 0)\n"));
  CHECK(contains(text, "taps[4]; WORKBOOK_SIM_VARIABLE(taps, 2)\n"));
  CHECK(contains(text, "void k() { hits = 1; }"));
  CHECK(contains(text,
                 "f(&::workbook::sim::host_copy(hits), ::workbook::sim::host_copy(taps), "
                 "sizeof ::workbook::sim::host_copy(hits));"));
}

TEST_CASE("names that mean something else are left alone") {
  const std::string declared = "__device__ int n;\n";
  for (const std::string code :
       {"void f(int n) { n = 1; }", "void f() { for (int i = 0, n = 5; i < n; ++i) g(n); }",
        "void f() { float *n = g(); h(n); }", "void f() { s.n = p->n + q::n; }",
        "template <int n> void f() { int a[n]; }", "void f() { k<n><<<1, 1>>>(); }",
        "void f() { g([=] __host__ __device__(int i) { return n + i; }); }",
        "__host__ __device__ int f() { return n; }"})
    CHECK_FALSE(contains(rewrite_launches(declared + code), "host_copy"));
  CHECK_FALSE(contains(rewrite_launches("__device__ const int n = 3;\nint f() { return n; }"), "workbook"));
}

TEST_CASE("the address of a function of the device that the host takes is told of") {
  const std::string declared = "__device__ int twice(int v) { return 2 * v; }\n";
  CHECK(
      contains(rewrite_launches(declared + "void f() { Op op = twice; g(&twice); }"),
               "Op op = ::workbook::sim::taken_on_host(twice); g(::workbook::sim::taken_on_host(&twice));"));
  CHECK_FALSE(contains(rewrite_launches(declared + "void f() { k<twice><<<1, 1>>>(x); }"), "taken_on_host"));
  CHECK_FALSE(contains(rewrite_launches(declared + "__device__ Op op = twice;"), "taken_on_host"));
  CHECK_FALSE(contains(rewrite_launches(declared + "__device__ int twice(long v);\nvoid f() { g(twice); }"),
                       "taken_on_host"));
}

TEST_CASE("variables of the host at namespace scope are on record, and nothing that looks like one") {
  const std::string kernel = "__global__ void k();\n";
  CHECK(contains(rewrite_launches(kernel + "static int n = 3, *p;"),
                 "; WORKBOOK_SIM_HOST_VARIABLE(n) WORKBOOK_SIM_HOST_VARIABLE(p)"));
  CHECK(contains(
      rewrite_launches(kernel + "namespace { struct Grid grid; std::vector<int> all[2] = {{1}, {2}}; }"),
      "HOST_VARIABLE(grid) std::vector<int> all[2] = {{1}, {2}}; WORKBOOK_SIM_HOST_VARIABLE(all)"));
  for (const std::string code :
       {"struct Grid;", "const int n = 3;", "constexpr int n = 3;", "extern int n;", "__device__ int n;",
        "__constant__ int n;", "__managed__ int n;", "int f();", "int f(int n = 3);", "using T = int;",
        "typedef int T;", "enum class E { n = 1 };", "struct S { int n; };", "void f() { int n; }",
        "template <class T> int n = 3;", "int S::n = 3;", "PLUGIN int n;", "#define N int n;\n",
        "static const char* const names[] = {\"a\"};"})
    CHECK_FALSE(contains(rewrite_launches(kernel + code), "HOST_VARIABLE"));
  // Lines that are included in a class, or in a function.
  CHECK_FALSE(contains(rewrite_launches("int n; float x;"), "HOST_VARIABLE"));
  CHECK_FALSE(
      contains(rewrite_launches(kernel + "int n = 0; for (n = 1; n < 3; ++n) f(n);"), "HOST_VARIABLE"));
}

TEST_CASE("lambdas of the host say so when they run") {
  const std::string mark = "{ ::workbook::sim::runs_on_host();";
  for (const std::string lambda : {"[](int i) {", "[&] {", "[=](auto x) -> int {",
                                   "[x, this](int i) mutable noexcept {", "[]<class T>(T x) {"})
    for (const std::string before : {"f(", "auto g = ", "return ", "f(1, "})
      CHECK(contains(rewrite_launches("void f() { " + before + lambda + " }; }"),
                     lambda.substr(0, lambda.size() - 1) + mark));
  for (const std::string code :
       {"void f() { g([=] __device__(int i) { }); }", "void f() { g([=] __host__ __device__(int i) { }); }",
        "__device__ void f() { g([](int i) { }); }", "void f() { int a[3] {}; }",
        "void f() { auto [a, b] = g(); }", "void f() { for (auto& [a, b] : g()) { } }",
        "void f() { g(a[3]); }", "void f() { new int[3] {}; }", "void f() { g([=] LAMBDA(int i) { }); }",
        "DEVICE_TOO void f() { g([](int i) { }); }",
        "constexpr int f() { return [](int i) { return i; }(3); }"})
    CHECK_FALSE(contains(rewrite_launches(code), "runs_on_host"));
}

TEST_CASE("an error that a statement drops is told of, one that is used is not") {
  CHECK(contains(rewrite_launches("void f() { if (a) cudaFree(p); }"),
                 "cudaFree(p), ::workbook::sim::Dropped(\"cudaFree\");"));
  for (const std::string name : {"cufftPlan1d", "cusparseSpMV", "cudaStreamAddCallback"})
    CHECK(contains(rewrite_launches("void f() { " + name + "(p); }"), "Dropped(\"" + name + "\")"));
  for (const std::string code : {"e = cudaFree(p);", "CHECK(cudaFree(p));", "(void)cudaFree(p);",
                                 "return cudaFree(p);", "if (cudaFree(p)) g();", "cudatool(p);",
                                 "cudaCheckErrors(\"of a header\");", "cudaSafeCall(cudaFree(p));"})
    CHECK_FALSE(contains(rewrite_launches("int f() { " + code + " }"), "Dropped"));
  CHECK_FALSE(contains(rewrite_launches("#define cudaDo(x) { x; }\nvoid f() { cudaDo(p); }"), "Dropped"));
}

TEST_CASE("shifts by what is no literal, and casts to integers, are a GPU's in device code") {
  const std::string text = rewrite_launches("__device__ int f(float x) { return (int)x << n + 1 >> 2; }");
  CHECK(contains(text, "::workbook::sim::to<int>(x) << ::workbook::sim::by * n + 1 >> 2;"));
  CHECK(contains(
      rewrite_launches("__global__ void k() { y >>= a[i]; z = (unsigned)(long long)p[i].v * 2; }"),
      "y >>= ::workbook::sim::by * a[i]; z = (unsigned)::workbook::sim::to<long long>(p[i].v) * 2;"));
  CHECK(contains(rewrite_launches("__global__ void k() { y = x << 32 - n; z = x << 3; }"),
                 "y = x << ::workbook::sim::by * 32 - n; z = x << 3;"));
  for (const std::string code :
       {"int f(float x) { return (int)x << n; }",
        "__device__ void f() { std::pair<int, A<int>> a; int g(int); h(sizeof(int)); }"})
    CHECK_FALSE(contains(rewrite_launches(code), "workbook"));
}

TEST_CASE("printf() of device code goes by the simulator, whose types it tells") {
  CHECK(contains(rewrite_launches("__global__ void k() { printf(\"%d\", 1); }"),
                 "{ ::workbook::sim::device_printf(\"%d\", 1); }"));
  CHECK(contains(
      rewrite_launches("__host__ __device__ int f() { ::printf(\"a\"); return ::std::printf(\"b\"); }"),
      "{ ::workbook::sim::device_printf(\"a\"); return ::workbook::sim::device_printf(\"b\"); }"));
  for (const std::string code : {"int main() { printf(\"%d\", 1); }",
                                 "__device__ void f(Log l) { l.printf(\"a\"); own::printf(\"b\"); }"})
    CHECK_FALSE(contains(rewrite_launches(code), "device_printf"));
}
