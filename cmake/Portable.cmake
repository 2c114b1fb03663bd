# workbook_link_statically(TARGET ARCHIVE): has the imported target linked as an archive, where the system has that. For
# libraries that each system calls something else: what was built on one then runs on the next (cmake/package.cmake).
function(workbook_link_statically target archive)
  find_library(WORKBOOK_${archive} ${archive})
  mark_as_advanced(WORKBOOK_${archive})
  if(NOT WORKBOOK_${archive})
    return()
  endif()
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} "${WORKBOOK_${archive}}")
  endforeach()
endfunction()
