// workbook-viewer-make-fixture OUT.json [measured]: the made-up runs as a file for --import.
#include <iostream>
#include <string_view>

#include "fixture.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: workbook_viewer_make_fixture OUT.json [measured]\n";
    return 2;
  }
  namespace fixture = workbook::viewer::fixture;
  const auto times = argc > 2 && std::string_view(argv[2]) == "measured" ? fixture::Times::measured
                                                                         : fixture::Times::modelled;
  workbook::runs::write_runs(argv[1],
                             {fixture::unfused(times), fixture::fused(times), fixture::fused_block(times)});
  return 0;
}
