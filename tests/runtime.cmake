# Programs that need the runtime alone, so that they are built for other processors too: tests/package/processors.py runs them there.
find_package(Threads REQUIRED)

# Runs that are recorded and played back: for tests/recording/recordings.py.
set(recorded_sources recording/recorded_runs.cpp recording/recorded_hour.cpp recording/random_program.cpp)
add_executable(recorded_runs ${recorded_sources})
set_target_properties(recorded_runs PROPERTIES CXX_STANDARD 17)
target_link_libraries(recorded_runs PRIVATE espalier_runtime espalier_options Threads::Threads)

# Crowds in vectors, against agents one by one.
add_executable(column_runs package/column_runs.cpp)
set_target_properties(column_runs PROPERTIES CXX_STANDARD 17)
target_link_libraries(column_runs PRIVATE espalier_runtime espalier_options)

# The C interface: a C99 program, linked by the C linker with the runtime's archive and nothing else. The archive is named as a
# file, since CMake links what a C++ target brings with C++'s own library, which the runtime must not need.
add_executable(unit_c_interface unit/c_interface.c unit/c_interface_ticking.c unit/c_interface_rules.c
  unit/c_interface_deciders.c unit/c_interface_store.c unit/c_interface_times.c)
set_target_properties(unit_c_interface PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_include_directories(unit_c_interface PRIVATE ${PROJECT_SOURCE_DIR}/lib/runtime/include)
if(ESPALIER_SANITIZE)  # which brings a library of its own for C++
  set_target_properties(unit_c_interface PROPERTIES LINKER_LANGUAGE CXX)
endif()
add_dependencies(unit_c_interface espalier_runtime)
target_link_libraries(unit_c_interface PRIVATE $<TARGET_FILE:espalier_runtime> espalier_options)

# A checked build of the runtime, and a program that misuses it in each way that it tells.
file(GLOB runtime_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/runtime/*/*.cpp)
add_library(runtime_checked STATIC ${runtime_sources})
set_target_properties(runtime_checked PROPERTIES CXX_STANDARD 17)
espalier_unite_engines(runtime_checked)
target_compile_definitions(runtime_checked PRIVATE ESPALIER_CHECK)
target_compile_options(runtime_checked PRIVATE -O0)  # one short program runs it
target_include_directories(runtime_checked PUBLIC ${PROJECT_SOURCE_DIR}/lib/runtime/include PRIVATE
  ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/lib/runtime)
target_link_libraries(runtime_checked PRIVATE espalier_options)
add_executable(unit_checked unit/checked.c)
set_target_properties(unit_checked PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_link_libraries(unit_checked PRIVATE runtime_checked espalier_options)
