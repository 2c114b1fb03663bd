#include "cli/base/file_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/base/terminal.h"

namespace workbook::cli {
namespace {

constexpr int kPollMilliseconds = 300;
constexpr int kQuietMilliseconds = 200;  // editors write, rename and touch: one save, several events

}  // namespace

FileWatch::FileWatch(std::filesystem::path file, bool poll) : file_(std::move(file)) {
  changed();
  if (poll) return;
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  // The folder, not the file: editors replace it. Where this fails, its time is asked for.
  if (inotify_ >= 0 && inotify_add_watch(inotify_, file_.parent_path().c_str(),
                                         IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE) < 0) {
    close(inotify_);
    inotify_ = -1;
  }
}

FileWatch::~FileWatch() {
  if (inotify_ >= 0) close(inotify_);
}

bool FileWatch::changed() {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file_, error);
  if (error) return false;  // between an editor's remove and rename
  const std::uintmax_t size = std::filesystem::file_size(file_, error);
  const bool is_new = time != time_ || size != size_;
  time_ = time;
  size_ = size;
  return is_new;
}

FileWatch::Event FileWatch::wait(std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    if (left <= 0) return Event::nothing;
    std::array<pollfd, 2> waiting{
        {{stdin_is_terminal() ? STDIN_FILENO : -1, POLLIN, 0}, {inotify_, POLLIN, 0}}};
    const int step = static_cast<int>(std::min<long long>(left, inotify_ >= 0 ? 1000 : kPollMilliseconds));
    poll(waiting.data(), waiting.size(), step);
    if ((waiting[0].revents & POLLIN) != 0) return Event::key;
    if (waiting[0].revents != 0) return Event::nothing;  // the terminal went away
    std::array<char, 4096> events;
    while (inotify_ >= 0 && read(inotify_, events.data(), events.size()) > 0) {
    }
    if (!changed()) continue;
    while (poll(nullptr, 0, kQuietMilliseconds) == 0 && changed()) {
    }
    return Event::saved;
  }
}

}  // namespace workbook::cli
