// What the judge and the program of a stranger's kernels say to each other: they share no memory, so that
// what is expected of the kernels is nowhere in theirs. Used by both sides (backend.cpp, serve_main.cpp).
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/element.h"
#include "runs/json.h"

namespace workbook::apart {

/// The descriptor that the kernels' program finds its end at.
inline constexpr int kKernelsEnd = 3;

/// Words of a message's "says", in the order of a conversation: hello, then any of the others.
namespace says {
inline constexpr const char *kHello = "hello", *kExecute = "execute", *kBenchmark = "benchmark",
                            *kAdvice = "advice", *kWriter = "writer", *kCaller = "caller";  // the judge's
inline constexpr const char *kDone = "done", *kStep = "step", *kLaunchFailed = "launch failed",
                            *kFailed = "failed", *kLost = "lost";  // the kernels'
}  // namespace says

/// The other side is gone, or what it says is no message.
class Silence : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One end of a stream socket. Messages are JSON, and behind it the bytes of arrays whose sizes both know.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// All of these throw Silence.
  void send(const runs::Json& message) const;
  void send(std::span<const std::byte> bytes) const;
  runs::Json receive() const;
  core::Bytes receive(std::size_t bytes) const;

 private:
  void read_all(void* into, std::size_t bytes) const;

  int descriptor_;
};

}  // namespace workbook::apart
