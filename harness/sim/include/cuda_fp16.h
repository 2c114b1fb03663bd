// The simulator's <cuda_fp16.h>: half and half2.
#pragma once

#include "cuda_runtime.h"
#include "workbook_sim/small_float_format.h"

#define WORKBOOK_SMALL __half
#define WORKBOOK_SMALL2 __half2
#define WORKBOOK_NAME half
#define WORKBOOK_NAME2 half2
#define WORKBOOK_TWICE __half2half2
#define WORKBOOK_FORMAT HalfFormat
#define WORKBOOK_ENCODE encode_half
#define WORKBOOK_DECODE decode_half
#define WORKBOOK_OTHER __nv_bfloat16
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

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
