// A program run beside the viewer: started, read without waiting, ended with everything that it started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace workbook::viewer {

class Task {
 public:
  Task() = default;
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Starts `command` in `folder`, in a process group of its own, with `environment` on top of ours. What ran
  /// before is ended and its output forgotten. Throws std::runtime_error with a sentence when the program
  /// cannot be started.
  void start(const std::vector<std::string>& command, const std::filesystem::path& folder,
             const std::vector<std::pair<std::string, std::string>>& environment = {});
  /// Takes what it has printed since; true when there was something, or when it has ended. Never waits.
  bool poll();
  /// Asks the whole group to end; those that do not within a second are killed, by poll.
  void cancel();
  /// Polls until it has ended or `limit` is over; true when it has ended.
  bool wait(std::chrono::milliseconds limit);

  bool running() const { return child_ > 0; }
  /// Stdout and stderr as they came, without escape sequences. Of very much output, the end.
  const std::string& output() const { return output_; }
  double elapsed_s() const;  ///< so far, or until it ended
  bool cancelled() const { return cancelled_; }
  int exit_code() const { return exit_code_; }  ///< -1 while it runs, and when a signal ended it
  int signal() const { return signal_; }        ///< 0: none

 private:
  void take(const char* bytes, std::size_t count);
  void finish(int status);
  void kill_group(int number);

  pid_t child_ = 0;
  int pipe_ = -1;
  std::string output_;
  enum class Escape { none, begun, inside } escape_ = Escape::none;
  bool returned_ = false;  ///< a carriage return came last: what follows writes over the line
  bool cancelled_ = false;
  int exit_code_ = -1, signal_ = 0;
  std::chrono::steady_clock::time_point started_{}, ended_{}, cancelled_at_{};
};

/// Starts a program that outlives the viewer, such as an editor. Throws std::runtime_error with a sentence.
void start_detached(const std::vector<std::string>& command, const std::filesystem::path& folder);

}  // namespace workbook::viewer
