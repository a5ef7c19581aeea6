// What the scripts of modular trees find of the engine in a replay: the engine's functions for signals and variables,
// and functions that a trace answers for by their names.
#pragma once
#include "script/host.h"

namespace espalier::replay {

class Updates;
struct BoundTree;

struct ScriptHost {
  // For the scripts of these updates, which must outlive them.
  static script::HostFunctions functions(Updates& updates);
  // Adds the names of functions that the scripts of the tree's asset call to those that a trace can answer for.
  static void add_names(BoundTree& bound);
};

}  // namespace espalier::replay
