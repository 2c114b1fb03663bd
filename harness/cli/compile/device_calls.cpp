#include "cli/compile/device_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/debug_functions.h"
#include "cli/compile/device_library.h"
#include "translate/execution_space.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using sim::Space;

constexpr std::size_t kMostCalls = 5;  // as of the compiler's own

/// A call that the linker makes: from an instruction of a section to a symbol.
struct Call {
  std::string section;
  std::uint64_t offset = 0;
  std::string to;
};

/// "_Z1kPfi" of "_Z1kPfi.cold" and "_Z1kPfi.part.0", which are parts of it.
std::string whole_function(const std::string& symbol) { return symbol.substr(0, symbol.find('.')); }

struct Object {
  explicit Object(const fs::path& path) : file(path) {
    const ElfObject elf(path);
    functions = debug_functions(elf);
    for (std::size_t i = 0; i < functions.size(); ++i)
      if (functions[i].call.line == 0) by_symbol.emplace(functions[i].declared.symbol, i);
    read_calls(elf);
  }

  fs::path file;
  std::vector<CompiledFunction> functions;
  std::multimap<std::string, std::size_t> by_symbol;
  std::map<std::string, std::vector<Call>> calls;  ///< by the symbol of the function they stand in
  std::set<std::string> defined;

 private:
  struct Placed {
    std::uint64_t begin, end;
    std::string name;
  };

  static std::string at(const std::vector<Placed>& functions, std::uint64_t offset) {
    for (const Placed& one : functions)
      if (one.begin <= offset && offset < one.end) return one.name;
    return "";
  }

  void read_calls(const ElfObject& elf) {
    std::map<std::size_t, std::vector<Placed>> placed;
    for (const ElfObject::Symbol& symbol : elf.symbols()) {
      const Elf64_Sym& entry = symbol.entry;
      if (ELF64_ST_TYPE(entry.st_info) != STT_FUNC || entry.st_shndx == SHN_UNDEF) continue;
      placed[entry.st_shndx].push_back(
          {entry.st_value, entry.st_value + entry.st_size, whole_function(symbol.name)});
      defined.insert(whole_function(symbol.name));
    }
    for (const auto& [section, functions_there] : placed)
      for (const Elf64_Rela& one : elf.relocations(section)) {
        const auto type = ELF64_R_TYPE(one.r_info);
        const bool arm = type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
        if (type != R_X86_64_PLT32 && !arm) continue;
        const ElfObject::Symbol& to = elf.symbols()[ELF64_R_SYM(one.r_info)];
        std::string name = whole_function(to.name);
        if (ELF64_ST_TYPE(to.entry.st_info) == STT_SECTION)
          name = at(placed[to.entry.st_shndx], static_cast<std::uint64_t>(one.r_addend + (arm ? 0 : 4)));
        calls[at(functions_there, one.r_offset)].push_back(
            {elf.sections()[section].name, one.r_offset, name});
      }
  }
};

/// Who calls, for the message.
struct Caller {
  std::string words;       ///< `__global__ function("k")`
  bool device = true;      ///< or the host
  bool unwritten = false;  ///< code that the compiler made for it, whose lines are those of no call
};

class CallJudge {
 public:
  CallJudge(const std::vector<fs::path>& objects, const std::vector<ProgramSource>& sources,
            const fs::path& folder, bool relaxed)
      : folder_(folder), relaxed_(relaxed) {
    for (const ProgramSource& source : sources) {
      words_.learn(source.text);
      own_.emplace(place(source.file), &source);
    }
    for (const fs::path& object : objects) objects_.emplace_back(object);
  }

  std::vector<runs::CompileError> all() {
    for (const Object& object : objects_)
      for (std::size_t i = 0; i < object.functions.size(); ++i) {
        const CompiledFunction& one = object.functions[i];
        if (one.call.line > 0 || !object.defined.contains(one.declared.symbol) || !is_own(one.declared))
          continue;
        const Space space = space_of(one.declared);
        if (space == Space::both || space == Space::unknown || space == Space::implicit) continue;
        const Caller caller = caller_of(one.declared, space);
        inlined(object, one, caller, std::nullopt);
        if (caller.device) linked(object, one, caller);
      }
    std::sort(found_.begin(), found_.end(), [](const runs::CompileError& a, const runs::CompileError& b) {
      return std::tie(a.at.file, a.at.line) < std::tie(b.at.file, b.at.line);
    });
    if (found_.size() > kMostCalls) found_.resize(kMostCalls);
    return std::move(found_);
  }

 private:
  std::string place(const std::string& file) const { return (folder_ / file).lexically_normal().string(); }
  bool is_own(const DeclaredFunction& function) const { return own_.contains(place(function.at.file)); }
  static bool is_standard(const DeclaredFunction& function) {
    return function.at.file.find("/include/c++/") != std::string::npos;
  }

  /// atof and its kin, which are defined in their headers.
  static bool is_of_c_library(const DeclaredFunction& function) {
    return function.at.file.find("/bits/") != std::string::npos && !function.symbol.starts_with("_Z");
  }

  /// A lambda, of which g++ does not say where it is declared.
  static bool is_lambda(const DeclaredFunction& function) {
    return function.at.line == 0 && function.name == "operator()";
  }

  Space space_of(const DeclaredFunction& function) {
    return declarations(function.at.file).space_of(function.at.line, function.name);
  }
  /// Whether the line belongs to a lambda that stands in device code.
  bool is_of_device(const runs::SourceLine& at) {
    return own_.contains(place(at.file)) && declarations(at.file).is_device_code(at.line);
  }

  const sim::Declarations& declarations(const std::string& name) {
    const std::string file = place(name);
    auto known = known_.find(file);
    if (known == known_.end()) {
      const auto own = own_.find(file);
      const bool standard = own == own_.end();
      const std::string& text =
          standard ? headers_[file] = read_file_if_any(file).value_or("") : own->second->text;
      known = known_.emplace(file, std::make_unique<sim::Declarations>(text, words_, standard)).first;
    }
    return *known->second;
  }

  static Caller caller_of(const DeclaredFunction& function, Space space) {
    const std::string name =
        function.name == "operator()" ? function.name : plain_function_name(function.symbol);
    if (space == Space::host || space == Space::host_constant)
      return {"__host__ function(\"" + name + "\")", false};
    return {std::string(space == Space::kernel ? "__global__" : "__device__") + " function(\"" + name + "\")",
            true};
  }

  static Caller unwritten(Caller caller) {
    caller.unwritten = true;
    return caller;
  }

  /// What was inlined into `function`. `line`: of the call, where that stands in code which the compiler
  /// made.
  void inlined(const Object& object, const CompiledFunction& function, const Caller& caller,
               const std::optional<runs::SourceLine>& line) {
    for (const std::size_t index : function.inlined) {
      const CompiledFunction& called = object.functions[index];
      const runs::SourceLine at = line ? *line : called.call;
      if (is_lambda(function.declared) && !is_of_device(at)) continue;
      if (const std::optional<Caller> inside = judge(called.declared, caller, at))
        inlined(object, called, *inside, inside->unwritten ? std::optional(at) : std::nullopt);
    }
  }

  /// Reports a call that is refused. The function whose calls are to be judged next, if any are.
  std::optional<Caller> judge(const DeclaredFunction& called, const Caller& caller,
                              const runs::SourceLine& at) {
    const bool own = is_own(called);
    if (is_lambda(called) && caller.device) return caller;
    if (is_of_c_library(called) && caller.device && is_host_symbol(called.symbol))
      refuse(called.symbol, Space::host, caller, at, std::string(instead_of(called.name)));
    if (!own && !is_standard(called)) return std::nullopt;
    const Space space = space_of(called);
    if (!own) {
      if (!caller.device || has_device_form(called.at.file, plain_function_name(called.symbol)))
        return std::nullopt;
      if (space == Space::implicit || space == Space::unknown) return unwritten(caller);
      if (space == Space::host_constant && relaxed_) return std::nullopt;
      refuse(called.symbol, space, caller, at, std::string(instead_of(plain_function_name(called.symbol))));
      return std::nullopt;
    }
    switch (space) {
      case Space::both:
      case Space::unknown:
      case Space::kernel:
        return std::nullopt;
      case Space::implicit:
        return unwritten(caller);
      case Space::device:
        if (caller.device) return caller_of(called, space);
        if (called.name != "operator()") refuse(called.symbol, space, caller, at, "");
        return std::nullopt;
      case Space::host:
      case Space::host_constant:
        break;
    }
    if (!caller.device) return caller_of(called, space);
    if (words_.names(called.name.substr(0, called.name.find('<')))) return std::nullopt;
    if (space == Space::host_constant && relaxed_) return std::nullopt;
    refuse(called.symbol, space, caller, at, "write __device__ before the definition of " + called.name);
    return std::nullopt;
  }

  void refuse(const std::string& symbol, Space space, const Caller& caller, const runs::SourceLine& at,
              const std::string& instead) {
    const bool constant = space == Space::host_constant;
    const std::string kind = space == Space::device ? "__device__"
                             : constant             ? "constexpr __host__"
                                                    : "__host__";
    const std::string advice = instead.empty() ? "" : ": " + instead;
    const auto own = own_.find(place(at.file));
    const std::string message = fmt::format(
        "calling a {} function(\"{}\") from a {} is not allowed{}", kind,
        constant ? plain_function_name(symbol) : shown_function_name(symbol), caller.words, advice);
    const std::string file = own == own_.end() ? at.file : own->second->file;
    for (const runs::CompileError& error : found_)
      if (error.at.file == file && error.at.line == at.line && error.message == message) return;
    found_.push_back({{file, at.line}, 0, message});
  }

  /// What the linker is asked for by `function`, which runs on the device.
  void linked(const Object& object, const CompiledFunction& function, const Caller& caller) {
    const auto calls = object.calls.find(function.declared.symbol);
    if (calls == object.calls.end()) return;
    for (const Call& call : calls->second) {
      const DeclaredFunction* called = definition(call.to);
      if (called == nullptr && (!is_host_symbol(call.to) || words_.names(call.to))) continue;
      if (called != nullptr && !is_suspect(*called)) continue;
      const std::optional<std::pair<Caller, runs::SourceLine>> from =
          written_call(object, call, function, caller);
      if (!from) continue;
      if (called != nullptr)
        judge(*called, from->first, from->second);
      else if (!is_called_by_compilers(call.to) || says(from->second, call.to))
        refuse(call.to, Space::host, from->first, from->second,
               std::string(instead_of(plain_function_name(call.to))));
    }
  }

  const DeclaredFunction* definition(const std::string& symbol) const {
    for (const Object& object : objects_)
      if (const auto found = object.by_symbol.find(symbol);
          found != object.by_symbol.end() && object.defined.contains(symbol))
        return &object.functions[found->second].declared;
    return nullptr;
  }

  /// Whether a call in device code may be one to refuse.
  bool is_suspect(const DeclaredFunction& called) {
    if (!is_own(called) && !is_standard(called)) return false;
    const Space space = space_of(called);
    return space == Space::host || space == Space::host_constant;
  }

  bool says(const runs::SourceLine& at, const std::string& word) const {
    const auto own = own_.find(place(at.file));
    if (own == own_.end()) return false;
    const std::vector<std::string> lines = lines_of(own->second->text);
    const auto line = static_cast<std::size_t>(at.line);
    return line > 0 && line <= lines.size() && lines[line - 1].find(word) != std::string::npos;
  }

  /// Where the program's own device code makes a call that it was compiled to, and which function of it does.
  /// Nothing where code of others does, or where that cannot be told. Few calls are asked about, so the tool
  /// that knows is started for each.
  std::optional<std::pair<Caller, runs::SourceLine>> written_call(const Object& object, const Call& call,
                                                                  const CompiledFunction& function,
                                                                  Caller caller) {
    const ProcessResult result = run_process({"addr2line", "-f", "-i", "-j", call.section, "-e",
                                              object.file.string(), fmt::format("{:#x}", call.offset)},
                                             folder_, {});
    const std::vector<std::string> words = lines_of(result.output);
    if (!result.ok() || words.size() < 2) return std::nullopt;
    runs::SourceLine at = {function.declared.at.file, line_in(words[words.size() - 1])};
    for (std::size_t i = words.size() / 2 - 1; i-- > 0;) {  // what was inlined into it, outermost first
      const auto known = object.by_symbol.find(words[2 * i]);
      if (known == object.by_symbol.end()) return std::nullopt;
      const DeclaredFunction& inside = object.functions[known->second].declared;
      const runs::SourceLine here = {at.file, line_in(words[2 * i + 1])};
      if (is_lambda(inside) && is_of_device(here)) {
        at = here;
        continue;
      }
      const Space space = is_own(inside) ? space_of(inside) : Space::unknown;
      if (space == Space::implicit) continue;  // its line is that of no call
      if (space != Space::device) return std::nullopt;
      caller = caller_of(inside, space);
      at = {inside.at.file, line_in(words[2 * i + 1])};
    }
    if (at.line == 0) return std::nullopt;
    return std::pair(caller, at);
  }

  /// Of "file:line", or of "file:line (discriminator 2)".
  static int line_in(const std::string& place) {
    const std::size_t colon = place.rfind(':');
    return colon == std::string::npos ? 0 : std::atoi(place.c_str() + colon + 1);
  }

  fs::path folder_;
  bool relaxed_;
  sim::DeviceWords words_;
  std::map<std::string, const ProgramSource*> own_;  ///< by place
  std::map<std::string, std::string> headers_;       ///< of the standard library, by place
  std::map<std::string, std::unique_ptr<sim::Declarations>> known_;
  std::vector<Object> objects_;
  std::vector<runs::CompileError> found_;
};

}  // namespace

std::vector<runs::CompileError> refused_calls(const std::vector<fs::path>& objects,
                                              const std::vector<ProgramSource>& sources,
                                              const fs::path& folder, bool relaxed) {
  return CallJudge(objects, sources, folder, relaxed).all();
}

std::string describe(const std::vector<runs::CompileError>& errors,
                     const std::vector<ProgramSource>& sources) {
  std::string text;
  for (const runs::CompileError& error : errors) {
    text += fmt::format("{}:{}: error: {}\n", error.at.file, error.at.line, error.message);
    for (const ProgramSource& source : sources) {
      const std::vector<std::string> lines = lines_of(source.text);
      const auto line = static_cast<std::size_t>(error.at.line);
      if (source.file == error.at.file && line > 0 && line <= lines.size())
        text += fmt::format("{:5} | {}\n", line, lines[line - 1]);
    }
  }
  return text;
}

}  // namespace workbook::cli
