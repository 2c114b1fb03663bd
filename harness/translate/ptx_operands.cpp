#include "ptx_operands.h"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace workbook::sim {
namespace {

bool is_literal(const std::string& text) {
  return !text.empty() && (is_decimal(text[0]) || (text[0] == '-' && text.size() > 1 && is_decimal(text[1])));
}

/// The type of a register's variable: its bits, or a number or truth value that C++ has.
std::string variable_type(const std::string& type) {
  static const std::map<std::string, std::string> kTypes = {
      {"pred", "pred"}, {"f32", "f32"}, {"f64", "f64"}, {"b8", "u8"},     {"u8", "u8"},
      {"s8", "u8"},     {"b16", "u16"}, {"u16", "u16"}, {"s16", "u16"},   {"f16", "u16"},
      {"bf16", "u16"},  {"b32", "u32"}, {"u32", "u32"}, {"s32", "u32"},   {"f16x2", "u32"},
      {"b64", "u64"},   {"u64", "u64"}, {"s64", "u64"}, {"bf16x2", "u32"}};
  const auto found = kTypes.find(type);
  if (found == kTypes.end()) throw PtxProblem("registers of type ." + type + " are not simulated");
  return ptx_type(found->second);
}

std::string argument(std::size_t i) { return "ptx_" + std::to_string(i); }

}  // namespace

char AsmOperand::letter() const {
  const std::size_t at = constraint.find_first_not_of("=+&%");
  return at == constraint.npos ? '?' : constraint[at];
}

std::string mangled(const std::string& name) {
  std::string out = "ptx_";
  for (const char c : name) out += c == '%' ? "p" : c == '$' ? "d" : std::string(1, c);
  return out;
}

PtxOperands::PtxOperands(const PtxCode& code, const std::vector<AsmOperand>& operands,
                         std::set<std::size_t> as_they_stand)
    : operands_(operands), as_they_stand_(std::move(as_they_stand)) {
  for (const PtxRegister& own : code.registers) registers_[own.name] = variable_type(own.type);
}

std::string PtxOperands::declarations() const {
  std::string out;
  for (std::size_t i = 0; i < operands_.size(); ++i) out += operand_variable(i);
  for (const auto& [name, type] : registers_)
    out += "[[maybe_unused]] " + type + " " + mangled(name) + "{}; ";
  return out;
}

std::string PtxOperands::results() const {
  std::string out;
  for (std::size_t i = 0; i < operands_.size(); ++i)
    if (operands_[i].is_output() && as_they_stand_.count(i) == 0)
      out += std::string(kSpace) + "give(" + operands_[i].expression + ", " + argument(i) + "); ";
  return out;
}

std::string PtxOperands::operand_variable(std::size_t i) const {
  const AsmOperand& operand = operands_[i];
  static const std::map<char, std::string> kOfLetter = {
      {'h', "u16"}, {'r', "u32"}, {'l', "u64"}, {'f', "f32"}, {'d', "f64"}};
  if (operand.letter() == 'n') return "";
  if (as_they_stand_.count(i) != 0) return "auto& " + argument(i) + " = " + operand.expression + "; ";
  const auto found = kOfLetter.find(operand.letter());
  if (found == kOfLetter.end())
    throw PtxProblem("operands with the constraint \"" + operand.constraint + "\" are not simulated");
  const std::string type = ptx_type(found->second);
  const bool read = operand.constraint.find('=') == std::string::npos;
  return "[[maybe_unused]] " + type + " " + argument(i) +
         (read ? " = " + std::string(kSpace) + "take<" + type + ">(" + operand.expression + "); " : "{}; ");
}

std::string PtxOperands::variable(const std::string& name) const {
  named_.insert(output(name));  // whoever asks may write it
  if (name.size() > 1 && name[0] == '$' && is_decimal(name[1])) {
    const auto i = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
    if (i >= operands_.size()) throw PtxProblem("there is no operand %" + name.substr(1));
    return operands_[i].letter() == 'n' ? "" : argument(i);
  }
  return registers_.count(name) != 0 ? mangled(name) : "";
}

std::size_t PtxOperands::output(const std::string& name) const {
  if (name.size() < 2 || name[0] != '$' || !is_decimal(name[1])) return operands_.size();
  const auto i = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
  return i < operands_.size() && operands_[i].constraint.find('=') != std::string::npos ? i
                                                                                        : operands_.size();
}

std::string PtxOperands::constant(const std::string& name) const {
  if (name == "WARP_SZ") return "32";
  if (name[0] == '$') {
    const auto i = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
    return "(" + operands_[i].expression + ")";
  }
  if (name.size() == 10 && (name.starts_with("0f") || name.starts_with("0F")))
    return "__builtin_bit_cast(float, 0x" + name.substr(2) + "u)";
  if (name.size() == 18 && (name.starts_with("0d") || name.starts_with("0D")))
    return "__builtin_bit_cast(double, 0x" + name.substr(2) + "ull)";
  if (!is_literal(name)) return "";
  const bool real = name.find('.') != name.npos;
  std::string digits = name;
  if (!real && digits.back() == 'U') digits.pop_back();  // of PTX's own syntax
  return real ? digits : digits + (digits[0] == '-' ? "ll" : "ull");
}

std::string PtxOperands::source(const std::string& type, const std::string& name) const {
  if (type == "pred" && name.starts_with('!')) return "!" + source(type, name.substr(1));
  if (const std::size_t i = output(name); i < operands_.size() && written_.count(i) == 0)
    read_too_early_.insert(i);
  if (const std::string found = variable(name); !found.empty())
    return std::string(kSpace) + "get<" + ptx_type(type) + ">(" + found + ")";
  if (const std::string value = constant(name); !value.empty())
    return std::string(kSpace) + "constant<" + ptx_type(type) + ">(" + value + ")";
  throw PtxProblem("'" + name + "' in '" + opcode_ + "' is no register that is declared here");
}

std::string PtxOperands::result(const std::string& name) const {
  if (name == "_") return "static_cast<void>(";
  const std::string found = variable(name);
  if (found.empty())
    throw PtxProblem("'" + name + "' in '" + opcode_ + "' is no register that is declared here");
  return std::string(kSpace) + "put(" + found + ", ";
}

std::string PtxOperands::address(const std::string& name, bool shared) const {
  if (name.size() < 3 || name.front() != '[' || name.back() != ']')
    throw PtxProblem("'" + name + "' in '" + opcode_ + "' is no address in brackets");
  const std::string inner = name.substr(1, name.size() - 2);
  const std::size_t sign = inner.find_first_of("+-", 1);
  const std::string base = inner.substr(0, sign);
  std::string offset = sign == inner.npos ? "0" : inner.substr(inner[sign] == '+' ? sign + 1 : sign);
  if (offset.starts_with("$")) offset = constant(offset);
  const std::string found = variable(base);
  if (found.empty())
    throw PtxProblem("the address '" + base + "' in '" + opcode_ + "' is no register that is declared here");
  return std::string(kSpace) + (shared ? "at_shared(" : "at(") + found + ", " + offset + ")";
}

}  // namespace workbook::sim
