#include "cli/grade/control_groups.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/base/process.h"
#include "cli/base/text.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "workbook-";
constexpr std::size_t kLatest = 256;  // more than are started at a time

bool put(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  return static_cast<bool>(out.flush());
}

bool has_words(const fs::path& file, std::initializer_list<std::string_view> wanted) {
  std::istringstream text(read_file_if_any(file).value_or(""));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

/// The path behind "7:pids:" or "0::" in /proc/self/cgroup; nothing where there is no such line.
std::string own_path(const std::string& own, std::string_view controller) {
  for (const std::string& line : lines_of(own)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::istringstream names(line.substr(first + 1, second - first - 1));
    std::string name;
    bool found = controller.empty() && second == first + 1;
    while (std::getline(names, name, ',')) found = found || name == controller;
    if (found) return line.substr(second + 1);
  }
  return "";
}

/// Whether groups can be made in `parent` and be joined by a process of ours.
bool can_join(const fs::path& parent) {
  const fs::path group = parent / fmt::format("{}{}-tried", kName, getpid());
  std::error_code error;
  if (!fs::create_directory(group, error) && !fs::is_directory(group, error)) return false;
  const bool joined =
      run_process({"sh", "-c", "echo $$ > \"$0\"/cgroup.procs", group.string()}, "/", {}).exit_code == 0;
  fs::remove(group, error);
  return joined;
}

/// Groups that a run which was killed has left.
void take_leftovers_away(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kName)) continue;
    const int process = std::atoi(name.c_str() + std::string_view(kName).size());
    std::error_code busy;
    if (process > 0 && kill(process, 0) != 0) fs::remove(entry.path(), busy);
  }
}

}  // namespace

ControlGroups::ControlGroups(fs::path mounted, const std::string& own) : mounted_(std::move(mounted)) {
  find_older(own);
  if (parents_.empty()) find_unified(own);
  for (const fs::path& parent : parents_) take_leftovers_away(parent);
}

ControlGroups::~ControlGroups() { sweep(0); }

void ControlGroups::find_older(const std::string& own) {
  std::vector<fs::path> found;
  for (const char* controller : {"memory", "pids"}) {
    const fs::path hierarchy = mounted_ / controller;
    const std::string path = own_path(own, controller);
    std::error_code error;
    if (path.empty() || !fs::exists(hierarchy / "cgroup.procs", error)) return;
    fs::path parent = hierarchy / fs::path(path).relative_path();
    if (!fs::exists(parent, error)) parent = hierarchy;  // a container's own root
    if (!can_join(parent)) return;
    found.push_back(parent);
  }
  parents_ = found;
}

// Groups can have limits where their parent hands the controllers down, and a parent that does has no
// processes of its own. So it is an ancestor of our group; or our own, where nobody but us is in it and we
// move into a group below it.
void ControlGroups::find_unified(const std::string& own) {
  std::error_code error;
  const fs::path root = fs::exists(mounted_ / "cgroup.controllers", error) ? mounted_ : mounted_ / "unified";
  const std::string path = own_path(own, "");
  if (path.empty() || !has_words(root / "cgroup.controllers", {"memory", "pids"})) return;
  const fs::path ours = root / fs::path(path).relative_path();
  unified_ = true;
  for (fs::path at = ours;; at = at.parent_path()) {
    if (has_words(at / "cgroup.subtree_control", {"memory", "pids"}) && can_join(at)) {
      parents_ = {at};
      return;
    }
    if (at == root || at == at.parent_path()) break;
  }
  if (!has_words(ours / "cgroup.controllers", {"memory", "pids"})) return;
  const fs::path leaf = ours / fmt::format("{}{}-self", kName, getpid());
  if (!fs::create_directory(leaf, error)) return;
  if (put(leaf / "cgroup.procs", std::to_string(getpid())) &&
      put(ours / "cgroup.subtree_control", "+memory +pids") && can_join(ours)) {
    parents_ = {ours};
    return;
  }
  put(ours / "cgroup.procs", std::to_string(getpid()));
  fs::remove(leaf, error);
}

std::vector<std::string> ControlGroups::around(const std::vector<std::string>& command,
                                               const Limits& limits) {
  if (parents_.empty()) return command;
  const std::string memory = std::to_string(limits.memory_bytes), most = std::to_string(limits.processes);
  std::vector<fs::path> groups;
  {
    const std::lock_guard lock(mutex_);
    ++count_;
    for (const fs::path& parent : parents_)
      groups.push_back(parent / fmt::format("{}{}-{}", kName, getpid(), count_));
  }
  sweep(kLatest);
  std::error_code error;
  for (const fs::path& group : groups) fs::create_directory(group, error);
  if (unified_) {
    put(groups.front() / "memory.max", memory);
    put(groups.front() / "memory.swap.max", "0");
    put(groups.front() / "pids.max", most);
  } else {
    put(groups.front() / "memory.limit_in_bytes", memory);
    put(groups.front() / "memory.memsw.limit_in_bytes", memory);  // not everywhere
    put(groups.back() / "pids.max", most);
  }
  // A process that cannot join runs nothing: it would be unbounded.
  std::string script;
  for (std::size_t i = 0; i < groups.size(); ++i)
    script += fmt::format(
        "echo $$ 2>/dev/null >\"${}\"/cgroup.procs || {{ echo 'bwrap: its control group cannot be joined'; exit 125; }}; ",
        i);
  script += fmt::format("shift {}; exec \"$@\"", groups.size() - 1);
  std::vector<std::string> words = {"sh", "-c", script};
  for (const fs::path& group : groups) words.push_back(group.string());
  words.insert(words.end(), command.begin(), command.end());
  const std::lock_guard lock(mutex_);
  made_.insert(made_.end(), groups.begin(), groups.end());
  return words;
}

/// Those that nobody is in any more, but for the latest, which somebody may be about to join.
void ControlGroups::sweep(std::size_t latest) {
  const std::lock_guard lock(mutex_);
  if (made_.size() <= latest) return;
  const auto end = made_.end() - static_cast<std::ptrdiff_t>(latest);
  const auto kept = std::remove_if(made_.begin(), end, [](const fs::path& group) {
    std::error_code error;
    return fs::remove(group, error) || !fs::exists(group, error);
  });
  made_.erase(kept, end);
}

}  // namespace workbook::cli
