// Path gemv: a vector in shared memory against the rows or the columns of a matrix.
#include "optimizer/forms/gemv/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

class GemvEmitter final : public LaunchEmitter {
 public:
  GemvEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*gemv_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override {
    use("eight_of_row");
    use_half();
    constants();
    out_.raw("");
    open_kernel(true);
    coordinates();
    load_matrix();
    load_vector();
    if (shape_.by_rows)
      rows();
    else
      columns();
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    lines.add("if ({} > {}) return cudaErrorInvalidValue;", names_.size(shape_.over), tile(shape_.over));
    if (parts().launch >= 0)
      lines.add("if ({} > {}) return cudaErrorInvalidValue;",
                parts_text(plan_, parts().index, parts().launch + 1), own("kMostParts"));
    std::string blocks;
    for (const int index : shape_.axes)
      blocks += (blocks.empty() ? "" : ", ") +
                (index == shape_.out ? parts_text(plan_, index, number_) : names_.size(index));
    lines.add("const dim3 {}({});", own("grid"), blocks);
    lines.add("{}", launch_line(own("grid"), threads()));
    return lines.text();
  }

 private:
  std::string tile(int index) const { return tile_name(plan_, index, number_); }
  std::string out() const { return names_.index(shape_.out); }
  std::string over() const { return names_.index(shape_.over); }
  std::string row() const { return shape_.vector < 0 ? "ones" : names_.tensor(shape_.vector) + "_row"; }
  Parts parts() const { return shape_.vector < 0 ? Parts{} : launch_.parts[slot(shape_.vector)]; }
  std::string stride() const { return fmt::format("({} / 8 + {})", tile(shape_.over), kVectorPad); }

  void constants() {
    out_.add("constexpr int {} = {};  // of {} in a block", tile(shape_.out), shape_.tile, out());
    out_.add("constexpr int {} = {};  // of {} at most", tile(shape_.over), shape_.width, over());
    out_.add("constexpr int {} = {};", threads(), shape_.threads);
    out_.add("constexpr int {} = {};  // that share a row of {}", own("kLanes"), shape_.lanes(),
             names_.tensor(shape_.matrix));
    out_.add("constexpr int {} = {} / {};  // at the same time", own("kRows"), threads(), own("kLanes"));
    out_.add("constexpr int {} = {} / {};", own("kTurns"), tile(shape_.by_rows ? shape_.out : shape_.over),
             own("kRows"));
    if (shape_.by_rows)
      out_.add("constexpr int {} = {} / 8 / {};  // loads of a row, a thread", own("kPieces"),
               tile(shape_.over), own("kLanes"));
    if (parts().launch >= 0) {
      const std::int64_t extent = real_extents(graph_)[slot(parts().index)];
      const Kernel& from = plan_.kernels[slot(parts().launch)];
      const std::int64_t part = tile_of(from, parts().index, extent) * from.cuts[slot(parts().index)].loop;
      out_.add("constexpr int {} = {};  // of {} at most", own("kMostParts"), (extent + part - 1) / part,
               names_.tensor(shape_.vector));
    }
  }
  void coordinates() {
    out_.add("__shared__ __align__(16) float {}[{}];", row(),
             shape_.by_rows ? "8 * " + stride() : tile(shape_.over));
    for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
      const int index = shape_.axes[axis];
      const char dimension = "xyz"[axis];
      if (index == shape_.out)
        out_.add("const int {}_first = blockIdx.{} * {};", out(), dimension, tile(index));
      else
        out_.add("const int {} = blockIdx.{};", names_.index(index), dimension);
    }
    out_.add("const int lane = threadIdx.x % {0}, row = threadIdx.x / {0};  // of the matrix, with others",
             own("kLanes"));
    declare_parts();
  }

  /// A row of the matrix: its dims but the last one, with a text for the one before that.
  std::string row_begin(int before_last, const std::string& place) const {
    std::string text;
    const auto& dims = graph_.inputs[slot(shape_.matrix)].dims;
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) {
      const std::string name = dims[i] == before_last ? place : names_.index(dims[i]);
      text =
          text.empty() ? names_.far(name) : fmt::format("({} * {} + {})", text, names_.size(dims[i]), name);
    }
    return text;
  }
  void load_matrix() {
    const std::string matrix = names_.tensor(shape_.matrix);
    out_.raw("  // The matrix's elements of this thread are on their way first.");
    out_.add("Eight eights[{}]{};", own("kTurns"), shape_.by_rows ? "[" + own("kPieces") + "]" : "");
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kTurns")));
    const int index = shape_.by_rows ? shape_.out : shape_.over;
    const std::string at = names_.index(index);
    out_.add("const int {} = min({}i * {} + row, {} - 1);", at, shape_.by_rows ? out() + "_first + " : "",
             own("kRows"), names_.size(index));
    const std::string from = row_begin(index, at);
    if (shape_.by_rows) {
      out_.raw("#pragma unroll");
      out_.add("for (int j = 0; j < {}; ++j)", own("kPieces"));
      out_.add("  eights[i][j] = eight_of_row({0} + {1} * {2}, (j * {3} + lane) * 8, {2});", matrix, from,
               names_.size(shape_.over), own("kLanes"));
    } else {
      out_.add("eights[i] = eight_of_row({0} + {1} * {2}, {3}_first + lane * 8, {2});", matrix, from,
               names_.size(shape_.out), out());
    }
    out_.close();
  }

  void load_vector() {
    const std::string size = names_.size(shape_.over), h = over();
    for (const int number : shape_.numbers)
      out_.add("const float {} = {};", names_.value(number), read(number, true));
    const int most = parts().maximum;
    if (most >= 0) {
      const auto place = [&] { return names_.offset(dims_of(program_, plan_, most)); };
      out_.raw("  // What each part of the vector is multiplied by: it is relative to a maximum of its own.");
      use("lane_parts");
      out_.add("__shared__ float keep[{}];", own("kMostParts"));
      out_.add("const float most = lanes_largest_part({} + {}, {}, {});", names_.tensor(most), place(),
               stride_of(most), parts_of(shape_.vector));
      out_.add("for (int part = threadIdx.x; part < {}; part += {})", parts_of(shape_.vector), threads());
      out_.add("  keep[part] = expf({}[part * ({}) + {}] - most);", names_.tensor(most), stride_of(most),
               place());
      out_.add("__syncthreads();");
    }
    out_.open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", tile(shape_.over), threads()));
    if (shape_.vector >= 0) out_.add("const int {} = min(i, {} - 1);", h, size);
    if (shape_.vector < 0) {
      out_.add("const float value = 1.0f;");
    } else if (parts().launch < 0) {
      out_.add("const float value = {};", read(shape_.vector));
    } else {
      out_.add("float value = 0.0f;");
      out_.raw("#pragma unroll 8");
      out_.add("for (int part = 0; part < {}; ++part)", parts_of(shape_.vector));
      out_.add("  value += {}[part * ({}) + {}]{};", names_.tensor(shape_.vector), stride_of(shape_.vector),
               names_.offset(dims_of(program_, plan_, shape_.vector)), most >= 0 ? " * keep[part]" : "");
    }
    out_.add("{}[{}] = i < {} ? value : 0.0f;{}", row(),
             shape_.by_rows ? "i % 8 * " + stride() + " + i / 8" : "i", size,
             shape_.by_rows ? "  // where lanes that read beside each other meet in no bank" : "");
    out_.close();
    out_.add("__syncthreads();  // the vector is there");
  }

  void rows() {
    const std::string sum = names_.value(shape_.product);
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kTurns")));
    comment(shape_.product);
    out_.add("float {} = 0.0f;", sum);
    out_.raw("#pragma unroll");
    out_.add("for (int j = 0; j < {}; ++j)", own("kPieces"));
    out_.add("  for (int e = 0; e < 8; ++e)");
    out_.add("    {} += {}[e * {} + j * {} + lane] * to_float(eights[i][j].at[e]);", sum, row(), stride(),
             own("kLanes"));
    out_.add(
        "for (int offset = {} / 2; offset > 0; offset /= 2) {} += __shfl_xor_sync(0xffffffffu, {}, offset);",
        own("kLanes"), sum, sum);
    out_.add("const int {0} = {0}_first + i * {1} + row;", out(), own("kRows"));
    out_.add("if (lane > 0 || {} >= {}) continue;", out(), names_.size(shape_.out));
    result_lines(shape_.reads, shape_.behind);
    out_.close();
  }

  void columns() {
    out_.add("__shared__ __align__(16) float of_warps[{} / 32][{}];", threads(), tile(shape_.out));
    out_.add("float sums[8] = {{}};");
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kTurns")));
    out_.add("const float value = {}[i * {} + row];", row(), own("kRows"));
    out_.add("for (int e = 0; e < 8; ++e) sums[e] += value * to_float(eights[i].at[e]);");
    out_.close();
    out_.raw("#pragma unroll");
    out_.open("for (int e = 0; e < 8; ++e)");
    out_.add(
        "for (int offset = {}; offset < 32; offset *= 2) sums[e] += __shfl_xor_sync(0xffffffffu, sums[e], offset);",
        own("kLanes"));
    out_.add("if (threadIdx.x % 32 < {0}) of_warps[threadIdx.x / 32][lane * 8 + e] = sums[e];",
             own("kLanes"));
    out_.close();
    out_.add("__syncthreads();  // the sums of all warps are there");
    out_.open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", tile(shape_.out), threads()));
    out_.add("const int {0} = {0}_first + i;", out());
    out_.add("if ({} >= {}) continue;", out(), names_.size(shape_.out));
    comment(shape_.product);
    out_.add("float {} = 0.0f;", names_.value(shape_.product));
    out_.add("for (int warp = 0; warp < {} / 32; ++warp) {} += of_warps[warp][i];", threads(),
             names_.value(shape_.product));
    result_lines(shape_.reads, shape_.behind);
    out_.close();
  }

  GemvShape shape_;
};

}  // namespace

std::unique_ptr<LaunchEmitter> gemv_emitter(const Program& program, const Plan& plan,
                                            const std::vector<Launch>& launches, int number) {
  return std::make_unique<GemvEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
