// How a puzzle declares itself, once, with designated initialisers: puzzle.cpp of every puzzles/NN_name.
// Plain C++, compiled once and kept; what a save compiles is launches.cu (run.h). Read by harness/core, which
// does the rest (allocation, poisoning, checking, diagnosis, timing, recording) on either backend, and
// refuses by name a declaration that contradicts itself.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workbook/bound.h"
#include "workbook/ceil_div.h"
#include "workbook/dims.h"
#include "workbook/random.h"
#include "workbook/run.h"

namespace workbook {

/// How a tensor is filled. Always from a fixed seed (one a tensor and case), never with a constant. Every
/// value is rounded to the tensor's type before reference and kernel see it.
struct Fill {
  enum class Kind { none, normal, uniform, integers, index, one_hot, function } kind = Kind::none;
  double a = 0.0;  ///< normal: mean; uniform, integers: lower bound
  double b = 1.0;  ///< normal: standard deviation; uniform, integers: upper bound, which integers include
  std::string_view extent = {};  ///< index: values from 0 to below the value of this expression of sizes
  bool ascending = false;        ///< sorted, row by row of the last dimension
  std::function<void(const Dims& dims, std::span<double> values, Random& random)> function = {};
};
inline Fill normal(double mean, double deviation) { return {Fill::Kind::normal, mean, deviation}; }
inline Fill uniform(double low, double high) { return {Fill::Kind::uniform, low, high}; }
inline Fill integers(double low, double high) { return {Fill::Kind::integers, low, high}; }
/// Indices into a dimension: index_into("V") gives 0 to V - 1.
inline Fill index_into(std::string_view extent) { return {.kind = Fill::Kind::index, .extent = extent}; }
/// One 1 in each row of the last dimension, zeros else.
inline Fill one_hot() { return {.kind = Fill::Kind::one_hot}; }
inline Fill sorted(Fill fill) { return fill.ascending = true, fill; }
inline Fill from(std::function<void(const Dims& dims, std::span<double> values, Random& random)> function) {
  return {.kind = Fill::Kind::function, .function = std::move(function)};
}

enum class Role { input, intermediate, output };

/// What a kernel finds in an output or intermediate tensor. Filled: its fill, so that it is updated in place.
enum class Start { poisoned, zeroed, filled };

/// The largest error of an element that is accepted: absolute + relative * |expected|.
struct Tolerance {
  Bound absolute = 0.0;
  Bound relative = 0.0;
  std::string_view source = {};  ///< where the two come from, in one sentence; required
};
inline Tolerance exact(std::string_view source) { return {0.0, 0.0, source}; }

/// One tensor, row-major. Intermediates exist only in the variants that name them.
struct Tensor {
  std::string_view name;
  Type type = Type::f32;
  Role role = Role::input;
  /// Sizes, outermost first: names of dimensions, or expressions such as "H/2", "N+1", "ceil(N/256)".
  std::vector<std::string_view> shape;
  Fill fill = {};  ///< inputs, and what starts filled
  Start start = Start::poisoned;
  std::optional<Tolerance> tolerance = {};  ///< outputs and checked intermediates
};

inline Tensor input(std::string_view name, Type type, std::vector<std::string_view> shape, Fill fill) {
  return {.name = name, .type = type, .role = Role::input, .shape = std::move(shape), .fill = fill};
}
inline Tensor input(std::string_view name, std::vector<std::string_view> shape, Fill fill) {
  return input(name, Type::f32, std::move(shape), fill);
}
/// Between two steps of a variant; not checked where it has no tolerance.
inline Tensor intermediate(std::string_view name, Type type, std::vector<std::string_view> shape) {
  return {.name = name, .type = type, .role = Role::intermediate, .shape = std::move(shape)};
}
inline Tensor intermediate(std::string_view name, std::vector<std::string_view> shape) {
  return intermediate(name, Type::f32, std::move(shape));
}
inline Tensor intermediate(std::string_view name, Type type, std::vector<std::string_view> shape,
                           const Tolerance& tolerance) {
  Tensor tensor = intermediate(name, type, std::move(shape));
  return tensor.tolerance = tolerance, tensor;
}
inline Tensor intermediate(std::string_view name, std::vector<std::string_view> shape,
                           const Tolerance& tolerance) {
  return intermediate(name, Type::f32, std::move(shape), tolerance);
}
inline Tensor output(std::string_view name, Type type, std::vector<std::string_view> shape,
                     const Tolerance& tolerance) {
  Tensor tensor = intermediate(name, type, std::move(shape), tolerance);
  return tensor.role = Role::output, tensor;
}
inline Tensor output(std::string_view name, std::vector<std::string_view> shape, const Tolerance& tolerance) {
  return output(name, Type::f32, std::move(shape), tolerance);
}

/// The arrays of one case on the host, by tensor name: double for references, float for the CPU version.
template <class T>
class HostTensors {
 public:
  std::span<T> operator[](std::string_view name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) throw std::out_of_range("no tensor is called '" + std::string(name) + "'");
    return found->second;
  }
  void bind(std::string name, std::span<T> array) { arrays_[std::move(name)] = array; }

 private:
  std::map<std::string, std::span<T>, std::less<>> arrays_;
};

/// A set of sizes on which the answer is checked. The first case is the teaching shape.
struct Case {
  std::string_view name;
  Dims dims;
  std::vector<std::pair<std::string_view, Fill>> fills = {};  ///< tensors filled otherwise in this case
};

/// The sizes of a case in the order of cases(), and what is filled otherwise in it.
struct CaseRow {
  std::string_view name;
  std::vector<std::int64_t> sizes;
  std::vector<std::pair<std::string_view, Fill>> fills = {};
};
/// Cases as a table, whose head names the dimensions: cases({"R", "C"}, {{"one row", {1, 1000}}, ...}).
/// A row of too few or too many sizes is a case without sizes, which is refused.
inline std::vector<Case> cases(const std::vector<std::string_view>& head, const std::vector<CaseRow>& rows) {
  std::vector<Case> all;
  for (const CaseRow& row : rows) {
    all.push_back({.name = row.name, .dims = {}, .fills = row.fills});
    if (row.sizes.size() != head.size()) continue;
    for (std::size_t i = 0; i < head.size(); ++i) all.back().dims.add(head[i], row.sizes[i]);
  }
  return all;
}

/// What a variant may spend on a case, counted over all its blocks; an absent bound is not counted. More than
/// that is no solution, even where every value is right.
struct Budget {
  std::optional<Bound> global_reads = {};   ///< elements that threads ask for, each time they ask
  std::optional<Bound> global_writes = {};  ///< elements, likewise; atomics count as one write
  std::optional<Bound> launches = {};       ///< kernels
  std::optional<Bound> barriers = {};       ///< block-wide, counted once a block
  std::optional<Bound> conflicts = {};      ///< passes of shared memory beyond one a request
  /// Of 32 bytes that warps ask the L2 for: what L1 has is not counted.
  std::optional<Bound> sectors = {};
  std::optional<Bound> sectors_asked = {};  ///< the same, with what L1 has: how far apart a warp's words lie
  std::optional<Bound> global_requests = {};  ///< of warps to global memory, reads and writes
  std::optional<Bound> shared_requests = {};  ///< of warps to shared memory, reads and writes
  std::optional<Bound> waves = {};            ///< turns that the GPU takes with the largest launch's blocks
  std::optional<Bound> reads_a_thread = {};   ///< global reads by the threads launched, on average
  std::optional<Bound> threads = {};          ///< launched, with work or without
  /// Of warps for data that their L1 does not have: for loads under way together once; of a copy the part
  /// that nothing hides.
  std::optional<Bound> memory_waits = {};
  std::optional<Bound> warp_operations = {};  ///< shuffles, votes, matches and __syncwarp, once a warp
  /// Places for warps that a multiprocessor of the modelled GPU has left beside the blocks that fit on it.
  std::optional<Bound> empty_slots = {};
};

/// A rule about the order of a program's calls, which does not depend on how fast a machine is. The calls are
/// written as words with a space behind each: "launch:KERNEL", "graph", "kernel:KERNEL" (of a graph), "copy"
/// (the host waits for it), "copy_async", "set", "event", "elapsed", "wait" (cudaDeviceSynchronize and its
/// kin), "clock" (the host's), "allocate"; of NVTX "push:NAME", "pop", "mark:NAME". Spaces in names are
/// written '_'. A pattern with an '@' is of another order: by stream, in each the work that it was given
/// ("launch", "kernel", "copy", "copy_async", "set", "event") and the waits for it, as in
/// "@0 launch:KERNEL wait @1 copy_async wait "; a wait for the whole device stands in stream 0.
struct Calls {
  /// An extended regular expression (POSIX): "event launch:[^ ]* event wait elapsed ".
  std::string_view pattern;
  bool wanted = true;  ///< false: it must not occur
  /// What the learner reads where the rule is broken, without the full stop at its end.
  std::string_view says;
};

/// A property that the listing of a program's kernels (`workbook sass`, for sm_90) must have. Where the CUDA
/// Toolkit is not there to make one, the source is judged in its place.
struct Listed {
  std::string_view fact;   ///< a question as in Program::answers, without "listing: ": "load-bytes my_kernel"
  std::string_view value;  ///< the answer that is right
  /// An extended regular expression (POSIX), of a line of the region without comments; empty where the
  /// source does not tell.
  std::string_view source = {};
  bool wanted = true;     ///< false: no line of the region may hold it
  std::string_view says;  ///< what the learner reads, without the full stop at its end
};

/// How `workbook grade` gives a program other data than learners see: a text of the learner's file, as every
/// right one has it, and what stands in its place, with a number that is drawn anew for '#'.
struct Fresh {
  std::string_view find, put;
  int least = 0, most = 0;  ///< of the number, both included
};

/// A variant that is a program of its own: main() in the learner's file, run as `workbook sim` runs one. Its
/// data lie in the puzzle's folder, which the environment calls WORKBOOK_PUZZLE.
struct Program {
  /// Further source files of the puzzle's folder that belong to it ("program.cu"): given, compiled once.
  std::vector<std::string_view> sources = {};
  std::vector<std::string_view> arguments = {};
  /// Texts that its output must hold, in this order.
  std::vector<std::string_view> prints = {};
  int status = 0;  ///< the exit status that is right
  /// Classes of findings that it must show ("race_shared"). Any error of another class is wrong.
  std::vector<std::string_view> findings = {};
  std::vector<Calls> calls = {};  ///< looked at in this order; the first that is broken is said
  /// Questions whose answers the learner writes into answers.txt beside the program, "name: answer" a line.
  /// One of several right answers is separated from the next by '|'. An answer that begins with "listing: "
  /// is read from the listing of the program's kernels, where it is judged: "listing: load-bytes
  /// vector_kernel" (the facts that there are stand in harness/cli/listing/facts.h). One that begins with
  /// "counter: " is read from what the program's own run has counted: "counter: most sectors a load request"
  /// (harness/cli/run/counter_judge.h).
  std::vector<std::pair<std::string_view, std::string_view>> answers = {};
  std::vector<Listed> listing = {};
  std::vector<Fresh> fresh = {};
  /// What it is given beside `arguments` where data are fresh, '#' being a number from 0 to 999'999.
  std::vector<std::string_view> fresh_arguments = {};
  /// Of the arrays that it copies to the host, where these are what its kernels are for: graded beside the
  /// solution's, whatever it prints about them. f32 or i32.
  std::optional<Type> results = {};
};

/// Sizes that a variant does not take, and why: {H > 1024, "a row is one block: H is at most 1024."}.
struct Refusal {
  Bound when;  ///< not 0 where it does not
  std::string why;
};

/// One way of computing the puzzle, chosen by `--name`.
struct Variant {
  std::string_view name;                       ///< "fused-block": the flag without its dashes
  std::string_view title = {};                 ///< "FUSED (one block a position)"
  std::string_view summary = {};               ///< one sentence for lists and the viewer
  std::string_view task = {};                  ///< the Task's name; empty where a puzzle has one
  std::string_view file = "kernels.cu";        ///< the learner's file that it is written in
  std::vector<std::string_view> regions = {};  ///< FILL ME IN regions that it needs
  /// The mutant as which the learner's file begins, in place of empty regions: whole, wrong, to be repaired.
  std::string_view begins = {};
  /// Whole in the puzzle's own files, with nothing to write: to be measured, and compared with what is
  /// written. Not needed to call the puzzle done.
  bool given = false;
  std::vector<std::string_view> intermediates = {};  ///< tensors that travel between its steps
  std::vector<std::string_view> outputs = {};        ///< that it computes; empty: all of the task's
  /// The first that holds is said. Cases that it refuses are left out.
  std::vector<Refusal> refuses = {};
  bool sampled = true;   ///< false: at the real shape all blocks are counted, not a sample of them
  bool required = true;  ///< false: a further rung, not needed to call the puzzle done
  Budget budget = {};
  std::optional<Program> program = {};  ///< then nothing launches it but itself
};

/// What is computed: tensors, cases, reference.
struct Task {
  std::string_view name = {};  ///< empty where a puzzle has one
  std::vector<Tensor> tensors = {};
  std::vector<Case> cases = {};  ///< the first is the teaching shape; the others are ragged or nasty
  Dims large = {};               ///< checked without diagnostics: several full blocks and a ragged tail
  Dims bench = {};               ///< the real shape, timed (GPU) or modelled (simulator)
  void (*reference)(const Dims& dims, HostTensors<double>& tensors) = nullptr;
  /// The same result derived another way in double, to check the reference itself. Optional.
  void (*cross_check)(const Dims& dims, HostTensors<double>& tensors) = nullptr;
  /// A plain single-threaded CPU implementation in float. Optional.
  void (*cpu)(const Dims& dims, HostTensors<float>& tensors) = nullptr;
};

/// The declaration of a puzzle. puzzle.cpp defines `const workbook::Puzzle workbook::puzzle`.
struct Puzzle {
  int number = 0;
  std::string_view title;
  std::string_view part;            ///< "Part I: fundamentals"
  std::vector<int> builds_on = {};  ///< the puzzles whose ideas it needs at hand, of smaller numbers
  std::string_view summary;         ///< one sentence
  std::vector<Task> tasks = {};     ///< one as a rule; none where all variants are programs
  std::vector<Variant> variants;
  /// The same computation as a program of `workbook optimize` ("rmsnorm_linear"), whose indices are the
  /// dimensions in small letters: its plan stands beside the variants. Of puzzles with one task. Optional.
  std::string_view tensor_program = {};
};

extern const Puzzle puzzle;

}  // namespace workbook
