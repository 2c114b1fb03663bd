// Puzzle 40, GPT-NeoX decode: one program, five ways of launching the same model, and a graph of the last.
// Right is what has every part as the reference has it, the same perplexity and text, and as many launches as
// the way should have.
#include <workbook/puzzle.h>

using namespace workbook;

/// What the program prints where all is right, in this order; `launches` a token.
static Program decodes(std::string_view way, std::string_view launches) {
  return {.sources = {"program.cu"},
          .arguments = {way},
          .prints = {"q, k and v: right", "inner: right", "cached keys: right", "cached values: right",
                     "context: right", "x: right", "where a row takes two warps: right", "logits: right",
                     "perplexity of 20 bytes: 1.992", "it goes on: \" evening there are fe\"", launches},
          .fresh_arguments = {"--prompt", "ferry # letters"}};
}
// clang-format off
const Puzzle workbook::puzzle = {
    .number = 40, .title = "GPT-NeoX decode", .part = "Part XIII: fusion in practice",
    .builds_on = {19, 38, 39},
    .summary = "A small language model writes text, token by token: with a launch an operation, fused, and as one CUDA graph",
    .variants = {
        {.name = "unfused", .title = "UNFUSED (sixteen launches a block)",
         .summary = "A kernel for each operation; you launch those that lead back to the residual stream",
         .regions = {"residual_apart"},
         .program = decodes("--unfused", "launches a token: 37\n")},
        {.name = "norm-linear", .title = "NORM + LINEAR + BIAS + GELU",
         .summary = "Two norms, two matrices, their biases and GELU in one launch",
         .regions = {"residual_apart", "normalize", "epilogue", "launch"},
         .program = decodes("--norm-linear", "launches a token: 24\n")},
        {.name = "rotary-attention", .title = "ROTARY + CACHE + ATTENTION",
         .summary = "Rotation, the two stores into the cache and attention in one launch",
         .regions = {"residual_apart", "append"},
         .program = decodes("--rotary-attention", "launches a token: 33\n")},
        {.name = "residual", .title = "TWO MATRICES + RESIDUAL",
         .summary = "Both matrices that lead back, their biases and the residual in one launch",
         .regions = {"residual"},
         .program = decodes("--residual", "launches a token: 27\n")},
        {.name = "fused", .title = "FUSED (three launches a block)", .summary = "All three fused kernels",
         .regions = {"normalize", "epilogue", "launch", "append", "residual"},
         .program = decodes("--fused", "launches a token: 10\n")},
        {.name = "graph", .title = "GRAPH (one launch a token)",
         .summary = "The fused token captured once in a CUDA graph and launched for each token",
         .regions = {"normalize", "epilogue", "launch", "append", "residual", "advance", "capture"},
         .program = decodes("--graph", "launches a token: 10\n")}}};
