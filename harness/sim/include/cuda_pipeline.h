// The simulator's <cuda_pipeline.h>: the C functions behind cuda::pipeline, which one thread uses for its own
// asynchronous copies.
#pragma once

#include "cuda_pipeline_primitives.h"
