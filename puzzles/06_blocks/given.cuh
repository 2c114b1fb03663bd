// Puzzle 06, what the learner is handed: the size of a block, and how many blocks --few has.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"
