// workbook_confine UID FILTER FOLDER COMMAND...: becomes the command as that user, in that folder, without
// privileges, groups or the environment. FILTER: a file of system calls that it may not make, as bubblewrap
// takes it; "-": none. For cli/grade/users.cpp, and of use to root alone.
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr rlim_t kMostThreads = 1024;  // of the user, who has nothing else

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "workbook_confine: %s: %s\n", what, std::strerror(errno));
  std::exit(126);
}

void limit(decltype(RLIMIT_NPROC) what, rlim_t most) {
  const rlimit both{most, most};
  if (setrlimit(what, &both) != 0) fail("setrlimit");
}

void load_filter(const char* file) {
  static std::array<sock_filter, BPF_MAXINSNS> code;
  std::FILE* in = std::fopen(file, "rb");
  if (in == nullptr) fail(file);
  const std::size_t steps = std::fread(code.data(), sizeof(sock_filter), code.size(), in);
  std::fclose(in);
  if (steps == 0) fail(file);
  const sock_fprog program{static_cast<unsigned short>(steps), code.data()};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) fail("the filter of system calls");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("workbook_confine: for `workbook grade` alone\n", stderr);
    return 126;
  }
  const auto user = static_cast<uid_t>(std::strtoul(argv[1], nullptr, 10));
  const std::string filter = argv[2];
  const pid_t parent = getppid();
  if (user == 0) fail("a user is needed, and not root");
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, kMostThreads);
  if (chdir(argv[3]) != 0) fail(argv[3]);
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    fail("the user's rights");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no new privileges");
  // After the user was changed, which undoes it; and the parent may have ended before.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) fail("the end with its parent");
  if (filter != "-") load_filter(argv[2]);
  const char* environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp", nullptr};
  execvpe(argv[4], argv + 4, const_cast<char**>(environment));
  fail(argv[4]);
}
