# Cross-compiles the workbook for AArch64 Linux: Debian's compiler, its arm64 libraries beside the machine's own. With a
# kernel that starts such programs under QEMU, all of it runs here: see harness/tests/aarch64.sh. The workbook's own
# compilations, of learners' files, then are this machine's compiler at full speed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)  # for programs of ours that the build itself starts
