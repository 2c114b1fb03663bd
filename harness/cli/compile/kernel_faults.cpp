#include "cli/compile/kernel_faults.h"

#include <algorithm>
#include <optional>

#include "cli/base/text.h"
#include "translate/cuda_tokens.h"

namespace workbook::cli {
namespace {

struct Kernel {
  std::string name;
  std::vector<std::string> types;  ///< of its parameters
  std::string parameters;          ///< as they are written
  int line = 0;
};

/// The parameter at [begin, end) without its name and what it is by default.
std::string type_at(const sim::Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (tokens.is(i, "=")) end = i;
  if (end > begin + 1 && tokens.is_word(end - 1) && !tokens.is(end - 1, "const")) --end;
  return tokens.joined(begin, end);
}

/// Tokens [begin, end) as they are written, on one line.
std::string written_at(const sim::Tokens& tokens, std::size_t begin, std::size_t end) {
  if (begin >= std::min(end, tokens.size())) return "";
  const std::string_view text =
      tokens.source().substr(tokens[begin].begin, tokens[end - 1].end - tokens[begin].begin);
  return wrapped(text, std::string::npos, "");
}

/// The kernel whose name stands at `name`.
Kernel kernel_at(const sim::Tokens& tokens, std::size_t name) {
  const std::size_t open = name + 1, close = tokens.closing(open);
  Kernel kernel{std::string(tokens.text(name)), {}, written_at(tokens, open + 1, close), tokens.line(name)};
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i < close; ++i) {
    if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{"))
      i = tokens.closing(i);
    else if (tokens.is(i, "<"))
      i = tokens.closing_angle(i);
    else if (tokens.is(i, ",")) {
      kernel.types.push_back(type_at(tokens, begin, i));
      begin = i + 1;
    }
  }
  if (begin < close) kernel.types.push_back(type_at(tokens, begin, close));
  return kernel;
}

std::vector<Kernel> kernels_in(std::string_view source) {
  const sim::Tokens tokens(source);
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, "__global__"))
      if (const std::size_t name = tokens.declared_name(i); name < tokens.size())
        kernels.push_back(kernel_at(tokens, name));
  return kernels;
}

const Kernel* find(const std::vector<Kernel>& kernels, std::string_view name) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& each) { return each.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

/// Where `word` stands first; size() where it does not.
std::size_t first(const sim::Tokens& tokens, std::string_view word) {
  std::size_t i = 0;
  while (i < tokens.size() && !tokens.is(i, word)) ++i;
  return i;
}

/// The line at which a function is declared that is no kernel: by nothing but words that C++ and CUDA have
/// for that, for a macro may hold anything. 0: there is none.
int declared_without_global(const sim::Tokens& tokens, std::string_view name) {
  static const std::vector<std::string_view> kWords = {"void",   "__device__", "__host__", "__forceinline__",
                                                       "inline", "static"};
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens.is(i, name) || !tokens.is(i + 1, "(") || !tokens.is(i - 1, "void")) continue;
    for (std::size_t k = i - 1;; --k) {
      const bool begins =
          tokens.is(k, ";") || tokens.is(k, "}") || tokens.is(k, ">");  // of a template's header
      if (!begins && std::find(kWords.begin(), kWords.end(), tokens.text(k)) == kWords.end()) break;
      if (begins || k == 0) return tokens.line(i);
    }
  }
  return 0;
}

/// Those kernels of the learner's that the file does not begin with and that nothing launches.
std::vector<const Kernel*> strangers(const std::vector<Kernel>& kernels, const std::vector<Kernel>& begun,
                                     const sim::Tokens& launches) {
  std::vector<const Kernel*> all;
  for (const Kernel& kernel : kernels)
    if (!find(begun, kernel.name) && first(launches, kernel.name) == launches.size()) all.push_back(&kernel);
  return all;
}

/// The one that was called like `missing`: the only one, else the only one with its parameters.
const Kernel* renamed(const Kernel& missing, const std::vector<const Kernel*>& strangers) {
  if (strangers.size() == 1) return strangers.front();
  std::vector<const Kernel*> alike;
  for (const Kernel* each : strangers)
    if (each->types == missing.types) alike.push_back(each);
  return alike.size() == 1 ? alike.front() : nullptr;
}

runs::CompileError missing_error(const Kernel& missing, const std::vector<const Kernel*>& strangers,
                                 const WrittenSource& learner, const std::string& user) {
  const std::string what = "there is no kernel " + missing.name + " any more, and " + user + " uses it";
  if (const Kernel* now = renamed(missing, strangers))
    return {{learner.file, now->line}, 0, what + ". This one is new: call it " + missing.name + " again"};
  std::vector<std::string> names;
  for (const Kernel* each : strangers) names.push_back(each->name);
  if (!names.empty())
    return {{learner.file, strangers.front()->line},
            0,
            what + ". New are " + joined(names, ", ") + ": is it one of them?"};
  return {{learner.file, 1},
          0,
          what + ": put it back, as __global__ void " + missing.name + "(" + missing.parameters + ")"};
}

std::string text_of(const runs::CompileError& error, const std::string& written) {
  const std::string number = std::to_string(error.at.line);
  const std::vector<std::string> lines = lines_of(written);
  const std::string line = static_cast<std::size_t>(error.at.line) <= lines.size()
                               ? lines[static_cast<std::size_t>(error.at.line) - 1]
                               : "";
  return error.at.file + ":" + number + ": error: " + error.message + '\n' +
         std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | " + line + '\n';
}

}  // namespace

std::vector<runs::CompileError> lost_kernels(const WrittenSource& learner, std::string_view begun,
                                             std::string_view launches) {
  const sim::Tokens tokens(learner.written), users(launches);
  const std::vector<Kernel> kernels = kernels_in(learner.written);
  std::vector<runs::CompileError> errors;
  for (const Kernel& kernel : kernels_in(begun)) {
    if (find(kernels, kernel.name) || first(users, kernel.name) == users.size()) continue;
    if (const int line = declared_without_global(tokens, kernel.name); line > 0)
      errors.push_back({{learner.file, line},
                        0,
                        kernel.name +
                            " is launched, and only a __global__ function can be: write __global__ void " +
                            kernel.name + "(...)"});
  }
  return errors;
}

void name_kernel_faults(CompilerOutput& output, const WrittenSource& learner, std::string_view begun,
                        const WrittenSource& launches) {
  const std::vector<Kernel> kernels = kernels_in(learner.written), before = kernels_in(begun);
  const sim::Tokens users(launches.written), own(learner.written);
  const auto new_ones = strangers(kernels, before, users);
  std::vector<runs::CompileError> faults;
  for (const Kernel& kernel : before) {
    const std::size_t use = first(users, kernel.name);
    if (use == users.size()) continue;
    const std::string user = "launches.cu:" + std::to_string(users.line(use));
    const Kernel* now = find(kernels, kernel.name);
    if (now == nullptr && first(own, kernel.name) == own.size())
      faults.push_back(missing_error(kernel, new_ones, learner, user));
    else if (now != nullptr && now->types != kernel.types)
      faults.push_back({{learner.file, now->line},
                        0,
                        kernel.name + " has other parameters than " + user + " gives it: it began as " +
                            kernel.name + "(" + kernel.parameters + ")"});
  }
  const bool elsewhere = std::any_of(output.errors.begin(), output.errors.end(),
                                     [&](const auto& error) { return error.at.file != learner.file; });
  if (faults.empty() || !elsewhere) return;
  // Of the rest what is the learner's own to mend.
  std::vector<runs::CompileError> errors = faults;
  std::string text;
  for (const runs::CompileError& fault : faults) text += text_of(fault, learner.written);
  for (const runs::CompileError& error : output.errors)
    if (error.at.file == learner.file && std::none_of(faults.begin(), faults.end(), [&](const auto& fault) {
          return fault.at.line == error.at.line;
        })) {
      errors.push_back(error);
      text += text_of(error, learner.written);
    }
  output.errors = std::move(errors);
  output.text = std::move(text);
}

}  // namespace workbook::cli
