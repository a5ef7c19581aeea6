# What CPack makes of an installation: a .deb, or, where the program is linked statically, a tarball for any Linux.
#   cmake --build --preset release --target package    build/release/espalier_VERSION_ARCHITECTURE.deb
#   cmake --build --preset static --target package     build/static/espalier-VERSION-Linux-PROCESSOR.tar.gz
set(ESPALIER_CONTACT "the espalier authors <espalier@example.org>" CACHE STRING "Whoever distributes the packages, for their users")

set(CPACK_PACKAGE_CONTACT ${ESPALIER_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "toolchain, compiler and runtime for behaviour trees")
set(CPACK_PACKAGE_DESCRIPTION
"espalier reports mistakes in behaviour trees written in XML with their exact
place, compiles trees into one flat binary asset, and replays scripted signals
against them, explaining why each behaviour was chosen. It explores all runs
of a tree to prove properties, to compare versions, and to find covering tests.

With the program come its manuals, samples and schemas, and the runtime: a
static library without dependencies, for C and C++, which runs assets in games.")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)

if(ESPALIER_STATIC)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_FILE_NAME espalier-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  if(ESPALIER_TRIPLET)  # dpkg-shlibdeps knows the libraries of this machine alone; all but the C library are linked statically
    execute_process(COMMAND dpkg-architecture -t${ESPALIER_TRIPLET} -qDEB_HOST_ARCH OUTPUT_STRIP_TRAILING_WHITESPACE
      OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE)
    execute_process(COMMAND dpkg-query -W -f \${Version} libc6-${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}-cross OUTPUT_VARIABLE libc_version)
    string(REGEX MATCH "^[0-9]+[.][0-9]+" libc_version "${libc_version}")
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${libc_version})")
  else()
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, git")  # espalier_add_trees, and `diff --git`
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cli/package/debian_files.cmake)
endif()
include(CPack)
