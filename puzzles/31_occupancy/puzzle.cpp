// Puzzle 31, Occupancy: what it is and how it is checked. Four tasks: what fits on a multiprocessor, lists of
// pages summed and decoded, and a stream.
#include <workbook/puzzle.h>

#include <algorithm>
#include <numeric>

#include "sizes.h"

using namespace workbook;

const Bound N = "N", L = "L", P = "P";

static int rounded_up(int value, int unit) { return ceil_div(value, unit) * unit; }

template <class T>
static void limits(const Dims&, HostTensors<T>& t) {
  for (std::size_t i = 0; i < t["blocks"].size(); ++i) {
    // A supposition about a wrong kernel may be that needs are 0.
    const int warps = std::max(1, ceil_div(static_cast<int>(t["threads"][i]), kWarpSize));
    const int shared = rounded_up(static_cast<int>(t["shared"][i]) + kSystemShared, kSharedUnit);
    const int registers =
        rounded_up(std::max(1, static_cast<int>(t["registers"][i])) * kWarpSize, kRegisterUnit);
    t["blocks"][i] = std::min(
        {kSmBlocks, kSmWarps / warps, kSmShared / shared, kQuarterRegisters / registers * kQuarters / warps});
  }
}

/// Blocks are put on one by one, warp by warp, until something is used up.
static void limits_by_filling(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["blocks"].size(); ++i) {
    const int warps = ceil_div(static_cast<int>(t["threads"][i]), kWarpSize);
    const int registers = rounded_up(static_cast<int>(t["registers"][i]) * kWarpSize, kRegisterUnit);
    int blocks = 0, resident = 0, shared = kSmShared, left[kQuarters];
    std::fill_n(left, kQuarters, kQuarterRegisters);
    const auto place_warp = [&] {
      int* const quarter = std::max_element(left, left + kQuarters);
      *quarter -= registers;
      return *quarter >= 0 && ++resident <= kSmWarps;
    };
    for (bool fits = true; fits && blocks <= kSmBlocks;) {
      shared -= rounded_up(static_cast<int>(t["shared"][i]) + kSystemShared, kSharedUnit);
      fits = shared >= 0 && blocks < kSmBlocks;
      for (int warp = 0; warp < warps && fits; ++warp) fits = place_warp();
      blocks += fits;
    }
    t["blocks"][i] = blocks;
  }
}

/// Pages 1 to P - 1 in an order that jumps about: the page that is the nth to be given away.
static std::int64_t page_of(std::int64_t n, std::int64_t pages) {
  if (pages <= 1) return 0;
  const std::int64_t count = pages - 1;
  std::int64_t stride = std::max<std::int64_t>(1, count * 5 / 13);
  while (std::gcd(stride, count) != 1) ++stride;
  return 1 + (n * stride + count / 3) % count;
}

/// The list that gets the nth page: by turns, so that they are as long as each other; or some more than
/// others, and some none.
using Owner = std::int64_t (*)(std::int64_t n, std::int64_t lists);
static std::int64_t by_turns(std::int64_t n, std::int64_t lists) { return n % lists; }
static std::int64_t uneven(std::int64_t n, std::int64_t lists) {
  const std::int64_t mixed = (n * 2654435761 + 12345) % 4294967296 / 65536;
  return mixed % lists * (mixed / 7 % lists) / std::max<std::int64_t>(1, lists - 1);
}

/// `visit(list, page, before)` with every page, list by list in order; before: the page before it, 0 for
/// none.
template <class Visit>
static void give_away(const Dims& dims, Owner owner, Visit visit) {
  const std::int64_t pages = dims["P"], lists = dims["L"];
  std::vector<std::int64_t> latest(static_cast<std::size_t>(lists));
  for (std::int64_t n = 0; n + 1 < pages; ++n) {
    const std::int64_t list = owner(n, lists), page = page_of(n, pages);
    std::int64_t& before = latest[static_cast<std::size_t>(list)];
    visit(static_cast<std::size_t>(list), page, before);
    before = page;
  }
}

template <Owner owner>
static void heads(const Dims& dims, std::span<double> values, Random&) {
  std::fill(values.begin(), values.end(), 0.0);
  give_away(dims, owner, [&](std::size_t list, std::int64_t page, std::int64_t before) {
    if (before == 0) values[list] = static_cast<double>(page);
  });
}

template <Owner owner>
static void links(const Dims& dims, std::span<double> values, Random&) {
  std::fill(values.begin(), values.end(), 0.0);
  give_away(dims, owner, [&](std::size_t, std::int64_t page, std::int64_t before) {
    if (before != 0) values[static_cast<std::size_t>(before)] = static_cast<double>(page);
  });
}

/// Bytes; those of page 0 are 0.
static void bytes(const Dims&, std::span<double> values, Random& random) {
  std::fill_n(values.begin(), kPage, 0.0);
  for (std::size_t i = kPage; i < values.size(); ++i)
    values[i] = static_cast<double>(random.integer(0, kCodes - 1));
}

/// Multiples of 1/64 from -4 to 3.
static void sixty_fourths(const Dims&, std::span<double> values, Random& random) {
  for (double& value : values) value = static_cast<double>(random.integer(-256, 192)) / 64;
}

/// Where a number leads, below `size`; to 0 where it leads nowhere, as one of a supposition may.
template <class T>
static std::size_t place_of(T number, std::size_t size) {
  return number >= T{0} && number < static_cast<T>(size) ? static_cast<std::size_t>(number) : 0;
}

/// What the list makes of the bytes of each lane: value(byte, lane) added up.
template <class T, class Value>
static void sum_lists(HostTensors<T>& t, Value value) {
  const auto head = t["head"], next = t["next"], values = t["values"], out = t["out"];
  for (std::size_t list = 0; list < head.size(); ++list)
    for (std::size_t lane = 0; lane < kPage; ++lane) {
      T sum = 0;
      std::size_t steps = 0;  // links that a supposition has changed may go round
      for (std::size_t page = place_of(head[list], next.size()); page != 0 && ++steps < next.size();
           page = place_of(next[page], next.size()))
        sum += value(values[page * kPage + lane], lane);
      out[list * kPage + lane] = sum;
    }
}

/// From the pages: each finds out to which list it belongs by way of the pages before it.
template <class Value>
static void hand_out(HostTensors<double>& t, Value value) {
  const auto head = t["head"], next = t["next"], values = t["values"], out = t["out"];
  std::vector<std::size_t> before(next.size()), list_of(next.size());
  for (std::size_t page = 1; page < next.size(); ++page) before[static_cast<std::size_t>(next[page])] = page;
  for (std::size_t list = 0; list < head.size(); ++list) list_of[static_cast<std::size_t>(head[list])] = list;
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t page = 1; page < next.size(); ++page) {
    std::size_t first = page;
    while (before[first] != 0) first = before[first];
    for (std::size_t lane = 0; lane < kPage; ++lane)
      out[list_of[first] * kPage + lane] += value(values[page * kPage + lane], lane);
  }
}

template <class T>
static void walk(const Dims&, HostTensors<T>& t) {
  sum_lists(t, [](T byte, std::size_t) { return byte; });
}
static void walk_by_pages(const Dims&, HostTensors<double>& t) {
  hand_out(t, [](double byte, std::size_t) { return byte; });
}
template <class T>
static void decode(const Dims&, HostTensors<T>& t) {
  const auto codebook = t["codebook"];
  sum_lists(t, [&](T code, std::size_t lane) { return codebook[place_of(code, kCodes) * kPage + lane]; });
}
static void decode_by_pages(const Dims&, HostTensors<double>& t) {
  const auto codebook = t["codebook"];
  hand_out(t, [&](double code, std::size_t lane) {
    return codebook[static_cast<std::size_t>(code) * kPage + lane];
  });
}

template <class T>
static void scale(const Dims&, HostTensors<T>& t) {
  for (std::size_t i = 0; i < t["out"].size(); ++i) t["out"][i] = T{kFactor} * t["x"][i];
}
/// 1.5 x = x + x / 2.
static void scale_by_halves(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["out"].size(); ++i) t["out"][i] = t["x"][i] + t["x"][i] / 2;
}

static std::vector<Tensor> lists(Tensor out) {
  return {input("head", Type::i32, {"L"}, from(heads<by_turns>)),
          input("next", Type::i32, {"P"}, from(links<by_turns>)),
          input("values", Type::u8, {"P", "32"}, from(bytes)), std::move(out)};
}

static std::vector<Tensor> lists_and_codebook() {
  std::vector<Tensor> all =
      lists(output("out", {"L", "32"},
                   exact("exact: the codebook has multiples of 1/64, whose sums need no rounding here")));
  all.insert(all.begin(), input("codebook", {"256", "32"}, from(sixty_fourths)));
  return all;
}

static const std::vector<std::pair<std::string_view, Fill>> kUneven = {{"head", from(heads<uneven>)},
                                                                       {"next", from(links<uneven>)}};

static std::vector<Case> list_cases() {
  return cases({"L", "P"}, {{"teaching", {12, 61}},  // five pages a list
                            {"one list", {1, 8}},
                            {"one page", {3, 2}},
                            {"no page", {5, 1}},
                            {"a list less than a block", {15, 100}, kUneven},
                            {"a list more than a block", {17, 90}},
                            {"uneven lists", {70, 700}, kUneven},
                            {"two long lists", {2, 130}},
                            {"many lists", {200, 1000}, kUneven}});
}

constexpr std::int64_t kLists = 132 * 64 * 4, kPages = kLists * 16 + 1;

/// Pages once, and the links between them; a lane reads each for itself.
static Budget walk_budget(Bound waits) {
  return {.global_reads = 64 * P + 33 * L + 2000, .global_writes = 32 * L, .memory_waits = std::move(waits)};
}
static Budget filled(Budget budget) {
  budget.empty_slots = 0;
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 31, .title = "Occupancy", .part = "Part X: performance",
    .builds_on = {4, 6},
    .summary = "What bounds the blocks that a multiprocessor holds, what more of them gain, and what does without",
    .tasks = {
        {.name = "limits",
         .tensors = {
             input("threads", Type::i32, {"N"}, integers(1, 1024)),
             input("shared", Type::i32, {"N"}, integers(0, 60000)),
             input("registers", Type::i32, {"N"}, integers(1, 255)),
             output("blocks", Type::i32, {"N"}, exact("exact: blocks are whole"))},
         .cases = cases({"N"}, {
             {"teaching", {40}},
             {"one", {1}},
             {"small blocks", {300}, {{"threads", integers(1, 64)}, {"shared", integers(0, 0)}, {"registers", integers(1, 32)}}},
             {"threads alone", {300}, {{"shared", integers(0, 0)}, {"registers", integers(1, 16)}}},
             {"shared memory alone", {300}, {{"threads", integers(1, 32)}, {"shared", integers(0, 232448)}, {"registers", integers(1, 16)}}},
             {"registers alone", {300}, {{"shared", integers(0, 0)}, {"threads", integers(1, 256)}}},
             {"large blocks", {300}, {{"threads", integers(700, 1024)}, {"shared", integers(0, 1000)}}}}),
         .large = {{"N", 3001}}, .bench = {{"N", 1 << 20}},
         .reference = limits<double>, .cross_check = limits_by_filling, .cpu = limits<float>},
        {.name = "walk",
         .tensors = lists(output("out", Type::i32, {"L", "32"}, exact("exact: bytes are added up as integers"))),
         .cases = list_cases(),
         .large = {{"L", 1000}, {"P", 9001}}, .bench = {{"L", kLists}, {"P", kPages}},
         .reference = walk<double>, .cross_check = walk_by_pages, .cpu = walk<float>},
        {.name = "decode",
         .tensors = lists_and_codebook(), .cases = list_cases(),
         // More lists than the grid has warps.
         .large = {{"L", 9001}, {"P", 30001}}, .bench = {{"L", kLists}, {"P", kPages}},
         .reference = decode<double>, .cross_check = decode_by_pages, .cpu = decode<float>},
        {.name = "stream",
         .tensors = {
             input("x", {"N"}, uniform(-3.0, 5.0)),
             output("out", {"N"}, {0.0, 0x1p-24, "2^-24 of the value: one product, rounded once"})},
         .cases = cases({"N"}, {
             {"teaching", {2048}},  // two blocks
             {"four", {4}}, {"a vector short of a block", {1020}}, {"a vector more", {1028}},
             {"several blocks", {5000}}}),
         .large = {{"N", 100004}}, .bench = {{"N", 1 << 25}},
         .reference = scale<double>, .cross_check = scale_by_halves, .cpu = scale<float>}},
    .variants = {
        {.name = "limits", .title = "LIMITS (blocks a multiprocessor)",
         .summary = "What fits on a multiprocessor of an H200, worked out", .task = "limits", .regions = {"limits"}},
        {.name = "narrow", .title = "NARROW (blocks of one warp)",
         .summary = "A warp a list; there are places for 32 blocks, and half of the warps", .task = "walk",
         .regions = {"walk"}, .budget = walk_budget(2 * P + 2 * L)},
        {.name = "wide", .title = "WIDE (blocks that fill it)",
         .summary = "The same kernel, with as many warps as there are places for", .task = "walk",
         .regions = {"walk", "wide_warps"}, .budget = filled(walk_budget(2 * P + 2 * L))},
        {.name = "table", .title = "TABLE (32 KB for four warps)",
         .summary = "A codebook in shared memory, of which six fit on a multiprocessor", .task = "decode",
         .regions = {"decode"}},
        {.name = "wide-table", .title = "WIDE-TABLE (32 KB for more warps)",
         .summary = "The same kernel, with more warps for each codebook", .task = "decode",
         .regions = {"decode", "table_warps"}, .budget = {.empty_slots = 0}},
        {.name = "together", .title = "TOGETHER (16 lists a warp)",
         .summary = "Few warps, bound by registers, with many loads under way in each", .task = "walk",
         .regions = {"together"}, .budget = {.memory_waits = 5 * P / 8 + L / 4 + 32}},
        {.name = "few", .title = "FEW (a quarter of the warps)",
         .summary = "A stream of which each thread has four float4 under way", .task = "stream",
         .regions = {"stream"}, .budget = {.memory_waits = 2 * ceil(N / (4 * kHeld * kStreamBlock))}},
        {.name = "many", .title = "MANY (all warps)",
         .summary = "The same stream on a full multiprocessor", .task = "stream",
         .regions = {"stream"}, .required = false}}};
