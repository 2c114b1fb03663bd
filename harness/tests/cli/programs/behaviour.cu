// Behaves as its first argument says, after one launch that is in order or, with "bad" as the second, is not.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(int* values, int n) { values[threadIdx.x] = n; }

__global__ void divide(int* values, int by) { values[threadIdx.x] = static_cast<int>(blockIdx.x + 7) / by; }

__device__ int recurse(int n) {
  volatile int here[32];
  here[0] = n;
  return n < 0 ? 0 : recurse(n + 1) + here[0];
}
__global__ void descend(int* values) { values[threadIdx.x] = recurse(1); }

struct AtTheEnd {
  ~AtTheEnd() { std::fputs("destroyed\n", stderr); }
} at_the_end;

void follow(volatile int* nowhere) { *nowhere = 1; }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(int));
  const bool bad = argc > 2 && std::strcmp(argv[2], "bad") == 0;
  fill<<<1, bad ? 33 : 32>>>(values, argc);
  const auto is = [&](const char* word) { return std::strcmp(how, word) == 0; };
  if (is("divide")) divide<<<512, 32>>>(values, argc - 3);
  if (is("recurse")) descend<<<512, 32>>>(values);
  cudaFree(values);
  if (is("echo"))
    for (int c; (c = std::getchar()) != EOF;) std::putchar(c);
  if (is("arguments"))
    for (int i = 0; i < argc; ++i) std::printf("%d=%s\n", i, i == 0 ? "program" : argv[i]);
  if (is("status")) return 9;
  if (is("exit")) std::exit(10);
  if (is("_exit")) _exit(11);
  if (is("quick_exit")) std::quick_exit(12);
  if (is("null")) follow(nullptr);
  if (is("abort")) std::abort();
  if (is("disorder")) {  // over what malloc() keeps behind its last block, which it finds while it holds its
                         // lock
    std::memset(std::malloc(5000), 0x41, 5064);
    std::printf("%p\n", std::malloc(100000));
  }
  if (is("throw")) throw 1;
  if (is("terminate")) std::raise(SIGTERM);
  if (is("fork")) {
    std::fflush(nullptr);
    if (fork() == 0) return 13;
    return 14;
  }
  if (is("ready")) {
    std::puts("ready");
    std::fflush(stdout);
    for (;;) pause();
  }
  for (volatile int spin = is("spin") ? 1 : 0; spin != 0;) {
  }
  if (is("sleep")) sleep(100000);
  if (is("folder")) {
    char folder[4096];
    std::puts(getcwd(folder, sizeof folder));
    std::puts(std::getenv("WORKBOOK_SIM_REPORT") ? "told of the report" : "not told of the report");
  }
  return 0;
}
