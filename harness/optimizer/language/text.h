// Program text, files *.wbp: a line a statement, `#` begins a comment, the first comment is the title.
//   index b = 4 16, h = 8 4096        extents of the teaching and of the real shape; one number: both
//   type f16                          of every tensor that names none (f16, bf16, f32)
//   input x[b,h], w[h,o] f32          in the order of memory
//   constant eps = 1e-5
//   given mu = sum(h, x) / h          the search takes it as one tensor
//   range m = -inf 0                  of its elements, for judging and rounding; else within -255 and 255
//   t = x * g / rms(h, x)             + - * / **, comparisons, functions of one number (unary.h), exp, pow(a,
//   3), y = sum(h, t * w)                 max(a, b), min(a, b), where(c, a, b); over an index sum(h, a),
//   mean(h, a),
//                                     max(h, a), min(h, a), rms(h, a) = sqrt(mean(h, a * a) + eps), rms(h, a,
//                                     1e-6)
//   lemma y = sum(h, t * w)           another spelling of the output, which is verified before it is used
//   output y[b,o] f16               several are so many programs: one_output_each
// where(c, a, b) is a where c is not 0; with b = -inf it stands in exp. An index that divides is its extent;
// elsewhere it is its place: s >= t, slope * (t - s), place(t) * x. x[b,2*i+1], x[b,h+size(h)], k[s/4,t],
// table[id,h] are inputs at other places, 0 outside; concat(i, a, b) of inputs. A sum of a product of two
// tensors with different indices is one node, a matrix product. A unary function takes in the constants
// around it: sqrt(u / h + eps) is one node. A graph to be checked has assignments and an output only, and may
// read an input at other places:
//   view first[s,t] = k[s/4,t]        first[s,t] is k at [s/4 rounded down, t]
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

/// what() is the place, the sentence, the line and a caret under the column:
///   rms.wbp:4:9: there is no tensor 'z'
///      4 | y = x * z
///        |         ^
struct TextError : std::runtime_error {
  TextError(std::string_view file, int line, int column, std::string_view source, std::string_view sentence);
  int line, column;  ///< from 1
  std::string sentence;
};

/// `file` is the name shown in errors; the program's name is its stem. Throws TextError.
Program parse_program(std::string_view text, std::string_view file);

/// A text for each output, where there are several: with that one alone, lines where they were.
std::vector<std::string> one_output_each(std::string_view text);

/// A learner's graph on the program's inputs. What it declares again (index, input, constant, given) must be
/// the same as the program's. `lines` gets, for each node, the line that made it. Throws TextError.
Graph parse_graph(const Program& program, std::string_view text, std::string_view file,
                  std::vector<int>* lines = nullptr);

/// A program with other real extents ("h=1024"). Throws std::invalid_argument with a sentence.
void set_extent(Program& program, std::string_view assignment);

/// Statements that parse_graph reads back as the same canonical graph; an output of `program`.
std::string graph_text(const Program& program, const Graph& graph);

/// One line: "sum(h, g * x * w) / r, r = sqrt(mean(h, x * x) + eps)". What is used twice has a name.
std::string formula(const Graph& graph);

/// "y = ..." of a graph of the program, of each output.
std::string formulas(const Program& program, const Graph& graph);

/// Node by node, for one node with its operands by name: "sum(h, x * w)".
std::string node_text(const Graph& graph, int node);

/// The programs that come with the workbook: their names, sorted.
std::vector<std::string> program_names(const std::filesystem::path& folder);

}  // namespace workbook::opt
