// Puzzle 40, given: the model once more on the CPU, one token at a time in plain loops: in double to compare
// with, and rounded to float at each step to know what that costs. And what comes out of it with one of the
// usual mistakes, to tell them apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace reference {

/// A host copy of the weights.
struct Matrix {
  std::vector<float> weight, bias;
};
struct Normed {
  std::vector<float> gamma, beta;
};
struct Block {
  Normed attention_norm, mlp_norm;
  Matrix qkv, dense, up, down;
};
struct Weights {
  int hidden = 0, heads = 0, vocabulary = 0;
  double epsilon = 0.0, base = 0.0;
  std::vector<float> embedding;
  std::vector<Block> blocks;
  Normed final_norm;
  std::vector<float> out;
};

/// One mistake, or none.
enum class Slip {
  none,
  raw_row,
  no_mean,
  no_scale,
  no_epsilon,
  zeros_counted,
  bare_norm,
  no_bias,
  other_norm,
  after_attention,
  no_gelu,
  gelu_first,
  not_rotated,
  backwards,
  neighbours,
  whole_head,
  other_end,
  next_position,
  all_positions_zero,
  key_for_value,
  no_root,
  root_left_out,
  query_not_rotated,
  not_itself,
  first_head_for_all,
  no_x,
  norm_of_x,
  no_dense_bias,
  no_down_bias,
  no_attention,
  no_mlp,
  x_twice
};

inline const char* words_of(Slip slip) {
  switch (slip) {
    case Slip::raw_row:
      return "these are products with x itself: the row was not normalised";
    case Slip::no_mean:
      return "the mean was not subtracted";
    case Slip::no_scale:
      return "the row was not divided by its deviation";
    case Slip::no_epsilon:
      return "kEpsilon was not added to the variance";
    case Slip::zeros_counted:
      return "the zeros behind the row's end were counted into the variance";
    case Slip::bare_norm:
      return "gamma and beta of the norm were left out";
    case Slip::no_bias:
      return "the bias was left out";
    case Slip::other_norm:
      return "the norm has the gamma and beta of the other job: each job brings its own";
    case Slip::after_attention:
      return "the second norm saw x with attention already added: here both norms see the same x";
    case Slip::no_gelu:
      return "GELU was left out";
    case Slip::gelu_first:
      return "the bias was added behind GELU: it belongs in front of it";
    case Slip::not_rotated:
      return "they lie in the cache as the matrix made them: the rotation is missing";
    case Slip::backwards:
      return "they are rotated the other way";
    case Slip::neighbours:
      return "neighbours were rotated as pairs: here element i goes with i + rotary / 2";
    case Slip::whole_head:
      return "the whole head was rotated: only its first quarter is";
    case Slip::other_end:
      return "the last quarter of the head was rotated: it is the first";
    case Slip::next_position:
      return "they are rotated for the position behind theirs";
    case Slip::all_positions_zero:
      return "they are rotated for position 0, whichever they have";
    case Slip::key_for_value:
      return "the key lies where the value belongs";
    case Slip::no_root:
      return "the scores were divided by the size of a head, not by its root";
    case Slip::root_left_out:
      return "the scores were not divided by the root of a head's size";
    case Slip::query_not_rotated:
      return "the query was not rotated, and the keys were";
    case Slip::not_itself:
      return "the token did not attend to itself: position is included";
    case Slip::first_head_for_all:
      return "all heads have the query of head 0";
    case Slip::no_x:
      return "x was replaced: what attention and MLP give is added to it";
    case Slip::norm_of_x:
      return "LN(x) stands where x belongs: a block adds to x as it came in, not to its norm";
    case Slip::no_dense_bias:
      return "the bias of attention's matrix was left out";
    case Slip::no_down_bias:
      return "the bias of the MLP's matrix was left out";
    case Slip::no_attention:
      return "what attention gives was left out";
    case Slip::no_mlp:
      return "what the MLP gives was left out";
    case Slip::x_twice:
      return "x was added twice";
    case Slip::none:
      break;
  }
  return "";
}

/// What one block makes of one token.
using Row = std::vector<double>;

struct Stages {
  Row before, qkv, inner, keys, values, context, x;
};

class Decoder {
 public:
  /// `rounded`: each result of an addition or multiplication is rounded to float.
  Decoder(const Weights& weights, bool rounded)
      : w_(weights), rounded_(rounded), keys_(w_.blocks.size()), values_(w_.blocks.size()) {}

  /// The logits of `token` at the next position; what lies between stays in stages.
  Row decode(int token) {
    ++position;
    stages.assign(w_.blocks.size(), {});
    Row x(w_.embedding.begin() + static_cast<std::ptrdiff_t>(token) * w_.hidden,
          w_.embedding.begin() + static_cast<std::ptrdiff_t>(token + 1) * w_.hidden);
    for (std::size_t i = 0; i < w_.blocks.size(); ++i) {
      Stages& s = stages[i];
      s.before = x;
      s.qkv = qkv(i);
      s.inner = inner(i);
      s.keys = keys(i);
      s.values = values(i);
      keys_[i].insert(keys_[i].end(), s.keys.begin(), s.keys.end());
      values_[i].insert(values_[i].end(), s.values.begin(), s.values.end());
      s.context = context(i);
      x = s.x = residual(i);
    }
    return product(w_.out, {}, norm(x, w_.final_norm));
  }

  int position = -1;  // of the token that was decoded last
  std::vector<Stages> stages;

  // Each stage from those before it, right or with a slip; after decode(), of the token that was decoded.
  Row qkv(std::size_t i, Slip slip = Slip::none) const {
    const Block& block = w_.blocks[i];
    return product(
        block.qkv.weight, slip == Slip::no_bias ? kNone : block.qkv.bias,
        norm(stages[i].before, slip == Slip::other_norm ? block.mlp_norm : block.attention_norm, slip));
  }
  Row inner(std::size_t i, Slip slip = Slip::none) const {
    const Block& block = w_.blocks[i];
    Row x = stages[i].before;
    if (slip == Slip::after_attention)
      add(x, product(block.dense.weight, block.dense.bias, stages[i].context));
    const bool bias_late = slip == Slip::gelu_first;
    Row out = product(block.up.weight, slip == Slip::no_bias || bias_late ? kNone : block.up.bias,
                      norm(x, slip == Slip::other_norm ? block.attention_norm : block.mlp_norm, slip));
    if (slip != Slip::no_gelu)
      for (double& value : out) value = round(value * 0.5 * (1.0 + std::erf(value * 0.70710678118654752440)));
    if (bias_late)
      for (std::size_t o = 0; o < out.size(); ++o) out[o] = round(out[o] + block.up.bias[o]);
    return out;
  }
  Row keys(std::size_t i, Slip slip = Slip::none) const { return turned(part(i, 1), slip); }
  Row values(std::size_t i, Slip slip = Slip::none) const {
    return part(i, slip == Slip::key_for_value ? 1 : 2);
  }
  Row context(std::size_t i, Slip slip = Slip::none) const {
    const int head = w_.hidden / w_.heads, tokens = static_cast<int>(keys_[i].size()) / w_.hidden;
    const Row query = turned(part(i, 0), slip == Slip::query_not_rotated ? Slip::not_rotated : Slip::none);
    const double scale = slip == Slip::root_left_out ? 1.0
                         : slip == Slip::no_root     ? 1.0 / head
                                                     : 1.0 / std::sqrt(head);
    const int last = slip == Slip::not_itself ? std::max(tokens - 1, 1) : tokens;
    Row out(w_.hidden), scores(last);
    for (int h = 0; h < w_.heads; ++h) {
      double largest = -INFINITY, sum = 0.0;
      for (int t = 0; t < last; ++t) {
        double score = 0.0;
        for (int e = 0; e < head; ++e)
          score = round(score + query[(slip == Slip::first_head_for_all ? 0 : h) * head + e] *
                                    keys_[i][t * w_.hidden + h * head + e]);
        scores[t] = round(score * scale);
        largest = std::max(largest, scores[t]);
      }
      for (double& score : scores) sum = round(sum + (score = round(std::exp(score - largest))));
      for (int t = 0; t < last; ++t)
        for (int e = 0; e < head; ++e)
          out[h * head + e] =
              round(out[h * head + e] + scores[t] / sum * values_[i][t * w_.hidden + h * head + e]);
    }
    return out;
  }
  Row residual(std::size_t i, Slip slip = Slip::none) const {
    const Block& block = w_.blocks[i];
    Row x = stages[i].before;
    if (slip == Slip::norm_of_x) x = norm(x, block.mlp_norm);
    if (slip == Slip::no_x) std::fill(x.begin(), x.end(), 0.0);
    if (slip == Slip::x_twice) add(x, stages[i].before);
    if (slip != Slip::no_attention)
      add(x, product(block.dense.weight, slip == Slip::no_dense_bias ? kNone : block.dense.bias,
                     stages[i].context));
    if (slip != Slip::no_mlp)
      add(x,
          product(block.down.weight, slip == Slip::no_down_bias ? kNone : block.down.bias, stages[i].inner));
    return x;
  }

 private:
  static inline const std::vector<float> kNone = {};

  double round(double value) const { return rounded_ ? static_cast<float>(value) : value; }
  void add(Row& to, const Row& what) const {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = round(to[i] + what[i]);
  }
  Row product(const std::vector<float>& weight, const std::vector<float>& bias, const Row& x) const {
    const std::size_t inputs = x.size(), outputs = weight.size() / inputs;
    Row out(outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      const float* row = weight.data() + o * inputs;
      double sum = 0.0;
      for (std::size_t k = 0; k < inputs; ++k) sum = round(sum + row[k] * x[k]);
      out[o] = bias.empty() ? sum : round(sum + bias[o]);
    }
    return out;
  }
  Row norm(const Row& x, const Normed& by, Slip slip = Slip::none) const {
    if (slip == Slip::raw_row) return x;
    double mean = 0.0, squares = 0.0;
    const auto size = static_cast<double>(x.size());
    for (const double value : x) mean = round(mean + value / size);
    for (const double value : x) squares = round(squares + (value - mean) * (value - mean));
    if (slip == Slip::zeros_counted)  // a block has room for sixteen elements a thread
      squares += (std::ceil(size / 512.0) * 512.0 - size) * mean * mean;
    if (slip == Slip::no_mean) mean = 0;
    const double epsilon = slip == Slip::no_epsilon ? 0.0 : w_.epsilon;
    const double scale = slip == Slip::no_scale ? 1.0 : round(1.0 / std::sqrt(squares / size + epsilon));
    Row out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = round((x[i] - mean) * scale);
      if (slip != Slip::bare_norm) out[i] = round(out[i] * by.gamma[i] + by.beta[i]);
    }
    return out;
  }
  /// Queries (0), keys (1) or values (2) of all heads, head after head.
  Row part(std::size_t i, int which) const {
    const int head = w_.hidden / w_.heads;
    Row out(w_.hidden);
    for (int e = 0; e < w_.hidden; ++e) out[e] = stages[i].qkv[(3 * (e / head) + which) * head + e % head];
    return out;
  }
  Row turned(Row x, Slip slip) const {
    if (slip == Slip::not_rotated) return x;
    const int head = w_.hidden / w_.heads, rotary = slip == Slip::whole_head ? head : head / 4,
              pairs = rotary / 2;
    const int at = slip == Slip::all_positions_zero ? 0 : position + (slip == Slip::next_position);
    for (int h = 0; h < w_.heads; ++h)
      for (int p = 0; p < pairs; ++p) {
        const int from = h * head + (slip == Slip::other_end ? head - rotary : 0);
        const int first = from + (slip == Slip::neighbours ? 2 * p : p),
                  second = first + (slip == Slip::neighbours ? 1 : pairs);
        const double angle = round(at * round(std::pow(w_.base, -static_cast<double>(p) / pairs))) *
                             (slip == Slip::backwards ? -1 : 1);
        const double a = x[first], b = x[second];
        x[first] = round(a * std::cos(angle) - b * std::sin(angle));
        x[second] = round(b * std::cos(angle) + a * std::sin(angle));
      }
    return x;
  }
  const Weights& w_;
  bool rounded_;
  std::vector<Row> keys_, values_;
};

}  // namespace reference
