#include "ptx_emit.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "ptx_group.h"
#include "ptx_operands.h"
#include "ptx_table.h"

namespace workbook::sim {
namespace {

std::string wider(const std::string& type) {
  if (type == "u16") return "u32";
  if (type == "s16") return "s32";
  return type == "u32" ? "u64" : "s64";
}

/// Elements of "{a,b}", or the operand alone.
std::vector<std::string> elements(const std::string& operand) {
  if (operand.size() < 2 || operand.front() != '{') return {operand};
  return split_operands(std::string_view(operand).substr(1, operand.size() - 2));
}

/// "p|q" as p and q; q may be missing.
std::array<std::string, 2> pair_of(const std::string& operand) {
  const std::size_t bar = operand.find('|');
  if (bar == operand.npos) return {operand, ""};
  return {operand.substr(0, bar), operand.substr(bar + 1)};
}

class Emitter : PtxOperands {
 public:
  Emitter(const PtxCode& code, const std::vector<AsmOperand>& operands)
      : PtxOperands(code, operands, sums_of_products(code)), code_(code) {
    for (const PtxInstruction& one : code.instructions)
      if (!one.label.empty()) labels_.insert(one.label);
  }

  std::string run() {
    std::string body;
    for (const PtxInstruction& one : code_.instructions) {
      body += statement(one);
      end_instruction();
    }
    std::string out = "__extension__({ ";
    for (const std::string& label : labels_) out += "__label__ " + mangled(label) + "; ";
    out += declarations();
    if (labels_.empty())  // else what is read above may have been written below
      for (const std::size_t i : read_too_early())
        out += "::workbook_sim_output_read(" + std::to_string(i) + "); ";
    if (carry_) out += kSpace + std::string("u32 ptx_carry = 0; ");
    out += body;
    out += results();
    return out + "})";
  }

 private:
  std::string statement(const PtxInstruction& one) {
    if (!one.label.empty()) return mangled(one.label) + ": __attribute__((unused)); ";
    opcode_ = one.opcode;
    form_ = find_form(one.opcode, one.operands.size());
    operands_of_ = &one.operands;
    const std::string guard =
        one.guard.empty() ? ""
                          : "if (" + std::string(one.if_false ? "!" : "") + source("pred", one.guard) + ") ";
    return guard + "{ " + instruction() + "} ";
  }

  std::string instruction() {
    switch (form_.row->kind) {
      case PtxKind::plain:
        return plain();
      case PtxKind::load:
        return load();
      case PtxKind::store:
        return store();
      case PtxKind::atomic:
        return atomic(true);
      case PtxKind::reduction:
        return atomic(false);
      case PtxKind::compare:
        return compare();
      case PtxKind::move:
        return move();
      case PtxKind::shuffle:
        return shuffle();
      case PtxKind::branch:
        return branch();
      case PtxKind::async_copy:
        return async_copy();
      case PtxKind::fence:
        return fence();
      case PtxKind::registers:
        return all_registers();
      case PtxKind::group_product:
        return group_product();
      case PtxKind::tensor_copy:
        return tensor_copy();
      case PtxKind::elect:
        return elect();
    }
    return "";
  }

  // ---- operands

  const std::string& operand(std::size_t i) const {
    if (i >= operands_of_->size()) throw PtxProblem("'" + opcode_ + "' has too few operands");
    return (*operands_of_)[i];
  }
  void expect_operands(std::size_t least, std::size_t most) const {
    const std::size_t count = operands_of_->size();
    if (count < least || count > most)
      throw PtxProblem("'" + opcode_ + "' with " + std::to_string(count) + " operands is not simulated");
  }

  bool is_shared() const {
    return form_.has("shared") || form_.has("shared::cta") || form_.has("shared::cluster");
  }

  // ---- plain ones

  const std::string& type(std::size_t i) const {
    if (form_.types.empty()) throw PtxProblem("'" + opcode_ + "' names no type");
    return form_.types[std::min(i, form_.types.size() - 1)];
  }

  /// <f32, s32, Round::rz>
  std::string template_arguments() const {
    std::string out;
    for (const std::string& one : form_.types) out += (out.empty() ? "" : ", ") + ptx_type(one);
    for (const std::string& word : form_.words)
      if (word.size() > 1 && word[0] == 'r' &&
          std::string_view("nzmp").find(word[1]) != std::string_view::npos)
        out += (out.empty() ? "" : ", ") + std::string(kSpace) + "Round::" + word;
    return out.empty() ? "" : "<" + out + ">";
  }

  std::string plain() {
    const std::string_view letters = form_.row->operands;
    const bool carries = letters.starts_with('c');
    expect_operands(letters.size() - (carries ? 1 : 0), letters.size() - (carries ? 1 : 0));
    if (carries) use_carry();
    std::string out, end, arguments = carries ? "ptx_carry" : "";
    const bool flush = form_.has("ftz"), saturate = form_.has("sat") && !form_.types.empty() &&
                                                    (type(0)[0] == 'f' || type(0)[0] == 'b');
    std::size_t i = 0;
    for (const char letter : letters) {
      if (letter == 'c') continue;
      const std::string& name = operand(i++);
      if (std::string_view("dDuPt").find(letter) != std::string_view::npos) {
        out = result(name);
        end = ")";
        continue;
      }
      std::string value = letter == 'm'   ? address(name, is_shared())
                          : letter == 's' ? address(name, true)
                          : letter == 'g' ? address(name, false)
                                          : value_of(letter, name);
      if (flush) value = std::string(kSpace) + "flush(" + value + ")";
      arguments += (arguments.empty() ? "" : ", ") + value;
    }
    std::string call =
        kSpace + std::string(form_.row->function) + template_arguments() + "(" + arguments + ")";
    if (flush) call = std::string(kSpace) + "flush(" + call + ")";
    if (saturate) call = std::string(kSpace) + "saturate(" + call + ")";
    return out + call + end + "; ";
  }

  std::string value_of(char letter, const std::string& name) const {
    switch (letter) {
      case 'a':
        return source(type(0), name);
      case 'w':
        return source(wider(type(0)), name);
      case 'b':
        return source(type(1), name);
      case 'p':
        return source("pred", name);
      case 'l':
        return source("u64", name);
      case 'i': {
        const std::string value = variable(name).empty() ? constant(name) : "";
        if (value.empty()) throw PtxProblem("'" + name + "' in '" + opcode_ + "' is no constant");
        return value;
      }
      default:
        return source("u32", name);
    }
  }

  void use_carry() {
    const std::string_view name = form_.row->name;
    const bool reads = name.starts_with("addc") || name.starts_with("subc") || name.starts_with("madc");
    if (reads && !carry_)
      throw PtxProblem("'" + opcode_ + "' reads a carry that no instruction of the same asm statement sets");
    carry_ = true;
  }

  // ---- memory

  /// How others are told of the access: scope and order, as atomics.h has them.
  std::string how() const {
    const bool block = form_.has("cta"), both = form_.has("acq_rel");
    std::string out = block ? "::workbook::sim::kBlockScope" : "0u";
    if (both || form_.has("acquire")) out += " | ::workbook::sim::kAcquires";
    if (both || form_.has("release")) out += " | ::workbook::sim::kReleases";
    return out;
  }
  bool is_ordered() const {
    return form_.has("relaxed") || form_.has("acquire") || form_.has("release") || form_.has("mmio");
  }

  std::string load() {
    expect_operands(2, 2);
    const std::string from = address(operand(1), is_shared()), of = ptx_type(type(0));
    const std::vector<std::string> to = elements(operand(0));
    const std::string before = form_.has("nc") ? kSpace + ("read_only(" + from + "); ") : "";
    if (to.size() > 1) {
      std::string out = before + "const auto ptx_v = " + std::string(kSpace) + "load_vector<" + of + ", " +
                        std::to_string(to.size()) + ">(" + from + "); ";
      for (std::size_t i = 0; i < to.size(); ++i)
        out += result(to[i]) + "ptx_v.v[" + std::to_string(i) + "]); ";
      return out;
    }
    const std::string call = is_ordered()            ? "load_ordered<" + of + ">(" + from + ", " + how() + ")"
                             : form_.has("volatile") ? "load_volatile<" + of + ">(" + from + ")"
                                                     : "load<" + of + ">(" + from + ")";
    return before + result(to[0]) + kSpace + call + "); ";
  }

  std::string store() {
    expect_operands(2, 2);
    const std::string to = address(operand(0), is_shared()), of = ptx_type(type(0));
    const std::vector<std::string> from = elements(operand(1));
    std::string values;
    for (const std::string& one : from) values += ", " + source(type(0), one);
    if (from.size() > 1) return std::string(kSpace) + "store_vector<" + of + ">(" + to + values + "); ";
    if (is_ordered())
      return std::string(kSpace) + "store_ordered<" + of + ">(" + to + values + ", " + how() + "); ";
    return std::string(kSpace) + (form_.has("volatile") ? "store_volatile<" : "store<") + of + ">(" + to +
           values + "); ";
  }

  std::string atomic(bool returns) {
    const std::size_t first = returns ? 1 : 0;
    const bool compares = form_.row->function == "AtomCas";
    expect_operands(first + (compares ? 3 : 2), first + (compares ? 3 : 2));
    std::string call = std::string(kSpace) + "atomic<" + kSpace + std::string(form_.row->function) + ", " +
                       ptx_type(type(0)) + ">(" + address(operand(first), is_shared()) + ", " + how();
    for (std::size_t i = first + 1; i < operands_of_->size(); ++i) call += ", " + source(type(0), operand(i));
    return (returns ? result(operand(0)) : "static_cast<void>(") + call + ")); ";
  }

  std::string async_copy() {
    expect_operands(3, 5);
    // A fourth operand is the bytes to read, or, with a hint of L2, a policy that changes nothing.
    const bool policy = form_.has("L2::cache_hint");
    const std::size_t sizes = operands_of_->size() - (policy ? 1 : 0);
    const std::string bytes = value_of('i', operand(2));
    return std::string(kSpace) + "async_copy(" + address(operand(0), true) + ", " +
           address(operand(1), false) + ", " + bytes + ", " +
           (sizes > 3 ? source("u32", operand(3)) : bytes) + "); ";
  }

  std::string fence() {
    expect_operands(0, 0);
    const int reach = form_.has("cta") || form_.has("cluster") ? 0 : form_.has("sys") ? 2 : 1;
    if (form_.has("acquire") || form_.has("release"))
      return "::workbook_sim_fence_of(" + std::to_string(reach) + ", " +
             (form_.has("acquire") ? "true" : "false") + ", " + (form_.has("release") ? "true" : "false") +
             "); ";
    return "::workbook_sim_fence(" + std::to_string(reach) + "); ";
  }

  // ---- the others

  /// setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = not (a < b) and c.
  std::string compare() {
    std::string comparison, combines;
    for (const std::string& word : form_.words) {
      if (word == "and" || word == "or" || word == "xor")
        combines = word;
      else if (word != "ftz")
        comparison = word;
    }
    static constexpr std::string_view kKnown =
        " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan ";
    if (comparison.empty() || kKnown.find(" " + comparison + " ") == kKnown.npos)
      throw PtxProblem("the instruction '" + opcode_ + "' is not simulated");
    expect_operands(combines.empty() ? 3 : 4, combines.empty() ? 3 : 4);
    const auto [p, q] = pair_of(operand(0));
    const auto value = [&](std::size_t i) {
      const std::string plain = source(type(0), operand(i));
      return form_.has("ftz") ? std::string(kSpace) + "flush(" + plain + ")" : plain;
    };
    std::string out = "const bool ptx_r = " + std::string(kSpace) + "compare_" + comparison + "(" + value(1) +
                      ", " + value(2) + "); ";
    const std::string with = combines.empty()    ? ""
                             : combines == "and" ? " && "
                             : combines == "or"  ? " || "
                                                 : " != ";
    const std::string third = combines.empty() ? "" : "static_cast<bool>(" + source("pred", operand(3)) + ")";
    if (!p.empty()) out += result(p) + "static_cast<bool>(ptx_r" + with + third + ")); ";
    if (!q.empty()) out += result(q) + "static_cast<bool>(!ptx_r" + with + third + ")); ";
    return out;
  }

  std::string move() {
    expect_operands(2, 2);
    const std::vector<std::string> to = elements(operand(0)), from = elements(operand(1));
    if (to.size() > 1) {
      std::string out = "const auto ptx_v = " + std::string(kSpace) + "unpack<" + std::to_string(to.size()) +
                        ">(" + source(type(0), operand(1)) + "); ";
      for (std::size_t i = 0; i < to.size(); ++i)
        out += result(to[i]) + "ptx_v.v[" + std::to_string(i) + "]); ";
      return out;
    }
    if (from.size() > 1) {
      std::string parts;
      for (const std::string& one : from) {
        const std::string found = variable(one);
        if (found.empty())
          throw PtxProblem("'" + one + "' in '" + opcode_ + "' is no register that is declared here");
        parts += ", " + found;
      }
      return result(to[0]) + kSpace + "pack<" + ptx_type(type(0)) + ">(" + parts.substr(2) + ")); ";
    }
    const std::string& name = from[0];
    if (name.starts_with('%') && !is_declared(name)) {
      const std::string_view value = special_register(std::string_view(name).substr(1));
      if (value.empty()) throw PtxProblem("the special register '" + name + "' is not simulated");
      return result(to[0]) + kSpace + "constant<" + ptx_type(type(0)) + ">(" + std::string(value) + ")); ";
    }
    return result(to[0]) + source(type(0), name) + "); ";
  }

  /// shfl.sync.up.b32 d|p, a, b, c, mask
  std::string shuffle() {
    expect_operands(5, 5);
    const auto [d, p] = pair_of(operand(0));
    std::string out = "const auto ptx_r = " + std::string(kSpace) + std::string(form_.row->function) + "(";
    for (std::size_t i = 1; i < 5; ++i) out += (i > 1 ? ", " : "") + source("u32", operand(i));
    out += "); " + result(d) + "ptx_r.value); ";
    return p.empty() ? out : out + result(p) + "ptx_r.within); ";
  }

  /// "[map,{x,y}]" as the map's address and what stands behind it as arguments.
  std::array<std::string, 2> tensor_place(const std::string& name) const {
    if (name.size() < 2 || name.front() != '[' || name.back() != ']')
      throw PtxProblem("'" + name + "' in '" + opcode_ + "' is no address in brackets");
    const std::vector<std::string> inner = split_operands(std::string_view(name).substr(1, name.size() - 2));
    if (inner.size() != 2) throw PtxProblem("'" + opcode_ + "' needs a tensor map and its coordinates");
    std::string at;
    for (const std::string& one : elements(inner[1])) at += ", " + source("s32", one);
    return {address("[" + inner[0] + "]", false), at};
  }

  /// To shared memory [to], [map, {x, y}], [barrier] {, mask} {, policy}; to global memory [map, {x, y}],
  /// [from] {, policy}; prefetched, without an effect.
  std::string tensor_copy() {
    if (form_.row->function == "none") return "";
    const std::size_t count = operands_of_->size() - (form_.has("L2::cache_hint") ? 1 : 0);
    if (form_.has("bulk_group")) {
      const auto [map, at] = tensor_place(operand(0));
      return std::string(kSpace) + "tensor_store(" + map + ", " + address(operand(1), true) + at + "); ";
    }
    const bool multicast = form_.has("multicast::cluster");
    if (count != (multicast ? 4u : 3u) || !form_.has("mbarrier::complete_tx::bytes"))
      throw PtxProblem("'" + opcode_ + "' with " + std::to_string(operands_of_->size()) +
                       " operands is not simulated");
    const auto [map, at] = tensor_place(operand(1));
    return std::string(kSpace) + "tensor_load(" + address(operand(0), true) + ", " + map + ", " +
           address(operand(2), true) + ", " + (multicast ? source("u16", operand(3)) : "0u") + at + "); ";
  }

  /// elect.sync d|p, mask
  std::string elect() {
    expect_operands(2, 2);
    const auto [d, p] = pair_of(operand(0));
    std::string out = "const auto ptx_r = " + std::string(kSpace) + "elect(" + source("u32", operand(1)) +
                      "); " + result(d) + "ptx_r.value); ";
    return p.empty() ? out : out + result(p) + "ptx_r.within); ";
  }

  std::string branch() const {
    expect_operands(1, 1);
    if (labels_.count(operand(0)) == 0) throw PtxProblem("there is no label '" + operand(0) + "'");
    return "goto " + mangled(operand(0)) + "; ";
  }

  /// wgmma.mma_async... d, a, b, scale_d, scale_a, scale_b {, turn_a} {, turn_b}: a is a descriptor or four
  /// registers, of which none is turned.
  std::string group_product() {
    const GroupProductName name = *group_product_name(opcode_);
    expect_operands(4, 8);
    const std::vector<std::string> left = elements(operand(1)), sums = elements(operand(0));
    const bool registers = left.size() == 4;
    if (sums.size() != name.registers() || (!registers && left.size() != 1))
      throw PtxProblem("'" + opcode_ + "' with " + std::to_string(sums.size()) + " registers for sums and " +
                       std::to_string(left.size()) + " for the left factor is not simulated");
    const auto factor = [](const std::string& type) {
      return "::workbook::sim::GroupFactor::" + type + ", ";
    };
    std::string out = std::string(kSpace) + (registers ? "group_product_of_registers(" : "group_product(") +
                      "::workbook::sim::group_form(" + std::to_string(name.columns) + ", " +
                      factor(name.left) + factor(name.right) + "::workbook::sim::GroupSum::" + name.sum +
                      (registers ? ", true" : ", false");
    for (std::size_t i = 4; i < operands_of_->size(); ++i) {
      if (registers && i == 6) out += ", 0";
      out += ", " + value_of('i', operand(i));
    }
    out += ")";
    for (const std::string& one : left) out += ", " + source(registers ? "u32" : "u64", one);
    out += ", " + source("u64", operand(2)) + ", " + source("pred", operand(3));
    for (const std::string& one : sums) {
      const std::string found = variable(one);
      if (found.empty())
        throw PtxProblem("'" + one + "' in '" + opcode_ + "' is no register that is declared here");
      out += ", " + found;
    }
    return out + "); ";
  }

  std::string all_registers() const {
    std::string name = opcode_, arguments;
    std::replace(name.begin(), name.end(), '.', '_');
    for (const std::string& whole : *operands_of_) {
      const bool memory = whole.starts_with('[');
      for (const std::string& one : elements(memory ? whole.substr(1, whole.size() - 2) : whole)) {
        const std::string found = variable(one), value = found.empty() ? constant(one) : found;
        if (value.empty())
          throw PtxProblem("'" + one + "' in '" + opcode_ + "' is no register that is declared here");
        arguments += (arguments.empty() ? "" : ", ") + value;
      }
    }
    return kSpace + name + "(" + arguments + "); ";
  }

  const PtxCode& code_;
  std::set<std::string> labels_;
  // Of the instruction at hand.
  PtxForm form_{};
  const std::vector<std::string>* operands_of_ = nullptr;
  bool carry_ = false;
};

}  // namespace

std::string emit_ptx(const PtxCode& code, const std::vector<AsmOperand>& operands) {
  return Emitter(code, operands).run();
}

}  // namespace workbook::sim
