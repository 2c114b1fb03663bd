// The backend of the `cuda` build: the puzzle's kernels on a real GPU, through the CUDA runtime.
#include "core/backend.h"
#include "gpu/benchmark.h"
#include "gpu/device.h"
#include "gpu/launch.h"
#include "gpu/tensor_set.h"

namespace workbook::gpu {
namespace {

// Wide enough for a tile of 16 rows of 4096 floats written past the last row.
constexpr std::size_t kGuardBytes = 256 * 1024;

class GpuBackend : public core::Backend {
 public:
  GpuBackend() : device_(choose_device()), stream_(make_stream()) {}

  runs::Backend name() const override { return runs::Backend::cuda; }
  std::string device() const override { return device_.name; }
  std::string engine() const override { return device_.name; }

  core::Execution execute(const core::Workload& workload) override {
    TensorSet tensors(workload, kGuardBytes);
    CheckedRun run(workload, tensors, stream_.get());
    workload.run(run);

    core::Execution execution;
    execution.launches = std::move(run.launches);
    execution.findings = std::move(run.findings);
    for (const auto& info : workload.tensors) execution.values.push_back(tensors.download(info.id));
    return execution;
  }

  runs::Benchmark benchmark(const core::Workload& workload) override {
    return gpu::benchmark(workload, stream_.get());
  }

 private:
  Device device_;
  Stream stream_;
};

}  // namespace
}  // namespace workbook::gpu

namespace workbook::core {

std::unique_ptr<Backend> make_backend(const Options&) { return std::make_unique<gpu::GpuBackend>(); }

}  // namespace workbook::core
