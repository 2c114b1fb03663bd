// Which plans `workbook optimize` does not time on a GPU, as plan and program say: no GPU is needed to tell.
#include "cli/run/emitted_device.h"
#include "clock/gpus.h"
#include "optimizer/language/text.h"
#include "tests/catch.h"

using namespace workbook;

TEST_CASE("a plan whose tensors fill a GPU, or that takes too long, is not timed, in words") {
  const sim::GpuSpec& gpu = *sim::find_gpu("h200");
  const auto words = [&](const char* sizes) {
    const opt::Program program =
        opt::parse_program("index b = 4 " + std::string(sizes) +
                               "\ninput x[b,h]\ne = exp(x)\ny = e / sum(h, e)\noutput y[b,h]\n",
                           "softmax.wbp");
    const std::optional<opt::Scheduled> plan = opt::unfused(program, gpu);
    REQUIRE(plan);
    return cli::untimed_words(program, *plan, gpu.memory_gb);
  };
  CHECK(words("4096, h = 8 4096").empty());
  const std::string large = words("32768, h = 8 128256");  // between launches lie floats of all elements
  CHECK(large.find("its tensors, with those between launches, are ") == 0);
  CHECK(large.find("more than a quarter of 141 GB") != std::string::npos);
  opt::Program small = opt::parse_program("index b = 4 64\ninput x[b]\ny = exp(x)\noutput y[b]\n", "exp.wbp");
  opt::Scheduled slow = *opt::unfused(small, gpu);
  slow.price.us = 3e6;
  CHECK(cli::untimed_words(small, slow, gpu.memory_gb) ==
        "it is modelled 3 s, too long for some hundred calls");
}
