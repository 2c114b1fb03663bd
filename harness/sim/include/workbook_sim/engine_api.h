// What the CUDA headers of the simulator ask of its engine, beside barriers (builtins.h), warp operations
// (warp.h) and atomics (atomics.h). The return address of each call is the source line that findings name, so
// headers call these from always_inline functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

namespace workbook::sim {
/// Where wmma's matrices lie, and how far apart their rows, in bytes: multiples of these.
inline constexpr std::size_t kFragmentBytes = 32, kFragmentStrideBytes = 16;
}  // namespace workbook::sim

extern "C" {

/// Lanes of the calling thread's warp that run together here: waits until every other lane of the warp is
/// here, waits elsewhere or has exited. What __activemask() returns, without its warning.
std::uint32_t workbook_sim_converged_lanes();

/// All lanes of `mask` meet; the last to come calls combine(lanes, mask) once, where lanes[i] is what lane i
/// passed as `mine` (null where the mask has no bit). Nothing combine() does is traced. Orders no memory.
void workbook_sim_warp_collective(std::uint32_t mask, void* mine,
                                  void (*combine)(void* const* lanes, std::uint32_t mask));

/// The same for what is counted otherwise: mma.sync, and ldmatrix, which hands on what it has read.
void workbook_sim_warp_exchange(std::uint32_t mask, void* mine,
                                void (*combine)(void* const* lanes, std::uint32_t mask));

/// Tells that the next shuffle of the calling thread goes further than its group of `width` lanes reaches.
void workbook_sim_shuffle_past(unsigned int distance, unsigned int width);
/// The same of one that asks for a rank that its group of `size` lanes does not have.
void workbook_sim_rank_past(unsigned int rank, unsigned int size);

/// An address in shared memory of the calling block as a number of 32 bits, which PTX wants, and back.
std::size_t workbook_sim_shared_offset(const void* address);
const void* workbook_sim_shared_address(std::size_t offset);
/// The same number for the block of that rank in the cluster (mapa).
std::size_t workbook_sim_shared_of_rank(std::size_t offset, unsigned int rank);

/// What a warp loads or stores as a fragment may lie wrong: tells of it where it does.
void workbook_sim_fragment_lies(const void* matrix, std::size_t stride_bytes);

/// The calling lane uses the temporary storage of a cub::WarpReduce or WarpScan of `width` lanes. For the
/// diagnosis alone: advice where others have used it before and nothing orders the two.
void workbook_sim_warp_storage(const void* storage, unsigned int width);

/// The calling lane takes part in what needs its whole warp (tensor cores), and only these lanes have come.
void workbook_sim_warp_part(std::uint32_t came);

/// Counts what the tensor cores multiply and add: runs::LaunchCounters::tensor_flops.
void workbook_sim_tensor_flops(double flops);
/// Likewise for an mma.sync, which is no warp operation of its own but the part that it is of a wmma
/// product: the hardware makes two of one such.
void workbook_sim_mma(double flops);

/// Whether the caller is a kernel's thread.
bool workbook_sim_on_device() __attribute__((const));
/// cudaGridDependencySynchronize() and its kin, and griddepcontrol; `call` names it.
void workbook_sim_grid_dependency(const char* call, bool waits);

/// Lets other threads run; what a loop that waits for another thread calls in each turn.
void workbook_sim_yield();

/// Happens-before for the headers' own synchronisation objects: what the calling thread did before
/// release(object) is ordered before what any thread does after a later acquire(object). Scope: the grid.
void workbook_sim_release(const void* object);
void workbook_sim_acquire(const void* object);

/// Tells the diagnosis that [address, address + bytes) is written or read here by the calling thread, as one
/// access of that many bytes where bytes is 1, 2, 4, 8 or 16: for code whose own accesses are not traced.
void workbook_sim_touch(const void* address, std::size_t bytes, bool writes);

/// Asynchronous copy to shared memory: `bytes` are copied and `zero_bytes` more are zeroed when it completes.
/// Until then any access to the destination is a race. `group` null: the calling thread's own copies, as
/// cp.async has them; else whatever object completes them.
void workbook_sim_async_copy(void* to, const void* from, std::size_t bytes, std::size_t zero_bytes,
                             const void* group);
/// A bulk copy to shared memory, likewise; `group`: the barrier that it completes.
void workbook_sim_bulk_load(void* to, const void* from, std::size_t bytes, const void* group);
/// A bulk copy out of shared memory begins, which the caller makes: until the thread has waited for its group
/// (cp.async.bulk.commit_group, cp.async.bulk.wait_group), whoever writes there races with it.
void workbook_sim_bulk_store(const void* from, std::size_t bytes);
void workbook_sim_bulk_commit();
void workbook_sim_bulk_wait(unsigned int pending);
/// fence.proxy.async: bulk copies see what the thread has stored before.
void workbook_sim_fence_proxy();
/// For the diagnosis alone: the calling thread takes its part in a memcpy_async() of its whole block; it has
/// waited for such, with the others.
void workbook_sim_block_copies();
void workbook_sim_block_waited();
/// Closes the calling thread's open group of copies (cp.async.commit_group).
void workbook_sim_async_commit();
/// Completes all but the latest `pending` closed groups of the calling thread (cp.async.wait_group).
void workbook_sim_async_wait(unsigned int pending);
/// The calling thread's copies that nobody has waited for are of `group` from here on: an mbarrier.
void workbook_sim_async_bind(const void* group);
/// The copies of `group`, whichever thread of the block began them, may be complete from here on; the calling
/// thread does not wait.
void workbook_sim_async_complete(const void* group);
/// The calling thread has waited for `group`: what may be complete of it is.
void workbook_sim_async_arrive(const void* group);
/// For the clock alone, of a pipeline in which every thread produces and consumes: the calling thread has
/// committed its part of the stage whose copies `group` completes; or it has waited for the oldest stage,
/// with `pending` later ones committed.
void workbook_sim_stage_commit(const void* group);
void workbook_sim_stage_wait(unsigned int pending);

/// By thread of the calling thread's block, what it lays there for the others of its tile; no traced memory.
void** workbook_sim_tile_slots();

/// For the diagnosis alone: the calling thread's group reduces or scans, and these of its lanes have not
/// come. `works`: in one instruction, to which lanes that have ended bring nothing.
void workbook_sim_absent_lanes(std::uint32_t lanes, bool works);

/// What becomes of a cuda::barrier, for the diagnosis alone: init(); arrivals, before they count; the end of
/// a phase; a wait for a phase that has not ended yet; a wait that is over.
void workbook_sim_barrier_start(const void* barrier, std::uint64_t expected);
void workbook_sim_barrier_arrive(const void* barrier, std::uint64_t arrivals, std::uint64_t drops);
void workbook_sim_barrier_phase_ends(const void* barrier);
void workbook_sim_barrier_wait(const void* barrier);
void workbook_sim_barrier_pass(const void* barrier);
/// Whether a look at a phase that has ended comes too early all the same, as it may on a GPU: the first one
/// of the block from there, where a program is diagnosed.
bool workbook_sim_barrier_is_missed();

/// Waits for every block of a cooperative launch. Ends the program where the launch is not one.
void workbook_sim_grid_sync();
bool workbook_sim_grid_is_cooperative();

/// Thread block clusters (compute capability 9.0); a launch without one has clusters of one block.
unsigned int workbook_sim_cluster_extent(unsigned int axis);  ///< in blocks
unsigned int workbook_sim_cluster_block_rank();               ///< of the calling block, in its cluster
void workbook_sim_cluster_arrive();
void workbook_sim_cluster_wait();
/// Where `address`, in shared memory of the calling block, lies in the block of that rank.
void* workbook_sim_map_shared_rank(const void* address, unsigned int rank);

/// The calling thread begins a sequence of random numbers: advice where another thread has begun the same one
/// at that line.
void workbook_sim_random_begins(unsigned long long seed, unsigned long long sequence,
                                unsigned long long offset);
/// The calling thread has drawn from a state whose words are these now. `launch`: the state's own, where the
/// engine notes that. Advice where the thread has drawn the same there before.
void workbook_sim_random_draws(const unsigned int* words, unsigned int count, unsigned int* launch);

/// Ends the running kernel with a clear word: "this needs ..., which the launch does not have".
[[noreturn]] void workbook_sim_refuse(const char* what);

}  // extern "C"
