# Reads packaging/shipped.txt: the functions with which packages copy what it names.

# cupel_shipped(OUT KIND): what the list has of a kind.
function(cupel_shipped out kind)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shipped.txt lines REGEX "^${kind} ")
  list(TRANSFORM lines REPLACE "^${kind} " "")
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# cupel_shipped_programs(OUT TREE): the programs of a built tree, which must have the first.
function(cupel_shipped_programs out tree)
  cupel_shipped(patterns program)
  list(TRANSFORM patterns PREPEND ${tree}/)
  file(GLOB programs LIST_DIRECTORIES false ${patterns})
  list(FILTER programs EXCLUDE REGEX "\\.conf$")
  list(GET patterns 0 first)
  if(NOT first IN_LIST programs)
    message(FATAL_ERROR "${tree} has no ${first}: build it first, with scripts/test")
  endif()
  set(${out} ${programs} PARENT_SCOPE)
endfunction()

# cupel_shipped_libraries(OUT PROGRAM...): the libraries of the distribution that the programs link, with what those link.
function(cupel_shipped_libraries out)
  cupel_shipped(pattern library)
  set(linked "")
  foreach(program IN LISTS ARGN)
    file(READ ${program} magic LIMIT 4 HEX)
    if(magic STREQUAL 7f454c46)  # a family may be a script
      list(APPEND linked ${program})
    endif()
  endforeach()
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${linked} RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES "^libcu" "^libnv")
  list(FILTER found INCLUDE REGEX "/lib(${pattern})\\.so")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# cupel_keep_relative_rpath(FILE): takes the build machine's folders out of where a program looks for libraries, and the empty place with
# which CMake ends it, which is the folder that a program is started in.
function(cupel_keep_relative_rpath file)
  file(READ_ELF ${file} RPATH rpath RUNPATH runpath CAPTURE_ERROR error)
  string(REPLACE ";" ":" before "${rpath}${runpath}")
  string(REGEX MATCHALL "[^:]+" places "${before}")
  list(FILTER places INCLUDE REGEX "^[^/]")
  list(JOIN places ":" after)
  if(NOT before STREQUAL after)
    file(RPATH_CHANGE FILE ${file} OLD_RPATH "${before}" NEW_RPATH "${after}")
  endif()
endfunction()

# As a script, for packages that no CMake makes: cmake -DFOLDER=... -P Shipped.cmake does so for all programs below the folder.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE AND FOLDER)
  file(GLOB_RECURSE programs ${FOLDER}/cupel*)
  foreach(program IN LISTS programs)
    file(READ ${program} magic LIMIT 4 HEX)
    if(magic STREQUAL 7f454c46)
      cupel_keep_relative_rpath(${program})
    endif()
  endforeach()
endif()
