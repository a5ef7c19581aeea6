// Which program this is.
#pragma once
#include <string>

namespace espalier::system {

// Where systems do not say it, the first word of the command line and PATH do. Called by begin_program().
void note_own_program(const std::string& first_word);
// Tells this file of a program from all others: another build of the same version may find something else. Empty: not
// known.
std::string own_program_stamp();

}  // namespace espalier::system
