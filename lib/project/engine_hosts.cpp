// Built-in declarations. See engine_hosts.h.
#include "project/engine_hosts.h"

#include "dialects/btcpp/declared_nodes.h"
#include "dialects/modular/options.h"
#include "project/engine_hosts_text.h"
#include "text/json_reader.h"

namespace espalier::project {
namespace {

// A test ensures that they are valid.
dialects::btcpp::HostFacts read_nav2() {
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(kNav2Text, 0, fault);
  const text::JsonValue* const own = root ? root->find("btcpp") : nullptr;
  if (own == nullptr) return {};
  text::Findings findings;
  text::JsonReader json(findings);
  return dialects::btcpp::read_host_facts(*own, json, true);
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
  if (dialects::modular::take_engine_knowledge(options)) return;
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(kCryengineText, 0, fault);
  if (root) dialects::modular::add_engine_knowledge(*root, kCryengineText, options);
}

const dialects::btcpp::HostFacts& nav2() {
  static const dialects::btcpp::HostFacts kFacts = read_nav2();
  return kFacts;
}

}  // namespace espalier::project
