# clang with its own standard library, as Apple's compiler has it: for CMAKE_TOOLCHAIN_FILE, with ESPALIER_LLVM. Libraries are those of
# cli/package/libcxx/libraries.sh, in CMAKE_FIND_ROOT_PATH: what is in C++ cannot be linked with that of another standard library.
set(ESPALIER_LLVM 16 CACHE STRING "The version of Debian's packages of clang and libc++")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ESPALIER_LLVM)
set(CMAKE_C_COMPILER clang-${ESPALIER_LLVM})
set(CMAKE_CXX_COMPILER clang++-${ESPALIER_LLVM})
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-stdlib=libc++>)
add_link_options($<$<LINK_LANGUAGE:CXX>:-stdlib=libc++>)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
