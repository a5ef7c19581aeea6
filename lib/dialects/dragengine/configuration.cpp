// Reads "dragengine" of espalier.json. See options.h.
#include "dialects/configuration.h"

#include "dialects/dragengine/options.h"
#include "dialects/reading/host_reader.h"

namespace espalier::dialects::dragengine {
namespace {

using text::JsonValue;

constexpr std::uint32_t kMaxRunLimit = 65535;

void read(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  DragengineOptions& own = options.edit<DragengineOptions>();
  file.json.read_object(
      value, "'dragengine'",
      {{"runAwayLimit",
        [&](const JsonValue& number) {
          own.run_limit = file.json.read_whole(number, "'runAwayLimit'", 1, kMaxRunLimit).value_or(own.run_limit);
        }},
       {"actions", [&](const JsonValue& object) { read_hosts(HostKind::action, object, file, own.actions); }},
       {"conditions",
        [&](const JsonValue& object) { read_hosts(HostKind::condition, object, file, own.conditions); }}});
}

std::vector<DeclaredNames> declared(const Options& options) {
  const DragengineOptions& own = options.of<DragengineOptions>();
  return {{"action", NameKind::action, own.actions}, {"condition", NameKind::condition, own.conditions}};
}

constexpr ConfiguredKey kKeys[] = {{"dragengine", read}};

}  // namespace

DialectConfiguration configuration() {
  return {.keys = kKeys, .declared = declared, .first = R"({"runAwayLimit": 100})"};
}

}  // namespace espalier::dialects::dragengine
