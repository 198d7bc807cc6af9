# What reports are made of, embedded into programs. The plotting library comes from the package
# libjs-dygraphs.
set(KEYHOLE_DYGRAPHS_DIR /usr/share/javascript/dygraphs CACHE PATH
    "Folder with dygraph.min.js and dygraph.min.css, version 2.2")
if(NOT EXISTS ${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.js OR
   NOT EXISTS ${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.css)
  message(FATAL_ERROR "The reports need dygraphs, and ${KEYHOLE_DYGRAPHS_DIR} has no dygraph.min.js "
          "and dygraph.min.css. Install the Debian package libjs-dygraphs, or set "
          "KEYHOLE_DYGRAPHS_DIR to the folder that holds them.")
endif()

function(keyhole_embed input name)
  set(output ${PROJECT_BINARY_DIR}/report/${name}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D input=${input} -D output=${output} -D name=${name}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  list(APPEND report_assets ${output})
  set(report_assets ${report_assets} PARENT_SCOPE)
endfunction()
keyhole_embed(${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.js dygraph_js)
keyhole_embed(${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.css dygraph_css)
keyhole_embed(${PROJECT_SOURCE_DIR}/src/report/page.html page_html)
keyhole_embed(${PROJECT_SOURCE_DIR}/src/report/report.css report_css)
foreach(script ticks panel curves bars report)
  keyhole_embed(${PROJECT_SOURCE_DIR}/src/report/${script}.js ${script}_js)
endforeach()
