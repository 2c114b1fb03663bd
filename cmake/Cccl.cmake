# Where libcu++ (<cuda/std/mdspan> and its kin) lies: in a CUDA toolkit, or fetched, or, where neither can be
# had, a folder of headers that say so. Sets WORKBOOK_CCCL_INCLUDE_DIR, which belongs BEHIND the simulator's own
# folder on the include path: <cuda/barrier> and others exist in both.
option(WORKBOOK_FETCH_CCCL "Fetch libcu++ where no CUDA toolkit has it" ON)

set(cccl_deps "${PROJECT_SOURCE_DIR}/build/deps/cccl")
find_path(WORKBOOK_CCCL_INCLUDE_DIR cuda/std/mdspan
  HINTS "${CUDAToolkit_TARGET_DIR}/include/cccl" ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda "${cccl_deps}"
  PATH_SUFFIXES include/cccl include
  DOC "The folder that holds cuda/std/mdspan" NO_DEFAULT_PATH)

if(NOT WORKBOOK_CCCL_INCLUDE_DIR AND WORKBOOK_FETCH_CCCL)
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/cmake/fetch_cccl.sh" "${cccl_deps}" RESULT_VARIABLE fetched)
  if(fetched EQUAL 0)
    set(WORKBOOK_CCCL_INCLUDE_DIR "${cccl_deps}" CACHE PATH "The folder that holds cuda/std/mdspan" FORCE)
  endif()
endif()

if(NOT WORKBOOK_CCCL_INCLUDE_DIR)
  message(STATUS "workbook: libcu++ is not here: programs that include <cuda/std/...> do not compile for the simulator")
  set(cccl_missing "${PROJECT_BINARY_DIR}/cccl-missing")
  foreach(name algorithm array atomic bit bitset cassert cfloat chrono climits cmath complex concepts cstddef cstdint
               cstdlib cstring expected functional initializer_list iterator latch limits mdspan memory numbers numeric
               optional ranges ratio span string_view tuple type_traits utility variant)
    file(WRITE "${cccl_missing}/cuda/std/${name}"
      "#error \"<cuda/std/${name}> is part of libcu++, which this machine lacks: install a CUDA toolkit, or run cmake/fetch_cccl.sh and configure again\"\n")
  endforeach()
  set(WORKBOOK_CCCL_INCLUDE_DIR "${cccl_missing}")
endif()
