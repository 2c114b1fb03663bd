#include "cli/listing/facts.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

std::string without_predicate(const Instruction& instruction) {
  const std::string predicate = predicate_of(instruction);
  return std::string(trimmed(std::string_view(instruction.text).substr(predicate.size())));
}

std::string name_of(std::string_view mnemonic) { return std::string(mnemonic.substr(0, mnemonic.find('.'))); }

bool is_branch(std::string_view name) { return name == "BRA" || name == "bra"; }
bool is_exit(std::string_view name) { return name == "EXIT" || name == "ret"; }
bool is_load(std::string_view name) { return name == "LDG" || name == "ld"; }
bool is_special(std::string_view mnemonic) {
  return meaning_of(mnemonic).starts_with("special function unit");
}

bool is_double(std::string_view mnemonic) {
  const std::string name = name_of(mnemonic);
  if (name == "DFMA" || name == "DADD" || name == "DMUL" || name == "DSETP" || name == "DMNMX") return true;
  const std::string all = std::string(mnemonic) + '.';
  return all.find(".F64.") != all.npos || all.find(".f64.") != all.npos || all.find("64H.") != all.npos;
}

/// "ex2" of MUFU.EX2 and of ex2.approx.ftz.f32.
std::string function_of(std::string_view mnemonic) {
  std::string name = name_of(mnemonic) == "MUFU" ? name_of(mnemonic.substr(5)) : name_of(mnemonic);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string number_answer(int number, const std::string& unit) {
  const std::string text = std::to_string(number);
  return text + '|' + text + ' ' + unit;
}

std::string special_answer(const KernelListing& kernel) {
  std::set<std::string> used;
  for (const Instruction& each : kernel.instructions)
    if (const std::string mnemonic = mnemonic_of(each); is_special(mnemonic))
      used.insert(function_of(mnemonic));
  if (used.empty()) return "none";
  std::vector<std::string> names(used.begin(), used.end());
  std::string forms;  // in any order, and with or without commas
  do {
    for (const char* separator : {" ", ", ", ","})
      forms += (forms.empty() ? "" : "|") + joined(names, separator);
    std::vector<std::string> longer = names;
    for (std::string& name : longer) name = "mufu." + name;
    for (const char* separator : {" ", ", "}) forms += '|' + joined(longer, separator);
  } while (std::next_permutation(names.begin(), names.end()));
  return forms;
}

std::string guard_answer(const KernelListing& kernel) {
  for (const Instruction& each : kernel.instructions) {
    if (predicate_of(each).empty()) continue;
    const std::string name = name_of(mnemonic_of(each));
    if (is_exit(name)) return "exit|predicated exit";
    if (is_branch(name)) return "branch|predicated branch";
  }
  return "none";
}

std::pair<std::string, std::string> parts_of(std::string_view question) {
  const std::string text(trimmed(question));
  const std::size_t space = text.find(' ');
  if (space == text.npos)
    throw std::runtime_error("a question about a listing is a fact and a kernel, not '" + text + "'");
  return {text.substr(0, space), std::string(trimmed(std::string_view(text).substr(space)))};
}

}  // namespace

std::string predicate_of(const Instruction& instruction) {
  if (!instruction.text.starts_with('@')) return "";
  return instruction.text.substr(0, instruction.text.find_first_of(" \t"));
}

std::string mnemonic_of(const Instruction& instruction) {
  const std::string text = without_predicate(instruction);
  return text.substr(0, text.find_first_of(" \t"));
}

std::string predication_of(const Instruction& instruction) {
  if (predicate_of(instruction).empty()) return "";
  const std::string name = name_of(mnemonic_of(instruction));
  return is_branch(name) ? "predicated branch" : is_exit(name) ? "predicated exit" : "predicated";
}

Counts counts_of(const KernelListing& kernel) {
  Counts counts;
  for (const Instruction& each : kernel.instructions) {
    const std::string mnemonic = mnemonic_of(each), name = name_of(mnemonic);
    const std::string meaning = meaning_of(mnemonic);
    ++counts.instructions;
    if (meaning.ends_with("global memory") && moved_bytes(mnemonic) > 0) {
      int& widest = is_load(name) ? counts.widest_load : counts.widest_store;
      widest = std::max(widest, moved_bytes(mnemonic));
    }
    counts.fma += name == "FFMA" || (name == "fma" && mnemonic.ends_with(".f32"));
    counts.special += is_special(mnemonic);
    counts.doubles += is_double(mnemonic);
    counts.spills += meaning.find("local memory") != meaning.npos;
    counts.branches += is_branch(name) && !predicate_of(each).empty();
    counts.exits += is_exit(name) && !predicate_of(each).empty();
    counts.barriers += name == "BAR" || name == "bar" || name == "barrier";
  }
  return counts;
}

std::string answer_from(const Listing& listing, std::string_view question) {
  const auto [fact, name] = parts_of(question);
  const KernelListing* kernel = listing.find(name);
  if (kernel == nullptr) throw std::runtime_error("the listing holds no kernel '" + name + "'");
  const Counts counts = counts_of(*kernel);
  if (fact == "load-bytes") return number_answer(counts.widest_load, "bytes");
  if (fact == "special") return special_answer(*kernel);
  if (fact == "spill-bytes") return number_answer(kernel->resources.spill_store_bytes, "bytes");
  if (fact == "registers") return number_answer(kernel->resources.registers, "registers");
  if (fact == "doubles") return std::to_string(counts.doubles);
  if (fact == "guard") return guard_answer(*kernel);
  if (fact.starts_with("count:")) {
    const std::string wanted = fact.substr(6);
    return std::to_string(
        std::count_if(kernel->instructions.begin(), kernel->instructions.end(), [&](const Instruction& each) {
          const std::string mnemonic = mnemonic_of(each);
          return mnemonic == wanted || mnemonic.starts_with(wanted + '.');
        }));
  }
  throw std::runtime_error("there is no fact '" + fact + "' of a listing");
}

std::string where_to_look(std::string_view question) {
  const auto [fact, name] = parts_of(question);
  const std::string in = " in the listing of " + name;
  if (fact == "load-bytes")
    return "look for LDG" + in + ": .64 and .128 behind it are bits, none means 32, and 8 bits are a byte";
  if (fact == "special") return "look for MUFU" + in + ": what follows the dot is the function";
  if (fact == "spill-bytes")
    return "the line above" + in + " says what is spilled; each STL in it is a spill store";
  if (fact == "doubles") return "look for DADD, DMUL, DFMA and F2F.F64" + in;
  if (fact == "registers") return "the line above" + in + " says the registers of a thread";
  if (fact == "guard")
    return "look for the first @P before EXIT or BRA" + in + ": EXIT ends the thread, BRA jumps";
  return "count " + fact.substr(std::min<std::size_t>(6, fact.size())) + in +
         "; the table below it has counted them, too";
}

}  // namespace workbook::cli
