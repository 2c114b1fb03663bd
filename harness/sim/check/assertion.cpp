// The failure of an assert(). In a kernel it ends the launch, as on a GPU, where the program learns of it
// from cudaErrorAssert; on the host it does what the C library does.
#include <errno.h>

#include <cstdio>
#include <cstdlib>

#include "diagnosis.h"
#include "hooks.h"
#include "sim/engine/launch.h"

using namespace workbook;
using namespace workbook::sim;

extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned int line,
                                           const char* function) noexcept {
  if (this_worker == nullptr || this_worker->current == nullptr) {
    std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
                 function, expression);
    std::fflush(nullptr);
    std::abort();
  }
  Worker& worker = running_worker("assert()");
  const Pc pc = WORKBOOK_PC;
  {
    const EngineScope scope;
    const uint3 block = unflatten(worker.block_linear(), worker.launch->grid), thread = worker.running->index;
    std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                 line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z, expression);
    abort_launch(cudaErrorAssert);
    if (worker.events)
      Diagnosis::get().findings.add(runs::FindingClass::asserted, pc, 0, [&](runs::Finding& f) {
        f.kernel = worker.launch->kernel->name;
        f.who = checker_of(worker).scene.id_of(*worker.running);
        f.message = checker_of(worker).scene.name(*f.who) + " fails the assertion `" + expression + "`.";
        f.advice =
            "What the kernel takes for granted here does not hold for this thread: print the values it "
            "names.";
      });
  }
  worker.kill_block();
}
