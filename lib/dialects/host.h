// What espalier.json declares of a game's own nodes: behaviours of the host, with their attributes. Read by
// lib/project, used by the readers of dialects that have such nodes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/tree.h"

namespace espalier::dialects {

struct HostAttribute {
  std::string name;
  ir::ParameterType type = ir::ParameterType::text;
  bool is_required = false;
  bool is_presence = false;              // that it is there counts, whatever its value
  bool is_recommended = false;           // the engine warns when it is missing
  std::optional<std::string> otherwise;  // the default, as it would stand in XML, checked against the type
  std::vector<std::string> words;        // choice; whole, number: words that may stand in place of a number
  std::optional<double> minimum;         // whole, number
  std::optional<double> maximum;
  std::string doc;
  bool is_deprecated = false;
};

enum class HostChildren : std::uint8_t {
  none,
  one,
  many,
  raw,  // elements that are the host's own and no nodes
};

enum class HostAs : std::uint8_t {
  pass,  // one
  keep,  // one: the child's success makes it run on
  sequence,
  selector,
  parallel,
};

struct HostDeclaration {
  std::string name;
  std::string doc;
  std::vector<HostAttribute> attributes;
  HostChildren children = HostChildren::none;
  HostAs as = HostAs::pass;
  bool reads_logs = true;
  ir::Results results = ir::kAnyResult;
  std::optional<std::vector<std::string>> sends;  // none: any event
  std::optional<std::vector<std::string>> sets;   // none: any variable
  bool is_deprecated = false;
  ir::Span span;  // of its key in espalier.json
};

}  // namespace espalier::dialects
