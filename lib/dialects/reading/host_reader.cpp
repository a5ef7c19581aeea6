// Reads the declarations of a host's nodes. See host_reader.h.
#include "dialects/reading/host_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "dialects/reading/attribute_declaration.h"
#include "ir/tree.h"
#include "rules/configuration.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

using text::JsonKind;
using text::JsonValue;
using text::quote;

// Each in the order of its enumeration.
constexpr std::string_view kChildren[] = {"none", "one", "many", "raw"};
constexpr std::string_view kAs[] = {"pass", "keep", "sequence", "selector", "parallel"};

// For messages, by HostChildren.
constexpr std::string_view kChildrenInWords[] = {"no children", "one child", "many children",
                                                 "elements of its own as children"};

constexpr std::size_t kMaxAttributes = 1000;  // of one host: every one in a tree is compared with them

constexpr std::string_view kLogs[] = {"_startLog", "_successLog", "_failureLog"};

// Reads one host.
class HostReader {
 public:
  HostReader(std::string_view kind, const JsonValue::Key& key, const ConfigurationFile& file)
      : what_(std::string(kind) + ' ' + quote(key.name)), file_(file), json_(file.json) {
    host_.name = key.name;
    host_.span = key.span;
    host_.is_built_in = file.is_built_in;
  }

  HostDeclaration read(const JsonValue& value) {
    const JsonValue* children = nullptr;
    const JsonValue* as = nullptr;
    const JsonValue* memory = nullptr;
    const JsonValue* times = nullptr;
    const JsonValue* text = nullptr;
    json_.read_object(
        value, what_,
        {{"doc", [&](const JsonValue& member) { host_.doc = json_.read_string(member, of("doc")); }},
         {"attributes", [&](const JsonValue& member) { read_attributes(member); }},
         {"children", [&](const JsonValue& member) { children = &member; }},
         {"as", [&](const JsonValue& member) { as = &member; }},
         {"memory", [&](const JsonValue& member) { memory = &member; }},
         {"times", [&](const JsonValue& member) { times = &member; }},
         {"text", [&](const JsonValue& member) { text = &member; }},
         {"logs", [&](const JsonValue& member) { host_.reads_logs = json_.read_boolean(member, of("logs")); }},
         {"result", [&](const JsonValue& member) { read_results(member); }},
         {"uses", [&](const JsonValue& member) { host_.uses = json_.read_names(member, of("uses")); }},
         {"sends",
          [&](const JsonValue& member) { host_.sends = ir::shared_names(json_.read_names(member, of("sends"))); }},
         {"sets",
          [&](const JsonValue& member) { host_.sets = ir::shared_names(json_.read_names(member, of("sets"))); }},
         {"engines", [&](const JsonValue& member) { host_.engines = read_engines(json_, member, of("engines")); }},
         {"deprecated",
          [&](const JsonValue& member) { host_.is_deprecated = json_.read_boolean(member, of("deprecated")); }}});
    read_children(children, as);
    if (memory != nullptr) read_memory(*memory);
    if (times != nullptr) read_times(*times);
    if (text != nullptr) read_text(*text);
    return std::move(host_);
  }

  // Conditions have parameters, behaviours times, actions both, a text and results, and some memory.
  HostDeclaration read_of_kind(HostKind kind, const JsonValue& value) {
    const JsonValue* text = nullptr;
    const bool is_action = kind == HostKind::action || kind == HostKind::stored_action;
    std::vector<text::JsonReader::Entry> entries = {
        {"doc", [&](const JsonValue& member) { host_.doc = json_.read_string(member, of("doc")); }}};
    if (kind != HostKind::behavior) {
      entries.push_back({"parameters", [&](const JsonValue& member) { read_parameters(member); }});
    }
    if (kind != HostKind::condition) entries.push_back({"times", [&](const JsonValue& member) { read_times(member); }});
    if (kind == HostKind::stored_action) {
      entries.push_back({"memory", [&](const JsonValue& member) { read_memory(member); }});
    }
    if (is_action) {
      entries.push_back({"text", [&](const JsonValue& member) { text = &member; }});
      entries.push_back({"result", [&](const JsonValue& member) { read_results(member); }});
      entries.push_back({"uses", [&](const JsonValue& member) { host_.uses = json_.read_names(member, of("uses")); }});
    }
    json_.read_object(value, what_, entries);
    if (text != nullptr) read_text(*text);
    return std::move(host_);
  }

 private:
  text::PartOf of(std::string_view key) const { return {key, " of ", what_}; }

  void read_attributes(const JsonValue& value) {
    std::map<std::string, text::Span> seen;
    json_.each_key(value, of("attributes"), [&](const JsonValue::Key& key, const JsonValue& member) {
      if (!check_attribute_name(key)) return;
      const auto [first, is_new] = seen.try_emplace(text::lower_case(key.name), key.span);
      if (!is_new) {
        json_
            .add(rules::CFG_duplicate_declaration, key.span,
                 what_ + " has a duplicate attribute " + quote(key.name) + " (names are compared without case)")
            .related.push_back({first->second, "first here"});
        return;
      }
      if (!has_room_for(key, "attributes")) return;
      const std::string what = "attribute " + quote(key.name) + " of " + quote(host_.name);
      host_.attributes.push_back(read_attribute(key.name, what, member, file_));
    });
  }

  // Names are case-sensitive.
  void read_parameters(const JsonValue& value) {
    json_.each_key(value, of("parameters"), [&](const JsonValue::Key& key, const JsonValue& member) {
      if (!has_room_for(key, "parameters")) return;
      const std::string what = "parameter " + quote(key.name) + " of " + quote(host_.name);
      host_.attributes.push_back(read_parameter(key.name, what, member, file_));
    });
  }

  // Only the first one above the limit is reported.
  bool has_room_for(const JsonValue::Key& key, std::string_view list) {
    if (host_.attributes.size() < kMaxAttributes) return true;
    if (!has_excess_) report_excess(json_, key.span, of(list)(), kMaxAttributes);
    has_excess_ = true;
    return false;
  }

  bool check_attribute_name(const JsonValue::Key& key) {
    if (!text::is_name(key.name)) {
      json_.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is not a valid XML attribute name");
      return false;
    }
    for (const std::string_view log : kLogs) {
      if (!text::equal_any_case(log, key.name)) continue;
      json_.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is an attribute of every node",
                "use \"logs\": false if " + what_ + " does not read it");
      return false;
    }
    return true;
  }

  void read_results(const JsonValue& value) {
    ir::Results results = 0;
    json_.each_string(value, of("result"), [&](const JsonValue& entry) {
      const std::optional<std::size_t> result = json_.read_word(
          entry, [&] { return "an entry of " + of("result")(); }, kResultWords);
      if (!result) return;
      const auto bit = static_cast<ir::Results>(1u << *result);
      if ((results & bit) != 0) {
        json_.add(rules::CFG_duplicate_declaration, entry.span,
                  "duplicate entry " + quote(entry.string) + " in " + of("result")());
      }
      results = static_cast<ir::Results>(results | bit);
    });
    if (value.kind == JsonKind::list && value.values.empty()) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value), what_ + " has an empty list of results",
                "without \"result\" it can have any result");
    }
    if (results != 0) host_.results = results;
  }

  // The declared children, and how they run.
  void read_children(const JsonValue* children, const JsonValue* as) {
    if (children != nullptr) {
      const std::optional<std::size_t> word = json_.read_word(*children, of("children"), kChildren);
      if (!word) return;  // `as` cannot be checked
      host_.children = static_cast<HostChildren>(*word);
    }
    if (host_.children == HostChildren::many) host_.as = HostAs::sequence;
    if (as != nullptr) {
      read_as(*as);
    } else if (host_.children == HostChildren::many) {
      json_.add(rules::CFG_contradicting_declaration, children->span, what_ + " has many children but no \"as\"",
                "\"as\" is \"sequence\", \"selector\" or \"parallel\"");
    }
  }

  // The children are known.
  bool only_of_actions(const JsonValue& value, std::string_view key) {
    if (host_.children == HostChildren::none || host_.children == HostChildren::raw) return true;
    json_.add(rules::CFG_contradicting_declaration, value.span,
              what_ + " has " + std::string(kChildrenInWords[static_cast<std::size_t>(host_.children)]) + ", so \"" +
                  std::string(key) + "\" has no meaning",
              "only actions have " + std::string(key) + ": \"children\" is \"none\" or \"raw\"");
    return false;
  }

  // The children are known.
  void read_times(const JsonValue& value) {
    host_.has_times = json_.read_boolean(value, of("times")) && only_of_actions(value, "times");
  }

  // The attributes are known. "{name}" stands for the value of one.
  void read_text(const JsonValue& value) {
    std::string words = json_.read_string(value, of("text"));
    for (std::size_t at = words.find('{'); at != std::string::npos; at = words.find('{', at + 1)) {
      const std::size_t end = words.find('}', at);
      if (end == std::string::npos) {
        json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                  of("text")() + " has a '{' without a '}'");
        return;
      }
      const std::string name = words.substr(at + 1, end - at - 1);
      std::vector<std::string_view> known;
      for (const HostAttribute& attribute : host_.attributes) known.push_back(attribute.name);
      const auto is_it = [&](std::string_view other) { return text::equal_any_case(other, name); };
      if (std::any_of(known.begin(), known.end(), is_it)) continue;
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                "unknown attribute " + quote(name) + " in " + of("text")(), text::did_you_mean(name, known));
    }
    if (!words.empty()) host_.text = std::make_shared<const std::string>(std::move(words));
  }

  void read_memory(const JsonValue& value) {
    const std::optional<std::uint32_t> bytes = json_.read_whole(value, of("memory"), 0, layout::kMaxMemoryBytes);
    if (bytes && only_of_actions(value, "memory")) host_.memory_bytes = *bytes;
  }

  void read_as(const JsonValue& value) {
    const std::optional<std::size_t> word = json_.read_word(value, of("as"), kAs);
    if (!word) return;
    const auto as = static_cast<HostAs>(*word);
    const HostChildren meant = as == HostAs::pass || as == HostAs::keep ? HostChildren::one : HostChildren::many;
    if (host_.children == meant) {
      host_.as = as;
      return;
    }
    auto shown = [](std::string_view key, std::string_view entry) {
      return '"' + std::string(key) + "\": \"" + std::string(entry) + '"';
    };
    json_.add(rules::CFG_contradicting_declaration, value.span,
              what_ + " has " + std::string(kChildrenInWords[static_cast<std::size_t>(host_.children)]) + ", so " +
                  shown("as", value.string) + " has no meaning",
              "use it with " + shown("children", kChildren[static_cast<std::size_t>(meant)]));
  }

  std::string what_;
  const ConfigurationFile& file_;
  text::JsonReader& json_;
  HostDeclaration host_;
  bool has_excess_ = false;
};

}  // namespace

HostDeclaration read_node(const JsonValue::Key& key, const JsonValue& value, const ConfigurationFile& file) {
  return HostReader("host", key, file).read(value);
}

void read_hosts(HostKind kind, const JsonValue& value, const ConfigurationFile& file,
                std::vector<HostDeclaration>& hosts) {
  constexpr std::string_view kWords[] = {"action", "condition", "behavior", "action"};
  const std::string word(kWords[static_cast<std::size_t>(kind)]);
  file.json.each_key(value, '\'' + word + "s'", [&](const JsonValue::Key& key, const JsonValue& member) {
    if (key.name.empty()) {
      file.json.add(rules::CFG_invalid_name, key.span, "the name of the " + word + " is empty");
    } else {
      hosts.push_back(HostReader(word, key, file).read_of_kind(kind, member));
    }
  });
  sort_hosts(file.json, hosts);
}

void sort_hosts(text::JsonReader& json, std::vector<HostDeclaration>& hosts) {
  std::stable_sort(hosts.begin(), hosts.end(),
                   [](const HostDeclaration& a, const HostDeclaration& b) { return a.name < b.name; });
  std::vector<HostDeclaration> kept;
  for (HostDeclaration& host : hosts) {
    if (kept.empty() || kept.back().name != host.name) {
      kept.push_back(std::move(host));
    } else if (kept.back().is_built_in) {
      kept.back() = std::move(host);
    } else if (!host.is_built_in) {
      json.add(rules::CFG_duplicate_declaration, host.span, "duplicate host " + quote(host.name))
          .related.push_back({kept.back().span, "first here"});
    }
  }
  hosts = std::move(kept);
}

}  // namespace espalier::dialects
