# The service: studies over HTTP. What clients and operators load is embedded into it.
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL REQUIRED)
keyhole_embed(service ${PROJECT_SOURCE_DIR}/src/service/openapi.yaml openapi_yaml)
keyhole_embed(service ${PROJECT_SOURCE_DIR}/docs/service.md service_md)
# The page, and uPlot, which draws its curves.
if(NOT EXISTS ${KEYHOLE_UPLOT_DIR}/uPlot.iife.min.js)
  message(FATAL_ERROR "The page of the service needs uPlot, and ${KEYHOLE_UPLOT_DIR} has no "
          "uPlot.iife.min.js. Run 'scripts/setup build', or set KEYHOLE_UPLOT_DIR to the folder "
          "'dist' of the npm package uplot, version 1.6.")
endif()
keyhole_embed(service ${KEYHOLE_UPLOT_DIR}/uPlot.iife.min.js uplot_js)
keyhole_embed(service ${KEYHOLE_UPLOT_DIR}/uPlot.min.css uplot_css)
keyhole_embed(service ${KEYHOLE_UPLOT_DIR}/../LICENSE uplot_txt)
set(page ${PROJECT_SOURCE_DIR}/src/service/page)
keyhole_embed(service ${page}/index.html index_html)
keyhole_embed(service ${page}/icon.svg icon_svg)
keyhole_embed(service ${page}/page.css page_css)
foreach(script page api text words charts contexts label limits plays list study create)
  keyhole_embed(service ${page}/${script}.js ${script}_js)
endforeach()

file(GLOB service_sources CONFIGURE_DEPENDS src/service/*.cc src/service/live/*.cc)
add_library(keyhole_service STATIC ${service_sources} ${service_assets})
keyhole_program_options(keyhole_service)
target_include_directories(keyhole_service PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
target_link_libraries(keyhole_service
  PUBLIC keyhole_archive
  PRIVATE nlohmann_json::nlohmann_json Boost::headers OpenSSL::SSL Threads::Threads)
# Every step goes through it.
target_compile_options(keyhole_service PRIVATE $<$<CONFIG:Release>:-O2>)
