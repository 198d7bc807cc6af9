# Embeds a file into the programs of a room: adds a source that defines the variable to the list
# <room>_assets.
function(keyhole_embed room input name)
  set(output ${PROJECT_BINARY_DIR}/${room}/${name}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D input=${input} -D output=${output} -D name=${name} -D room=${room}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  list(APPEND ${room}_assets ${output})
  set(${room}_assets ${${room}_assets} PARENT_SCOPE)
endfunction()
