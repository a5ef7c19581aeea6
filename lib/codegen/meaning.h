// What of an asset decides what its trees do.
#pragma once
#include <espalier/espalier.hpp>
#include <string>

namespace espalier::codegen {

// The bytes of all sections but the names and places of nodes. Assets with the same meaning do the same.
std::string meaning_of(const Asset& asset);

}  // namespace espalier::codegen
