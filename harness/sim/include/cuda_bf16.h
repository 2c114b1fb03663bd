// The simulator's <cuda_bf16.h>: bfloat16 and its vector of two.
#pragma once

#include "cuda_fp16.h"

#define WORKBOOK_SMALL __nv_bfloat16
#define WORKBOOK_SMALL2 __nv_bfloat162
#define WORKBOOK_NAME bfloat16
#define WORKBOOK_NAME2 bfloat162
#define WORKBOOK_TWICE __bfloat162bfloat162
#define WORKBOOK_FORMAT Bfloat16Format
#define WORKBOOK_ENCODE encode_bfloat16
#define WORKBOOK_DECODE decode_bfloat16
#define WORKBOOK_OTHER __half
#include "workbook_sim/small_float.h"
#undef WORKBOOK_SMALL
#undef WORKBOOK_SMALL2
#undef WORKBOOK_NAME
#undef WORKBOOK_NAME2
#undef WORKBOOK_TWICE
#undef WORKBOOK_FORMAT
#undef WORKBOOK_ENCODE
#undef WORKBOOK_DECODE
#undef WORKBOOK_OTHER

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __half::__half(__nv_bfloat16 value) : __half(static_cast<float>(value)) {}
inline __nv_bfloat16::__nv_bfloat16(__half value) : __nv_bfloat16(static_cast<float>(value)) {}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
