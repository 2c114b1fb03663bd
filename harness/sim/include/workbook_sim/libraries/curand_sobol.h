// cuRAND's quasirandom generators and MTGP32 in kernels, which are not simulated: a program that calls one is
// told so at the call.
#pragma once

#include "curand.h"

using curandDirectionVectors32_t = unsigned int[32];
using curandDirectionVectors64_t = unsigned long long[64];
enum curandDirectionVectorSet_t {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};

struct curandStateSobol32 {};
struct curandStateScrambledSobol32 {};
struct curandStateSobol64 {};
struct curandStateScrambledSobol64 {};
struct curandStateMtgp32 {};
using curandStateSobol32_t = curandStateSobol32;
using curandStateScrambledSobol32_t = curandStateScrambledSobol32;
using curandStateSobol64_t = curandStateSobol64;
using curandStateScrambledSobol64_t = curandStateScrambledSobol64;
using curandStateMtgp32_t = curandStateMtgp32;

#define WORKBOOK_SIM_NO_SOBOL                                                                    \
  __attribute__((                                                                                \
      error("the quasirandom generators of cuRAND (Sobol) are not simulated, nor the tables of " \
            "direction vectors that they need: take curandState, curandStateMRG32k3a or "        \
            "curandStatePhilox4_32_10_t, or a Sobol sequence of your own")))
WORKBOOK_SIM_NO_SOBOL void curand_init(const unsigned int*, unsigned int, curandStateSobol32*);
WORKBOOK_SIM_NO_SOBOL void curand_init(const unsigned int*, unsigned int, unsigned int,
                                       curandStateScrambledSobol32*);
WORKBOOK_SIM_NO_SOBOL void curand_init(const unsigned long long*, unsigned long long, curandStateSobol64*);
WORKBOOK_SIM_NO_SOBOL void curand_init(const unsigned long long*, unsigned long long, unsigned long long,
                                       curandStateScrambledSobol64*);
WORKBOOK_SIM_NO_SOBOL unsigned int curand(curandStateSobol32*);
WORKBOOK_SIM_NO_SOBOL unsigned int curand(curandStateScrambledSobol32*);
WORKBOOK_SIM_NO_SOBOL unsigned long long curand(curandStateSobol64*);
WORKBOOK_SIM_NO_SOBOL unsigned long long curand(curandStateScrambledSobol64*);
WORKBOOK_SIM_NO_SOBOL curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t**,
                                                                 curandDirectionVectorSet_t);
WORKBOOK_SIM_NO_SOBOL curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t**,
                                                                 curandDirectionVectorSet_t);
WORKBOOK_SIM_NO_SOBOL curandStatus_t curandGetScrambleConstants32(unsigned int**);
WORKBOOK_SIM_NO_SOBOL curandStatus_t curandGetScrambleConstants64(unsigned long long**);
__attribute__((
    error("MTGP32 of cuRAND is not simulated: take curandState, curandStateMRG32k3a or "
          "curandStatePhilox4_32_10_t"))) unsigned int
curand(curandStateMtgp32*);
#undef WORKBOOK_SIM_NO_SOBOL
