// What `--help` of a verb says below its options, where its input is a language of its own.
#pragma once

namespace workbook::cli {

extern const char* const kOptimizeHelp;  ///< the programs that it reads
extern const char* const kGradeHelp;     ///< course files

}  // namespace workbook::cli
