# A static x86-64 build, to be run by qemu-x86_64. On an x86-64 Debian this compiler is g++ itself.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)

# The libm.a of Debian's cross compiler is a linker script that names files where only an x86-64
# machine has them. So name the libraries ourselves, and the real archive behind that script.
file(GLOB libm /usr/x86_64-linux-gnu/lib/libm-*.a /usr/lib/x86_64-linux-gnu/libm-*.a)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -nodefaultlibs")
set(CMAKE_CXX_STANDARD_LIBRARIES
    "-lstdc++ ${libm} -Wl,--start-group -lgcc -lgcc_eh -lc -Wl,--end-group")
