// Reads "synchronized" of espalier.json. See options.h.
#include "dialects/configuration.h"

#include "dialects/reading/host_reader.h"
#include "dialects/synchronized/options.h"

namespace espalier::dialects::synchronized {
namespace {

using text::JsonValue;

void read(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  SynchronizedOptions& own = options.edit<SynchronizedOptions>();
  file.json.read_object(
      value, "'synchronized'",
      {{"actions", [&](const JsonValue& object) { read_hosts(HostKind::stored_action, object, file, own.actions); }},
       {"conditions",
        [&](const JsonValue& object) { read_hosts(HostKind::condition, object, file, own.conditions); }}});
}

std::vector<DeclaredNames> declared(const Options& options) {
  const SynchronizedOptions& own = options.of<SynchronizedOptions>();
  return {{"action", NameKind::action, own.actions}, {"condition", NameKind::condition, own.conditions}};
}

constexpr ConfiguredKey kKeys[] = {{"synchronized", read}};

}  // namespace

DialectConfiguration configuration() { return {.keys = kKeys, .declared = declared}; }

}  // namespace espalier::dialects::synchronized
