# Files that are compiled by themselves all the same: they name something as another file of their
# folder does, or (the last two) take long.
set(compiled_alone
    src/learners/parameter_free/exploration_sizes.cc src/math/combinatorial/general_matching.cc
    src/math/panels/panel_kernels.cc src/math/programs/bounded_simplex.cc
    src/math/programs/dual_active_set.cc src/math/programs/sparse_elimination.cc
    src/math/programs/sparse_program.cc src/problems/networks/shortest_paths.cc
    src/sets/polytopes/large_polytope_body.cc src/sets/polytopes/polytope_reader.cc
    src/service/http.cc src/client/tls.cc src/studies/journals/postgres/connection.cc)

# Joins the sources of each folder of the target.
function(keyhole_unity target)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(files ${target} SOURCES)
  foreach(file ${files})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${root} OUTPUT_VARIABLE path)
    if(path MATCHES "^(src|tools)/(.*)/" AND NOT path IN_LIST compiled_alone)
      string(REPLACE / _ group ${CMAKE_MATCH_2})
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
