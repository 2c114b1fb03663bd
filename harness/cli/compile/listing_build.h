// Makes the listing of a puzzle's kernels with nvcc and nvdisasm, or takes the one recorded beside the
// puzzle.
#pragma once

#include <string>

#include "cli/compile/toolchain.h"
#include "cli/listing/listing.h"

namespace workbook::cli {

inline constexpr const char* kListingArchitecture = "sm_90";  ///< where none is named

struct MadeListing {
  Listing listing;
  std::vector<runs::CompileError> compile_errors;
  std::string diagnostics;
  bool ok() const { return compile_errors.empty(); }
};

enum class ListingFrom {
  any,    ///< recorded where one is of these very files, so that a verdict asks for no version of nvcc; else
          ///< made
  tools,  ///< made, or an error
  recorded,  ///< recorded, or an error
};

/// The listing of `variant`'s file: launches.cu with the kernels, or the program. Kept until something
/// changes. Throws NoDeviceError where the tools are missing and no recorded listing is of this very source.
MadeListing listing_of(const Project& project, const Puzzle& puzzle, const VariantInfo& variant,
                       const Source& source, ListingForm form, const std::string& architecture,
                       ListingFrom from);

/// puzzles/NN_name/listings/kernels.sm_90.sass
std::filesystem::path recorded_file(const Puzzle& puzzle, const VariantInfo& variant, ListingForm form,
                                    const std::string& architecture);

}  // namespace workbook::cli
