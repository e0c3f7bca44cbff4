# Headers of the standard library and of GoogleTest, read once for all tests: a small one takes a third of its time to read them. For builds
# that are to be there soon, by GCC; those that compile each source by itself show that it includes what it uses. Libraries and programs
# would gain nothing: they are fewer, and larger.
if(CUPEL_BUILD_TESTS AND CUPEL_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(source ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Compiled with the headers that tests have in common.\n")
  add_library(cupel_precompiled OBJECT EXCLUDE_FROM_ALL ${source})
  target_precompile_headers(cupel_precompiled PRIVATE <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstdlib> <cstring>
    <filesystem> <fstream> <functional> <iterator> <limits> <map> <memory> <numeric> <optional> <ranges> <set> <span> <sstream> <stdexcept>
    <string> <string_view> <thread> <tuple> <utility> <variant> <vector> <gmock/gmock.h> <gtest/gtest.h>)
  target_link_libraries(cupel_precompiled PRIVATE GTest::gmock)
  cupel_configure_target(cupel_precompiled)
  cupel_compile_soon(cupel_precompiled)
endif()
