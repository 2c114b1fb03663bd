// What a compiler made of a puzzle's kernels: SASS (machine code) or PTX (what comes before it), each
// instruction with the source line that it was made of. Read from what the CUDA Toolkit prints, or from a
// recorded listing that lies beside the puzzle. Of `workbook sass` and `workbook ptx`, and of questions that
// are judged by a listing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct Instruction {
  std::string address;  ///< "00b0"; of PTX its number within the kernel
  std::string text;     ///< "@P0 EXIT", without the semicolon
  std::string label;    ///< that stands before it and that an instruction names; mostly empty
  std::string file;     ///< name without folder, of the source line; empty where the compiler names none
  int line = 0;
};

/// What the assembler says of a kernel; -1 is not said (PTX).
struct KernelResources {
  int registers = -1;
  int stack_bytes = -1;                               ///< a thread's, in local memory
  int spill_store_bytes = -1, spill_load_bytes = -1;  ///< a thread's, as many as instructions move once
  int shared_bytes = -1;                              ///< a block's, static
};

struct KernelListing {
  std::string name;  ///< as the source has it, without parameters
  KernelResources resources;
  std::vector<Instruction> instructions;
};

enum class ListingForm { sass, ptx };
const char* form_name(ListingForm form);  ///< "sass", "ptx"

struct Listing {
  ListingForm form = ListingForm::sass;
  std::string architecture;  ///< "sm_90"
  std::string made_by;       ///< "nvcc 13.0.88, nvdisasm 13.5.37"
  std::string of;            ///< hash of the sources
  bool recorded = false;     ///< read from a file, not made here
  std::vector<KernelListing> kernels;

  const KernelListing* find(std::string_view kernel) const;
};

/// `disassembly` is what `nvdisasm -g -c` prints of a cubin, `resources` what `ptxas -v` does while it is
/// made. Kernels come in the order of the source. Instructions that only fill up the code's last lines are
/// left out.
std::vector<KernelListing> read_sass(std::string_view disassembly, std::string_view resources);

/// `text` is what `nvcc -ptx -lineinfo` writes. Declarations of registers and debug sections are left out.
std::vector<KernelListing> read_ptx(std::string_view text);

/// As a file keeps it, and back. read_recorded() throws std::runtime_error with a sentence where the text is
/// none.
std::string recorded_text(const Listing& listing);
Listing read_recorded(std::string_view text);

}  // namespace workbook::cli
