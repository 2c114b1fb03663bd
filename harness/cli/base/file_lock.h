// One process at a time in a build folder. The lock goes with the process, however it ends.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/interrupt.h"

namespace workbook::cli {

/// Ctrl-C came where Ctrl-C is remembered (interrupt.h), while somebody else held the lock.
struct WaitEnded : HarnessError {
  using HarnessError::HarnessError;
};

class FileLock {
 public:
  /// Waits until the lock is free. Creates the file and its folder. Throws WaitEnded.
  explicit FileLock(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) throw HarnessError(file.string() + " cannot be written: " + std::strerror(errno) + ".");
    try {
      wait(file);
    } catch (...) {
      close(fd_);
      throw;
    }
  }
  ~FileLock() { close(fd_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  /// Asks again and again: a signal may go to another thread, or come just before a call that sleeps.
  void wait(const std::filesystem::path& file) const {
    constexpr auto kLook = std::chrono::milliseconds(10);
    while (flock(fd_, LOCK_EX | LOCK_NB) != 0 && (errno == EINTR || errno == EWOULDBLOCK)) {
      if (interrupted)
        throw WaitEnded("Another `workbook` is at work in " + file.parent_path().string() +
                        ": what waited for it was ended.");
      std::this_thread::sleep_for(kLook);
    }
  }

  int fd_ = -1;
};

}  // namespace workbook::cli
