#include "cli/compile/elf_symbols.h"

#include <algorithm>
#include <string_view>

#include "cli/compile/elf_object.h"

namespace workbook::cli {

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

}  // namespace workbook::cli
