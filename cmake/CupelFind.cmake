# The CUDA toolkit, and targets for what has no package of its own: cupel::cudnn, cupel::cudnn_frontend, cupel::nccl
# (where there is one), cupel::cupti_headers and cupel::thrust_host. Shared by the build and the installed
# package; CUPEL_DEPS, if set, is the folder that scripts/setup fills.

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

# cupel_find_library(NAME HEADER [PATHS folder...] [STATIC]): makes cupel::NAME, the library of that name and its header.
# STATIC: its archive where there is one, so that the programs run on machines without it.
function(cupel_find_library name header)
  cmake_parse_arguments(arg "STATIC" "" "PATHS" ${ARGN})
  set(names ${name})
  if(arg_STATIC)
    list(PREPEND names lib${name}.a)
  endif()
  cupel_find_headers(${name} ${header} PATHS ${arg_PATHS} SUFFIXES include)
  string(TOUPPER CUPEL_${name}_LIBRARY variable)
  find_library(${variable} NAMES ${names} NAMES_PER_DIR HINTS ${arg_PATHS} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(${variable})
  if(TARGET cupel::${name} AND ${variable})
    target_link_libraries(cupel::${name} INTERFACE ${${variable}})
  endif()
endfunction()

if(CUPEL_ENABLE_CUDA)
  # CMake 3.25's own module takes for granted that a toolkit has nvToolsExt, which CUDA 13 no longer does.
  if(NOT TARGET CUDA::nvToolsExt AND CMAKE_VERSION VERSION_LESS 3.26)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  # What scripts/common.sh asks for, too. CUPTI's records, batched copies and prefetching are as in 13.0.
  set(cupel_least_cuda 13.0)
  find_package(CUDAToolkit REQUIRED)
  if(CUDAToolkit_VERSION VERSION_LESS cupel_least_cuda)
    message(FATAL_ERROR "cupel needs CUDA ${cupel_least_cuda} or newer; what was found in ${CUDAToolkit_BIN_DIR} is "
      "${CUDAToolkit_VERSION}. CUDACXX=FOLDER/bin/nvcc names another one; scripts/setup --with-cuda fetches one.")
  endif()
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH cupel_toolkit)
  # CUPTI is loaded when it is asked for: its headers are all that is compiled against.
  cupel_find_headers(cupti_headers cupti.h PATHS ${CUDAToolkit_INCLUDE_DIRS} ${cupel_toolkit}/extras/CUPTI/include)
  cupel_find_library(cudnn cudnn.h PATHS ${cupel_toolkit} ${CUPEL_DEPS}/cudnn)
  cupel_find_library(nvjpeg nvjpeg.h PATHS ${cupel_toolkit} ${CUPEL_DEPS}/nvjpeg)
  cupel_find_library(nccl nccl.h PATHS ${cupel_toolkit} ${CUPEL_DEPS}/nccl)
  cupel_find_headers(cudnn_frontend cudnn_frontend.h PATHS ${CUPEL_DEPS}/cudnn-frontend/include)
  if(TARGET cupel::cudnn_frontend AND TARGET cupel::cudnn)
    target_link_libraries(cupel::cudnn_frontend INTERFACE cupel::cudnn)
  endif()
endif()

# Thrust's systems for the CPU; the headers need no CUDA.
cupel_find_headers(thrust_host thrust/version.h
  PATHS ${CUDAToolkit_INCLUDE_DIRS} ${CUPEL_DEPS}/cccl/include /usr/local/cuda/include SUFFIXES cccl)
if(TARGET cupel::thrust_host)
  target_link_libraries(cupel::thrust_host INTERFACE OpenMP::OpenMP_CXX)
  target_compile_definitions(cupel::thrust_host INTERFACE
    THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
endif()

# A family that links one of these fails to configure without it; this says so before, and what to do.
function(cupel_require)
  foreach(name IN LISTS ARGN)
    if(NOT TARGET cupel::${name})
      message(FATAL_ERROR "cupel needs ${name}, which was not found. scripts/setup installs it; or name its folder in "
        "CMAKE_PREFIX_PATH.")
    endif()
  endforeach()
endfunction()
