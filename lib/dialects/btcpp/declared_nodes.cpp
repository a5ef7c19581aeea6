// Reads declarations of nodes. See declared_nodes.h.
#include "dialects/btcpp/declared_nodes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "rules/configuration.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

using text::JsonKind;
using text::JsonValue;
using text::quote;

constexpr std::string_view kKinds[] = {"Action", "Condition", "Control", "Decorator"};  // by NodeKind
constexpr std::string_view kDirections[] = {"input", "output", "inout"};                // by Direction
constexpr std::string_view kSync[] = {"sync"};
constexpr std::string_view kFromIdle[] = {"failure"};
constexpr std::string_view kOpenPorts = "open";

std::vector<std::string_view> names_of_controls() {
  std::vector<std::string_view> names;
  for (const Declaration& row : library_nodes()) {
    if (row.kind == NodeKind::control) names.push_back(row.name);
  }
  return names;
}

// The keys of a built-in declaration that say which releases have it. All must outlive the keys.
void add_releases(const std::string& what, text::JsonReader& json, Nav2Releases& releases,
                  std::vector<text::JsonReader::Entry>& keys) {
  const auto read = [&what, &json](Nav2Release& release) {
    return [&what, &json, &release](const JsonValue& word) {
      const auto number = json.read_word(word, what, kNav2Releases);
      if (number) release = static_cast<Nav2Release>(*number);
    };
  };
  keys.push_back({"since", read(releases.first)});
  keys.push_back({"until", read(releases.last)});
}

// Reads the declaration of one node.
class NodeReader {
 public:
  // `former`: of a built-in file; null: its nodes are of all releases.
  NodeReader(const JsonValue::Key& key, text::JsonReader& json, std::vector<FormerPort>* former)
      : what_("node " + quote(key.name)), json_(json), former_(former) {
    node_.is_built_in = former != nullptr;
    node_.name = key.name;
    node_.span = key.span;
    node_.gives_kind = false;
  }

  Declaration read(const JsonValue& value) {
    const JsonValue* as = nullptr;
    std::vector<text::JsonReader::Entry> keys = {
        {"kind",
         [&](const JsonValue& word) {
           node_.gives_kind = true;
           const auto kind = json_.read_word(word, of("kind"), kKinds);
           if (kind) node_.kind = static_cast<NodeKind>(*kind);
         }},
        {"as",
         [&](const JsonValue& word) {
           as = &word;
           node_.gives_kind = true;
         }},
        {"ports", [&](const JsonValue& ports) { read_ports(ports); }},
        {"open", [&](const JsonValue& flag) { node_.is_open = json_.read_boolean(flag, of("open")) || node_.is_open; }},
        {"class", [&](const JsonValue& text) { node_.class_name = json_.read_string(text, of("class")); }},
        {"at", [&](const JsonValue& text) { node_.at = json_.read_string(text, of("at")); }},
        {"result", [&](const JsonValue& results) { read_results(results); }},
        {"uses", [&](const JsonValue& names) { node_.uses = json_.read_names(names, of("uses")); }},
        {"fromIdle", [&](const JsonValue& word) { read_from_idle(word); }},
        {"doc", [&](const JsonValue& text) { node_.doc = json_.read_string(text, of("doc")); }}};
    if (former_ != nullptr) add_releases(what_, json_, node_.releases, keys);
    json_.read_object(value, what_, keys);
    node_.built = built_of_host(node_.kind);
    if (as != nullptr) read_as(*as);
    return std::move(node_);
  }

 private:
  text::PartOf of(std::string_view key) const { return {key, " of the ", what_}; }

  // The kind is known.
  void read_as(const JsonValue& value) {
    if (node_.kind == NodeKind::action) {
      node_.is_sync = json_.read_word(value, of("as"), kSync).has_value();
    } else if (node_.kind == NodeKind::control) {
      const std::vector<std::string_view> controls = names_of_controls();
      const auto control = json_.read_word(value, of("as"), controls);
      if (control) node_.built = find_library_node(controls[*control])->built;
      node_.has_as = control.has_value();
    } else {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                of("as")() + " has no meaning: it is not an 'Action' or a 'Control'");
    }
  }

  void read_results(const JsonValue& value) {
    json_.each_string(value, of("result"), [&](const JsonValue& entry) {
      const auto word = json_.read_word(
          entry, [&] { return "an entry of " + of("result")(); }, kResultWords);
      if (word) node_.results |= kResultOfWord[*word];
    });
    if (value.kind == JsonKind::list && value.values.empty()) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value), of("result")() + " is empty",
                "without \"result\" it can have any result of its kind");
    }
  }

  void read_from_idle(const JsonValue& value) {
    node_.fails_from_idle = json_.read_word(value, of("fromIdle"), kFromIdle).has_value();
  }

  // "open": it has ports, of which none is listed.
  void read_ports(const JsonValue& value) {
    if (value.kind == JsonKind::string && value.string == kOpenPorts) {
      node_.is_open = true;
      return;
    }
    json_.each_key(value, of("ports"), [&](const JsonValue::Key& key, const JsonValue& member) {
      if (is_port_name(key.name) && key.name != "name" && key.name != "ID") {
        read_port(key, member);
        return;
      }
      json_.add(rules::CFG_invalid_name, key.span, quote(key.name) + " cannot be the name of a port");
    });
  }

  void read_port(const JsonValue::Key& key, const JsonValue& value) {
    port_ = "port " + quote(key.name) + " of the " + what_;
    Port port;
    port.name = key.name;
    port.span = key.span;
    port.gives_direction = false;
    port.gives_type = false;
    const JsonValue* otherwise = nullptr;
    std::vector<text::JsonReader::Entry> keys = {
        {"direction",
         [this, &port](const JsonValue& word) {
           port.gives_direction = true;
           const auto direction = json_.read_word(word, of_port("direction"), kDirections);
           if (direction) port.direction = static_cast<Direction>(*direction);
         }},
        {"type",
         [this, &port](const JsonValue& word) {
           port.gives_type = true;
           port.type = read_type(json_.read_string(word, of_port("type")));
         }},
        {"optional",
         [this, &port](const JsonValue& flag) {
           if (json_.read_boolean(flag, of_port("optional"))) port.missing = Missing::allowed;
         }},
        {"default",
         [this, &otherwise](const JsonValue& text) {
           if (json_.expect(text, JsonKind::string, of_port("default"))) otherwise = &text;
         }},
        {"doc", [this, &port](const JsonValue& text) { port.doc = json_.read_string(text, of_port("doc")); }},
        {"at", [this, &port](const JsonValue& text) { port.at = json_.read_string(text, of_port("at")); }}};
    if (former_ != nullptr) {
      add_releases(port_, json_, port.releases, keys);
      keys.push_back({"was", [this, &key](const JsonValue& before) { read_former(before, key.name); }});
    }
    json_.read_object(
        value, [this] { return "the " + port_; }, keys);
    if (otherwise != nullptr) read_default(*otherwise, port_, port);
    node_.ports.push_back(std::move(port));
  }

  text::PartOf of_port(std::string_view part) const { return {part, " of the ", port_}; }

  void read_former(const JsonValue& value, const std::string& port) {
    FormerPort& former = former_->emplace_back();
    former.node = node_.name;
    former.port = port;
    json_.read_object(
        value, [&] { return "'was' of the " + port_; },
        {{"until",
          [&](const JsonValue& word) {
            const auto last = json_.read_word(word, port_, kNav2Releases);
            if (last) former.last = static_cast<Nav2Release>(*last);
          }},
         {"type", [&](const JsonValue& word) { former.type = read_type(json_.read_string(word, port_)); }},
         {"default", [&](const JsonValue& text) { former.otherwise = json_.read_string(text, port_); }}});
  }

  void read_default(const JsonValue& value, const std::string& what, Port& port) {
    port.otherwise = value.string;
    if (read_port_value(value.string, port.name).is_pointer) return;
    if (port.direction == Direction::output) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                "the default of the " + what + ", an output, is not an entry",
                "write " + quote("{" + value.string + "}") + " for an entry");
    } else if (check_literal(port.type, value.string) != LiteralFault::none) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                quote(value.string) + " is not a value of the " + what + ", which is of type " + shown(port.type));
    }
  }

  std::string what_;
  std::string port_;  // the one that is read, for messages
  text::JsonReader& json_;
  std::vector<FormerPort>* const former_;
  Declaration node_;
};

// The entries of Nav2's navigators.
void read_nav2_entries(const JsonValue& value, text::JsonReader& json, std::vector<Nav2Entry>& entries) {
  json.each_key(value, "'entries'", [&](const JsonValue::Key& key, const JsonValue& member) {
    Nav2Entry& entry = entries.emplace_back();
    entry.name = key.name;
    const std::string what = "entry " + quote(key.name);
    std::vector<text::JsonReader::Entry> keys = {
        {"inEachTree", [&](const JsonValue& flag) { entry.is_in_each_tree = json.read_boolean(flag, what); }},
        {"doc", [&](const JsonValue& text) { static_cast<void>(json.read_string(text, what)); }}};
    add_releases(what, json, entry.releases, keys);
    json.read_object(member, what, keys);
  });
}

}  // namespace

void read_nodes(const JsonValue& value, text::JsonReader& json, std::vector<Declaration>& nodes,
                std::vector<FormerPort>* former) {
  json.each_key(value, "'nodes'", [&](const JsonValue::Key& key, const JsonValue& member) {
    // A program may register a node of its own where its version of the library has none of the name.
    const bool is_registered = member.find("class") != nullptr && member.find("at") != nullptr;
    if ((find_library_node(key.name) != nullptr && !is_registered) || kind_of_tag(key.name)) {
      json.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is a node of the library or of Nav2 already");
    } else if (key.name.empty()) {
      json.add(rules::CFG_invalid_name, key.span, "the name of the node is empty");
    } else {
      nodes.push_back(NodeReader(key, json, former).read(member));
    }
  });
}

HostFacts read_host_facts(const JsonValue& value, text::JsonReader& json, bool is_built_in) {
  HostFacts facts;
  std::vector<text::JsonReader::Entry> keys = {
      {"nodes",
       [&](const JsonValue& declared) {
         read_nodes(declared, json, facts.nodes, is_built_in ? &facts.former_ports : nullptr);
       }},
      {"open", [&](const JsonValue& flag) { facts.is_open = json.read_boolean(flag, "'open'"); }}};
  if (is_built_in)
    keys.push_back({"entries", [&](const JsonValue& entries) { read_nav2_entries(entries, json, facts.entries); }});
  json.read_object(value, "'btcpp'", keys);
  return facts;
}

}  // namespace espalier::dialects::btcpp
