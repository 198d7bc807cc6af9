# The pages of the sets under docs/sets, made from the catalogue and texts of their own: `make pages`
# writes them, and the tests compare them with what is there. Part of neither the library nor the
# program.
file(GLOB page_sources CONFIGURE_DEPENDS tools/pages/*.cc tools/pages/texts/*.cc)
list(REMOVE_ITEM page_sources ${PROJECT_SOURCE_DIR}/tools/pages/main.cc)
add_library(keyhole_pages STATIC ${page_sources})
keyhole_program_options(keyhole_pages)
target_include_directories(keyhole_pages PUBLIC src tools)
target_link_libraries(keyhole_pages PUBLIC keyhole_archive)
add_executable(keyhole_set_pages tools/pages/main.cc)
keyhole_program_options(keyhole_set_pages)
target_link_libraries(keyhole_set_pages PRIVATE keyhole_pages)
