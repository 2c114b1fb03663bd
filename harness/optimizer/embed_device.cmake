# Writes OUTPUT, which gives device_files() (launch/device.h): the headers of FOLDER, each without its opening and its
# includes, and by name what it includes. Run when one of them has changed: cmake -DFOLDER=... -DOUTPUT=... -P embed_device.cmake
file(GLOB files "${FOLDER}/*.cuh")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  cmake_path(GET file STEM name)
  set(needs "")
  string(REGEX MATCHALL "#include \"optimizer/device/[a-z_]+" included "${text}")
  foreach(each IN LISTS included)
    cmake_path(GET each FILENAME each)
    string(APPEND needs "\"${each}\", ")
  endforeach()
  set(headers "")
  string(REGEX MATCHALL "#include <[a-z_0-9.]+>" included "${text}")
  foreach(each IN LISTS included)
    string(REGEX REPLACE ".*<(.*)>" "\"\\1\", " each "${each}")
    string(APPEND headers "${each}")
  endforeach()
  string(REGEX REPLACE "^.*\n(#pragma once|#include [^\n]*)\n" "" text "${text}")
  string(APPEND rows "      {\"${name}\", {${needs}}, {${headers}}, R\"device(${text})device\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by embed_device.cmake.
#include \"optimizer/launch/device.h\"

namespace workbook::opt {
const std::vector<DeviceFile>& device_files() {
  static const std::vector<DeviceFile> files = {
${rows}  };
  return files;
}
}  // namespace workbook::opt
")
