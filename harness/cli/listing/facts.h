// What can be counted in a listing, and what its instructions mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/listing/listing.h"

namespace workbook::cli {

/// "@!P0" or "@%p1"; empty where it is executed by every thread that comes to it.
std::string predicate_of(const Instruction& instruction);
/// "LDG.E.128", "ld.global.v4.f32": without predicate and operands.
std::string mnemonic_of(const Instruction& instruction);

/// Bytes that a thread moves with a load or store ("LDG.E.128": 16; "ld.global.v4.f32": 16); 0 for others.
int moved_bytes(std::string_view mnemonic);

/// What an instruction does, in a few words: "loads 16 bytes from global memory". Empty where it is not known
/// here. The names are those of NVIDIA's CUDA Binary Utilities and PTX ISA documents.
std::string meaning_of(std::string_view mnemonic);

/// What a predicate makes of an instruction: "predicated branch"; empty without one.
std::string predication_of(const Instruction& instruction);

/// The few that a reader looks for, and so are marked where they stand.
struct Counts {
  int instructions = 0, widest_load = 0, widest_store = 0;  ///< bytes, global memory
  int fma = 0, special = 0, doubles = 0, spills = 0, branches = 0, exits = 0, barriers = 0;
  /// branches and exits: those under a predicate; spills: local loads and stores; doubles: instructions on
  /// double values, conversions among them.
};
Counts counts_of(const KernelListing& kernel);

/// The answer to a question about a listing, as an answers file would have it; several right forms are
/// separated by '|'. `question` is a fact and a kernel:
///   load-bytes K       bytes of the widest load from global memory
///   special K          functions of the special function unit, in the alphabet's order: "ex2 rcp"
///   spill-bytes K      bytes that a thread's spill stores move
///   doubles K          instructions on doubles, conversions among them
///   registers K        of a thread
///   count:FFMA K       instructions of that name
///   guard K            "exit" or "branch": the first thing that stands under a predicate and ends or jumps
/// Throws std::runtime_error with a sentence where the listing cannot answer it.
std::string answer_from(const Listing& listing, std::string_view question);

/// Where to look for it, a sentence without its full stop: for who has answered it otherwise.
std::string where_to_look(std::string_view question);

}  // namespace workbook::cli
