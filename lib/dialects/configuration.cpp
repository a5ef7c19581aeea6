// What keys of several dialects have. See configuration.h.
#include "dialects/configuration.h"

#include <algorithm>
#include <utility>

#include "dialects/options.h"
#include "dialects/reading/host_reader.h"

namespace espalier::dialects {

using text::JsonValue;

void read_events(const JsonValue& list, std::string_view what, const ConfigurationFile& file,
                 std::vector<std::string>& events) {
  const std::vector<std::string> names = file.json.read_names(list, what);
  events.insert(events.end(), names.begin(), names.end());
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
}

void read_signal_only(const JsonValue& list, const ConfigurationFile& file, Options& options) {
  file.json.each_string(list, "'signalOnly'",
                        [&](const JsonValue& entry) { options.signal_only.push_back(entry.string); });
}

std::vector<std::string> read_behaviors(const JsonValue& object, const ConfigurationFile& file, Options& options) {
  std::vector<HostDeclaration> declared;
  read_hosts(HostKind::behavior, object, file, declared);
  std::vector<std::string> names;
  for (HostDeclaration& behavior : declared) {
    names.push_back(behavior.name);
    options.own_behaviors.push_back(std::move(behavior));
  }
  return names;
}

void read_declared(const JsonValue& list, std::string_view what, const ConfigurationFile& file,
                   std::optional<std::vector<std::string>>& names) {
  if (!file.json.expect(list, text::JsonKind::list, what)) return;
  names = file.json.read_names(list, what);
  std::sort(names->begin(), names->end());
}

}  // namespace espalier::dialects
