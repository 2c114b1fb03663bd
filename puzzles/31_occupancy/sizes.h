// Sizes of Puzzle 31, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;

// What a multiprocessor of an H200 has for its blocks (CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability", 9.0), and in which pieces it gives it away (occupancy calculator of Nsight
// Compute).
constexpr int kSmWarps = 64;
constexpr int kSmBlocks = 32;
constexpr int kSmShared = 228 * 1024;     // bytes
constexpr int kSystemShared = 1024;       // bytes of it that the system takes for each block
constexpr int kSharedUnit = 128;          // a block gets a multiple of it
constexpr int kQuarters = 4;              // a warp runs in one of the multiprocessor's quarters
constexpr int kQuarterRegisters = 16384;  // registers of a quarter, of 4 bytes
constexpr int kRegisterUnit = 256;        // a warp gets a multiple of it

// Lists of pages: a page has a byte for each lane of a warp.
constexpr int kPage = 32;
constexpr int kNarrowBlock = 32;        // threads a block, --narrow
constexpr int kCodes = 256;             // rows of the codebook, of kPage floats
constexpr int kFewWarps = 4;            // a block, --table
constexpr int kTogether = 16;           // lists that a warp of --together walks at the same time
constexpr int kTogetherBlock = 256;     // threads a block, --together
constexpr int kTogetherRegisters = 64;  // nvcc, sm_90: together_kernel

// The stream: kHeld float4 a thread.
constexpr int kHeld = 4;
constexpr int kStreamBlock = 64;      // threads
constexpr int kReserved = 27 * 1024;  // bytes of shared memory that a block of --few asks for
constexpr float kFactor = 1.5f;
