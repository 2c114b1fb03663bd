// cuda::pipeline: stages of asynchronous copies, of one thread (its own groups of cp.async) or of a block
// (two barriers a stage, kept in a pipeline_shared_state).
#pragma once

#include <cstddef>
#include <cstdint>

#include "atomic.h"
#include "barrier.h"

namespace workbook::sim {

template <cuda::thread_scope kScope>
struct PipelineStage {
  cuda::barrier<kScope> filled, emptied;
};

}  // namespace workbook::sim

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope kScope, ::std::uint8_t kStages>
class pipeline_shared_state {
  static_assert(kScope != thread_scope_device && kScope != thread_scope_system,
                "the simulator has pipelines of thread and of block scope");

 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  /// For make_pipeline().
  workbook::sim::PipelineStage<kScope> workbook_stages[kStages];
  int workbook_producers = 0;
};

template <thread_scope kScope>
class pipeline {
 public:
  using Stage = workbook::sim::PipelineStage<kScope>;
  /// `together`: every thread produces and consumes.
  WORKBOOK_SIM_INLINE pipeline(Stage* stages, ::std::uint8_t count, bool together)
      : stages_(stages), count_(count), together_(together) {}
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /// Waits until the consumers have released the stage that is filled next.
  WORKBOOK_SIM_INLINE void producer_acquire() { stages_[head_].emptied.wait_parity(!head_parity_); }
  WORKBOOK_SIM_INLINE void producer_commit() {
    if (together_) workbook_sim_stage_commit(stages_[head_].filled.workbook_word());
    ++committed_;
    static_cast<void>(stages_[head_].filled.arrive());
    if (++head_ == count_) {
      head_ = 0;
      head_parity_ = !head_parity_;
    }
  }
  WORKBOOK_SIM_INLINE void consumer_wait() {
    stages_[tail_].filled.wait_parity(tail_parity_);
    if (together_) workbook_sim_stage_wait(committed_ - released_ - 1);
  }
  template <class Duration>
  WORKBOOK_SIM_INLINE bool consumer_wait_for(const Duration&) {
    return stages_[tail_].filled.workbook_try(tail_parity_);
  }
  WORKBOOK_SIM_INLINE void consumer_release() {
    ++released_;
    static_cast<void>(stages_[tail_].emptied.arrive());
    if (++tail_ == count_) {
      tail_ = 0;
      tail_parity_ = !tail_parity_;
    }
  }
  WORKBOOK_SIM_INLINE bool quit() { return false; }

  /// The object that copies into the stage being filled belong to.
  WORKBOOK_SIM_INLINE const void* workbook_group() {
    const void* word = stages_[head_].filled.workbook_word();
    workbook_sim_release(word);
    return word;
  }

 private:
  Stage* stages_;
  ::std::uint8_t count_, head_ = 0, tail_ = 0;
  bool head_parity_ = false, tail_parity_ = false;  // of the phase that the stage is in
  bool together_;
  unsigned int committed_ = 0, released_ = 0;
};

/// One thread's own copies: committed stages complete in order.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  WORKBOOK_SIM_INLINE void producer_acquire() {}
  WORKBOOK_SIM_INLINE void producer_commit() {
    workbook_sim_async_commit();
    ++committed_;
  }
  WORKBOOK_SIM_INLINE void consumer_wait() {
    workbook_sim_async_wait(committed_ > released_ ? committed_ - released_ - 1 : 0);
  }
  template <class Duration>
  WORKBOOK_SIM_INLINE bool consumer_wait_for(const Duration&) {
    consumer_wait();
    return true;
  }
  WORKBOOK_SIM_INLINE void consumer_release() { ++released_; }
  WORKBOOK_SIM_INLINE bool quit() { return true; }
  WORKBOOK_SIM_INLINE const void* workbook_group() const { return nullptr; }

 private:
  unsigned int committed_ = 0, released_ = 0;
};

WORKBOOK_SIM_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }

/// All threads of the group call it. Every thread produces and consumes.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
WORKBOOK_SIM_INLINE pipeline<kScope> make_pipeline(const Group& group,
                                                   pipeline_shared_state<kScope, kStages>* state) {
  const auto threads = static_cast<::std::ptrdiff_t>(group.size());
  if (group.thread_rank() == 0)
    for (auto& stage : state->workbook_stages) {
      init(&stage.filled, threads);
      init(&stage.emptied, threads);
    }
  group.sync();
  return {state->workbook_stages, kStages, true};
}
/// `producers` threads produce; the others consume.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
WORKBOOK_SIM_INLINE pipeline<kScope> make_pipeline(const Group& group,
                                                   pipeline_shared_state<kScope, kStages>* state,
                                                   ::std::size_t producers) {
  if (group.thread_rank() == 0)
    for (auto& stage : state->workbook_stages) {
      init(&stage.filled, static_cast<::std::ptrdiff_t>(producers));
      init(&stage.emptied, static_cast<::std::ptrdiff_t>(group.size() - producers));
    }
  group.sync();
  return {state->workbook_stages, kStages, false};
}
/// Each thread says what it is.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
WORKBOOK_SIM_INLINE pipeline<kScope> make_pipeline(const Group& group,
                                                   pipeline_shared_state<kScope, kStages>* state,
                                                   pipeline_role role) {
  using workbook::sim::store_untraced;
  if (group.thread_rank() == 0) store_untraced(&state->workbook_producers, 0);
  group.sync();
  if (role == pipeline_role::producer) workbook::sim::add_untraced(&state->workbook_producers, 1);
  group.sync();
  return make_pipeline(
      group, state, static_cast<::std::size_t>(workbook::sim::add_untraced(&state->workbook_producers, 0)));
}

template <class Size, thread_scope kScope>
WORKBOOK_SIM_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, Size bytes,
                                                            pipeline<kScope>& through) {
  workbook::sim::copy_share(to, from, bytes, 0, 1, through.workbook_group());
  return async_contract_fulfillment::async;
}
template <class Group, class Size, thread_scope kScope>
WORKBOOK_SIM_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from,
                                                            Size bytes, pipeline<kScope>& through) {
  workbook::sim::copy_share(to, from, bytes, group.thread_rank(), group.size(), through.workbook_group());
  return async_contract_fulfillment::async;
}

template <::std::uint8_t kPending>
WORKBOOK_SIM_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  workbook_sim_async_wait(kPending);
}
template <thread_scope kScope, class Completion>
WORKBOOK_SIM_INLINE void pipeline_producer_commit(pipeline<thread_scope_thread>& own,
                                                  barrier<kScope, Completion>&) {
  own.producer_commit();
}

}  // namespace cuda
