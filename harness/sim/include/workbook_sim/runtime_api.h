// The host's side of the CUDA runtime: memory, errors, devices, streams, events, graphs, kernels as objects.
#pragma once

#include "runtime/array.h"
#include "runtime/device.h"
#include "runtime/driver_entry.h"
#include "runtime/errors.h"
#include "runtime/function.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/pools.h"
#include "runtime/sharing.h"
#include "runtime/stream.h"
#include "runtime/symbols.h"
