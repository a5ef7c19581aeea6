# What Debian's policy asks of a package beyond what is installed elsewhere too: run by CPack between the two steps.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${usr}/share/doc/espalier)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set
file(READ ${CMAKE_CURRENT_LIST_DIR}/changelog changelog)  # of the newest version the date is that of the package
string(REPLACE "@trailer@" "${CPACK_PACKAGE_CONTACT}  ${date}" changelog "${changelog}")
file(WRITE ${documents}/changelog "${changelog}")
execute_process(COMMAND gzip --best --no-name ${documents}/changelog ${usr}/share/man/man1/espalier.1 COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK copyright ${documents}/LICENSE SYMBOLIC)  # which README links to
