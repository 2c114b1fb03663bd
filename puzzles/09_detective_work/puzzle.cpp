// Puzzle 09, Detective work: three programs with a fault each. The learner's files begin as they were handed
// in; right is what prints what it should, shows no finding, and goes with the right answers.
#include <workbook/puzzle.h>

using namespace workbook;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 9, .title = "Detective work", .part = "Part II: debugging",
    .builds_on = {8},
    .summary = "Three programs do not do what they should: find out where, in which thread, and why",
    .variants = {
        {.name = "cold-store", .title = "CASE 1, THE COLD STORE",
         .summary = "A program that ends before it has printed anything",
         .file = "cold_store.cu", .begins = "cold_store_as_found",
         .program = Program{.prints = {"sensor  0 was warmest at 13:00", "sensor 11 was warmest at 16:00",
                                       "sensor 22 was warmest at 15:00", "sensor 33 was warmest at 14:00",
                                       "sensor 44 was warmest at 13:00"},
                            .answers = {{"cold store pointer", "gain|calibration.gain"},
                                        {"cold store pointers", "2|two"}},
                            .fresh = {{"hour - 15", "hour - #", 9, 19}},
                            .results = Type::i32}},
        {.name = "weather", .title = "CASE 2, THE WEATHER ARCHIVE",
         .summary = "A program in which hardly a day has the mean that it should have",
         .file = "weather.cu", .begins = "weather_as_found",
         .program = Program{.prints = {"mean of the year: 3.42 degrees", "\n0 of 365 days differ"},
                            .answers = {{"weather day", "364"}, {"weather sums", "365|all"}},
                            .fresh = {{"(day - 200) * (day - 200)", "(day - #) * (day - 200)", 150, 190}},
                            .results = Type::f32}},
        {.name = "clicks", .title = "CASE 3, THE CLICKS",
         .summary = "A program that takes out clicks and leaves what is beside them loud",
         .file = "clicks.cu", .begins = "clicks_as_found",
         .program = Program{.prints = {"loudest sample: 3.75, at 0"},
                            .answers = {{"clicks blocks", "2|two"}, {"clicks threads", "3|three"}},
                            .fresh = {{"* 0.5f - 4.0f", "* 0.4375f - 3.#f", 1, 9}},
                            .results = Type::f32}}}};
