// Puzzle 46, Reading PTX and SASS: questions about what the compiler made of given kernels, answered by its
// listing; then a kernel that is to be written until its listing shows what it should.
#include <workbook/puzzle.h>

using namespace workbook;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 46, .title = "Reading PTX and SASS", .part = "Part XIV: finding the fusion",
    .builds_on = {36},
    .summary = "What the compiler made of GELU: find the wide load, the fma, the special function, the spill, the branch",
    .variants = {
        {.name = "reading", .title = "READING (seven questions)",
         .summary = "Kernels that are given, and what their listing says",
         .file = "reading.cu",
         .program = Program{.prints = {"scalar_kernel: 0 of 1000", "fast_kernel: 0 of 1000", "vector_kernel: 0 of 1000",
                                       "branch_kernel: 0 of 1000", "spill_kernel: the first element is -1"},
                            .answers = {{"vector", "listing: load-bytes vector_kernel"},
                                        {"scalar", "listing: load-bytes scalar_kernel"},
                                        {"special", "listing: special fast_kernel"},
                                        {"fma", "listing: count:FFMA scalar_kernel"},
                                        {"tail", "listing: guard branch_kernel"},
                                        {"spilled", "listing: spill-bytes spill_kernel"},
                                        {"registers", "listing: registers spill_kernel"}}}},
        {.name = "rewrite", .title = "REWRITE (by its listing)",
         .summary = "A kernel whose listing has a load of 16 bytes and no double",
         .file = "rewrite.cu", .regions = {"lean"},
         .program = Program{.prints = {"0 of 4000 elements are wrong"},
                            .listing = {{.fact = "doubles lean_kernel",
                                         .value = "0",
                                         .source = R"(double|(^|[^A-Za-z_0-9.])(([0-9]+[.][0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)($|[^0-9fFeE.]))",
                                         .wanted = false,
                                         .says = "every element is right, and lean_kernel works in double: a literal without an f is a double, and so is all that is computed with it"},
                                        {.fact = "load-bytes lean_kernel",
                                         .value = "16",
                                         .source = "float4",
                                         .says = "every element is right, and lean_kernel loads fewer than 16 bytes at a time: a float4 is loaded whole, by a pointer to float4"},
                                        {.fact = "spill-bytes lean_kernel",
                                         .value = "0",
                                         .says = "every element is right, and lean_kernel keeps an array in local memory"}}}}}};
