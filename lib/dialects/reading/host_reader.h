// Reads declarations of a game's own nodes, actions and behaviours in espalier.json and in host files.
#pragma once
#include <cstdint>
#include <vector>

#include "dialects/configuration.h"
#include "dialects/reading/host.h"
#include "text/json_reader.h"

namespace espalier::dialects {

// The node of a modular tree that `key` names. Faults in a declaration are reported; the rest of it is used
// nevertheless.
[[nodiscard]] HostDeclaration read_node(const text::JsonValue::Key& key, const text::JsonValue& value,
                                        const ConfigurationFile& file);

// What the hosts under "actions", "conditions" and "behaviors" are. Only actions of synchronized trees have memory.
enum class HostKind : std::uint8_t { action, condition, behavior, stored_action };

// Adds what the object under one of these keys declares, and sorts all by name.
void read_hosts(HostKind kind, const text::JsonValue& value, const ConfigurationFile& file,
                std::vector<HostDeclaration>& hosts);

// Sorts them by name and reports duplicates. The first one counts, but one that is not built in replaces one that is.
void sort_hosts(text::JsonReader& json, std::vector<HostDeclaration>& hosts);

}  // namespace espalier::dialects
