# espalier_add_trees(TARGET TARGET TREES PATH... [TRACES PATH...] [ASSET FILE] [HEADER FILE] [OPTIONS OPTION...])
#
# Compiles trees as a part of a build:
#   TREES    files and folders of trees, relative to the current source folder: one project
#   TARGET   a target that uses them: it is built after the asset, and can include the header of ids
#   TRACES   traces, and folders of *.trace.jsonl: each is a test that replays it against the asset
#   ASSET    the asset; default: TARGET.espb in the current binary folder
#   HEADER   the header of ids; default: TARGET_ids.h beside the asset
#   OPTIONS  further options of `espalier compile`, such as --strip
#
# Everything is built again exactly if a tree, espalier.json or a file that it names has changed, was added or removed. Sets
# the property ESPALIER_ASSET of the target to the asset's path. Several targets can use one asset: call it for one of them,
# and add_dependencies() for the others.
#
# Files may have any name without ';', which separates the elements of a list everywhere in CMake. Where one has a quote, a
# backslash or what CMake takes for a variable, it does not look for new files, and says so.
function(espalier_add_trees)
  cmake_parse_arguments(PARSE_ARGV 0 trees "" "TARGET;ASSET;HEADER" "TREES;TRACES;OPTIONS")
  if(trees_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "espalier_add_trees: unknown argument '${trees_UNPARSED_ARGUMENTS}'")
  endif()
  foreach(needed TARGET TREES)
    if(NOT trees_${needed})
      message(FATAL_ERROR "espalier_add_trees: ${needed} is missing")
    endif()
  endforeach()
  if(NOT TARGET ${trees_TARGET})
    message(FATAL_ERROR "espalier_add_trees: there is no target '${trees_TARGET}'")
  endif()
  if(NOT trees_ASSET)
    set(trees_ASSET ${trees_TARGET}.espb)
  endif()
  get_filename_component(asset "${trees_ASSET}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(NOT trees_HEADER)
    get_filename_component(folder "${asset}" DIRECTORY)
    set(trees_HEADER "${folder}/${trees_TARGET}_ids.h")
  endif()
  get_filename_component(header "${trees_HEADER}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")

  _espalier_files(files "*.xml;*.debt" ${trees_TREES})
  set(paths "")
  foreach(path IN LISTS trees_TREES)
    get_filename_component(path "${path}" ABSOLUTE)
    list(APPEND paths "${path}")
  endforeach()
  # A file that is gone has no time to compare: the list of files is a file that the asset depends on.
  string(REPLACE ";" "\n" list "${files}")
  _espalier_write("${asset}.files" "${list}\n")
  foreach(names files paths asset header)
    _espalier_quote(quoted_${names} "${${names}}")
  endforeach()
  # CMake never forgets what a depfile once had where it writes for make, and would compile each time after a file is gone. The
  # depfile is read again if these are missing.
  set(depends "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${trees_TARGET}_trees.dir/compiler_depend")
  file(REMOVE "${depends}.internal" "${depends}.make")
  # The depfile has what the folders do not show, such as espalier.json above them. Not every name can stand in one, and CMake
  # itself loses a '$' there.
  set(depfile_command --depfile "${quoted_asset}.d")
  set(depfile DEPFILE "${quoted_asset}.d")
  if(files MATCHES "[$=|*?<>^`]")
    set(depfile_command "")
    set(depfile "")
    message(WARNING "espalier_add_trees: the name of a file has one of $ = | * ? < > ^ `: trees of ${trees_TARGET} are not "
                    "compiled again after a change of espalier.json, or of a file that is outside of the folders")
  endif()
  add_custom_command(
    OUTPUT "${quoted_asset}" "${quoted_header}"
    COMMAND espalier::espalier compile ${quoted_paths} -o "${quoted_asset}" --header "${quoted_header}"
            ${depfile_command} ${trees_OPTIONS}
    DEPENDS ${quoted_files} "${quoted_asset}.files" espalier::espalier
    ${depfile}
    COMMENT "Compiling the trees of ${trees_TARGET}"
    VERBATIM)
  add_custom_target(${trees_TARGET}_trees DEPENDS "${quoted_asset}" "${quoted_header}")
  add_dependencies(${trees_TARGET} ${trees_TARGET}_trees)
  get_filename_component(folder "${quoted_header}" DIRECTORY)
  get_target_property(type ${trees_TARGET} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${trees_TARGET} INTERFACE "${folder}")
  elseif(NOT type STREQUAL UTILITY)
    target_include_directories(${trees_TARGET} PRIVATE "${folder}")
  endif()
  set_property(TARGET ${trees_TARGET} PROPERTY ESPALIER_ASSET "${asset}")

  _espalier_test_files(${trees_TARGET} "trace.jsonl" "replay;${quoted_asset};--quiet;--trace" ${trees_TRACES})
endfunction()

# espalier_add_tests(NAME NAME TREES PATH... [TRACES PATH...] [PROPERTIES PATH...] [FAIL_ON SEVERITY])
#
# Tests of trees that are not compiled for a target, such as those of a robot with BehaviorTree.CPP:
#   TREES       files and folders of trees: one project. The test NAME.lint checks them
#   TRACES      traces, and folders of *.trace.jsonl: each is a test
#   PROPERTIES  files of properties, and folders of *.properties.json: each is a test that proves them
#   FAIL_ON     the lowest severity of findings that fails; default: warning
function(espalier_add_tests)
  cmake_parse_arguments(PARSE_ARGV 0 tests "" "NAME;FAIL_ON" "TREES;TRACES;PROPERTIES")
  if(tests_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "espalier_add_tests: unknown argument '${tests_UNPARSED_ARGUMENTS}'")
  endif()
  foreach(needed NAME TREES)
    if(NOT tests_${needed})
      message(FATAL_ERROR "espalier_add_tests: ${needed} is missing")
    endif()
  endforeach()
  if(NOT tests_FAIL_ON)
    set(tests_FAIL_ON warning)
  endif()
  set(paths "")
  foreach(path IN LISTS tests_TREES)
    get_filename_component(path "${path}" ABSOLUTE)
    _espalier_quote(path "${path}")
    list(APPEND paths "${path}")
  endforeach()
  _espalier_test(${tests_NAME}.lint lint ${paths} --fail-on ${tests_FAIL_ON})
  _espalier_test_files(${tests_NAME} "trace.jsonl" "replay;${paths};--quiet;--trace" ${tests_TRACES})
  _espalier_test_files(${tests_NAME} "properties.json" "prove;${paths};--properties" ${tests_PROPERTIES})
endfunction()

# A test for each of these files, or files in these folders, whose names end so.
function(_espalier_test_files name suffix words)
  _espalier_files(files "*.${suffix}" ${ARGN})
  string(REPLACE "." "\\." pattern ".${suffix}$")
  foreach(file IN LISTS files)
    get_filename_component(case "${file}" NAME)
    string(REGEX REPLACE "${pattern}" "" case "${case}")
    _espalier_quote(file "${file}")
    _espalier_test("${name}.${case}" ${words} "${file}")
  endforeach()
endfunction()

# One test: under ament_cmake, which counts results in files, with such a file. It is shown if the test fails, for its story.
function(_espalier_test name)
  if(COMMAND ament_add_test)
    set(result "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${name}.xunit.xml")
    ament_add_test("${name}" RESULT_FILE "${result}"
      COMMAND sh -c [["$@" --format junit >"$0" || ! cat "$0"]] "${result}"
              $<TARGET_FILE:espalier::espalier> ${ARGN})
  else()
    add_test(NAME "${name}" COMMAND espalier::espalier ${ARGN})
  endif()
endfunction()

# The absolute paths of files, and of the files in folders whose names match; a build looks for new ones.
function(_espalier_files result patterns)
  set(files "")
  foreach(path IN LISTS ARGN)
    get_filename_component(path "${path}" ABSOLUTE)
    if(IS_DIRECTORY "${path}")
      string(REGEX REPLACE "([[*?])" "[\\1]" literal "${path}")
      set(globs "")
      foreach(pattern IN LISTS patterns)
        list(APPEND globs "${literal}/${pattern}")
      endforeach()
      file(GLOB_RECURSE found LIST_DIRECTORIES false ${globs})
      set(unwatched "")
      foreach(file IN LISTS found)
        if(NOT EXISTS "${file}")
          message(FATAL_ERROR "espalier_add_trees: '${file};...': CMake's lists cannot hold a file name with ';'")
        elseif(file MATCHES "[\"\\]|[$]([A-Z]+)?{|@[A-Za-z0-9/_.+-]+@")
          set(unwatched "${file}")
        endif()
      endforeach()
      # CMake writes the names that it found into a script, as they are, and would configure without end.
      if(unwatched STREQUAL "")
        file(GLOB_RECURSE found CONFIGURE_DEPENDS LIST_DIRECTORIES false ${globs})
      else()
        message(WARNING "espalier_add_trees: CMake cannot look for new files in a folder with '${unwatched}': after a file is "
                        "added or removed, run cmake again")
      endif()
      list(APPEND files ${found})
    elseif(EXISTS "${path}")
      list(APPEND files "${path}")
    else()
      message(FATAL_ERROR "espalier_add_trees: '${path}' does not exist")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Text that CMake takes for a generator expression, as itself: "$<" as an expression that gives "$", and "<".
function(_espalier_quote result text)
  string(REPLACE "$<" "$<1:$><" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Writes a file as it is, without @NAME@ replaced, if it is not there or has another content.
function(_espalier_write path content)
  set(before "")
  if(EXISTS "${path}")
    file(READ "${path}" before)
  endif()
  if(NOT before STREQUAL content)
    file(WRITE "${path}" "${content}")
  endif()
endfunction()
