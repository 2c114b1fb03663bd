// MRG32k3a in kernels: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", 1999; jumps as in L'Ecuyer, Simard, Chen and Kelton, "An object-oriented random-number
// package with many long streams and substreams", 2002. How seed, subsequence and offset choose the state is
// as in cuRAND.
#pragma once

#include <cmath>

#include "../../cuda_runtime.h"
#include "curand_spare.h"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];  ///< the last three numbers of each component, the oldest first
  workbook::sim::SpareNormals spare;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;

extern "C" {
/// Moves both components on by n * 2^shift numbers.
void workbook_sim_mrg32k3a_jump(unsigned int* s1, unsigned int* s2, unsigned long long n, int shift);
}

namespace workbook::sim {

inline constexpr long long kMrgModulus1 = 4294967087, kMrgModulus2 = 4294944443;
inline constexpr double kMrgStep =
    2.3283065498378288e-10;  ///< cuRAND's: 1 / modulus 1, and its last number is 1

/// The next number, from 1 to modulus 1.
WORKBOOK_SIM_INLINE unsigned int mrg32k3a_next(curandStateMRG32k3a* s) {
  long long p = (1403580ll * s->s1[1] - 810728ll * s->s1[0]) % kMrgModulus1;
  if (p < 0) p += kMrgModulus1;
  long long q = (527612ll * s->s2[2] - 1370589ll * s->s2[0]) % kMrgModulus2;
  if (q < 0) q += kMrgModulus2;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = static_cast<unsigned int>(p);
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = static_cast<unsigned int>(q);
  workbook_sim_random_draws(s->s1, 6, &s->spare.launch);
  return static_cast<unsigned int>(p > q ? p - q : p - q + kMrgModulus1);
}

/// a * b modulo m, where all are below 2^32.
WORKBOOK_SIM_INLINE unsigned int mrg_multiply(unsigned long long a, unsigned long long b, long long m) {
  return static_cast<unsigned int>(a * b % static_cast<unsigned long long>(m));
}

}  // namespace workbook::sim

/// 32 bits, of which not all are equally likely: the numbers are stretched to that range.
WORKBOOK_SIM_INLINE unsigned int curand(curandStateMRG32k3a* s) {
  return static_cast<unsigned int>(static_cast<double>(workbook::sim::mrg32k3a_next(s)) * 1.000000048662);
}
WORKBOOK_SIM_INLINE float curand_uniform(curandStateMRG32k3a* s) {
  return static_cast<float>(static_cast<double>(workbook::sim::mrg32k3a_next(s)) * workbook::sim::kMrgStep);
}
WORKBOOK_SIM_INLINE double curand_uniform_double(curandStateMRG32k3a* s) {
  return static_cast<double>(workbook::sim::mrg32k3a_next(s)) * workbook::sim::kMrgStep;
}
WORKBOOK_SIM_INLINE float2 curand_normal2(curandStateMRG32k3a* s) {
  const float radius = sqrtf(-2.0f * logf(curand_uniform(s))), angle = curand_uniform(s) * 6.2831855f;
  return {sinf(angle) * radius, cosf(angle) * radius};
}
WORKBOOK_SIM_INLINE double2 curand_normal2_double(curandStateMRG32k3a* s) {
  const double radius = sqrt(-2.0 * log(curand_uniform_double(s)));
  const double angle = curand_uniform_double(s) * 2.0 * 3.14159265358979323846;
  return {sin(angle) * radius, cos(angle) * radius};
}

/// By n numbers, by n subsequences of 2^76, by n sequences of 2^127.
WORKBOOK_SIM_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a* s) {
  workbook_sim_mrg32k3a_jump(s->s1, s->s2, n, 0);
}
WORKBOOK_SIM_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* s) {
  workbook_sim_mrg32k3a_jump(s->s1, s->s2, n, 76);
}
WORKBOOK_SIM_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* s) {
  workbook_sim_mrg32k3a_jump(s->s1, s->s2, n, 127);
}

WORKBOOK_SIM_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStateMRG32k3a* s) {
  using workbook::sim::kMrgModulus1;
  using workbook::sim::kMrgModulus2;
  workbook_sim_random_begins(seed, subsequence, offset);
  for (int i = 0; i < 3; ++i) s->s1[i] = s->s2[i] = 12345;
  s->spare = {};
  if (seed != 0) {
    const unsigned int low = static_cast<unsigned int>(seed) ^ 0x55555555u;
    const unsigned int high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      s->s1[i] = workbook::sim::mrg_multiply(i % 2 == 0 ? low : high, s->s1[i], kMrgModulus1);
      s->s2[i] = workbook::sim::mrg_multiply(i % 2 == 0 ? high : low, s->s2[i], kMrgModulus2);
    }
  }
  if (subsequence != 0) skipahead_subsequence(subsequence, s);
  if (offset != 0) skipahead(offset, s);
}
