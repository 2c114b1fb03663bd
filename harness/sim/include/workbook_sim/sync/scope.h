// Thread scopes and memory orders: libcu++'s own where it is installed, so that programs may use both, and
// else definitions of the same names.
#pragma once

#if __has_include(<cuda/std/__atomic/scopes.h>) && __has_include(<cuda/std/__atomic/order.h>)
#include <cuda/std/__atomic/order.h>
#include <cuda/std/__atomic/scopes.h>
#elif __has_include(<cuda/std/atomic>)
#include <cuda/std/atomic>
#else
#include <atomic>
namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std

}  // namespace cuda
#endif
