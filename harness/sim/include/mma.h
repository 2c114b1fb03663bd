// The simulator's <mma.h>: wmma fragments of half, bfloat16, tf32, 8 bit integers and double. Fragments of
// fewer bits are not there.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "workbook_sim/wmma.h"
