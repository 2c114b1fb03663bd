// cuRAND's generators in kernels: the same numbers as on a GPU for the same seed, sequence and offset
// (normals to the last bits of logf, sinf and cosf).
//
// Philox 4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011. XORWOW:
// Marsaglia, "Xorshift RNGs", 2003. How seed, sequence and offset choose the state, and how bits become
// uniform and normal numbers, is as in cuRAND. MRG32k3a is in a header of its own; MTGP32 and the quasirandom
// generators are not here, as curand_sobol.h tells whoever calls them.
#pragma once

#include <cmath>

#include "../../cuda_runtime.h"
#include "curand_spare.h"

struct curandStatePhilox4_32_10 {
  unsigned int key[2];
  unsigned int counter[4];  ///< of the block below, which holds the next numbers
  unsigned int block[4];
  unsigned int used;  ///< of the block
  workbook::sim::SpareNormals spare;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

struct curandStateXORWOW {
  unsigned int v[5];
  unsigned int d;
  workbook::sim::SpareNormals spare;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

extern "C" {
/// Moves the five words of an xorshift generator on by n * 2^shift numbers; shift is 0 or 67.
void workbook_sim_xorwow_jump(unsigned int* v, unsigned long long n, int shift);
}

namespace workbook::sim {

/// Ten rounds on the counter: two products of 32 bits, whose halves are mixed with the key.
WORKBOOK_SIM_INLINE void philox_refill(curandStatePhilox4_32_10_t* s) {
  unsigned int c0 = s->counter[0], c1 = s->counter[1], c2 = s->counter[2], c3 = s->counter[3];
  unsigned int k0 = s->key[0], k1 = s->key[1];
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    const unsigned long long p = 0xD2511F53ull * c0, q = 0xCD9E8D57ull * c2;
    c0 = static_cast<unsigned int>(q >> 32) ^ c1 ^ k0;
    c2 = static_cast<unsigned int>(p >> 32) ^ c3 ^ k1;
    c1 = static_cast<unsigned int>(q);
    c3 = static_cast<unsigned int>(p);
  }
  s->block[0] = c0;
  s->block[1] = c1;
  s->block[2] = c2;
  s->block[3] = c3;
}

/// Adds n to the counter's words from `first` on; a carry goes on to the end.
WORKBOOK_SIM_INLINE void philox_add(curandStatePhilox4_32_10_t* s, int first, unsigned long long n) {
  for (int word = first; word < 4; ++word) {
    const unsigned long long sum = (n & 0xffffffffull) + s->counter[word];
    s->counter[word] = static_cast<unsigned int>(sum);
    n = (n >> 32) + (sum >> 32);
  }
}

inline constexpr float kStep32 = 0x1p-32f;  ///< uniform numbers lie in the middle of their 2^32 steps
inline constexpr double kStep53 = 0x1p-53;

WORKBOOK_SIM_INLINE float to_uniform(unsigned int x) { return static_cast<float>(x) * kStep32 + kStep32 / 2; }
WORKBOOK_SIM_INLINE double to_uniform_double(unsigned int x, unsigned int y) {
  const unsigned long long z = x ^ (static_cast<unsigned long long>(y) << 21);
  return static_cast<double>(z) * kStep53 + kStep53 / 2;
}

WORKBOOK_SIM_INLINE float2 box_muller(unsigned int x, unsigned int y) {
  constexpr float kFullTurn = 6.2831855f;
  const float radius = sqrtf(-2.0f * logf(to_uniform(x)));
  const float angle = static_cast<float>(y) * (kStep32 * kFullTurn) + kStep32 * kFullTurn / 2;
  return {sinf(angle) * radius, cosf(angle) * radius};
}
WORKBOOK_SIM_INLINE double2 box_muller_double(uint4 x) {
  constexpr double kHalfTurn = 3.14159265358979323846;
  const double radius = sqrt(-2.0 * log(to_uniform_double(x.x, x.y)));
  const double angle = to_uniform_double(x.z, x.w) * 2 * kHalfTurn;
  return {sin(angle) * radius, cos(angle) * radius};
}

}  // namespace workbook::sim

/// The next 32 random bits.
WORKBOOK_SIM_INLINE unsigned int curand(curandStatePhilox4_32_10_t* s) {
  const unsigned int bits = s->block[s->used];
  if (++s->used == 4) {
    workbook::sim::philox_add(s, 0, 1);
    workbook::sim::philox_refill(s);
    s->used = 0;
  }
  workbook_sim_random_draws(s->key, 11, &s->spare.launch);
  return bits;
}
WORKBOOK_SIM_INLINE uint4 curand4(curandStatePhilox4_32_10_t* s) {
  const unsigned int x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return {x, y, z, w};
}
WORKBOOK_SIM_INLINE unsigned int curand(curandStateXORWOW_t* s) {
  const unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  for (int i = 0; i < 4; ++i) s->v[i] = s->v[i + 1];
  s->v[4] = s->v[4] ^ (s->v[4] << 4) ^ t ^ (t << 1);
  s->d += 362437;
  workbook_sim_random_draws(s->v, 6, &s->spare.launch);
  return s->v[4] + s->d;
}

/// Moves on by n numbers, or by n sequences of 2^66 numbers (XORWOW: 2^67).
WORKBOOK_SIM_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* s) {
  const unsigned int used = s->used + static_cast<unsigned int>(n % 4);
  workbook::sim::philox_add(s, 0, n / 4 + used / 4);
  workbook::sim::philox_refill(s);
  s->used = used % 4;
}
WORKBOOK_SIM_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* s) {
  workbook::sim::philox_add(s, 2, n);
  workbook::sim::philox_refill(s);
}
WORKBOOK_SIM_INLINE void skipahead(unsigned long long n, curandStateXORWOW_t* s) {
  unsigned int v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  workbook_sim_xorwow_jump(v, n, 0);
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
  s->d += 362437 * static_cast<unsigned int>(n);
}
WORKBOOK_SIM_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* s) {
  unsigned int v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  workbook_sim_xorwow_jump(v, n, 67);  // the other word repeats after 2^32
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
}

WORKBOOK_SIM_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                                     unsigned long long offset, curandStatePhilox4_32_10_t* s) {
  workbook_sim_random_begins(seed, sequence, offset);
  s->key[0] = static_cast<unsigned int>(seed);
  s->key[1] = static_cast<unsigned int>(seed >> 32);
  for (int i = 0; i < 4; ++i) s->counter[i] = 0;
  s->used = 0;
  s->spare = {};
  workbook::sim::philox_add(s, 2, sequence);
  skipahead(offset, s);
}
WORKBOOK_SIM_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                                     unsigned long long offset, curandStateXORWOW_t* s) {
  workbook_sim_random_begins(seed, sequence, offset);
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + low + high;
  s->v[0] = 123456789u + low;
  s->v[1] = 362436069u ^ low;
  s->v[2] = 521288629u + high;
  s->v[3] = 88675123u ^ high;
  s->v[4] = 5783321u + low;
  s->spare = {};
  if (sequence != 0) skipahead_sequence(sequence, s);
  if (offset != 0) skipahead(offset, s);
}

/// Uniform in (0, 1].
template <class State>
WORKBOOK_SIM_INLINE float curand_uniform(State* s) {
  return workbook::sim::to_uniform(curand(s));
}
WORKBOOK_SIM_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
  const uint4 x = curand4(s);
  return {workbook::sim::to_uniform(x.x), workbook::sim::to_uniform(x.y), workbook::sim::to_uniform(x.z),
          workbook::sim::to_uniform(x.w)};
}
/// Of 53 bits, Philox's of 32.
WORKBOOK_SIM_INLINE double curand_uniform_double(curandStateXORWOW_t* s) {
  const unsigned int x = curand(s), y = curand(s);
  return workbook::sim::to_uniform_double(x, y);
}
WORKBOOK_SIM_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t* s) {
  return static_cast<double>(curand(s)) * 0x1p-32 + 0x1p-32;
}
WORKBOOK_SIM_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
  const uint4 x = curand4(s);
  return {workbook::sim::to_uniform_double(x.x, x.y), workbook::sim::to_uniform_double(x.z, x.w)};
}

/// Mean 0, standard deviation 1. Numbers are made in pairs; the second one is kept for the next call.
template <class State>
WORKBOOK_SIM_INLINE float2 curand_normal2(State* s) {
  const unsigned int x = curand(s), y = curand(s);
  return workbook::sim::box_muller(x, y);
}
template <class State>
WORKBOOK_SIM_INLINE double2 curand_normal2_double(State* s) {
  const unsigned int x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return workbook::sim::box_muller_double({x, y, z, w});
}
template <class State>
WORKBOOK_SIM_INLINE float curand_normal(State* s) {
  s->spare.has_single = !s->spare.has_single;
  if (!s->spare.has_single) return s->spare.single;
  const float2 pair = curand_normal2(s);
  s->spare.single = pair.y;
  return pair.x;
}
template <class State>
WORKBOOK_SIM_INLINE double curand_normal_double(State* s) {
  s->spare.has_precise = !s->spare.has_precise;
  if (!s->spare.has_precise) return s->spare.precise;
  const double2 pair = curand_normal2_double(s);
  s->spare.precise = pair.y;
  return pair.x;
}
WORKBOOK_SIM_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
  const uint4 x = curand4(s);
  const float2 a = workbook::sim::box_muller(x.x, x.y), b = workbook::sim::box_muller(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}

/// exp() of a normal number of that mean and standard deviation.
template <class State>
WORKBOOK_SIM_INLINE float curand_log_normal(State* s, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(s));
}
template <class State>
WORKBOOK_SIM_INLINE float2 curand_log_normal2(State* s, float mean, float stddev) {
  const float2 pair = curand_normal2(s);
  return {expf(mean + stddev * pair.x), expf(mean + stddev * pair.y)};
}
template <class State>
WORKBOOK_SIM_INLINE double curand_log_normal_double(State* s, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(s));
}
