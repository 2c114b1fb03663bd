// The access trace turned round: who touched this cell, what did this thread touch. For the Mapping panel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/grid.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::viewer {

inline constexpr int kWarp = 32;  ///< threads a warp

/// Which cells are meant: a shared array exists once a block, so `block` says whose; global tensors have -1.
struct Place {
  int launch = 0;
  int tensor = 0;
  int block = -1;
  auto operator<=>(const Place&) const = default;
};

/// One line of a cell's history. Equal accesses are one touch with a count.
struct Touch {
  int launch = 0;
  int block = 0;
  int thread = 0;
  int step = 0;
  int line = 0;
  int file = 0;
  runs::Access access = runs::Access::read;
  std::int64_t times = 1;
};

/// One element that a thread touched.
struct Cell {
  int tensor = 0;
  std::int64_t element = 0;
  bool read = false, written = false;
  std::int64_t times = 0;
};

/// How often one line of a kernel touched one tensor.
struct LineUse {
  int file = 0, line = 0, tensor = 0;
  bool written = false;
  std::int64_t times = 0;
};

enum class ColourBy { block, warp, thread, time, reads, value, error };
enum class Show { touched, written, read };  ///< touched: writers where there are any, else readers

class AccessIndex {
 public:
  AccessIndex() = default;
  /// Old traces do not say which tensors and launches they mean: those of the benchmark "teaching", if any.
  AccessIndex(const runs::Trace& trace, const runs::Benchmark* teaching);

  bool empty() const { return events_.empty(); }
  bool truncated() const { return truncated_; }
  int launches() const { return static_cast<int>(launches_.size()); }
  const runs::LaunchRecord& launch(int number) const { return launches_[static_cast<std::size_t>(number)]; }
  const runs::TensorInfo* tensor(int id) const;
  const std::string& file(int number) const;

  /// Ids of the tensors that a launch touched: those it reads first, those it writes last; shared ones in the
  /// order of their first access.
  std::vector<int> tensors_of(int launch, runs::TensorSpace space) const;
  bool reads(int launch, int tensor) const { return touched_.contains({launch, tensor, false}); }
  bool writes(int launch, int tensor) const { return touched_.contains({launch, tensor, true}); }
  /// What each source line of a launch did to each tensor, in order of lines.
  const std::vector<LineUse>& lines_of(int launch) const;
  std::vector<int> blocks_traced(int launch) const;  ///< ascending
  int threads_of(int launch) const;                  ///< threads a block
  int blocks_of(int launch) const;

  /// Everything done to one element, over all launches that touched its tensor. Shared: one launch, one
  /// block. Sorts the tensor's events when it is first asked about it: call it from one thread only.
  std::vector<Touch> history(const Place& place, std::int64_t element) const;
  /// What `threads` threads from `thread` on touched: one, or a warp.
  std::vector<Cell> cells_of(int launch, int block, int thread, int threads = 1) const;

  const runs::TraceEvent& event(std::uint32_t number) const { return events_[number]; }
  /// Numbers of the events at a place, or of one block, in the order the simulator executed them.
  const std::vector<std::uint32_t>& events_at(const Place& place) const;
  const std::vector<std::uint32_t>& events_of(int launch, int block) const;

 private:
  struct Buckets;
  void read_events(const std::vector<runs::TraceEvent>& events);
  std::size_t tensor_ids() const;  // above the largest
  const Buckets& buckets_at(const Place& place) const;

  bool truncated_ = false;
  std::vector<std::string> files_;
  std::vector<runs::TensorInfo> tensors_;
  std::vector<runs::LaunchRecord> launches_;
  std::vector<runs::TraceEvent> events_;
  std::map<Place, std::vector<std::uint32_t>> by_place_;                // event numbers, in order of time
  std::map<std::pair<int, int>, std::vector<std::uint32_t>> by_block_;  // by launch and block
  std::set<std::tuple<int, int, bool>> touched_;                        // launch, tensor, written
  std::map<int, std::vector<LineUse>> lines_;                           // by launch
  std::shared_ptr<std::map<Place, Buckets>> buckets_;                   // made when first asked for
};

runs::Dim3 unravel(int linear, const runs::Dim3& extent);
int ravel(const runs::Dim3& at, const runs::Dim3& extent);

}  // namespace workbook::viewer
