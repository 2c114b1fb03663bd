// The words of what a checker finds: which thread, which element, what it means, what to try.
#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "advice.h"
#include "checker.h"
#include "diagnosis.h"
#include "memory_findings.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/fiber.h"
#include "source_text.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t kNearby = std::uint64_t{16} << 20;

const char* verb(runs::Access kind) {
  return kind == runs::Access::read ? "reads" : kind == runs::Access::write ? "writes" : "updates (atomic)";
}

const char* did(runs::Access kind) { return kind == runs::Access::read ? "reads" : "writes"; }

Pc pc_at(std::uint32_t offset) { return program_base() + offset; }

FindingLog& findings() { return Diagnosis::get().findings; }

/// A vector of `count` elements that ends past the last one, or begins there.
void describe_vector(runs::Finding& f, const std::string& who, runs::Access kind, const Allocation& a,
                     std::uint64_t offset, std::uint32_t bytes) {
  const auto count = static_cast<std::int64_t>(elements_of(a, bytes));
  const auto element = static_cast<std::uint64_t>(bytes) / static_cast<std::uint64_t>(count);
  const std::uint64_t end = a.offset + a.bytes;
  const bool inside = offset >= a.offset && offset < end;
  const std::string has =
      inside ? "only the first " + std::to_string((end - offset) / element) : std::string("none");
  f.message = who + " " + verb(kind) + " " + std::to_string(bytes) + " bytes from " + f.object + " on, " +
              std::to_string(count) + " elements, of which " + allocation_name(a) + " has " + has +
              ": it ends with " + describe_element(a, end - element, bytes) + ".";
  const std::int64_t row = a.shape.empty() ? static_cast<std::int64_t>(a.bytes / element) : a.shape.back();
  f.advice = row % count != 0 ? "The length of a row, " + std::to_string(row) + ", is no multiple of " +
                                    std::to_string(count) + ": its last elements take accesses of their own."
                              : "Count in vectors: compare the vector's number with the size divided by " +
                                    std::to_string(count) + ".";
}

constexpr const char* kWhatFollows =
    " On a GPU this ends the launch, and every later call returns cudaErrorIllegalAddress.";

}  // namespace

runs::ThreadId Checker::id_of(std::uint32_t gid) const { return thread_id(*worker_.launch, gid); }

runs::ThreadId Checker::id_of(const SimThread& t) const { return id_of(worker_.gid(t)); }

std::string Checker::name(const runs::ThreadId& id) const {
  return describe_thread(id, worker_.launch->grid, worker_.launch->block);
}

std::string Checker::shared_element(std::uintptr_t address) const {
  const SharedArray* array = shared_array(address);
  if (array == nullptr) return "shared memory";
  return describe_shared(*array->variable, address - array->begin);
}

std::string Checker::name_of(const Target& target) const {
  if (is_shared_memory(target.space)) {
    std::string name = shared_element(shared_low_ + target.offset);
    if (target.owner != this) name += " of block " + std::to_string(target.owner->worker_.block_linear());
    return name;
  }
  if (target.space == Space::image) return program_variable(writable_image_begin() + target.offset);
  if (const DeviceHeap::Chunk* chunk = DeviceHeap::get().find(target.offset); chunk != nullptr)
    return describe_element(DeviceHeap::described(*chunk), target.offset, access_bytes_);
  const Allocation* a = Arena::get().find(target.offset);
  return a == nullptr ? "device memory" : describe_element(*a, target.offset, access_bytes_);
}

void Checker::report_race(const Party& before, runs::Access kind, std::uint32_t pc, const Target& target,
                          const SimThread& now, bool same_value) {
  if (block_damaged) return;
  ++races_told_;
  const EngineScope scope;
  const std::uint32_t first_of_space =
      target.space == Space::shared
          ? static_cast<std::uint32_t>(worker_.block_linear()) * worker_.launch->block_threads
          : 0;
  const std::uint32_t other = first_of_space + before.who;
  const Pc read = kind == runs::Access::read && before.atomic     ? pc_at(pc)
                  : kind == runs::Access::atomic && !before.wrote ? pc_at(before.pc)
                                                                  : 0;
  const std::uint32_t writer = worker_.gid(now);
  const auto reach_to = [&](std::uint32_t who) {
    if (who / worker_.launch->block_threads != worker_.block_linear())
      return target.space == Space::cluster ? Reach::cluster : Reach::grid;
    return who % worker_.launch->block_threads / kWarpSize == now.linear / kWarpSize ? Reach::warp
                                                                                     : Reach::block;
  };
  const Reach reach = reach_to(other);
  const std::uint64_t warp_element =
      same_value && reach == Reach::warp ? target.offset << 24 | (writer - now.linear % kWarpSize + 1) : 0;
  const Reach widest = before.beside ? std::max(reach, reach_to(first_of_space + *before.beside)) : reach;
  findings().add_race(
      is_shared_memory(target.space) ? "race_shared" : "race_global", pc_at(pc), pc_at(before.pc),
      {read, same_value, warp_element, widest}, [&](runs::Finding& f) {
        f.kernel = worker_.launch->kernel->name;
        f.who = id_of(now);
        f.other_who = id_of(other);
        f.object = name_of(target);
        f.message = name(*f.who) + " " + did(kind) + " " + f.object + ", which " + name(*f.other_who) +
                    (before.wrote ? " writes" : " reads") + ", with nothing that orders the two.";
        if (same_value) {
          f.severity = runs::Severity::advice;
          f.message = name(*f.other_who) + " and " + name(*f.who) + " both store the same value in " +
                      f.object + ", with nothing that orders the two.";
          f.advice =
              "The value is right as long as all store the same. Let one thread store it: what the others store is for "
              "nothing.";
        }
      });
}

void Checker::note_racing_store(const Party& before, std::uint32_t pc, std::uint32_t mask,
                                const Target& target) {
  if (block_damaged) return;
  ++races_told_;
  const EngineScope scope;
  const std::uintptr_t low = is_shared_memory(target.space) ? target.owner->shared_low_
                             : target.space == Space::arena ? Arena::base()
                                                            : writable_image_begin();
  const std::uintptr_t word = low + target.offset / 4 * 4;
  racing_stores_.push_back({before, pc, worker_.running->linear, target, word, mask,
                            __atomic_load_n(reinterpret_cast<const std::uint32_t*>(word), __ATOMIC_RELAXED)});
  attention_ = true;
}

void Checker::report_racing_stores(bool made) {
  SimThread* const current = std::exchange(worker_.current, nullptr);
  for (const RacingStore& s : racing_stores_) {
    const std::uint32_t changed =
        s.was ^ __atomic_load_n(reinterpret_cast<const std::uint32_t*>(s.address), __ATOMIC_RELAXED);
    std::uint32_t stored = 0;
    for (std::uint32_t byte = 0; byte < 4; ++byte)
      if (s.mask >> byte & 1u) stored |= 0xffu << 8 * byte;
    report_race(s.before, runs::Access::write, s.pc, s.target, worker_.thread(s.thread),
                made && (changed & stored) == 0);
  }
  racing_stores_.clear();
  worker_.current = current;
}

void Checker::report_in_flight(runs::Access kind, std::uint32_t pc, const Target& target,
                               std::uint32_t copy) {
  if (block_damaged) return;
  const EngineScope scope;
  findings().add("copy_not_waited", pc_at(pc), pc_at(copy), [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.object = name_of(target);
    f.message =
        name(*f.who) + " " + did(kind) + " " + f.object + " while an asynchronous copy into it is under way";
    if (target.owner->is_uncommitted(target.offset)) {
      f.message += " that is not committed.";
      f.advice =
          "A wait counts groups that are closed: __pipeline_commit() (cp.async.commit_group) closes one, "
          "behind its copies and before the wait.";
      return;
    }
    f.message += '.';
    f.advice = "Wait for the copy first (wait_group, pipeline or barrier wait), and then for the block.";
  });
}

void Checker::report_uninitialised(std::uint32_t pc, const Target& target) {
  if (block_damaged) return;
  const EngineScope scope;
  // Whether that block has written it yet, before anything says that it has begun, is luck.
  if (target.owner != this &&
      !ordering.knows_of(static_cast<std::uint32_t>(target.owner->worker_.block_linear())))
    return;
  if (target.space == Space::arena && target.offset < kArenaBytes) {
    const Allocation* a = Arena::get().find(target.offset);
    if (a != nullptr && a->on_host()) return;  // the host may have written it where no hook saw it
  }
  const bool shared = is_shared_memory(target.space);
  findings().add(shared ? "uninit_shared" : "uninit_global", pc_at(pc), 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.object = name_of(target);
    f.message = name(*f.who) + " reads " + f.object + ", which nothing has written" +
                (shared ? " in this block." : ".");
    f.advice =
        shared && loads_fragment(pc_at(pc))
            ? "Is the pitch of this load the distance between two rows as they were stored, in elements and "
              "with their padding? Did __syncthreads() or __syncwarp() come after the store?"
        : shared ? "Is the store guarded so that some threads skip it, or does it come after the read? A "
                   "__syncthreads() must lie between the store and the read."
        : target.space == Space::arena && target.offset >= kArenaBytes
            ? "What malloc() and new give holds anything: store to it first."
            : "Which launch or copy should have written it? Check that one's index, guard and size first.";
  });
}

void Checker::report_no_block(std::uint32_t who, std::uint32_t pc, std::uint64_t offset, bool ended) const {
  findings().add("race_shared", pc_at(pc), 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(who);
    f.object = shared_element(shared_low_ + offset);
    f.message = name(*f.who) + " uses " + f.object + " of another block of its cluster, which may " +
                (ended ? "have ended by then: its shared memory ends with it." : "not have begun.");
    f.advice =
        ended ? "Call cluster.sync() behind the last use of another block's shared memory, in all of them."
              : "Call cluster.sync() before the first use of another block's shared memory.";
  });
}

void Checker::report_misaligned(const std::function<std::string()>& object, std::uint32_t bytes, Pc pc) {
  const EngineScope scope;
  findings().add("misaligned", pc, 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.object = object();
    f.message = name(*f.who) + " accesses " + std::to_string(bytes) + " bytes at " + f.object +
                ", whose address is not a multiple of " + std::to_string(bytes) + ".";
    f.advice =
        "Vector accesses need an address aligned to their own size: round the offset, or use narrower ones.";
  });
}

Overrun Checker::overrun_of(const Allocation& a, std::uint64_t offset, std::uint32_t bytes) const {
  const auto element = static_cast<std::int64_t>(bytes / elements_of(a, bytes));
  const auto size = static_cast<std::int64_t>(a.bytes) / element;
  const std::int64_t from = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(a.offset);
  const std::int64_t index = from < 0 ? (from - element + 1) / element : from / element;
  const Launch& l = *worker_.launch;
  const std::vector<std::int64_t> extents = a.shape.empty() ? std::vector{size} : a.shape;
  return {index < 0 ? 0 : index - size + 1, index < 0 ? -index : 0,
          ragged_end(index, extents, id_of(*worker_.running), {l.grid.x, l.grid.y, l.grid.z},
                     {l.block.x, l.block.y, l.block.z})};
}

void Checker::report_global_bounds(std::uint64_t offset, std::uint32_t bytes, runs::Access kind, Pc pc) {
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
    findings().add("use_after_free", pc, freed->freed_at, [&](runs::Finding& f) {
      f.kernel = worker_.launch->kernel->name;
      f.who = id_of(*worker_.running);
      f.object = describe_element(*freed, offset, bytes);
      f.message =
          name(*f.who) + " " + verb(kind) + " " + f.object + ", which was " + freed_where(*freed) + ".";
      f.fatal = faults;
      f.advice = std::string(chunk != nullptr ? "Free memory after its last use, by whichever thread that is."
                                              : "Free memory after the last launch that uses it.") +
                 (faults ? kWhatFollows : "");
    });
    return;
  }
  const Allocation* near = a != nullptr ? a : arena.nearest(offset, kNearby);
  if (near != nullptr && (offset < near->offset || elements_of(*near, bytes) == 1)) {
    findings().add_overrun("oob_global", pc, overrun_of(*near, offset, bytes), [&](runs::Finding& f) {
      f.kernel = worker_.launch->kernel->name;
      f.who = id_of(*worker_.running);
      f.fatal = faults;
      f.object = describe_element(*near, offset, bytes);
      f.message = name(*f.who) + " " + verb(kind) + " " + f.object + ", but " +
                  (near->name.empty() ? "it" : near->name) + " has " + describe_size(*near, bytes) + ".";
      if (faults) f.advice = kWhatFollows;
    });
    return;
  }
  findings().add("oob_global", pc, 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.fatal = faults;
    if (near == nullptr) {
      f.object = "unallocated device memory";
      f.message = name(*f.who) + " " + verb(kind) +
                  " device memory that no tensor is near: it was freed, or the "
                  "index is far out.";
      f.advice =
          std::string("Print the index for one thread, by hand or in the Mapping panel.") + kWhatFollows;
      return;
    }
    f.object = describe_element(*near, offset, bytes);
    describe_vector(f, name(*f.who), kind, *near, offset, bytes);
    if (faults) f.advice += kWhatFollows;
  });
}

void Checker::report_shared_bounds(std::uintptr_t address, std::uint32_t, runs::Access kind, Pc pc) {
  const EngineScope scope;
  findings().add("oob_shared", pc, 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    const SharedArray* array = shared_array(address);
    if (array == nullptr) {
      f.message = name(*f.who) + " " + verb(kind) + " shared memory before the first array of the kernel.";
      f.advice = "Check the index: it is negative.";
      return;
    }
    const SharedVariable& v = *array->variable;
    f.object = describe_shared(v, address - array->begin);
    const std::size_t elements = (array->end - array->begin) / v.element_bytes;
    f.message = name(*f.who) + " " + verb(kind) + " " + f.object + ", but the shared array " + v.name +
                " has " + std::to_string(elements) + (elements == 1 ? " element" : " elements") +
                (v.dynamic ? " in this launch: its third argument is " +
                                 std::to_string(array->end - array->begin) + " bytes."
                           : ".");
    f.advice = v.dynamic ? "Compare what the kernel indexes with the elements that the launch asks for."
                         : "Check the index against the array's declaration.";
  });
}

void Checker::note_bad_index(std::uint32_t column, std::int64_t index, Pc pc) {
  if (bad_index_.pending) report_bad_index(0);
  bad_index_ = {true, column, worker_.running->linear, index, pc};
  attention_ = true;
}

const Checker::IndexedArray& Checker::array_indexed_at(Pc pc, std::uint32_t column) {
  const auto [place, fresh] = indexed_arrays_.try_emplace({pc, column});
  IndexedArray& array = place->second;
  if (!fresh) return array;
  array.name = indexed_array(pc, column);
  if (array.name.empty() || array.name.find_first_of(".>") != std::string::npos) return array;
  const bool shared = std::any_of(arrays_.begin(), arrays_.end(), [&](const SharedArray& known) {
    return known.variable->name == array.name;
  });
  array.klass = shared ? "oob_shared" : is_program_variable(array.name) ? "oob_global" : "oob_local";
  return array;
}

const char* Checker::class_of_bad_index(std::uintptr_t next_address) const {
  const bool same_thread = worker_.running == &worker_.thread(bad_index_.thread);
  if (!same_thread || next_address == 0) return "oob_local";
  if (is_near_shared(next_address)) return "oob_shared";
  return Arena::contains(next_address) || in_program_image(next_address) ? "oob_global" : "oob_local";
}

const char* Checker::stack_trouble() const {
  if (bad_index_.pc == 0) return kStackFull;
  const EngineScope scope;
  static char text[400];
  const runs::SourceLine at = source_line(bad_index_.pc);
  std::snprintf(
      text, sizeof text,
      "index %lld at %s:%d lies outside of an array, and what was stored there overwrote the thread's stack",
      static_cast<long long>(bad_index_.index), at.file.c_str(), at.line);
  return text;
}

void Checker::report_bad_index(std::uintptr_t next_address) {
  const EngineScope scope;
  bad_index_.pending = false;
  const SimThread& t = worker_.thread(bad_index_.thread);
  const auto& [array, known_klass] = array_indexed_at(bad_index_.pc, bad_index_.column);
  const char* const klass = known_klass != nullptr ? known_klass : class_of_bad_index(next_address);
  findings().add(klass, bad_index_.pc, 0, [&, &array = array](runs::Finding& f) {
    const std::string index = std::to_string(bad_index_.index);
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(t);
    if (!array.empty()) f.object = array + "[" + index + "]";
    f.message = name(*f.who) + " uses index " + index + ", which lies outside this dimension of " +
                (array.empty() ? "the array" : array) + " (column " + std::to_string(bad_index_.column) +
                ").";
    // Whose the array is, only its name or the address next to it can tell.
    const bool is_known = known_klass != nullptr || next_address != 0;
    f.advice = is_known && klass == std::string_view("oob_local")
                   ? "The array is the thread's own: what lies beside it are other variables of the thread. "
                     "Compare the index, or the loop's end, with its declaration."
                   : "Check the index against the array's declaration: each dimension has its own size.";
  });
}

void Checker::report_image_bounds(std::uintptr_t address, std::uint32_t, runs::Access kind, Pc pc) {
  const EngineScope scope;
  findings().add("oob_global", pc, 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.object = program_variable(address);
    f.message = name(*f.who) + " " + verb(kind) + " " + f.object + ", which lies outside of every variable.";
    f.advice = "Check the index against the declaration of the __device__ or __constant__ array.";
  });
}

void Checker::report_wild(std::uintptr_t address, runs::Access kind, Pc pc) {
  const EngineScope scope;
  Diagnosis::get().crashed = true;
  findings().add("oob_global", pc, 0, [&](runs::Finding& f) {
    f.kernel = worker_.launch->kernel->name;
    f.who = id_of(*worker_.running);
    f.fatal = true;
    const bool null = address < 4096;
    char hex[32];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
    f.object = hex;
    f.message = null ? name(*f.who) + " " + verb(kind) + " address " + hex + ": the pointer is null."
                     : name(*f.who) + " " + verb(kind) + " address " + hex +
                           ", which is not device memory: a host pointer, or an index far outside.";
    f.advice =
        null && DeviceHeap::get().was_full()
            ? "malloc() or new gave null: the device's heap is full. Ask for a larger one before the first "
              "launch, cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes), and test what they give."
        : null ? "Find where this pointer comes from; device memory is what the kernel is given."
               : "A kernel may only follow pointers from cudaMalloc. Check the index, then the pointer.";
  });
}

}  // namespace workbook::sim
