# What a DLL of the runtime gives: the functions of the C interface, by the names in the archive. -DNM= -DARCHIVE= -DOUTPUT=
execute_process(COMMAND ${NM} --defined-only ${ARCHIVE} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T espalier_[a-z0-9_]+" functions "${symbols}")
list(SORT functions)
list(REMOVE_DUPLICATES functions)
list(TRANSFORM functions REPLACE "^ T " "  ")
list(JOIN functions "\n" functions)
file(WRITE ${OUTPUT} "EXPORTS\n${functions}\n")
