# Every ```cpp block of a Markdown page is a complete program; build each and run it as a test.
#
#   keyhole_snippets(<page.md> <name>)
#
# The k-th block of the page becomes the program <name>_<k> and the test <name>.<k> (dots of the
# name become underscores in the program). The line <!-- not compiled --> just before a block
# leaves that block out.
function(keyhole_snippets page name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  # Cut with FIND and SUBSTRING: a CMake list would trip over the ; and [ ] of C++.
  file(READ ${page} rest)
  string(PREPEND rest "\n")
  string(REPLACE "." "_" program_prefix ${name})
  set(opening "\n```cpp\n")
  string(LENGTH "${opening}" opening_length)
  set(k 0)
  while(TRUE)
    string(FIND "${rest}" "${opening}" begin)
    if(begin EQUAL -1)
      break()
    endif()
    math(EXPR k "${k} + 1")
    string(SUBSTRING "${rest}" 0 ${begin} before)
    math(EXPR begin "${begin} + ${opening_length}")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}" "\n```" end)
    if(end EQUAL -1)
      message(FATAL_ERROR "${page}: the ```cpp block number ${k} is not closed")
    endif()
    string(SUBSTRING "${rest}" 0 ${end} code)
    string(SUBSTRING "${rest}" ${end} -1 rest)
    if(before MATCHES "<!-- not compiled -->$")
      continue()
    endif()

    set(program ${program_prefix}_${k})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/snippets/${program}.cc)
    # Written only when changed, so that another word in the page rebuilds nothing.
    file(WRITE ${file}.new "${code}\n")
    file(COPY_FILE ${file}.new ${file} ONLY_IF_DIFFERENT)
    add_executable(${program} ${file})
    keyhole_test_options(${program})
    target_link_libraries(${program} PRIVATE keyhole::keyhole)
    add_test(NAME ${name}.${k} COMMAND ${program})
  endwhile()
endfunction()
