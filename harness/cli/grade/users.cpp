#include "cli/grade/users.h"

#include <unistd.h>

#include "cli/base/errors.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

// Nobody's numbers on Debian and Ubuntu, where users begin at 1000 and end at 60000. The program must not
// write where the compiler does: the linker's output is next to be started.
constexpr uid_t kCompilerUser = 60701, kProgramUser = 60702;

/// The puzzles' objects, with their references.
void close_to_others(const fs::path& state) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(state / "cache", error))
    if (entry.path().filename().string().starts_with("puzzle-"))
      fs::permissions(entry.path(), fs::perms::owner_all);
}

}  // namespace

Users::Users(const fs::path& state, const CourseLimits& limits)
    : CourseConfinement(limits),
      confine_(fs::read_symlink("/proc/self/exe").replace_filename("workbook_confine")),
      filter_(state / "grade" / "calls.bpf") {
  if (geteuid() != 0)
    throw HarnessError("Without a sandbox, submissions can only be run as users of their own, by root.");
  write_call_filter(filter_);
  close_to_others(state);
}

std::vector<std::string> Users::around(Of what, const std::vector<std::string>& command,
                                       const fs::path& folder, const Reachable& reachable) const {
  const bool compiles = what == Of::compiler;
  const uid_t user = compiles ? kCompilerUser : kProgramUser;
  for (const fs::path& path : reachable.write)
    if (chown(path.c_str(), user, user) != 0)
      throw HarnessError(path.string() + " cannot be given to the compiler's user.");
  std::vector<std::string> words = {confine_.string(), std::to_string(user),
                                    compiles ? "-" : filter_.string(), folder.string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

bool Users::failed(const std::string& output) const { return output.starts_with("workbook_confine: "); }

}  // namespace workbook::cli
