// From addresses to names: source lines of return addresses (libbacktrace) and shared variables (ELF
// symbols).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runs/record.h"
#include "sim/source/pc.h"

extern "C" {  // the linker's own marks
extern const char __executable_start[];
extern const char __data_start[];
extern const char _end[];
}

namespace workbook::sim {

/// The line of the call that returned to `pc`: the innermost inlined frame that is not in the simulator's own
/// headers or the standard library. File as the compiler saw it (staged sources carry #line). line 0:
/// unknown.
runs::SourceLine source_line(Pc pc);

struct SourceFrame {
  std::string function;
  runs::SourceLine at;
};
/// The same with the calls that were inlined around it, innermost first.
std::vector<SourceFrame> source_frames(Pc pc);

/// The symbol of the function that begins at `address`, as the compiler named it; empty: there is none.
std::string function_at(std::uintptr_t address);

/// The return addresses of the calling thread's stack from the call after `pc` outwards; none where `pc` is
/// not on it: what is reported happened earlier.
std::vector<Pc> calls_around(Pc pc);

/// Whether the line is known and one of the program's own source, a .cu file.
bool is_of_program(const runs::SourceLine& at);
/// Of a line of debug information and one of __builtin_FILE(): clang has names from the folder that it ran
/// in.
bool is_same_file(const runs::SourceLine& a, const runs::SourceLine& b);
/// Whether the line is one of Thrust's, CUB's or libcu++'s headers: nobody looks for a mistake of his there.
bool is_of_toolkit(const runs::SourceLine& at);
/// `pc`, or where it is in such a header the innermost call around it that is in the program's own source.
Pc pc_of_program(Pc pc);
/// Of such a place: the line of the program's own source where that is one of the calls that are inlined
/// there.
runs::SourceLine program_line(Pc pc);
/// The innermost line of the program's own source on the calling thread's stack, from the call after `pc`
/// outwards; line 0: there is none.
runs::SourceLine line_of_program(Pc pc);

/// A symbol as the source has it; as it is where it is no name of C++: `w` is also how a type is written.
std::string demangled(const std::string& symbol);

/// "ns::scale<float>" from "void ns::scale<float>(float*, int)".
std::string without_signature(const std::string& signature);

/// A shared variable of the program: `offset` from the start of this thread's thread-local block.
struct SharedVariable {
  std::string name;
  std::string kernel;    ///< the function it is declared in, without arguments; empty at namespace scope
  std::string instance;  ///< the same with its template's arguments: "ns::scale<float>"
  std::uintptr_t offset = 0;
  std::size_t bytes = 0;
  bool dynamic = false;  ///< extern __shared__: its size is the launch's
  std::uint32_t element_bytes = 4;
  std::vector<std::uint32_t> extents;  ///< outermost first; empty: one value, or an array of one dimension
  bool is_array = true;
};

/// All shared variables, by offset; variables of one dynamic array share an entry.
const std::vector<SharedVariable>& shared_variables();
/// What of a block's shared memory the simulator has for itself.
const std::vector<SharedVariable>& shared_of_engine();

/// The `extern __shared__` arrays that the kernel declares, by name.
const std::vector<std::string>& dynamic_arrays_of(const std::string& kernel);

/// Where the calling thread's thread-local block begins.
std::uintptr_t thread_local_base();

/// "tile[3][5]", from the variable and the bytes into it.
std::string describe_shared(const SharedVariable& variable, std::uintptr_t bytes);

/// Where the program is loaded; return addresses are kept as 32-bit offsets from here.
inline std::uintptr_t program_base() { return reinterpret_cast<std::uintptr_t>(__executable_start); }
/// Whether `address` lies in code or static data of the program.
inline bool in_program_image(std::uintptr_t address) {
  return address - program_base() < static_cast<std::uintptr_t>(_end - __executable_start);
}
/// Static data that can be written begins here and goes on to the end of the image.
inline std::uintptr_t writable_image_begin() { return reinterpret_cast<std::uintptr_t>(__data_start); }
inline std::size_t writable_image_bytes() { return static_cast<std::size_t>(_end - __data_start); }
/// Whether [address, address + bytes) lies in one variable of static data.
bool in_program_variable(std::uintptr_t address, std::uint32_t bytes);
/// Where the variable of static data that holds the address begins and ends; both 0: none does.
std::pair<std::uintptr_t, std::uintptr_t> program_variable_around(std::uintptr_t address);
/// Whether the program has classes with virtual functions, and whether `address` is in the table of one.
bool has_virtual_tables();
bool is_virtual_table(std::uintptr_t address);
/// Whether a variable of the program has that name, whatever its namespace.
bool is_program_variable(const std::string& name);
/// "counter", "table[7]", or "static data" when nothing has that address.
std::string program_variable(std::uintptr_t address);

/// Where the function that holds `pc` begins, relative to program_base(); 0: in none.
std::uintptr_t function_of(Pc pc);

/// Whether `pc` lies in a function of the learner's object, not of the simulator. The first call reads the
/// program's symbols; later ones may be made in signal handlers.
bool is_learner_code(Pc pc);
/// Whether `pc` lies in the simulator's own code. Templates of the standard library count as whoever's uses
/// them, and are neither this nor is_learner_code().
bool is_engine_code(Pc pc);
inline void learner_code_is_known() { is_learner_code(0); }

}  // namespace workbook::sim
