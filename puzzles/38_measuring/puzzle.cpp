// Puzzle 38, Measuring: four programs that measure, three of them wrong. The learner's files begin as they
// were handed in; right is what makes its calls in an order that can be trusted, prints what it should, and
// goes with the right answers. Nothing here depends on how fast a machine is: rules look at the order of
// calls, texts at what the modelled clock makes of it.
#include <workbook/puzzle.h>

using namespace workbook;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 38, .title = "Measuring", .part = "Part XIII: fusion in practice",
    .builds_on = {16},
    .summary = "Benchmarks that print a wrong number: find out what was measured, and measure what was meant",
    .variants = {
        {.name = "warm-up", .title = "PROGRAM 1, TWO KERNELS",
         .summary = "A benchmark that takes the slower of two kernels for the faster one",
         .file = "warm_up.cu", .begins = "warm_up_as_found",
         .program = Program{
             .prints = {"the results are the same", "faster: scale_kernel"},
             .calls = {
                 {"event (clock )?(launch:[^ ]* )+(clock )?event (clock )?wait (clock )?elapsed .*"
                  "event (clock )?(launch:[^ ]* )+(clock )?event (clock )?wait (clock )?elapsed ", true,
                  "two kernels should be timed, each as: event, launch, event, wait, elapsed. Launch, and nothing "
                  "else, stands between the two events"},
                 // As it was handed in: what lies there is the first question.
                 {"^(allocate |copy )*launch:scale_runs_kernel wait event launch:scale_runs_kernel event wait elapsed "
                  "event launch:scale_kernel event wait elapsed ", false,
                  "between the events of one kernel lies something that does not lie between those of the other: "
                  "compare the launches in `workbook profile 38 --warm-up --calls`"},
                 {"launch:scale_kernel .*event (clock )?launch:scale_kernel ", true,
                  "scale_kernel is launched for the first time between two events, so that loading its code "
                  "is measured too: launch it once before, outside of the events"},
                 {"launch:scale_runs_kernel .*event (clock )?launch:scale_runs_kernel ", true,
                  "scale_runs_kernel is launched for the first time between two events, so that loading its code "
                  "is measured too: launch it once before, outside of the events"},
             },
             .answers = {{"warm-up kernel", "scale_kernel|scale"},
                         {"warm-up call", "launch|the launch|the launch on the host|host|the host"}}}},
        {.name = "synchronise", .title = "PROGRAM 2, THREE ARRAYS",
         .summary = "A benchmark by which a kernel is faster than the memory",
         .file = "synchronise.cu", .begins = "synchronise_as_found",
         .program = Program{
             .prints = {"all below the roof"},
             .calls = {
                 {"clock (launch:[^ ]* )+clock ", false,
                  "the clock is read, a kernel is launched, and the clock is read again: nothing between the two readings "
                  "waits for the kernel"},
                 {"launch:[^ ]* (clock |event )launch:", false,
                  "the clock starts while the warm-up still runs, so that its time is measured too: wait for it "
                  "first"},
                 {"((wait (clock (launch:scale_kernel )+wait clock |event (launch:scale_kernel )+event (wait )elapsed )"
                  ").*){3}", true,
                  "each of the three arrays should be measured as: launch (a warm-up), wait, clock, launch, wait, "
                  "clock; or with events: event, launch, event, wait, elapsed"},
                 {"launch:scale_kernel wait (clock|event) ", true,
                  "the kernel is launched for the first time while it is timed: launch it once before, and wait"},
             },
             .answers = {{"synchronise measured", "launch|the launch"},
                         {"synchronise too fast", "1|one"}}}},
        {.name = "trials", .title = "PROGRAM 3, NINE TRIALS",
         .summary = "A benchmark whose one number is that of a bad trial, and whose trials find a warm cache",
         .file = "trials.cu", .begins = "trials_as_found",
         .program = Program{
             .prints = {"it stands in the middle"},
             .calls = {
                 {"event set (launch|set)", false,
                  "flush() runs between the two events, and its time is measured with the kernel's: it belongs "
                  "before the first event"},
                 {"(event launch:scale_kernel set event wait elapsed .*){9}", true,
                  "nine trials should be measured, each as: event, launch, the neighbour's work, event, wait, "
                  "elapsed"},
                 {"(set event launch:scale_kernel set event wait elapsed ){9}", true,
                  "a trial finds in the L2 what the one before has left there: call flush() before the first "
                  "event of each of the nine"},
             },
             .answers = {{"trials above mean", "1|one"},
                         {"trials flush", "between|between the two|between the two events"}}}},
        {.name = "mlp", .title = "PROGRAM 4, THE MLP",
         .summary = "A measurement with ranges: what makes a chain of layers slower, and what does not",
         .file = "mlp.cu", .begins = "mlp_as_found",
         .program = Program{
             .prints = {"steps", "layers", "batch", "width"},
             .calls = {
                 {"clock (push:[^ ]* |pop |launch:[^ ]* )+clock ", false,
                  "the clock is read before the device is done with the steps: wait before the second reading"},
                 {"push:layer", true, "no range is called \"layer\": nvtxRangePushA before the two launches of a layer "
                  "begins one, nvtxRangePop behind them ends it"},
                 {"push:step", true, "no range is called \"step\": nvtxRangePushA before the layers of a step begins one, "
                  "nvtxRangePop behind them ends it"},
                 {"push:step[^ ]* (push:layer[^ ]* launch:linear_kernel launch:gelu_kernel pop ){2}pop ", true,
                  "a step of two layers should be: push step; twice push layer, linear_kernel, gelu_kernel, pop; "
                  "pop. Each push needs its pop, in the same function"},
                 {"clock (push:step[^ ]* (push:layer[^ ]* launch:linear_kernel launch:gelu_kernel pop )+pop )+wait clock ",
                  true, "between the two readings of the clock there should be steps with their ranges, and a wait; "
                  "a wait in each step would measure something else"},
                 {"(wait clock (push:step[^ ]* (push:layer[^ ]* launch:linear_kernel launch:gelu_kernel pop )+pop )+"
                  "wait clock .*){12}", true,
                  "twelve times should be measured: steps, layers, batch and width, each times 1, 2 and 4"},
                 {"clock (push:step[^ ]* (push:layer[^ ]* launch:linear_kernel launch:gelu_kernel pop ){8}pop ){2}wait ",
                  true, "a measurement of 4 times the layers has two steps of eight layers each"},
             },
             .answers = {{"mlp launches", "4|four"},
                         {"mlp longest", "linear_kernel|linear"},
                         {"mlp linear", "steps and layers|steps, layers|steps layers|layers and steps|layers, steps|layers steps"}}}}}};
