// Puzzle 47, Build a superoptimizer: one program, four parts of it that are tried alone, and all of it. Right
// is what has every function right on its examples, the graphs and plans that there are, and lines that
// compute what the program does.
#include <workbook/puzzle.h>

using namespace workbook;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 47, .title = "Build a superoptimizer", .part = "Part XIV: finding the fusion",
    .builds_on = {22, 41, 42, 43, 44},
    .summary = "A program that finds Puzzles 41 to 44 by itself: it searches graphs, compares them on random draws, prices them, and writes CUDA",
    .variants = {
        {.name = "fields", .title = "FIELDS (are two graphs equal?)",
         .summary = "Arithmetic modulo two primes, and graphs compared on random elements",
         .regions = {"power", "divide", "exponential", "value", "inputs", "equal"},
         .program = Program{.sources = {"judge.cu"},
                            .arguments = {"--fields"},
                            .prints = {"power: right", "divide: right", "exponential: right", "value: right", "inputs: right",
                                       "equal: right, 5 graphs accepted, 8 refused", "inputs 0, 1, 2, ...: accepted",
                                       "random inputs: refused"}}},
        {.name = "search", .title = "SEARCH (which graphs are equal?)",
         .summary = "All graphs of so many operations, pruned by normal forms, each in one order",
         .regions = {"power", "divide", "exponential", "value", "inputs", "equal", "form", "useful", "order", "extend"},
         .program = Program{.sources = {"judge.cu"},
                            .arguments = {"--search"},
                            .prints = {"form: right", "useful: right", "order: right", "rmsnorm_linear: 5 equal graphs",
                                       "lora_linear: 3 equal graphs", "gated_mlp: 1 equal graph",
                                       "qknorm_attention: 10 equal graphs"}}},
        {.name = "schedule", .title = "SCHEDULE (in how many launches?)",
         .summary = "Which nodes one kernel can compute, and what a plan costs",
         .regions = {"fits", "price"},
         .program = Program{.sources = {"judge.cu"},
                            .arguments = {"--schedule"},
                            .prints = {"fits: right", "bytes: right", "rmsnorm_linear: 1 launch in place of 4",
                                       "lora_linear: 1 launch in place of 4", "gated_mlp: 1 launch in place of 4",
                                       "qknorm_attention: 1 launch in place of 9"}}},
        {.name = "emit", .title = "EMIT (as CUDA)", .summary = "The body of a kernel for a plan of one launch",
         .regions = {"emit"},
         .program = Program{.sources = {"judge.cu"},
                            .arguments = {"--emit"},
                            .prints = {"rmsnorm_linear, the lines read one by one: right", "lora_linear, the lines read one by one: right",
                                       "gated_mlp, the lines read one by one: right",
                                       "merged_linear, the lines read one by one: right"}}},
        {.name = "whole", .title = "WHOLE (Puzzles 41 to 44, found)",
         .summary = "From a program to a kernel, for four programs, without a hand in between",
         .regions = {"power", "divide", "exponential", "value", "inputs", "equal", "form", "useful", "order", "extend",
                     "fits", "price", "emit"},
         .program = Program{.sources = {"judge.cu"},
                            .arguments = {"--whole"},
                            .prints = {"rmsnorm_linear: 1 launch in place of 4", "rmsnorm_linear, the lines read one by one: right",
                                       "lora_linear: 1 launch in place of 4", "lora_linear, the lines read one by one: right",
                                       "gated_mlp: 1 launch in place of 4", "gated_mlp, the lines read one by one: right",
                                       "qknorm_attention: 1 launch in place of 9"}}}}};
