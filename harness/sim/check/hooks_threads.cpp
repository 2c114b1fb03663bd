// By what the host's threads, and functions that streams call, let others know how far they have come: the
// linker is told to wrap it (cli/compile/simulator_toolchain.cpp).
#include <pthread.h>
#include <semaphore.h>

#include <thread>

#include "sim/source/symbols.h"
#include "stream_order.h"

using namespace workbook::sim;

namespace {

/// The calling thread lets others go on, or waits for them.
void note_synchronised(Pc pc) {
  const bool in_function = StreamOrder::is_in_function();
  if ((!in_function && !HostThreads::any()) || is_engine_code(pc)) return;
  if (in_function)
    StreamOrder::get().tell_others();
  else
    StreamOrder::get().synchronise_thread();
}

/// `start` begins a thread, and returns it if that went well.
template <class Start>
void begin_thread(Pc pc, Start start) {
  const bool of_program = !is_engine_code(pc) && StreamOrder::is_on();
  if (of_program && StreamOrder::is_in_function()) StreamOrder::get().tell_others();
  if (of_program)
    StreamOrder::get().begin_thread(start);
  else
    start();
}

void note_joined(Pc pc, pthread_t thread) {
  if (HostThreads::any() && !is_engine_code(pc)) StreamOrder::get().join_thread(thread);
}

}  // namespace

#define WORKBOOK_SYNCHRONISES(NAME, TYPE)         \
  int __real_##NAME(TYPE*) __attribute__((weak)); \
  int __wrap_##NAME(TYPE* object) {               \
    note_synchronised(WORKBOOK_PC);               \
    return __real_##NAME(object);                 \
  }

extern "C" {

WORKBOOK_SYNCHRONISES(pthread_mutex_lock, pthread_mutex_t)
WORKBOOK_SYNCHRONISES(pthread_mutex_trylock, pthread_mutex_t)
WORKBOOK_SYNCHRONISES(pthread_mutex_unlock, pthread_mutex_t)
WORKBOOK_SYNCHRONISES(pthread_rwlock_rdlock, pthread_rwlock_t)
WORKBOOK_SYNCHRONISES(pthread_rwlock_wrlock, pthread_rwlock_t)
WORKBOOK_SYNCHRONISES(pthread_rwlock_unlock, pthread_rwlock_t)
WORKBOOK_SYNCHRONISES(pthread_barrier_wait, pthread_barrier_t)
WORKBOOK_SYNCHRONISES(sem_post, sem_t)
WORKBOOK_SYNCHRONISES(sem_wait, sem_t)
WORKBOOK_SYNCHRONISES(sem_trywait, sem_t)

int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) __attribute__((weak));
int __real_pthread_join(pthread_t, void**) __attribute__((weak));
// std::thread's constructor, and its join().
void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread*, void*, void (*)()) __attribute__((weak));
void __real__ZNSt6thread4joinEv(std::thread*) __attribute__((weak));

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* with) {
  int error = 0;
  begin_thread(WORKBOOK_PC, [&] {
    error = __real_pthread_create(thread, attributes, run, with);
    return error == 0 ? *thread : pthread_t{};
  });
  return error;
}
int __wrap_pthread_join(pthread_t thread, void** result) {
  const int error = __real_pthread_join(thread, result);
  note_joined(WORKBOOK_PC, thread);
  return error;
}
// The std::unique_ptr is passed by its address.
void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread* thread, void* state, void (*depend)()) {
  begin_thread(WORKBOOK_PC, [&] {
    __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
        thread, state, depend);
    return thread->native_handle();
  });
}
void __wrap__ZNSt6thread4joinEv(std::thread* thread) {
  const pthread_t id = thread->native_handle();
  __real__ZNSt6thread4joinEv(thread);
  note_joined(WORKBOOK_PC, id);
}
}
