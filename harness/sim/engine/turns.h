// Runs the blocks of a launch one at a time, in an order that is the same in every run: a block has its turn
// until it ends or waits for another one; then that one begins or goes on. Each block that waits keeps an OS
// thread of its own, for that is where its shared memory lies.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine.h"

namespace workbook::sim {

class TurnRunner {
 public:
  /// Never destroyed: its threads end with the process.
  static TurnRunner& get();

  struct Order {
    /// The next block to run. `waiting`: blocks that have begun wait for others.
    std::function<std::optional<std::uint64_t>(bool waiting)> next;
    bool eager = true;  ///< a block that seems to wait lets others begin; else it must be sure that it waits
  };
  /// Runs the blocks that `order` gives. `begin` is called once on each thread that takes part. Returns the
  /// workers that did.
  std::vector<Worker*> run(const Launch& launch, Order order, void (*begin)(const Launch&));

  // Called by the worker that has its turn, within a block.
  /// Returns when the worker has its turn again.
  void pass(Worker& worker);
  /// Lets the next block begin and run as far as it comes without this one; nothing where there is none.
  void overtake(Worker& worker);
  /// Whether another block can begin; pass() then begins it.
  bool begin_another();

 private:
  struct Seat {
    std::condition_variable called;
    Worker* worker = nullptr;
    bool in_block = false, begun = false, to_begin = false;
  };
  void serve(std::size_t seat);
  void work(std::size_t seat);
  std::size_t seat_of(const Worker& worker) const;
  void give(std::size_t seat);
  void await(std::size_t seat);
  std::optional<std::size_t> waiting_after(std::size_t seat) const;
  /// Whether one block more can begin beside those that have begun and wait.
  bool has_room() const;
  std::optional<std::size_t> free_seat();
  bool peek(bool waiting);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Seat>> seats_;  ///< the launching thread's is the first
  std::size_t holder_ = 0;
  const Launch* launch_ = nullptr;
  Order order_;
  std::optional<std::uint64_t> next_;
  bool wanted_ = false;  ///< begin_another() said yes
  void (*begin_)(const Launch&) = nullptr;
};

}  // namespace workbook::sim
