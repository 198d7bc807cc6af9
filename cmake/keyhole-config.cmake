include(${CMAKE_CURRENT_LIST_DIR}/keyhole-targets.cmake)
