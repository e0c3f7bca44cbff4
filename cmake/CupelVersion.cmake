# cupel::version: what this build is (cupel/version.hpp). Asks git at every build, not only when cmake runs.
set(version_source ${PROJECT_BINARY_DIR}/generated/version.cpp)
set(version_json ${PROJECT_BINARY_DIR}/bench/cupel_pytorch/build.json)  # which the family in Python reads

if(CMAKE_CUDA_COMPILER)
  set(cuda_compiler "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
  set(cuda_architectures "${CMAKE_CUDA_ARCHITECTURES}")
  if(cuda_architectures STREQUAL "native")
    string(REPLACE "-real" "" cuda_architectures "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
  endif()
endif()

add_custom_target(cupel_write_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${version_source} -DJSON_OUTPUT=${version_json} -Dversion=${PROJECT_VERSION}
    -Dbuild_type=$<CONFIG> "-Dcxx_compiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-Dcuda_compiler=${cuda_compiler}" "-Dcuda_architectures=${cuda_architectures}"
    -P ${CMAKE_CURRENT_LIST_DIR}/WriteVersion.cmake
  BYPRODUCTS ${version_source} ${version_json}
  COMMENT "Asking git for the revision" VERBATIM)

add_library(cupel_version STATIC ${version_source})
add_library(cupel::version ALIAS cupel_version)
add_dependencies(cupel_version cupel_write_version)
set_target_properties(cupel_version PROPERTIES EXPORT_NAME version POSITION_INDEPENDENT_CODE ON)
target_sources(cupel_version PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
  FILES ${PROJECT_SOURCE_DIR}/cupel/version.hpp)
cupel_configure_target(cupel_version)
install(TARGETS cupel_version EXPORT cupelTargets ARCHIVE COMPONENT development
  FILE_SET HEADERS DESTINATION include COMPONENT development)
