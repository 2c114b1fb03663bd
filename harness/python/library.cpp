// The harness's Run on arrays of somebody else's, for a puzzle's library for the GPU: `workbook op` links it
// with the learner's launches.cu. Nothing is allocated, copied or waited for: work goes onto the caller's
// stream.
#include "python/library.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>

#include "core/declaration.h"
#include "core/element.h"
#include "core/expression.h"
#include "workbook/puzzle.h"

namespace workbook::op {
namespace {

/// The learner's launch failed, or the device is lost to an earlier one.
class LaunchFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SizeRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void require(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return;
  throw LaunchFailed(what + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")");
}

/// The caller's current device is put back: other libraries in the process rely on it.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    require(cudaGetDevice(&before_), "the GPU");
    require(cudaSetDevice(device), "the GPU");
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

class CallRun : public Run {
 public:
  CallRun(const Dims& dims, std::span<const WorkbookArray> arrays, CUstream_st* stream)
      : dims_(dims), arrays_(arrays), stream_(stream) {}

  CUstream_st* stream() const override { return stream_; }

 private:
  std::int64_t evaluate(std::string_view expression) const override {
    return core::evaluate(expression, dims_);
  }
  Found find_tensor(std::string_view name) override {
    for (const WorkbookArray& array : arrays_)
      if (array.name == name) return {array.data, static_cast<Type>(array.type)};
    throw std::out_of_range("launches.cu asks for a tensor '" + std::string(name) +
                            "', which this variant does not have");
  }

  void run_step(const Step& step, void (*body)(void*), void* object) override {
    body(object);
    require(cudaGetLastError(), std::string(step.name));
  }

  void refuse(std::string_view tensor, Type has, Type asked) const override {
    throw std::invalid_argument("launches.cu takes the tensor '" + std::string(tensor) + "' as " +
                                std::string(core::type_name(asked)) + ", and it is declared as " +
                                std::string(core::type_name(has)));
  }
  void fail_launch(std::string_view why) const override { throw std::runtime_error(std::string(why)); }

  const Dims& dims_;
  std::span<const WorkbookArray> arrays_;
  CUstream_st* stream_;
};

void call(std::string_view variant, std::span<const WorkbookArray> arrays, const Dims& dims, int device,
          CUstream_st* stream) {
  for (const Variant& each : puzzle.variants)
    if (each.name == variant)
      if (const std::string why = core::refusal(each, dims); !why.empty()) throw SizeRefused(why);
  const OnDevice on_device(device);
  require(cudaPeekAtLastError(), "before this call");
  CallRun run(dims, arrays, stream);
  for (const Launcher& launcher : launchers)
    if (launcher.variant == variant) return launcher.run(run);
  throw std::out_of_range("launches.cu launches no variant '" + std::string(variant) + "'");
}

}  // namespace
}  // namespace workbook::op

extern "C" __attribute__((visibility("default"))) WorkbookOutcome workbook_op_call(
    const char* variant, const WorkbookArray* arrays, int array_count, const WorkbookSize* sizes,
    int size_count, int device, void* stream, char* words, int words_bytes) {
  using namespace workbook;
  const auto say = [&](const std::exception& error) {
    std::snprintf(words, static_cast<std::size_t>(words_bytes), "%s", error.what());
  };
  try {
    Dims dims;
    for (const WorkbookSize& each : std::span(sizes, static_cast<std::size_t>(size_count)))
      dims.add(each.name, each.size);
    op::call(variant, {arrays, static_cast<std::size_t>(array_count)}, dims, device,
             static_cast<CUstream_st*>(stream));
    return workbook_op_done;
  } catch (const op::SizeRefused& error) {
    return say(error), workbook_op_refused;
  } catch (const op::LaunchFailed& error) {
    return say(error), workbook_op_failed;
  } catch (const std::exception& error) {
    return say(error), workbook_op_broken;
  }
}
