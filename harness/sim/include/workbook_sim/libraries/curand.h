// cuRAND's host interface: generators that fill arrays, in device memory, or for those of
// curandCreateGeneratorHost() in the host's.
//
// Numbers come from the real algorithms with the given seed and offset. XORWOW, the default, and MRG32k3a are
// handed out as cuRAND documents for its legacy ordering: number n is number n / 4096 of sequence n % 4096.
// The others hand out one sequence. On a GPU the default ordering may be another one, so the same seed may
// give other numbers there.
#pragma once

#define CURAND_H_  // what NVIDIA's header defines, and programs look for

#include <cstddef>

#include "../two_spaces.h"
#include "blas_types.h"

enum curandStatus_t : int {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
/// MTGP32 and the quasirandom ones are not simulated: creating one says so, CURAND_STATUS_TYPE_ERROR.
enum curandRngType_t : int {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
using curandRngType = curandRngType_t;
enum curandOrdering_t : int {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};

struct curandGenerator_st;
using curandGenerator_t = curandGenerator_st*;

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int count);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
/// The first number is then number `offset` of the sequence.
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t count);
/// In (0, 1].
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t count);
/// Normals come in pairs: an odd count is CURAND_STATUS_LENGTH_NOT_MULTIPLE.
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                    float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                          double mean, double stddev);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                       float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                             double mean, double stddev);
/// By multiplying uniform numbers (Knuth), so it takes a time that grows with lambda.
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, std::size_t count,
                                     double lambda);
/// For findings: its name, and what it means here where that says more.
const char* workbook_sim_curand_name(curandStatus_t status);
}

namespace workbook::sim {
inline void operator,(curandStatus_t status, const Dropped& at) {
  if (status != CURAND_STATUS_SUCCESS)
    workbook_sim_dropped(at.call, "curand", status, workbook_sim_curand_name(status), at.file, at.line);
}
}  // namespace workbook::sim
