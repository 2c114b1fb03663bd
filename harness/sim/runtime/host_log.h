// What a program's host did, call by call, with NVTX's ranges between: the record that benchmarks are judged
// by and that the viewer's Timeline draws. Off unless a program runs (harness/sim/program.cpp).
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runs/record.h"
#include "sim/runtime/timeline.h"

struct CUstream_st;

namespace workbook::sim {

using runs::CallKind;

class HostLog {
 public:
  static HostLog& get();

  void begin() { on_ = true; }
  bool on() const { return on_; }
  void add(runs::HostCall call);
  /// The call that was added last returned only now.
  void latest_waits();
  /// How many kernels were launched before this one was for the first time; nothing where it was already.
  std::optional<std::size_t> loads(const std::string& kernel);
  std::int64_t number_of(CUstream_st* stream);
  std::vector<runs::HostCall> calls() const;
  std::int64_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t kMost = 5000;  ///< that a record holds
  bool on_ = false;
  mutable std::mutex mutex_;
  std::vector<runs::HostCall> calls_;
  std::int64_t left_out_ = 0;
  bool latest_kept_ = false;
  std::set<std::string> loaded_;
  std::vector<CUstream_st*> streams_;
};

/// A call from its beginning to its end, added when it goes out of scope. Without a kind it adds nothing.
class LoggedCall {
 public:
  explicit LoggedCall(std::optional<CallKind> kind, std::string name = "", CUstream_st* stream = nullptr);
  ~LoggedCall();
  LoggedCall(const LoggedCall&) = delete;
  LoggedCall& operator=(const LoggedCall&) = delete;

  /// Moves the host on by what handing over this work costs it; nothing where a graph is being run.
  void spend_launch();
  Span work;

 private:
  runs::HostCall call_;
  bool counts_;
};

/// While it lives, work is given to the device by a graph: the host has made one call for all of it.
struct GraphRun {
  GraphRun();
  ~GraphRun();
};

}  // namespace workbook::sim
