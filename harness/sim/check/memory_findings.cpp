#include "memory_findings.h"

#include <map>
#include <utility>

#include "sim/engine/deep_stack.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/runtime.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

std::string freed_where(const Allocation& freed) {
  const runs::SourceLine at = program_line(freed.freed_at);
  if (at.line <= 0) return "freed";
  return "freed at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

std::size_t counted_element(std::size_t bytes, std::size_t all) {
  for (const std::size_t element : {2, 4, 8, 16})
    if (bytes > 0 && bytes * element == all) return element;
  return 0;
}

void report_deep_stack(FindingLog& findings) {
  const DeepStack::Found& deep = DeepStack::get().found();
  if (deep.pc == 0) return;
  findings.add(runs::FindingClass::oob_local, deep.pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.kernel = deep.kernel;
    f.message = "calls of a function by itself, here, take more than " +
                std::to_string(DeepStack::kOwnCalls * deep.limit) +
                " bytes of a thread's stack, of which a GPU gives each thread " + std::to_string(deep.limit) +
                " (cudaLimitStackSize): there it runs over, into other memory or an illegal address.";
    f.advice =
        "Make a loop of it, with an array of its own for what is still to do; or ask for more before the first launch, "
        "cudaDeviceSetLimit(cudaLimitStackSize, bytes): the depth times what `nvcc -Xptxas -v` says of a frame.";
  });
}

std::string left_as_scratch(const Allocation& a, std::string& advice) {
  if (a.scratch.call == nullptr) return "";
  const runs::SourceLine at = source_line(a.scratch.at);
  advice =
      std::string(a.scratch.call).starts_with("thrust::")
          ? "The vector is as long as before the call: erase the rest, v.erase(end, v.end()), or end where it says."
          : std::string("Read ") + a.scratch.result +
                " behind the call: which of the two that is depends on sizes.";
  return std::string(": ") + a.scratch.call + (at.line > 0 ? " at line " + std::to_string(at.line) : "") +
         " may leave anything there, its result is in " + a.scratch.result;
}

std::string partly_filled(const Allocation& a, std::uint64_t offset, std::string& advice) {
  if (const std::string scratch = left_as_scratch(a, advice); !scratch.empty()) return scratch;
  if (a.early.call != nullptr) {
    const runs::SourceLine at = source_line(a.early.at);
    advice = std::string("Are source and destination exchanged there? The destination comes first: ") +
             a.early.call + "(to, from, ...).";
    return std::string(": ") + a.early.call + (at.line > 0 ? " at line " + std::to_string(at.line) : "") +
           " copied from it as it was";
  }
  const Allocation::Part& part = a.part;
  if (part.call == nullptr || offset < a.offset + part.bytes) return "";
  const runs::SourceLine at = source_line(part.at);
  if (part.bytes == sizeof(void*) && a.bytes > part.bytes)
    advice =
        "sizeof of a pointer is 8, however long the array is that it points to: give the number of elements times "
        "the size of one.";
  else if (const std::size_t element = counted_element(part.bytes, a.bytes); element != 0)
    advice = std::string("Sizes are in bytes: give ") + part.call +
             " the number of elements times sizeof, here " + std::to_string(part.bytes) + " * " +
             std::to_string(element) + ".";
  return std::string(": ") + part.call + (at.line > 0 ? " at line " + std::to_string(at.line) : "") +
         " fills " + std::to_string(part.bytes) + " of its " + std::to_string(a.bytes) + " bytes";
}

namespace {

void report_heap_leaks(FindingLog& findings) {
  struct Leak {
    std::size_t bytes = 0, count = 0;
  };
  std::map<std::uintptr_t, Leak> calls;
  DeviceHeap::get().for_each_live([&](const DeviceHeap::Chunk& chunk) {
    Leak& leak = calls[chunk.made_at];
    leak.bytes += chunk.bytes;
    ++leak.count;
  });
  for (const auto& call : calls)
    findings.add(runs::FindingClass::leak, call.first, 0, [&](runs::Finding& f) {
      const Leak& leak = call.second;
      f.severity = runs::Severity::warning;
      f.message = std::to_string(leak.count) + (leak.count == 1 ? " allocation" : " allocations") +
                  " made here by a kernel, " + std::to_string(leak.bytes) + " bytes of the device's heap, " +
                  (leak.count == 1 ? "is" : "are") + " never freed.";
      f.advice =
          "What malloc() or new gave in a kernel stays until a kernel gives it to free() or delete, in this "
          "launch or a later one.";
    });
}

}  // namespace

void report_leaks(FindingLog& findings) {
  // Who stops at the first error of a lost device frees no more; who goes on would have freed.
  if (device_is_lost() && !lost_device_is_used()) return;
  struct Leak {
    const Allocation* first;
    std::size_t bytes = 0;
    int count = 0;
  };
  std::map<std::pair<std::string, int>, Leak> leaks;  // by line: one may be compiled to several calls
  for (const auto& a : Arena::get().allocations()) {
    if (!a->live || a->kind == MemoryKind::pinned || a->made_at == 0 || a->freed_by_graph) continue;
    const runs::SourceLine at = source_line(a->made_at);
    Leak& leak = leaks.try_emplace({at.file, at.line}, Leak{a.get()}).first->second;
    leak.bytes += a->bytes;
    ++leak.count;
  }
  report_heap_leaks(findings);
  for (const auto& [line, leak] : leaks)
    for (int i = 0; i < leak.count; ++i)
      findings.add(runs::FindingClass::leak, leak.first->made_at, 0, [&, &leak = leak](runs::Finding& f) {
        f.severity = runs::Severity::warning;
        const std::string where =
            leak.first->kind == MemoryKind::managed ? " of managed memory" : " of device memory";
        f.object = allocation_name(*leak.first);
        f.message =
            leak.count == 1
                ? f.object + ": " + std::to_string(leak.bytes) + " bytes" + where + " are never freed."
                : std::to_string(leak.count) + " allocations made here, " + std::to_string(leak.bytes) +
                      " bytes" + where + " together, are never freed.";
        f.advice = "Call cudaFree() for each when the last launch that uses it has ended.";
      });
}

std::string object_at(std::uint64_t word, bool whole) {
  const std::uintptr_t address = word * 4;
  if (Arena::contains(address)) {
    const std::uint64_t offset = address - Arena::base();
    Arena& arena = Arena::get();
    const Allocation* a = arena.find(offset);
    if (a == nullptr) a = arena.find_freed(offset);
    if (a == nullptr) return "device memory";
    return whole ? allocation_name(*a) : describe_element(*a, offset, 4);
  }
  if (in_program_image(address)) return program_variable(address);
  constexpr std::uintptr_t kMostStack = 8 << 20;  // what Linux gives a thread
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return address - here < kMostStack ? "a variable on the host's stack" : "memory of the host";
}

}  // namespace workbook::sim

extern "C" void workbook_sim_leaves_scratch(const void* begin, std::size_t bytes, const char* call,
                                            const char* result) {
  using namespace workbook::sim;
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(begin) - Arena::base();
  Arena& arena = Arena::get();
  Allocation* const a = offset < kArenaBytes ? arena.find(offset) : nullptr;
  if (a == nullptr || a->on_host() || offset % 4 != 0) return;
  a->scratch = {call, result, pc_of_program(WORKBOOK_PC)};
  for (std::uint64_t at = offset; at + 4 <= offset + bytes; at += 4)
    arena.shadow().mark_uninitialised(at / 4, 0xf);
}
