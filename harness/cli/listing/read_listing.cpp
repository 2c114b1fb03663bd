// What nvdisasm, ptxas and nvcc print, taken apart line by line.
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "cli/base/text.h"
#include "cli/listing/listing.h"

namespace workbook::cli {
namespace {

/// "vector_kernel" of "_Z13vector_kernelPfPKfi"; what is no mangled name stays as it is.
std::string plain_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !text) return symbol;
  std::string name = replaced(text.get(), "(anonymous namespace)::", "");
  name = name.substr(0, name.find('('));
  if (name.starts_with("void ")) name.erase(0, 5);  // of a template
  return name;
}

/// "STL [R1+0x38], R14" of "STL [R1+0x38], R14   (*"Spill"*)": nvdisasm 13.5 adds remarks to some.
std::string without_remark(std::string_view instruction) {
  return std::string(trimmed(instruction.substr(0, instruction.find("(*"))));
}

std::string base_name(std::string_view path) { return std::string(path.substr(path.find_last_of('/') + 1)); }

/// The text between the first `open` behind `from` and the next `close`; empty where there is none.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == text.npos) return {};
  const std::size_t end = text.find(close, begin + open.size());
  return end == text.npos ? std::string_view{} : text.substr(begin + open.size(), end - begin - open.size());
}

/// The number that stands before `words`; -1 where they do not stand there.
int number_before(std::string_view text, std::string_view words) {
  const std::size_t end = text.find(words);
  if (end == text.npos) return -1;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  return begin == end ? -1 : std::atoi(std::string(text.substr(begin, end - begin)).c_str());
}

std::map<std::string, KernelResources> read_resources(std::string_view text) {
  std::map<std::string, KernelResources> all;
  std::string kernel;
  for (const std::string& line : lines_of(text)) {
    if (line.find("Function properties for ") != line.npos)
      kernel = std::string(trimmed(line.substr(line.find(" for ") + 5)));
    if (kernel.empty()) continue;
    KernelResources& its = all[kernel];
    if (line.find("bytes stack frame") != line.npos) {
      its.stack_bytes = number_before(line, " bytes stack frame");
      its.spill_store_bytes = number_before(line, " bytes spill stores");
      its.spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (line.find(" registers") != line.npos) {
      its.registers = number_before(line, " registers");
      its.shared_bytes = std::max(0, number_before(line, " bytes smem"));
    }
  }
  return all;
}

/// Labels that no instruction names are the debugger's; what stands before an instruction is kept on it.
void keep_named_labels(KernelListing& kernel) {
  std::set<std::string> named;
  for (const Instruction& each : kernel.instructions)
    for (std::size_t at = 0; at < each.text.size();) {
      const std::size_t end = std::min(each.text.find_first_of(" ,`();", at), each.text.size());
      named.insert(each.text.substr(at, end - at));
      at = end + 1;
    }
  for (Instruction& each : kernel.instructions)
    if (!named.contains(each.label)) each.label.clear();
}

/// Whole lines of 128 bytes are filled up with what is never executed: a branch to itself, then NOPs.
void drop_filling(KernelListing& kernel) {
  auto& all = kernel.instructions;
  while (!all.empty() && all.back().text == "NOP") all.pop_back();
  if (all.size() > 1 && all.back().text.starts_with("BRA") && !all.back().label.empty() &&
      all.back().text.find(all.back().label + ')') != std::string::npos)
    all.pop_back();
}

}  // namespace

const char* form_name(ListingForm form) { return form == ListingForm::sass ? "sass" : "ptx"; }

const KernelListing* Listing::find(std::string_view kernel) const {
  for (const KernelListing& each : kernels)
    if (each.name == kernel) return &each;
  return nullptr;
}

std::vector<KernelListing> read_sass(std::string_view disassembly, std::string_view resources) {
  const std::map<std::string, KernelResources> known = read_resources(resources);
  std::vector<KernelListing> kernels;
  std::string label, file;
  int source_line = 0;
  bool placed = false;  // by the first of several places: the innermost, where a call was inlined
  bool in_code = false;
  for (const std::string& line : lines_of(disassembly)) {
    const std::string_view text = trimmed(line);
    if (text.starts_with(".section\t") || text.starts_with(".section ")) {  // and not ".sectioninfo"
      const std::string symbol(between(text, ".text.", ","));
      in_code = !symbol.empty();
      if (!in_code) continue;
      KernelListing& kernel = kernels.emplace_back();
      kernel.name = plain_name(symbol);
      if (const auto found = known.find(symbol); found != known.end()) kernel.resources = found->second;
      label = file = "";
      source_line = 0;
    } else if (!in_code) {
      continue;
    } else if (text.starts_with("//## File")) {
      if (placed) continue;
      file = base_name(between(text, "File \"", "\""));
      source_line = std::atoi(std::string(text.substr(text.find(", line ") + 7)).c_str());
      placed = true;
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.rfind(';');
      const std::size_t begin = text.find("*/");
      if (end == text.npos || begin == text.npos || end < begin) continue;
      kernels.back().instructions.push_back({std::string(between(text, "/*", "*/")),
                                             without_remark(text.substr(begin + 2, end - begin - 2)), label,
                                             file, source_line});
      label.clear();
      placed = false;
    } else if (text.ends_with(':') && !text.starts_with(".text.")) {
      label = text.substr(0, text.size() - 1);
      // A subroutine of the compiler's library has no source line.
      if (label.starts_with("$")) file.clear(), source_line = 0;
    }
  }
  for (KernelListing& kernel : kernels) drop_filling(kernel), keep_named_labels(kernel);
  std::erase_if(kernels, [](const KernelListing& kernel) { return kernel.instructions.empty(); });
  // In the order of the source; nvdisasm has one of its own.
  const auto place = [](const KernelListing& kernel) {
    const Instruction& first = kernel.instructions.front();
    return std::tuple(first.line == 0, first.file, first.line);
  };
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return kernels;
}

std::vector<KernelListing> read_ptx(std::string_view text) {
  std::map<int, std::string> files;
  const std::vector<std::string> lines = lines_of(text);
  for (const std::string& line : lines)  // the table of files stands at the end
    if (trimmed(line).starts_with(".file"))
      files[std::atoi(std::string(trimmed(trimmed(line).substr(5))).c_str())] =
          base_name(between(line, "\"", "\""));
  std::vector<KernelListing> kernels;
  bool in_body = false;
  std::string label, rest;
  int file = 0, source_line = 0;
  for (const std::string& whole : lines) {
    const std::string_view line = trimmed(whole);
    if (line.empty() || line.starts_with("//")) continue;
    if (const std::size_t at = line.find(".entry "); at != line.npos) {
      const std::string_view name = line.substr(at + 7);
      kernels.emplace_back().name = plain_name(std::string(name.substr(0, name.find('('))));
    } else if (kernels.empty() || line.starts_with(".section") || line.starts_with(".file")) {
      if (line.starts_with(".section")) break;  // debug information
    } else if (line == "{" && !in_body) {
      in_body = true;
    } else if (line == "}" && rest.empty()) {
      in_body = false;
    } else if (!in_body) {
      continue;
    } else if (line.starts_with(".loc")) {
      std::sscanf(std::string(line).c_str(), ".loc %d %d", &file, &source_line);
    } else if (line.ends_with(':') && line.starts_with('$')) {
      label = line.substr(0, line.size() - 1);
    } else if (line.starts_with('.') && rest.empty()) {
      continue;  // .reg, .pragma, .shared
    } else {
      rest += (rest.empty() ? "" : " ") + std::string(line);  // an instruction may take several lines
      if (!line.ends_with(';') && !line.ends_with('}')) continue;
      std::string one = replaced(rest, "\t", " ");
      while (one.find("  ") != one.npos) one = replaced(one, "  ", " ");
      if (one.ends_with(';')) one.pop_back();
      KernelListing& kernel = kernels.back();
      char number[16];
      std::snprintf(number, sizeof number, "%zu", kernel.instructions.size() + 1);
      kernel.instructions.push_back({number, std::string(trimmed(one)), label, files[file], source_line});
      label.clear();
      rest.clear();
    }
  }
  for (KernelListing& kernel : kernels) keep_named_labels(kernel);
  return kernels;
}

}  // namespace workbook::cli
