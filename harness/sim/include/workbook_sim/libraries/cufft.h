// cuFFT, computed by FFTW (Debian: libfftw3-double3 and libfftw3-single3), which is loaded when a program
// first makes a plan; each execution is counted as one launch and its memory checked as a kernel's would be.
// No transform is scaled: forward and back gives the input times its number of elements, as on a GPU.
//
// Left out: callbacks, half precision, plans over several GPUs.
#pragma once

#define _CUFFT_H_  // what NVIDIA's header defines, and programs look for

#include <cuComplex.h>

#include <cstddef>

#include "../two_spaces.h"
#include "blas_types.h"

enum cufftResult_t : int {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
};
using cufftResult = cufftResult_t;
enum cufftType_t : int {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};
using cufftType = cufftType_t;
enum cufftCompatibility_t : int { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 };
using cufftCompatibility = cufftCompatibility_t;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

using cufftHandle = int;
using cufftReal = float;
using cufftDoubleReal = double;
using cufftComplex = cuComplex;
using cufftDoubleComplex = cuDoubleComplex;

extern "C" {
/// CUFFT_SETUP_FAILED where no FFTW is installed; standard error then says what to do.
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
/// With null `inembed` and `onembed` the elements lie one behind the other, and strides and distances do not
/// matter.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch);

cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t* work_bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* work_bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* work_bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              std::size_t* work_bytes);
/// Extents of 64 bits, and each side's type as such: float or double, the sums of the same.
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in, long long* onembed,
                                long long ostride, long long odist, cudaDataType out, long long batch,
                                std::size_t* work_bytes, cudaDataType execution);
/// No work area is needed: 0 bytes.
cufftResult cufftGetSize(cufftHandle plan, std::size_t* work_bytes);
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, std::size_t* work_bytes);
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, std::size_t* work_bytes);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, std::size_t* work_bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* area);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetVersion(int* version);
cufftResult cufftDestroy(cufftHandle plan);

/// Input and output may be one array; a real row then has room for the complex one.
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);

const char* workbook_sim_cufft_name(cufftResult result);
}

namespace workbook::sim {
inline void operator,(cufftResult result, const Dropped& at) {
  if (result != CUFFT_SUCCESS)
    workbook_sim_dropped(at.call, "cufft", result, workbook_sim_cufft_name(result), at.file, at.line);
}
}  // namespace workbook::sim
