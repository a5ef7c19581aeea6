// What a project declares of the answers of its host: exploration gives no others, and replays warn of them.
#pragma once
#include "explore/results.h"
#include "project/snapshot.h"
#include "replay/replay.h"

namespace espalier::compiled {

// All that is known of the program: what the configuration declares, and what is certain of the answers of these trees.
explore::HostFacts host_facts(const ir::Project& trees, const project::Snapshot& snapshot);

// By the places of nodes.
explore::DeclaredResults declared_results(const ir::Project& trees, const text::Sources& sources);
// The same of a compiled asset, by the names that a configuration declares.
explore::DeclaredResults declared_results(const Asset& asset, const dialects::Options& declarations);

// By name, of actions that the project declares itself, and of those of an engine or a framework that are certainly its
// own: those of all nodes of the name together.
replay::DeclaredAnswers declared_answers(const ir::Project& trees, const dialects::Options& declarations);
// The nodes of trees that poll whose ports are all declared.
std::set<std::string> declared_nodes(const ir::Project& trees);
// Adds what a configuration declares of the program.
void add_configured_facts(const dialects::Options& options, explore::HostFacts& host);

}  // namespace espalier::compiled
