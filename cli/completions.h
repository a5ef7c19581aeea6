// Completions for shells, from the same tables of options that parse the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace espalier::cli {

std::string bash_completions(const CLI::App& program);
std::string zsh_completions(const CLI::App& program);
std::string fish_completions(const CLI::App& program);

}  // namespace espalier::cli
