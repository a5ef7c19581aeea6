// The system says which program this is. See own_program.h.
#include "system/own_program.h"

#include "system/posix/file_stamp.h"

namespace espalier::system {

void note_own_program(const std::string& /*first_word*/) {}

std::string own_program_stamp() { return stamp_of_file("/proc/self/exe"); }

}  // namespace espalier::system
