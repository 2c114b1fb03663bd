// What all checks of one worker share: the launch's modes, where its block's shared arrays lie, what orders
// its threads, and how findings name a thread and a word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cell.h"
#include "findings.h"
#include "ordering.h"
#include "runs/trace.h"
#include "sim/engine/arena.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/engine.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

struct Modes {
  bool check = false;      ///< races, initialisation; false: bounds only
  bool count = false;      ///< requests, sectors, banks, unique bytes
  bool advise = false;     ///< findings of severity advice, from the counts
  bool in_order = false;   ///< blocks run one after another, in the same order each time
  bool trace = false;      ///< and every access goes into the trace
  bool handovers = false;  ///< and what lanes of a warp take over from each other
};

/// Where an access goes: device memory, the heap of kernels, a variable of the program, the block's shared
/// memory. `cluster`: shared memory that other blocks may map, which is judged like memory of the whole
/// launch; `remote`: that of another block of the cluster.
enum class Space : std::uint8_t { arena, heap, image, shared, cluster, remote };
constexpr bool is_shared_memory(Space space) { return space >= Space::shared; }

/// A shared variable as a worker sees it: addresses, and its size in this launch.
struct SharedArray {
  std::uintptr_t begin, end;
  const SharedVariable* variable;
  bool operator==(const SharedArray&) const = default;
};

class Scene;

/// A word, to be named.
struct Target {
  std::uint64_t offset;  ///< in bytes from where its space begins
  Space space;
  const Scene* owner;  ///< of the shared memory
};

class Scene {
 public:
  explicit Scene(Worker& w) : worker(w), ordering(w) {}
  void begin_launch(const Launch& launch);

  bool is_shared(std::uintptr_t address) const { return address - shared_low < shared_span; }
  /// Beside the shared arrays, as far as a block may have shared memory: an index gone wrong.
  bool is_near_shared(std::uintptr_t address) const {
    return shared_span > 0 && address - (shared_low - kMaxSharedBytes) < shared_span + 2 * kMaxSharedBytes;
  }
  /// The array that holds the word of `address`, or the one before it; null when none is.
  const SharedArray* shared_array(std::uintptr_t address) const {
    if (!is_shared(address)) return address < shared_low ? nullptr : &arrays.back();
    const std::uint16_t owner = array_of_[(address - shared_low) / 4];
    return owner == kSeveral ? search_shared_array(address) : &arrays[owner];
  }

  /// The array in which `bytes` at the offset from shared_low lie; null: none, or it takes a search.
  const SharedArray* array_around(std::uint64_t offset, std::uint32_t bytes) const {
    const std::uint16_t number = array_of_[offset / 4];
    if (number == kSeveral) [[unlikely]]
      return nullptr;
    const SharedArray& array = arrays[number];
    return shared_low + offset + bytes <= array.end ? &array : nullptr;
  }

  /// Whether all of the 16 bytes around the offset from shared_low lie in one array: no word of an access
  /// within them is anywhere else.
  bool is_within_array(std::uint64_t offset) const { return within_array_[offset / kGranule] != 0; }

  const char* kernel() const { return worker.launch->kernel->name; }
  runs::ThreadId id_of(const SimThread& t) const { return id_of(worker.gid(t)); }
  runs::ThreadId id_of(std::uint32_t gid) const { return thread_id(*worker.launch, gid); }
  std::string name(const runs::ThreadId& id) const;
  std::string name_of(const Target& target) const;
  std::string shared_element(std::uintptr_t address) const;

  /// Lets the block's other threads go first: what the running one is in the middle of is not what they do.
  void wait_for_log();
  /// Ends the running thread: its access cannot be let through. What its block does from here on is not
  /// looked at for consequences.
  [[noreturn]] void kill();

  Worker& worker;
  std::uint32_t first_thread = 0;  ///< of the running block, in the grid
  Ordering ordering;
  Modes modes;  ///< of this launch
  std::uintptr_t shared_low = 0, shared_span = 0;
  std::vector<SharedArray> arrays;
  std::vector<Cell> shared_cells;  ///< by word from shared_low
  bool in_cluster = false;         ///< of several blocks
  bool block_damaged = false;      ///< a thread of the running block was ended: no finding about what follows
  std::uint64_t unordered = 0;     ///< races and early uses of copies in the running block, so far
  bool attention = false;          ///< some check waits for the next access: Check::attend()
  bool in_range = false;           ///< several accesses are announced before the first is made
  bool copying_apart = false;      ///< what is read an asynchronous copy reads
  bool copying_struct = false;     ///< members that nothing wrote may be among what is read
  std::uint32_t access_bytes = 4;  ///< of the access under way, by which an untyped allocation is indexed

 private:
  static constexpr std::uint16_t kSeveral = 0xffff;  ///< a word that two arrays share
  const SharedArray* search_shared_array(std::uintptr_t address) const;
  void lay_out();

  static constexpr std::uint64_t kGranule = 16;
  std::vector<std::uint8_t> within_array_;
  std::vector<std::uint16_t>
      array_of_;  ///< by word from shared_low: index of the latest array that begins there or before
};

FindingLog& findings();

/// Where a thread was, from the 32 bits that are kept of it.
inline Pc pc_at(std::uint32_t offset) { return program_base() + offset; }
/// The other way round.
inline std::uint32_t offset_in_program(Pc pc) { return static_cast<std::uint32_t>(pc - program_base()); }

/// "reads", "writes" or "updates (atomic)".
const char* verb(runs::Access kind);

}  // namespace workbook::sim
