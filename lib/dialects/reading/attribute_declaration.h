// Reads the declaration of an attribute of a host's node, or of a parameter, in espalier.json or a host file.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "dialects/configuration.h"
#include "dialects/reading/host.h"

namespace espalier::dialects {

inline constexpr std::string_view kResultWords[] = {"running", "failure", "success"};  // by ir::Results' bits

// `what` names it in messages. Faults are reported; the rest of the declaration is used nevertheless.
[[nodiscard]] HostAttribute read_attribute(const std::string& name, std::string what, const text::JsonValue& value,
                                           const ConfigurationFile& file);
// A parameter may also have the type "presence".
[[nodiscard]] HostAttribute read_parameter(const std::string& name, std::string what, const text::JsonValue& value,
                                           const ConfigurationFile& file);

// A list of engines.
[[nodiscard]] EngineSet read_engines(text::JsonReader& json, const text::JsonValue& value, const text::What& what);

void report_excess(text::JsonReader& json, text::Span span, const std::string& what, std::size_t most);

}  // namespace espalier::dialects
