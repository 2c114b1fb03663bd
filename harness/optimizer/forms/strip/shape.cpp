#include "optimizer/forms/strip/shape.h"

#include <algorithm>

#include "optimizer/launch/finder.h"
#include "optimizer/launch/tiles.h"

namespace workbook::opt {
namespace {

constexpr int kMostPackWords = 64;  ///< words of packs that a thread keeps
constexpr int kMostBlocksOfSm = 32;
constexpr std::int64_t kMostItems = 1 << 30;  ///< places are of 32 bits

class StripFinder : public LaunchFinder {
 public:
  using LaunchFinder::LaunchFinder;

  std::optional<StripShape> run() {
    if (launch_.loop >= 0 || graph_.nodes.size() != shapes_.size()) return std::nullopt;
    if (!find_over() || !find_lane() || !find_spread() || !place_reads() || !place_writes())
      return std::nullopt;
    find_phases();
    return shape_;
  }
  std::optional<StripShape> run_with_cuts() {
    const auto found = run();
    if (!found || !find_cuts()) return std::nullopt;
    if (!shape_.held) find_running();
    const int most = std::min(kMostWords, kWordsOfSm / shape_.threads);
    if (!shape_.is_swept_again() && shape_.registers() > most) return std::nullopt;
    return shape_;
  }

 private:
  IndexSet over() const { return shape_.over_set(); }

  /// What is summed; where nothing is, all but what lies in parts, which each block adds up for itself.
  bool find_over() {
    IndexSet summed = 0, parts = 0;
    for (const int number : launch_.reads) {
      all_ |= set(number);
      if (in_parts(number)) parts |= set(number), any_parts_ = true;
    }
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.op == Op::matmul && !within(set(op.a), set(op.b)) && !within(set(op.b), set(op.a)))
        return false;  // an outer product: each element is wanted several times
      if (op.over >= 0) summed |= only(op.over);
      all_ |= set(number);
    }
    if (summed == 0 && !any_parts_) return false;
    const IndexSet over = summed != 0 ? summed : static_cast<IndexSet>(all_ & ~parts);
    shape_.over = members(over);
    return true;
  }
  /// That of the largest tensor in memory; in its order the others are gone over.
  bool find_lane() {
    int main = -1;
    const auto larger = [&](int number) {
      return main < 0 || members(set(number)).size() > members(set(main)).size();
    };
    for (const int number : launch_.reads)
      if (is_stored(plan_, number) && !is_constant(plan_, number) && set(number) != 0 && larger(number))
        main = number;
    if (main < 0) return false;
    const std::vector<std::uint8_t> order = dims(main);
    shape_.lane = order.back();
    shape_.across = !has(over(), shape_.lane);
    const auto place = [&](int index) {
      return std::find(order.begin(), order.end(), index) - order.begin();
    };
    std::stable_sort(shape_.over.begin(), shape_.over.end(), [&](int a, int b) {
      const bool there = has(set(main), a), other = has(set(main), b);
      return there != other ? !there : place(a) < place(b);
    });
    for (const int index : members(static_cast<IndexSet>(all_ & ~over())))
      if (index != shape_.lane) shape_.batch.push_back(index);
    return true;
  }

  /// A sum that another one adds up is none of its own: what it sums goes on as it is, through whatever is
  /// proportional to it.
  bool find_spread() {
    shape_.spread = shapes_;
    std::vector<Op> open(graph_.nodes.size(), Op::input);
    const auto is_open = [&](int number) { return number >= 0 && open[slot(number)] != Op::input; };
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.over >= 0) {
        const bool product = op.op == Op::matmul;
        if (product && (is_open(op.a) || is_open(op.b))) return false;
        const Op kind = product ? Op::sum : op.op;
        if (is_open(op.a) && open[slot(op.a)] != kind) return false;
        const IndexSet spread = shape_.spread[slot(op.a)] | (product ? shape_.spread[slot(op.b)] : 0);
        if ((set(number) & over()) == 0) {
          if ((over() & ~spread) != 0) return false;
          shape_.finals.push_back(number);
          continue;
        }
        open[slot(number)] = kind;
        shape_.spread[slot(number)] = spread;
        continue;
      }
      if (!is_open(op.a) && !is_open(op.b)) continue;
      const int from = is_open(op.a) ? op.a : op.b, other = from == op.a ? op.b : op.a;
      const bool scales = open[slot(from)] == Op::sum && !(is_open(op.a) && is_open(op.b)) &&
                          (op.op == Op::mul || (op.op == Op::div && from == op.a) ||
                           (op.op == Op::fn && graph_.functions[op.fn].base == Base::identity &&
                            graph_.functions[op.fn].plus < 0));
      const IndexSet gone = static_cast<IndexSet>(shape_.spread[slot(from)] & ~set(from));
      if (!scales || (other >= 0 && (set(other) & gone) != 0)) return false;
      open[slot(number)] = Op::sum;
      shape_.spread[slot(number)] = static_cast<IndexSet>(set(number) | gone);
    }
    for (const int number : launch_.writes)
      if (is_open(number)) return false;
    for (const int number : node_list(kernel_.nodes)) {  // no value but that of an item is left open
      if (!is_open(number)) continue;
      bool used = false;
      for (const int user : node_list(kernel_.nodes))
        used = used || node(user).a == number || node(user).b == number;
      if (!used) return false;
    }
    return true;
  }

  bool in_packs(int number) const {
    const std::vector<std::uint8_t> order = dims(number);
    return !order.empty() && order.back() == shape_.lane;
  }
  bool place_reads() {
    int widest = 2;
    for (const int number : launch_.reads) {
      if (is_constant(plan_, number)) continue;
      const bool with_lane = has(set(number), shape_.lane), wide = (set(number) & over()) != 0;
      if (in_parts(number)) {
        const int maximum = launch_.parts[slot(number)].maximum;
        if (wide || (maximum >= 0 && maximum != number) || (with_lane && !in_packs(number))) return false;
        shape_.parted.push_back(number);
      } else if (is_made(plan_, number)) {
        shape_.made.push_back(number);
      } else if (with_lane && !in_packs(number)) {
        return false;
      } else if (wide) {
        (with_lane ? shape_.packs : shape_.singles).push_back(number);
        if (with_lane) widest = std::max(widest, item_bytes(storage_of(program_, plan_, number)));
      } else {
        (with_lane ? shape_.columns : shape_.numbers).push_back(number);
      }
    }
    for (const int number : launch_.writes)
      if (shape_.goes_over(number))
        widest = std::max(widest, item_bytes(storage_of(program_, plan_, number)));
    shape_.vector = 16 / widest;
    return !shape_.packs.empty() || (any_parts_ && shape_.finals.empty());
  }
  /// Each element by one thread.
  bool place_writes() {
    for (const int number : launch_.writes) {
      const IndexSet wanted = shape_.goes_over(number) ? all_ : static_cast<IndexSet>(all_ & ~over());
      if (set(number) != wanted) return false;
      if (has(wanted, shape_.lane) && !in_packs(number)) return false;
    }
    return true;
  }
  void find_phases() {
    shape_.phase.assign(graph_.nodes.size(), -1);
    for (const int number : node_list(kernel_.nodes)) {
      int own = 0;
      for (const int operand : {int{node(number).a}, int{node(number).b}})
        if (operand >= 0) own = std::max(own, shape_.phase[slot(operand)]);
      shape_.phase[slot(number)] = own + (shape_.is_final(number) ? 1 : 0);
    }
  }

  bool find_cuts() {
    const Extents extents = real_extents(graph_);
    shape_.threads = 32 * kernel_.warps;
    shape_.lanes = shape_.across ? kernel_.beside : shape_.threads;
    shape_.rows = shape_.threads / shape_.lanes;
    shape_.together = kernel_.stages;
    if (shape_.lanes < 1 || shape_.together < 1 || (shape_.across && 32 % shape_.lanes != 0)) return false;
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      const Cut& cut = kernel_.cuts[slot(i)];
      if (cut.loop != 1) return false;
      if (i == shape_.lane && shape_.across) {
        if (cut.grid != divided(extents[slot(i)], shape_.tile())) return false;
      } else if (listed(shape_.batch, i)) {
        if (cut.grid != extents[slot(i)]) return false;
      } else if (cut.grid > 1) {
        if (shape_.cut >= 0 || !listed(shape_.over, i)) return false;
        shape_.cut = i;
      }
    }
    // Parts of packs are whole packs.
    if (shape_.cut == shape_.lane &&
        tile_of(kernel_, shape_.cut, extents[slot(shape_.cut)]) % shape_.vector != 0)
      return false;
    for (const int index : shape_.over) {
      std::int64_t own = extents[slot(index)];
      if (index == shape_.cut) own = tile_of(kernel_, index, own);
      if (index == shape_.lane) own = divided(own, shape_.vector);
      shape_.items *= own;
      if (shape_.items > kMostItems) return false;
    }
    shape_.held = !shape_.over.empty() && shape_.turns() == 1 && shape_.phases() > 1;
    const auto words = static_cast<int>(shape_.packs.size()) * shape_.together * 4;
    if (words > kMostPackWords) return false;
    shape_.axes = shape_.batch;
    if (shape_.across) shape_.axes.push_back(shape_.lane);
    if (shape_.cut >= 0) shape_.axes.push_back(shape_.cut);
    sort_by_blocks(shape_.axes, kernel_);
    return shape_.axes.size() <= kMostGridIndices;
  }

  /// The maximum by which all that a value is proportional to is made small: a, of exp(a - max(a)) * b. What
  /// else it is made of is there before that maximum.
  int maximum_of(int number, int phase) const {
    const auto before = [&](int other) { return shape_.phase[slot(other)] < phase; };
    if ((kernel_.nodes & node_bit(number)) == 0) return -1;
    const Node& op = node(number);
    switch (op.op) {
      case Op::exp: {
        if ((kernel_.nodes & node_bit(op.a)) == 0 || node(op.a).op != Op::sub) return -1;
        const int value = node(op.a).a, maximum = node(op.a).b;
        if (!shape_.is_final(maximum) || node(maximum).op != Op::max || !before(value)) return -1;
        int of = node(maximum).a;
        while (of != value && (kernel_.nodes & node_bit(of)) != 0 && node(of).op == Op::max &&
               node(of).over >= 0)
          of = node(of).a;
        return of == value && shape_.phase[slot(maximum)] == phase ? maximum : -1;
      }
      case Op::mul:
      case Op::matmul: {
        const int of_a = maximum_of(op.a, phase), of_b = maximum_of(op.b, phase);
        return of_a >= 0 ? (before(op.b) ? of_a : -1) : before(op.a) ? of_b : -1;
      }
      case Op::div:
        return before(op.b) ? maximum_of(op.a, phase) : -1;
      case Op::sum:
        return maximum_of(op.a, phase);
      case Op::fn:
        return graph_.functions[op.fn].base == Base::identity && graph_.functions[op.fn].plus < 0
                   ? maximum_of(op.a, phase)
                   : -1;
      default:
        return -1;
    }
  }
  /// A sweep for such sums alone is saved.
  void find_running() {
    for (int phase = 1; phase < shape_.phases(); ++phase) {
      std::map<int, int> sums;
      bool all = true;
      for (const int number : launch_.writes)
        all = all && !(shape_.goes_over(number) && shape_.phase[slot(number)] == phase);
      for (const int number : shape_.finals) {
        if (shape_.phase[slot(number)] != phase + 1) continue;
        const int maximum = node(number).op == Op::max ? -1 : maximum_of(number, phase);
        all = all && maximum >= 0 && !shape_.running.contains(maximum);
        sums[number] = maximum;
      }
      if (all) shape_.running.merge(sums);
    }
  }

  IndexSet all_ = 0;
  bool any_parts_ = false;
  StripShape shape_;
};

}  // namespace

IndexSet StripShape::over_set() const {
  IndexSet set = 0;
  for (const int index : over) set |= only(index);
  return set;
}
bool StripShape::is_swept_again() const { return held && phases() > 2; }
std::vector<int> StripShape::running_maxima() const {
  std::vector<int> maxima;
  for (const auto& [sum, maximum] : running)
    if (!listed(maxima, maximum)) maxima.push_back(maximum);
  return maxima;
}
int StripShape::registers() const {
  std::size_t words = kWordsBesides + slot(vector) * (1 + finals.size() + 2 * running_maxima().size()) +
                      4 * slot(together) * packs.size();
  if (!is_swept_again())
    words += slot(together) * singles.size() + (across ? slot(vector) * columns.size() : 0);
  return static_cast<int>((words + 7) / 8 * 8);
}
int StripShape::blocks_of_sm() const {
  if (is_swept_again()) return 0;
  return std::clamp(kWordsOfSm / (threads * registers()), 1, kMostBlocksOfSm);
}
bool StripShape::goes_over(int node) const { return (spread[slot(node)] & over_set()) != 0; }
int StripShape::phases() const { return *std::max_element(phase.begin(), phase.end()) + 1; }

std::optional<StripShape> strip_shape(const Program& program, const Plan& plan, const Launch& launch,
                                      const Kernel& kernel) {
  return StripFinder(program, plan, launch, kernel).run_with_cuts();
}
std::optional<StripShape> strip_indices(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel) {
  return StripFinder(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
