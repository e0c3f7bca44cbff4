# Finds what cupel needs. Each dependency is looked for with find_package, so that distributions and Spack can provide
# their own; scripts/setup puts what the distribution lacks under .deps/.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(re2 REQUIRED)
include(CupelBenchmark)

if(CUPEL_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)

if(CUPEL_ENABLE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  if(NOT DEFINED ENV{CUDACXX})
    find_program(CMAKE_CUDA_COMPILER nvcc PATHS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin ${PROJECT_SOURCE_DIR}/.deps/cuda/bin)
  endif()
  enable_language(CUDA)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # nvcc has C++20 since 12.0, CMake 3.25 does not know it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
endif()

set(CUPEL_DEPS ${PROJECT_SOURCE_DIR}/.deps)
include(CupelFind)
# What the pipeline's loader reads and decodes with.
cupel_find_library(turbojpeg turbojpeg.h STATIC)
cupel_find_library(lmdb lmdb.h STATIC)
cupel_find_library(uring liburing.h STATIC)
cupel_require(thrust_host turbojpeg lmdb uring)
if(CUPEL_ENABLE_CUDA)
  cupel_require(cupti_headers cudnn cudnn_frontend nvjpeg)
endif()
