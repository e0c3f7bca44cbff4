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

# cupel_place_notices(FOLDER TREE): FOLDER/licenses has the notices of what others wrote: of each library in FOLDER/lib, from the Debian
# package that it is of, and of what is compiled into the programs.
function(cupel_place_notices folder tree)
  cupel_shipped(notices notice)
  file(GLOB libraries ${folder}/lib/lib*)
  foreach(library IN LISTS libraries)
    cmake_path(GET library FILENAME name)
    execute_process(COMMAND dpkg-query --search "*/${name}" OUTPUT_VARIABLE owner ERROR_QUIET)
    string(REGEX MATCH "^[a-z0-9.+-]+" package "${owner}")
    list(APPEND notices "${name} /usr/share/doc/${package}/copyright")
  endforeach()
  foreach(notice IN LISTS notices)
    separate_arguments(places UNIX_COMMAND ${notice})
    list(POP_FRONT places name)
    foreach(place IN LISTS places)
      cmake_path(ABSOLUTE_PATH place BASE_DIRECTORY ${tree})
      if(EXISTS ${place} AND NOT EXISTS ${folder}/licenses/${name})
        file(MAKE_DIRECTORY ${folder}/licenses)
        file(COPY_FILE ${place} ${folder}/licenses/${name})
      endif()
    endforeach()
    if(NOT EXISTS ${folder}/licenses/${name})
      message(WARNING "no notice of ${name} is here: whoever passes the package on owes it")
    endif()
  endforeach()
endfunction()

# As a script, for packages that no CMake makes: cmake -DFOLDER=... -DTREE=... -P Shipped.cmake does both for all programs below the folder.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE AND FOLDER)
  cupel_place_notices(${FOLDER} ${TREE})
  file(GLOB_RECURSE programs ${FOLDER}/cupel*)
  foreach(program IN LISTS programs)
    file(READ ${program} magic LIMIT 4 HEX)
    if(magic STREQUAL 7f454c46)
      cupel_keep_relative_rpath(${program})
    endif()
  endforeach()
endif()
