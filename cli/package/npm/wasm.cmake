# How the program is linked for WebAssembly: espalier.wasm, and espalier.js with emscripten's part of a file system. Its main
# function is called by program.js, once for each instance.
set_target_properties(espalier PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cli/package/npm/system.js)
target_link_options(espalier PRIVATE -O3 -sMODULARIZE=1 -sEXPORT_NAME=espalier -sENVIRONMENT=node,worker -sINVOKE_RUN=0
  -sEXIT_RUNTIME=1 -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain -sALLOW_MEMORY_GROWTH=1
  -sTOTAL_STACK=8MB -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -lnodefs.js
  --js-library=${PROJECT_SOURCE_DIR}/cli/package/npm/system.js)

# The package, as a folder that npm packs.
set(npm ${PROJECT_SOURCE_DIR}/cli/package/npm)
set(npm_package ${PROJECT_BINARY_DIR}/npm)
set(espalier_spdx MIT)
configure_file(${npm}/package.json.in ${npm_package}/package.json @ONLY)
file(GLOB npm_files CONFIGURE_DEPENDS ${npm}/*.js ${npm}/*.mjs ${npm}/*.d.ts)
list(FILTER npm_files EXCLUDE REGEX "/system.js$")
file(GLOB try_files CONFIGURE_DEPENDS ${npm}/try/*)
add_custom_command(OUTPUT ${npm_package}/try.html
  COMMAND ${CMAKE_COMMAND} -E copy ${npm_files} ${npm}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/cli/package/copyright
    $<TARGET_FILE:espalier> ${PROJECT_BINARY_DIR}/espalier.wasm ${npm_package}
  COMMAND node ${npm}/try/make.js ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${npm_package}/try.html
  DEPENDS espalier ${npm_files} ${npm}/README.md ${try_files} ${PROJECT_SOURCE_DIR}/lib/report/pictures/tokens.css VERBATIM)
add_custom_target(espalier_npm DEPENDS ${npm_package}/try.html)
