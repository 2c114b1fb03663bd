// The sanitizer's atomic entry points: std::atomic, __atomic builtins and the guards of function-local
// statics in instrumented code come here. Every order is run as sequentially consistent.
#include "hooks.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

template <class T>
void note_atomic_store(const volatile T* a, Pc pc) {
  note_access<runs::Access::atomic>(a, sizeof(T), pc);
}

/// What the host sees may tell it that work has ended: for it this is a read. True: it was the host.
template <class T>
bool note_look(const volatile T* a, Pc pc) {
  if (this_worker != nullptr && this_worker->current != nullptr) return false;
  note_host(reinterpret_cast<std::uintptr_t>(a), sizeof(T), runs::Access::read, true, pc);
  return true;
}

template <class T>
void note_atomic_load(const volatile T* a, Pc pc) {
  if (!note_look(a, pc)) note_access<runs::Access::atomic>(a, sizeof(T), pc);
}

template <class T>
void note_atomic(const volatile T* a, Pc pc) {
  note_look(a, pc);
  note_access<runs::Access::atomic>(a, sizeof(T), pc);
}

}  // namespace

#define WORKBOOK_ATOMIC_UPDATE(BITS, NAME)                                                                 \
  std::uint##BITS##_t __tsan_atomic##BITS##_##NAME(volatile std::uint##BITS##_t* a, std::uint##BITS##_t v, \
                                                   int) {                                                  \
    note_atomic(a, WORKBOOK_PC);                                                                           \
    return __atomic_##NAME(a, v, __ATOMIC_SEQ_CST);                                                        \
  }

#define WORKBOOK_ATOMICS(BITS)                                                                               \
  std::uint##BITS##_t __tsan_atomic##BITS##_load(const volatile std::uint##BITS##_t* a, int) {               \
    note_atomic_load(a, WORKBOOK_PC);                                                                        \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                          \
  void __tsan_atomic##BITS##_store(volatile std::uint##BITS##_t* a, std::uint##BITS##_t v, int) {            \
    note_atomic_store(a, WORKBOOK_PC);                                                                       \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                \
  }                                                                                                          \
  std::uint##BITS##_t __tsan_atomic##BITS##_exchange(volatile std::uint##BITS##_t* a, std::uint##BITS##_t v, \
                                                     int) {                                                  \
    note_atomic(a, WORKBOOK_PC);                                                                             \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_add)                                                                    \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_sub)                                                                    \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_and)                                                                    \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_or)                                                                     \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_xor)                                                                    \
  WORKBOOK_ATOMIC_UPDATE(BITS, fetch_nand)                                                                   \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile std::uint##BITS##_t* a, std::uint##BITS##_t* c, \
                                                    std::uint##BITS##_t v, int, int) {                       \
    note_atomic(a, WORKBOOK_PC);                                                                             \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }                                                                                                          \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile std::uint##BITS##_t* a, std::uint##BITS##_t* c,   \
                                                  std::uint##BITS##_t v, int, int) {                         \
    note_atomic(a, WORKBOOK_PC);                                                                             \
    return __atomic_compare_exchange_n(a, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
  }                                                                                                          \
  std::uint##BITS##_t __tsan_atomic##BITS##_compare_exchange_val(                                            \
      volatile std::uint##BITS##_t* a, std::uint##BITS##_t c, std::uint##BITS##_t v, int, int) {             \
    note_atomic(a, WORKBOOK_PC);                                                                             \
    __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    return c;                                                                                                \
  }

extern "C" {
WORKBOOK_ATOMICS(8)
WORKBOOK_ATOMICS(16)
WORKBOOK_ATOMICS(32)
WORKBOOK_ATOMICS(64)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
