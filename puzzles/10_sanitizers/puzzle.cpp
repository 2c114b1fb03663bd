// Puzzle 10, Sanitizers: programs that print the right numbers and are wrong. The learner's files begin as
// they were handed in; right is what prints the same and shows no finding.
#include <workbook/puzzle.h>

using namespace workbook;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 10, .title = "Sanitizers", .part = "Part II: debugging",
    .builds_on = {8, 9},
    .summary = "Programs that print the right numbers and are wrong all the same: make them clean",
    .variants = {
        {.name = "volume", .title = "THE VOLUME", .summary = "A recording is made louder, four samples a thread",
         .file = "volume.cu", .begins = "volume_as_found",
         .program = Program{.prints = {"10002 samples, 0 wrong, peak 1.1719"},
                            .fresh = {{"kSamples = 10'002", "kSamples = 2 + 4 * #", 2'000, 2'700}, {"i * 37 % 101", "i * 37 % #", 89, 99}},
                            .results = Type::f32}},
        {.name = "meter", .title = "THE METER",
         .summary = "By how much a recording is too loud, added up by the threads of a block",
         .file = "meter.cu", .begins = "meter_as_found",
         .program = Program{.arguments = {"shout"}, .prints = {"too loud by 6298 in all, a plain loop says 6298"},
                            .fresh = {{"30'100 + i / 10", "# + i / 10", 30'050, 31'000}},
                            .results = Type::i32}},
        {.name = "peaks", .title = "THE PEAKS", .summary = "The loudest sample of each channel, from many blocks",
         .file = "peaks.cu", .begins = "peaks_as_found",
         .program = Program{.prints = {"peak of the first channel 10226, of the last one 11986, 0 wrong"},
                            .fresh = {{"i * 7919L", "i * #L", 7'000, 7'900}},
                            .results = Type::i32}}}};
