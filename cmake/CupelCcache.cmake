# What was compiled before is taken from ccache where there is one, unless a launcher was named (or none: an empty one). It must be told
# that no source defines a macro which the precompiled headers use, and that none uses the time.
if(PROJECT_IS_TOP_LEVEL)
  find_program(CUPEL_CCACHE ccache)
  mark_as_advanced(CUPEL_CCACHE)
  foreach(language IN ITEMS CXX CUDA)
    if(CUPEL_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CUPEL_CCACHE})
    endif()
  endforeach()
endif()
