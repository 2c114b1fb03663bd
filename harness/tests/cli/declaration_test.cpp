#include "cli/project/declaration.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kDeclared = R"({
 "number": 22, "title": "LayerNorm + Linear", "part": "Part V", "summary": "One", "builds_on": [12, 16],
 "tensor_program": "layernorm_linear",
 "tasks": [
  {"name": "forward", "teaching": {"H": 8, "B": 4}, "large": {"H": 9, "B": 5}, "bench": {"H": 768, "B": 16777216},
   "tensors": [{"name": "x", "role": "input", "type": "f16", "shape": ["B", "H/2"]}]}
 ],
 "variants": [
  {"name": "unfused", "title": "UNFUSED", "summary": "Four launches", "task": "forward", "file": "kernels.cu",
   "regions": ["layernorm"], "required": true},
  {"name": "bug", "title": "BUG", "summary": "Find it", "task": "", "file": "bug.cu", "regions": ["fix", "more"],
   "required": false,
   "program": {"sources": ["sum.cu"], "arguments": ["8"], "prints": ["sum 36"], "status": 3, "findings": ["race_shared"],
               "calls": [{"pattern": "launch:[^ ]* wait ", "wanted": false, "says": "it waits"}],
               "answers": {"line": "17|18"}}}
 ],
 "faults": ["it has no large shape."], "of": "0123456789abcdef"
})";

}  // namespace

TEST_CASE("a declaration is read from what the compiled puzzle says") {
  const Declaration read = read_declaration(kDeclared);
  CHECK(read.number == 22);
  CHECK(read.title == "LayerNorm + Linear");
  CHECK(read.part == "Part V");
  CHECK(read.summary == "One");
  CHECK(read.builds_on == std::vector<int>{12, 16});
  CHECK(read.tensor_program == "layernorm_linear");
  REQUIRE(read.tasks.size() == 1);
  CHECK(read.tasks[0].name == "forward");
  CHECK(read.tasks[0].teaching == workbook::runs::Sizes{{"H", 8}, {"B", 4}});
  CHECK(read.tasks[0].bench == workbook::runs::Sizes{{"H", 768}, {"B", 16777216}});
  CHECK(read.faults == std::vector<std::string>{"it has no large shape."});
  REQUIRE(read.variants.size() == 2);
  CHECK(read.variants[0].task == "forward");
  CHECK(read.variants[0].file == "kernels.cu");
  CHECK(read.variants[0].regions == std::vector<std::string>{"layernorm"});
  CHECK(read.variants[0].required);
  CHECK_FALSE(read.variants[0].program);
}

TEST_CASE("a variant that is a program says what is asked of it") {
  const VariantInfo bug = read_declaration(kDeclared).variants.at(1);
  CHECK(bug.file == "bug.cu");
  CHECK(bug.regions == std::vector<std::string>{"fix", "more"});
  CHECK_FALSE(bug.required);
  REQUIRE(bug.program);
  CHECK(bug.program->arguments == std::vector<std::string>{"8"});
  CHECK(bug.program->prints == std::vector<std::string>{"sum 36"});
  CHECK(bug.program->status == 3);
  CHECK(bug.program->findings == std::vector<std::string>{"race_shared"});
  REQUIRE(bug.program->calls.size() == 1);
  CHECK(bug.program->calls[0].pattern == "launch:[^ ]* wait ");
  CHECK_FALSE(bug.program->calls[0].wanted);
  CHECK(bug.program->calls[0].says == "it waits");
  CHECK(bug.program->answers == std::vector<std::pair<std::string, std::string>>{{"line", "17|18"}});
}

TEST_CASE("what is no declaration is refused with a sentence that names what is missing") {
  CHECK_THROWS_AS(read_declaration("int main() {}"), std::runtime_error);
  CHECK_THROWS_WITH(read_declaration("{\"number\": 1}"),
                    contains_text("what it declares cannot be read") && contains_text("title"));
  CHECK_THROWS_AS(read_declaration("{\"number\": \"one\"}"), std::runtime_error);
}
