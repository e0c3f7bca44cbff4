# The house's four kinds of target. Each folder's CMakeLists.txt is calls of these with lists of files.
#
#   cupel_add_library(NAME stats HEADERS a.hpp SOURCES a.cpp [LIBRARIES cupel::units] [PRIVATE_LIBRARIES fmt::fmt] [APART] [WORDS])
#   cupel_add_kernels(NAME pointwise HEADERS a.hpp SOURCES a.cu reference.cpp [LIBRARIES cupel::cuda])
#   cupel_add_bench(NAME transfer SOURCES transfer.cpp [LIBRARIES CUDA::cublas] [HOST] [EXPLAIN file.md] [ADVICE file.md])
#   cupel_add_test(NAME stats SOURCES a_test.cpp LIBRARIES cupel::stats [GPU] [APART])
#
# APART: never compiled as one source: its own use the same names for the same things.
# WORDS: makes words, verdicts or figures of what other rooms measured, read and computed, asks the operating system or runs what others
# time, for which the first level of optimisation is enough.
#
# cupel_add_library makes target cupel_<name>, alias cupel::<name>; cupel_add_kernels makes cupel_kernels_<name>,
# alias cupel::kernels_<name>; cupel_add_bench makes executable cupel_bench_<name> in <build>/bench/, and puts beside it what
# `cupel explain` says of it and the pieces of advice that it has (docs/families.md). What lies
# in cupel/ is installed with its headers. Projects that find_package(cupel) have these functions too.

# Warnings, sanitizers and include root that every target of ours has.
function(cupel_configure_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion>
    # What GCC sees and is not there: overlaps inside std::string (12, its bugs 105329 and 105651), and references that
    # dangle because a function that returns one was given a temporary (13, its bug 107532).
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-dangling-reference>"
    # Device code at a third of the size that nvcc makes of it by itself, which differs from toolkit to toolkit.
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra;--compress-mode=size>")
  if(CUPEL_WERROR)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror>
      $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
  endif()
  if(CUPEL_SANITIZE)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CUPEL_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>"
      # With them GCC 12 takes the inside of std::regex for uninitialised.
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PRIVATE -fsanitize=${CUPEL_SANITIZE})
  endif()
  if(CMAKE_CUDA_COMPILER)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
    # CMake leaves out the folder that nvcc looks in by itself, whose headers are then no system headers.
    list(TRANSFORM CUDAToolkit_INCLUDE_DIRS PREPEND "SHELL:-isystem " OUTPUT_VARIABLE toolkit_headers)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${toolkit_headers}>")
  endif()
endfunction()

# All C++ sources of a library or a test in one, which reads once what they include, if this build wants that: from clean it takes a
# quarter of the time. Builds without see to it that each source includes what it uses. nvcc's stay apart, as they do for CMake
# before 3.31: their kernels' constants have the same names.
# An argument more: so many of them in one, where one alone would be what all others wait for.
function(cupel_compile_as_one target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CUPEL_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE "${ARGV1}")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(CUPEL_UNITY_BUILD)
    # GCC takes sources that are included for headers, whose classes may have no members of a source's own. It looks for memory to
    # use again at 128 MB already and at each doubling: a tenth of its time, which a quarter of a GB more saves.
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage;--param=ggc-min-heapsize=600000>")
  endif()
endfunction()

# What runs once, and not for long, as tests do, is compiled in half the time where it is optimised less, by those builds that are
# to be there soon. What measures, reads results or computes statistics is not among it.
# An argument more: another level of optimisation than -Og.
function(cupel_compile_soon target)
  set(level -Og)
  if(ARGC GREATER 1)
    set(level ${ARGV1})
  endif()
  if(CUPEL_UNITY_BUILD)
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
  endif()
endfunction()

# Reads the headers that tests have in common from where they were compiled once, if this build does that (CupelPrecompiled.cmake). GCC
# takes the level of optimisation from them, whatever a source says: a test of another level reads none (ci/check-objects).
function(cupel_use_precompiled target)
  if(TARGET cupel_precompiled)
    target_precompile_headers(${target} REUSE_FROM cupel_precompiled)
  endif()
endfunction()

# Only the headers of cudnn-frontend: cuDNN itself is loaded when it is first used. What they can write as JSON is more than a
# third of the time that they take to compile.
function(cupel_use_cudnn_frontend target)
  target_include_directories(${target} SYSTEM PRIVATE ${CUPEL_CUDNN_FRONTEND_INCLUDE_DIR})
  target_compile_definitions(${target} PRIVATE NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING CUDNN_FRONTEND_SKIP_JSON_LIB)
endfunction()

# Where the wheel's programs, in site-packages/cupel/libexec, find the libraries that PyTorch uses: each of NVIDIA's packages for
# CUDA 13 has its own folder, cuBLAS, nvJPEG, NVRTC and CUPTI that of the toolkit.
set(cupel_wheel_rpath "$ORIGIN/../../nvidia/cu13/lib" "$ORIGIN/../../nvidia/cudnn/lib" "$ORIGIN/../../nvidia/nccl/lib")

# An executable finds, in this order, libraries of the Python environment whose wheel it is in, what a package put beside it
# (packaging/shipped.txt), and CUDA's libraries where it was linked against them, CUPTI's too, which is loaded at run time.
function(cupel_configure_executable target)
  cupel_configure_target(${target})
  set(rpath ${cupel_wheel_rpath} "$ORIGIN/../lib" ${CUDAToolkit_LIBRARY_DIR})
  set_target_properties(${target} PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON BUILD_RPATH "${rpath}" INSTALL_RPATH "${CUDAToolkit_LIBRARY_DIR}")
endfunction()

function(cupel_add_library)
  cmake_parse_arguments(arg "APART;WORDS" "NAME" "HEADERS;SOURCES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(target cupel_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(cupel::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_link_libraries(${target} PUBLIC ${arg_LIBRARIES} PRIVATE ${arg_PRIVATE_LIBRARIES})
  cupel_configure_target(${target})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  string(REGEX MATCH "^[^/]+/[^/]+" room ${folder})
  list(TRANSFORM arg_HEADERS PREPEND ${folder}/)
  set_property(GLOBAL APPEND PROPERTY CUPEL_ROOMS ${room})
  set_property(GLOBAL APPEND PROPERTY CUPEL_HEADERS_OF_${room} ${arg_HEADERS})
  set_property(GLOBAL APPEND PROPERTY CUPEL_LIBRARIES_OF_${room} ${target})
  if(NOT arg_APART)
    cupel_compile_as_one(${target} 0)
  endif()
  if(arg_WORDS)
    cupel_compile_soon(${target})
  endif()
  set(library_folder ${PROJECT_SOURCE_DIR}/cupel)
  cmake_path(IS_PREFIX library_folder ${CMAKE_CURRENT_SOURCE_DIR} is_public)
  if(is_public)
    install(TARGETS ${target} EXPORT cupelTargets ARCHIVE COMPONENT development
      FILE_SET HEADERS DESTINATION include COMPONENT development)
  else()
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)  # a build without tests, or without the GPU's side, uses few of them
  endif()
endfunction()

# Target cupel_headers: the headers of each room (cupel/report, kernels/gemm) with nothing before them, as one source. Those that
# include least come first, so that what a header lacks is not there yet. Where a source has a header's name, it includes that
# first (a test sees to it): builds that compile each source by itself show that it stands alone.
function(cupel_add_header_checks)
  get_property(rooms GLOBAL PROPERTY CUPEL_ROOMS)
  list(REMOVE_DUPLICATES rooms)
  add_custom_target(cupel_headers)
  foreach(room IN LISTS rooms)
    get_property(headers GLOBAL PROPERTY CUPEL_HEADERS_OF_${room})
    get_property(libraries GLOBAL PROPERTY CUPEL_LIBRARIES_OF_${room})
    set(ranked)
    foreach(header IN LISTS headers)
      file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^#include ")
      list(LENGTH includes count)
      list(APPEND ranked "${count}:${header}")
    endforeach()
    list(SORT ranked COMPARE NATURAL)
    list(TRANSFORM ranked REPLACE "^[0-9]+:(.*)$" "#include \"\\1\"\n")
    list(JOIN ranked "" text)
    string(REPLACE "/" "_" name ${room})
    set(source ${PROJECT_BINARY_DIR}/headers/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    add_library(cupel_headers_${name} OBJECT EXCLUDE_FROM_ALL ${source})
    target_link_libraries(cupel_headers_${name} PRIVATE ${libraries})
    cupel_configure_target(cupel_headers_${name})
    add_dependencies(cupel_headers cupel_headers_${name})
  endforeach()
endfunction()

function(cupel_add_kernels)
  if(NOT CUPEL_ENABLE_CUDA)
    return()
  endif()
  cmake_parse_arguments(arg "" "NAME" "HEADERS;SOURCES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  cupel_add_library(NAME kernels_${arg_NAME} HEADERS ${arg_HEADERS} SOURCES ${arg_SOURCES}
    LIBRARIES cupel::cuda ${arg_LIBRARIES} PRIVATE_LIBRARIES ${arg_PRIVATE_LIBRARIES})
endfunction()

function(cupel_add_bench)
  cmake_parse_arguments(arg "HOST" "NAME;EXPLAIN;ADVICE" "SOURCES;LIBRARIES" ${ARGN})
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT several)  # code that is not optimised is up to 34 times as slow
    message(STATUS "No CMAKE_BUILD_TYPE is set: Release, as for benchmarks")
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
  endif()
  if(NOT arg_HOST AND NOT CUPEL_ENABLE_CUDA)
    if(NOT PROJECT_NAME STREQUAL cupel)
      message(STATUS "The family ${arg_NAME} is left out: it is of the GPU's side, without which this cupel was built")
    endif()
    return()
  endif()
  set(target cupel_bench_${arg_NAME})
  add_executable(${target} ${arg_SOURCES})
  if(arg_HOST)
    target_link_libraries(${target} PRIVATE cupel::harness_main ${arg_LIBRARIES})
  else()
    target_link_libraries(${target} PRIVATE cupel::timing_main ${arg_LIBRARIES})
  endif()
  target_compile_definitions(${target} PRIVATE CUPEL_FAMILY="${arg_NAME}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  cupel_configure_executable(${target})
  install(TARGETS ${target} RUNTIME DESTINATION libexec/cupel)
  foreach(kind IN ITEMS EXPLAIN ADVICE)
    if(arg_${kind})
      string(TOLOWER ${target}.${kind}.md name)
      configure_file(${arg_${kind}} ${PROJECT_BINARY_DIR}/bench/${name} COPYONLY)
      install(FILES ${PROJECT_BINARY_DIR}/bench/${name} DESTINATION libexec/cupel)
    endif()
  endforeach()
endfunction()

# COST: about the seconds of one of its tests that takes ten and more: tests start with the longest, so that none of those ends alone.
# GPU: a whole-program test with the label `gpu`; without a device it is reported as not run (exit code 77), with the reason.
function(cupel_add_test)
  if(NOT CUPEL_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "GPU;APART" "NAME;COST" "SOURCES;LIBRARIES" ${ARGN})
  if(arg_GPU AND NOT CUPEL_ENABLE_CUDA)
    return()
  endif()
  if(arg_GPU)
    set(target cupel_gpu_test_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} cupel::gpu_test_main GTest::gtest)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gpu-tests)
    add_test(NAME gpu.${arg_NAME} COMMAND ${target})
    set_tests_properties(gpu.${arg_NAME} PROPERTIES LABELS gpu SKIP_RETURN_CODE 77 TIMEOUT 600 RUN_SERIAL ON)
  else()
    set(target cupel_test_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} cupel::test_main GTest::gmock)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    set(cost "")
    if(arg_COST)
      set(cost COST ${arg_COST})
    endif()
    # When tests run: a build starts no program that it has made.
    gtest_discover_tests(${target} TEST_PREFIX ${arg_NAME}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS host TIMEOUT 120 ${cost})
  endif()
  cupel_configure_executable(${target})
  cupel_compile_soon(${target})
  cupel_use_precompiled(${target})
  if(NOT arg_APART)
    cupel_compile_as_one(${target} 0)
  endif()
endfunction()

# cupel_embed_texts(VARIABLE FOLDER docs/explain FUNCTION cupel::cli::explain_texts HEADER cli/explain_texts.hpp): sets
# VARIABLE to a source file that holds the folder's *.md, or the files of PATTERN, and defines the function, which the
# header declares.
function(cupel_embed_texts variable)
  cmake_parse_arguments(arg "" "FOLDER;FUNCTION;HEADER;PATTERN" "" ${ARGN})
  if(NOT arg_PATTERN)
    set(arg_PATTERN *.md)
  endif()
  string(REGEX REPLACE "^.*::" "" name ${arg_FUNCTION})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_data.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake)
  file(GLOB texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/${arg_PATTERN})
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/${arg_FOLDER} -DPATTERN=${arg_PATTERN}
      -DFUNCTION=${arg_FUNCTION} -DHEADER=${arg_HEADER} -DOUTPUT=${source} -P ${script}
    DEPENDS ${texts} ${script} COMMENT "" VERBATIM)
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

# Every folder of `where` that has a CMakeLists.txt.
function(cupel_add_families where)
  file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${where}/*/CMakeLists.txt)
  foreach(list IN LISTS lists)
    cmake_path(GET list PARENT_PATH folder)
    add_subdirectory(${folder})
  endforeach()
endfunction()
