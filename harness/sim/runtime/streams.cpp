// Streams: handles, the order of work, and what the host waits for.
#include "sim/runtime/streams.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/runtime/capturing.h"
#include "sim/runtime/host_log.h"

namespace workbook::sim {
namespace {

std::vector<std::unique_ptr<CUstream_st>>& streams() {
  static auto& all = *new std::vector<std::unique_ptr<CUstream_st>>;
  return all;
}

CUstream_st& legacy_stream() {
  static CUstream_st stream;
  return stream;
}

/// What nvcc's --default-stream chooses: whether stream 0 is cudaStreamPerThread.
bool& zero_is_of_thread() {
  static bool of_thread = false;
  return of_thread;
}

// One for all host threads: their work is done in the order of their calls anyway.
CUstream_st& per_thread_stream() {
  static CUstream_st stream{.lane = StreamOrder::kPerThread};
  return stream;
}

/// Blocking streams wait for the legacy stream and it for them.
template <class Visit>
void for_blocking_streams(Visit visit) {
  visit(per_thread_stream());
  for (const auto& stream : streams())
    if ((stream->flags & cudaStreamNonBlocking) == 0) visit(*stream);
}

double latest_of_all() {
  double latest = std::max(legacy_stream().ready_us, per_thread_stream().ready_us);
  for (const auto& stream : streams()) latest = std::max(latest, stream->ready_us);
  return latest;
}

}  // namespace

bool is_legacy(cudaStream_t handle) {
  return handle == cudaStreamLegacy || (handle == nullptr && !zero_is_of_thread());
}

CUstream_st* find_stream(cudaStream_t handle) {
  if (is_legacy(handle)) return &legacy_stream();
  if (handle == nullptr || handle == cudaStreamPerThread) return &per_thread_stream();
  const auto found =
      std::find_if(streams().begin(), streams().end(), [&](const auto& s) { return s.get() == handle; });
  return found == streams().end() ? nullptr : found->get();
}

double ready_time(cudaStream_t handle) {
  const CUstream_st* stream = find_stream(handle);
  double ready = stream->ready_us;
  if (is_legacy(handle))
    for_blocking_streams([&](const CUstream_st& other) { ready = std::max(ready, other.ready_us); });
  else if ((stream->flags & cudaStreamNonBlocking) == 0)
    ready = std::max(ready, legacy_stream().ready_us);
  return std::max(ready, Timeline::get().host_us);
}

Span spend(cudaStream_t handle, const Cost& cost) {
  const Span span = Timeline::get().place(cost, ready_time(handle));
  find_stream(handle)->ready_us = span.end;
  return span;
}

void host_waits_for(cudaStream_t handle) {
  Timeline::get().host_us = ready_time(handle) + Timeline::get().costs.wait_us;
}

Capturing* Capturing::one = nullptr;

bool is_capturing(cudaStream_t stream) {
  const CUstream_st* s = find_stream(stream);
  return s != nullptr && s->capture != nullptr;
}

cudaError_t check_not_capturing() {
  return Capturing::get() == nullptr ? cudaSuccess : Capturing::get()->check_none();
}

cudaError_t check_legacy_allowed() {
  return Capturing::get() == nullptr ? cudaSuccess : Capturing::get()->check_legacy_allowed();
}

cudaError_t check_may_wait(cudaStream_t handle) {
  if (Capturing::get() == nullptr) return cudaSuccess;
  if (is_legacy(handle)) return check_legacy_allowed();
  return find_stream(handle)->capture == nullptr ? cudaSuccess
                                                 : Capturing::get()->refuse_wait(*find_stream(handle));
}

namespace {

/// Runs the work, and tells what it has used.
cudaError_t run_in_order(const CUstream_st& stream, cudaStream_t handle, const Work& work) {
  using Kind = StreamWork::Kind;
  StreamOrder& order = StreamOrder::get();
  StreamWork given{Kind::copy, work.call.api, work.call.pc};
  if (work.type == cudaGraphNodeTypeMemset) given.kind = Kind::fill;
  cudaError_t error = cudaSuccess;
  if (work.type == cudaGraphNodeTypeHost && StreamOrder::is_on()) {
    given.kind = Kind::host_function;
    order.give_host_function(stream.lane, std::move(given), [&] { error = work.run(handle); });
    return error;
  }
  error = work.run(handle);
  if (error == cudaSuccess && order.has_noted())
    order.give(stream.lane, std::move(given));
  else
    order.forget_noted();
  return error;
}

}  // namespace

cudaError_t enqueue(cudaStream_t handle, const Work& work) {
  CUstream_st* stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (is_legacy(handle))
    if (const cudaError_t error = check_legacy_allowed(); error != cudaSuccess) return error;
  if (stream->capture != nullptr) return Capturing::get()->record(*stream, work);
  const bool copies = work.type == cudaGraphNodeTypeMemcpy, sets = work.type == cudaGraphNodeTypeMemset;
  std::optional<CallKind> kind;
  if (copies || sets) kind = copies ? CallKind::copy : CallKind::set;
  LoggedCall call(kind, copies ? "cudaMemcpy" : sets ? "cudaMemset" : "", handle);
  const cudaError_t error = run_in_order(*stream, handle, work);
  if (error != cudaSuccess) return error;
  if (kind) call.spend_launch();
  call.work = spend(handle, work.cost);
  return error;
}

cudaError_t enqueue_and_wait(const Work& work, bool ends) {
  const cudaError_t error = enqueue(nullptr, work);
  if (ends) StreamOrder::get().host_waits_for(find_stream(nullptr)->lane);
  host_waits_for(nullptr);
  HostLog::get().latest_waits();
  return error;
}

namespace {

/// A stream that a kernel creates orders its children, which run one after another in any case.
const cudaStream_t kOfDevice = reinterpret_cast<cudaStream_t>(5);

cudaError_t create(Pc pc, cudaStream_t* handle, unsigned int flags, int priority) {
  if (in_kernel() && handle != nullptr) {
    *handle = kOfDevice;
    return cudaSuccess;
  }
  if (handle == nullptr || flags > cudaStreamNonBlocking) return finish(cudaErrorInvalidValue);
  auto stream = std::make_unique<CUstream_st>();
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, 0);
  stream->lane = StreamOrder::get().add_stream((flags & cudaStreamNonBlocking) == 0, pc);
  *handle = stream.get();
  streams().push_back(std::move(stream));
  return finish(cudaSuccess);
}

cudaError_t run_on_host(const Call& call, cudaStream_t stream,
                        const std::function<void(cudaStream_t)>& function) {
  return finish(enqueue(stream, {cudaGraphNodeTypeHost,
                                 [function](cudaStream_t on) {
                                   function(on);
                                   return cudaSuccess;
                                 },
                                 {},
                                 nullptr,
                                 call}));
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create(WORKBOOK_CALL.pc, stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return create(WORKBOOK_CALL.pc, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return create(WORKBOOK_CALL.pc, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (in_kernel()) return handle == kOfDevice ? cudaSuccess : cudaErrorInvalidResourceHandle;
  auto& all = streams();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.get() == handle; });
  if (found == all.end()) return finish(cudaErrorInvalidResourceHandle);
  if ((*found)->capture != nullptr) Capturing::get()->leave(**found);
  StreamOrder::get().drop_stream((*found)->lane);
  all.erase(found);
  return finish(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = check_may_wait(stream); error != cudaSuccess) return finish(error);
  LoggedCall call(CallKind::wait, __func__, stream);
  StreamOrder::get().host_waits_for(find_stream(stream)->lane);
  host_waits_for(stream);
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = check_may_wait(stream); error != cudaSuccess) return finish(error);
  CUstream_st& asked = *find_stream(stream);
  if (!StreamOrder::get().host_knows(asked.lane) && !std::exchange(asked.asked, true)) return not_ready_yet();
  asked.asked = false;
  StreamOrder::get().host_waits_for(asked.lane);
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (flags == nullptr) return finish(cudaErrorInvalidValue);
  *flags = find_stream(stream)->flags;
  return finish(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (priority == nullptr) return finish(cudaErrorInvalidValue);
  *priority = find_stream(stream)->priority;
  return finish(cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data,
                                  unsigned int flags) {
  if (callback == nullptr || flags != 0) return finish(cudaErrorInvalidValue);
  if (is_capturing(stream)) return finish(cudaErrorStreamCaptureUnsupported);
  return run_on_host(WORKBOOK_CALL, stream, [=](cudaStream_t on) { callback(on, cudaSuccess, user_data); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  if (function == nullptr) return finish(cudaErrorInvalidValue);
  return run_on_host(WORKBOOK_CALL, stream, [=](cudaStream_t) { function(user_data); });
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = check_not_capturing(); error != cudaSuccess) return finish(error);
  LoggedCall call(CallKind::wait, __func__);
  StreamOrder::get().host_waits_for_all();
  Timeline& timeline = Timeline::get();
  timeline.host_us = std::max(timeline.host_us, latest_of_all()) + timeline.costs.wait_us;
  return finish_waiting(cudaSuccess);
}

void workbook_sim_stream_of_thread() { zero_is_of_thread() = true; }

}  // extern "C"
