// CUDA's header of this name: constants of the CUDA Math API.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#define CUDART_INF_F (std::numeric_limits<float>::infinity())
#define CUDART_NAN_F (std::bit_cast<float>(std::uint32_t{0x7fffffff}))
#define CUDART_MIN_DENORM_F (std::numeric_limits<float>::denorm_min())
#define CUDART_MAX_NORMAL_F (std::numeric_limits<float>::max())
#define CUDART_NEG_ZERO_F (-0.0f)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_THIRD_F 0.333333333f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_3PIO4_F 2.356194490f
#define CUDART_2_OVER_PI_F 0.636619772f
#define CUDART_PI_F 3.141592654f
#define CUDART_L2E_F 1.442695041f
#define CUDART_L2T_F 3.321928094f
#define CUDART_LG2_F 0.301029996f
#define CUDART_LGE_F 0.434294482f
#define CUDART_LN2_F 0.693147181f
#define CUDART_LNT_F 2.302585093f
#define CUDART_LNPI_F 1.144729886f
#define CUDART_SQRT_2PI_F 2.506628275f

#define CUDART_INF (std::numeric_limits<double>::infinity())
#define CUDART_NAN (std::bit_cast<double>(std::uint64_t{0xfff8000000000000}))
#define CUDART_MIN_DENORM (std::numeric_limits<double>::denorm_min())
#define CUDART_MAX_NORMAL (std::numeric_limits<double>::max())
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 1.41421356237309505
#define CUDART_SQRT_HALF 0.70710678118654752
#define CUDART_THIRD 0.33333333333333333
#define CUDART_PIO4 0.78539816339744831
#define CUDART_PIO2 1.57079632679489662
#define CUDART_3PIO4 2.35619449019234493
#define CUDART_2_OVER_PI 0.63661977236758134
#define CUDART_PI 3.14159265358979324
#define CUDART_L2E 1.44269504088896341
#define CUDART_L2T 3.32192809488736235
#define CUDART_LG2 0.30102999566398120
#define CUDART_LGE 0.43429448190325183
#define CUDART_LN2 0.69314718055994531
#define CUDART_LNT 2.30258509299404568
#define CUDART_LNPI 1.14472988584940017
#define CUDART_SQRT_2PI 2.50662827463100050
