# With CUPEL_EMULATE_CUDA: .cu files become C++, and what links the CUDA runtime links tests/emulator instead.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(CUPEL_EMULATOR_DIR ${CMAKE_CURRENT_LIST_DIR})
set(CUPEL_EMULATED_DIR ${PROJECT_BINARY_DIR}/emulated)

# Adds the command that rewrites a file of the tree, named from its root.
function(cupel_rewrite file)
  add_custom_command(OUTPUT ${CUPEL_EMULATED_DIR}/${file}
    COMMAND ${Python3_EXECUTABLE} ${CUPEL_EMULATOR_DIR}/rewrite.py
      ${PROJECT_SOURCE_DIR}/${file} ${CUPEL_EMULATED_DIR}/${file}
    DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${CUPEL_EMULATOR_DIR}/rewrite.py
    COMMENT "Rewriting ${file}" VERBATIM)
endfunction()

# Headers with kernels: found before those of the tree.
file(GLOB_RECURSE cuh RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/kernels/*.cuh ${PROJECT_SOURCE_DIR}/cupel/*.cuh ${PROJECT_SOURCE_DIR}/bench/*.cuh)
foreach(file IN LISTS cuh)
  cupel_rewrite(${file})
endforeach()
list(TRANSFORM cuh PREPEND ${CUPEL_EMULATED_DIR}/)
add_custom_target(cupel_emulated_headers DEPENDS ${cuh})

# Graphs of cuDNN, which is not emulated: they are compiled and never built. With the sanitizers one file of
# cudnn-frontend takes GCC 12 more than 200 s and 4.5 GB at -O2 and 64 s at -O0, without them and without debug
# information 31 s.
set(CUPEL_EMULATED_GRAPHS "^cupel_bench_(conv_graph|fusion_cudnn)$")

# Of the target's sources the .cu files, each with what is compiled in its place.
function(cupel_emulate_sources target)
  if(target MATCHES "${CUPEL_EMULATED_GRAPHS}")
    target_compile_options(${target} PRIVATE -O0 -g0 -fno-sanitize=all)
  endif()
  get_target_property(sources ${target} SOURCES)
  if(NOT sources MATCHES "\\.cu(;|$)")
    return()
  endif()
  set(emulated)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cu$")
      list(APPEND emulated ${source})
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REGEX REPLACE "\\.cu$" ".cpp" instead ${CUPEL_EMULATOR_DIR}/instead/${source})
    if(EXISTS ${instead})  # written for the emulator, because its kernels are a library's
      list(APPEND emulated ${instead})
      continue()
    endif()
    set(rewritten ${CUPEL_EMULATED_DIR}/${source})
    get_property(known GLOBAL PROPERTY cupel_rewritten_${source} SET)
    if(NOT known)
      cupel_rewrite(${source})
      set_property(GLOBAL PROPERTY cupel_rewritten_${source} TRUE)
    endif()
    # Address 0 faults, as on a device, and is not for the sanitizer to see first. Tests take their time in kernels:
    # with these at -O1 those of norm take half as long again.
    set_source_files_properties(${rewritten} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS
      "-xc++;-w;-O2;-fno-sanitize=null;-include;${CUPEL_EMULATOR_DIR}/device_code.hpp")
    list(APPEND emulated ${rewritten})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${emulated}")
  target_include_directories(${target} BEFORE PRIVATE ${CUPEL_EMULATED_DIR})
  add_dependencies(${target} cupel_emulated_headers)
endfunction()

# Tests that need what is not emulated: cuDNN, CUPTI, NVML and the epilogues of cuBLASLt.
set(CUPEL_NOT_EMULATED "^(referee|bench_conv|bench_fusion_.*|probe_program)$")

# Families of which no row is left without cuDNN.
set(CUPEL_NOT_EMULATED_FAMILIES "^conv$")

# Tests that hold times, or what NVML tells, against what a GPU gives.
string(JOIN : CUPEL_EMULATED_FILTER_timing
  Calibration.* Clock.IsRead* Gate.KeepsLaunchLatencyOutOfTheTime Flush.MakesAReadOfTheCacheSlower Flush.LeavesNothing* ColdSample.*
  MemoryProbe.* ASpinOfKnownLength.* Batch.* QuickTime.TellsHowLongTheWorkTakes
  TwoStreams.AreTimedFromTheFirstStartToTheLastEnd TwoStreams.AreLetGoAtOnce TwoStreams.TimeAllCallsOfABatch
  TwoStreams.TakeNoLongerThanTheHostSeesThemTake QuickStreamsOfADevice.AreNoSlowerThanTheFirstStream
  QuickStreamsOfADevice.GiveTheProcessAStreamThatStaysQuick)
string(JOIN : CUPEL_EMULATED_FILTER_device
  DeviceGpu.IsDescribedPlausibly DeviceGpu.TheRuntimeAndNvmlAgreeOnTheGreatestClocks
  DeviceGpu.TelemetryOfABusyDeviceIsReadable DeviceGpu.AReadingCostsLittleBesideABenchmark)

# How many bits a library keeps: the emulated cuBLAS computes in double.
set(CUPEL_EMULATED_FILTER_bench_gemm Errors.*)

# What goes by launches whose blocks wait for one another, at sizes that take a CPU minutes.
set(CUPEL_EMULATED_FILTER_kernels_norm Resident/*)

# Benchmarks whose smallest size takes a CPU minutes.
set(CUPEL_EMULATED_WITHOUT_fusion "fusion/(attention|epilogue/.*/hidden:4096)/")
set(CUPEL_EMULATED_WITHOUT_gemm "gemm/(transformer|backward|skinny|align|inputs|choice)/")
set(CUPEL_EMULATED_WITHOUT_optimizer "model:(gpt2_small|one_large)|rule:adamw/model:resnet50")

# Started first, so that none of them is left to run alone.
set(CUPEL_EMULATED_LONGEST "^emulated.(smoke.smallest.(optimizer|fusion|gemm)|bench_gemm|kernels_norm)$")

# What `cmake --build --preset emulated` makes.
add_custom_target(cupel_emulated)

function(cupel_describe_emulated_test name)
  set_tests_properties(${name} PROPERTIES LABELS emulated TIMEOUT 1200)
  if(name MATCHES "${CUPEL_EMULATED_LONGEST}")
    set_tests_properties(${name} PROPERTIES COST 1)
  endif()
endfunction()

function(cupel_add_emulated_test)
  cmake_parse_arguments(arg "GPU" "NAME" "SOURCES;LIBRARIES" ${ARGN})
  set(target cupel_gpu_test_${arg_NAME})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} cupel::gpu_test_main GTest::gtest)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gpu-tests)
  cupel_configure_executable(${target})
  if(arg_NAME MATCHES "${CUPEL_NOT_EMULATED}")
    return()
  endif()
  add_dependencies(cupel_emulated ${target})
  add_test(NAME emulated.${arg_NAME} COMMAND ${target} --gtest_filter=-${CUPEL_EMULATED_FILTER_${arg_NAME}})
  cupel_describe_emulated_test(emulated.${arg_NAME})
endfunction()

function(cupel_add_emulated_smoke family)
  get_target_property(libraries cupel_bench_${family} LINK_LIBRARIES)
  if("cupel::harness_main" IN_LIST libraries OR family MATCHES "${CUPEL_NOT_EMULATED_FAMILIES}")
    return()
  endif()
  add_dependencies(cupel_emulated cupel_bench_${family} cupel_smoke)
  # Of a family whose smallest sizes take minutes, larger ones are not for a CPU.
  set(ways smallest sizes)
  set(without)
  if(CUPEL_EMULATED_WITHOUT_${family})
    set(ways smallest)
    set(without ${CUPEL_EMULATED_WITHOUT_${family}} "the smallest size takes a CPU minutes")
  endif()
  foreach(way IN LISTS ways)
    add_test(NAME emulated.smoke.${way}.${family}
      COMMAND cupel_smoke ${way} $<TARGET_FILE:cupel_bench_${family}> ${without})
    cupel_describe_emulated_test(emulated.smoke.${way}.${family})
  endforeach()
endfunction()
