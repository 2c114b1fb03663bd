// What tells others that a function of the host's has come so far: the linker is told to wrap it
// (cli/compile/simulator_toolchain.cpp).
#include <pthread.h>
#include <semaphore.h>

#include "sim/source/symbols.h"
#include "stream_order.h"

using namespace workbook::sim;

extern "C" {

int __real_pthread_mutex_unlock(pthread_mutex_t*) __attribute__((weak));
int __real_sem_post(sem_t*) __attribute__((weak));

int __wrap_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (StreamOrder::is_in_function() && is_learner_code(WORKBOOK_PC)) StreamOrder::tells_others();
  return __real_pthread_mutex_unlock(mutex);
}
int __wrap_sem_post(sem_t* semaphore) {
  if (StreamOrder::is_in_function()) StreamOrder::tells_others();
  return __real_sem_post(semaphore);
}
}
