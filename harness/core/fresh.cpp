#include "fresh.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "prepare.h"
#include "runs/fresh_case.h"
#include "workbook/random.h"

namespace workbook::core {
namespace {

/// What a dimension may be: 1, where it is that somewhere, or between two other sizes.
struct Room {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), greatest = 1;  ///< but 1
  std::int64_t step = 0;                                                        ///< divides them

  void add(std::int64_t size) {
    if (size == 1) return;
    least = std::min(least, size);
    greatest = std::max(greatest, size);
    step = std::gcd(step, size);
  }
};

std::map<std::string, Room> rooms_of(const Task& task) {
  std::map<std::string, Room> rooms;
  for (const Case& each : task.cases)
    for (const auto& [name, size] : each.dims.items()) rooms[name].add(size);
  for (const auto& [name, size] : task.large.items()) rooms[name].add(size);
  for (const auto& [name, size] : task.bench.items())
    if (size > 1) rooms[name].step = std::gcd(rooms[name].step, size);
  return rooms;
}

/// Another size nearby: up to an eighth away, and by a step at least. What is 1 stays an edge, or moves from
/// the next size that is tried: what lies between may be as hard as nobody meant it to be (a row of two
/// numbers that are nearly equal, whose variance is lost).
std::int64_t moved(std::int64_t size, const Room& room, Random& random) {
  if (size == 1 && (room.greatest == 1 || random.uniform() < 0.5)) return 1;
  size = std::max(size, room.least);
  const std::int64_t step = std::max<std::int64_t>(1, room.step);
  const std::int64_t most = std::max<std::int64_t>(1, size / 8 / step);
  const std::int64_t by = random.integer(1, most) * (random.uniform() < 0.5 ? -1 : 1);
  for (const std::int64_t other : {size + by * step, size - by * step})
    if (room.least <= other && other <= room.greatest) return other;
  return size;
}

bool same_sizes(const Dims& a, const Dims& b) { return a.items() == b.items(); }

}  // namespace

FreshCases fresh_cases(const Task& task, std::span<const Case> seen, std::uint64_t seed) {
  const std::map<std::string, Room> rooms = rooms_of(task);
  FreshCases fresh;
  for (const Case& each : seen) {
    Random random(seed_of("sizes", each.name, seed));
    Case other = each;
    const auto is_known = [&] {
      return std::any_of(task.cases.begin(), task.cases.end(),
                         [&](const Case& known) { return same_sizes(known.dims, other.dims); });
    };
    constexpr int kTries = 16;
    for (int i = 0; i < kTries && (i == 0 || is_known()); ++i) {
      other.dims = each.dims;
      for (const auto& [name, size] : each.dims.items())
        other.dims.set(name, moved(size, rooms.at(name), random));
    }
    other.name = fresh.names.emplace_back(std::string(runs::kFresh) + std::string(each.name));
    fresh.cases.push_back(std::move(other));
  }
  return fresh;
}

}  // namespace workbook::core
