# What `make package` installs, and what CPack makes of it: a Debian package, and a tar file that runs wherever it is
# unpacked. PREFIX/bin/workbook is a link into PREFIX/lib/workbook, which has everything and which nothing writes to
# (harness/cli/base/installed.h): programs, what kernels are compiled and linked with, puzzles, book. Paths below it are
# those of the repository, so that what is read there is found by the same names.
#
# One package serves systems newer than the one that it was built on: it brings the one library that others have under
# another name (fmt); and kernels are linked with Boost's context and libbacktrace from here, whatever g++ compiles them there.
if(NOT TARGET workbook_grade OR NOT TARGET workbook_sim)
  return()
endif()
set(CPACK_PACKAGE_NAME "gpu-puzzle-workbook")
set(home lib/workbook)

# The component `grader` is what `workbook grade --gradescope` packs: nothing of it is for learners alone.
install(TARGETS workbook_cli workbook_grade workbook_confine RUNTIME DESTINATION "${home}/bin" COMPONENT grader)
install(TARGETS workbook_more workbook_optimizer RUNTIME DESTINATION "${home}/bin" COMPONENT workbook)
install(TARGETS workbook_core workbook_declaration workbook_describe workbook_record workbook_sim workbook_sim_programs workbook_sim_libraries
  workbook_clock workbook_kernels workbook_judge ARCHIVE DESTINATION "${home}/lib" COMPONENT grader)
set_target_properties(workbook_cli workbook_more workbook_optimizer workbook_grade PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib")
find_package(fmt 8 REQUIRED)
get_target_property(fmt_kind fmt::fmt TYPE)
if(fmt_kind STREQUAL SHARED_LIBRARY)
  install(FILES "$<TARGET_FILE:fmt::fmt>" RENAME "$<TARGET_SONAME_FILE_NAME:fmt::fmt>" DESTINATION "${home}/lib" COMPONENT grader)
endif()
foreach(archive libboost_context.a libbacktrace.a)  # where the linker finds them
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${archive} OUTPUT_VARIABLE file
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  install(FILES "${file}" DESTINATION "${home}/lib" COMPONENT grader)
endforeach()

function(workbook_install_folders component)
  foreach(folder IN LISTS ARGN)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${home}/${folder}" COMPONENT ${component}
      USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
  endforeach()
endfunction()
workbook_install_folders(grader harness/include harness/sim/include harness/cli/grade/gradescope puzzles solutions)
workbook_install_folders(workbook harness/python harness/optimizer/programs)
install(DIRECTORY "${WORKBOOK_CCCL_INCLUDE_DIR}/" DESTINATION "${home}/cccl" COMPONENT grader)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/SECURITY.md" DESTINATION share/doc/${CPACK_PACKAGE_NAME}
  COMPONENT workbook)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/completion.bash" RENAME workbook DESTINATION share/bash-completion/completions
  COMPONENT workbook)
# What makes the programs look beside themselves. The link comes last: a `workbook` that is there is whole.
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  file(WRITE \"\${prefix}/${home}/installed\" \"${PROJECT_VERSION}\\n\")
  file(MAKE_DIRECTORY \"\${prefix}/bin\")
  file(CREATE_LINK ../${home}/bin/workbook \"\${prefix}/bin/workbook\" SYMBOLIC)" COMPONENT grader)

# What is slow to make and not needed for a verdict is taken along where it was made: cmake/package.sh sees to all of it.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/build/book/site/" DESTINATION "${home}/book" COMPONENT book OPTIONAL)
install(DIRECTORY "${PROJECT_BINARY_DIR}/declarations/" DESTINATION "${home}/puzzles" COMPONENT declarations OPTIONAL)
if(TARGET workbook_viewer)
  install(TARGETS workbook_viewer RUNTIME DESTINATION "${home}/bin" COMPONENT viewer OPTIONAL)
endif()

set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "the maintainers of the GPU puzzle workbook <root@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_SOURCE_DIR}/build/package")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL grader workbook book declarations viewer)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# What a learner's run starts: whatever compiles kernels, 12 or newer. What the programs link with, package.sh adds.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "$ENV{WORKBOOK_PACKAGE_DEPENDS}g++ (>= 4:12) | g++-14 | g++-13 | g++-12")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, libgl1, xdg-utils, python3-dev, python3-numpy, python3-pip")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "git, python3-venv")
include(CPack)
