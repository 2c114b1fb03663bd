#include "cli/project/answers.h"

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

using Names = std::vector<std::string>;

ProgramInfo asking(std::vector<std::pair<std::string, std::string>> answers) {
  ProgramInfo program;
  program.answers = std::move(answers);
  return program;
}

const ProgramInfo kProgram = asking({{"line of the race", "17"}, {"fix", "__syncthreads|a barrier"}});

}  // namespace

TEST_CASE("the blank file holds each question once") {
  Declaration declaration;
  declaration.variants.resize(3);
  CHECK(blank_answers(declaration).empty());
  declaration.variants[1].program = kProgram;
  declaration.variants[2].program = asking({{"fix", "none"}, {"why", "because"}});
  const std::string blank = blank_answers(declaration);
  CHECK(blank == "line of the race: \nfix: \nwhy: \n");
  CHECK(open_questions(kProgram, blank) == Names{"line of the race", "fix"});
}

TEST_CASE("right answers are right in any case, with blanks, and in any of their forms") {
  CHECK(wrong_answers(kProgram, "line of the race: 17\nfix: __syncthreads\n").empty());
  CHECK(wrong_answers(kProgram, "FIX:   A Barrier  \r\n  Line of the race :17\r\n").empty());
}

TEST_CASE("wrong and missing answers are named; part of an answer is none") {
  CHECK(wrong_answers(kProgram, "line of the race: 18\nfix: a barrier") == Names{"line of the race"});
  CHECK(wrong_answers(kProgram, "line of the race: 1\nfix: barrier") == Names{"line of the race", "fix"});
  CHECK(wrong_answers(kProgram, "line of the race: 17|18\nfix: __syncthreads|a barrier") ==
        Names{"line of the race", "fix"});
  CHECK(wrong_answers(kProgram, "") == Names{"line of the race", "fix"});
}

TEST_CASE("an answer may hold a colon, and only blank ones are open") {
  const ProgramInfo program = asking({{"at", "a.cu:17"}});
  CHECK(wrong_answers(program, "at: a.cu:17").empty());
  CHECK(open_questions(program, "at:  \n") == Names{"at"});
  CHECK(open_questions(program, "at: nonsense").empty());
}
