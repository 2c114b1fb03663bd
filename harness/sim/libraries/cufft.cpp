// cuFFT on FFTW: plans, and executions as launches.
#include "workbook_sim/libraries/cufft.h"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/libraries/fftw.h"
#include "sim/libraries/library_launch.h"

namespace workbook::sim {
namespace {

/// One side of a transform, with its embedding where the program gave one.
struct FftSide {
  std::vector<int> embed;  ///< empty: one row behind the other
  int stride = 1, distance = 0;
};

struct FftPlan {
  std::vector<int> n;  ///< empty: created and not yet made
  FftSide in, out;
  cufftType type = CUFFT_C2C;
  int batch = 1;
  cudaStream_t stream = nullptr;
};

std::mutex& plans_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}
std::map<cufftHandle, FftPlan>& plans() {
  static auto& all = *new std::map<cufftHandle, FftPlan>;
  return all;
}

FftPlan* find_plan(cufftHandle handle) {
  const std::lock_guard lock(plans_mutex());
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : &found->second;
}

bool is_complex(cufftType type) { return type == CUFFT_C2C || type == CUFFT_Z2Z; }
bool is_forward(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }

/// Extents of an array in memory: half and one of the last where it is the complex side of a real transform.
std::vector<int> extents(const FftPlan& plan, bool complex_side) {
  std::vector<int> n = plan.n;
  if (!is_complex(plan.type) && complex_side) n.back() = n.back() / 2 + 1;
  return n;
}

int product_of(const std::vector<int>& n) {
  int all = 1;
  for (const int one : n) all *= one;
  return all;
}

/// The side as it lies in memory. In place a real row has the room of the complex one.
FftSide laid(const FftPlan& plan, const FftSide& given, bool complex_side, bool in_place) {
  if (!given.embed.empty()) return given;
  FftSide side{extents(plan, complex_side), 1, 0};
  if (in_place && !is_complex(plan.type) && !complex_side) side.embed.back() = 2 * (plan.n.back() / 2 + 1);
  side.distance = product_of(side.embed);
  return side;
}

/// The rows that hold the side's elements.
void add_rows(std::vector<Range>& ranges, const FftPlan& plan, const FftSide& side, bool complex_side,
              const void* start, std::size_t element_bytes) {
  const std::vector<int> n = extents(plan, complex_side);
  const std::size_t row = static_cast<std::size_t>(n.back()), stride = static_cast<std::size_t>(side.stride);
  const auto* const base = static_cast<const char*>(start);
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < n.size(); ++i) rows *= static_cast<std::size_t>(n[i]);
  for (int b = 0; b < plan.batch; ++b)
    for (std::size_t r = 0; r < rows; ++r) {
      std::size_t at = 0, rest = r, span = 1;  // the row's place, from the innermost of the outer indices
      for (std::size_t i = n.size() - 1; i > 0; --i) {
        span *= static_cast<std::size_t>(side.embed[i]);
        at += rest % static_cast<std::size_t>(n[i - 1]) * span;
        rest /= static_cast<std::size_t>(n[i - 1]);
      }
      const char* const first =
          base + (static_cast<std::size_t>(b) * static_cast<std::size_t>(side.distance) + at * stride) *
                     element_bytes;
      if (stride == 1)
        ranges.push_back({first, row * element_bytes});
      else
        ranges.push_back({first, element_bytes, row, stride * element_bytes});
    }
}

/// Rows that follow each other without a gap are one range.
std::vector<Range> joined(const std::vector<Range>& rows) {
  std::vector<Range> out;
  for (const Range& row : rows) {
    const bool follows = !out.empty() && out.back().height == 1 && row.height == 1 &&
                         static_cast<const char*>(out.back().start) + out.back().width == row.start;
    if (follows)
      out.back().width += row.width;
    else
      out.push_back(row);
  }
  return out;
}

template <class T>
bool compute(const FftPlan& plan, const FftSide& in, const FftSide& out, T* from, T* to,
             Direction direction) {
  const Transform t{static_cast<int>(plan.n.size()),
                    plan.n.data(),
                    plan.batch,
                    {in.embed.data(), in.stride, in.distance},
                    {out.embed.data(), out.stride, out.distance}};
  if (is_complex(plan.type)) return transform_complex(t, from, to, direction);
  return is_forward(plan.type) ? transform_real(t, from, to, direction)
                               : transform_real(t, to, from, direction);
}

const char* name_of(cufftType type) {
  switch (type) {
    case CUFFT_R2C:
      return "CUFFT_R2C";
    case CUFFT_C2R:
      return "CUFFT_C2R";
    case CUFFT_C2C:
      return "CUFFT_C2C";
    case CUFFT_D2Z:
      return "CUFFT_D2Z";
    case CUFFT_Z2D:
      return "CUFFT_Z2D";
    case CUFFT_Z2Z:
      return "CUFFT_Z2Z";
  }
  return "other";
}

template <class T>
cufftResult execute(const Call& call, cufftHandle handle, cufftType type, T* from, T* to,
                    Direction direction) {
  const FftPlan* const found = find_plan(handle);
  if (found == nullptr || found->n.empty()) return CUFFT_INVALID_PLAN;
  const FftPlan plan = *found;
  if (plan.type != type) {
    because(CUFFT_INVALID_TYPE, std::string("The plan was made for ") + name_of(plan.type) +
                                    ", and this call makes " + name_of(type) + " transforms.");
    return CUFFT_INVALID_TYPE;
  }
  if (from == nullptr || to == nullptr) return CUFFT_INVALID_VALUE;
  const bool in_place = from == to, in_complex = is_complex(type) || !is_forward(type),
             out_complex = is_complex(type) || is_forward(type);
  const FftSide in = laid(plan, plan.in, in_complex, in_place),
                out = laid(plan, plan.out, out_complex, in_place);
  std::vector<Range> reads, writes;
  add_rows(reads, plan, in, in_complex, from, sizeof(T) * (in_complex ? 2 : 1));
  add_rows(writes, plan, out, out_complex, to, sizeof(T) * (out_complex ? 2 : 1));
  LibraryLaunch launch;
  launch.call = call;
  launch.reads = joined(reads);
  launch.writes = joined(writes);
  const double elements = static_cast<double>(product_of(plan.n)) * plan.batch;
  launch.flops = 5.0 * elements * std::log2(std::max(2.0, static_cast<double>(product_of(plan.n)))) /
                 (is_complex(type) ? 1.0 : 2.0);
  launch.grid = {static_cast<std::uint32_t>(std::max(1.0, std::ceil(elements / 2048))), 1, 1};
  auto done = std::make_shared<bool>(true);  // a graph replays the work when this frame is gone
  launch.compute = [done, plan, in, out, from, to, direction] {
    *done = compute(plan, in, out, from, to, direction);
  };
  const cudaError_t error = run_library(plan.stream, launch);
  return error != cudaSuccess || !*done ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

cufftResult make(cufftHandle handle, const std::vector<int>& n, const FftSide& in, const FftSide& out,
                 cufftType type, int batch, std::size_t* work_bytes) {
  FftPlan* const plan = find_plan(handle);
  if (plan == nullptr || !plan->n.empty()) return CUFFT_INVALID_PLAN;
  if (batch < 1) return CUFFT_INVALID_SIZE;
  for (const int one : n)
    if (one < 1) return CUFFT_INVALID_SIZE;
  if (!fftw_is_there()) return CUFFT_SETUP_FAILED;
  plan->n = n;
  plan->in = in;
  plan->out = out;
  plan->type = type;
  plan->batch = batch;
  if (work_bytes != nullptr) *work_bytes = 0;
  return CUFFT_SUCCESS;
}

/// What cufftPlan...() does: create and make.
cufftResult plan(cufftHandle* handle, const std::vector<int>& n, const FftSide& in, const FftSide& out,
                 cufftType type, int batch) {
  if (const cufftResult created = cufftCreate(handle); created != CUFFT_SUCCESS) return created;
  const cufftResult made = make(*handle, n, in, out, type, batch, nullptr);
  if (made != CUFFT_SUCCESS) cufftDestroy(*handle);
  return made;
}

FftSide side_of(int rank, const int* embed, int stride, int distance) {
  if (embed == nullptr) return {};
  return {std::vector<int>(embed, embed + rank), stride, distance};
}

/// The transform between arrays of these types; nothing where there is none.
std::optional<cufftType> type_of(cudaDataType in, cudaDataType out) {
  if (in == CUDA_C_32F)
    return out == CUDA_C_32F   ? std::optional(CUFFT_C2C)
           : out == CUDA_R_32F ? std::optional(CUFFT_C2R)
                               : std::nullopt;
  if (in == CUDA_C_64F)
    return out == CUDA_C_64F   ? std::optional(CUFFT_Z2Z)
           : out == CUDA_R_64F ? std::optional(CUFFT_Z2D)
                               : std::nullopt;
  if (in == CUDA_R_32F && out == CUDA_C_32F) return CUFFT_R2C;
  return in == CUDA_R_64F && out == CUDA_C_64F ? std::optional(CUFFT_D2Z) : std::nullopt;
}

FftSide side_of_wide(int rank, const long long* embed, long long stride, long long distance) {
  if (embed == nullptr) return {};
  return {std::vector<int>(embed, embed + rank), static_cast<int>(stride), static_cast<int>(distance)};
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  static cufftHandle next = 0;
  const std::lock_guard lock(plans_mutex());
  plans()[*handle = ++next] = {};
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  const std::lock_guard lock(plans_mutex());
  return plans().erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
  return plan(handle, {nx}, {}, {}, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
  return plan(handle, {nx, ny}, {}, {}, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
  return plan(handle, {nx, ny, nz}, {}, {}, type, 1);
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_SIZE;
  return plan(handle, std::vector<int>(n, n + rank), side_of(rank, inembed, istride, idist),
              side_of(rank, onembed, ostride, odist), type, batch);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, std::size_t* work_bytes) {
  return make(handle, {nx}, {}, {}, type, batch, work_bytes);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, std::size_t* work_bytes) {
  return make(handle, {nx, ny}, {}, {}, type, 1, work_bytes);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            std::size_t* work_bytes) {
  return make(handle, {nx, ny, nz}, {}, {}, type, 1, work_bytes);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              std::size_t* work_bytes) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_SIZE;
  return make(handle, std::vector<int>(n, n + rank), side_of(rank, inembed, istride, idist),
              side_of(rank, onembed, ostride, odist), type, batch, work_bytes);
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in, long long* onembed,
                                long long ostride, long long odist, cudaDataType out, long long batch,
                                std::size_t* work_bytes, cudaDataType) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_SIZE;
  const std::optional<cufftType> type = type_of(in, out);
  if (!type) return CUFFT_INVALID_TYPE;
  return make(handle, std::vector<int>(n, n + rank), side_of_wide(rank, inembed, istride, idist),
              side_of_wide(rank, onembed, ostride, odist), *type, static_cast<int>(batch), work_bytes);
}

cufftResult cufftGetSize(cufftHandle handle, std::size_t* work_bytes) {
  if (find_plan(handle) == nullptr) return CUFFT_INVALID_PLAN;
  if (work_bytes == nullptr) return CUFFT_INVALID_VALUE;
  *work_bytes = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftEstimate1d(int, cufftType, int, std::size_t* work_bytes) {
  if (work_bytes == nullptr) return CUFFT_INVALID_VALUE;
  *work_bytes = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftEstimate2d(int nx, int, cufftType type, std::size_t* work_bytes) {
  return cufftEstimate1d(nx, type, 1, work_bytes);
}
cufftResult cufftEstimate3d(int nx, int, int, cufftType type, std::size_t* work_bytes) {
  return cufftEstimate1d(nx, type, 1, work_bytes);
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return find_plan(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return find_plan(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  FftPlan* const found = find_plan(handle);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = 12000;
  return CUFFT_SUCCESS;
}

#define WORKBOOK_DIRECTION(value)                                                       \
  if ((value) != CUFFT_FORWARD && (value) != CUFFT_INVERSE) return CUFFT_INVALID_VALUE; \
  const Direction direction = (value) == CUFFT_FORWARD ? Direction::forward : Direction::inverse
cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int way) {
  WORKBOOK_DIRECTION(way);
  return execute(WORKBOOK_CALL, handle, CUFFT_C2C, &in->x, &out->x, direction);
}
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out, int way) {
  WORKBOOK_DIRECTION(way);
  return execute(WORKBOOK_CALL, handle, CUFFT_Z2Z, &in->x, &out->x, direction);
}
#undef WORKBOOK_DIRECTION
cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
  return execute(WORKBOOK_CALL, handle, CUFFT_R2C, in, &out->x, Direction::forward);
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
  return execute(WORKBOOK_CALL, handle, CUFFT_C2R, &in->x, out, Direction::inverse);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return execute(WORKBOOK_CALL, handle, CUFFT_D2Z, in, &out->x, Direction::forward);
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return execute(WORKBOOK_CALL, handle, CUFFT_Z2D, &in->x, out, Direction::inverse);
}

const char* workbook_sim_cufft_name(cufftResult result) {
  switch (result) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_INVALID_TYPE:
      return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    default:
      return "an error of cuFFT";
  }
}

}  // extern "C"
