#include "optimizer/schedule/price.h"

#include <fmt/format.h>

#include "clock/gpus.h"
#include "clock/model.h"
#include "optimizer/forms/forms.h"
#include "optimizer/launch/counter.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

runs::LaunchRecord counted(const Program& program, const Plan& plan, const Launch& launch,
                           const Kernel& kernel, const Extents& extents) {
  return form_of(kernel.path).counter(program, plan, launch, kernel, extents)->run();
}

std::optional<std::int64_t> tile_bytes_of(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel, const Extents& extents) {
  return form_of(kernel.path).bytes(program, plan, launch, kernel, extents);
}

Price price_of(std::vector<runs::LaunchRecord> counted, const sim::GpuSpec& gpu) {
  Price price;
  price.launches = std::move(counted);
  sim::LaunchSequence sequence(gpu);
  for (runs::LaunchRecord& record : price.launches) {
    record.modelled = sequence.next(record);
    price.us += record.modelled->total_us;
    price.bytes +=
        static_cast<double>(record.counters->dram_bytes_read + record.counters->dram_bytes_written);
  }
  return price;
}

Price price_of(const Program& program, const Plan& plan, const Extents& extents, const sim::GpuSpec& gpu) {
  const std::vector<Launch> launches = launches_of(program, plan);
  std::vector<runs::LaunchRecord> records;
  for (std::size_t k = 0; k < launches.size(); ++k)
    records.push_back(counted(program, plan, launches[k], plan.kernels[k], extents));
  return price_of(std::move(records), gpu);
}

std::optional<std::string> does_not_fit(const Program& program, const Plan& plan, const Extents& extents,
                                        const sim::GpuSpec& gpu) {
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k) {
    const std::int64_t bytes =
        tile_bytes_of(program, plan, launches[k], plan.kernels[k], extents).value_or(0);
    if (bytes > std::int64_t{gpu.shared_kb_per_block} * 1024)
      return fmt::format("launch {} wants {} KB of shared memory, and a block has {}", k + 1, bytes / 1024,
                         gpu.shared_kb_per_block);
  }
  return std::nullopt;
}

double least_us(const Program& program, const sim::GpuSpec& gpu) {
  const Graph& graph = program.graph;
  const Extents extents = real_extents(graph);
  const std::uint64_t used = used_by_output(graph);
  double bytes = 0.0;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (const Tensor& tensor = graph.inputs[i]; (used >> i & 1) != 0 && tensor.is_stored())
      bytes += static_cast<double>(size_of(tensor.set(), extents)) * item_bytes(tensor.storage);
  constexpr double kBytesPerUs = 1e3;  // of a GB/s
  return sim::ModelConstants().launch_us + bytes / (gpu.dram_gbps * kBytesPerUs);
}

}  // namespace workbook::opt
