// Declarations of a game's own nodes in espalier.json and in host files: read and checked.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "dialects/reading/host.h"
#include "text/json_reader.h"

namespace espalier::project {

// Reads the object under "hosts", `source` being its file's text, and adds what it declares. Faults in a
// declaration are reported; the rest of it is used nevertheless.
void read_hosts(const text::JsonValue& value, std::string_view source, text::JsonReader& json,
                std::vector<dialects::HostDeclaration>& hosts);

// What the hosts under "actions", "conditions" and "behaviors" are. Only actions of synchronized trees have memory.
enum class HostKind : std::uint8_t { action, condition, behavior, stored_action };

// The same for the object under one of these keys. Sorted by name.
void read_declared_hosts(HostKind kind, const text::JsonValue& value, std::string_view source, text::JsonReader& json,
                         std::vector<dialects::HostDeclaration>& hosts);

// Once all are read: sorts them by name and reports duplicates. The first one counts, but a project's own declaration
// replaces one of the file `of_engine`.
void sort_hosts(text::JsonReader& json, std::vector<dialects::HostDeclaration>& hosts,
                std::optional<text::FileId> of_engine = std::nullopt);

}  // namespace espalier::project
