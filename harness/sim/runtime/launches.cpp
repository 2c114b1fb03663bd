// Launches on their way to the engine: through streams, captures and graphs, and with arguments by pointer.
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "clock/occupancy.h"
#include "sim/check/diagnosis.h"
#include "sim/engine/events.h"
#include "sim/engine/kernel_info.h"
#include "sim/engine/launch_check.h"
#include "sim/runtime/call.h"
#include "sim/runtime/capturing.h"
#include "sim/runtime/crossings.h"
#include "sim/runtime/host_log.h"
#include "sim/runtime/pointers.h"
#include "sim/source/symbols.h"
#include "workbook_sim/runtime/launch.h"

namespace workbook::sim {
namespace {

/// A launch by a function of the host API is the line that calls it.
LaunchConfig called_at(Pc pc, LaunchConfig config) {
  static auto& files = *new std::set<std::string>;  // the configuration may be kept in a graph
  static auto& mutex = *new std::mutex;
  const runs::SourceLine at = source_line(pc);
  const std::lock_guard lock(mutex);
  config.file = files.insert(at.file).first->c_str();
  config.line = at.line;
  return config;
}

std::map<const void*, const KernelSignature*>& signatures() {
  static auto& known = *new std::map<const void*, const KernelSignature*>;
  return known;
}

}  // namespace

thread_local constinit TakeLaunch take_launch = nullptr;

std::optional<cudaError_t> redirect_launch(const LaunchConfig& config, const BoundKernel& kernel) {
  check_arguments(config, kernel);
  if (take_launch != nullptr) {
    take_launch(config, kernel);
    return cudaSuccess;
  }
  CUstream_st* stream = find_stream(config.stream);
  if (stream == nullptr) {
    const LaunchProblem problem{cudaErrorInvalidResourceHandle,
                                "the stream that it is given does not exist, or was destroyed before"};
    see_rejected_launch(config, kernel.name, problem);
    return problem.error;
  }
  if (is_legacy(config.stream))
    if (const cudaError_t error = check_legacy_allowed(); error != cudaSuccess) return error;
  if (stream->capture != nullptr) return Capturing::get()->record_launch(*stream, config, kernel);
  return std::nullopt;
}

void account_launch(cudaStream_t stream, const FinishedLaunch& launch, double cpu_us) {
  LoggedCall call(CallKind::launch, launch.kernel, stream);
  call.spend_launch();
  call.work = spend(stream, launch_cost(launch, cpu_us));
  const bool library = launch.modelled.has_value();
  StreamWork work{library ? StreamWork::Kind::library : StreamWork::Kind::kernel, launch.kernel,
                  launch.called_at, launch.at};
  work.dependent = launch.dependent;
  StreamOrder::get().give(find_stream(stream)->lane, std::move(work));
}

cudaError_t read_config(const cudaLaunchConfig_t* from, LaunchConfig& to) {
  if (from == nullptr || (from->numAttrs > 0 && from->attrs == nullptr)) return cudaErrorInvalidValue;
  to = {from->gridDim, from->blockDim, from->dynamicSmemBytes, from->stream};
  for (unsigned int i = 0; i < from->numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = from->attrs[i].val;
    switch (from->attrs[i].id) {
      case cudaLaunchAttributeCooperative:
        to.cooperative = value.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        to.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        to.dependent = value.programmaticStreamSerializationAllowed != 0;
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
        break;
      default:
        return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

cudaError_t finish_launch(cudaError_t error) { return finish(error); }

void register_signature(const void* function, const KernelSignature& signature) {
  signatures()[function] = &signature;
}

LaunchableKernel::LaunchableKernel(const void* kernel) : function(kernel) {
  const auto found = signatures().find(kernel);
  if (found != signatures().end()) signature = found->second;
}

namespace {

/// Whether the host can read each argument where the list says it lies; else adds a finding.
bool check_list(const LaunchConfig& config, const KernelSignature& signature, void** arguments) {
  if (signature.count > 0 && arguments == nullptr) return false;
  if (config.file == nullptr) return true;  // a node of a graph: there is no line to tell
  for (std::size_t i = 0; i < signature.count; ++i) {
    const Pointed p = point_to(arguments[i]);
    if (p.side != Side::null && p.side != Side::device) continue;
    report_launch(
        config, runs::FindingClass::host_deref,
        "entry " + std::to_string(i) + " of the list of arguments is " +
            (p.side == Side::null ? std::string("null")
                                  : "the device memory " + allocation_name(*p.allocation) + " itself") +
            ": the host reads each argument where its entry points to, and the program ends here with a "
            "segmentation fault.",
        "The list holds the addresses of the arguments, also of those that are pointers: {&d_x, &n}.");
    return false;
  }
  return true;
}

}  // namespace

cudaError_t LaunchableKernel::operator()(const LaunchConfig& config, void** arguments) const {
  if (signature == nullptr) return finish(cudaErrorInvalidDeviceFunction);
  if (signature->is_list && !check_list(config, *signature, arguments)) return finish(cudaErrorInvalidValue);
  return submit(config, {nullptr, function, signature, arguments});
}

}  // namespace workbook::sim

using namespace workbook::sim;

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, LaunchableKernel kernel, void** arguments) {
  LaunchConfig read{1, 1};
  if (const cudaError_t error = read_config(config, read); error != cudaSuccess) return finish(error);
  return kernel(called_at(WORKBOOK_CALL.pc, read), arguments);
}

cudaError_t cudaLaunchKernel(LaunchableKernel kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return kernel(called_at(WORKBOOK_CALL.pc, {grid, block, shared_bytes, stream}), arguments);
}

cudaError_t cudaLaunchCooperativeKernel(LaunchableKernel kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  LaunchConfig config{grid, block, shared_bytes, stream};
  config.cooperative = true;
  return kernel(called_at(WORKBOOK_CALL.pc, config), arguments);
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, AnyKernel kernel,
                                           const cudaLaunchConfig_t* config) {
  LaunchConfig c{1, 1};
  if (clusters == nullptr) return finish(cudaErrorInvalidValue);
  if (const cudaError_t error = read_config(config, c); error != cudaSuccess) return finish(error);
  const KernelInfo& info = kernel_info(kernel.function);
  const int blocks = blocks_per_sm(current_gpu(), {c.block.x * c.block.y * c.block.z,
                                                   info.static_shared + c.shared_bytes, info.registers})
                         .blocks;
  const unsigned int size = c.cluster.x * c.cluster.y * c.cluster.z;
  *clusters = size == 0 ? 0 : blocks * current_gpu().sms / static_cast<int>(size);
  return finish(size == 0 ? cudaErrorInvalidClusterSize : cudaSuccess);
}
