// Events: marks on the modelled clock, and in a capture marks in the graph.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sim/calls/captures.h"
#include "sim/runtime/capturing.h"
#include "sim/runtime/host_log.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {
namespace {

std::map<cudaEvent_t, std::unique_ptr<CUevent_st>>& events() {
  static auto& all = *new std::map<cudaEvent_t, std::unique_ptr<CUevent_st>>;
  return all;
}

bool exists(cudaEvent_t event) { return events().count(event) > 0; }

/// Why no time can be read of it; null: it can.
const char* why_timeless(cudaEvent_t event) {
  if (!exists(event)) return "does not exist: it was never created, or is destroyed.";
  if ((event->flags & cudaEventDisableTiming) != 0)
    return "was created with cudaEventDisableTiming and keeps no time: create it by cudaEventCreate().";
  return event->recorded ? nullptr : "was never recorded: cudaEventRecord() it where that moment is.";
}

cudaError_t mark(cudaEvent_t event, cudaStream_t handle, Pc pc) {
  const CUstream_st* stream = find_stream(handle);
  if (stream == nullptr || !exists(event)) return cudaErrorInvalidResourceHandle;
  event->capture = stream->capture;
  event->tails = stream->tails;
  if (stream->capture != nullptr)
    return stream->capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (is_legacy(handle))
    if (const cudaError_t error = check_legacy_allowed(); error != cudaSuccess) return error;
  LoggedCall call(CallKind::event, "cudaEventRecord", handle);
  return record_event(event, handle, pc);
}

}  // namespace

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, Pc pc) {
  if (!exists(event)) return cudaErrorInvalidResourceHandle;
  event->recorded = true;
  event->asked = false;
  StreamOrder::get().record(event->mark, find_stream(stream)->lane, pc);
  event->at_us = ready_time(stream);
  return cudaSuccess;
}

cudaError_t wait_for_event(cudaEvent_t event, cudaStream_t handle, Pc pc) {
  if (!exists(event)) return cudaErrorInvalidResourceHandle;
  CUstream_st& stream = *find_stream(handle);
  StreamOrder::get().wait(stream.lane, event->mark, pc);
  if (event->recorded) stream.ready_us = std::max(stream.ready_us, event->at_us);
  return cudaSuccess;
}

void forget_capture(const Capture& capture) {
  for (const auto& [handle, event] : events())
    if (event->capture == &capture) {
      event->capture = nullptr;
      event->recorded = false;
      event->mark = {};
    }
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (event == nullptr || flags > 7u) return finish(cudaErrorInvalidValue);
  auto made = std::make_unique<CUevent_st>();
  made->flags = flags;
  *event = made.get();
  events().emplace(*event, std::move(made));
  return finish(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return finish(mark(event, stream, WORKBOOK_CALL.pc));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags > cudaEventRecordExternal) return finish(cudaErrorInvalidValue);
  return finish(mark(event, stream, WORKBOOK_CALL.pc));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!exists(event)) return finish(cudaErrorInvalidResourceHandle);
  if (event->capture != nullptr) return finish(cudaErrorCapturedEvent);
  LoggedCall call(CallKind::wait, __func__);
  StreamOrder::get().host_waits_for(event->mark, WORKBOOK_CALL.pc);
  Timeline& timeline = Timeline::get();
  if (event->recorded) timeline.host_us = std::max(timeline.host_us, event->at_us) + timeline.costs.wait_us;
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!exists(event)) return finish(cudaErrorInvalidResourceHandle);
  if (event->capture != nullptr) return finish(cudaErrorCapturedEvent);
  if (!StreamOrder::get().host_knows(event->mark) && !std::exchange(event->asked, true))
    return not_ready_yet();
  event->asked = false;
  StreamOrder::get().host_waits_for(event->mark, WORKBOOK_CALL.pc);
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return finish(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, end})
    if (const char* const why = why_timeless(event); why != nullptr) {
      because(cudaErrorInvalidResourceHandle, std::string(event == start ? "The event that is to begin it "
                                                                         : "The event that is to end it ") +
                                                  why);
      return finish(cudaErrorInvalidResourceHandle);
    }
  for (const cudaEvent_t event : {start, end})
    if (!StreamOrder::get().host_knows(event->mark)) return finish_waiting(cudaErrorNotReady);
  LoggedCall call(CallKind::elapsed, __func__);
  *milliseconds = static_cast<float>((end->at_us - start->at_us) * 1e-3);
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
  CUstream_st* stream = find_stream(handle);
  if (stream == nullptr || event == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventWaitExternal) return finish(cudaErrorInvalidValue);
  if (event->capture != nullptr) return finish(join_capture(*stream, *event));
  if (stream->capture != nullptr) return finish(cudaErrorStreamCaptureIsolation);
  return finish(wait_for_event(event, handle, WORKBOOK_CALL.pc));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (events().erase(event) == 0) return finish(cudaErrorInvalidResourceHandle);
  return finish(cudaSuccess);
}

}  // extern "C"
