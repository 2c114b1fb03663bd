// A repository whose `workbook` is a shell script: for tests of what the viewer has done by it.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace workbook::viewer {

/// A folder with a made-up `bin/workbook`, removed with the test: what it answers is in the test's hands.
class FakeRepository {
 public:
  explicit FakeRepository(const std::string& script) {
    std::string pattern = (std::filesystem::temp_directory_path() / "viewer-fake-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = pattern;
    std::filesystem::create_directories(path / "bin");
    std::ofstream(path / "bin/workbook") << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path / "bin/workbook", std::filesystem::perms::owner_all);
  }
  ~FakeRepository() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  FakeRepository(const FakeRepository&) = delete;
  FakeRepository& operator=(const FakeRepository&) = delete;

  std::filesystem::path path;
};

/// `workbook list --json` of two puzzles, as a case of a shell script.
inline const char* kFakeList = R"(
[ "$1" = list ] && cat <<'END' && exit 0
[{"number": 1, "name": "01_map", "title": "Map", "part": "First steps", "summary": "One thread an element.",
  "kernels": "puzzles/01_map/kernels.cu", "done": true, "current": false,
  "variants": [{"name": "map", "title": "Map", "summary": "s", "required": true, "regions": ["map"],
                "state": "correct", "done": true, "changed": true, "run": 3}]},
 {"number": 22, "name": "22_layernorm_linear", "title": "LayerNorm + Linear", "part": "Fusion",
  "summary": "Four kernels, and then one.", "kernels": "puzzles/22_layernorm_linear/kernels.cu", "done": false,
  "current": true,
  "variants": [{"name": "unfused", "title": "u", "summary": "s", "required": true, "regions": [],
                "state": "correct", "done": true, "changed": false, "run": 1},
               {"name": "fused", "title": "f", "summary": "s", "required": true, "regions": [],
                "state": "not_filled", "done": false, "changed": false, "run": 2},
               {"name": "fused-block", "title": "b", "summary": "s", "required": false, "regions": [],
                "state": "to do", "done": false, "changed": false, "run": 0}]}]
END
)";

}  // namespace workbook::viewer
