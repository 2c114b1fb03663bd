// Path strip as text: the turns of a sweep, one for each sum that has to be there before the next; in a turn
// all loads stand before the first value that is taken from them.
#include "optimizer/forms/strip/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

class StripEmitter final : public LaunchEmitter {
 public:
  StripEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*strip_shape(program, plan, launch_, kernel_)),
        lane_(names_.index(shape_.lane)) {}

  std::string kernel() override {
    use("packs");
    constants();
    // Of their own, so that neither has the other's registers.
    out_.add("// kWhole: rows of {} begin at multiples of a pack, so that every pack is whole.", lane_);
    out_.raw("template <bool kWhole>");
    open_kernel(true, shape_.blocks_of_sm());
    coordinates();
    for (const int node : shape_.numbers) out_.add("const float {} = {};", names_.value(node), read(node));
    for (const int node : shape_.columns) load_columns(node);
    for (const int node : shape_.parted) join_parts(node);
    if (shape_.held) {
      const std::vector<int> all = loads_for(node_list(kernel_.nodes));
      out_.add("const int first = {};  // one turn: what it loads is there for all that follows",
               first_item());
      load_turn(all, true);
    }
    for (int phase = 0; phase < shape_.phases(); ++phase) {
      if (phase > 0) finish(phase);
      values_once(phase);
      sweep(phase);
    }
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    if (shape_.held)
      lines.add("if ({} > {} * {}) return cudaErrorInvalidValue;", items_text(false), items_beside(),
                own("kTogether"));
    std::string blocks;
    for (const int index : shape_.axes) {
      const bool cut = index == shape_.cut || (shape_.across && index == shape_.lane);
      blocks += (blocks.empty() ? "" : ", ") + (cut ? parts_text(plan_, index, number_) : names_.size(index));
    }
    lines.add("const dim3 {}({});", own("grid"), blocks.empty() ? "1" : blocks);
    lines.add("if ({} % {} == 0) {}", names_.size(shape_.lane), vector(),
              launch_line(own("grid"), threads(), "0", "<true>"));
    lines.add("else {}", launch_line(own("grid"), threads(), "0", "<false>"));
    return lines.text();
  }

 private:
  std::string tile(int index) const { return tile_name(plan_, index, number_); }
  std::string items_beside() const { return shape_.across ? own("kRows") : threads(); }
  std::string first_item() const { return shape_.across ? "row" : "threadIdx.x"; }
  bool across() const { return shape_.across; }
  std::string vector() const { return own("kVector"); }
  std::string array(int node) const { return names_.value(node) + "s"; }
  std::string words(int node) const { return names_.tensor(node) + "_words"; }

  void constants() {
    out_.add("constexpr int {} = {};", threads(), shape_.threads);
    out_.add("constexpr int {} = {};  // elements of a load", vector(), shape_.vector);
    out_.add("[[maybe_unused]] constexpr int {} = {};  // loads of a tensor that are on their way together",
             own("kTogether"), shape_.together);
    if (across()) {
      out_.add("constexpr int {} = {};  // threads side by side along {}", own("kLanes"), shape_.lanes,
               lane_);
      out_.add("constexpr int {} = {} / {};  // groups of such", own("kRows"), threads(), own("kLanes"));
      out_.add("constexpr int {} = {} * {};  // of {} in a block", tile(shape_.lane), own("kLanes"), vector(),
               lane_);
    }
    if (shape_.cut >= 0)
      out_.add("constexpr int {} = {};  // of {} in a block", tile(shape_.cut),
               tile_of(kernel_, shape_.cut, real_extents(graph_)[slot(shape_.cut)]),
               names_.index(shape_.cut));
    out_.raw("");
  }

  void coordinates() {
    for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
      const int index = shape_.axes[axis];
      const std::string name = names_.index(index), block = std::string("blockIdx.") + "xyz"[axis];
      if (index == shape_.cut) {
        out_.add("const int {}_part = {};", name, block);
        out_.add("const int {0}_begin = {0}_part * {1}, {0}_end = min({0}_begin + {1}, {2});", name,
                 tile(index), names_.size(index));
      } else if (across() && index == shape_.lane) {
        out_.add("const int lane = threadIdx.x % {0}, row = threadIdx.x / {0};", own("kLanes"));
        out_.add("const int {}_first = {} * {} + lane * {};", name, block, tile(index), vector());
      } else {
        out_.add("const int {} = {};", name, block);
      }
    }
    if (!shape_.over.empty()) out_.add("const int count = {};  // {}", items_text(true), item_words());
    declare_parts();
  }
  std::string item_words() const { return across() ? "rows of packs that a block goes over" : "packs"; }
  std::string begin(int index) const { return index == shape_.cut ? names_.index(index) + "_begin" : "0"; }
  std::string end(int index) const {
    return index == shape_.cut ? names_.index(index) + "_end" : names_.size(index);
  }
  /// How many items a block has along an index; `own`: this block, else the largest.
  std::string extent(int index, bool own_part) const {
    std::string text = index != shape_.cut ? names_.size(index)
                       : own_part          ? fmt::format("({0}_end - {0}_begin)", names_.index(index))
                                           : fmt::format("min({}, {})", tile(index), names_.size(index));
    if (index == shape_.lane) text = fmt::format("(({0} + {1} - 1) / {1})", text, vector());
    return text;
  }
  std::string items_text(bool own_part) const {
    std::string text;
    for (const int index : shape_.over) text += (text.empty() ? "" : " * ") + extent(index, own_part);
    return text;
  }
  /// The indices of an item.
  void decode() {
    std::string rest = "item";
    for (std::size_t at = shape_.over.size(); at-- > 0;) {
      const int index = shape_.over[at];
      const std::string name = names_.index(index), from = index == shape_.cut ? name + "_begin + " : "";
      const std::string place = at == 0 ? rest : fmt::format("{} % {}", rest, extent(index, true));
      if (index == shape_.lane)
        out_.add("const int {}_first = {}({}) * {};", name, from, place, vector());
      else
        out_.add("[[maybe_unused]] const int {} = {}{};", name, from, place);
      rest += " / " + extent(index, true);
    }
  }

  std::string pack(const std::string& row) const {
    return fmt::format("pack_of<{}, kWhole>({}, {}_first, {})", vector(), row, lane_,
                       names_.size(shape_.lane));
  }
  std::string type(int node) const { return Names::type(storage_of(program_, plan_, node)); }

  /// A statement for each element of a pack.
  void for_each(const std::string& statement, int first = 0) {
    out_.raw("#pragma unroll");
    out_.add("for (int each = {}; each < {}; ++each) {};", first, vector(), statement);
  }

  void load_columns(int node) {
    out_.add("const auto {} = {};", words(node), pack(row_start(node)));
    out_.add("float {}[{}];", array(node), vector());
    for_each(fmt::format("{}[each] = {}.at(each)", array(node), words(node)));
  }
  /// Groups of threads take some of the parts each.
  void join_parts(int node) {
    const bool max = graph_.nodes[slot(node)].op == Op::max;
    if (!across()) return out_.add("const float {} = {};", names_.value(node), read(node, true));
    if (!has(shapes_[slot(node)], shape_.lane)) {
      out_.add("const float {} = {};", names_.value(node), read(node));
      return;
    }
    clear_parts(node);
    out_.raw("#pragma unroll 8");
    out_.open(fmt::format("for (int part = row; part < {0}; part += {1})", parts_of(node), own("kRows")));
    out_.add("const auto {} = {};", words(node),
             pack(fmt::format("{} + part * ({})", row_start(node), stride_of(node))));
    for_each(added(array(node) + "[each]", words(node) + ".at(each)", max));
    out_.close();
    over_rows(node, max);
  }
  /// Of all groups of threads.
  void over_rows(int node, bool max) {
    const std::string_view function = max ? "rows_max" : "rows_sum";
    use(function);
    out_.add("{}<{}, {}>({});", function, threads(), own("kLanes"), array(node));
  }
  static std::string added(const std::string& to, const std::string& value, bool max) {
    return max ? fmt::format("{0} = fmaxf({0}, {1})", to, value) : fmt::format("{} += {}", to, value);
  }

  bool computed(int node) const { return (kernel_.nodes & node_bit(node)) != 0; }
  /// What is read in each item for these nodes, and for what they are computed from in each item.
  std::vector<int> loads_for(const std::vector<int>& nodes) const {
    std::uint64_t wanted = 0;
    for (const int node : nodes) wanted |= node_bit(node);
    for (int node = static_cast<int>(graph_.nodes.size()); node-- > 0;)
      if ((wanted & node_bit(node)) != 0 && computed(node))
        for (const int operand : operands(node))
          if (shape_.goes_over(operand) || !computed(operand)) wanted |= node_bit(operand);
    std::vector<int> loads;
    for (const auto* list : {&shape_.packs, &shape_.singles})
      for (const int node : *list)
        if ((wanted & node_bit(node)) != 0) loads.push_back(node);
    return loads;
  }

  void load_turn(const std::vector<int>& loads, bool declares) {
    if (declares)
      for (const int node : loads) {
        if (listed(shape_.packs, node))
          out_.add("NeighboursOf<{}, {}> {}[{}];", type(node), vector(), words(node), own("kTogether"));
        else
          out_.add("float {}[{}];", words(node), own("kTogether"));
      }
    if (loads.empty()) return;
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kTogether")));
    const std::string item = fmt::format("static_cast<int>(first) + i * {}", items_beside());
    const std::string inside = fmt::format("max(min({}, count - 1), 0)", item);
    out_.add("const int item = {};", shape_.held ? inside : "whole ? " + item + " : " + inside);
    decode();
    for (const int node : loads)
      out_.add("{}[i] = {};", words(node), listed(shape_.packs, node) ? pack(row_start(node)) : read(node));
    out_.close();
  }

  /// Sums of this phase, what is written in it, and what these need.
  void sweep(int phase) {
    std::vector<int> sums, running, written;
    for (const int node : node_list(kernel_.nodes)) {
      if (shape_.is_taken(node, phase)) (shape_.running.contains(node) ? running : sums).push_back(node);
      if (shape_.goes_over(node) && listed(launch_.writes, node) && shape_.phase[slot(node)] == phase)
        written.push_back(node);
    }
    if (sums.empty() && written.empty()) return;
    std::vector<int> wanted = sums;
    wanted.insert(wanted.end(), running.begin(), running.end());
    for (const int node : wanted) {
      comment(node);
      clear_parts(node);
    }
    wanted.insert(wanted.end(), written.begin(), written.end());
    // Without a branch: the compiler moves a load behind the question whether it is used, and each is then
    // waited for alone.
    if (!shape_.held) {
      out_.add("const auto {} = [&](int first, auto is_whole) {{", turn(phase));
      out_.set_depth(2);
      out_.add("constexpr bool whole = decltype(is_whole)::value;  // no item is beyond the end");
      load_turn(loads_for(wanted), true);
    }
    std::vector<int> maxima;  // that sums follow
    for (const int node : sums)
      if (listed(shape_.running_maxima(), node)) maxima.push_back(node);
    for (const int node : maxima) copy_parts(node, "before");
    items_of_turn(sums, written);
    for (const int node : maxima) scale(running, node);
    if (!running.empty()) {
      in_running_ = true;
      items_of_turn(running, {});
      in_running_ = false;
    }
    if (!shape_.held) take_turns(phase);
  }
  void items_of_turn(const std::vector<int>& sums, const std::vector<int>& written) {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kTogether")));
    out_.add("const int item = static_cast<int>(first) + i * {};", items_beside());
    out_.add("const bool inside = {}item < count;", shape_.held ? "" : "whole || ");
    decode();
    for (const int node : written) out_.add("float {}[{}];", array(node), vector());
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
    values_of_item(sums, written);
    out_.close();
    for (const int node : written)
      out_.add("if (inside) store_pack<{}, kWhole>({}, {}_first, {}, {});", vector(), row_start(node), lane_,
               names_.size(shape_.lane), array(node));
    out_.close();
  }
  std::string seen(int maximum) const { return names_.value(maximum) + "_seen"; }
  /// Sums so far become small by the maximum of this turn. As long as that is -INFINITY, they are of nothing.
  void scale(const std::vector<int>& running, int maximum) {
    out_.add("float {}[{}];", seen(maximum), vector());
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
    out_.add("{}[each] = {}[each] == -INFINITY ? 0.0f : {}[each];", seen(maximum), partial(maximum),
             partial(maximum));
    out_.add("const float scale = expf({}_before[each] - {}[each]);", names_.value(maximum), seen(maximum));
    for (const int node : running)
      if (shape_.running.at(node) == maximum) out_.add("{}[each] *= scale;", partial(node));
    out_.close();
  }
  static std::string turn(int phase) { return fmt::format("turn{}", phase + 1); }
  void take_turns(int phase) {
    const std::string first = fmt::format("first{}", phase + 1), beside = items_beside(),
                      together = own("kTogether");
    out_.set_depth(1);
    out_.add("}};");
    out_.add("int {} = {};", first, first_item());
    out_.add("for (; {0} + ({1} - 1) * {2} < count; {0} += {1} * {2}) {3}({0}, std::true_type{{}});", first,
             together, beside, turn(phase));
    out_.add("if ({0} < count) {1}({0}, std::false_type{{}});", first, turn(phase));
  }
  /// What a sum or a maximum begins with.
  static const char* nothing(bool max) { return max ? "-INFINITY" : "0.0f"; }
  std::string partial(int node) const { return across() ? array(node) : names_.value(node) + "_parts"; }
  /// A copy of what this thread has of a sum or a maximum, under a name of its own.
  void copy_parts(int node, std::string_view as) {
    out_.add("float {}_{}[{}];", names_.value(node), as, vector());
    for_each(fmt::format("{}_{}[each] = {}[each]", names_.value(node), as, partial(node)));
  }
  void clear_parts(int node) {
    const bool max = graph_.nodes[slot(node)].op == Op::max;
    out_.add("float {}[{}];", partial(node), vector());
    for_each(fmt::format("{}[each] = {}", partial(node), nothing(max)));
  }

  void values_of_item(const std::vector<int>& sums, const std::vector<int>& written) {
    std::uint64_t wanted = 0;
    for (const int node : written) wanted |= node_bit(node);
    for (const int node : sums)
      for (const int from : operands(node)) wanted |= node_bit(from);
    for (int node = static_cast<int>(graph_.nodes.size()); node-- > 0;)
      if ((wanted & node_bit(node)) != 0 && computed(node) && shape_.goes_over(node))
        for (const int operand : operands(node)) wanted |= node_bit(operand);
    place_of_element(wanted);
    for (const int node : node_list(wanted)) {
      if (listed(shape_.packs, node))
        out_.add("const float {} = {}[i].at(each);", names_.value(node), words(node));
      else if (listed(shape_.singles, node))
        out_.add("const float {} = {}[i];", names_.value(node), words(node));
      else if (listed(shape_.made, node))
        out_.add("const float {} = {};", names_.value(node), read(node));
      else if (computed(node) && shape_.goes_over(node))
        out_.add("const float {} = {};", names_.value(node), expression(node));
    }
    for (const int node : written) out_.add("{}[each] = {};", array(node), names_.value(node));
    const std::string inside =
        across() ? "inside"
                 : fmt::format("inside && (kWhole || {}_first + each < {})", lane_, names_.size(shape_.lane));
    for (const int node : sums) {
      const Node& op = graph_.nodes[slot(node)];
      const bool max = op.op == Op::max;
      out_.add("{};", added(partial(node) + "[each]",
                            fmt::format("{} ? {} : {}", inside, term(op), nothing(max)), max));
    }
  }
  /// Where the element lies along the lanes, for those that are computed from it.
  void place_of_element(std::uint64_t wanted) {
    for (const int node : shape_.made)
      if ((wanted & node_bit(node)) != 0) {
        out_.add("[[maybe_unused]] const int {0} = min({0}_first + each, {1} - 1);", lane_,
                 names_.size(shape_.lane));
        return;
      }
  }
  /// A value where an element is at work.
  std::string operand(int node) const {
    if (in_running_ && listed(shape_.running_maxima(), node)) return seen(node) + "[each]";
    const bool once = !shape_.goes_over(node) && !is_constant(plan_, node) && !listed(shape_.numbers, node) &&
                      !listed(shape_.made, node);
    const bool lone = listed(shape_.parted, node) && !has(shapes_[slot(node)], shape_.lane);
    return once && across() && !lone ? array(node) + "[each]" : names_.value(node);
  }
  /// What a sum adds up.
  std::string term(const Node& op) const {
    return op.op == Op::matmul ? operand(op.a) + " * " + operand(op.b) : operand(op.a);
  }
  std::string expression(int node) const {
    const Node& op = graph_.nodes[slot(node)];
    if (op.over >= 0) return term(op);  // a sum that another one adds up
    return names_.expression(node, operand(op.a), op.b < 0 ? "" : operand(op.b),
                             op.b >= 0 && computed(op.b) && !shape_.goes_over(op.b));
  }

  /// Sums of all threads.
  void finish(int phase) {
    for (const int node : shape_.finals) {
      if (shape_.phase[slot(node)] != phase) continue;
      const bool max = graph_.nodes[slot(node)].op == Op::max;
      if (const auto found = shape_.running.find(node); found != shape_.running.end()) {
        const std::string of = names_.value(found->second);
        for_each(fmt::format("{}[each] *= expf({}[each] - {})", partial(node),
                             across() ? of + "_own" : partial(found->second), operand(found->second)));
      }
      if (across()) {
        if (listed(shape_.running_maxima(), node)) copy_parts(node, "own");
        over_rows(node, max);
      } else {
        const std::string_view function = max ? "block_max" : "block_sum";
        use(function);
        const std::string part = names_.value(node) + "_part";
        out_.add("float {} = {}[0];", part, partial(node));
        for_each(added(part, partial(node) + "[each]", max), 1);
        out_.add("const float {} = {}<{}>({});", names_.value(node), function, threads(), part);
      }
      write_once(node);
    }
  }
  /// What has one value, or one a column.
  void values_once(int phase) {
    for (const int node : node_list(kernel_.nodes)) {
      if (shape_.goes_over(node) || shape_.is_final(node) || shape_.phase[slot(node)] != phase) continue;
      comment(node);
      if (across()) {
        out_.add("float {}[{}];", array(node), vector());
        out_.raw("#pragma unroll");
        out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
      }
      std::uint64_t wanted = 0;
      for (const int from : operands(node)) wanted |= node_bit(from);
      if (across()) place_of_element(wanted);
      for (const int from : operands(node))
        if (listed(shape_.made, from)) out_.add("const float {} = {};", names_.value(from), read(from));
      if (across()) {
        out_.add("{}[each] = {};", array(node), expression(node));
        out_.close();
      } else {
        out_.add("const float {} = {};", names_.value(node), expression(node));
      }
      write_once(node);
    }
  }
  void write_once(int node) {
    if (!listed(launch_.writes, node)) return;
    std::string condition = across() ? "row == 0" : "threadIdx.x == 0";
    const bool split = launch_.is_split(graph_, node);
    if (shape_.cut >= 0 && !split) condition += fmt::format(" && {}_part == 0", names_.index(shape_.cut));
    if (!across())
      return out_.add("if ({}) {} = from_float<{}>({});", condition, written(node), type(node),
                      names_.value(node));
    std::string row = row_start(node);
    if (split) row += own_part(node);
    out_.add("if ({}) store_pack<{}, kWhole>({}, {}_first, {}, {});", condition, vector(), row, lane_,
             names_.size(shape_.lane), array(node));
  }

  StripShape shape_;
  std::string lane_;
  bool in_running_ = false;  ///< what is written stands where a maximum is that of the turns so far
};

}  // namespace

std::unique_ptr<LaunchEmitter> strip_emitter(const Program& program, const Plan& plan,
                                             const std::vector<Launch>& launches, int number) {
  return std::make_unique<StripEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
