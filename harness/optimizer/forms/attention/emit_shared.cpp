// Path tensor_attention where several warps share 16 rows: their scores meet in a tile of floats.
#include "optimizer/forms/attention/emit.h"
#include "optimizer/language/text.h"

namespace workbook::opt {

void SharedRowsEmitter::own_constants() {
  out_.add("constexpr int {} = {};  // warps that share 16 rows", own("kBeside"), shape_.beside);
  if (shape_.shares() > 1)
    out_.add("constexpr int {} = {};  // of these, those that share the sums behind the same scores",
             own("kShares"), shape_.shares());
  out_.add("constexpr int {} = {};  // that share a row of scores, and the keys of each in a turn",
           own("kLanes"), shape_.lanes());
  out_.add("constexpr int {} = {} / {};", own("kOwn"), tile(shape_.key), own("kLanes"));
}

void SharedRowsEmitter::row_structures() {
  std::string indent = "  ";
  const auto halves = [&](int of, const std::string& rows, const std::string& columns) {
    out_.add("{}alignas(32) {} {}[{}][{} + kPad];", indent, half(), id(of), rows, columns);
  };
  out_.add("// Of 16 rows{}: left operands, scores, weights.",
           shape_.in_registers() ? "; what is multiplied first leaves its room to the scores" : "");
  out_.add("struct {} {{", own("Rows"));
  if (shape_.in_registers()) {
    out_.raw("  union {");
    indent = "    ";
  }
  for (const auto& product : shape_.lefts()) halves(product.left, "16", tile(product.depth));
  out_.add("{}alignas(32) float {}[16][{} + kPad];", indent, scores(own("kShares")), tile(shape_.key));
  if (shape_.in_registers()) out_.raw("  };");
  indent = "  ";
  halves(shape_.weight, "16", tile(shape_.key));
  out_.raw("};");
}

void SharedRowsEmitter::row_memory() {
  out_.add("  {} rows[{} / 16];", own("Rows"), row_tile());
  out_.raw("  union {");
  out_.add("    {} stages[{}];", own("Stage"), own("kStages"));
  out_.add("    alignas(32) float {}[{}][{} + kPad];  // behind the loop", id(shape_.product), row_tile(),
           tile(shape_.column));
  out_.raw("  };");
}

void SharedRowsEmitter::warp_places() { out_.add("const int beside = warp % {};", own("kBeside")); }

void SharedRowsEmitter::row_places_in_memory() {
  out_.add("{}& mine = {}[warp / {}];", own("Rows"), memory("rows"), own("kBeside"));
}

void SharedRowsEmitter::take_rows() {
  out_.add("__syncthreads();  // the rows are there");
  if (shape_.in_registers()) {
    const auto& product = shape_.products.front();
    const std::string name = id(product.left), width = tile(product.depth);
    out_.add("LeftFragment {}_left[{} / 16];", name, width);
    out_.add("load_rows({0}_left, mine.{0}[0], {1} + kPad);", name, width);
  }
  const auto number = [&](const std::string& name) {
    out_.add("const float {}_value = {}[threadIdx.x / {}];", name, memory(name), own("kLanes"));
  };
  for (const int of : shape_.factors(graph_, false, false)) number(id(of));
  for (const int of : shape_.factors(graph_, false, true)) number(inverse(of));
}

void SharedRowsEmitter::begin_sums() {
  const std::string most = id(launch_.running);
  comment(shape_.product);
  out_.add("SumFragment {}[{} / 16 / {}];", sums(), tile(shape_.column), own("kBeside"));
  out_.add("for (SumFragment& each : {}) wmma::fill_fragment(each, 0.0f);", sums());
  out_.add("const int row = threadIdx.x / {} % 16;  // this lane's, and some of its keys", own("kLanes"));
  out_.add("float {0}_value = -3.402823466e38f;  // {0} = {1}, so far; a float, so that less it stays one",
           most, node_text(graph_, launch_.running));
  for (const int sum : shape_.sums) {
    comment(sum);
    out_.add("float {} = 0.0f;  // of this lane's keys", names_.value(sum));
  }
}

void SharedRowsEmitter::turn() {
  use("shared_rows");
  use("lanes");
  multiply();
  out_.add("__syncthreads();  // the scores are there");
  weigh();
  out_.add("__syncthreads();  // the weights are there");
  add_values();
}

void SharedRowsEmitter::multiply() {
  const bool shares = shape_.shares() > 1;
  const std::string parts = tile(shape_.key) + " / 16";
  if (shares) {
    out_.add("const int part = beside % ({0}), share = beside / ({0});", parts);
  } else {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = beside; part < {}; part += {})", parts, own("kBeside")));
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
    out_.add("{} keys;  // they are its columns", right_fragment(!along));
    out_.add("wmma::load_matrix_sync(keys, &stage.{}[{}][{}], {} + kPad);", id(product.right),
             along ? d : "16 * part", along ? "16 * part" : d, tile(along ? shape_.key : product.depth));
    out_.add("wmma::mma_sync(score, {}, keys, score);", left);
    out_.close();
  }
  out_.add("wmma::store_matrix_sync(&mine.{}[0][16 * part], score, {} + kPad, wmma::mem_row_major);",
           scores("share"), tile(shape_.key));
  if (!shares) out_.close();
}

void SharedRowsEmitter::read_pairs(const std::vector<int>& users) {
  const std::vector<int> read_now = pairs_of(users);
  if (read_now.empty()) return;
  out_.add("const int {0} = min({0}_first + static_cast<int>(threadIdx.x) / {1}, {0}_size - 1);", row_name(),
           own("kLanes"));
  row_places();
  out_.add("const int {} = min({} + key_of<{}, {}>(i), {}_end - 1);", names_.index(shape_.key),
           first(shape_.key), own("kLanes"), own("kOwn"), names_.index(shape_.key));
  for (const int of : read_now) out_.add("const float {} = {};", names_.value(of), read(of));
}

void SharedRowsEmitter::weigh() {
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
  out_.add("store_own<{}>(mine.{}[row], own);  // a fragment holds {}: rounded here", lanes, weight, half());
  out_.add("fill_row<{}, {}>(mine.{}[row], keep);  // instead of scores, which nobody reads any more", lanes,
           count, scores("0"));
}

void SharedRowsEmitter::add_values() {
  const std::string t = inside(shape_.key), column = tile(shape_.column);
  const std::string parts = fmt::format("{} / 16 / {}", column, own("kBeside"));
  out_.add("scale_rows({}, mine.{}[0], {} + kPad);", sums(), scores("0"), tile(shape_.key));
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 16)", t, tile(shape_.key)));
  out_.add("LeftFragment weights;");
  out_.add("wmma::load_matrix_sync(weights, &mine.{}[0][{}], {} + kPad);", id(shape_.weight), t,
           tile(shape_.key));
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int part = 0; part < {}; ++part)", parts));
  const bool along = along_keys(shape_.values);
  const std::string columns = fmt::format("16 * (beside + part * {})", own("kBeside"));
  out_.add("{} right;", right_fragment(along));
  out_.add("wmma::load_matrix_sync(right, &stage.{}[{}][{}], {} + kPad);", id(shape_.values),
           along ? columns : t, along ? t : columns, along ? tile(shape_.key) : column);
  out_.add("wmma::mma_sync({0}[part], weights, right, {0}[part]);", sums());
  out_.close();
  out_.close();
}

void SharedRowsEmitter::results() {
  const std::string most = id(launch_.running);
  out_.add("__syncthreads();  // nobody reads the stages any more");
  out_.add("store_sums<{0}>(&{1}[warp / {0} * 16][16 * beside], {2}, {3} + kPad);", own("kBeside"),
           memory(id(shape_.product)), sums(), tile(shape_.column));
  for (const int sum : shape_.sums)
    out_.add("{0} = sum_of_lanes<{1}>({0});", names_.value(sum), own("kLanes"));
  out_.open(fmt::format("if (threadIdx.x % {} == 0)", own("kLanes")));
  for (const int sum : shape_.sums)
    out_.add("{}[threadIdx.x / {}] = {};", memory(id(sum)), own("kLanes"), names_.value(sum));
  out_.add("{}[threadIdx.x / {}] = {}_value;", memory(most), own("kLanes"), most);
  out_.close();
  out_.add("__syncthreads();  // all sums are there");
  row_results();
  column_results();
}

void SharedRowsEmitter::column_results() {
  const std::vector<int> written = written_of(true);
  if (written.empty()) return;
  const std::string s = row_name(), d = names_.index(shape_.column);
  out_.open(fmt::format("for (int i = threadIdx.x; i < {} * {}; i += {})", row_tile(), tile(shape_.column),
                        threads()));
  out_.add("const int {0}_in = i / {2}, {0} = {0}_first + {0}_in, {1} = i % {2};", s, d, tile(shape_.column));
  out_.add("if ({0} >= {0}_size || {1} >= {2}) continue;", s, d, names_.size(shape_.column));
  row_places();
  result_values(needed_for(written), [&](int of) {
    const std::string row = fmt::format("{}[{}_in]", memory(id(of)), s);
    return of == shape_.product ? row + "[" + d + "]" : row;
  });
  for (const int of : written)
    out_.add("{} = from_float<{}>({});", this->written(of), Names::type(storage_of(program_, plan_, of)),
             names_.value(of));
  out_.close();
}

}  // namespace workbook::opt
