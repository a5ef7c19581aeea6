// What tells a file from others, and from itself after a change.
#pragma once
#include <string>

namespace espalier::system {

// Of its size, its place on the disk and its time. Empty: there is none.
std::string stamp_of_file(const std::string& path);

}  // namespace espalier::system
