// Sections, symbols and relocations of an object file that was just compiled, without starting readelf. What
// is asked of objects is in elf_symbols.h, debug_functions.h and device_calls.h.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace workbook::cli {

class ElfObject {
 public:
  struct Section {
    std::string name;
    Elf64_Shdr header;
  };
  struct Symbol {
    std::string name;
    Elf64_Sym entry;
  };

  /// Throws HarnessError when the file is no 64-bit ELF object, as do the others where it is damaged.
  explicit ElfObject(const std::filesystem::path& file);

  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  /// The relocations of a section.
  std::vector<Elf64_Rela> relocations(std::size_t section) const;
  /// What a section without code holds once its relocations are made, every section lying at 0. Empty: there
  /// is none of that name.
  std::string contents(const std::string& name) const;

 private:
  /// The `index`-th T from `offset` on; fails when the file is too short for it.
  template <class T>
  T at(std::size_t offset, std::size_t index = 0) const {
    T value;
    const std::size_t start = offset + index * sizeof(T);
    if (start > bytes_.size() || sizeof(T) > bytes_.size() - start) fail();
    std::memcpy(&value, bytes_.data() + start, sizeof(T));
    return value;
  }
  std::string text(std::size_t offset) const;
  [[noreturn]] void fail() const;

  std::filesystem::path file_;
  std::string bytes_;
  std::vector<Section> sections_;
  std::map<std::size_t, std::vector<std::size_t>> relocations_of_;  ///< of a section: those that hold them
  std::vector<Symbol> symbols_;
};

}  // namespace workbook::cli
