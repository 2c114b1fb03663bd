#include "host_names.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "checker.h"
#include "diagnosis.h"
#include "sim/engine/host_copies.h"
#include "sim/engine/registered.h"
#include "sim/source/pc.h"
#include "workbook_sim/two_spaces.h"

namespace workbook::sim {
namespace {

struct Named {
  std::size_t bytes;
  std::string name;
};

struct HostVariables {
  static HostVariables& get() {
    static HostVariables& all = *new HostVariables;
    return all;
  }
  std::mutex mutex;
  std::map<std::uintptr_t, Named> by_address;
};

std::atomic<bool> any{false};

/// Empty: none is there.
std::string name_at(std::uintptr_t address) {
  HostVariables& all = HostVariables::get();
  const std::lock_guard lock(all.mutex);
  const auto after = all.by_address.upper_bound(address);
  if (after == all.by_address.begin()) return "";
  const auto& [begin, variable] = *std::prev(after);
  return address < begin + variable.bytes ? variable.name : "";
}

}  // namespace

bool has_host_variables() { return any.load(std::memory_order_relaxed); }

void see_host_variable(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc) {
  const EngineScope scope;
  const std::string name = name_at(address);
  if (name.empty() || find_device_variable(address) != nullptr || is_registered(address)) return;
  findings().add(runs::FindingClass::host_deref, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = name;
    f.message =
        scene.name(*f.who) + " " + verb(kind) + " " + name +
        ", a variable of the host's, which no kernel can reach: where a kernel names it, nvcc ends with "
        "'identifier \"" +
        name + "\" is undefined in device code'.";
    f.advice =
        "Give the kernel its value as an argument; or declare it __constant__ or __device__, and set it by "
        "cudaMemcpyToSymbol().";
  });
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

void workbook_sim_register_host_variable(const volatile void* variable, std::size_t bytes, const char* name) {
  HostVariables& all = HostVariables::get();
  const std::lock_guard lock(all.mutex);
  all.by_address.try_emplace(reinterpret_cast<std::uintptr_t>(variable), Named{bytes, name});
  any = true;
}

void workbook_sim_runs_on_host() {
  Worker* const worker = this_worker;
  if (worker == nullptr || worker->current == nullptr || !worker->events) return;
  const Scene& scene = checker_of(*worker).scene;
  if (!scene.modes.check) return;
  const Pc pc = WORKBOOK_PC;
  const EngineScope scope;
  findings().add(workbook::runs::FindingClass::host_deref, pc, 0, [&](workbook::runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*worker->running);
    f.message =
        scene.name(*f.who) +
        " runs a lambda of the host's: without __device__ nvcc makes no code of it for kernels, and refuses "
        "to compile a kernel that is given one.";
    f.advice =
        "Write [=] __device__ (...) { ... }, or [=] __host__ __device__ (...), and give nvcc --extended-lambda; or "
        "make it a struct with a __device__ operator().";
  });
}

}  // extern "C"
