// The programs that come with the workbook, and some of the tests' own.
#pragma once

#include <string>

#include "optimizer/language/text.h"
#include "tests/temporary.h"

namespace workbook::test {

inline opt::Program shipped(const std::string& name) {
  return opt::parse_program(read(std::filesystem::path(WORKBOOK_PROGRAMS) / (name + ".wbp")), name + ".wbp");
}

inline constexpr const char* kShipped[] = {"gated_mlp",      "gelu_chain", "layernorm_linear",
                                           "lora_linear",    "mla_decode", "qknorm_attention",
                                           "rmsnorm_linear", "softmax"};

inline constexpr const char* kAttention = R"(index s = 4 256, t = 8 4096, d = 4 64
input q[s,d], k[t,d], v[t,d]
p = exp(sum(d, q * k))
l = sum(t, p)
y = sum(t, p / l * v)
output y[s,d]
)";

inline constexpr const char* kLayerNorm = R"(index b = 4 16, h = 8 4096, o = 16 4096
input x[b,h], g[h], beta[h], w[h,o], bias[o]
constant eps = 1e-5
d = x - mean(h, x)
n = d / sqrt(mean(h, d * d) + eps) * g + beta
y = sum(h, n * w) + bias
output y[b,o]
)";

inline opt::Program parsed(const std::string& text) { return opt::parse_program(text, "test.wbp"); }

}  // namespace workbook::test
