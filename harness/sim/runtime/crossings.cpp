#include "sim/runtime/crossings.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "sim/check/diagnosis.h"
#include "sim/check/host_objects.h"
#include "sim/engine/engine.h"
#include "sim/engine/fiber.h"
#include "sim/engine/host_copies.h"
#include "sim/engine/kernel_info.h"
#include "sim/engine/launch.h"
#include "sim/runtime/pointers.h"
#include "sim/source/symbols.h"
#include "workbook_sim/two_spaces.h"

namespace workbook::sim {
namespace {

/// Addresses of functions of the device, as the host has them.
struct Functions {
  static Functions& get() {
    static Functions& all = *new Functions;
    return all;
  }
  std::mutex mutex;
  std::map<std::uintptr_t, runs::SourceLine> taken;
  std::set<std::uintptr_t> read;  ///< that a variable of the device held: those are right
};

template <class Visit>
void for_words(const void* begin, std::size_t bytes, Visit visit) {
  constexpr std::size_t kWord = sizeof(std::uintptr_t);
  const auto* at = static_cast<const char*>(begin);
  const std::size_t lead = (kWord - reinterpret_cast<std::uintptr_t>(at) % kWord) % kWord;
  for (std::size_t i = lead; i + kWord <= bytes; i += kWord) {
    std::uintptr_t word;
    std::memcpy(&word, at + i, kWord);
    visit(word, i);
  }
}

void report(const runs::SourceLine& at, const runs::SourceLine& taken, const std::string& how) {
  runs::Finding f;
  f.klass = runs::FindingClass::host_deref;
  f.at = taken;
  if (at.line != taken.line || at.file != taken.file) f.other = at;
  f.message = "the host takes the address of a __device__ function here, and " + how +
              ": on a GPU that address is one of the host's, and the kernel that calls it fails.";
  f.advice =
      "Keep the address in a __device__ variable that is initialised with it, and read that with "
      "cudaMemcpyFromSymbol(); or let a template's argument name the function.";
  Diagnosis::get().findings.add(std::move(f));
}

/// A variable of the host's that holds nothing but addresses of functions. Those of kernels and of the device
/// are the host's, too.
bool is_table_of_functions(const void* from, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  if (!in_program_image(address) || find_device_variable(address) != nullptr) return false;
  std::size_t functions = 0;
  for_words(from, bytes, [&](std::uintptr_t word, std::size_t) {
    functions += in_program_image(word) && function_of(word + 1) == word - program_base();
  });
  return functions > 0 && functions * sizeof(std::uintptr_t) == bytes;
}

void report_table(const Call& call) {
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
    f.message =
        std::string(call.api) +
        " brings addresses of functions to the device that a variable of the host was initialised with: on a GPU "
        "they are the host's, and the kernel that calls one fails.";
    f.advice =
        "Let a __device__ variable be initialised with them, and use that in the kernel, or read it with "
        "cudaMemcpyFromSymbol().";
  });
}

bool is_code(std::uintptr_t address) { return in_program_image(address) && address < writable_image_begin(); }

}  // namespace

void note_copied(const Call& call, const void* to, const void* from, std::size_t bytes) {
  if (!workbook_sim_is_diagnosing()) return;
  const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
  HostObjects::get().copied(target, source, bytes, call.pc);
  Functions& all = Functions::get();
  const std::lock_guard lock(all.mutex);
  constexpr std::size_t kMost = 65536;  // a table of functions is no larger
  if (bytes > kMost) return;
  const auto is_on_device = [&] {
    return find_device_variable(target) != nullptr || point_to(to).side == Side::device;
  };
  if (is_table_of_functions(from, bytes) && is_on_device()) report_table(call);
  if (in_program_image(source)) {
    for_words(from, bytes, [&](std::uintptr_t word, std::size_t) {
      if (is_code(word)) all.read.insert(word);
    });
    return;
  }
  if (all.taken.empty() || !(in_program_image(target) || point_to(to).side == Side::device)) return;
  for_words(from, bytes, [&](std::uintptr_t word, std::size_t) {
    const auto found = all.taken.find(word);
    if (found != all.taken.end() && !all.read.contains(word))
      report(source_line(call.pc), found->second, std::string(call.api) + " brings it to the device");
  });
}

void report_launch(const LaunchConfig& config, runs::FindingClass klass, std::string message,
                   std::string advice, std::string kernel) {
  runs::Finding f;
  f.klass = klass;
  f.at = {config.file, config.line};
  f.kernel = std::move(kernel);
  f.message = std::move(message);
  f.advice = std::move(advice);
  Diagnosis::get().findings.add(std::move(f));
}

namespace {

/// A parameter that is a reference: what the kernel gets is the address that the variable has on the host.
void check_references(const LaunchConfig& config, const BoundKernel& kernel) {
  for (std::size_t i = 0; i < kernel.signature->count; ++i) {
    if (!kernel.signature->parameters[i].is_reference || config.file == nullptr) continue;
    if (point_to(kernel.arguments[i]).side != Side::pageable) continue;
    const std::string name = kernel.name != nullptr ? kernel.name : kernel_info(kernel.function).name;
    report_launch(
        config, runs::FindingClass::host_deref,
        "parameter " + std::to_string(i + 1) + " of " + name +
            " is a reference: the kernel gets the address of a variable of the host's, and fails where it "
            "reads or writes it.",
        "Take what the kernel only reads by value. Where it writes, give it a pointer to memory from "
        "cudaMalloc, and copy the result.");
  }
}

}  // namespace

void check_arguments(const LaunchConfig& config, const BoundKernel& kernel) {
  if (workbook_sim_is_diagnosing()) check_references(config, kernel);
  Functions& all = Functions::get();
  const std::lock_guard lock(all.mutex);
  if (all.taken.empty() || !workbook_sim_is_diagnosing()) return;
  for (std::size_t i = 0; i < kernel.signature->count; ++i)
    for_words(
        kernel.arguments[i], kernel.signature->parameters[i].bytes, [&](std::uintptr_t word, std::size_t) {
          const auto found = all.taken.find(word);
          if (found != all.taken.end() && !all.read.contains(word))
            report({config.file, config.line}, found->second, std::string("gives it to ") + kernel.name);
        });
}

void check_child_arguments(const LaunchConfig& config, const BoundKernel& kernel) {
  if (!workbook_sim_is_diagnosing()) return;
  const std::string kernel_name = kernel.name != nullptr ? kernel.name : kernel_info(kernel.function).name;
  for (std::size_t i = 0; i < kernel.signature->count; ++i)
    for_words(
        kernel.arguments[i], kernel.signature->parameters[i].bytes, [&](std::uintptr_t word, std::size_t) {
          const bool local = on_fiber_stack(word);
          if (!local && !this_worker->events->is_shared(word)) return;
          const std::string parent = this_worker->launch->kernel->name;
          report_launch(
              config, runs::FindingClass::bad_launch,
              parent + " gives " + kernel_name + " the address of " +
                  (local ? "a local variable of the thread that launches it"
                         : "shared memory of the block that launches it") +
                  ": another kernel finds something else there, or ends with an error.",
              "Give a kernel that a kernel launches memory from cudaMalloc, a __device__ variable, or what "
              "malloc() gives in kernels.",
              parent);
        });
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" void workbook_sim_taken_on_host(const void* function, const char* file, int line) {
  Functions& all = Functions::get();
  const std::lock_guard lock(all.mutex);
  all.taken.try_emplace(reinterpret_cast<std::uintptr_t>(function), workbook::runs::SourceLine{file, line});
}
