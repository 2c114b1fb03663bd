# The warnings every target of ours is built with: link `workbook_warnings` privately.
add_library(workbook_warnings INTERFACE)
target_compile_options(workbook_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion $<$<BOOL:${WORKBOOK_WERROR}>:-Werror>)
