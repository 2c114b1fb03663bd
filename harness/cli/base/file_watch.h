// Waits until a file is saved: by inotify, or by asking for its time where that does not work.
#pragma once

#include <chrono>
#include <filesystem>

namespace workbook::cli {

class FileWatch {
 public:
  FileWatch(std::filesystem::path file, bool poll);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  enum class Event { saved, key, nothing };
  /// Waits for a save (then until it has been quiet for 200 ms) or for a key on stdin.
  Event wait(std::chrono::milliseconds most);

 private:
  bool changed();  ///< since the last call

  std::filesystem::path file_;
  int inotify_ = -1;
  std::filesystem::file_time_type time_{};
  std::uintmax_t size_ = 0;
};

}  // namespace workbook::cli
