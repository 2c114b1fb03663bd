// What ends a command early, each with its exit status (UX.md). main.cpp prints them; nothing else catches
// them.
#pragma once

#include <stdexcept>
#include <string>

namespace workbook::cli {

enum Exit : int {
  kCorrect = 0,
  kWrong = 1,
  kUsage = 2,
  kDoesNotCompile = 3,
  kCrashed = 4,
  kHarnessFault = 5,
  kNoDevice = 77,
};

struct Failure : std::runtime_error {
  Failure(Exit status, const std::string& sentence) : std::runtime_error(sentence), exit(status) {}
  Exit exit;
};

/// The command line asks for something that is not there.
struct UsageError : Failure {
  explicit UsageError(const std::string& sentence) : Failure(kUsage, sentence) {}
};

/// Something of ours or of the machine is broken: a file that cannot be written, a library not built.
struct HarnessError : Failure {
  explicit HarnessError(const std::string& sentence) : Failure(kHarnessFault, sentence) {}
};

/// In place of what the running program lacks: the program, beside this one, that has it
/// (commands/elsewhere.h).
struct Elsewhere {
  const char* program;
};

struct NoDeviceError : Failure {
  explicit NoDeviceError(const std::string& sentence) : Failure(kNoDevice, sentence) {}
};

}  // namespace workbook::cli
