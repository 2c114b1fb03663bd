#include "symbols.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

// A thread-local variable whose offset we know from the symbol table, and whose address we can take.
extern "C" {
constinit thread_local char workbook_sim_tls_anchor = 0;
}

namespace workbook::sim {
namespace {

constexpr std::size_t kDynamicSymbolBytes =
    200 * 1024;  // the stub's array is larger than any static one may be

bool is_internal(const std::string& file) {
  return file.find("workbook_sim/") != std::string::npos || file.find("/include/c++/") != std::string::npos ||
         file.find("/cuda/std/") != std::string::npos;
}

int on_frame(void* data, std::uintptr_t, const char* file, int line, const char*) {
  auto& found = *static_cast<runs::SourceLine*>(data);
  if (file == nullptr || is_internal(file)) return 0;
  found = {file, line};
  return 1;  // frames come innermost first
}

void ignore_error(void*, const char*, int) {}

/// "tile" and "transpose_kernel" from the symbol of `transpose_kernel(float*, int)::tile`.
SharedVariable name_variable(const char* mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                               std::free);
  SharedVariable out;
  out.name = status == 0 ? plain.get() : mangled;
  const auto colons = out.name.rfind("::");
  if (colons == std::string::npos) return out;
  const std::string owner = out.name.substr(0, out.name.find_first_of("(<"));
  out.kernel =
      owner.substr(owner.rfind(' ') + 1);  // npos + 1 is 0; a template's name follows its return type
  out.name = out.name.substr(colons + 2);
  return out;
}

bool is_engine_symbol(const std::string& name) {
  return name.find("workbook") != std::string::npos || name == "threadIdx" || name == "blockIdx" ||
         name == "blockDim" || name == "gridDim" || name.rfind("_ZGV", 0) == 0 || name.find("_ZNSt") == 0 ||
         name.find("backtrace") != std::string::npos;
}

struct TlsSymbols {
  std::uintptr_t anchor_offset = 0;
  std::vector<SharedVariable> variables;
};

void read_symbols(const char* file, TlsSymbols& out) {
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file);
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(file + sections[i].sh_offset);
    const char* names = file + sections[sections[i].sh_link].sh_offset;
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); ++k) {
      if (ELF64_ST_TYPE(symbols[k].st_info) != STT_TLS || symbols[k].st_shndx == SHN_UNDEF) continue;
      if (symbols[k].st_size == 0) continue;  // the linker's own marks
      const std::string name = names + symbols[k].st_name;
      if (name == "workbook_sim_tls_anchor") out.anchor_offset = symbols[k].st_value;
      if (is_engine_symbol(name)) continue;
      SharedVariable variable = name_variable(name.c_str());
      variable.offset = symbols[k].st_value;
      variable.bytes = symbols[k].st_size;
      variable.dynamic = variable.bytes >= kDynamicSymbolBytes;
      out.variables.push_back(std::move(variable));
    }
  }
}

const TlsSymbols& tls_symbols() {
  static const TlsSymbols symbols = [] {
    TlsSymbols out;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) return out;
    void* map = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (map == MAP_FAILED) return out;
    read_symbols(static_cast<const char*>(map), out);
    munmap(map, static_cast<std::size_t>(status.st_size));
    auto& list = out.variables;
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    list.erase(std::unique(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.offset == b.offset; }),
               list.end());
    return out;
  }();
  return symbols;
}

}  // namespace

runs::SourceLine source_line(Pc pc) {
  static backtrace_state* const state = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
  runs::SourceLine found;
  if (state != nullptr && pc != 0) backtrace_pcinfo(state, pc - 1, on_frame, ignore_error, &found);
  return found;
}

const std::vector<SharedVariable>& shared_variables() { return tls_symbols().variables; }

std::uintptr_t thread_local_base() {
  return reinterpret_cast<std::uintptr_t>(&workbook_sim_tls_anchor) - tls_symbols().anchor_offset;
}

bool in_program_image(std::uintptr_t address) {
  extern const char __executable_start[] __asm__("__executable_start");
  extern const char program_end[] __asm__("_end");
  return address >= reinterpret_cast<std::uintptr_t>(__executable_start) &&
         address < reinterpret_cast<std::uintptr_t>(program_end);
}

}  // namespace workbook::sim
