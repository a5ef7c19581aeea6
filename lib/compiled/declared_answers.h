// What a project declares of the answers of its host: exploration gives no others, and replays warn of them.
#pragma once
#include "explore/results.h"
#include "project/project.h"
#include "replay/replay.h"

namespace espalier::compiled {

// By the places of nodes.
explore::DeclaredResults declared_results(const project::Project& project);
// The same of a compiled asset, by the names that a configuration declares.
explore::DeclaredResults declared_results(const Asset& asset, const dialects::Options& declarations);

// By name, of actions that the project declares itself, and of those of an engine or a framework that are certainly its
// own: those of all nodes of the name together.
replay::DeclaredAnswers declared_answers(const project::Project& project);
// The nodes of trees that poll whose ports are all declared.
std::set<std::string> declared_nodes(const project::Project& project);
// Adds what a configuration declares of the program.
void add_configured_facts(const dialects::Options& options, explore::HostFacts& host);
// Adds what is certain of answers in trees that poll.
void add_known_answers(const project::Project& project, explore::HostFacts& host);

}  // namespace espalier::compiled
