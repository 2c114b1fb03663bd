# The warnings every target of ours is built with: link `workbook_warnings` privately. They are errors with the compiler
# that CI uses, for everybody: one set of flags, so that objects are shared. Another compiler may know other warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  set(werror_by_default ON)
else()
  set(werror_by_default OFF)
endif()
option(WORKBOOK_WERROR "Treat warnings as errors" ${werror_by_default})

add_library(workbook_warnings INTERFACE)
target_compile_options(workbook_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion $<$<BOOL:${WORKBOOK_WERROR}>:-Werror>)
