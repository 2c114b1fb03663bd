// Instructions by name. What is not here is shown without a word.
#include <array>
#include <cstdlib>
#include <utility>

#include "cli/listing/facts.h"

namespace workbook::cli {
namespace {

using Meant = std::pair<std::string_view, std::string_view>;

// Looked up by the name without suffixes, then without a leading U ("uniform": once a warp).
constexpr Meant kSass[] = {
    {"FFMA", "float multiply-add, one rounding"},
    {"FADD", "float add"},
    {"FMUL", "float multiply"},
    {"FSETP", "compares floats into a predicate"},
    {"FSEL", "one of two floats, by a predicate"},
    {"FMNMX", "least or largest of two floats"},
    {"FCHK", "asks whether a division needs its slow path"},
    {"DFMA", "double multiply-add"},
    {"DADD", "double add"},
    {"DMUL", "double multiply"},
    {"DSETP", "compares doubles into a predicate"},
    {"HFMA2", "two half multiply-adds; often just a constant"},
    {"HADD2", "two half adds; also a conversion"},
    {"HMMA", "tensor cores: a small matrix product"},
    {"IMMA", "tensor cores, integers"},
    {"HGMMA", "tensor cores, four warps together"},
    {"IMAD", "integer multiply-add; IMAD.MOV: a move"},
    {"IADD3", "adds three integers"},
    {"VIADD", "adds two integers"},
    {"IABS", "absolute value of an integer"},
    {"ISETP", "compares integers into a predicate"},
    {"IMNMX", "least or largest of two integers"},
    {"LEA", "shifts and adds: an address"},
    {"SHF", "shifts"},
    {"LOP3", "bits of three registers"},
    {"PLOP3", "logic of predicates"},
    {"SEL", "one of two registers, by a predicate"},
    {"PRMT", "rearranges bytes"},
    {"MOV", "moves a register or constant"},
    {"MOV32I", "moves a constant"},
    {"S2R", "reads threadIdx, blockIdx or the like"},
    {"CS2R", "reads a special register, or zeros two"},
    {"LDC", "reads a constant: the kernel's arguments"},
    {"R2UR", "hands a register over to the whole warp"},
    {"F2F", "converts between float formats"},
    {"F2I", "float to integer"},
    {"I2F", "integer to float"},
    {"I2FP", "integer to float"},
    {"F2FP", "floats to halves"},
    {"BRA", "branch"},
    {"EXIT", "the thread ends"},
    {"CALL", "calls a subroutine"},
    {"RET", "back from a subroutine"},
    {"BSSY", "names where parted threads meet again"},
    {"BSYNC", "parted threads meet again"},
    {"WARPSYNC", "the warp waits for its threads"},
    {"BAR", "__syncthreads(): waits for the block"},
    {"MEMBAR", "memory fence"},
    {"SHFL", "shuffle: a register of another lane"},
    {"VOTE", "asks all lanes"},
    {"ATOMG", "atomic on global memory"},
    {"ATOM", "atomic"},
    {"ATOMS", "atomic on shared memory"},
    {"RED", "atomic that returns nothing"},
    {"LDGSTS", "copies global to shared, past registers"},
    {"NOP", "nothing"},
};

constexpr Meant kPtx[] = {
    {"fma", "multiply-add, one rounding"},
    {"mad", "multiply-add of integers"},
    {"add", "add"},
    {"sub", "subtract"},
    {"mul", "multiply"},
    {"div", "divide"},
    {"neg", "changes the sign"},
    {"abs", "absolute value"},
    {"max", "the larger"},
    {"min", "the smaller"},
    {"copysign", "takes over a sign"},
    {"setp", "compares into a predicate"},
    {"selp", "one of two, by a predicate"},
    {"mov", "moves, or reads threadIdx and the like"},
    {"cvt", "converts"},
    {"cvta", "an address of one memory as a general one"},
    {"shl", "shifts left"},
    {"shr", "shifts right"},
    {"and", "bits"},
    {"or", "bits"},
    {"not", "bits"},
    {"xor", "bits"},
    {"bra", "branch"},
    {"ret", "the thread ends"},
    {"bar", "__syncthreads(): waits for the block"},
    {"barrier", "waits for the block"},
    {"shfl", "shuffle: a register of another lane"},
    {"atom", "atomic"},
    {"red", "atomic that returns nothing"},
    {"mma", "tensor cores: a small matrix product"},
    {"wmma", "tensor cores: a small matrix product"},
};

// SASS's suffix, PTX's name.
constexpr std::array<std::array<std::string_view, 3>, 8> kSpecial = {{{"EX2", "ex2", "2^x"},
                                                                      {"LG2", "lg2", "log2(x)"},
                                                                      {"RCP", "rcp", "1/x"},
                                                                      {"RSQ", "rsqrt", "1/sqrt(x)"},
                                                                      {"SQRT", "sqrt", "sqrt(x)"},
                                                                      {"SIN", "sin", "sin(x)"},
                                                                      {"COS", "cos", "cos(x)"},
                                                                      {"TANH", "tanh", "tanh(x)"}}};

template <std::size_t Size>
std::string_view looked_up(const Meant (&table)[Size], std::string_view name) {
  for (const auto& [key, words] : table)
    if (key == name) return words;
  return {};
}

std::string_view part(std::string_view mnemonic, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t dot = mnemonic.find('.');
    if (dot == mnemonic.npos) return {};
    mnemonic.remove_prefix(dot + 1);
  }
  return mnemonic.substr(0, mnemonic.find('.'));
}

bool has_part(std::string_view mnemonic, std::string_view wanted) {
  for (std::size_t i = 1;; ++i) {
    const std::string_view each = part(mnemonic, i);
    if (each.empty()) return false;
    if (each == wanted) return true;
  }
}

struct Memory {
  std::string_view sass_load, sass_store, ptx;
  std::string_view name;
};
constexpr Memory kMemories[] = {{"LDG", "STG", "global", "global memory"},
                                {"LDS", "STS", "shared", "shared memory"},
                                {"LDL", "STL", "local", "local memory: a spill, or an array"}};

/// The memory of a load or store; null for others.
const Memory* memory_of(std::string_view mnemonic, bool* stores) {
  const std::string_view name = part(mnemonic, 0);
  for (const Memory& each : kMemories) {
    const bool ptx = has_part(mnemonic, each.ptx);
    *stores = name == each.sass_store || (name == "st" && ptx);
    if (*stores || name == each.sass_load || (name == "ld" && ptx)) return &each;
  }
  return nullptr;
}

}  // namespace

int moved_bytes(std::string_view mnemonic) {
  bool stores = false;
  if (memory_of(mnemonic, &stores) == nullptr) return 0;
  int bytes = 4, many = 1;
  for (std::size_t i = 1; !part(mnemonic, i).empty(); ++i) {
    const std::string_view each = part(mnemonic, i);
    if (each == "64") bytes = 8;
    if (each == "128") bytes = 16;
    if (each == "U8" || each == "S8") bytes = 1;
    if (each == "U16" || each == "S16") bytes = 2;
    if (each == "v2") many = 2;
    if (each == "v4") many = 4;
    if (each.size() > 1 && each.find_first_of("fbus") == 0 &&
        each.find_first_not_of("0123456789", 1) == each.npos)  // PTX: f32, b64, u8, s16
      bytes = std::atoi(std::string(each.substr(1)).c_str()) / 8;
  }
  return bytes * many;
}

std::string meaning_of(std::string_view mnemonic) {
  std::string_view name = part(mnemonic, 0);
  bool stores = false;
  if (const Memory* memory = memory_of(mnemonic, &stores)) {
    const int bytes = moved_bytes(mnemonic);
    return (stores ? "stores " : "loads ") + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
           (stores ? " to " : " from ") + std::string(memory->name);
  }
  for (const auto& [suffix, ptx, function] : kSpecial)
    if ((name == "MUFU" && has_part(mnemonic, suffix)) || name == ptx)
      return "special function unit: " + std::string(function);
  if (name == "MUFU") return "special function unit";
  if (name == "ld" && has_part(mnemonic, "param")) return "reads an argument of the kernel";
  if (const std::string_view words = looked_up(kSass, name); !words.empty()) return std::string(words);
  if (name.starts_with('U'))
    if (const std::string_view words = looked_up(kSass, name.substr(1)); !words.empty())
      return std::string(words) + ", once a warp";
  if (name == "S2UR") return "reads blockIdx or the like, once a warp";
  return std::string(looked_up(kPtx, name));
}

}  // namespace workbook::cli
