# The package that other projects find: the libraries, and the functions that make a family.
include(CMakePackageConfigHelpers)
set(package_folder lib/cmake/cupel)

configure_file(${CMAKE_CURRENT_LIST_DIR}/cupelConfig.cmake.in ${PROJECT_BINARY_DIR}/cupelConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cupelConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(EXPORT cupelTargets NAMESPACE cupel:: DESTINATION ${package_folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/cupelConfig.cmake ${PROJECT_BINARY_DIR}/cupelConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/CupelFind.cmake ${CMAKE_CURRENT_LIST_DIR}/CupelTargets.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Findre2.cmake
  DESTINATION ${package_folder} COMPONENT development)
