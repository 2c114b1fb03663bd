// The PTX instructions that the simulator runs, one a row. What a row names is in
// harness/sim/include/workbook_sim/ptx_functions.h and its neighbours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

/// How its operands go over into a call.
enum class PtxKind {
  plain,          ///< as `operands` says
  load,           ///< ld: one register or a vector of them from memory
  store,          ///< st
  atomic,         ///< atom: old value, address, one operand or two
  reduction,      ///< red: the same without the old value
  compare,        ///< setp: one predicate or two
  move,           ///< mov: registers, special registers, packing and unpacking
  shuffle,        ///< shfl: a value and, behind '|', a predicate
  branch,         ///< bra
  async_copy,     ///< cp.async
  fence,          ///< membar, fence
  registers,      ///< mma, ldmatrix: every register of all lists in order
  group_product,  ///< wgmma.mma_async
  tensor_copy,    ///< cp.async.bulk.tensor
  elect           ///< elect.sync: a lane and, behind '|', whether it is this one
};

struct PtxRow {
  std::string_view name;      ///< "mul.wide": the words, beside types, that make it this instruction
  std::string_view types;     ///< that its first type may be; empty: it has none
  std::string_view allowed;   ///< further words, see ptx_table.cpp
  std::string_view operands;  ///< a letter each, likewise
  std::string_view function;  ///< in namespace workbook::sim::ptx
  PtxKind kind = PtxKind::plain;
};

/// An instruction taken apart.
struct PtxForm {
  const PtxRow* row;
  std::vector<std::string> types;  ///< "s32"
  std::vector<std::string> words;  ///< what else is in its name, without the row's own
  bool has(std::string_view word) const;
};

/// Of several rows the one with so many operands, where there is one. Throws PtxProblem that names the
/// instruction where there is no row for it.
PtxForm find_form(const std::string& opcode, std::size_t operands);

/// What a special register, "laneid", is in C++; empty for one that is not simulated.
std::string_view special_register(std::string_view name);

}  // namespace workbook::sim
