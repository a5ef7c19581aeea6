// How command lines are read: CLI11 parses them.
// The value of an option is described once, in its type name, as "NAME" or "NAME=word|word|word": --help, the man page
// and the completions for shells are made from it.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

// Shells complete FILE, FOLDER, and PATH, which is either.
CLI::Option* takes(CLI::Option* option, const std::string& name);
// One of `words`, which are separated by '|': takes_one_of(option, "SEVERITY", "error|warning|note").
CLI::Option* takes_one_of(CLI::Option* option, const std::string& name, const std::string& words);
// A whole number from `first` to `last`.
CLI::Option* takes_number(CLI::Option* option, const std::string& name, std::uint64_t first, std::uint64_t last);

// "SEVERITY", and its valid values; empty when they are not a fixed list.
std::string value_name(const CLI::Option& option);
std::vector<std::string> value_words(const CLI::Option& option);
// Is it an option without a value?
bool is_flag(const CLI::Option& option);
// "--format", or "-t" if there is no long one, or a positional's name.
std::string shown_name(const CLI::Option& option);

// The verb of this name; null if there is none.
const CLI::App* find_verb(const CLI::App& program, std::string_view name);

}  // namespace espalier::cli
