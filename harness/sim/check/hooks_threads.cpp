// By what a function of the host's lets others know how far it has come: the linker is told to wrap it
// (cli/compile/simulator_toolchain.cpp).
#include <pthread.h>
#include <semaphore.h>

#include <thread>

#include "sim/source/symbols.h"
#include "stream_order.h"

using namespace workbook::sim;

namespace {

void note_told(Pc pc) {
  if (StreamOrder::is_in_function() && is_learner_code(pc)) StreamOrder::get().tell_others();
}

}  // namespace

extern "C" {

int __real_pthread_mutex_unlock(pthread_mutex_t*) __attribute__((weak));
int __real_sem_post(sem_t*) __attribute__((weak));
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) __attribute__((weak));
// std::thread's constructor.
void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread*, void*, void (*)()) __attribute__((weak));

int __wrap_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  note_told(WORKBOOK_PC);
  return __real_pthread_mutex_unlock(mutex);
}
int __wrap_sem_post(sem_t* semaphore) {
  note_told(WORKBOOK_PC);
  return __real_sem_post(semaphore);
}
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* with) {
  note_told(WORKBOOK_PC);
  return __real_pthread_create(thread, attributes, run, with);
}
// The std::unique_ptr is passed by its address.
void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread* thread, void* state, void (*depend)()) {
  note_told(WORKBOOK_PC);
  __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(thread, state,
                                                                                               depend);
}
}
