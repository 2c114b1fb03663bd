// Puzzle 35, Alignment and vector width: what it is and how it is checked. Three tasks: the map of Puzzle 01,
// the same on slices of vectors, and on one field of many particles.
#include <workbook/puzzle.h>

#include "sizes.h"

using namespace workbook;

const Bound N = "N";

template <class T>
static void map(const Dims&, HostTensors<T>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i) t["out"][i] = t["a"][i] + T{10};
}

/// What stands before the slice is not touched.
template <class T>
static void map_slice(const Dims& dims, HostTensors<T>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i)
    t["out"][i] = i < static_cast<std::size_t>(dims["S"]) ? T{0} : t["a"][i] + T{10};
}

template <class T>
static void ages(const Dims& dims, HostTensors<T>& t) {
  const std::size_t count = dims["N"];
  for (std::size_t i = 0; i < count; ++i) {
    t["aos"][i] = t["x"][i * kFields + kFields - 1] + T{10};
    t["soa"][i] = t["x"][(kFields - 1) * count + i] + T{10};
  }
}

static Tensor zeroed(Tensor tensor) { return tensor.start = Start::zeroed, tensor; }

const Tolerance kOneAddition = {
    0x1p-21, 0.0, "2^-21: one addition with a result below 16 is rounded by at most half an ulp"};

/// Each element once each way. `width`: floats of a vector. A request for each warp's share of whole vectors,
/// and a few for what is left.
static Budget once(int width) {
  return {.global_reads = N, .global_writes = N, .global_requests = 2 * (ceil(N / (32 * width)) + 4)};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 35, .title = "Alignment and vector width", .part = "Part XII: memory access",
    .builds_on = {4, 21},
    .summary = "The map of Puzzle 01 again, at the roof: accesses of 16 bytes, slices that begin anywhere, fields of structures",
    .tasks = {
        {.name = "map",
         .tensors = {input("a", {"N"}, uniform(-5.0, 5.0)), output("out", {"N"}, kOneAddition)},
         .cases = cases({"N"}, {
             {"teaching", {203}},  // 50 float4 and three floats
             {"one element", {1}}, {"less than a float4", {3}}, {"one float4", {4}}, {"one more", {5}},
             {"two short of a block", {1022}}, {"one full block", {1024}}, {"three more", {1027}},
             {"several blocks", {5002}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
         .reference = map<double>, .cpu = map<float>},
        {.name = "slice",
         .tensors = {
             input("a", {"N+S"}, uniform(-5.0, 5.0)), zeroed(output("out", {"N+S"}, kOneAddition))},
         .cases = cases({"N", "S"}, {
             {"teaching", {203, 1}},  // three floats, 50 float4
             {"two short of a boundary", {200, 2}}, {"one short of a boundary", {1000, 3}}, {"a whole float4 on", {1030, 4}},
             {"one element", {1, 1}}, {"ends before the boundary", {2, 1}}, {"ends at the boundary", {3, 1}},
             {"no whole float4", {6, 1}}, {"several blocks", {5003, 1}}, {"more than a float4 on", {77, 7}}}),
         .large = {{"N", 100'003}, {"S", 3}}, .bench = {{"N", 1 << 24}, {"S", 1}},
         .reference = map_slice<double>, .cpu = map_slice<float>},
        {.name = "ages",
         .tensors = {
             input("x", {"8*N"}, uniform(-5.0, 5.0)), output("aos", {"N"}, kOneAddition),
             output("soa", {"N"}, kOneAddition)},
         .cases = cases({"N"}, {
             {"teaching", {200}}, {"one particle", {1}}, {"a lane more than a warp", {33}},
             {"one full block", {1024}}, {"one more", {1025}}, {"several blocks", {3001}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 23}},
         .reference = ages<double>, .cpu = ages<float>}},
    .variants = {
        {.name = "map", .title = "MAP (as in Puzzle 01)", .summary = "An element a thread, 64 threads a block",
         .task = "map", .regions = {"wide"}, .required = false, .budget = once(1)},
        {.name = "bytes4", .title = "BYTES4 (a float a thread)", .summary = "An element a thread, 256 threads a block",
         .task = "map", .regions = {"wide"}, .budget = once(1)},
        {.name = "bytes8", .title = "BYTES8 (a float2 a thread)", .summary = "Two elements in one access",
         .task = "map", .regions = {"wide"}, .budget = once(2)},
        {.name = "bytes16", .title = "BYTES16 (a float4 a thread)", .summary = "Four elements in one access",
         .task = "map", .regions = {"wide"}, .budget = once(4)},
        {.name = "slice4", .title = "SLICE4 (a float a thread)", .summary = "A slice that begins anywhere, float by float",
         .task = "slice", .regions = {"wide"}, .required = false, .budget = once(1)},
        {.name = "slice16", .title = "SLICE16 (a float4 a thread)",
         .summary = "The same slice: a few floats, float4 from the first boundary on, a few floats",
         .task = "slice", .regions = {"slice"}, .budget = once(4)},
        {.name = "aos", .title = "AOS (an array of structures)", .summary = "One field of a structure of 32 bytes",
         .task = "ages", .regions = {"aos"}, .outputs = {"aos"}, .budget = {.global_reads = N, .global_writes = N}},
        {.name = "soa", .title = "SOA (a structure of arrays)", .summary = "The same field as an array of its own",
         .task = "ages", .regions = {"soa"}, .outputs = {"soa"}, .budget = once(1)}}};
