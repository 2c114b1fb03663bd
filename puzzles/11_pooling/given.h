// Puzzle 11, what the learner is handed: the size of a block, which launches and budget count on.
#pragma once

constexpr int kBlockSize = 256;
