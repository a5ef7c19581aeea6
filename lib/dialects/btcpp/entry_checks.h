// Parts of the check of entries. See entries.cpp.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "dialects/btcpp/entry_facts.h"

namespace espalier::dialects::btcpp {

// `_onHalted` scripts: the library runs all of them when a tree is destroyed, and nothing catches what they throw.
void check_halts(EntryFacts& facts, const ReadProject& project, Reporter& reporter);
// Texts that are the name of an entry on the blackboard where they are given.
void check_texts(const EntryFacts& facts, const ReadProject& project, Reporter& reporter);
// The entries of a board that are read and never written, whose names are nearly those of others that are written or
// given and never read, with these. They are reported, and have no other faults.
using Misspelt = std::map<std::string_view, std::string_view>;
[[nodiscard]] Misspelt check_spelling(const Board& board, const ReadProject& project, Reporter& reporter);
// Is it written as enums are?
[[nodiscard]] bool looks_like_enum(std::string_view name);

}  // namespace espalier::dialects::btcpp
