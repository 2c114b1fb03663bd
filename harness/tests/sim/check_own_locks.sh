#!/bin/sh
# Fails where an archive of the simulator holds a lock's function that the linker would share with the program, and
# names it: hooks_threads.cpp takes its calls for the program's (harness/sim/CMakeLists.txt).
#
#   check_own_locks.sh ARCHIVE...
set -eu

nm -C "$@" >/dev/null
! nm -C "$@" 2>/dev/null | grep -E ' W std::(recursive_mutex|shared_mutex|mutex|(unique|shared)_lock<|lock_guard<|scoped_lock<|condition_variable)[^(]*::[^:]*\('
