constexpr int kCount = 8;
