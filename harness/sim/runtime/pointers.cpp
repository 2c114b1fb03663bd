#include "sim/runtime/pointers.h"

#include <pthread.h>

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/check/diagnosis.h"
#include "sim/check/host_blocks.h"
#include "sim/check/memory_findings.h"
#include "sim/check/stream_order.h"
#include "sim/check/unset_copies.h"
#include "sim/check/unset_values.h"
#include "sim/check/words.h"
#include "sim/engine/host_copies.h"
#include "sim/engine/registered.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

std::string bytes_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

/// "d_x, which has 400 bytes: 4 bytes past its end"; what has no name is called by its size already.
std::string past_the_end(const Allocation& a, std::uint64_t end) {
  std::string text = allocation_name(a);
  if (text.find("allocation of") == std::string::npos) text += ", which has " + bytes_text(a.bytes);
  return text + ": " + bytes_text(static_cast<std::size_t>(end - a.offset - a.bytes)) + " past its end";
}

/// How much lies where the word at `address` points to, where it is the start of a block of the host's or of
/// an allocation; 0: it is not.
std::size_t bytes_pointed_to(std::uintptr_t address) {
  std::uintptr_t word;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  if (const Allocation* const a = Arena::get().find_start(reinterpret_cast<const void*>(word)); a != nullptr)
    return a->bytes;
  const auto block = HostBlocks::get().find(word);
  return block && block->begin == word ? block->bytes : 0;
}

/// Whether the range, in no block that is known, is a variable that points to as many bytes: whoever copies
/// so much there means what it points to, but where it is an array of pointers. An array of the stack that
/// nothing has written yet may hold such a pointer of an earlier call: the line has to pass an address.
bool is_pointer_itself(std::uintptr_t address, std::size_t bytes, Pc pc) {
  constexpr std::size_t kWord = sizeof(std::uintptr_t), kLargerThanStructs = 64;
  if (bytes < kLargerThanStructs || address % kWord != 0 || bytes_pointed_to(address) != bytes) return false;
  for (std::size_t i = kWord; i < kLargerThanStructs; i += kWord)
    if (bytes_pointed_to(address + i) == 0) return passes_address(pc);
  return false;
}

/// A static variable may be one of the device: its address comes from cudaGetSymbolAddress.
bool is_device_side(const void* pointer) {
  return point_to(pointer).side != Side::pageable ||
         in_program_image(reinterpret_cast<std::uintptr_t>(pointer));
}

thread_local std::uintptr_t program_frame = 0;

/// Whether the address lies on the calling thread's stack, beyond the frames of the program.
bool is_of_returned_function(std::uintptr_t address) {
  if (program_frame == 0 || address >= program_frame) return false;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return address >= reinterpret_cast<std::uintptr_t>(lowest);
}

bool is_almost_null(const void* pointer) {
  constexpr std::uintptr_t kFirstPages = 65536;  // which no system gives to a program
  return reinterpret_cast<std::uintptr_t>(pointer) < kFirstPages;
}

}  // namespace

ProgramFrame::ProgramFrame(std::uintptr_t frame) : outer_(std::exchange(program_frame, frame)) {}
ProgramFrame::~ProgramFrame() { program_frame = outer_; }

Pointed point_to(const void* pointer) {
  if (pointer == nullptr) return {Side::null};
  Arena& arena = Arena::get();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!arena.contains(address)) return {is_registered(address) ? Side::pinned : Side::pageable};
  const std::uint64_t offset = arena.offset_of(address);
  if (offset >= kArenaBytes) return {Side::heap};
  if (Allocation* a = arena.find(offset); a != nullptr) {
    switch (a->kind) {
      case MemoryKind::device:
        return {Side::device, a};
      case MemoryKind::managed:
        return {Side::managed, a};
      case MemoryKind::pinned:
        return {Side::pinned, a};
    }
  }
  if (const Allocation* freed = arena.find_freed(offset); freed != nullptr)
    return {Side::freed, nullptr, freed};
  return {Side::unallocated};
}

bool is_pageable(const void* pointer) {
  return point_to(pointer).side == Side::pageable &&
         find_device_variable(reinterpret_cast<std::uintptr_t>(pointer)) == nullptr;
}

bool may_use(const Call& call, const Range& range, Use use) {
  if (range.span() == 0) return true;
  const Pointed p = point_to(range.start);
  Arena& arena = Arena::get();
  const std::uint64_t start = arena.offset_of(reinterpret_cast<std::uintptr_t>(range.start));
  const std::uint64_t end = start + range.span();
  std::string problem;
  std::optional<HostBlocks::Freed> host_freed;
  const std::string_view api = call.api;
  const bool of_library =
      api.starts_with("cublas") || api.starts_with("cufft") || api.starts_with("cusparse");
  std::string advice =
      of_library
          ? "How much the call uses follows from what it is given, or its plan or descriptor was: sizes, the "
            "distance of rows or columns, transposed or not, how many in a batch. Compare that with the array."
          : "Compare the size of the copy with the size that was allocated: both are in bytes.";
  if (p.side == Side::null) {
    problem = "nothing: the pointer is null";
    advice = "Was it ever given to cudaMalloc, and did that succeed?";
  } else if (p.side == Side::freed) {
    problem = allocation_name(*p.freed) + ", which was " + freed_where(*p.freed);
    advice = "Free memory after its last use.";
  } else if (p.side == Side::heap) {
    problem = "the heap of kernels, which no call of the host can use";
    advice = "Let a kernel copy it to memory from cudaMalloc first.";
  } else if (p.side == Side::unallocated) {
    problem = "device memory that is not allocated";
    advice = "Does the pointer come from cudaMalloc?";
  } else if (p.allocation != nullptr && end > p.allocation->offset + p.allocation->bytes) {
    problem = past_the_end(*p.allocation, end);
  } else if (p.side == Side::pageable) {
    const auto at = reinterpret_cast<std::uintptr_t>(range.start);
    const auto block = HostBlocks::get().find(at);
    host_freed = HostBlocks::get().find_freed(at);
    if (host_freed) {
      const runs::SourceLine at_line = program_line(host_freed->pc);
      problem = "memory of the host's that was given back" +
                (is_of_program(at_line) ? " at line " + std::to_string(at_line.line) : std::string());
      advice = "Does the pointer come from a vector that has grown since, or from an object that is gone?";
    } else if (is_of_returned_function(at)) {
      problem = "a variable of a function that has returned: its place on the stack is another's now";
      advice = "Give the graph memory that lives as long as the graph is launched: from cudaMallocHost, say.";
    } else if (!block && is_pointer_itself(at, range.span(), call.pc)) {
      problem = "the place of a pointer, not of what it points to";
      advice = "Is there one & too many? A pointer, or the name of an array, is passed as it is.";
    } else if (!block || at + range.span() <= block->begin + block->bytes) {
      return true;
    } else {
      problem = "memory of the host's that has " + bytes_text(block->bytes) + ": " +
                bytes_text(at + range.span() - block->begin - block->bytes) + " past its end";
    }
    if (use == Use::writes && !host_freed)
      advice += " On a GPU it overwrites what lies behind, without a word.";
  } else {
    return true;
  }
  Diagnosis::get().findings.add(
      p.freed != nullptr || host_freed ? runs::FindingClass::use_after_free : runs::FindingClass::oob_global,
      call.pc, p.freed != nullptr ? p.freed->freed_at : 0, [&](runs::Finding& f) {
        f.object = p.allocation != nullptr ? allocation_name(*p.allocation)
                   : p.freed != nullptr    ? allocation_name(*p.freed)
                                           : "";
        f.message = std::string(call.api) + " " + (use == Use::reads ? "reads " : "writes ") +
                    bytes_text(range.span()) + " " + (use == Use::reads ? "of " : "to ") + problem + ".";
        f.advice = advice;
      });
  return false;
}

cudaError_t check_direction(const Call& call, const void* to, const void* from, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!check_no_host_copy(call, to, "cudaMemcpyToSymbol") ||
      !check_no_host_copy(call, from, "cudaMemcpyFromSymbol"))
    return cudaErrorInvalidValue;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const auto fits = [](const void* pointer, bool device_side) {
    return device_side ? is_device_side(pointer) : point_to(pointer).side != Side::device;
  };
  const bool to_fits = fits(to, to_device), from_fits = fits(from, from_device);
  if (to_fits && from_fits) return cudaSuccess;
  static constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                          "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
    const bool wants_device = to_fits ? from_device : to_device;
    const bool null = is_almost_null(to_fits ? from : to);
    f.message = std::string(call.api) + " is told " + names[kind] + ", but the " +
                (to_fits ? "source" : "destination") + " is " +
                (null           ? "no memory: its pointer is null, or an element of a null pointer."
                 : wants_device ? "host memory."
                                : "device memory.");
    f.advice = null
                   ? "Did the call that should have set the pointer fail, or set a copy of it, as a function "
                     "does that takes the pointer by value?"
                   : "The destination comes first, then the source, and the direction must fit both.";
  });
  return cudaErrorInvalidValue;
}

bool check_no_host_copy(const Call& call, const void* pointer, const char* instead) {
  const HostCopy* const copy = find_host_copy(reinterpret_cast<std::uintptr_t>(pointer));
  if (copy == nullptr) return true;
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, call.pc, 0, [&](runs::Finding& f) {
    f.object = copy->name;
    f.message = std::string(call.api) + " is given the address that host code has of " + copy->name +
                ": that is the host's own copy, and no memory of the device.";
    f.advice = std::string("Call ") + instead + "(), which takes the variable itself, or ask " +
               "cudaGetSymbolAddress() where it lies on the device.";
  });
  return false;
}

bool check_device_side(const Call& call, const void* pointer) {
  if (!check_no_host_copy(call, pointer, "cudaMemcpyToSymbol")) return false;
  if (is_device_side(pointer)) return true;
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
    f.message = std::string(call.api) + " is given host memory, but works on the device's.";
    f.advice = "Pass the pointer that cudaMalloc filled in.";
  });
  return false;
}

void note_use(const Call& call, const Range& range, Use use) {
  if (const Pointed p = point_to(range.start); use == Use::reads && p.allocation != nullptr)
    p.allocation->taken_out = true;
  if (const auto at = reinterpret_cast<std::uintptr_t>(range.start);
      use == Use::reads && std::string_view(call.api) == "cudaMemcpyAsync" && range.span() != 0 &&
      StreamOrder::followed() == nullptr && StreamOrder::has_functions() && StreamOrder::is_watched(at) &&
      is_pageable(range.start))
    StreamOrder::get().see_staging(at, range.span(), call.api, call.pc);
  // Of pageable memory the host waits, or what is read has been put aside; but not where a graph copies it.
  if (range.span() == 0 || (is_pageable(range.start) && StreamOrder::followed() == nullptr)) return;
  StreamOrder::get().note_use(reinterpret_cast<std::uintptr_t>(range.start), range.width, range.height,
                              range.pitch, use == Use::writes, call.pc);
}

void mark_written(const Range& range) {
  if (!Diagnosis::get().modes.check) return;
  const Pointed p = point_to(range.start);
  if (p.side != Side::device) {
    auto at = reinterpret_cast<std::uintptr_t>(range.start);
    for (std::size_t row = 0; row < range.height; ++row, at += range.pitch) {
      UnsetCopies::get().written(at, range.width);
      if (!in_program_image(at)) continue;
      mark_image_written(at, range.width);
      UnsetValues::get().overwritten(at, range.width);
    }
    return;
  }
  Arena& arena = Arena::get();
  std::uint64_t offset = arena.offset_of(reinterpret_cast<std::uintptr_t>(range.start));
  for (std::size_t row = 0; row < range.height; ++row, offset += range.pitch)
    arena.mark_initialised(offset, range.width);
}

}  // namespace workbook::sim
