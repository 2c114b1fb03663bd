# workbook_unity(TARGET [TOGETHER FOLDER...]): compiles each folder of the target's sources as one, and those named as
# one, too (the target's own name stands for files in no folder). The heavy headers (JSON, fmt, <regex>) are then read
# a few times and not ninety: a fresh clone's first verdict waits for that. Keep the parts below some 15 s, so that two
# cores stay busy. Files of one part share their unnamed namespaces: what two of them need is declared once.
# WORKBOOK_UNITY=OFF compiles file by file, for clang-tidy (cmake/style.sh tidy).
option(WORKBOOK_UNITY "Compile each folder of sources as one" ON)

function(workbook_unity target)
  cmake_parse_arguments(ARG "" "" "TOGETHER" ${ARGN})
  if(NOT WORKBOOK_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME room)
    if(NOT room)
      set(room ${target})
    endif()
    if(room IN_LIST ARG_TOGETHER)
      list(GET ARG_TOGETHER 0 room)
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
