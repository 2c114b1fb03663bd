// Findings about addresses that are none of the device's: what lies there, and how an index may lead there.
#include <cstdio>
#include <fstream>
#include <string>

#include "bounds_findings.h"
#include "diagnosis.h"
#include "host_constants.h"
#include "memory_findings.h"
#include "sim/engine/fiber.h"
#include "sim/engine/host_copies.h"

namespace workbook::sim {
namespace {

void report_host_copy(const Scene& scene, const HostCopy& copy, std::uintptr_t address, runs::Access kind,
                      Pc pc) {
  Diagnosis::get().crashed = true;
  findings().add(runs::FindingClass::host_deref, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.fatal = true;
    f.object = describe(copy, address);
    f.message = scene.name(*f.who) + " " + verb(kind) + " " + f.object +
                " at an address that the host took: " + copy.name + " is a " +
                (copy.is_constant() ? "__constant__" : "__device__") +
                " variable, and its name in host code is that of the host's own copy.";
    f.advice = "Use " + copy.name +
               " in the kernel by its name, or give the kernel the address that "
               "cudaGetSymbolAddress() tells.";
  });
}

/// The line of the process's own table of its memory that holds the address; empty: nothing is there.
std::string mapping_of(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx", &begin, &end) == 2 && address >= begin && address < end)
      return line;
  }
  return "";
}

/// Of an address where nothing is: the first array of the device, where an int that became negative may lead
/// there from it; else null.
const Allocation* first_behind(std::uintptr_t address) {
  constexpr std::uint64_t kFarthest = std::uint64_t{16} << 31;  // 2^31 elements of 16 bytes
  const Allocation* first = nullptr;
  for (const auto& a : Arena::get().allocations())
    if (a->live && (first == nullptr || a->offset < first->offset)) first = a.get();
  if (first == nullptr) return nullptr;
  const std::uint64_t before = Arena::get().address_of(first->offset) - address;
  const std::string there = mapping_of(address);  // or what is set aside, and nobody's
  return before <= kFarthest && (there.empty() || there.find(" ---p") != std::string::npos) ? first : nullptr;
}

/// Of an address where nothing is: the array of which it would be an element from 2^32 - 2^20 on, of elements
/// of so many bytes, as of an unsigned that went below 0; else null.
const Allocation* far_behind(std::uintptr_t address, std::uint32_t bytes, std::uint64_t& index) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32, kFrom = kEnd - (std::uint64_t{1} << 20);
  for (const auto& a : Arena::get().allocations()) {
    if (!a->live) continue;
    const std::uint64_t distance = address - Arena::get().address_of(a->offset);
    index = distance / bytes;
    if (distance % bytes == 0 && index >= kFrom && index < kEnd) return a.get();
  }
  return nullptr;
}

/// "memory of the host", "a variable of thread 3 of block 0's own"; empty: the address is none that is in
/// use.
std::string owner_of(const Scene& scene, std::uintptr_t address) {
  for (std::uint32_t i = 0; i < scene.worker.launch->block_threads; ++i) {
    const SimThread& other = scene.worker.thread(i);
    if (&other != scene.worker.running && other.fiber != nullptr && is_on_stack_of(*other.fiber, address))
      return "a variable of " + scene.name(scene.id_of(other)) + "'s own";
  }
  if (HostConstants::get().contains(address)) return "a constant of the host's, as the text of a literal is";
  const std::string line = mapping_of(address);
  if (line.find(" rw") == std::string::npos) return "";
  return line.find("[stack]") != std::string::npos ? "a local variable of the host"
         : line.find("[heap]") != std::string::npos
             ? "memory of the host's, from new, malloc() or a container"
             : "";
}

}  // namespace

void report_wild(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc) {
  const EngineScope scope;
  if (const HostCopy* const copy = find_host_copy(address); copy != nullptr)
    return report_host_copy(scene, *copy, address, kind, pc);
  Diagnosis::get().crashed = true;
  findings().add(runs::FindingClass::oob_global, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.fatal = true;
    const bool null = address < 4096;
    if (const std::string whose = null ? "" : owner_of(scene, address); !whose.empty()) {
      f.object = whose;
      f.message = scene.name(*f.who) + " " + verb(kind) + " " + whose;
      if (whose.starts_with("a variable")) {
        f.message +=
            ": local variables are each thread's own, and another thread finds something else at their "
            "addresses.";
        f.advice = "Keep what threads share in a __shared__ array, or in device memory.";
      } else {
        f.message += ", which no kernel can reach.";
        f.advice =
            "Where does its address come from? A lambda that captures by reference ([&]) or a member of *this, a struct "
            "that holds a reference or a pointer, a container's data(): give the kernel a copy of the value, "
            "or memory from cudaMalloc that it was copied to.";
      }
      return;
    }
    // An instruction of .shared adds where shared memory begins to the address that it is given.
    if (const std::uintptr_t given = address - thread_local_base(); scene.is_near_shared(given)) {
      f.object = "shared memory";
      f.message =
          scene.name(*f.who) + " " + verb(kind) +
          " shared memory by the pointer itself: an instruction of .shared, as ld.shared and st.shared, "
          "takes a number that counts from where shared memory begins.";
      f.advice =
          "Convert it, unsigned at = __cvta_generic_to_shared(pointer), and give the instruction that as \"r\"; or "
          "leave .shared out, and it takes the pointer as \"l\".";
      return;
    }
    char hex[32];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
    f.object = hex;
    f.message = null ? scene.name(*f.who) + " " + verb(kind) + " address " + hex + ": the pointer is null."
                     : scene.name(*f.who) + " " + verb(kind) + " address " + hex +
                           ", which is not device memory: a host pointer, or an index far outside.";
    f.advice =
        null && DeviceHeap::get().was_full()
            ? "malloc() or new gave null: the device's heap is full. Ask for a larger one before the first "
              "launch, cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes), and test what they give."
        : null && is_of_toolkit(source_line(pc))
            ? "A vector without elements has no memory, and its begin() is null: give it as many as are stored, "
              "v.resize(n), before. reserve() makes no elements."
        : null
            ? "Find where this pointer comes from. Did its cudaMalloc() fail, or fill a copy of it, in a "
              "function that takes the pointer by value? A __device__ pointer is null until "
              "cudaMemcpyToSymbol() or a kernel sets it. A function that returns the address of its own local "
              "variable gives null here, too."
            : "A kernel may only follow pointers from cudaMalloc. Check the index, then the pointer.";
    std::uint64_t index = 0;
    const Allocation* const a = null ? nullptr : far_behind(address, bytes, index);
    const std::string unset = a == nullptr ? "" : perhaps_unset((std::uint64_t{1} << 32) - index, pc);
    if (!unset.empty())
      f.advice += unset;
    else if (a != nullptr)
      f.advice +=
          " It would be element " + std::to_string(index) + " of " + allocation_name(*a) +
          ": an unsigned that went " + std::to_string((std::uint64_t{1} << 32) - index) +
          " below 0, which no test for >= 0 finds: let the loop count in int. Or an int was negative when an "
          "unsigned was added to it, as a product is that passed 2147483647: compute that one in 64 bits.";
    else if (const Allocation* const first = null ? nullptr : first_behind(address); first != nullptr)
      f.advice +=
          " The address lies " + std::to_string(Arena::get().address_of(first->offset) - address) +
          " bytes before " + allocation_name(*first) +
          ": an int that passes 2147483647 becomes negative, as a product of row and width may. Compute such an "
          "index in 64 bits: static_cast<size_t>(row) * width.";
  });
}

}  // namespace workbook::sim
