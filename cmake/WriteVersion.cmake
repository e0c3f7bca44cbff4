# A script (cmake -P): writes OUTPUT from version.cpp.in, and the same as JSON_OUTPUT for what is not C++, only if that changes it, so that nothing is compiled or linked
# again until a commit or an edit changes what the build is.
find_package(Git QUIET)
set(git_revision "")
set(git_dirty false)
if(GIT_FOUND AND EXISTS ${SOURCE_DIR}/.git)
  # Read-only: the index is not refreshed, so that a build does not disturb a git command running beside it.
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE git_revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} --no-optional-locks status --porcelain --untracked-files=no
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(git_dirty true)
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/build.json.in ${JSON_OUTPUT} @ONLY)
