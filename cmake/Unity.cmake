# workbook_unity(TARGET [TOGETHER "FOLDER FOLDER"...] [PARTS N]): compiles each folder of the target's sources as one, and
# those of each list as one, too (the target's own name stands for files in no folder, which PARTS deals out to N). The
# heavy headers (JSON, fmt, <regex>, Catch2) are then read a few times and not ninety: a fresh clone's first verdict
# waits for that. Keep the parts below some 15 s, so that two cores stay busy. Files of one part share their unnamed
# namespaces: what two of them need is declared once.
# WORKBOOK_UNITY=OFF compiles file by file, for clang-tidy (cmake/style.sh tidy).
option(WORKBOOK_UNITY "Compile each folder of sources as one" ON)

function(workbook_unity target)
  cmake_parse_arguments(ARG "" "PARTS" "TOGETHER" ${ARGN})
  if(NOT WORKBOOK_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(part 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME room)
    if(NOT room)
      set(room ${target})
      if(ARG_PARTS)
        math(EXPR part "(${part} + 1) % ${ARG_PARTS}")
        string(APPEND room _${part})
      endif()
    endif()
    foreach(together IN LISTS ARG_TOGETHER)
      separate_arguments(together)
      if(room IN_LIST together)
        list(GET together 0 room)
        break()
      endif()
    endforeach()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
