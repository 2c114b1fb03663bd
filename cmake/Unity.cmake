# workbook_unity(TARGET): compiles each folder of the target's sources as one, so that the heavy headers (JSON, fmt,
# <regex>) are read once a folder. On two cores the first verdict of a fresh clone waits for a third of the work.
# A folder's files therefore share one set of unnamed namespaces: what two of them need is declared once.
# WORKBOOK_UNITY=OFF compiles file by file, for clang-tidy (cmake/style.sh tidy).
option(WORKBOOK_UNITY "Compile each folder of sources as one" ON)

function(workbook_unity target)
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
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
