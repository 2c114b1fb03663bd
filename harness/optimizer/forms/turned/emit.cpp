// Path turned as text: rows into shared memory, columns out of it.
#include "optimizer/forms/turned/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

class TurnedEmitter final : public LaunchEmitter {
 public:
  TurnedEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*turned_shape(program, plan, launch_, kernel_)),
        in_(names_.index(shape_.in)),
        out_index_(names_.index(shape_.out)) {}

  std::string kernel() override {
    use("packs");
    out_.add("constexpr int {} = {};", threads(), shape_.threads);
    out_.add("constexpr int {} = {};  // elements of a load", vector(), shape_.vector);
    out_.add("constexpr int {} = {};  // of {} and of {} in a block", side(), shape_.tile, in_, out_index_);
    out_.add("constexpr int {} = {} / {};  // of a row", packs(), side(), vector());
    out_.add("constexpr int {} = {} * {} / {};  // packs of a thread", turns(), side(), packs(), threads());
    out_.raw("");
    open_kernel(true);
    coordinates();
    load();
    out_.raw("  // As the result lies: neighbours along its last index.");
    for (const int node : shape_.packs) declare(node);
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", turns()));
    element();
    for (const int node : shape_.packs)
      out_.add("{}[i] = pack_of<{}>({}, {}_from, {});", words(node), vector(), row_start(node), out_index_,
               names_.size(shape_.out));
    out_.close();
    out_.add("__syncthreads();  // the rows are there");
    results();
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    std::string blocks = tiles(shape_.in) + " * " + tiles(shape_.out);
    for (const int index : shape_.batch) blocks += " * " + names_.size(index);
    lines.add("{}", launch_line(blocks, threads()));
    return lines.text();
  }

 private:
  std::string vector() const { return own("kVector"); }
  std::string side() const { return own("kSide"); }
  std::string packs() const { return own("kPacks"); }
  std::string turns() const { return own("kTurns"); }
  std::string words(int node) const { return names_.tensor(node) + "_words"; }
  std::string tile(int node) const { return names_.tensor(node) + "_tile"; }
  std::string tiles(int index) const {
    return fmt::format("(({0} + {1} - 1) / {1})", names_.size(index), side());
  }
  std::string type(int node) const { return Names::type(storage_of(program_, plan_, node)); }
  void declare(int node) {
    out_.add("NeighboursOf<{}, {}> {}[{}];", type(node), vector(), words(node), turns());
  }
  void coordinates() {
    for (const int node : shape_.turned)
      out_.add("__shared__ float {}[{}][{} + 1];  // rows of {}", tile(node), side(), side(), in_);
    out_.add("const int {}_first = blockIdx.x % {} * {};", in_, tiles(shape_.in), side());
    std::string rest = "blockIdx.x / " + tiles(shape_.in);
    out_.add("const int {}_first = {} % {} * {};", out_index_, rest, tiles(shape_.out), side());
    rest += " / " + tiles(shape_.out);
    for (std::size_t at = shape_.batch.size(); at-- > 0;) {
      const std::string size = names_.size(shape_.batch[at]);
      out_.add("const int {} = {}{};", names_.index(shape_.batch[at]), rest, at > 0 ? " % " + size : "");
      rest += " / " + size;
    }
  }
  void load() {
    for (const int node : shape_.turned) declare(node);
    const auto place = [&] {
      out_.raw("#pragma unroll");
      out_.open(fmt::format("for (int i = 0; i < {}; ++i)", turns()));
      out_.add("const int item = threadIdx.x + i * {}, row = item / {}, column = item % {} * {};", threads(),
               packs(), packs(), vector());
    };
    place();
    out_.add("const int {0} = min({0}_first + row, {1} - 1);", out_index_, names_.size(shape_.out));
    for (const int node : shape_.turned)
      out_.add("{}[i] = pack_of<{}>({}, {}_first + column, {});", words(node), vector(), row_start(node), in_,
               names_.size(shape_.in));
    out_.close();
    place();
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
    for (const int node : shape_.turned)
      out_.add("{}[row][column + each] = {}[i].at(each);", tile(node), words(node));
    out_.close();
    out_.close();
  }
  /// Which pack of the result is the thread's number i.
  void element() {
    out_.add("const int item = threadIdx.x + i * {}, column = item / {}, row = item % {} * {};", threads(),
             packs(), packs(), vector());
    out_.add("[[maybe_unused]] const int {0} = min({0}_first + column, {1} - 1), {2}_from = {2}_first + row;",
             in_, names_.size(shape_.in), out_index_);
  }
  void results() {
    const std::vector<int> nodes = node_list(kernel_.nodes);
    for (const int node : nodes) comment(node);
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", turns()));
    element();
    out_.add("if ({}_first + column >= {}) break;", in_, names_.size(shape_.in));
    for (const int node : shape_.singles) out_.add("const float {} = {};", names_.value(node), read(node));
    for (const int node : launch_.writes) out_.add("float {}s[{}];", names_.value(node), vector());
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
    if (!shape_.made.empty())
      out_.add("[[maybe_unused]] const int {0} = min({0}_from + each, {1} - 1);", out_index_,
               names_.size(shape_.out));
    for (const int node : shape_.made) out_.add("const float {} = {};", names_.value(node), read(node));
    for (const int node : shape_.turned)
      out_.add("const float {} = {}[row + each][column];", names_.value(node), tile(node));
    for (const int node : shape_.packs)
      out_.add("const float {} = {}[i].at(each);", names_.value(node), words(node));
    for (const int node : nodes) {
      const Node& op = graph_.nodes[slot(node)];
      out_.add("const float {} = {};", names_.value(node),
               names_.expression(node, names_.value(op.a), op.b < 0 ? "" : names_.value(op.b)));
    }
    for (const int node : launch_.writes) out_.add("{0}s[each] = {0};", names_.value(node));
    out_.close();
    for (const int node : launch_.writes)
      out_.add("store_pack<{}>({}, {}_from, {}, {}s);", vector(), row_start(node), out_index_,
               names_.size(shape_.out), names_.value(node));
    out_.close();
  }

  TurnedShape shape_;
  std::string in_, out_index_;
};

}  // namespace

std::unique_ptr<LaunchEmitter> turned_emitter(const Program& program, const Plan& plan,
                                              const std::vector<Launch>& launches, int number) {
  return std::make_unique<TurnedEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
