# RE2 as re2::re2: by the package of its own that it installs where CMake builds it, or by header and library, which are
# all that Debian and Ubuntu have.
if(TARGET re2::re2)
  set(re2_FOUND TRUE)
  return()
endif()

include(FindPackageHandleStandardArgs)
find_package(re2 CONFIG QUIET)
if(re2_FOUND)
  find_package_handle_standard_args(re2 CONFIG_MODE)
  return()
endif()

find_path(re2_INCLUDE_DIR re2/re2.h)
find_library(re2_LIBRARY re2)
mark_as_advanced(re2_INCLUDE_DIR re2_LIBRARY)
find_package_handle_standard_args(re2 REQUIRED_VARS re2_LIBRARY re2_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "scripts/setup installs it, or CMAKE_PREFIX_PATH names its folder")
if(re2_FOUND)
  find_package(Threads REQUIRED)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION ${re2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${re2_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
