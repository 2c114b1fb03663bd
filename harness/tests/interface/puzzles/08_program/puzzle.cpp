// A program that must show a finding, ask for an answer, and read its data and a header.
#include <workbook/puzzle.h>

const workbook::Puzzle workbook::puzzle = {
    .number = 8,
    .title = "Show the race",
    .part = "Interface",
    .summary = "Write a kernel with a race on shared memory, and say of which class it is",
    .variants = {{.name = "race",
                  .title = "RACE",
                  .summary = "A program with main()",
                  .file = "race.cu",
                  .regions = {"work"},
                  .program = Program{.arguments = {"7"},
                                     .prints = {"threads: 64", "argument: 7", "number: 42"},
                                     .findings = {"race_shared"},
                                     .answers = {{"class", "race|data race"}}}}},
};
