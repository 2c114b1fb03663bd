// Errors of calls whose results the program drops: told of at the call, unless it asks for the latest error
// behind it.
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/check/diagnosis.h"
#include "sim/runtime/call.h"
#include "workbook_sim/two_spaces.h"

namespace workbook::sim {
namespace {

struct Pending {
  static Pending& get() {
    static Pending& all = *new Pending;
    return all;
  }
  std::mutex mutex;
  struct Call {
    runs::SourceLine at;
    int error;
  };
  std::vector<Call> calls;  ///< whose errors cudaGetLastError() may still give
};

/// What because() was told last.
struct Reason {
  int error = 0;
  std::string why;
};
thread_local Reason reason;

/// Of the call that failed with this error just now; empty: nothing more is known. It is told once.
std::string take_reason(int error) {
  const Reason last = std::exchange(reason, {});
  return last.error == error ? last.why : "";
}

}  // namespace

void because(int error, std::string why) { reason = {error, std::move(why)}; }

void error_is_seen(cudaError_t error) {
  Pending& pending = Pending::get();
  const std::lock_guard lock(pending.mutex);
  std::erase_if(pending.calls, [&](const Pending::Call& call) {
    if (call.error != error) return false;
    Diagnosis::get().findings.retract(call.at);
    return true;
  });
}

}  // namespace workbook::sim

using namespace workbook;
using namespace workbook::sim;

extern "C" void workbook_sim_dropped(const char* call, const char* library, int error, const char* name,
                                     const char* file, int line) {
  const std::string why = take_reason(error);
  // What follows from a kernel's fault is said there.
  if (!workbook_sim_is_diagnosing() || device_is_lost()) return;
  runs::Finding f;
  f.klass = runs::FindingClass::bad_api_call;
  f.at = {file, line};
  const std::string text =
      std::string(library) == "cuda"
          ? std::string(name) + " (" + cudaGetErrorString(static_cast<cudaError_t>(error)) + ")"
          : std::string(name);
  f.message = std::string(call) + " fails with " + text +
              ", and the program does not look at what it returns." + (why.empty() ? "" : " " + why);
  const bool frees_host = std::string_view(call) == "cudaFreeHost";
  const bool too_early = std::string_view(call) == "cudaEventElapsedTime" && error == cudaErrorNotReady;
  f.advice =
      (too_early ? std::string("The host has not waited for the event: call cudaEventSynchronize() for the "
                               "later one first. ")
       : frees_host
           ? std::string("It frees what cudaMallocHost and cudaHostAlloc give: other memory of the host "
                         "is not pinned. ")
           : std::string("It did nothing, and what builds on it goes wrong later. ")) +
      "Test what each call returns, and end the program where it is an error.";
  {
    Pending& pending = Pending::get();
    const std::lock_guard lock(pending.mutex);
    if (std::string(library) == "cuda") pending.calls.push_back({f.at, error});
  }
  Diagnosis::get().findings.add_dropped(std::move(f));
}
