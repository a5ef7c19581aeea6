// Built-in declarations. See engine_hosts.h.
#include "project/engine_hosts.h"

#include <algorithm>

#include "project/btcpp_configuration.h"
#include "project/engine_hosts_text.h"
#include "project/hosts.h"
#include "text/json_reader.h"

namespace espalier::project {
namespace {

// A test ensures that they are valid.
std::vector<dialects::btcpp::Declaration> read_nav2_nodes() {
  std::vector<dialects::btcpp::Declaration> nodes;
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(kNav2Text, 0, fault);
  const text::JsonValue* const own = root ? root->find("btcpp") : nullptr;
  if (own == nullptr) return nodes;
  text::Findings findings;
  text::JsonReader json(findings);
  read_btcpp_nodes(*own, json, nodes);
  for (dialects::btcpp::Declaration& node : nodes) node.is_built_in = true;
  return nodes;
}

}  // namespace

bool is_in_program(std::string_view host_file) {
  constexpr std::string_view kPrefix = "espalier:";
  return host_file.substr(0, kPrefix.size()) == kPrefix;
}

std::string_view engine_hosts_text(std::string_view host_file) {
  if (host_file == kNav2Hosts) return kNav2Text;
  return host_file == kCryengineHosts || host_file == kLumberyardHosts ? kCryengineText : std::string_view();
}

// A test ensures that they are valid. Nothing refers to their places.
void add_engine_knowledge(dialects::Options& options) {
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(kCryengineText, 0, fault);
  if (!root) return;
  text::Findings findings;
  text::JsonReader json(findings);
  for (std::size_t i = 0; i < root->keys.size(); ++i) {
    if (root->keys[i].name == "hosts") read_hosts(root->values[i], kCryengineText, json, options.engine_hosts);
    if (root->keys[i].name == "engineEvents") {
      const std::vector<std::string> events = json.read_names(root->values[i], "'engineEvents'");
      options.engine_events.insert(options.engine_events.end(), events.begin(), events.end());
    }
  }
  sort_hosts(json, options.engine_hosts);
  std::vector<std::string>& events = options.engine_events;
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
}

const std::vector<dialects::btcpp::Declaration>& nav2_nodes() {
  static const std::vector<dialects::btcpp::Declaration> kNodes = read_nav2_nodes();
  return kNodes;
}

void forget_other_engines(dialects::Options& options) {
  for (auto* const hosts : {&options.hosts, &options.engine_hosts}) {
    std::erase_if(*hosts, [&](const dialects::HostDeclaration& host) {
      return !dialects::contains(host.engines, options.engine);
    });
  }
}

}  // namespace espalier::project
