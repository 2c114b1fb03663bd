#include "emergency_heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

// glibc's own, under the names by which it gives them to whoever stands before it.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);
}

namespace workbook::sim {
namespace {

std::atomic<bool> is_emergency{false};

constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kAlignment = 16;

/// Each block has its size before it, marked as glibc marks a mapping of its own: so malloc_usable_size()
/// reads it.
class Emergency {
 public:
  void* take(std::size_t bytes) {
    constexpr std::size_t kIsMapping = 2;
    const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
    if (whole < bytes) return nullptr;
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
    if (left_ < whole) more(whole);
    char* const block = left_ < whole ? nullptr : next_;
    if (block != nullptr) {
      next_ += whole;
      left_ -= whole;
    }
    busy_.clear(std::memory_order_release);
    if (block == nullptr) return nullptr;
    const std::size_t marked = whole | kIsMapping;
    std::memcpy(block + kAlignment - sizeof marked, &marked, sizeof marked);
    return block + kAlignment;
  }

 private:
  void more(std::size_t whole) {
    const std::size_t bytes = std::max(whole, kPiece);
    void* const piece = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return;
    next_ = static_cast<char*>(piece);
    left_ = bytes;
  }

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};
constinit Emergency emergency;

}  // namespace

void begin_emergency() { is_emergency.store(true, std::memory_order_relaxed); }

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

void* workbook_sim_malloc(std::size_t bytes) {
  if (!is_emergency.load(std::memory_order_relaxed)) [[likely]]
    return __libc_malloc(bytes);
  return emergency.take(bytes);
}
void* workbook_sim_calloc(std::size_t count, std::size_t bytes) {
  if (!is_emergency.load(std::memory_order_relaxed)) [[likely]]
    return __libc_calloc(count, bytes);
  std::size_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? nullptr : emergency.take(all);  // a new mapping is zero
}
void* workbook_sim_realloc(void* p, std::size_t bytes) {
  if (!is_emergency.load(std::memory_order_relaxed)) [[likely]]
    return __libc_realloc(p, bytes);
  void* const moved = emergency.take(bytes);
  if (p != nullptr && moved != nullptr) std::memcpy(moved, p, std::min(bytes, malloc_usable_size(p)));
  return moved;
}
void workbook_sim_free(void* p) {
  if (!is_emergency.load(std::memory_order_relaxed)) [[likely]]
    __libc_free(p);
}
}
