# Finds what cupel needs. Each dependency is looked for with find_package, so that distributions and Spack can provide
# their own; scripts/setup puts what the distribution lacks under .deps/, which is searched first.
list(PREPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/.deps/prefix)

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(benchmark REQUIRED)

if(CUPEL_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

if(CUPEL_ENABLE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  if(NOT DEFINED ENV{CUDACXX})
    find_program(CMAKE_CUDA_COMPILER nvcc
      PATHS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin ${PROJECT_SOURCE_DIR}/.deps/cuda/bin)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit 12.8 REQUIRED)
endif()

# cupel_find_headers(NAME FILE [PATHS folder...] [SUFFIXES suffix...]): makes cupel::NAME, the headers around FILE, if
# they are found. They are system headers: their warnings are not ours.
function(cupel_find_headers name file)
  cmake_parse_arguments(arg "" "" "PATHS;SUFFIXES" ${ARGN})
  string(TOUPPER CUPEL_${name}_INCLUDE_DIR variable)
  find_path(${variable} ${file} HINTS ${arg_PATHS} PATH_SUFFIXES ${arg_SUFFIXES})
  mark_as_advanced(${variable})
  if(${variable} AND NOT TARGET cupel::${name})
    add_library(cupel::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(cupel::${name} INTERFACE ${${variable}})
  endif()
endfunction()

# cupel_find_library(NAME HEADER [PATHS folder...]): makes cupel::NAME, the library of that name and its header.
function(cupel_find_library name header)
  cmake_parse_arguments(arg "" "" "PATHS" ${ARGN})
  cupel_find_headers(${name} ${header} PATHS ${arg_PATHS} SUFFIXES include)
  string(TOUPPER CUPEL_${name}_LIBRARY variable)
  find_library(${variable} ${name} HINTS ${arg_PATHS} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(${variable})
  if(TARGET cupel::${name} AND ${variable})
    target_link_libraries(cupel::${name} INTERFACE ${${variable}})
  endif()
endfunction()

set(cupel_deps ${PROJECT_SOURCE_DIR}/.deps)

if(CUPEL_ENABLE_CUDA)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH cupel_toolkit)
  # CUPTI and NVML are loaded when they are asked for: their headers are all that is compiled against.
  cupel_find_headers(cupti_headers cupti.h PATHS ${CUDAToolkit_INCLUDE_DIRS} ${cupel_toolkit}/extras/CUPTI/include)
  cupel_find_library(cudnn cudnn.h PATHS ${cupel_deps}/cudnn ${cupel_toolkit})
  cupel_find_library(nccl nccl.h PATHS ${cupel_toolkit})
  cupel_find_headers(cudnn_frontend cudnn_frontend.h PATHS ${cupel_deps}/cudnn-frontend/include)
  foreach(needed cupti_headers cudnn cudnn_frontend)
    if(NOT TARGET cupel::${needed})
      message(FATAL_ERROR "cupel needs ${needed}, which was not found; scripts/setup installs it")
    endif()
  endforeach()
  target_link_libraries(cupel::cudnn_frontend INTERFACE cupel::cudnn)
endif()

# Thrust's systems for the CPU; the headers need no CUDA.
find_package(OpenMP REQUIRED COMPONENTS CXX)
cupel_find_headers(thrust_host thrust/version.h
  PATHS ${CUDAToolkit_INCLUDE_DIRS} ${cupel_deps}/cccl/include /usr/local/cuda/include SUFFIXES cccl)
if(NOT TARGET cupel::thrust_host)
  message(FATAL_ERROR "cupel needs the headers of Thrust (CCCL), which were not found; scripts/setup installs them")
endif()
target_link_libraries(cupel::thrust_host INTERFACE OpenMP::OpenMP_CXX)
target_compile_definitions(cupel::thrust_host INTERFACE
  THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
