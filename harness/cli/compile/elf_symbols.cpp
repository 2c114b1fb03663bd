#include "cli/compile/elf_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "cli/base/errors.h"
#include "cli/base/text.h"

namespace workbook::cli {
namespace {

class Object {
 public:
  explicit Object(const std::filesystem::path& file) : file_(file), bytes_(read_file(file)) {}

  /// The `index`-th T from `offset` on; throws when the file is too short for it.
  template <class T>
  T at(std::size_t offset, std::size_t index = 0) const {
    T value;
    const std::size_t start = offset + index * sizeof(T);
    if (start > bytes_.size() || sizeof(T) > bytes_.size() - start) fail();
    std::memcpy(&value, bytes_.data() + start, sizeof(T));
    return value;
  }
  std::string text(std::size_t offset) const {
    const std::size_t end = bytes_.find('\0', offset);
    if (offset >= bytes_.size() || end == std::string::npos) fail();
    return bytes_.substr(offset, end - offset);
  }
  [[noreturn]] void fail() const {
    throw HarnessError(file_.string() + " is not an object file that can be read.");
  }

 private:
  std::filesystem::path file_;
  std::string bytes_;
};

}  // namespace

std::vector<std::string> undefined_thread_locals(const std::filesystem::path& file) {
  const Object object(file);
  const auto header = object.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    object.fail();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = object.at<Elf64_Shdr>(header.e_shoff, i);
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto strings = object.at<Elf64_Shdr>(header.e_shoff, section.sh_link);
    for (std::size_t s = 0; s < section.sh_size / sizeof(Elf64_Sym); ++s) {
      const auto symbol = object.at<Elf64_Sym>(section.sh_offset, s);
      if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
        names.push_back(object.text(strings.sh_offset + symbol.st_name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace workbook::cli
