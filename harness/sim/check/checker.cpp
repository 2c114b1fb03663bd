#include "checker.h"

#include <algorithm>

#include "bounds_findings.h"
#include "dependency_waits.h"
#include "diagnosis.h"
#include "host_names.h"
#include "host_objects.h"
#include "memory_findings.h"
#include "red_zones.h"
#include "sim/engine/fiber.h"
#include "sim/engine/loop_watch.h"
#include "sim/engine/registered.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kLargestStruct = 256;  ///< bytes; longer ranges are copies of arrays

}  // namespace

void Checker::begin_launch(const Launch& launch) {
  scene.begin_launch(launch);
  words_.begin_launch(scene, launch);
  checks.begin_launch(scene, launch);
  objects_ = HostObjects::get().any();
  shared_names_.begin_launch(launch.kernel->name);
  read_only_.begin_launch(launch);
  scene.attention = watching_ =
      Diagnosis::get().watched.is_on() || objects_ || shared_names_.is_on() || read_only_.is_on();
  accesses_ = 0;
  std::fill(std::begin(quick_sites_), std::end(quick_sites_), QuickSite{});
}

void Checker::begin_block() {
  scene.first_thread =
      static_cast<std::uint32_t>(scene.worker.block_linear() * scene.worker.launch->block_threads);
  unchecked_ = !scene.worker.launch->checks(scene.worker.block_linear());
  quick_ = scene.modes.check && scene.modes.count && !scene.modes.trace && !scene.in_cluster && !unchecked_;
  scene.block_damaged = false;
  scene.unordered = 0;
  phases_.begin_block();
  bulk.begin_block();
  products.begin_block();
  warp_storage_.begin_block();
  group_copies_.begin_block();
  shared_names_.begin_block();
  checks.begin_block(scene);
}

void Checker::end_block() {
  checks.end_block(scene);
  bulk.end_block(scene);
  products.end_block(scene);
  if (!scene.block_damaged)
    if (auto why = scene.unordered > 0 ? phases_.why_unordered(scene) : phases_.why_hasty(scene))
      findings().add(std::move(*why));
  scene.in_range = scene.copying_struct = scene.copying_apart = false;  // where a thread was ended within one
  attend(0);
}

void Checker::begin_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::size_t zero_bytes,
                         const void* group, Pc pc) {
  // Larger ones are bulk copies, which have their own rules.
  if (const std::size_t all = bytes + zero_bytes; all > 0 && all <= 16 && (from % all != 0 || to % all != 0))
    report_misaligned(
        scene,
        [&] {
          return to % all != 0 ? "the target of an asynchronous copy" : "the source of an asynchronous copy";
        },
        static_cast<std::uint32_t>(all), pc);
  start_copy({to, from, bytes, zero_bytes, group}, pc);
}

void Checker::start_copy(const Copies::Copy& copy, Pc pc) {
  scene.copying_apart = scene.is_shared(copy.to) && !scene.is_shared(copy.from);
  access_range(copy.from, copy.bytes, false, pc);
  scene.copying_apart = false;
  access_range(copy.to, copy.length(), true, pc);
  settle_stores();
  copies().begin(scene, copy);
}

void Checker::access_range(std::uintptr_t address, std::size_t bytes, bool writes, Pc pc) {
  // A struct of 12 bytes is three accesses, however it lies: its members are aligned to 4.
  std::uint32_t widest = 16;
  while (widest > 4 && bytes % widest != 0) widest /= 2;
  // A struct that is copied whole is read with the padding between its members, and with members that nobody
  // has set yet: the copy is no use of theirs.
  scene.copying_struct =
      !writes && scene.modes.check && bytes <= kLargestStruct && is_partly_written(scene, address, bytes);
  if (scene.attention) attend(address);
  scene.in_range = true;
  while (bytes > 0) {
    std::uint32_t piece = widest;
    while (piece > bytes || address % piece != 0) piece /= 2;
    if (writes)
      access<runs::Access::write>(address, piece, pc);
    else
      access<runs::Access::read>(address, piece, pc);
    address += piece;
    bytes -= piece;
  }
  scene.in_range = scene.copying_struct = false;
}

void Checker::wait_for_primary() {
  SimThread& t = *scene.worker.current;
  const EngineScope scope;
  DependencyWaits::get().note(scene.worker.gid(t), scene.worker.epoch, ++t.clock);
}

void Checker::see_store(std::uintptr_t address, std::uint32_t bytes, Pc pc) const {
  const EngineScope scope;
  Diagnosis::get().watched.see(address, bytes, pc);
}

/// The pointer to the table of an object that the host made: read to call one of its functions.
void Checker::see_object(std::uintptr_t address, Pc pc) {
  const std::optional<Pc> from = HostObjects::get().find(address);
  if (!from) return;
  {
    const EngineScope scope_of_engine;
    Diagnosis::get().crashed = true;
    findings().add(runs::FindingClass::host_deref, pc, *from, [&](runs::Finding& f) {
      f.kernel = scene.kernel();
      f.who = scene.id_of(*scene.worker.running);
      f.fatal = true;
      f.message = scene.name(*f.who) +
                  " calls a virtual function of an object that the host made: its table of functions is the "
                  "host's, and a GPU finds no function there.";
      f.advice =
          "Let a kernel make the object, with new (place) Type(...) in memory from cudaMalloc or with "
          "new; what the host copies to the device may not have virtual functions.";
    });
  }
  scene.kill();
}

/// Of this block, or of another one of its cluster, whose arrays lie as those of this block do.
WORKBOOK_HOT Access Checker::in_shared(Scene& owner, std::uintptr_t address, std::uint32_t bytes,
                                       Pc pc) const {
  const std::uint64_t offset = address - owner.shared_low;
  const std::uintptr_t here = scene.shared_low + offset;
  return {.address = address,
          .offset = offset,
          .bytes = bytes,
          .pc = pc,
          .array = scene.shared_array(here),
          .here = here,
          .owner = &owner};
}

template <runs::Access kKind, bool kSignal, Space kSpace>
WORKBOOK_HOT void Checker::show(const Access& access) {
  if (!checks.see<How<kKind, kSignal, kSpace>>(scene, access) || !scene.modes.check) return;
  constexpr Space kOfWords = kSpace == Space::heap     ? Space::arena
                             : kSpace == Space::remote ? Space::cluster
                                                       : kSpace;
  words_.touch<How<kKind, kSignal, kOfWords>>(checks, scene, access);
  checks.leave<How<kKind, kSignal, kSpace>>(scene, access);
}

template <runs::Access kKind, bool kSignal, Space kSpace>
[[gnu::noinline]] void Checker::show_apart(Access access) {
  show<kKind, kSignal, kSpace>(access);
}

template <runs::Access kKind>
WORKBOOK_HOT void Checker::pass_unchecked(std::uintptr_t address, std::uint32_t bytes) {
  const std::uint64_t offset = address - Arena::base();
  if (offset >= kArenaSpan) {
    if (kKind != runs::Access::read && scene.modes.check && in_program_image(address))
      mark_unchecked_variable(address, bytes);
    return;
  }
  if (kKind != runs::Access::read && scene.modes.check) {
    if (offset % 4 == 0 && bytes % 4 == 0)
      for (std::uint32_t at = 0; at < bytes; at += 4) arena_.shadow().initialise((offset + at) / 4, 0xf);
    else
      arena_.mark_initialised(offset, bytes);
  }
  if (offset < kArenaBytes && scene.modes.count && !Counts::is_marked<kKind>(offset)) [[unlikely]]
    mark_unchecked<kKind>(address, offset, bytes);
}

[[gnu::noinline]] void Checker::mark_unchecked_variable(std::uintptr_t address, std::uint32_t bytes) const {
  if (address - writable_image_begin() >= writable_image_bytes()) return;
  for (std::uintptr_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
    const CellLock lock(image_cell(at), scene.worker.launch->parallel);
    mark_image_written(at, std::min(address + bytes, at / 4 * 4 + 4) - at);
  }
}

template <runs::Access kKind>
[[gnu::noinline]] void Checker::mark_unchecked(std::uintptr_t address, std::uint64_t offset,
                                               std::uint32_t bytes) {
  Allocation* const allocation = arena_.find(offset);
  if (allocation == nullptr) return;
  Counts::see_uncounted<How<kKind, false, Space::arena>>(scene, {.address = address,
                                                                 .offset = offset,
                                                                 .bytes = bytes,
                                                                 .pc = 0,
                                                                 .allocation = allocation,
                                                                 .owner = &scene});
}

template <runs::Access kKind, bool kSignal>
void Checker::access(std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  Worker& worker = scene.worker;
  begin_access(*worker.current, bytes, pc);
  if (scene.attention) [[unlikely]] {
    attend(address);
    if (watching_ && kKind != runs::Access::read) see_store(address, bytes, pc);
    if (objects_ && kKind == runs::Access::read && bytes == sizeof(void*)) see_object(address, pc);
    if (shared_names_.is_on() && scene.is_shared(address))
      shared_names_.see(scene, address, bytes, kKind, pc);
    if (read_only_.is_on() && kKind == runs::Access::read && !kSignal && !unchecked_)
      read_only_.see(scene, address - Arena::base(), pc);
  }
  if (worker.loops->close()) [[unlikely]]
    worker.loops->access(address, bytes, kKind != runs::Access::read, pc);
  if (unchecked_) return pass_unchecked<kKind>(address, bytes);
  if (scene.is_shared(address)) {
    if (!scene.in_cluster) [[likely]]
      return show<kKind, kSignal, Space::shared>(in_shared(scene, address, bytes, pc));
    return show_apart<kKind, kSignal, Space::cluster>(in_shared(scene, address, bytes, pc));
  }
  if (Arena::contains(address)) {
    const std::uint64_t offset = address - Arena::base();
    if (offset < kArenaBytes) [[likely]]
      return show<kKind, kSignal, Space::arena>({.address = address,
                                                 .offset = offset,
                                                 .bytes = bytes,
                                                 .pc = pc,
                                                 .allocation = Arena::get().find(offset),
                                                 .owner = &scene});
    return show_apart<kKind, kSignal, Space::heap>({.address = address,
                                                    .offset = offset,
                                                    .bytes = bytes,
                                                    .pc = pc,
                                                    .chunk = DeviceHeap::get().find(offset),
                                                    .owner = &scene});
  }
  // Its own variables. Others' stacks take up much of the address space: a wild index that lands there is
  // one.
  if (is_on_stack_of(*worker.current->fiber, address)) {
    if (may_be_red(address, bytes)) [[unlikely]]
      see_red_zone(scene, address, bytes, kKind, pc);
    if (products.any_sums()) [[unlikely]]
      products.see_own(scene, address, bytes, kKind, pc);
    if (address % bytes != 0) [[unlikely]]
      report_misaligned(
          scene, [] { return std::string("a variable of its own"); }, bytes, pc);
    if (kKind == runs::Access::atomic) [[unlikely]]
      report_own_atomic(scene, pc);
    return;
  }
  // __device__ and __constant__ variables, and constants of the compiler's own.
  if (in_program_image(address)) {
    if ((kKind != runs::Access::read || has_host_variables()) && address >= writable_image_begin())
        [[unlikely]] {
      const ImageSite& site = image_site(static_cast<std::uint32_t>(pc - program_base()), address, kKind);
      if (kKind != runs::Access::read && site.constant && address - site.begin < site.end - site.begin)
        report_constant_store(scene, address, kKind, pc);
    }
    return show_apart<kKind, kSignal, Space::image>({.address = address,
                                                     .offset = address - writable_image_begin(),
                                                     .bytes = bytes,
                                                     .pc = pc,
                                                     .owner = &scene});
  }
  if (worker.launch->kernel->is_argument(address)) return;
  if (worker.team != nullptr)
    if (Worker* const other = Diagnosis::get().owner_of_team_shared(worker, address); other != nullptr)
      return show_apart<kKind, kSignal, Space::remote>(
          in_shared(checker_of(*other).scene, address, bytes, pc));
  if (is_registered(address)) return;
  Bounds::see_wild(scene, address, bytes, kKind, pc);
}

template <runs::Access kKind, std::uint32_t kBytes>
void Checker::quick_access(std::uintptr_t address, Pc pc) {
  Worker& worker = scene.worker;
  if (!quick_ || scene.attention || worker.loops->close() || address % kBytes != 0) [[unlikely]]
    return slow_access<kKind, kBytes>(address, pc);
  if (address - scene.shared_low < scene.shared_span) return quick_shared<kKind, kBytes>(address, pc);
  if (address - Arena::base() < kArenaBytes) return quick_device<kKind, kBytes>(address, pc);
  SimThread& t = *worker.current;
  if (is_on_stack_of(*t.fiber, address)) {
    if (products.any_sums() || may_be_red(address, kBytes)) [[unlikely]]
      return access<kKind, false>(address, kBytes, pc);
    return begin_access(t, kBytes, pc);
  }
  if (kKind == runs::Access::read && address - writable_image_begin() < writable_image_bytes())
    return quick_image<kBytes>(address, pc);
  access<kKind, false>(address, kBytes, pc);
}

template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void Checker::slow_access(std::uintptr_t address, Pc pc) {
  if (!unchecked_ || scene.attention || scene.worker.loops->close())
    return access<kKind, false>(address, kBytes, pc);
  begin_access(*scene.worker.current, kBytes, pc);
  pass_unchecked<kKind>(address, kBytes);
}

// What follows calls nothing but in its last step, so that it saves no register: where something else is to
// be done first, that is done by a function which then calls it anew.

template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void Checker::quick_shared(std::uintptr_t address, Pc pc) {
  using Kind = How<kKind, false, Space::shared>;
  const std::uint64_t offset = address - scene.shared_low;
  if (!scene.is_within_array(offset) && scene.array_around(offset, kBytes) == nullptr) [[unlikely]]
    return access<kKind, false>(address, kBytes, pc);
  SimThread& t = *scene.worker.current;
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  AccessLog& log = counts().log;
  if (!log.follows(t.linear, Place(at, true, kKind, kBytes))) [[unlikely]]
    return follow<kKind, kBytes, Space::shared>(address, pc);
  begin_access(t, kBytes, pc);
  if (log.put(t.linear, static_cast<std::uint32_t>(offset / 4))) [[unlikely]]
    return touch_after_wait<kKind, kBytes, Space::shared>(address, pc);
  const std::uint32_t mask = kBytes < 4 ? ((1u << kBytes) - 1) << offset % 4 : 0xf;
  for (std::uint32_t k = 0; k < kBytes; k += 4) {
    Cell& cell = scene.shared_cells[(offset + k) / 4];
    const bool passes = kKind == runs::Access::read ? note_quick_read(cell, scene.worker, mask, at)
                                                    : note_quick_write(cell, scene.worker, mask, at);
    if (!passes) [[unlikely]]
      return touch_apart<Kind>(address + k, kBytes - k, pc);
  }
}

template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void Checker::quick_device(std::uintptr_t address, Pc pc) {
  using Kind = How<kKind, false, Space::arena>;
  SimThread& t = *scene.worker.current;
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  const std::uint64_t offset = address - Arena::base();
  const QuickSite& site = quick_sites_[(at * 0x9e3779b1u) >> 24];
  if (site.where != (std::uint64_t{at} << 32 | t.warp_base) ||
      site.when != (std::uint64_t{scene.worker.epoch} << 32 | t.clock) || offset - site.low > site.room ||
      site.releases != Arena::releases()) [[unlikely]]
    return settle<kKind, kBytes>(address, pc);
  if (!Counts::is_marked<kKind>(offset)) [[unlikely]]
    return mark<kKind, kBytes>(address, pc);
  AccessLog& log = counts().log;
  if (!log.follows(t.linear, Place(at, false, kKind, kBytes))) [[unlikely]]
    return follow<kKind, kBytes, Space::arena>(address, pc);
  begin_access(t, kBytes, pc);
  if (log.put(t.linear, static_cast<std::uint32_t>(offset / 4))) [[unlikely]]
    return touch_after_wait<kKind, kBytes, Space::arena>(address, pc);
  if constexpr (kBytes < 4) return touch_apart<Kind>(address, kBytes, pc);
  const Shadow::Record mine = site.record | t.linear % kWarpSize;
  for (std::uint32_t k = 0; k < kBytes; k += 4) {
    const std::uint64_t word = (offset + k) / 4;
    const bool passes = kKind == runs::Access::read ? words_.pass_simple_read(word, mine)
                                                    : words_.pass_simple_write(word, mine);
    if (!passes) [[unlikely]]
      return kBytes == 4 ? touch_as<Kind>(address, pc) : touch_apart<Kind>(address + k, kBytes - k, pc);
  }
}

/// At a place that is settled, of a sector that the launch has not marked. Then the thread goes on there.
template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void Checker::mark(std::uintptr_t address, Pc pc) {
  const std::uint64_t offset = address - Arena::base();
  Counts::see_uncounted<How<kKind, false, Space::arena>>(scene, {.address = address,
                                                                 .offset = offset,
                                                                 .bytes = kBytes,
                                                                 .pc = pc,
                                                                 .allocation = arena_.find(offset),
                                                                 .owner = &scene});
  quick_device<kKind, kBytes>(address, pc);
}

/// A whole word at a place that is settled, within bounds and counted.
template <class Kind>
[[gnu::noinline]] void Checker::touch_as(std::uintptr_t address, Pc pc) {
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  const Shadow::Record of_warp = quick_sites_[(at * 0x9e3779b1u) >> 24].record;
  words_.touch_device_word_as<Kind>(checks, scene, address - Arena::base(), 0xf, at,
                                    of_warp | scene.worker.current->linear % kWarpSize);
}

/// Finds what holds for the running thread at this place, and lets it go on there.
template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void Checker::settle(std::uintptr_t address, Pc pc) {
  const SimThread& t = *scene.worker.current;
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  const std::uint64_t offset = address - Arena::base();
  const std::uint32_t releases = Arena::releases();
  Allocation* const a = arena_.find(offset);
  const bool inside = a != nullptr && offset >= a->offset && offset + kBytes <= a->offset + a->bytes;
  const Shadow::Record record = inside ? words_.record_of_warp(scene, at) : 0;
  if (record == 0) return access<kKind, false>(address, kBytes, pc);
  quick_sites_[(at * 0x9e3779b1u) >> 24] = {std::uint64_t{at} << 32 | t.warp_base,
                                            std::uint64_t{scene.worker.epoch} << 32 | t.clock,
                                            a->offset,
                                            a->bytes - kBytes,
                                            record,
                                            releases};
  quick_device<kKind, kBytes>(address, pc);
}

template <runs::Access kKind, std::uint32_t kBytes, Space kSpace>
[[gnu::noinline]] void Checker::follow(std::uintptr_t address, Pc pc) {
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  counts().log.make_follow(scene.worker.current->linear, Place(at, kSpace == Space::shared, kKind, kBytes));
  if constexpr (kSpace == Space::shared)
    quick_shared<kKind, kBytes>(address, pc);
  else
    quick_device<kKind, kBytes>(address, pc);
}

template <runs::Access kKind, std::uint32_t kBytes, Space kSpace>
[[gnu::noinline]] void Checker::touch_after_wait(std::uintptr_t address, Pc pc) {
  scene.wait_for_log();
  touch_apart<How<kKind, false, kSpace>>(address, kBytes, pc);
}

/// An access that is within bounds and counted.
template <class Kind>
[[gnu::noinline]] void Checker::touch_apart(std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  const std::uintptr_t low = Kind::kSpace == Space::shared ? scene.shared_low : Arena::base();
  const Access a{.address = address, .offset = address - low, .bytes = bytes, .pc = pc, .owner = &scene};
  words_.touch<Kind>(checks, scene, a);
}

#define WORKBOOK_QUICK(BYTES)                                                         \
  template void Checker::quick_access<runs::Access::read, BYTES>(std::uintptr_t, Pc); \
  template void Checker::quick_access<runs::Access::write, BYTES>(std::uintptr_t, Pc);
WORKBOOK_QUICK(1)
WORKBOOK_QUICK(2)
WORKBOOK_QUICK(4)
WORKBOOK_QUICK(8)
WORKBOOK_QUICK(16)
#undef WORKBOOK_QUICK

template void Checker::access<runs::Access::read, false>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::read, true>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::write, false>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::write, true>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::atomic, true>(std::uintptr_t, std::uint32_t, Pc);

}  // namespace workbook::sim
