// espalier.json: found, read and checked. schemas/configuration.schema.json describes it to editors.
#pragma once
#include <span>
#include <string>

#include "project/project.h"

namespace espalier::project {

inline constexpr const char* kConfigurationName = "espalier.json";

// The nearest espalier.json in or above the folder of a path, which need not exist; empty when there is none.
std::string nearest_configuration(const std::string& path);

// Reads and checks the file at `path`, adding it to `sources`. What is wrong with it goes to `findings`, and what is
// right is used all the same. `named` are the paths of the command line, which may lie anywhere; what the configuration
// itself names must lie in its folder, but for host files. False: it could not be read at all, and `error` says why.
[[nodiscard]] bool read_configuration(const std::string& path, text::Sources& sources, Configuration& configuration,
                                      text::Findings& findings, std::string& error,
                                      std::span<const std::string> named = {});

}  // namespace espalier::project
