// The modelled clock as a program, for harness/bench/gpu/counters.py:
//
//   workbook-sim-model [--gpu h200] < CASES.json
//
// CASES is a list of cases, each a list of launches as in a run record, their flops filled in. Prints a list
// of the same shape: for every launch the time it takes alone, caches cold, and the time in its place after
// the launches before it: {"alone": ..., "in_sequence": ...}.
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

#include "gpus.h"
#include "model.h"
#include "runs/json.h"

int main(int argc, char** argv) {
  using namespace workbook;
  const sim::GpuSpec* gpu = sim::find_gpu(argc == 3 && std::string(argv[1]) == "--gpu" ? argv[2] : "h200");
  if (gpu == nullptr || (argc != 1 && argc != 3))
    return std::fprintf(stderr, "workbook-sim-model [--gpu NAME] < CASES.json\n"), 2;
  try {
    std::ostringstream text;
    text << std::cin.rdbuf();
    runs::Json out = runs::Json::array();
    for (const runs::Json& one : runs::parse_json(text.str())) {
      sim::LaunchSequence sequence(*gpu);
      runs::Json times = runs::Json::array();
      for (const runs::Json& json : one) {
        const runs::LaunchRecord launch = runs::launch_from_json(json);
        times.push_back({{"alone", runs::to_json(sim::model_time(*gpu, launch))},
                         {"in_sequence", runs::to_json(sequence.next(launch))},
                         {"occupancy", sim::theoretical_occupancy(*gpu, launch)},
                         {"dram_bytes_written", sim::dram_bytes_written_by_its_end(*gpu, *launch.counters)}});
      }
      out.push_back(std::move(times));
    }
    std::printf("%s\n", runs::dump(out).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook-sim-model: %s\n", error.what());
    return 5;
  }
  return 0;
}
