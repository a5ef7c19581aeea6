// Declarations of nodes in espalier.json and host files.
#pragma once
#include <vector>

#include "dialects/btcpp/options.h"
#include "text/json_reader.h"

namespace espalier::dialects::btcpp {

// Adds the nodes of an object under "nodes". Faults are reported. `former`: of a built-in file, whose nodes can be of
// some releases only: gets what their ports were before; null: it is another one.
void read_nodes(const text::JsonValue& value, text::JsonReader& json, std::vector<Declaration>& nodes,
                std::vector<FormerPort>* former = nullptr);

// Reads the object under "btcpp" of a host file. `is_built_in`: it is a part of the program, and has entries, too.
[[nodiscard]] HostFacts read_host_facts(const text::JsonValue& value, text::JsonReader& json, bool is_built_in);

}  // namespace espalier::dialects::btcpp
