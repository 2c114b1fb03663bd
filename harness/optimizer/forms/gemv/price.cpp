// Counters of path gemv: one block is walked, the others are alike.
#include <bit>

#include "optimizer/forms/gemv/shape.h"
#include "optimizer/launch/counter.h"

namespace workbook::opt {
namespace {

constexpr double kThreadsAtOnce = 132.0 * 2048;  ///< of an H200
constexpr double kBytesInAWait = 1.6e6;          ///< what its memory sends while a warp waits for it

class GemvCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  void count() override {
    shape_ = *gemv_shape(program_, plan_, launch_, kernel_);
    const std::int64_t out = extents_[slot(shape_.out)], across = divided(out, shape_.tile);
    blocks_ = across;
    std::uint32_t* const grid[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
    for (const int index : shape_.batch) blocks_ *= extents_[slot(index)];
    for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis)
      *grid[axis] = static_cast<std::uint32_t>(
          shape_.axes[axis] == shape_.out ? across : extents_[slot(shape_.axes[axis])]);
    record_.shared_bytes = 4 * shape_.held();
    weight_ = blocks_;
    count_matrix();
    for (const int number : shape_.numbers) count_number(number);
    count_vector(1.0 / static_cast<double>(across));
    if (shape_.by_rows)
      count_rows();
    else
      count_columns();
    weight_ = blocks_ / across * (out / shape_.tile);
    if (weight_ > 0) count_results(shape_.tile);
    weight_ = blocks_ / across;
    if (out % shape_.tile > 0) count_results(out % shape_.tile);
  }

  std::int64_t warps() const { return kernel_.warps; }
  void shuffles(std::int64_t steps, std::int64_t times) {
    counters_->warp_operations += weight_ * warps() * steps * times;
  }
  static std::int64_t steps(std::int64_t lanes) {
    return std::bit_width(static_cast<std::uint64_t>(lanes)) - 1;
  }

  void count_matrix() {
    const auto& dims = dims_[slot(shape_.matrix)];
    const std::int64_t length = extents_[dims.back()], lanes = shape_.lanes();
    const std::int64_t rows = extents_[slot(shape_.by_rows ? shape_.out : shape_.over)];
    const bool whole = length % 8 == 0;
    for (int i = 0; i < shape_.turns(); ++i)
      for (int j = 0; j < shape_.pieces(); ++j)
        for (int e = 0; e < (whole ? 1 : 8); ++e)
          global(
              shape_.matrix, false, threads_,
              [&](std::int64_t thread) {
                const std::int64_t row = std::min<std::int64_t>(i * shape_.rows() + thread / lanes, rows - 1);
                const std::int64_t first = (j * lanes + thread % lanes) * 8;
                return row * length + (whole ? std::min(first, length - 8) : std::min(first + e, length - 1));
              },
              whole ? 8 : 1);
    // All blocks that run together begin together, and each has its last elements when all have theirs.
    const double bytes = 2.0 * static_cast<double>(size_of_tensor(shape_.matrix)),
                 at_once = std::min(1.0, kThreadsAtOnce / static_cast<double>(blocks_ * threads_));
    waits(std::max<std::int64_t>(1, std::llround(bytes * at_once / kBytesInAWait)), 1, warps(), 1.0);
    counters_->flops += 2.0 * static_cast<double>(weight_ * shape_.tile * shape_.width);
  }

  /// The same for all threads; of parts each lane takes some.
  void count_number(int node) {
    const int maximum = launch_.parts[slot(node)].maximum;
    if (launch_.parts[slot(node)].launch < 0) {
      if (global(node, false, threads_, [](std::int64_t) { return std::int64_t{0}; }))
        waits(1, 1, warps(), 1.0);
      return;
    }
    if (maximum >= 0) by_lanes(maximum, true);
    if (maximum == node) return;
    if (maximum >= 0) by_lanes(maximum, false);
    by_lanes(node, true);
  }
  void by_lanes(int node, bool joins) {
    const std::int64_t parts = parts_of(node);
    bool missed = false;
    for (std::int64_t from = 0; from < parts; from += kLanes)
      missed |= global(node, false, threads_, [&](std::int64_t thread) {
        const std::int64_t part = from + thread % kLanes;
        return part < parts ? part * size_of_tensor(node) : -1;
      });
    if (joins) shuffles(5, 1);
    if (missed) waits(divided(parts, kLanes), 1, warps(), 1.0);
  }

  void count_vector(double first) {
    const int node = shape_.vector;
    if (node < 0) return count_held();
    const std::int64_t extent = extents_[slot(shape_.over)], parts = parts_of(node);
    const int maximum = launch_.parts[slot(node)].maximum;
    const auto same = [](std::int64_t) { return std::int64_t{0}; };
    if (launch_.parts[slot(node)].launch >= 0 && maximum >= 0) {
      record_.shared_bytes += 4 * parts;
      by_lanes(maximum, true);
      global(maximum, false, parts, [&](std::int64_t part) { return part * size_of_tensor(maximum); });
      shared(maximum, runs::SiteKind::shared_store, parts, [](std::int64_t part) { return part; });
      counters_->barriers += weight_;
      shared(maximum, runs::SiteKind::shared_load, kLanes, same, parts * divided(shape_.width, kLanes));
    }
    bool missed = false;
    for (std::int64_t part = 0; part < parts; ++part)
      missed |= global(node, false, shape_.width,
                       [&](std::int64_t i) { return part * size_of_tensor(node) + std::min(i, extent - 1); });
    // Of parts eight are on their way together.
    if (missed)
      waits(divided(parts, 8) * divided(shape_.width, threads_), 2, std::min(warps(), shape_.width / kLanes),
            first);
    count_held();
    counters_->flops += static_cast<double>(weight_ * parts * shape_.width);
  }

  int held() const { return shape_.vector < 0 ? shape_.product : shape_.vector; }
  void count_held() {
    shared(held(), runs::SiteKind::shared_store, shape_.width,
           [&](std::int64_t i) { return shape_.place_of(static_cast<int>(i)); });
    counters_->barriers += weight_;
  }

  void count_rows() {
    const std::int64_t lanes = shape_.lanes();
    for (int e = 0; e < 8; ++e)
      shared(
          held(), runs::SiteKind::shared_load, kLanes,
          [&](std::int64_t lane) { return shape_.place_of(static_cast<int>(lane % lanes * 8 + e)); },
          warps() * shape_.turns() * shape_.pieces());
    shuffles(steps(lanes), shape_.turns());
  }

  void count_columns() {
    const std::int64_t lanes = shape_.lanes(), tile = shape_.tile;
    record_.shared_bytes += 4 * warps() * tile;
    shared(
        held(), runs::SiteKind::shared_load, kLanes, [&](std::int64_t lane) { return lane / lanes; },
        warps() * shape_.turns());
    shuffles(steps(kLanes / lanes), 8);
    shared(
        shape_.product, runs::SiteKind::shared_store, std::min(lanes, kLanes),
        [](std::int64_t lane) { return lane * 8; }, 8 * warps());
    counters_->barriers += weight_;
    shared(
        shape_.product, runs::SiteKind::shared_load, tile, [](std::int64_t i) { return i; }, warps());
  }

  /// Of blocks with so many elements.
  void count_results(std::int64_t size) {
    const std::int64_t together = shape_.by_rows ? kLanes / shape_.lanes() : kLanes;
    const auto access = [&](int node, bool store) {
      for (std::int64_t from = 0; from < size; from += together)
        global(node, store, std::min(together, size - from), [&](std::int64_t i) { return from + i; });
    };
    for (const int node : shape_.reads) access(node, false);
    for (const int node : launch_.writes) access(node, true);
    counters_->flops += static_cast<double>(weight_ * size) * static_cast<double>(shape_.behind.size());
  }

  GemvShape shape_;
};

}  // namespace

std::unique_ptr<LaunchCounter> gemv_counter(const Program& program, const Plan& plan, const Launch& launch,
                                            const Kernel& kernel, const Extents& extents) {
  return std::make_unique<GemvCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
