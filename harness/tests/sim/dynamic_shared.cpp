// What staging generates for a learner's file: the array that `extern __shared__ float rows[]` names:
// (anonymous namespace)::rows.
constinit thread_local char rows_storage[227 * 1024] __asm__("_ZN12_GLOBAL__N_14rowsE") = {};
