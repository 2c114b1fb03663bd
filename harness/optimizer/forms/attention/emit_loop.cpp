// Path tensor_attention: the loop over the keys as far as both schedules have it, and numbers of rows and
// keys.
#include <algorithm>

#include "optimizer/forms/attention/emit.h"
#include "optimizer/language/text.h"

namespace workbook::opt {

void AttentionEmitter::loop() {
  const std::string key = names_.index(shape_.key), stages = own("kStages");
  begin_sums();
  const bool sweeps = shape_.any_in_rows();
  if (sweeps) {
    out_.raw("  // `whole`: every tile of a turn is, and rows begin at multiples of 16 bytes.");
    out_.open("const auto sweep = [&](auto whole)");
  }
  out_.open(
      fmt::format("for (int {0} = {1}_begin, now = 0; {0} < {1}_end; {0} += {2}, now = (now + 1) % {3})",
                  first(shape_.key), key, tile(shape_.key), stages));
  out_.add("{}& stage = stages[now];  // the one at work", own("Stage"));
  out_.add("__pipeline_wait_prior({} - 2);  // this lane's copies of this turn are in,", stages);
  if (shape_.key_matrix >= 0) take_keys();
  out_.add("__syncthreads();  // and all others'; and all are done with the turn before");
  out_.add("fetch({3}{0} + ({1} - 1) * {2}, stages[(now + {1} - 1) % {1}]);", first(shape_.key), stages,
           tile(shape_.key), sweeps ? "whole, " : "");
  turn();
  out_.close();
  if (!sweeps) return;
  out_.close(";");
  out_.add("if ({}) sweep(std::true_type{{}});", whole_tiles());
  out_.add("else sweep(std::false_type{{}});");
}

std::vector<int> AttentionEmitter::pairs_of(const std::vector<int>& users) const {
  std::vector<int> pairs;
  for (const int user : users)
    for (const int of : {int{node(user).a}, int{node(user).b}})
      if (listed(shape_.pairs, of) && !listed(pairs, of)) pairs.push_back(of);
  return pairs;
}

/// A warp goes through the pieces that it has copied itself.
void AttentionEmitter::take_keys() {
  const int matrix = shape_.key_matrix, depth = depth_of(matrix);
  const std::string t = inside(shape_.key), d = inside(depth);
  out_.add("__syncwarp();  // and those of its warp, whose pieces of the keys it goes through");
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int i = threadIdx.x; i < {} * {} / 8; i += {})", tile(shape_.key), tile(depth),
                        threads()));
  out_.add("const int {0} = i * 8 / {2}, {1} = i * 8 % {2};", t, d, tile(depth));
  use("eight");
  out_.add("const Eight {0}_eight = load_eight(&stage.{0}[{1}][{2}]);", id(matrix), t, d);
  for (const int sum : shape_.key_sums) out_.add("float {} = 0.0f;", names_.value(sum));
  out_.open("for (int j = 0; j < 8; ++j)");
  out_.add("const float {} = to_float({}_eight.at[j]);", names_.value(matrix), id(matrix));
  for (const int of : shape_.key_elements) {
    comment(of);
    out_.add("const float {} = {};", names_.value(of),
             names_.expression(of, names_.value(node(of).a), names_.value(node(of).b)));
  }
  for (const int sum : shape_.key_sums) out_.add("{} += {};", names_.value(sum), names_.value(node(sum).a));
  out_.close();
  if (!shape_.key_sums.empty()) use("lanes");
  for (const int sum : shape_.key_sums)
    out_.add("{0} = sum_of_lanes<{1} / 8>({0});", names_.value(sum), tile(depth));
  for (const int sum : shape_.key_sums) add_inverse(sum);
  for (const int of : shape_.key_values)
    add_number(of, names_.value(node(of).a), node(of).b < 0 ? "" : names_.value(node(of).b));
  for (const int of : shape_.factors(graph_, true, false))
    out_.add("if ({} == 0) stage.{}[{}] = {};", d, id(of), t, names_.value(of));
  for (const int of : shape_.factors(graph_, true, true))
    out_.add("if ({} == 0) stage.{}[{}] = {};", d, inverse(of), t, inverse(of));
  out_.close();
}

/// An inverse without a branch for what is rare, so that those of several rows are computed side by side.
void AttentionEmitter::add_number(int of, const std::string& a, const std::string& b) {
  comment(of);
  const Node& op = node(of);
  const bool is_root = op.op == Op::fn && graph_.functions[op.fn].base == Base::sqrt;
  if (is_used_as_it_is(of) || (divides(of) && !is_root))
    out_.add("const float {} = {};", names_.value(of), names_.expression(of, a, b));
  if (!divides(of)) return;
  std::string text = "1.0f / " + names_.value(of);
  if (is_root) {
    const Function& f = graph_.functions[op.fn];
    text = "rsqrtf(" + names_.argument(f, a, f.mean < 0 ? "" : "* " + mean(f.mean)) + ")";
  }
  out_.add("const float {} = {};", inverse(of), text);
}

void AttentionEmitter::add_inverse(int of) {
  if (divides(of)) out_.add("const float {} = 1.0f / {};", inverse(of), names_.value(of));
}

bool AttentionEmitter::divides(int of) const {
  const auto by = [&](int user) { return node(user).op == Op::div && node(user).b == of; };
  return std::any_of(shape_.scaled.begin(), shape_.scaled.end(), by) ||
         std::any_of(shape_.before.begin(), shape_.before.end(),
                     [&](int user) { return by(user) && depth_of_row(user) >= 0; });
}
bool AttentionEmitter::is_used_as_it_is(int of) const {
  for (const int user : node_list(kernel_.nodes)) {
    const Node& op = node(user);
    const bool by_inverse =
        listed(shape_.scaled, user) || (shape_.is_before(user) && depth_of_row(user) >= 0);
    if (op.a == of || (op.b == of && !(op.op == Op::div && by_inverse))) return true;
  }
  return false;
}

std::string AttentionEmitter::factor(int of, bool divides) const {
  if (is_constant(plan_, of) || of == shape_.score || listed(shape_.scaled, of) || listed(shape_.pairs, of))
    return names_.value(of);
  const bool key = listed(shape_.key_sums, of) || listed(shape_.key_values, of);
  return (divides ? inverse(of) : id(of)) + (key ? of_key() : "_value");
}

/// Divisors of a row or a key are there inverted.
std::string AttentionEmitter::scaled(int of) const {
  const Node& op = node(of);
  const std::string a = factor(op.a, false);
  if (op.b < 0) return names_.expression(of, a, "");
  const bool inverted = op.op == Op::div && !is_constant(plan_, op.b) && !listed(shape_.scaled, op.b) &&
                        !listed(shape_.pairs, op.b) && op.b != shape_.score;
  const std::string b = factor(op.b, inverted);
  return inverted ? a + " * " + b : names_.expression(of, a, b, is_constant(plan_, op.b));
}

}  // namespace workbook::opt
