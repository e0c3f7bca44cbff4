# Google Benchmark: an installed one; else its release, from CUPEL_BENCHMARK_ARCHIVE, from the archive that scripts/setup
# fetched, or from the project itself, built here with cupel and installed beside it. Its version and hash are read by
# scripts/setup, too. 1.9: those of Debian 12 and Ubuntu 24.04 are older, and built without optimisation.
set(cupel_benchmark_version 1.9.1)
set(cupel_benchmark_sha256 32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981)
set(cupel_benchmark_url https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz)

find_package(benchmark 1.9 QUIET CONFIG)
if(benchmark_FOUND)
  return()
endif()

set(CUPEL_BENCHMARK_ARCHIVE "" CACHE FILEPATH "The archive of Google Benchmark's release, where it is not to be fetched")

# Sets `archive` to the file of the release. Fails with what is missing and what to do.
function(cupel_find_benchmark_archive archive)
  set(fetched ${PROJECT_SOURCE_DIR}/.deps/downloads/benchmark_${cupel_benchmark_version}.orig.tar.gz)
  if(CUPEL_BENCHMARK_ARCHIVE)
    set(file ${CUPEL_BENCHMARK_ARCHIVE})
  elseif(EXISTS ${fetched})
    set(file ${fetched})
  else()
    set(file ${PROJECT_BINARY_DIR}/downloads/benchmark-${cupel_benchmark_version}.tar.gz)
    set(why ": it could not be fetched from ${cupel_benchmark_url}")
    if(NOT EXISTS ${file})
      message(STATUS "Fetching Google Benchmark ${cupel_benchmark_version}")
      file(DOWNLOAD ${cupel_benchmark_url} ${file} STATUS status INACTIVITY_TIMEOUT 30 TIMEOUT 300)
      list(POP_BACK status error)
      string(APPEND why " (${error})")
    endif()
  endif()
  set(sha256 "")
  if(EXISTS ${file})
    file(SHA256 ${file} sha256)
  endif()
  if(NOT sha256 STREQUAL cupel_benchmark_sha256)
    if(why)
      file(REMOVE ${file})
    endif()
    message(FATAL_ERROR "cupel needs Google Benchmark 1.9 or newer. None is installed, and ${file} is not the archive of "
      "${cupel_benchmark_version}${why}. scripts/setup fetches it where Debian's or Ubuntu's source packages can be had; or "
      "name the prefix of an installed one in CMAKE_PREFIX_PATH, or the archive in CUPEL_BENCHMARK_ARCHIVE.")
  endif()
  set(${archive} ${file} PARENT_SCOPE)
endfunction()

# In a function, so that what is set for it is set for nothing else.
function(cupel_build_benchmark)
  include(FetchContent)
  if(NOT FETCHCONTENT_SOURCE_DIR_BENCHMARK)
    cupel_find_benchmark_archive(archive)
  endif()
  FetchContent_Declare(benchmark URL ${archive} URL_HASH SHA256=${cupel_benchmark_sha256}
    DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  foreach(option IN ITEMS TESTING WERROR LIBPFM)
    set(BENCHMARK_ENABLE_${option} OFF)
  endforeach()
  set(BENCHMARK_INSTALL_DOCS OFF)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  # It would ask git for its version, and be told about the repository around it.
  set(CMAKE_DISABLE_FIND_PACKAGE_Git ON)
  set(GIT_EXECUTABLE "")
  FetchContent_MakeAvailable(benchmark)
  set_target_properties(benchmark PROPERTIES SYSTEM ON)  # its headers' warnings are not ours
  set_target_properties(benchmark PROPERTIES UNITY_BUILD ${CUPEL_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 0)
  # Whatever this build is: its own cost is part of what is measured.
  target_compile_options(benchmark PRIVATE -O3 -DNDEBUG)
endfunction()

cupel_build_benchmark()
set(benchmark_VERSION ${cupel_benchmark_version})
