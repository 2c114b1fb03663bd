// The record of a run: what the harness measured and found, as terminal, viewer and book read it.
// Plain data; JSON both ways in json.h, the SQLite file in store.h, the access trace in trace.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/words.h"

namespace workbook::runs {

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;  ///< dimension name and size, in order

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
};

/// Which thread, as the CUDA program numbers it.
struct ThreadId {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
};

struct SourceLine {
  std::string file;  ///< as the learner knows it, relative to the repository
  int line = 0;      ///< from 1; 0 when unknown
};

/// A tensor, or a shared array of a kernel, that launches and traces refer to by `id`.
struct TensorInfo {
  int id = 0;
  std::string name;  ///< "normalized"; for shared arrays the variable's name
  TensorSpace space = TensorSpace::global;
  TensorRole role = TensorRole::none;
  std::string dtype = "f32";
  std::vector<std::int64_t> shape;  ///< outermost first; one entry where only the length is known
  std::int64_t bytes = 0;
};

/// Bytes one launch moved between DRAM and the chip for one global tensor: unique 32-byte sectors.
struct TensorTraffic {
  int tensor = 0;  ///< TensorInfo::id; below -1: an allocation that nobody named, each its own number
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
};

/// Counters of one source line of a kernel for one kind of access.
struct SiteCounters {
  std::string kernel;
  SourceLine at;
  SiteKind kind = SiteKind::global_load;
  int tensor = -1;                 ///< TensorInfo::id, -1 when several
  std::int64_t requests = 0;       ///< warp-wide requests
  std::int64_t sectors = 0;        ///< global: 32-byte sectors over all requests
  std::int64_t ideal_sectors = 0;  ///< global: the fewest sectors that hold the bytes asked for
  std::int64_t bank_passes =
      0;                   ///< shared: passes over all requests (equal to requests when free of conflicts)
  std::int64_t bytes = 0;  ///< bytes the threads asked for
  std::int64_t lines = 0;  ///< global: 128-byte lines over all requests
  std::int64_t l1_sectors = 0;  ///< global loads: of `sectors`, those that the block had loaded before
  std::int64_t misses = 0;      ///< global loads: requests of which something had to come from the L2
  bool approximate = false;     ///< lanes could not be matched exactly, or requests were sampled
};

/// What one launch did, counted by the simulator.
struct LaunchCounters {
  std::int64_t threads = 0;
  std::int64_t dram_bytes_read = 0;  ///< unique sectors
  std::int64_t dram_bytes_written = 0;
  std::int64_t l2_sectors = 0;  ///< sectors over all global requests
  std::int64_t global_requests = 0;
  std::int64_t shared_requests = 0;
  std::int64_t shared_passes = 0;
  std::int64_t barriers = 0;       ///< block-wide barriers, counted once a block
  std::int64_t grid_barriers = 0;  ///< of these, those for all blocks of a cooperative launch
  std::int64_t atomics = 0;
  /// How often warps wait for data that their L1 does not have: loads that are on their way together (no
  /// store or barrier between them, no more than four rounds of a loop) count once, asynchronous copies where
  /// they are waited for, as the part that the stages in flight and what the warp did meanwhile leave of it.
  std::int64_t chained_misses = 0;
  std::int64_t chained_dram_misses = 0;  ///< of these, those for data that nobody had loaded before
  /// Likewise for shared memory: loads with no store, atomic or barrier between them count once, stores and
  /// atomics one by one. 0 with shared_requests above 0: a record from before they were counted.
  std::int64_t chained_shared = 0;
  std::int64_t warp_operations = 0;   ///< shuffles, votes, reductions and __syncwarp, counted once a warp
  std::int64_t cluster_barriers = 0;  ///< of clusters of several blocks, counted once a block
  /// Of shared_requests, those of which some lane reached into another block of its cluster, and how often
  /// warps wait for these: loads with no store, atomic or barrier between them count once, stores not at all.
  std::int64_t remote_requests = 0;
  std::int64_t chained_remote = 0;
  double flops = 0.0;  ///< declared by the puzzle
  /// Multiplications and additions of tensor cores, counted where fragments are multiplied: as many as in
  /// half or bfloat16 take the same time (tf32 twice, 8-bit integers half of what there are).
  double tensor_flops = 0.0;
  std::int64_t blocks_total = 0;
  std::int64_t blocks_sampled = 0;  ///< fewer than blocks_total: counters are scaled from a sample
  std::vector<TensorTraffic> traffic;
  std::vector<SiteCounters> sites;
};

/// A modelled time and what bounds it; microseconds. Source of the model: harness/clock/model.h.
struct ModelledTime {
  std::string gpu;  ///< "H200"
  double total_us = 0.0;
  double launch_us = 0.0;  ///< the fixed cost of a launch, part of the total
  double dram_us = 0.0;
  double dispatch_us = 0.0;  ///< handing out blocks, one after another
  double l2_us = 0.0;
  double sm_us = 0.0;  ///< load/store and shared-memory issue
  double arithmetic_us = 0.0;
  double tensor_us = 0.0;   ///< the tensor cores' part of the arithmetic
  double latency_us = 0.0;  ///< the longest chain of one block, times the waves
  double atomics_us = 0.0;  ///< atomics that queue for one address
  BoundBy bound = BoundBy::none;
};

struct LaunchRecord {
  std::string kernel;  ///< or what else a step did on the device: "copy", "set"
  Dim3 grid, block;
  std::int64_t shared_bytes = 0;           ///< static and dynamic, a block
  std::int64_t registers = 0;              ///< a thread; 0: not known
  std::optional<LaunchCounters> counters;  ///< absent on a GPU unless the simulator ran the same case
  std::optional<ModelledTime> modelled;
  std::vector<double> warm_us;  ///< measured samples, one a round, empty when nothing was measured
  std::vector<double> cold_us;
  std::string step;                  ///< the step of the variant that it belongs to
  std::int64_t resident_blocks = 0;  ///< as many as the modelled GPU runs at the same time; 0: not known
  /// Launches that are added up in this record: all of the kernel's in a program, of which it has grid and
  /// block of the latest.
  std::int64_t count = 1;
  std::string
      resident_limit;  ///< what bounds resident_blocks: "threads", "blocks", "shared memory", "registers"
  std::int64_t empty_slots = 0;  ///< places for warps that resident blocks leave on a multiprocessor
};

/// A call that a program's host made, and what it gave the device to do; in the order of the calls.
/// Microseconds on the modelled clock since the program began: there the host's own computation takes no
/// time, launches, loading a kernel and waiting do.
struct HostCall {
  CallKind kind = CallKind::launch;
  std::string name;                     ///< the kernel, the function of the runtime, or what NVTX was given
  std::int64_t thread = 0;              ///< of the host, by order of appearance
  std::int64_t stream = 0;              ///< likewise; 0 is the default stream
  double begin_us = 0.0, end_us = 0.0;  ///< on the host
  double device_begin_us = 0.0, device_end_us = 0.0;  ///< of its work; both 0: it has none
  bool waits = false;                                 ///< the host went on only when the device had done it
  /// One kernel: its name is `name`.
  bool is_kernel() const { return kind == CallKind::launch || kind == CallKind::kernel; }
  /// What the driver does with memory on the device; `name` is the function that asked for it.
  bool is_copy_or_set() const { return kind == CallKind::copy || kind == CallKind::set; }
  bool on_device() const { return device_end_us > device_begin_us; }
};

/// The same launches timed on one shape, end to end and each alone.
struct Benchmark {
  std::string name;  ///< "teaching" or "real"
  Sizes sizes;
  std::vector<TensorInfo> tensors;
  std::vector<LaunchRecord> launches;
  double modelled_total_us = 0.0;     ///< 0 when nothing was modelled
  std::vector<double> graph_warm_us;  ///< measured, whole variant inside a CUDA graph, one sample a round
  std::vector<double> graph_cold_us;
  std::vector<double> host_us;  ///< measured, launched one by one from the host
  double cpu_us = 0.0;  ///< the single-threaded CPU implementation on the machine that ran it; 0: not timed
  std::string note;     ///< why times or counters are missing, in a sentence; empty when they are there
  std::vector<HostCall> calls;      ///< of a program
  std::int64_t calls_left_out = 0;  ///< those behind the last one that was kept
};

/// The first element that is wrong in one tensor, and who wrote it.
struct FirstWrong {
  std::vector<std::int64_t> index;
  double got = 0.0;  ///< NaN travels in JSON as null
  double expected = 0.0;
  bool written = true;  ///< false: still holds the poison
  std::optional<ThreadId> writer;
  std::optional<SourceLine> at;
  std::string writer_name = {};  ///< "thread (8,0) of block (1,0)", as findings name it; empty: not known
  std::optional<SourceLine> called_from =
      {};  ///< where `at` is in a header: the line of a .cu file that led there
};

/// One array compared with its reference on one case.
struct Check {
  std::string who;  ///< "reference", "cpu", or the variant's name
  std::string tensor;
  double max_difference = 0.0;  ///< NaN when a NaN was met (JSON: null)
  double tolerance = 0.0;       ///< absolute
  std::int64_t wrong = 0;       ///< elements whose error is not <= tolerance
  std::int64_t total = 0;
  std::optional<FirstWrong> first_wrong;
  double relative = 0.0;  ///< tolerance on top of the absolute one, times |expected|
  /// The element whose difference is the most times what is accepted there: both. NaN as above; older
  /// records lack them (0, 0).
  double worst_difference = 0.0, worst_accepted = 0.0;
  bool correct() const { return wrong == 0; }
};

/// What a variant spent on a case, counted over all its blocks, and what its budget allows.
struct Score {
  std::string name;  ///< what is counted, as harness/core/budget.cpp calls it: "global reads"
  double spent = 0.0;
  double budget = 0.0;
  bool within() const { return spent <= budget; }
  /// So far above the budget, and so much (elements, barriers ...), that the larger shapes would take
  /// minutes.
  bool hopeless() const { return spent > 8.0 * budget && spent > 1e5; }
};

struct CaseResult {
  std::string name;
  Sizes sizes;
  std::string engine;         ///< "simulator, diagnosing", "simulator, fast" or the GPU's name
  std::vector<Check> checks;  ///< in dataflow order: the first incorrect one is where to look
  std::string diagnosis;      ///< by pattern; empty when correct or unknown
  std::vector<Score> scores;  ///< of the variants that have a budget
  /// Lines that draw which elements are wrong; empty where something else tells more.
  std::string places = {};
};

/// A defect that was seen while the program ran.
struct Finding {
  FindingClass klass = FindingClass::none;
  Severity severity = Severity::error;
  std::string kernel;
  SourceLine at;
  std::optional<SourceLine> other;  ///< races and divergent barriers: the other party
  std::optional<ThreadId> who;
  std::optional<ThreadId> other_who;
  std::string object;      ///< "y[2][0]", "tile[3][5]": tensor or allocation with index
  std::int64_t count = 1;  ///< times seen, this pair of lines, on the case `on_case`
  std::string message;     ///< what happened, one or two sentences
  std::string advice;      ///< what to try
  std::string on_case;     ///< the case that the words are about: the first, or the first that tells more
  bool fatal = false;      ///< a pointer to nowhere: a GPU would have ended the program
  /// Where a header's function was called that `at` lies in, as far as the stack tells: in a .cu file.
  std::optional<SourceLine> called_from = {};
  Reach reach = Reach::none;  ///< the widest of all that met at these lines
};

struct CompileError {
  SourceLine at;
  int column = 0;
  std::string message;
};

/// Verdicts and the exit status each one has: correct 0; wrong, finding, over_budget, not_filled 1;
/// does_not_compile 3; crashed, timed_out 4; harness_error 5.
struct RunRecord {
  std::int64_t id = 0;      ///< given by the store
  std::string started_at;   ///< UTC, ISO 8601
  double elapsed_ms = 0.0;  ///< from command to verdict
  int puzzle = 0;
  std::string puzzle_name;  ///< "22_layernorm_linear"
  std::string puzzle_title;
  std::string variant;
  std::string origin = kLearner;
  Backend backend = Backend::none;
  std::string device;       ///< "NVIDIA H200", or "H200 (modelled)"
  std::string source;       ///< kernels.cu as it was run
  std::string source_hash;  ///< hex
  Verdict verdict = Verdict::none;
  std::string detail;            ///< one line for verdicts that need it: which kernel crashed, where it spins
  std::optional<SourceLine> at;  ///< where it crashed or spins
  std::vector<CaseResult> cases;
  std::vector<Finding> findings;
  std::vector<CompileError> compile_errors;
  std::vector<Benchmark> benchmarks;
  std::string learner_output;  ///< what the learner's code printed, cut at 64 KiB
  std::string untimed;  ///< why there are no times where the verdict would have let them be; else empty
};

/// What the launches of one kernel came to in a run of `workbook sim`.
struct KernelTotals {
  std::string kernel;
  std::int64_t launches = 0;
  Dim3 grid, block;               ///< of the latest launch
  std::int64_t shared_bytes = 0;  ///< static and dynamic, a block of the latest launch
  LaunchCounters counters;        ///< summed over the launches, its sites too; only threads in a fast build
  /// Summed, with what bounds most of it; absent in a fast build.
  std::optional<ModelledTime> modelled;
  double modelled_us() const { return modelled ? modelled->total_us : 0.0; }
};

/// What a program run by `workbook sim` leaves behind for the command: harness/sim/program.h writes
/// it.
struct ProgramReport {
  std::string gpu;          ///< that was modelled: "H200"
  bool diagnosing = false;  ///< whether accesses were checked and counted
  std::vector<KernelTotals> kernels;
  std::vector<Finding> findings;
  std::string ended_by;  ///< "SIGSEGV" when a signal ended it, or what was wrong; empty: it ended itself
  std::optional<SourceLine> at;  ///< where the signal found it, if known
  std::vector<HostCall> calls;
  std::int64_t calls_left_out = 0;
};

/// The exit status of a verdict.
int exit_status(Verdict verdict);

}  // namespace workbook::runs
