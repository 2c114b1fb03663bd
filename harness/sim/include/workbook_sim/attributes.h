// How the simulator's headers mark their own functions.
#pragma once

// Templates that functions of these headers call have `auto` for a result's type: g++ makes such a function
// where it is called, and so once, in the precompiled header. Any other it makes at the end of every source
// that includes the header, called or not: 13 ms of each compilation.

// Whatever touches a learner's memory on the learner's behalf is inlined to the end, so that a finding names
// the learner's line: the innermost inlined frame that is not in this folder.
#define WORKBOOK_SIM_INLINE inline __attribute__((always_inline))

// Code that works on the headers' own state, which is no access of the learner's. In the diagnosing build
// such functions are not inlined into traced ones (g++ refuses, and clang would trace them), hence noinline.
#if defined(__SANITIZE_THREAD__)
#define WORKBOOK_SIM_UNTRACED \
  inline __attribute__((noinline, no_sanitize("thread", "bounds-strict"), no_sanitize_coverage))
#define WORKBOOK_SIM_UNTRACED_INLINE \
  inline __attribute__((always_inline, no_sanitize("thread", "bounds-strict"), no_sanitize_coverage))
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WORKBOOK_SIM_UNTRACED inline __attribute__((noinline, disable_sanitizer_instrumentation))
#define WORKBOOK_SIM_UNTRACED_INLINE inline __attribute__((always_inline, disable_sanitizer_instrumentation))
#endif
#endif
/// Whether this is the diagnosing build.
#ifdef WORKBOOK_SIM_UNTRACED
#define WORKBOOK_SIM_IS_TRACED 1
#else
#define WORKBOOK_SIM_IS_TRACED 0
#endif
#ifndef WORKBOOK_SIM_UNTRACED
#define WORKBOOK_SIM_UNTRACED inline
/// For what untraced functions alone call.
#define WORKBOOK_SIM_UNTRACED_INLINE inline
#endif
