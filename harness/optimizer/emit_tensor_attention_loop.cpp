// Path tensor_attention: the loop over the keys, and numbers of rows and keys.
#include <algorithm>

#include "optimizer/emit_tensor_attention.h"
#include "optimizer/text.h"

namespace workbook::opt {

void AttentionEmitter::loop() {
  const std::string key = names_.index(shape_.key), stages = own("kStages"), most = id(launch_.running);
  comment(shape_.product);
  out_.add("SumFragment {}[{} / 16{}];", sums(), tile(shape_.column),
           several() ? " / " + own("kBeside") : "");
  out_.add("for (SumFragment& each : {}) wmma::fill_fragment(each, 0.0f);", sums());
  out_.add("const int row = threadIdx.x / {} % 16;  // this lane's, and some of its keys", own("kLanes"));
  out_.add("float {0}_value = -3.402823466e38f;  // {0} = {1}, so far; a float, so that less it stays one",
           most, node_text(graph_, launch_.running));
  for (const int sum : shape_.sums) {
    comment(sum);
    out_.add("float {} = 0.0f;  // of this lane's keys", names_.value(sum));
  }
  out_.open(
      fmt::format("for (int {0} = {1}_begin, now = 0; {0} < {1}_end; {0} += {2}, now = (now + 1) % {3})",
                  first(shape_.key), key, tile(shape_.key), stages));
  out_.add("{}& stage = stages[now];  // the one at work", own("Stage"));
  out_.add("__pipeline_wait_prior({} - 2);  // this lane's copies of this turn are in,", stages);
  if (shape_.key_matrix >= 0) take_keys();
  out_.add("__syncthreads();  // and all others'; and all are done with the turn before");
  out_.add("fetch({0} + ({1} - 1) * {2}, stages[(now + {1} - 1) % {1}]);", first(shape_.key), stages,
           tile(shape_.key));
  multiply();
  out_.add("{}", meet("the scores are there"));
  weigh();
  out_.add("{}", meet("the weights are there"));
  add_values();
  out_.close();
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

void AttentionEmitter::multiply() {
  const bool shares = shape_.shares() > 1;
  const std::string parts = tile(shape_.key) + " / 16";
  if (shares) {
    out_.add("const int part = beside % ({0}), share = beside / ({0});", parts);
  } else {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = {}; part < {}; part += {})", several() ? "beside" : "0", parts,
                          several() ? own("kBeside") : "1"));
  }
  for (const auto& product : shape_.products)
    if (product.node != shape_.score) comment(product.node);
  comment(shape_.score);
  out_.add("SumFragment score;");
  out_.add("wmma::fill_fragment(score, 0.0f);");
  for (const auto& product : shape_.products) {
    const std::string d = inside(product.depth);
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3})", d, shares ? "16 * share" : "0",
                          tile(product.depth), shares ? "16 * " + own("kShares") : "16"));
    std::string left = fmt::format("{}_left[{} / 16]", id(product.left), d);
    if (!shape_.in_registers()) {
      left = "left";
      out_.add("LeftFragment left;");
      out_.add("wmma::load_matrix_sync(left, &mine.{}[0][{}], {} + kPad);", id(product.left), d,
               tile(product.depth));
    }
    const bool along = along_keys(product.right);
    out_.add("{}Fragment keys;  // they are its columns", along ? "Right" : "Turned");
    out_.add("wmma::load_matrix_sync(keys, &stage.{}[{}][{}], {} + kPad);", id(product.right),
             along ? d : "16 * part", along ? "16 * part" : d, tile(along ? shape_.key : product.depth));
    out_.add("wmma::mma_sync(score, {}, keys, score);", left);
    out_.close();
  }
  out_.add("wmma::store_matrix_sync(&mine.{}[0][16 * part], score, {} + kPad, wmma::mem_row_major);",
           scores("share"), tile(shape_.key));
  if (!shares) out_.close();
}

std::string AttentionEmitter::factor(int of, bool divides) const {
  if (is_constant(plan_, of) || of == shape_.score || listed(shape_.scaled, of) || listed(shape_.pairs, of))
    return names_.value(of);
  const bool key = listed(shape_.key_sums, of) || listed(shape_.key_values, of);
  return (divides ? inverse(of) : id(of)) + (key ? "_own[i]" : "_value");
}

/// Divisors of a row or a key are there inverted.
std::string AttentionEmitter::scaled(int of) const {
  const Node& op = node(of);
  const std::string a = factor(op.a, false);
  if (op.b < 0) return names_.expression(of, a, "");
  const bool inverted = op.op == Op::div && !is_constant(plan_, op.b) && !listed(shape_.scaled, op.b) &&
                        !listed(shape_.pairs, op.b) && op.b != shape_.score;
  const std::string b = factor(op.b, inverted);
  return inverted ? a + " * " + b : names_.expression(of, a, b);
}

void AttentionEmitter::read_pairs(const std::vector<int>& users) {
  std::vector<int> read_now;
  for (const int user : users)
    for (const int of : {int{node(user).a}, int{node(user).b}})
      if (listed(shape_.pairs, of) && !listed(read_now, of)) read_now.push_back(of);
  if (read_now.empty()) return;
  out_.add("const int {0} = min({0}_first + static_cast<int>(threadIdx.x) / {1}, {0}_size - 1);", row_name(),
           own("kLanes"));
  row_places();
  out_.add("const int {} = min({} + key_of<{}, {}>(i), {}_end - 1);", names_.index(shape_.key),
           first(shape_.key), own("kLanes"), own("kOwn"), names_.index(shape_.key));
  for (const int of : read_now) out_.add("const float {} = {};", names_.value(of), read(of));
}

void AttentionEmitter::weigh() {
  const std::string lanes = own("kLanes"), count = own("kOwn"), most = id(launch_.running);
  const std::string of = names_.value(node(launch_.running).a), weight = id(shape_.weight);
  const std::string score = id(shape_.score);
  out_.add("float own[{0}], {1}_next = {1}_value;", count, most);
  out_.add("load_own<{}>(own, mine.{}[row]);", lanes, scores("0"));
  if (shape_.shares() > 1) {
    out_.open(fmt::format("for (int other = 1; other < {}; ++other)", own("kShares")));
    out_.add("float more[{}];", count);
    out_.add("load_own<{}>(more, mine.{}[row]);", lanes, scores("other"));
    out_.add("for (int i = 0; i < {}; ++i) own[i] += more[i];", count);
    out_.close();
  }
  for (const bool inverted : {false, true})
    for (const int key : shape_.factors(graph_, true, inverted)) {
      const std::string name = inverted ? inverse(key) : id(key);
      out_.add("float {}_own[{}];", name, count);
      out_.add("load_own<{}>({}_own, stage.{});", lanes, name, name);
    }
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int i = 0; i < {}; ++i)", count));
  read_pairs(shape_.scaled);
  out_.add("const float {} = own[i];", names_.value(shape_.score));
  for (const int each : shape_.scaled) {
    comment(each);
    out_.add("const float {} = {};", names_.value(each), scaled(each));
  }
  out_.add("own[i] = {} + key_of<{}, {}>(i) < {}_end ? {} : -INFINITY;  // no score behind the last key",
           first(shape_.key), lanes, count, names_.index(shape_.key), of);
  out_.add("{0}_next = fmaxf({0}_next, own[i]);", most);
  out_.close();
  out_.add("{0}_next = max_of_lanes<{1}>({0}_next);", most, lanes);
  out_.add("const float keep = __expf({0}_value - {0}_next);  // of what is added up; 0 in the first turn",
           most);
  out_.add("{0}_value = {0}_next;", most);
  const bool masks = !shape_.masked.empty(), sums = !shape_.sums.empty();
  out_.add("{}exp_less(own, {}_value);  // {} = {}, and their sum",
           sums && !masks ? "const float added = " : "", most, id(shape_.exponent),
           node_text(graph_, shape_.exponent));
  if (masks) {
    if (sums) out_.add("float added = 0.0f;");
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", count));
    read_pairs(shape_.masked);
    out_.add("const float {} = own[i];", names_.value(shape_.exponent));
    for (const int each : shape_.masked) {
      comment(each);
      out_.add("const float {} = {};", names_.value(each),
               names_.expression(each, names_.value(node(each).a), names_.value(node(each).b)));
    }
    out_.add("own[i] = {};", names_.value(shape_.weight));
    if (sums) out_.add("added += own[i];");
    out_.close();
  }
  for (const int sum : shape_.sums) out_.add("{0} = {0} * keep + added;", names_.value(sum));
  out_.add("store_own<{}>(mine.{}[row], own);  // a fragment holds half: rounded here", lanes, weight);
  out_.add("fill_row<{}, {}>(mine.{}[row], keep);  // instead of scores, which nobody reads any more", lanes,
           count, scores("0"));
}

void AttentionEmitter::add_values() {
  const std::string t = inside(shape_.key), column = tile(shape_.column);
  const std::string parts = fmt::format("{} / 16{}", column, several() ? " / " + own("kBeside") : "");
  out_.add("scale_rows({}, mine.{}[0], {} + kPad);", sums(), scores("0"), tile(shape_.key));
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 16)", t, tile(shape_.key)));
  out_.add("LeftFragment weights;");
  out_.add("wmma::load_matrix_sync(weights, &mine.{}[0][{}], {} + kPad);", id(shape_.weight), t,
           tile(shape_.key));
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int part = 0; part < {}; ++part)", parts));
  const bool along = along_keys(shape_.values);
  const std::string columns =
      "16 * " + (several() ? fmt::format("(beside + part * {})", own("kBeside")) : std::string("part"));
  out_.add("{}Fragment right;", along ? "Turned" : "Right");
  out_.add("wmma::load_matrix_sync(right, &stage.{}[{}][{}], {} + kPad);", id(shape_.values),
           along ? columns : t, along ? t : columns, along ? tile(shape_.key) : column);
  out_.add("wmma::mma_sync({0}[part], weights, right, {0}[part]);", sums());
  out_.close();
  out_.close();
}

}  // namespace workbook::opt
