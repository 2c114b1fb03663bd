// Copies and fills, of plain ranges, pitched rows and boxes.
#include "sim/runtime/copies.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "sim/check/diagnosis.h"
#include "sim/check/unread_copies.h"
#include "sim/check/unset_copies.h"
#include "sim/engine/host_copies.h"
#include "sim/engine/launch.h"
#include "sim/runtime/crossings.h"
#include "sim/runtime/host_log.h"
#include "sim/runtime/node_facts.h"
#include "sim/source/symbols.h"
#include "workbook_sim/runtime/symbols.h"
#include "workbook_sim/two_spaces.h"

namespace workbook::sim {
namespace {

/// A lost device moves nothing: what the program reads afterwards is what was there. Its own memory is still
/// filled, so that the launches that follow find what they should.
bool host_sees(const void* pointer) {
  const Side side = point_to(pointer).side;
  return side != Side::device && !in_program_image(reinterpret_cast<std::uintptr_t>(pointer));
}

/// What arrives at the host and nobody has written.
void note_unset(const Call& call, const Copy& c) {
  if (!Diagnosis::get().modes.check) return;
  if (c.kind != cudaMemcpyDeviceToHost && !host_sees(c.to.start))
    return;  // static data may be of either side
  const bool from_device = point_to(c.from.start).side == Side::device;
  auto to = reinterpret_cast<std::uintptr_t>(c.to.start),
       from = reinterpret_cast<std::uintptr_t>(c.from.start);
  for (std::size_t row = 0; row < c.to.height; ++row, to += c.to.pitch, from += c.from.pitch)
    if (from_device)
      UnsetCopies::get().copied(to, Arena::get().offset_of(from), c.to.width, call.api, call.pc);
    else
      UnsetCopies::get().moved(to, from, c.to.width);
  if (from_device && c.to.height == 1)
    if (const Pointed p = point_to(c.from.start);
        Arena::get().address_of(p.allocation->offset) == reinterpret_cast<std::uintptr_t>(c.from.start))
      UnsetCopies::get().copied_part(reinterpret_cast<std::uintptr_t>(c.to.start), *p.allocation, c.to.width,
                                     call.api, call.pc);
}

/// What a copy goes over, from the first byte of an allocation on.
void note_over(const Call& call, const Range& range) {
  const Pointed p = point_to(range.start);
  if (p.side == Side::device &&
      Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(range.start)) == p.allocation->offset)
    note_overwriting(*p.allocation, call.api, call.pc, range.width * range.height);
}

/// What a copy takes from the first byte of an allocation on, to which nothing was written yet.
void note_early(const Call& call, const Range& range) {
  const Pointed p = point_to(range.start);
  if (p.side != Side::device || p.allocation->early.call != nullptr || !Diagnosis::get().modes.check) return;
  const std::uint64_t offset = Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(range.start));
  if (offset == p.allocation->offset && Arena::get().shadow().first_uninitialised(offset, 1) == offset)
    p.allocation->early = {call.api, call.pc};
}

/// What a call fills from the first byte of an allocation on, where that is not all of it.
void note_part(const Call& call, const Range& range) {
  const Pointed p = point_to(range.start);
  if (p.side != Side::device || range.height != 1) return;
  Allocation& a = *p.allocation;
  if (Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(range.start)) == a.offset)
    a.part = range.width < a.bytes ? Allocation::Part{call.api, call.pc, range.width} : Allocation::Part{};
}

/// Two ranges of one piece of memory of the device, of which one begins in the other.
void check_overlap(const Call& call, const Copy& c) {
  const auto to = reinterpret_cast<std::uintptr_t>(c.to.start),
             from = reinterpret_cast<std::uintptr_t>(c.from.start);
  if (c.to.height != 1 || to == from || point_to(c.from.start).side != Side::device ||
      to >= from + c.from.width || from >= to + c.to.width)
    return;
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, call.pc, 0, [&](runs::Finding& f) {
    f.object = allocation_name(*point_to(c.from.start).allocation);
    f.message = std::string(call.api) + " copies " + std::to_string(c.from.width) + " bytes of " + f.object +
                " to a place " + std::to_string(to > from ? to - from : from - to) +
                " bytes away: the two overlap, and what arrives there is undefined.";
    f.advice = "Copy by way of another array, or let a kernel write to a second one and swap the pointers.";
  });
}

cudaError_t run_copy(const Call& call, const Copy& c) {
  if (c.to.span() == 0) return cudaSuccess;
  if (const cudaError_t error = check_direction(call, c.to.start, c.from.start, c.kind); error != cudaSuccess)
    return error;
  // Both are checked, for each may have its own finding.
  const bool readable = may_use(call, c.from, Use::reads);
  if (!may_use(call, c.to, Use::writes) || !readable) return cudaErrorInvalidValue;
  if (device_is_lost() && host_sees(c.to.start)) return cudaSuccess;
  check_overlap(call, c);
  auto* to = static_cast<char*>(const_cast<void*>(c.to.start));
  const auto* from = static_cast<const char*>(c.from.start);
  for (std::size_t row = 0; row < c.to.height; ++row, to += c.to.pitch, from += c.from.pitch)
    std::memmove(to, from, c.to.width);
  note_early(call, c.from);
  note_over(call, c.to);
  mark_written(c.to);
  note_part(call, c.to);
  for (std::size_t row = 0; row < c.to.height; ++row)
    note_copied(call, static_cast<const char*>(c.to.start) + row * c.to.pitch,
                static_cast<const char*>(c.from.start) + row * c.from.pitch, c.to.width);
  note_unset(call, c);
  if (launch_settings().on_fetched && point_to(c.from.start).side == Side::device && host_sees(c.to.start))
    for (std::size_t row = 0; row < c.to.height; ++row)
      launch_settings().on_fetched(static_cast<const char*>(c.to.start) + row * c.to.pitch, c.to.width);
  note_use(call, c.from, Use::reads);
  note_use(call, c.to, Use::writes);
  if (launch_settings().on_moved) {
    const auto on_device = [&](const Range& range) {
      return point_to(range.start).side == Side::device ? static_cast<double>(range.width * range.height)
                                                        : 0.0;
    };
    launch_settings().on_moved("copy", on_device(c.from), on_device(c.to));
  }
  return cudaSuccess;
}

cudaError_t run_fill(const Call& call, const Fill& fill) {
  const Range& range = fill.range;
  if (range.span() == 0) return cudaSuccess;
  if (!check_device_side(call, range.start) || !may_use(call, range, Use::writes))
    return cudaErrorInvalidValue;
  if (device_is_lost() && host_sees(range.start)) return cudaSuccess;
  auto* to = static_cast<char*>(const_cast<void*>(range.start));
  for (std::size_t row = 0; row < range.height; ++row, to += range.pitch) {
    if (fill.element_bytes == 1) {
      std::memset(to, static_cast<int>(fill.value), range.width);
      continue;
    }
    for (std::size_t i = 0; i < range.width; i += fill.element_bytes)
      std::memcpy(to + i, &fill.value, fill.element_bytes);
  }
  mark_written(range);
  note_part(call, range);
  note_use(call, range, Use::writes);
  if (launch_settings().on_moved)
    launch_settings().on_moved("set", 0.0, static_cast<double>(range.width * range.height));
  return cudaSuccess;
}

}  // namespace

std::shared_ptr<const NodeFacts> facts_of(const Copy& copy) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(copy.from.start), copy.from.pitch, copy.from.width, copy.from.height};
  p.dstPtr = {const_cast<void*>(copy.to.start), copy.to.pitch, copy.to.width, copy.to.height};
  p.extent = {copy.to.width, copy.to.height, 1};
  p.kind = copy.kind;
  return std::make_shared<const NodeFacts>(NodeFacts{p});
}

std::shared_ptr<const NodeFacts> facts_of(const Fill& fill) {
  const Range& r = fill.range;
  return std::make_shared<const NodeFacts>(
      NodeFacts{cudaMemsetParams{const_cast<void*>(r.start), r.pitch, fill.value, fill.element_bytes,
                                 r.width / fill.element_bytes, r.height}});
}

Work copy_work(const Call& call, const Copy& copy) {
  return {cudaGraphNodeTypeMemcpy,
          [call, copy](cudaStream_t) { return run_copy(call, copy); },
          copy_cost(copy.to.start, copy.from.start, copy.to.width * copy.to.height),
          nullptr,
          call,
          {},
          facts_of(copy)};
}

bool pitches_fit(const Copy& c) {
  return c.to.height < 2 || (c.to.pitch >= c.to.width && c.from.pitch >= c.from.width);
}

Work fill_work(const Call& call, const Fill& fill) {
  return {cudaGraphNodeTypeMemset,
          [call, fill](cudaStream_t) { return run_fill(call, fill); },
          fill_cost(fill.range.width * fill.range.height),
          nullptr,
          call,
          {},
          facts_of(fill)};
}

Box box_of(const cudaPitchedPtr& p, const cudaPos& at) {
  const std::size_t slice = p.pitch * p.ysize;
  return {static_cast<const char*>(p.ptr) + at.z * slice + at.y * p.pitch + at.x, p.pitch, slice};
}

cudaError_t copy_now(const Call& call, const Copy& copy) {
  const auto on_device = [](const Range& range) { return point_to(range.start).side == Side::device; };
  // From device to device it is as the kernels before it: the host goes on.
  const bool ends = !on_device(copy.to) || !on_device(copy.from);
  return finish_waiting(enqueue_and_wait(copy_work(call, copy), ends));
}

cudaError_t copy_async(const Call& call, const Copy& copy, cudaStream_t stream) {
  const cudaError_t error = enqueue(stream, copy_work(call, copy));
  // Copies of pageable memory are staged while the host waits.
  const bool staged = is_pageable(copy.to.start) || is_pageable(copy.from.start);
  if (!staged || is_capturing(stream)) return finish(error);
  // What is copied from it is put aside, and goes on in the stream.
  if (is_pageable(copy.to.start) || is_legacy(stream))
    StreamOrder::get().host_waits_for(find_stream(stream)->lane);
  host_waits_for(stream);
  HostLog::get().latest_waits();
  return finish_waiting(error);
}

namespace {

Range row_of(const void* start, std::size_t bytes) { return {start, bytes}; }

cudaError_t fill(const Call& call, const Range& range, int value, cudaStream_t stream) {
  if (range.height > 1 && range.pitch < range.width) return finish(cudaErrorInvalidPitchValue);
  return finish(enqueue(stream, fill_work(call, {range, static_cast<unsigned int>(value), 1})));
}

/// The host goes on, but for memory that it may use, too.
cudaError_t fill_now(const Call& call, const Range& range, int value) {
  const cudaError_t error = fill(call, range, value, nullptr);
  if (const Side side = point_to(range.start).side; side == Side::managed || side == Side::pinned)
    StreamOrder::get().host_waits_for(find_stream(nullptr)->lane);
  return error;
}

cudaError_t fill_box(const Call& call, const cudaPitchedPtr& pitched, int value, const cudaExtent& extent,
                     cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z) {
    const Range slice{box_of(pitched, {0, 0, z}).start, extent.width, extent.height, pitched.pitch};
    error = fill(call, slice, value, stream);
  }
  return error;
}

/// What elements are whose bytes all have one value.
std::string filled_element(unsigned char byte, std::size_t element_bytes, bool real) {
  unsigned char bytes[sizeof(std::uint64_t)];
  std::fill(std::begin(bytes), std::end(bytes), byte);
  std::uint64_t whole;
  std::memcpy(&whole, bytes, sizeof whole);
  if (!real) return std::to_string(whole >> 8 * (sizeof whole - element_bytes));
  char text[32];
  float narrow;
  double wide;
  std::memcpy(&narrow, bytes, sizeof narrow);
  std::memcpy(&wide, bytes, sizeof wide);
  std::snprintf(text, sizeof text, "%g", element_bytes == sizeof narrow ? static_cast<double>(narrow) : wide);
  return text;
}

cudaError_t check_symbol(const Call& call, const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                         std::size_t offset) {
  const auto address = reinterpret_cast<std::uintptr_t>(symbol);
  if (!in_program_image(address)) return cudaErrorInvalidSymbol;
  if (address < writable_image_begin() && find_device_variable(address) == nullptr) {
    Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, call.pc, 0, [&](runs::Finding& f) {
      f.message = std::string(call.api) +
                  " is given a text or a constant of the host's, and no variable of the device.";
      f.advice =
          "Give it the variable itself, without quotes: CUDA has not taken names as texts since version 5.";
    });
    return cudaErrorInvalidSymbol;
  }
  if (offset + bytes <= symbol_bytes) return cudaSuccess;
  Diagnosis::get().findings.add(runs::FindingClass::oob_global, call.pc, 0, [&](runs::Finding& f) {
    f.message = std::string(call.api) + " copies " + std::to_string(bytes) + " bytes from byte " +
                std::to_string(offset) + " on, but the variable has " + std::to_string(symbol_bytes) +
                " bytes.";
    f.advice = "The size is in bytes, as in sizeof(the variable).";
  });
  return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook;
using namespace workbook::sim;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_now(WORKBOOK_CALL, {row_of(to, bytes), row_of(from, bytes), kind});
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_async(WORKBOOK_CALL, {row_of(to, bytes), row_of(from, bytes), kind}, stream);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const Copy copy{{to, width, height, to_pitch}, {from, width, height, from_pitch}, kind};
  return pitches_fit(copy) ? copy_now(WORKBOOK_CALL, copy) : finish(cudaErrorInvalidPitchValue);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  const Copy copy{{to, width, height, to_pitch}, {from, width, height, from_pitch}, kind};
  return pitches_fit(copy) ? copy_async(WORKBOOK_CALL, copy, stream) : finish(cudaErrorInvalidPitchValue);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  if (to_device != 0 || from_device != 0) return finish(cudaErrorInvalidDevice);
  return copy_now(WORKBOOK_CALL, {row_of(to, bytes), row_of(from, bytes), cudaMemcpyDeviceToDevice});
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return finish(cudaErrorInvalidDevice);
  return copy_async(WORKBOOK_CALL, {row_of(to, bytes), row_of(from, bytes), cudaMemcpyDeviceToDevice},
                    stream);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return fill_now(WORKBOOK_CALL, row_of(pointer, bytes), value);
}

void workbook_sim_check_fill(int value, std::size_t element_bytes, bool real) {
  constexpr int kLargestCount = 9;  // of what is meant as a number; 0x3f and its like are patterns
  const bool is_byte = value >= -128 && value <= 255;
  if (!workbook_sim_is_diagnosing() || element_bytes > sizeof(std::uint64_t) ||
      (is_byte && (value <= 0 || value > kLargestCount)))
    return;
  const Pc pc = WORKBOOK_PC;
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    const auto byte = static_cast<unsigned char>(value);
    if (is_byte) f.severity = runs::Severity::warning;
    f.message = "cudaMemset sets each byte to " + std::to_string(byte) +
                (is_byte ? "" : ", the lowest byte of " + std::to_string(value)) +
                ", so that each element becomes " + filled_element(byte, element_bytes, real) + ".";
    f.advice = "Set elements to a number other than 0 in a kernel, or copy them from the host.";
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return fill(WORKBOOK_CALL, row_of(pointer, bytes), value, stream);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_now(WORKBOOK_CALL, {pointer, width, height, pitch}, value);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill(WORKBOOK_CALL, {pointer, width, height, pitch}, value, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return fill_box(WORKBOOK_CALL, pitched, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_box(WORKBOOK_CALL, pitched, value, extent, stream);
}

cudaError_t workbook_sim_copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from,
                                        std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  const Call call{"cudaMemcpyToSymbol", WORKBOOK_CALL.pc};
  symbol = workbook_sim_device_variable(symbol);
  if (const cudaError_t error = check_symbol(call, symbol, symbol_bytes, bytes, offset); error != cudaSuccess)
    return finish(error);
  const char* to = static_cast<const char*>(symbol) + offset;
  return copy_async(call, {row_of(to, bytes), row_of(from, bytes), kind}, stream);
}

cudaError_t workbook_sim_copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes,
                                          std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  const Call call{"cudaMemcpyFromSymbol", WORKBOOK_CALL.pc};
  symbol = workbook_sim_device_variable(symbol);
  if (const cudaError_t error = check_symbol(call, symbol, symbol_bytes, bytes, offset); error != cudaSuccess)
    return finish(error);
  const char* from = static_cast<const char*>(symbol) + offset;
  return copy_async(call, {row_of(to, bytes), row_of(from, bytes), kind}, stream);
}

cudaError_t workbook_sim_symbol_address(void** address, const void* symbol, std::size_t symbol_bytes) {
  const Call call{"cudaGetSymbolAddress", WORKBOOK_CALL.pc};
  if (address == nullptr) return finish(cudaErrorInvalidValue);
  symbol = workbook_sim_device_variable(symbol);
  if (const cudaError_t error = check_symbol(call, symbol, symbol_bytes, 0, 0); error != cudaSuccess)
    return finish(error);
  *address = const_cast<void*>(symbol);
  return finish(cudaSuccess);
}

}  // extern "C"
