// The seam between the runner and what executes kernels: the simulator (harness/sim) or a GPU (harness/gpu).
// Each library defines make_backend(); a child program links exactly one of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "element.h"
#include "runs/record.h"
#include "runs/trace.h"
#include "workbook/dims.h"
#include "workbook/run.h"

namespace workbook::core {

/// One variant on one set of sizes, with its data: all that a backend needs to execute it.
struct Workload {
  std::string name;     ///< the case's name, or "teaching", "real"
  std::string variant;  ///< whose steps it is made of
  Dims dims;
  std::vector<runs::TensorInfo> tensors;  ///< those the variant uses; ids are indices into this vector
  std::vector<Type> types;                ///< by tensor id
  std::vector<Bytes> initial;             ///< by tensor id: contents at the start; empty: poison (element.h)
  /// By tensor id, or empty: the file whose pages are the tensor's memory; -1: memory of the backend's own.
  /// Its contents stand for `initial` where `given`, and are what the execution leaves behind.
  std::vector<int> files = {};
  std::vector<bool> given = {};
  bool in_order = true;         ///< blocks run one after another, in the same order each time
  bool traced = true;           ///< and every access is noted, where the backend can
  bool handovers = false;       ///< and what lanes of a warp take over from each other
  bool changes = false;         ///< a tensor that is written has a start: each execution needs it anew
  bool sampled = true;          ///< the simulator may count a sample of a large launch's blocks
  void (*run)(Run&) = nullptr;  ///< the variant's steps
  std::function<void(const Step&)> on_step = [](const Step&) {};  ///< called before each step
};

/// What one checked execution left behind.
struct Execution {
  std::vector<Bytes> values;  ///< by tensor id: contents afterwards
  std::vector<runs::LaunchRecord> launches;
  std::vector<runs::Finding> findings;  ///< canaries that changed, and what the simulator saw
};

/// The learner's code made the device or the launch fail: "invalid configuration: 3072 threads a block ...".
class LaunchFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A backend whose kernels run in a program of their own (harness/apart), which has ended.
struct KernelsLost {
  int status = 0;                       ///< its exit status; above 128: the signal that ended it, and that
  std::vector<std::string> last_words;  ///< lines as Stage writes them
};

/// There is no device that can run this; the child exits with 77 and prints why.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Missing: it was written, and by which of several threads is not known.
struct Writer {
  std::optional<runs::ThreadId> who = {};
  std::optional<runs::SourceLine> at = {};
  std::string name = {};  ///< of the thread, as findings name it
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual runs::Backend name() const = 0;
  virtual std::string device() const = 0;  ///< "H200 (modelled)", "NVIDIA H200"
  virtual std::string engine() const = 0;  ///< "simulator, diagnosing", "simulator, fast", "NVIDIA H200"

  /// Whether the variants' functions are in another program, and known by name alone.
  virtual bool is_apart() const { return false; }

  /// Runs the workload once: tensors allocated between guard zones, uploaded or poisoned, every launch
  /// checked and finished before the next. Throws LaunchFailed.
  virtual Execution execute(const Workload& workload) = 0;

  /// Who last wrote an element of the last execute(), where that is known (diagnosing simulator).
  virtual std::optional<Writer> writer_of(int tensor, std::int64_t element) const {
    (void)tensor, (void)element;
    return std::nullopt;
  }

  /// Where the line is that called what last wrote an element of the last execute(), of this workload, in a
  /// header. Runs it once more to see that: what the caller wants to know of the last execute(), values and
  /// findings, it has to have by then; the trace is the same again.
  virtual std::optional<runs::SourceLine> caller_of_writer(const Workload& workload, int tensor,
                                                           std::int64_t element) {
    (void)workload, (void)tensor, (void)element;
    return std::nullopt;
  }

  /// Runs it once more for what it leaves in the tensors, and for the trace where it is `traced`: nothing is
  /// printed, and findings are dropped. What the caller wants to know of the last execute() it has to have by
  /// then. Nothing: the backend cannot, or the launch failed.
  struct Again {
    std::vector<Bytes> values;  ///< by tensor id
    std::optional<runs::Trace> trace;
  };
  virtual std::optional<Again> run_again(const Workload& workload) {
    (void)workload;
    return std::nullopt;
  }

  /// The line of the learner's code that runs at `pc`, for crash reports. Called in a signal handler.
  virtual std::optional<runs::SourceLine> locate(std::uintptr_t pc) const {
    (void)pc;
    return std::nullopt;
  }

  /// Nothing that the calling thread does from here on is a kernel's. Called first in a signal handler, when
  /// the program is lost: what the handler calls may be code of the learner's object, which the backend
  /// traces.
  virtual void leave_kernel() const {}

  /// What execute() has found so far. Called in a signal handler, when the program is lost.
  virtual std::vector<runs::Finding> last_findings() { return {}; }

  /// What an access to `address` that ended the program means, as far as the backend can tell; else empty.
  /// Called in a signal handler.
  virtual const char* crash_reason(const void* address) const {
    (void)address;
    return "";
  }

  /// The access trace of the last execute(), where there is one, with the tensors it refers to.
  virtual std::optional<runs::Trace> take_trace() { return std::nullopt; }

  /// Times the workload (GPU) or counts it on sampled blocks and models its time (simulator); fills
  /// everything of the benchmark but name, sizes and cpu_us. Never judges: where it cannot be finished, times
  /// are missing and `note` says why.
  virtual runs::Benchmark benchmark(const Workload& workload) = 0;

  /// What the counts of the last benchmark() suggest: lines that cost far more than what they ask for.
  virtual std::vector<runs::Finding> take_advice() { return {}; }
};

/// A Run that hands out the tensors of a workload; backends derive from it and execute steps.
class WorkloadRun : public Run {
 public:
  WorkloadRun(const Workload& workload, std::vector<void*> device, CUstream_st* stream)
      : workload_(workload), device_(std::move(device)), stream_(stream) {}

  CUstream_st* stream() const override { return stream_; }

 protected:
  /// A step's body, called as often as needed.
  class Body {
   public:
    Body(void (*function)(void*), void* object) : function_(function), object_(object) {}
    void operator()() const { function_(object_); }

   private:
    void (*function_)(void*);
    void* object_;
  };
  virtual void execute(const Step& step, const Body& body) = 0;

  const Workload& workload_;
  std::vector<void*> device_;
  CUstream_st* stream_;

 private:
  std::int64_t evaluate(std::string_view expression) const override;
  Found find_tensor(std::string_view name) override;
  void run_step(const Step& step, void (*body)(void*), void* object) override;
  [[noreturn]] void refuse(std::string_view tensor, Type has, Type asked) const override;
  [[noreturn]] void fail_launch(std::string_view why) const override;
};

struct Options {
  std::string gpu = "h200";             ///< simulator: which GPU of the table to model
  std::vector<std::string> apart = {};  ///< the command that starts the kernels' program, where it is another
};

/// Throws NoDevice. Defined by the one backend library that is linked.
std::unique_ptr<Backend> make_backend(const Options& options);

}  // namespace workbook::core
