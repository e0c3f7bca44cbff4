# Looks for cupel, in cupel_DIR, where no other packages are than those of CMAKE_PREFIX_PATH.
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
set(CMAKE_FIND_USE_PACKAGE_REGISTRY OFF)
find_package(cupel 0.1 REQUIRED)
