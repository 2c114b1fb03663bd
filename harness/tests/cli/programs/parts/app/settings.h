constexpr int kOffset = 100;
