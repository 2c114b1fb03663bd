// Puzzle 23, Functional patterns: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>
#include <cmath>

#include "sizes.h"

using namespace workbook;

const Bound N = "N";

template <class T>
static void transform(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], y = t["y"], out = t["out"];
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = T{kGain} * std::clamp(T{kSlope} * x[i] + y[i], T{kLow}, T{kHigh});
}

/// Clipping by distances: v lies |v - low| and |v - high| from the two ends, which differ by twice the way of
/// the clipped value from their middle.
static void transform_by_distances(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], y = t["y"], out = t["out"];
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double value = (x[i] + y[i]) + (kSlope - 1.0) * x[i];
    out[i] = kGain / 2.0 * (std::abs(value - kLow) - std::abs(value - kHigh) + kLow + kHigh);
  }
}

/// Each element once, in pieces of 32 bytes; each of the three arrays may begin or end within one.
const Budget kOnce = {.global_reads = 2 * N, .global_writes = N, .launches = 1, .sectors = 3 * ceil(N / 8)};

/// The same in requests of warps, 32 lanes with so many elements each. What is left of a vector is a request
/// more, to a sector that another one may have touched.
static Budget in_requests(int elements) {
  const int rest = elements > 1 ? 1 : 0;
  Budget budget = kOnce;
  budget.sectors = 3 * (ceil(N / 8) + rest);
  budget.global_requests = 3 * (ceil(N / (32 * elements)) + rest);
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 23, .title = "Functional patterns", .part = "Part VI: functional patterns",
    .builds_on = {4, 6},
    .summary = "One operation on every element, as loops, as tiles, as vectors, as a function that a kernel is given, and by Thrust and CUB",
    .tasks = {{
        .tensors = {
            input("x", {"N"}, uniform(-4.0, 4.0)), input("y", {"N"}, uniform(-3.0, 4.0)),
            output("out", {"N"},
                {0x1p-20, 0.0,
                 "2^-20: a product below 8 is rounded by 2^-22 at most and a sum below 16 by 2^-21, which the gain of "
                 "0.625 makes 0.47 * 2^-20, and the last product, below 4, by 2^-23"})},
        .cases = cases({"N"}, {
            {"teaching", {4502}},  // two full tiles, a part of one, and two elements more than vectors
            {"one element", {1}}, {"fewer than a vector", {3}}, {"a lane short of a warp", {31}},
            {"a lane more than a warp", {33}}, {"one tile", {2048}}, {"one more than a tile", {2049}},
            {"three left of a vector", {6143}}, {"in range", {1000}, {{"x", uniform(-1.0, 1.0)}, {"y", uniform(-0.5, 0.5)}}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = transform<double>, .cross_check = transform_by_distances, .cpu = transform<float>}},
    .variants = {
        {.name = "loop", .title = "A GRID-STRIDE LOOP",
         .summary = "Each thread goes on by the number of threads in the grid",
         .regions = {"loop"}, .budget = in_requests(1)},
        {.name = "consecutive", .title = "A TILE A BLOCK, NEIGHBOURS A THREAD",
         .summary = "Each thread has eight elements in a row",
         .regions = {"consecutive", "tile"},
         .budget = {.global_reads = 2 * N, .global_writes = N, .launches = 1}},
        {.name = "striped", .title = "A TILE A BLOCK, STRIPES",
         .summary = "Each thread has eight elements, a block's width apart",
         .regions = {"striped", "tile"}, .budget = in_requests(1)},
        {.name = "vector", .title = "FOUR ELEMENTS AN ACCESS",
         .summary = "Accesses of 16 bytes, and what is left of a vector one by one",
         .regions = {"vector"}, .budget = in_requests(4)},
        {.name = "functor", .title = "THE FUNCTION AS AN ARGUMENT",
         .summary = "A loop for any function, given one that is made of three",
         .regions = {"axpy", "clip", "then", "transform"}, .budget = in_requests(1)},
        {.name = "calls", .title = "THREE CALLS OF THRUST",
         .summary = "An operation a call, with the array read and written in between",
         .regions = {"axpy", "clip"},
         .budget = {.global_reads = 4 * N, .global_writes = 3 * N, .launches = 3}},
        {.name = "thrust", .title = "ONE CALL OF THRUST",
         .summary = "thrust::transform, given a function that is made of three",
         .regions = {"axpy", "clip", "then", "thrust"}, .budget = kOnce},
        {.name = "cub", .title = "ONE CALL OF CUB",
         .summary = "cub::DeviceTransform, given a function that is made of three",
         .regions = {"axpy", "clip", "then", "cub"}, .budget = kOnce},
        {.name = "small", .title = "A PROGRAM, 1,024 ELEMENTS",
         .summary = "200 steps on 1,024 elements by Thrust, which wait for each call and need not",
         .file = "small.cu", .begins = "small_as_found",
         .program = Program{
             .prints = {"us a step", "the results are right"},
             .calls = {
                 {"clock .*launch:[^ ]* wait launch:.*clock ", false,
                  "the host waits between two launches of the steps: thrust::device and thrust::cuda::par wait at the "
                  "end of each call, thrust::cuda::par_nosync does not"},
                 {"clock (launch:[^ ]* ){201}", false,
                  "a step is more than one launch: give thrust::transform one function that does both"},
                 {"clock (launch:[^ ]* )+clock ", false,
                  "the clock is read when the steps have been launched, and nothing waits for the last of them: "
                  "cudaDeviceSynchronize once, behind the loop"},
                 {"clock (launch:[^ ]* ){200}wait clock ", true,
                  "between the two readings of the clock there should be 200 launches, one a step, and one wait"},
             },
             .fresh = {{"numbers(7,", "numbers(#,", 8, 30}},
             .results = Type::f32}}}};
