#include "bounds_findings.h"

#include <cstdio>
#include <string>
#include <utility>

#include "advice.h"
#include "diagnosis.h"
#include "memory_findings.h"
#include "sim/engine/replay.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_text.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t kNearby = std::uint64_t{64} << 20;

/// A vector of `count` elements that ends past the last one, or begins there.
void describe_vector(runs::Finding& f, const std::string& who, runs::Access kind, const Allocation& a,
                     std::uint64_t offset, std::uint32_t bytes, Pc pc) {
  const auto count = static_cast<std::int64_t>(elements_of(a, bytes));
  const auto element = static_cast<std::uint64_t>(bytes) / static_cast<std::uint64_t>(count);
  const std::uint64_t end = a.offset + a.bytes;
  const bool inside = offset >= a.offset && offset < end;
  const std::string has =
      inside ? "only the first " + std::to_string((end - offset) / element) : std::string("none");
  f.message = who + " " + verb(kind) + " " + std::to_string(bytes) + " bytes from " + f.object + " on, " +
              std::to_string(count) + " elements, of which " + allocation_name(a) + " has " + has +
              ": it ends with " + describe_element(a, end - element, bytes) + ".";
  if (line_holds(source_line(pc), "memcpy_async")) {
    f.advice =
        "The last tile may be a part of one: copy as many bytes as are left there, min(tile, n - begin) elements.";
    return;
  }
  const std::int64_t row = a.shape.empty() ? static_cast<std::int64_t>(a.bytes / element) : a.shape.back();
  f.advice = row % count != 0 ? "The length of a row, " + std::to_string(row) + ", is no multiple of " +
                                    std::to_string(count) + ": its last elements take accesses of their own."
                              : "Count in vectors: compare the vector's number with the size divided by " +
                                    std::to_string(count) + ".";
}

constexpr const char* kWhatFollows =
    " On a GPU this ends the launch, and every later call returns cudaErrorIllegalAddress.";

Overrun overrun_of(const Scene& scene, const Allocation& a, std::uint64_t offset, std::uint32_t bytes,
                   runs::Access kind) {
  const auto element = static_cast<std::int64_t>(bytes / elements_of(a, bytes));
  const auto size = static_cast<std::int64_t>(a.bytes) / element;
  const std::int64_t from = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(a.offset);
  const std::int64_t index = from < 0 ? (from - element + 1) / element : from / element;
  const Launch& l = *scene.worker.launch;
  const std::vector<std::int64_t> extents = a.shape.empty() ? std::vector{size} : a.shape;
  return {verb(kind), allocation_name(a), index < 0 ? 0 : index - size + 1, index < 0 ? -index : 0,
          ragged_end(index, extents, scene.id_of(*scene.worker.running), {l.grid.x, l.grid.y, l.grid.z},
                     {l.block.x, l.block.y, l.block.z})};
}

}  // namespace

void report_misaligned(const Scene& scene, const std::function<std::string()>& object, std::uint32_t bytes,
                       Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::misaligned, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = object();
    f.message = scene.name(*f.who) + " accesses " + std::to_string(bytes) + " bytes at " + f.object +
                ", whose address is not a multiple of " + std::to_string(bytes) + ".";
    f.advice =
        "Vector accesses need an address aligned to their own size: round the offset, or use narrower ones.";
    if (bytes <= sizeof(double))
      f.advice += " A number that may begin at any byte, as in a packed record, is copied out with memcpy().";
  });
}

std::string perhaps_unset(std::uint64_t below_zero, Pc pc) {
  if (below_zero == 0 || below_zero > static_cast<std::uint64_t>(-kUnsetWord)) return "";
  const std::string name = used_without_value(source_line(pc));
  return name.empty()
             ? ""
             : " " + name + ", has no value there: has each thread that comes to this line set it before?";
}

void report_constant_store(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = program_variable(address);
    f.message =
        scene.name(*f.who) + " " + verb(kind) + " " + f.object +
        ", a __constant__ variable, which kernels may only read: on a GPU the store may be lost, or be seen by "
        "some reads and not by others.";
    f.advice =
        "Let the host set it between launches, cudaMemcpyToSymbol(); what kernels compute belongs into a __device__ "
        "variable or memory from cudaMalloc().";
  });
}

void report_own_atomic(const Scene& scene, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message =
        scene.name(*f.who) +
        " makes an atomic on a local variable: that is each thread's own, and no other sees what it adds.";
    f.advice =
        "What a block counts together is a __shared__ variable, which one thread sets before a __syncthreads(); what "
        "the grid counts lies in device memory. What a thread counts for itself needs no atomic.";
  });
}

namespace {

/// Addresses that cuMemAddressReserve() gave, and no more.
void report_closed(const Scene& scene, runs::Access kind, Pc pc) {
  Diagnosis::get().crashed = true;
  findings().add(runs::FindingClass::oob_global, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.fatal = true;
    f.object = "reserved addresses";
    f.message =
        scene.name(*f.who) + " " + verb(kind) +
        " addresses from cuMemAddressReserve() that the device may not touch: no memory is mapped there, or "
        "cuMemSetAccess() was not called since.";
    f.advice =
        std::string(
            "After cuMemMap() call cuMemSetAccess() for the mapped range, with the device's location and "
            "CU_MEM_ACCESS_FLAGS_PROT_READWRITE; does the index stay inside of what is mapped?") +
        kWhatFollows;
  });
}

}  // namespace

void report_global_bounds(const Scene& scene, std::uint64_t offset, std::uint32_t bytes, runs::Access kind,
                          Pc pc) {
  const EngineScope scope;
  Arena& arena = Arena::get();
  const bool faults = arena.is_unmapped(offset);
  if (faults) Diagnosis::get().crashed = true;
  const DeviceHeap::Chunk* const chunk = DeviceHeap::get().find(offset);
  Allocation of_heap;
  if (chunk != nullptr) of_heap = DeviceHeap::described(*chunk);
  const Allocation* a = chunk != nullptr ? &of_heap : offset < kArenaBytes ? arena.find(offset) : nullptr;
  const Allocation* freed = chunk != nullptr && !chunk->live ? &of_heap
                            : offset < kArenaBytes           ? arena.find_freed(offset)
                                                             : nullptr;
  if (freed != nullptr) {
    findings().add(runs::FindingClass::use_after_free, pc, freed->freed_at, [&](runs::Finding& f) {
      f.kernel = scene.kernel();
      f.who = scene.id_of(*scene.worker.running);
      f.object = describe_element(*freed, offset, bytes);
      f.message =
          scene.name(*f.who) + " " + verb(kind) + " " + f.object + ", which was " + freed_where(*freed) + ".";
      f.fatal = faults;
      const bool by_vector = chunk == nullptr && is_of_toolkit(source_line(freed->freed_at));
      f.advice =
          std::string(
              chunk != nullptr ? "Free memory after its last use, by whichever thread that is."
              : by_vector
                  ? "A vector that grows or is given new elements may move them to other memory, and ends "
                    "with its block: pointers to them and iterators are worth nothing then. Take "
                    "raw_pointer_cast(v.data()) anew, behind that."
                  : "Free memory after the last launch that uses it.") +
          (faults ? kWhatFollows : "");
    });
    return;
  }
  const Allocation* near = a != nullptr ? a : arena.nearest(offset, kNearby);
  if (near != nullptr && near != a && near->reserved && offset < near->offset + near->bytes) {
    report_closed(scene, kind, pc);
    return;
  }
  if (near != nullptr && (offset < near->offset || elements_of(*near, bytes) == 1)) {
    findings().add_overrun(
        runs::FindingClass::oob_global, pc, overrun_of(scene, *near, offset, bytes, kind),
        [&](runs::Finding& f) {
          f.kernel = scene.kernel();
          f.who = scene.id_of(*scene.worker.running);
          f.fatal = faults;
          f.object = describe_element(*near, offset, bytes);
          f.message = scene.name(*f.who) + " " + verb(kind) + " " + f.object + ", but " +
                      (near->name.empty() ? "it" : near->name) + " has " + describe_size(*near, bytes) + ".";
          if (offset < near->offset)
            f.advice = perhaps_unset((near->offset - offset) * elements_of(*near, bytes) / bytes, pc);
          if (faults) f.advice += kWhatFollows;
        });
    return;
  }
  findings().add(runs::FindingClass::oob_global, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.fatal = faults;
    if (near == nullptr) {
      f.object = "unallocated device memory";
      f.message = scene.name(*f.who) + " " + verb(kind) +
                  " device memory that no tensor is near: it was freed, or the "
                  "index is far out.";
      f.advice =
          std::string("Print the index for one thread, by hand or in the Mapping panel.") + kWhatFollows;
      return;
    }
    f.object = describe_element(*near, offset, bytes);
    describe_vector(f, scene.name(*f.who), kind, *near, offset, bytes, pc);
    if (faults) f.advice += kWhatFollows;
  });
}

void report_shared_bounds(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::oob_shared, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    const SharedArray* array = scene.shared_array(address);
    // Behind the kernel's own lies the compiler's mark that they are made.
    if (array != nullptr && array != &scene.arrays.front() && array->variable->name == "__tls_guard") --array;
    if (array == nullptr) {
      f.message =
          scene.name(*f.who) + " " + verb(kind) + " shared memory before the first array of the kernel.";
      f.advice = "Check the index: it is negative.";
      return;
    }
    const SharedVariable& v = *array->variable;
    f.object = describe_shared(v, address - array->begin);
    const std::size_t elements = (array->end - array->begin) / v.element_bytes;
    f.message = scene.name(*f.who) + " " + verb(kind) + " " + f.object + ", but the shared array " + v.name +
                " has " + std::to_string(elements) + (elements == 1 ? " element" : " elements") +
                (v.dynamic ? " in this launch: its third argument is " +
                                 std::to_string(array->end - array->begin) + " bytes."
                           : ".");
    f.advice = v.dynamic ? "Compare what the kernel indexes with the elements that the launch asks for."
                         : "Check the index against the array's declaration.";
  });
}

void report_image_bounds(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::oob_global, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = program_variable(address);
    f.message =
        scene.name(*f.who) + " " + verb(kind) + " " + f.object + ", which lies outside of every variable.";
    f.advice = "Check the index against the declaration of the __device__ or __constant__ array.";
  });
}

}  // namespace workbook::sim
