#include "gpu/time_emitted.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "core/element.h"
#include "gpu/benchmark.h"
#include "gpu/device.h"
#include "gpu/handles.h"
#include "runs/json.h"
#include "workbook/random.h"

namespace workbook::gpu {
namespace {

/// So many numbers are drawn, which takes a second; larger tensors hold them again and again. It divides no
/// usual size, so that rows differ, and is more than any cache holds.
constexpr std::size_t kDrawn = (std::size_t{1} << 25) + 43;

/// Of mean 0 and deviation 1, as the cases are on which the kernels are judged.
core::Bytes filled(const EmittedTensor& tensor, std::uint64_t seed) {
  core::Bytes bytes(tensor.elements * core::size_of(tensor.type));
  Random random(seed);
  const std::size_t drawn = std::min(tensor.elements, kDrawn);
  for (std::size_t i = 0; i < drawn; ++i)
    core::store(tensor.type, bytes, i,
                core::rounded(tensor.type, std::sqrt(3.0) * (2.0 * random.uniform() - 1.0)));
  const std::size_t known = drawn * core::size_of(tensor.type);
  for (std::size_t done = known; done < bytes.size(); done += known)
    std::memcpy(bytes.data() + done, bytes.data(), std::min(known, bytes.size() - done));
  return bytes;
}

core::Workload workload_of(void (*launches)(Run&), const std::vector<EmittedTensor>& tensors) {
  core::Workload work;
  work.name = "real";
  work.run = launches;
  for (const EmittedTensor& tensor : tensors) {
    runs::TensorInfo info;
    info.id = static_cast<int>(work.tensors.size());
    info.name = tensor.name;
    info.role = tensor.input ? runs::TensorRole::input : runs::TensorRole::output;
    info.dtype = core::type_name(tensor.type);
    info.shape = {static_cast<std::int64_t>(tensor.elements)};
    info.bytes = static_cast<std::int64_t>(tensor.elements * core::size_of(tensor.type));
    work.types.push_back(tensor.type);
    work.initial.push_back(tensor.input ? filled(tensor, work.tensors.size()) : core::Bytes());
    work.tensors.push_back(std::move(info));
  }
  return work;
}

int failed(int status, const char* words) {
  std::fprintf(stderr, "%s\n", words);
  return status;
}

}  // namespace

void require_launched(cudaError_t error) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // it is told once
  throw core::LaunchFailed("a launch failed: " + describe(error));
}

int time_emitted(int argc, char** argv, void (*launches)(Run&), const std::vector<EmittedTensor>& tensors) {
  if (argc != 2) return failed(2, "it takes one argument: the file for its times");
  try {
    choose_device();
    const Stream stream = make_stream();
    const runs::Benchmark timed = benchmark(workload_of(launches, tensors), stream.get());
    std::ofstream file(argv[1]);
    file << runs::dump({{"cold_us", timed.graph_cold_us}, {"note", timed.note}});
    return file.flush() ? 0 : failed(5, "its times cannot be written");
  } catch (const core::NoDevice& none) {
    return failed(77, none.what());
  } catch (const std::exception& error) {
    return failed(5, error.what());
  }
}

}  // namespace workbook::gpu
