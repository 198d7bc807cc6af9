# Writes the header that names the commit, if that has changed since:
#
#   cmake -DSOURCE=<source folder> -DHEADER=<file to write> -P commit.cmake
#
# Run at each build, so that what a program says of itself is true; nothing is compiled again while
# the commit is the same.
set(commit unknown)
find_program(GIT git)
if(GIT)
  # An unpacked archive inside somebody else's repository must not take the name of that commit.
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
                  OUTPUT_VARIABLE prefix RESULT_VARIABLE failed ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
                      OUTPUT_VARIABLE changes ERROR_QUIET)
      set(commit ${head})
      if(NOT changes STREQUAL "")
        string(APPEND commit +)
      endif()
    endif()
  endif()
endif()

set(text "#define KEYHOLE_COMMIT \"${commit}\"\n")
set(written)
if(EXISTS ${HEADER})
  file(READ ${HEADER} written)
endif()
if(NOT text STREQUAL written)
  file(WRITE ${HEADER} "${text}")
endif()
