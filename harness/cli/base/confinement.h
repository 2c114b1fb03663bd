// What keeps a compiler and a program to what is theirs, where the code that they are given is a stranger's.
// `workbook grade` has one of bubblewrap (cli/grade/sandbox.h); a learner's own code runs without.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/process.h"

namespace workbook::cli {

/// Files and folders that a command needs beside the system's: absolute, and there.
struct Reachable {
  std::vector<std::filesystem::path> read, write;
  std::vector<std::filesystem::path> libraries = {};  ///< folders that a program's are looked for in first
};

class Confinement {
 public:
  enum class Of { compiler, program, device_program };  ///< the last may use the machine's GPU

  virtual ~Confinement() = default;
  /// The command that runs `command` in `folder`, where it sees nothing but what it may reach.
  virtual std::vector<std::string> around(Of what, const std::vector<std::string>& command,
                                          const std::filesystem::path& folder,
                                          const Reachable& reachable) const = 0;
  /// What the command that around() gives may use.
  virtual ProcessLimits limits(Of what) const = 0;
  /// Whether a command that failed, and said this, was not even started.
  virtual bool failed(const std::string& output) const = 0;
  /// What an object that was just compiled holds and must not, as a sentence's end; empty: nothing. `beside`:
  /// what it is linked with that is given, whose functions it may call.
  virtual std::string refuses(const std::filesystem::path& object,
                              const std::vector<std::filesystem::path>& beside) const = 0;
  /// The compiler's limits, as whoever meets one reads them: "60 s of a processor or 2 GB of memory".
  virtual std::string words() const = 0;
};

}  // namespace workbook::cli
