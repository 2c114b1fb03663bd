# Writes OUTPUT, which gives kSources: a hash of all that verdicts, plans and prices are computed by. Run when one
# of these files has changed: cmake -DHARNESS=... -DOUTPUT=... -P hash_sources.cmake
file(GLOB_RECURSE sources "${HARNESS}/optimizer/*.cpp" "${HARNESS}/optimizer/*.h" "${HARNESS}/optimizer/*.cuh"
   "${HARNESS}/clock/*.cpp" "${HARNESS}/clock/*.h")
list(SORT sources)
set(hashes "")
foreach(source IN LISTS sources)
  file(SHA256 "${source}" hash)
  string(APPEND hashes "${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE "${OUTPUT}" "// Written by hash_sources.cmake.
#include \"optimizer/store/store.h\"

namespace workbook::opt {
const std::string_view kSources = \"${hash}\";
}
")
