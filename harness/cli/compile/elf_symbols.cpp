#include "cli/compile/elf_symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "cli/compile/elf_object.h"

namespace workbook::cli {
namespace {

/// "sums<float4, 64>" of "void sums<float4, 64>(float*)"; a function that is no template has no result there.
std::string without_signature(std::string_view text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' && depth == 0) return std::string(text.substr(begin, i - begin));
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return std::string(text.substr(begin));
}

}  // namespace

std::vector<std::string> undefined_thread_locals(const std::filesystem::path& file) {
  const ElfObject object(file);
  std::vector<std::string> names;
  for (const ElfObject::Symbol& symbol : object.symbols())
    if (symbol.entry.st_shndx == SHN_UNDEF && ELF64_ST_TYPE(symbol.entry.st_info) == STT_TLS &&
        !std::string_view(symbol.name).starts_with("_ZSt"))  // those of std::call_once, which libstdc++ has
      names.push_back(symbol.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::set<std::string> defined_functions(const std::filesystem::path& file) {
  const ElfObject object(file);
  std::set<std::string> names;
  for (const ElfObject::Symbol& symbol : object.symbols()) {
    if (symbol.entry.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.entry.st_info) != STT_FUNC) continue;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(symbol.name.c_str(), nullptr, nullptr, &status), std::free);
    if (status == 0) names.insert(without_signature(plain.get()));
  }
  return names;
}

}  // namespace workbook::cli
