# Refuses what include/keyhole/platform.h refuses, before anything is compiled.
if(MSVC)
  message(FATAL_ERROR "Keyhole does not support MSVC: use gcc or clang (on Windows in WSL)")
endif()
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "Keyhole does not support big-endian machines: its random bits are bytes in "
                      "little-endian order")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "Keyhole needs a 64-bit machine")
endif()
