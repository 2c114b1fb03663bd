#include "symbols.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "workbook_sim/shared_shape.h"

// A thread-local variable whose offset we know from the symbol table, and whose address we can take.
extern "C" {
constinit thread_local char workbook_sim_tls_anchor = 0;
}

namespace workbook::sim {
namespace {

constexpr std::size_t kDynamicSymbolBytes =
    200 * 1024;  // the stub's array is larger than any static one may be

bool is_internal(const std::string& file) {
  return file.find("harness/sim/include/") != std::string::npos ||
         file.find("workbook_sim/") != std::string::npos || file.find("/include/c++/") != std::string::npos ||
         file.find("/cuda/std/") != std::string::npos;
}

/// Whether a mangled name is that of a copy or move constructor or assignment: "_ZN4PairC2ERKS_". g++ writes
/// C4 for all forms of a constructor.
bool is_copy(std::string_view function) {
  for (const char* name : {"C1E", "C2E", "C4E", "aSE"}) {
    const auto at = function.find(name);
    if (at == function.npos) continue;
    const std::string_view parameter = function.substr(at + 3);
    if (parameter.starts_with("RKS") || parameter.starts_with("OS")) return true;
  }
  return false;
}

int on_frame(void* data, std::uintptr_t, const char* file, int line, const char* function) {
  auto& found = *static_cast<runs::SourceLine*>(data);
  if (file == nullptr || is_internal(file)) return 0;
  found = {file, line};
  // What the compiler copies on its own it does at the line of the struct: who asked for the copy says more.
  return function == nullptr || !is_copy(function);  // frames come innermost first
}

void ignore_error(void*, const char*, int) {}

/// "tile" and "transpose_kernel" from the symbol of `transpose_kernel(float*, int)::tile`.
SharedVariable name_variable(const char* mangled) {
  SharedVariable out;
  out.name = demangled(mangled);
  const auto colons = out.name.rfind("::");
  if (colons == std::string::npos) return out;
  out.instance = without_signature(out.name.substr(0, colons));
  out.kernel = out.instance.substr(0, out.instance.find('<'));
  out.name = out.name.substr(colons + 2);
  return out;
}

constexpr std::string_view kShapePrefix = "workbook_shape_";

bool is_engine_symbol(std::string_view name) {
  return name.find("workbook") != name.npos || name == "threadIdx" || name == "blockIdx" ||
         name == "blockDim" || name == "gridDim" || name.starts_with("_ZGV") || name.starts_with("_ZNSt") ||
         name.find("backtrace") != name.npos || name.starts_with("__tsan") || name.starts_with("__ubsan") ||
         name.find("fcontext") != name.npos || name.starts_with("__sanitizer_cov") ||
         name.starts_with("__aarch64_");  // libgcc's atomics
}

/// Shared memory that the simulator has of its own: barriers with numbers, and of tiles of several warps.
bool holds_barriers(std::string_view name) {
  return name.find("named_barriers") != name.npos || name.find("barriers_of_tiles") != name.npos;
}

/// The loops of rows, into which a kernel may be inlined (workbook_sim/launch.h): code of the learner's.
bool may_hold_kernel(std::string_view name) {
  return name.starts_with("_ZN8workbook3sim11NamedKernelI") ||
         name.starts_with("_ZN8workbook3sim12call_closureI") ||
         name.starts_with("_ZN8workbook3sim16call_closure_rowI");
}

/// Functions of the host API and of the libraries have C names.
bool is_api_function(std::string_view name) {
  for (const std::string_view library : {"cuda", "cublas", "cufft", "curand", "cusparse", "nvtx"})
    if (name.starts_with(library)) return true;
  return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';  // the driver's
}

/// A function or a variable of the program, by address relative to where it is loaded.
struct Extent {
  std::uintptr_t begin, end;
  std::string name;
};

struct Symbols {
  std::uintptr_t anchor_offset = 0;
  bool has_anchor = false;
  std::vector<SharedVariable> shared, of_engine;
  std::set<std::string, std::less<>> dynamic;  ///< names of `extern __shared__` arrays
  std::map<std::string, std::vector<std::string>, std::less<>> dynamic_of;  ///< likewise, by kernel
  std::vector<std::pair<std::string, std::uintptr_t>>
      shapes;  ///< mangled name and address of each SharedShape
  std::vector<Extent> functions, engine_functions, variables;  ///< by address
  std::vector<Extent> own_functions;  ///< of the engine's those that are not the standard library's
  std::vector<Extent> tables;         ///< of virtual functions, likewise
};

void read_symbols(const char* file, Symbols& out) {
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file);
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(file + sections[i].sh_offset);
    const char* names = file + sections[sections[i].sh_link].sh_offset;
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); ++k) {
      const ElfW(Sym)& symbol = symbols[k];
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;  // no size: the linker's own marks
      const std::string_view name = names + symbol.st_name;
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (name == "workbook_sim_tls_anchor") out.anchor_offset = symbol.st_value, out.has_anchor = true;
      const bool ours = is_engine_symbol(name);
      if (type == STT_FUNC) out.functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size, {}});
      if (type == STT_FUNC && ((ours && !may_hold_kernel(name)) || is_api_function(name)))
        out.engine_functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size, {}});
      if (type == STT_FUNC && (name.find("workbook") != name.npos || is_api_function(name)))
        out.own_functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size, {}});
      if (type == STT_OBJECT && name.find(kShapePrefix) != name.npos)
        out.shapes.emplace_back(name, symbol.st_value);
      if (type == STT_OBJECT && !ours && name.starts_with("_ZTV") && !name.starts_with("_ZTVN10__cxxabiv1"))
        out.tables.push_back({symbol.st_value, symbol.st_value + symbol.st_size, {}});
      if (type == STT_OBJECT && !ours)
        out.variables.push_back({symbol.st_value, symbol.st_value + symbol.st_size, std::string(name)});
      if (type != STT_TLS || (ours && !holds_barriers(name))) continue;
      SharedVariable variable = name_variable(names + symbol.st_name);
      variable.offset = symbol.st_value;
      variable.bytes = symbol.st_size;
      variable.dynamic = variable.bytes >= kDynamicSymbolBytes;
      if (variable.dynamic) out.dynamic.insert(variable.name);
      (ours ? out.of_engine : out.shared).push_back(std::move(variable));
    }
  }
  const auto by_begin = [](const Extent& a, const Extent& b) { return a.begin < b.begin; };
  std::sort(out.functions.begin(), out.functions.end(), by_begin);
  std::sort(out.engine_functions.begin(), out.engine_functions.end(), by_begin);
  std::sort(out.own_functions.begin(), out.own_functions.end(), by_begin);
  std::sort(out.variables.begin(), out.variables.end(), by_begin);
  std::sort(out.tables.begin(), out.tables.end(), by_begin);
}

/// Gives each shared variable the shape that the program keeps beside it.
void take_shapes(Symbols& symbols) {
  for (const auto& [mangled, value] : symbols.shapes) {
    SharedVariable of = name_variable(mangled.c_str());
    if (!of.name.starts_with(kShapePrefix)) continue;
    of.name.erase(0, kShapePrefix.size());
    if (std::vector<std::string>& names = symbols.dynamic_of[of.kernel];
        symbols.dynamic.contains(of.name) && std::find(names.begin(), names.end(), of.name) == names.end())
      names.push_back(of.name);
    SharedShape shape;
    std::memcpy(&shape, reinterpret_cast<const void*>(program_base() + value), sizeof shape);
    for (SharedVariable& v : symbols.shared) {
      if (v.name != of.name || (v.kernel != of.kernel && !v.kernel.empty())) continue;
      v.element_bytes = shape.element_bytes;
      v.extents.assign(shape.extent, shape.extent + shape.rank);
      v.is_array = shape.rank > 0 || v.dynamic;
    }
  }
}

/// False when the file is not this program, or has no symbols.
bool read_symbols_of(const char* name, Symbols& out) {
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  void* map = MAP_FAILED;
  const bool known = file >= 0 && fstat(file, &status) == 0 && status.st_size > 0;
  if (known) map = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) close(file);
  if (map == MAP_FAILED) return false;
  const bool is_elf =
      static_cast<std::size_t>(status.st_size) > sizeof(ElfW(Ehdr)) && std::memcmp(map, ELFMAG, SELFMAG) == 0;
  if (is_elf) read_symbols(static_cast<const char*>(map), out);
  munmap(map, static_cast<std::size_t>(status.st_size));
  return out.has_anchor;
}

/// This thread is reading the symbols: what it allocates meanwhile asks whose code it is.
thread_local bool reads_symbols = false;

const Symbols& symbols() {
  // Freed memory is asked about when the program's own static objects end, too.
  static const Symbols& known = *[] {
    struct Reading {
      Reading() { reads_symbols = true; }
      ~Reading() { reads_symbols = false; }
    } const reading;
    Symbols out;
    // Where another program runs this one (an emulator), the first is that program's file.
    const auto* const started_as = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    if (!read_symbols_of("/proc/self/exe", out) &&
        (started_as == nullptr || !read_symbols_of(started_as, out = Symbols()))) {
      std::fprintf(stderr,
                   "The simulator cannot read its own program, /proc/self/exe, or it has no\n"
                   "symbols: it needs them to know the kernels' code and memory from its own.\n");
      constexpr int kHarnessFault = 5;
      for (;;) syscall(SYS_exit_group, kHarnessFault);
    }
    auto& list = out.shared;
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    list.erase(std::unique(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.offset == b.offset; }),
               list.end());
    take_shapes(out);
    return new Symbols(std::move(out));
  }();
  return known;
}

/// The extent that holds `at`, else null.
const Extent* find_extent(const std::vector<Extent>& list, std::uintptr_t at) {
  const auto after = std::upper_bound(list.begin(), list.end(), at,
                                      [](std::uintptr_t a, const Extent& e) { return a < e.begin; });
  if (after == list.begin() || at >= (after - 1)->end) return nullptr;
  return &*(after - 1);
}

/// Whether this thread may read debug information now: that of the program is enough.
thread_local bool reads_own_image = false;

/// Calls `ask` with what names the program's addresses, for one at a time.
template <class Ask>
void with_debug_information(Ask ask) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static backtrace_state* const state = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
  if (state == nullptr) return;
  reads_own_image = true;
  ask(state);
  reads_own_image = false;
}

/// Calls `on_frame` for each inlined call at the call that returned to `pc`, innermost first.
void look_up(Pc pc, backtrace_full_callback on_frame, void* data) {
  if (pc == 0) return;
  with_debug_information(
      [&](backtrace_state* state) { backtrace_pcinfo(state, pc - 1, on_frame, ignore_error, data); });
}

struct ImageVisit {
  int (*callback)(dl_phdr_info*, std::size_t, void*);
  void* data;
};

}  // namespace

std::string without_signature(const std::string& signature) {
  int depth = 0;
  std::size_t start = 0, i = 0;
  for (; i < signature.size(); ++i) {
    const char c = signature[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth > 0) continue;
    if (c == ' ') start = i + 1;  // a template's name follows its return type
    if (c == '(' && signature.compare(i, 11, "(anonymous ") == 0) {
      i = signature.find(')', i);
      continue;
    }
    if (c == '(') break;
  }
  return signature.substr(start, i - start);
}

runs::SourceLine source_line(Pc pc) {
  constexpr Pc kFarthest = 64;  // bytes of code
  runs::SourceLine found;
  look_up(pc, on_frame, &found);
  // clang gives no line to what it takes out of a loop: it stands before the code that it was taken from.
  for (Pc ahead = 1; found.line == 0 && !found.file.empty() && ahead <= kFarthest; ++ahead) {
    runs::SourceLine next;
    look_up(pc + ahead, on_frame, &next);
    if (next.line != 0 && next.file == found.file) found = next;
  }
  return found;
}

std::string function_at(std::uintptr_t address) {
  struct Found {
    std::uintptr_t wanted;
    std::string name;
  } found{address, {}};
  const auto on_symbol = [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t start,
                            std::uintptr_t) {
    auto& f = *static_cast<Found*>(data);
    if (symbol != nullptr && start == f.wanted) f.name = symbol;
  };
  if (address != 0)
    with_debug_information(
        [&](backtrace_state* state) { backtrace_syminfo(state, address, on_symbol, ignore_error, &found); });
  return found.name;
}

std::vector<Pc> calls_around(Pc pc) {
  constexpr std::size_t kMostFrames = 64;
  struct Walk {
    Pc pc;
    bool met = false;
    std::size_t seen = 0;
    std::vector<Pc> calls = {};
  } walk{pc};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& w = *static_cast<Walk*>(data);
        const auto here = static_cast<Pc>(_Unwind_GetIP(context));
        if (w.met) w.calls.push_back(here);
        w.met = w.met || here == w.pc;
        return ++w.seen < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &walk);
  return walk.calls;
}

std::vector<SourceFrame> source_frames(Pc pc) {
  std::vector<SourceFrame> frames;
  const auto add = [](void* data, std::uintptr_t, const char* file, int line, const char* function) {
    if (file != nullptr && !is_internal(file))
      static_cast<std::vector<SourceFrame>*>(data)->push_back(
          {function == nullptr ? "" : function, {file, line}});
    return 0;
  };
  look_up(pc, add, &frames);
  return frames;
}

bool is_of_program(const runs::SourceLine& at) { return at.line > 0 && at.file.ends_with(".cu"); }

bool is_same_file(const runs::SourceLine& a, const runs::SourceLine& b) {
  const bool first = a.file.size() > b.file.size();
  const std::string &longer = first ? a.file : b.file, &shorter = first ? b.file : a.file;
  return longer == shorter || (!shorter.empty() && longer.ends_with('/' + shorter));
}

bool is_of_toolkit(const runs::SourceLine& at) {
  const auto is_in = [&](const char* folder) { return at.file.find(folder) != std::string::npos; };
  return !at.file.ends_with(".cu") && (is_in("/cccl/") || is_in("/thrust/") || is_in("/cub/"));
}

Pc pc_of_program(Pc pc) {
  static std::mutex mutex;
  static auto& known = *new std::map<Pc, bool>;
  {
    const std::lock_guard lock(mutex);
    const auto [place, fresh] = known.try_emplace(pc, false);
    if (fresh) place->second = is_of_toolkit(source_line(pc));
    if (!place->second) return pc;
  }
  for (const Pc call : calls_around(pc)) {
    const std::vector<SourceFrame> frames = source_frames(call);
    if (std::any_of(frames.begin(), frames.end(), [](const auto& frame) { return is_of_program(frame.at); }))
      return call;
  }
  return pc;
}

runs::SourceLine program_line(Pc pc) {
  runs::SourceLine at = source_line(pc);
  if (!is_of_toolkit(at)) return at;
  for (const SourceFrame& frame : source_frames(pc))
    if (is_of_program(frame.at)) return frame.at;
  return at;
}

runs::SourceLine line_of_program(Pc pc) {
  for (const Pc call : calls_around(pc))
    for (const SourceFrame& frame : source_frames(call))
      if (is_of_program(frame.at)) return frame.at;
  return {};
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = -1;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : symbol;
}

const std::vector<SharedVariable>& shared_variables() { return symbols().shared; }
const std::vector<SharedVariable>& shared_of_engine() { return symbols().of_engine; }

const std::vector<std::string>& dynamic_arrays_of(const std::string& kernel) {
  static const std::vector<std::string> kNone;
  const auto found = symbols().dynamic_of.find(std::string_view(kernel).substr(0, kernel.find('<')));
  return found == symbols().dynamic_of.end() ? kNone : found->second;
}

std::uintptr_t thread_local_base() {
  return reinterpret_cast<std::uintptr_t>(&workbook_sim_tls_anchor) - symbols().anchor_offset;
}

std::string describe_shared(const SharedVariable& v, std::uintptr_t bytes) {
  if (!v.is_array && bytes < v.bytes) return v.name;
  std::uintptr_t element = bytes / v.element_bytes;
  const bool inside = bytes < v.bytes;
  if (v.extents.size() < 2 || !inside) return v.name + "[" + std::to_string(element) + "]";
  std::string indices;
  for (std::size_t d = v.extents.size(); d-- > 0;) {
    indices = "[" + std::to_string(element % v.extents[d]) + "]" + indices;
    element /= v.extents[d];
  }
  return v.name + indices;
}

bool in_program_variable(std::uintptr_t address, std::uint32_t bytes) {
  const auto [begin, end] = program_variable_around(address);
  return begin != 0 && address + bytes <= end;
}

std::pair<std::uintptr_t, std::uintptr_t> program_variable_around(std::uintptr_t address) {
  const Extent* variable = find_extent(symbols().variables, address - program_base());
  if (variable == nullptr) return {0, 0};
  return {program_base() + variable->begin, program_base() + variable->end};
}

bool has_virtual_tables() { return !symbols().tables.empty(); }

bool is_virtual_table(std::uintptr_t address) {
  return in_program_image(address) && find_extent(symbols().tables, address - program_base()) != nullptr;
}

bool is_program_variable(const std::string& name) {
  for (const Extent& variable : symbols().variables)
    if (name_variable(variable.name.c_str()).name == name) return true;
  return false;
}

std::string program_variable(std::uintptr_t address) {
  const std::uintptr_t at = address - program_base();
  const auto& list = symbols().variables;
  const auto after = std::upper_bound(list.begin(), list.end(), at,
                                      [](std::uintptr_t a, const Extent& e) { return a < e.begin; });
  if (after == list.begin()) return "static data";
  const Extent& variable = *(after - 1);
  const std::string name = demangled(variable.name);
  if (variable.end - variable.begin <= 4) return name;
  return name + "[" + std::to_string((at - variable.begin) / 4) + "]";
}

std::uintptr_t function_of(Pc pc) {
  const Extent* const function = find_extent(symbols().functions, pc - 1 - program_base());
  return function == nullptr ? 0 : function->begin;
}

bool is_engine_code(Pc pc) {
  return reads_symbols || !in_program_image(pc) ||
         find_extent(symbols().own_functions, pc - program_base()) != nullptr;
}

bool is_learner_code(Pc pc) {
  if (reads_symbols) return false;
  const Symbols& known = symbols();
  if (!in_program_image(pc)) return false;
  const std::uintptr_t at = pc - program_base();
  // The search allocates nothing. What is in no function of ours and below the static data is the learner's.
  return find_extent(known.engine_functions, at) == nullptr && pc < writable_image_begin();
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

int __real_dl_iterate_phdr(int (*)(dl_phdr_info*, std::size_t, void*), void*) __attribute__((weak));

// The linker is told to wrap it (cli/compile/simulator_toolchain.cpp). The debug information of the system's
// libraries, where it is installed, takes longer to read than many a kernel to run, and names no line that
// a learner has written: the first image, the program itself, is enough.
int __wrap_dl_iterate_phdr(int (*callback)(dl_phdr_info*, std::size_t, void*), void* data) {
  if (!reads_own_image) return __real_dl_iterate_phdr(callback, data);
  ImageVisit visit{callback, data};
  const auto once = [](dl_phdr_info* image, std::size_t size, void* to) {
    const auto& v = *static_cast<ImageVisit*>(to);
    v.callback(image, size, v.data);
    return 1;
  };
  return __real_dl_iterate_phdr(once, &visit);
}
}
