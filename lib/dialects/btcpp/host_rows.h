// The host's nodes as rows of the element table: for editors, schemas and the reference of elements.
#pragma once
#include <span>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// Sorted by name.
[[nodiscard]] std::vector<HostDeclaration> hosts_of(std::span<const Declaration> nodes);

// Adds the rows of the configured nodes.
void declare(const Options& options, DeclaredRows& rows);

// Sets the rows of nodes and trees to what espalier.json and the models of these files declare.
void declare_models(const Summaries& summaries, Options& options);

}  // namespace espalier::dialects::btcpp
