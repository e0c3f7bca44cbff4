# Run at the wheel's installation: programs and libraries, stripped, and without the build machine's folders in their search
# paths. Those that are relative to the program were set when it was linked; the toolkit's folder behind them is cut off.
set(to ${CMAKE_INSTALL_PREFIX})
find_program(strip strip REQUIRED)
cupel_shipped_libraries(libraries ${programs})

file(INSTALL ${programs} DESTINATION ${to}/libexec USE_SOURCE_PERMISSIONS)
foreach(library IN LISTS libraries)
  file(INSTALL ${library} DESTINATION ${to}/lib FOLLOW_SYMLINK_CHAIN)
endforeach()
file(GLOB links ${to}/lib/*)
foreach(link IN LISTS links)  # a wheel has no links: the name that programs ask for is the file
  if(IS_SYMLINK ${link})
    file(REAL_PATH ${link} real)
    file(REMOVE ${link})
    file(RENAME ${real} ${link})
  endif()
endforeach()

cupel_place_notices(${to} ${CUPEL_TREE})

file(GLOB placed LIST_DIRECTORIES false ${to}/libexec/* ${to}/lib/*)
foreach(file IN LISTS placed)
  file(READ ${file} magic LIMIT 4 HEX)
  if(magic STREQUAL 7f454c46)  # a family may be a script
    execute_process(COMMAND ${strip} ${file} COMMAND_ERROR_IS_FATAL ANY)
    cupel_keep_relative_rpath(${file})
  endif()
endforeach()

cupel_shipped(folders beside)
foreach(folder IN LISTS folders)
  if(EXISTS ${CUPEL_TREE}/${folder})
    file(INSTALL ${CUPEL_TREE}/${folder} DESTINATION ${to}/libexec PATTERN __pycache__ EXCLUDE)
  endif()
endforeach()
cupel_shipped(folders share)
foreach(folder IN LISTS folders)  # into the environment's own, where man and shells look
  file(INSTALL ${CUPEL_TREE}/${folder}/ DESTINATION ${environment}/${folder} PATTERN made EXCLUDE)
endforeach()
