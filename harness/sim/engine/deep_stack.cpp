#include "deep_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "engine.h"
#include "kernel_info.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kWatchedPage = 4096;
// Each such page splits a mapping in three, of which a process may have 65530 (engine/fiber.cpp has more of
// them).
constexpr std::size_t kWatched = 4096;

struct Watched {
  std::byte* page = nullptr;  ///< null: not any more
  std::byte* end = nullptr;   ///< of the stack
};
Watched watched[kWatched];
std::atomic<bool> is_found{false};

bool leads_to_code(std::uintptr_t word) { return in_program_image(word) && word < writable_image_begin(); }

}  // namespace

DeepStack& DeepStack::get() {
  static DeepStack& all = *new DeepStack;
  return all;
}

void DeepStack::set_limit(std::size_t bytes) { limit_ = bytes; }

void DeepStack::watch(std::size_t number, std::byte* stack, std::size_t bytes) {
  const std::size_t deep = kCertain * limit_ + kWatchedPage;
  if (limit_ == 0 || number >= kWatched || deep + 16 * kWatchedPage > bytes ||
      sysconf(_SC_PAGESIZE) != long{kWatchedPage})
    return;
  std::byte* const page = stack + (bytes - deep) / kWatchedPage * kWatchedPage;
  if (mprotect(page, kWatchedPage, PROT_NONE) == 0) watched[number] = {page, stack + bytes};
}

bool DeepStack::reached(std::uintptr_t address, std::uintptr_t sp) {
  for (Watched& w : watched) {
    if (w.page == nullptr || address - reinterpret_cast<std::uintptr_t>(w.page) >= kWatchedPage) continue;
    mprotect(w.page, kWatchedPage, PROT_READ | PROT_WRITE);
    w.page = nullptr;
    look(sp, reinterpret_cast<std::uintptr_t>(w.end));
    return true;
  }
  return false;
}

/// Where a function calls itself, the stack holds the address behind that call again and again. Whatever else
/// may be there is looked at as it is, for a signal handler can ask nobody.
void DeepStack::look(std::uintptr_t sp, std::uintptr_t end) {
  constexpr std::size_t kTried = 128, kTimes = 8;
  const auto* const words = reinterpret_cast<const std::uintptr_t*>((sp + 7) / 8 * 8);
  const std::size_t count = end > sp ? (end - sp) / 8 : 0;
  std::size_t most = 0, span = 0;
  std::uintptr_t call = 0;
  for (std::size_t i = 0; i < kTried && i < count; ++i) {
    if (!leads_to_code(words[i]) || words[i] == call) continue;
    std::size_t times = 0, last = i;
    for (std::size_t j = i; j + 1 < count; ++j)
      if (words[j] == words[i]) ++times, last = j;
    if (times > most) most = times, span = (last - i) * 8, call = words[i];
  }
  if (most < kTimes || span < kOwnCalls * limit_ || is_found.exchange(true)) return;
  const Worker* const worker = this_worker;
  found_ = {call, worker != nullptr && worker->launch != nullptr ? worker->launch->kernel->name : "", limit_};
}

}  // namespace workbook::sim
