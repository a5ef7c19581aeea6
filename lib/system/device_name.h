// Names that are devices wherever they are.
#pragma once
#include <string>

namespace espalier::system {

// Does the name alone make it a device, as "nul" does in every folder of Windows?
bool has_name_of_device(const std::string& path);

}  // namespace espalier::system
