// Libraries that are opened when they are used.
#pragma once

namespace espalier::system {

// A function of a library or of one that it needs. The library stays open. Null: there is none.
void* find_function(const char* library, const char* name);

}  // namespace espalier::system
