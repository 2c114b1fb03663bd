// The source files in a zip or tar file, read into memory: nothing is ever unpacked to a disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

namespace workbook::cli {

/// What may be in a submission, archive or folder.
struct SubmissionLimits {
  std::size_t files = 20'000;
  std::size_t bytes = std::size_t{256} << 20;  ///< unpacked
  std::size_t source_bytes = 1 << 20;          ///< of a file that is read
};

/// Whether the name is that of an archive that read_archive() knows.
bool is_archive(const std::filesystem::path& file);

/// The name without what makes it an archive's: "ada" for ada.tar.gz.
std::string without_archive_ending(const std::string& name);

/// Whether a file of this name is read: CUDA sources and headers, answers.txt.
bool is_source(const std::filesystem::path& name);

/// Sources by their path in the archive. Links, devices and the like are passed over. Throws
/// std::runtime_error with a sentence: damaged, encrypted, with a path that leads out of it, too large.
std::map<std::string, std::string> read_archive(const std::filesystem::path& file,
                                                const SubmissionLimits& limits = {});

}  // namespace workbook::cli
