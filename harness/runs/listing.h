// What `workbook sass` and `workbook ptx` showed of a puzzle's kernels, for the viewer's Source panel. A file
// a source, architecture and form, the newest: listings/*.json beside the store.
//
//   { "format": "workbook listing", "version": 1, "listing": ListingRecord as below, field by field }
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::runs {

struct ListedInstruction {
  std::string address;  ///< "00b0"; of PTX its number within the kernel
  std::string text;     ///< "@P0 EXIT", without the semicolon
  std::string label;    ///< that stands before it and that an instruction names; mostly empty
  std::string file;     ///< name without folder, of the source line; empty where the compiler names none
  int line = 0;
  std::string note;     ///< what a reader looks for: "load, 16 bytes"; mostly empty
  std::string meaning;  ///< of its name, in a few words; empty where it is not known
};

struct ListedKernel {
  std::string name;       ///< as the source has it, without parameters
  std::string resources;  ///< "184 instructions, 32 registers a thread, nothing spilled"
  std::vector<ListedInstruction> instructions;
};

struct ListingRecord {
  int puzzle = 0;
  std::string form;          ///< "sass" or "ptx"
  std::string architecture;  ///< "sm_90"
  std::string origin;        ///< who made it: "nvcc 13.0.88, nvdisasm 13.5.37, for sm_90, recorded"
  std::string source_hash;   ///< of the file that was compiled, as in RunRecord
  std::vector<ListedKernel> kernels;
};

/// Both throw std::runtime_error with a sentence that names the file.
void write_listing(const std::filesystem::path& file, const ListingRecord& record);
ListingRecord read_listing(const std::filesystem::path& file);
bool is_listing(std::string_view text);

}  // namespace workbook::runs
