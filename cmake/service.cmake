# The service: studies over HTTP. What clients and operators load is embedded into it.
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL REQUIRED)
keyhole_embed(service ${PROJECT_SOURCE_DIR}/src/service/openapi.yaml openapi_yaml)

file(GLOB service_sources CONFIGURE_DEPENDS src/service/*.cc)
add_library(keyhole_service STATIC ${service_sources} ${service_assets})
keyhole_program_options(keyhole_service)
target_include_directories(keyhole_service PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
target_link_libraries(keyhole_service
  PUBLIC keyhole_archive
  PRIVATE nlohmann_json::nlohmann_json Boost::headers OpenSSL::SSL Threads::Threads)
# What every step goes through.
set_source_files_properties(src/service/http.cc PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
