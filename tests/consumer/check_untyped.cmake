# Configures PROJECT in BUILD without a type of build, against what is installed in PREFIX: it is Release, and a family that
# is left out is named.
file(REMOVE_RECURSE ${BUILD})
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${BUILD} -DCMAKE_BUILD_TYPE= "-DCMAKE_PREFIX_PATH=${PREFIX}"
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCUDAToolkit_ROOT=${TOOLKIT} OUTPUT_VARIABLE said ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
load_cache(${BUILD} READ_WITH_PREFIX its_ CMAKE_BUILD_TYPE)
if(NOT its_CMAKE_BUILD_TYPE STREQUAL Release)
  message(FATAL_ERROR "the type of build is '${its_CMAKE_BUILD_TYPE}', not Release: ${said}")
endif()
if(NOT HAS_CUDA AND NOT said MATCHES "family memset is left out")
  message(FATAL_ERROR "a family of the GPU's is left out, and not named: ${said}")
endif()
