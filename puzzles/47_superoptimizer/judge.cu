// Puzzle 47, given: what the program does with the learner's functions. Each is tried alone, on examples that
// say what is wrong with it (judge_*.h), before anything is built on it.
//
//   superoptimizer --fields | --search | --schedule | --emit | --whole
#include "judge_kernels.cuh"
#include "program.h"

namespace judge {

bool whole() {
  if (!fields() || !functions_of_search() || !functions_of_schedule()) return false;
  for (const Expected& one : expected()) {
    Search search(one.program, operations(one.program), kDraws);
    extend(search);
    const std::string wrong = search_fault(one, search);
    if (!wrong.empty()) return is_right(one.program.name, wrong);
    const Best best = print_best(one.program, search.found);
    if (!best.found) return false;
    if (best.plan.launches() == 1 && one.program.name != "qknorm_attention" && !emit(one.program, best.plan))
      return false;
  }
  return true;
}

}  // namespace judge

int run_program(int count, char** arguments) {
  const std::string_view what = count == 2 ? arguments[1] : "";
  if (what == "--fields") return judge::fields() ? 0 : 1;
  if (what == "--search") return judge::search() ? 0 : 1;
  if (what == "--schedule") return judge::schedule() ? 0 : 1;
  if (what == "--emit") return judge::emit() ? 0 : 1;
  if (what == "--whole") return judge::whole() ? 0 : 1;
  std::printf("superoptimizer --fields | --search | --schedule | --emit | --whole\n");
  return 2;
}
