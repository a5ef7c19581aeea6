// Reads "decider" of espalier.json. See options.h.
#include "dialects/configuration.h"

#include "dialects/decider/options.h"

namespace espalier::dialects::decider {
namespace {

using text::JsonValue;

void read(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  DeciderOptions& own = options.edit<DeciderOptions>();
  file.json.read_object(
      value, "'decider'",
      {{"decide", [&](const JsonValue& list) { read_declared(list, "'decide'", file, own.decide_functions); }},
       {"behaviorFlags",
        [&](const JsonValue& list) { read_declared(list, "'behaviorFlags'", file, own.behavior_flags); }},
       {"behaviors", [&](const JsonValue& object) { read_behaviors(object, file, options); }}});
}

std::vector<DeclaredNames> declared(const Options& options) {
  const DeciderOptions& own = options.of<DeciderOptions>();
  std::vector<DeclaredNames> result;
  if (own.decide_functions) result.push_back({"function", NameKind::function, {}, *own.decide_functions});
  if (own.behavior_flags) result.push_back({"flag", NameKind::behavior_flag, {}, *own.behavior_flags});
  return result;
}

constexpr ConfiguredKey kKeys[] = {{"decider", read}};

}  // namespace

DialectConfiguration configuration() { return {.keys = kKeys, .declared = declared}; }

}  // namespace espalier::dialects::decider
