// Built-in declarations of engines' own nodes: schemas/hosts/*.json, named "espalier:NAME" in "hostFiles".
#pragma once
#include <string>
#include <string_view>

#include "dialects/btcpp/options.h"
#include "dialects/options.h"

namespace espalier::project {

// The first two names stand for the same declarations: what differs depends on the configured engine.
inline constexpr std::string_view kCryengineHosts = "espalier:cryengine";
inline constexpr std::string_view kLumberyardHosts = "espalier:lumberyard";
inline constexpr std::string_view kNav2Hosts = "espalier:nav2";  // those of trees of BehaviorTree.CPP

// Does an entry of "hostFiles" name built-in declarations rather than a file?
bool is_in_program(std::string_view host_file);

// The text of the declarations; empty if the name is unknown.
std::string_view engine_hosts_text(std::string_view host_file);

// Adds to `engine_hosts` and `engine_events` what is known about engines without any configuration.
void add_engine_knowledge(dialects::Options& options);

// What kNav2Hosts declares.
const dialects::btcpp::HostFacts& nav2();

}  // namespace espalier::project
