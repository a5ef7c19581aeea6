# What Debian's policy asks of a package beyond what is installed elsewhere too: run by CPack between the two steps.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${usr}/share/doc/espalier)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set
file(WRITE ${documents}/changelog
  "espalier (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip --best --no-name ${documents}/changelog ${usr}/share/man/man1/espalier.1 COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK copyright ${documents}/LICENSE SYMBOLIC)  # which README links to
