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

keyhole_embed(report ${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.js dygraph_js)
keyhole_embed(report ${KEYHOLE_DYGRAPHS_DIR}/dygraph.min.css dygraph_css)
keyhole_embed(report ${PROJECT_SOURCE_DIR}/src/report/page.html page_html)
keyhole_embed(report ${PROJECT_SOURCE_DIR}/src/report/report.css report_css)
foreach(script ticks panel curves bars report)
  keyhole_embed(report ${PROJECT_SOURCE_DIR}/src/report/${script}.js ${script}_js)
endforeach()
