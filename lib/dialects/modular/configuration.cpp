// Reads "modular" and "hosts" of espalier.json and of host files. See options.h.
#include "dialects/configuration.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "dialects/modular/elements.h"
#include "dialects/modular/options.h"
#include "dialects/reading/host_reader.h"
#include "rules/configuration.h"
#include "system/filesystem.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

using text::JsonValue;
using text::quote;

constexpr std::uint32_t kMaxCount = 1'000'000'000;
constexpr std::size_t kMaxPreludeBytes = 1 << 20;
constexpr std::string_view kRootDone[] = {"reboot", "stop"};

bool check_name(const JsonValue::Key& key, text::JsonReader& json) {
  if (!text::is_name(key.name)) {
    json.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is not a valid XML element name");
    return false;
  }
  if (find_core_node(key.name) == nullptr) return true;
  json.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is already a node of the dialect 'modular'");
  return false;
}

void read_nodes(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  file.json.each_key(value, "'hosts'", [&](const JsonValue::Key& key, const JsonValue& member) {
    if (check_name(key, file.json)) options.edit<ModularOptions>().hosts.push_back(read_node(key, member, file));
  });
}

void read_engine_events(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  read_events(value, "'engineEvents'", file, options.edit<ModularOptions>().engine_events);
}

void read_preludes(const JsonValue& list, const ConfigurationFile& file, ModularOptions& own) {
  std::set<std::string> seen;
  file.json.each_string(list, "'lua'", [&](const JsonValue& entry) {
    if (!file.around.expect_inside(entry)) return;
    if (!seen.insert(system::filesystem::path(entry.string).lexically_normal().generic_string()).second) {
      file.json.add(rules::CFG_duplicate_declaration, entry.span,
                    "duplicate entry " + quote(entry.string) + " in 'lua'");
      return;
    }
    auto script = file.around.read(entry, kMaxPreludeBytes, "files of Lua are relative to the folder of espalier.json");
    if (script) own.preludes.push_back({entry.string, script->id, std::move(script->text)});
  });
}

void read(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  ModularOptions& own = options.edit<ModularOptions>();
  text::JsonReader& json = file.json;
  json.read_object(
      value, "'modular'",
      {{"rootDone",
        [&](const JsonValue& word) {
          own.stops_when_root_is_done = json.read_word(word, "'rootDone'", kRootDone) == std::size_t{1};
        }},
       {"engine",
        [&](const JsonValue& word) {
          const auto engine = json.read_word(word, "'engine'", kEngineWords);
          if (engine) own.engine = static_cast<GameEngine>(*engine);
        }},
       {"lua", [&](const JsonValue& list) { read_preludes(list, file, own); }},
       {"agents",
        [&](const JsonValue& number) { own.agent_count = json.read_whole(number, "'agents'", 1, kMaxCount); }},
       {"signalOnly", [&](const JsonValue& list) { read_signal_only(list, file, options); }}});
}

void complete(text::JsonReader& json, Options& options) { sort_hosts(json, options.edit<ModularOptions>().hosts); }

std::vector<DeclaredNames> declared(const Options& options) {
  const ModularOptions& own = options.of<ModularOptions>();
  return {{"node of the game", NameKind::action, own.hosts},
          {.kind = "node of the engine", .hosts = own.engine_hosts, .is_known = true}};
}

constexpr ConfiguredKey kKeys[] = {{"hosts", read_nodes}, {"modular", read}};
constexpr ConfiguredKey kHostKeys[] = {{"hosts", read_nodes}, {"engineEvents", read_engine_events}};

}  // namespace

DialectConfiguration configuration() {
  return {kKeys, kHostKeys, complete, declared, R"({"rootDone": "reboot", "signalOnly": []})"};
}

void add_engine_knowledge(const JsonValue& root, std::string_view text, Options& options) {
  text::Findings ignored;
  text::JsonReader json(ignored);
  const Surroundings nothing;
  const ConfigurationFile file{json, text, true, nothing};
  if (const JsonValue* const events = root.find("engineEvents")) read_engine_events(*events, file, options);
  Options known;
  if (const JsonValue* const nodes = root.find("hosts")) read_nodes(*nodes, file, known);
  complete(json, known);
  options.edit<ModularOptions>().engine_hosts = std::move(known.edit<ModularOptions>().hosts);
}

bool take_engine_knowledge(Options& options) {
  ModularOptions& own = options.edit<ModularOptions>();
  own.engine_hosts.clear();
  std::copy_if(own.hosts.begin(), own.hosts.end(), std::back_inserter(own.engine_hosts),
               [](const HostDeclaration& host) { return host.is_built_in; });
  return !own.engine_hosts.empty();
}

void declare_known(Options& options) {
  ModularOptions& own = options.edit<ModularOptions>();
  const std::vector<HostDeclaration> declared = own.hosts;
  for (const HostDeclaration& known : own.engine_hosts) {
    if (find_declaration(declared, known.name) == nullptr) own.hosts.push_back(known);
  }
  std::sort(own.hosts.begin(), own.hosts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

void forget_other_engines(Options& options) {
  ModularOptions& own = options.edit<ModularOptions>();
  for (auto* const hosts : {&own.hosts, &own.engine_hosts}) {
    std::erase_if(*hosts, [&](const HostDeclaration& host) { return !contains(host.engines, own.engine); });
  }
}

}  // namespace espalier::dialects::modular
