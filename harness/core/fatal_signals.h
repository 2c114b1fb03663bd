// The signals that end a child program, which wants to say where it was.
#pragma once

#include <signal.h>

#include <cstdint>

#include <ucontext.h>

namespace workbook::core {

/// Where the program was, from the third argument of a handler; 0 on processors that nobody has looked at.
inline std::uintptr_t interrupted_pc(void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
#else
  (void)context;
  return 0;
#endif
}

/// Installs `handler` for crashes and for being told to end, each once, on a stack of its own.
inline void handle_fatal_signals(void (*handler)(int, siginfo_t*, void*)) {
  static char stack[256 * 1024];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM})
    sigaction(signal, &action, nullptr);
}

}  // namespace workbook::core
