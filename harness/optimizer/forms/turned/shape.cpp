#include "optimizer/forms/turned/shape.h"

#include <algorithm>

#include "optimizer/launch/finder.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kMostSharedBytes = 48 * 1024;  ///< that a kernel has without asking for more

class TurnedFinder : public LaunchFinder {
 public:
  using LaunchFinder::LaunchFinder;

  std::optional<TurnedShape> run() {
    if (launch_.loop >= 0 || launch_.split >= 0 || launch_.writes.empty()) return std::nullopt;
    for (const int number : launch_.reads) all_ |= set(number);
    for (const int number : node_list(kernel_.nodes)) {
      if (node(number).over >= 0) return std::nullopt;
      all_ |= set(number);
    }
    if (!find_out() || !find_reads() || shape_.turned.empty()) return std::nullopt;
    for (const int index : members(all_))
      if (index != shape_.in && index != shape_.out) shape_.batch.push_back(index);
    return shape_;
  }
  std::optional<TurnedShape> run_with_cuts() {
    const auto found = run();
    return found && find_cuts() ? std::optional(shape_) : std::nullopt;
  }

 private:
  int last(int number) const {
    const std::vector<std::uint8_t> order = dims(number);
    return order.empty() ? -1 : int{order.back()};
  }
  void widen(int number) {
    shape_.vector = std::min(shape_.vector, 16 / item_bytes(storage_of(program_, plan_, number)));
  }
  bool find_out() {
    for (const int number : launch_.writes) {
      if (set(number) != all_ || (shape_.out >= 0 && shape_.out != last(number))) return false;
      shape_.out = last(number);
      widen(number);
    }
    return shape_.out >= 0;
  }
  bool find_reads() {
    for (const int number : launch_.reads) {
      if (is_constant(plan_, number)) continue;
      if (in_parts(number)) return false;
      if (is_made(plan_, number)) {
        shape_.made.push_back(number);
      } else if (!has(set(number), shape_.out)) {
        shape_.singles.push_back(number);
      } else if (last(number) == shape_.out) {
        shape_.packs.push_back(number);
        widen(number);
      } else if (shape_.in < 0 || shape_.in == last(number)) {
        shape_.in = last(number);
        shape_.turned.push_back(number);
        widen(number);
      } else {
        return false;
      }
    }
    return true;
  }
  bool find_cuts() {
    shape_.threads = 32 * kernel_.warps;
    shape_.tile = kernel_.beside;
    const Extents extents = real_extents(graph_);
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      const std::int64_t extent = extents[slot(i)],
                         tile = i == shape_.in || i == shape_.out ? shape_.tile : 1;
      const bool gone_over = has(all_, i);
      if (kernel_.cuts[slot(i)] != (gone_over ? Cut{static_cast<int>(divided(extent, tile)), 1} : Cut{}))
        return false;
    }
    return shape_.tile % shape_.vector == 0 && shape_.turns() >= 1 &&
           shape_.turns() * shape_.threads == shape_.tile * shape_.packs_of_row() &&
           shape_.bytes() <= kMostSharedBytes;
  }

  IndexSet all_ = 0;
  TurnedShape shape_;
};

}  // namespace

std::optional<TurnedShape> turned_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel) {
  return TurnedFinder(program, plan, launch, kernel).run_with_cuts();
}

std::optional<TurnedShape> turned_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel) {
  return TurnedFinder(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
