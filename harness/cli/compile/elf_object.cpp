#include "cli/compile/elf_object.h"

#include "cli/base/errors.h"
#include "cli/base/text.h"

namespace workbook::cli {
namespace {

/// How many bytes a relocation of data fills; 0: it is of another kind.
std::size_t width_of(std::uint64_t info) {
  switch (ELF64_R_TYPE(info)) {
    case R_X86_64_32:
    case R_AARCH64_ABS32:
      return 4;
    case R_X86_64_64:
    case R_AARCH64_ABS64:
      return 8;
    default:
      return 0;
  }
}

}  // namespace

ElfObject::ElfObject(const std::filesystem::path& file) : file_(file), bytes_(read_file(file)) {
  const auto header = at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) fail();
  const auto names = at<Elf64_Shdr>(header.e_shoff, header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(header.e_shoff, i);
    sections_.push_back({text(names.sh_offset + section.sh_name), section});
    if (section.sh_type == SHT_RELA) relocations_of_[section.sh_info].push_back(i);
  }
  for (const Section& section : sections_) {
    if (section.header.sh_type != SHT_SYMTAB) continue;
    const auto strings = at<Elf64_Shdr>(header.e_shoff, section.header.sh_link);
    for (std::size_t s = 0; s < section.header.sh_size / sizeof(Elf64_Sym); ++s) {
      const auto symbol = at<Elf64_Sym>(section.header.sh_offset, s);
      symbols_.push_back({text(strings.sh_offset + symbol.st_name), symbol});
    }
  }
}

std::vector<Elf64_Rela> ElfObject::relocations(std::size_t section) const {
  std::vector<Elf64_Rela> all;
  const auto those = relocations_of_.find(section);
  if (those == relocations_of_.end()) return all;
  for (const std::size_t place : those->second) {
    const Section& one = sections_[place];
    for (std::size_t r = 0; r < one.header.sh_size / sizeof(Elf64_Rela); ++r) {
      all.push_back(at<Elf64_Rela>(one.header.sh_offset, r));
      if (ELF64_R_SYM(all.back().r_info) >= symbols_.size()) fail();
    }
  }
  return all;
}

std::string ElfObject::contents(const std::string& name) const {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& header = sections_[i].header;
    if (sections_[i].name != name || header.sh_type == SHT_NOBITS) continue;
    if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset) fail();
    std::string data = bytes_.substr(header.sh_offset, header.sh_size);
    for (const Elf64_Rela& one : relocations(i)) {
      const std::size_t width = width_of(one.r_info);
      if (width == 0) continue;
      if (one.r_offset > data.size() || width > data.size() - one.r_offset) fail();
      const std::uint64_t value =
          symbols_[ELF64_R_SYM(one.r_info)].entry.st_value + static_cast<std::uint64_t>(one.r_addend);
      std::memcpy(data.data() + one.r_offset, &value, width);
    }
    return data;
  }
  return "";
}

std::string ElfObject::text(std::size_t offset) const {
  const std::size_t end = bytes_.find('\0', offset);
  if (offset >= bytes_.size() || end == std::string::npos) fail();
  return bytes_.substr(offset, end - offset);
}

void ElfObject::fail() const {
  throw HarnessError(file_.string() + " is not an object file that can be read.");
}

}  // namespace workbook::cli
