// workbook-viewer-make-fixture OUT.json [measured|fusion]: the made-up runs, or plans, as a file for
// --import.
#include <iostream>
#include <string_view>

#include "fixture.h"
#include "tests/sample_fusion.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: workbook_viewer_make_fixture OUT.json [measured|fusion]\n";
    return 2;
  }
  if (argc > 2 && std::string_view(argv[2]) == "fusion") {
    workbook::runs::write_fusion(argv[1], workbook::test::sample_fusion());
    return 0;
  }
  namespace fixture = workbook::viewer::fixture;
  const auto times = argc > 2 && std::string_view(argv[2]) == "measured" ? fixture::Times::measured
                                                                         : fixture::Times::modelled;
  workbook::runs::write_runs(argv[1],
                             {fixture::unfused(times), fixture::fused(times), fixture::fused_block(times)});
  return 0;
}
