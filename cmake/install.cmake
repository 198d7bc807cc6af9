# The installed package. Nothing in it names the place it was installed to, so it may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS keyhole keyhole_core keyhole_studies keyhole_problems EXPORT keyhole-targets
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/keyhole DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(KEYHOLE_BUILD_CLI)
  install(TARGETS keyhole_cli)
  if(KEYHOLE_WITH_MPI)
    install(TARGETS keyhole_mpi OPTIONAL)  # which the program does not bring with it
  endif()
endif()
# Of a shared library it would bring a second copy.
set(has_experiment OFF)
if(KEYHOLE_BUILD_CLI AND NOT BUILD_SHARED_LIBS)
  set(has_experiment ON)
  install(TARGETS keyhole_experiment EXPORT keyhole-experiment-targets)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/keyhole)
install(EXPORT keyhole-targets NAMESPACE keyhole:: DESTINATION ${package_dir})
if(has_experiment)
  install(EXPORT keyhole-experiment-targets NAMESPACE keyhole:: DESTINATION ${package_dir})
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/keyhole-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/keyhole-config.cmake.in ${PROJECT_BINARY_DIR}/keyhole-config.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/keyhole-config.cmake
              ${PROJECT_BINARY_DIR}/keyhole-config-version.cmake
        DESTINATION ${package_dir})

# From the folder of the .pc file up to the prefix; the library folder may be two levels deep.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package keyhole keyhole-core keyhole-studies)
  if(BUILD_SHARED_LIBS)
    set(pc_libs -lkeyhole)
  elseif(package STREQUAL keyhole-core)
    set(pc_libs -lkeyhole_core)
  else()
    set(pc_libs "-lkeyhole_studies -lkeyhole_core")
  endif()
  configure_file(cmake/keyhole.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
