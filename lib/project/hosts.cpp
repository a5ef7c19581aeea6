// Reads the declarations of a host's nodes. See hosts.h.
#include "project/hosts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "dialects/dialect.h"
#include "dialects/reading/host.h"
#include "ir/tree.h"
#include "rules/configuration.h"
#include "script/syntax.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using dialects::HostAs;
using dialects::HostAttribute;
using dialects::HostChildren;
using dialects::HostDeclaration;
using ir::ParameterType;
using text::JsonKind;
using text::JsonValue;
using text::quote;
using text::Rule;

// Each in the order of its enumeration.
constexpr std::string_view kTypes[] = {"string", "int", "float", "bool", "enum", "vec3", "event", "lua", "presence"};
constexpr std::size_t kPresence = std::size(kTypes) - 1;  // only for parameters of rules
constexpr std::string_view kChildren[] = {"none", "one", "many", "raw"};
constexpr std::string_view kAs[] = {"pass", "keep", "sequence", "selector", "parallel"};
constexpr std::string_view kResults[] = {"running", "failure", "success"};

// For messages, by HostChildren.
constexpr std::string_view kChildrenInWords[] = {"no children", "one child", "many children",
                                                 "elements of its own as children"};

// Every value in a tree is compared with them.
constexpr std::size_t kMaxAttributes = 1000;  // of one host
constexpr std::size_t kMaxWords = 1000;       // of one enum

constexpr std::string_view kLogs[] = {"_startLog", "_successLog", "_failureLog"};

bool is_xml_name(std::string_view name) { return !name.empty() && text::end_of_name(name, 0) == name.size(); }

bool is_number(ParameterType type) { return type == ParameterType::whole || type == ParameterType::number; }

void report_excess(text::JsonReader& json, text::Span span, const std::string& what, std::size_t most) {
  json.add(rules::CFG_invalid_number, span, what + " has more than " + std::to_string(most) + " entries");
}

dialects::EngineSet read_engines(text::JsonReader& json, const JsonValue& value, const std::string& what) {
  unsigned engines = 0;
  json.each_string(value, what, [&](const JsonValue& entry) {
    const std::optional<std::size_t> engine = json.read_word(entry, "an entry of " + what, dialects::kEngineWords);
    if (engine) engines |= 1u << *engine;
  });
  return static_cast<dialects::EngineSet>(engines);
}

// The values of one attribute's declaration that are checked against each other.
struct AttributeParts {
  const JsonValue* type = nullptr;
  const JsonValue* words = nullptr;
  const JsonValue* otherwise = nullptr;
  const JsonValue* minimum = nullptr;
  const JsonValue* maximum = nullptr;
  const JsonValue* required = nullptr;
  const JsonValue* recommended = nullptr;
};

// Reads one attribute.
class AttributeReader {
 public:
  AttributeReader(std::string name, std::string what, std::string_view source, text::JsonReader& json)
      : what_(std::move(what)), source_(source), json_(json) {
    attribute_.name = std::move(name);
  }

  // A parameter of a rule, which may have the type "presence".
  HostAttribute read_parameter(const JsonValue& value) {
    types_ = kTypes;
    return read(value);
  }

  HostAttribute read(const JsonValue& value) {
    auto keep = [](const JsonValue*& part) { return [&part](const JsonValue& member) { part = &member; }; };
    json_.read_object(
        value, what_,
        {{"type", keep(parts_.type)},
         {"required", keep(parts_.required)},
         {"recommended", keep(parts_.recommended)},
         {"default", keep(parts_.otherwise)},
         {"enum", keep(parts_.words)},
         {"min", keep(parts_.minimum)},
         {"max", keep(parts_.maximum)},
         {"doc", [&](const JsonValue& member) { attribute_.doc = json_.read_string(member, of("doc")); }},
         {"engines", [&](const JsonValue& member) { attribute_.engines = read_engines(json_, member, of("engines")); }},
         {"result", [&](const JsonValue& member) { read_given(member); }},
         {"deprecated",
          [&](const JsonValue& member) { attribute_.deprecated_in = read_where(member, of("deprecated")); }}});
    if (!read_type()) return std::move(attribute_);  // without a type nothing else can be checked
    read_words();
    read_range();
    read_presence();
    if (parts_.otherwise != nullptr) read_default(*parts_.otherwise);
    return std::move(attribute_);
  }

 private:
  std::string of(std::string_view key) const { return quote(key) + " of " + what_; }

  void contradict(const JsonValue& at, std::string message, std::string hint = {}) {
    json_.add(rules::CFG_contradicting_declaration, text::place_of(at), what_ + ' ' + std::move(message),
              std::move(hint));
  }

  void read_given(const JsonValue& value) {
    unsigned results = 0;
    json_.each_string(value, of("result"), [&](const JsonValue& entry) {
      const std::optional<std::size_t> result = json_.read_word(entry, "an entry of " + of("result"), kResults);
      if (result) results |= 1u << *result;
    });
    attribute_.gives = static_cast<ir::Results>(results);
  }

  // In all engines, or in the listed ones.
  dialects::EngineSet read_where(const JsonValue& value, const std::string& what) {
    if (value.kind == JsonKind::list) return read_engines(json_, value, what);
    return json_.read_boolean(value, what) ? dialects::kAllEngines : dialects::EngineSet{0};
  }

  // "enum" of a bool: both words, if the engines read them in this attribute.
  void read_boolean_words(const JsonValue& value) {
    const std::vector<std::string> words = json_.read_names(value, of("enum"), false);
    if (words == std::vector<std::string>{"true", "false"}) {
      attribute_.words = words;
    } else {
      contradict(value, "is a bool, so its words can only be [\"true\", \"false\"]");
    }
  }

  bool read_type() {
    if (parts_.type == nullptr) return true;
    const std::optional<std::size_t> type = json_.read_word(*parts_.type, of("type"), types_);
    attribute_.is_presence = type == kPresence;
    if (type && !attribute_.is_presence)
      attribute_.type = static_cast<ParameterType>(static_cast<std::uint32_t>(*type));
    return type.has_value();
  }

  void read_words() {
    const bool is_choice = attribute_.type == ParameterType::choice;
    if (parts_.words != nullptr) {
      if (attribute_.type == ParameterType::boolean) return read_boolean_words(*parts_.words);
      if (!is_choice && !is_number(attribute_.type)) {
        contradict(*parts_.words, "has words but is not an enum", "use the type \"enum\"");
        return;
      }
      attribute_.words = json_.read_names(*parts_.words, of("enum"), false);
      if (attribute_.words.size() > kMaxWords) {
        report_excess(json_, text::place_of(*parts_.words), of("enum"), kMaxWords);
        attribute_.words.resize(kMaxWords);
      }
      if (!parts_.words->values.empty() || parts_.words->kind != JsonKind::list) return;
    } else if (!is_choice) {
      return;
    }
    contradict(parts_.words != nullptr ? *parts_.words : *parts_.type, "is an enum without words",
               "list its words in \"enum\"");
  }

  std::optional<double> read_limit(const JsonValue* value, std::string_view key) {
    if (value == nullptr) return std::nullopt;
    if (!is_number(attribute_.type)) {
      contradict(*value, "has a " + quote(key) + " but is not a number", "only \"int\" and \"float\" have a range");
      return std::nullopt;
    }
    const std::optional<double> limit = json_.read_number(*value, of(key));
    if (limit && attribute_.type == ParameterType::whole && *limit != std::floor(*limit)) {
      contradict(*value, "is an int, and its " + quote(key) + " is not a whole number");
      return std::nullopt;
    }
    return limit;
  }

  void read_range() {
    attribute_.minimum = read_limit(parts_.minimum, "min");
    attribute_.maximum = read_limit(parts_.maximum, "max");
    if (!attribute_.minimum || !attribute_.maximum || *attribute_.minimum <= *attribute_.maximum) return;
    contradict(*parts_.minimum, "has a 'min' above its 'max', so no number is valid");
    attribute_.minimum = attribute_.maximum = std::nullopt;
  }

  void read_presence() {
    if (parts_.required != nullptr) {
      attribute_.required_in = read_where(*parts_.required, of("required"));
      attribute_.is_required = attribute_.required_in != 0;
    }
    if (parts_.recommended != nullptr) {
      attribute_.is_recommended = json_.read_boolean(*parts_.recommended, of("recommended"));
    }
    if (attribute_.is_presence && parts_.otherwise != nullptr) {
      contradict(*parts_.otherwise, "has the type \"presence\", so it cannot have a default");
      parts_.otherwise = nullptr;
    }
    if (!attribute_.is_required || attribute_.required_in != dialects::kAllEngines) return;
    if (parts_.otherwise != nullptr) {
      contradict(*parts_.otherwise, "is required, so its default is never used");
      parts_.otherwise = nullptr;
    }
    if (attribute_.is_recommended) {
      contradict(*parts_.recommended, "is required, so \"recommended\" has no effect");
    }
  }

  // A default as XML text; nothing if its kind does not fit the attribute's type.
  std::optional<std::string> text_of(const JsonValue& value) const {
    const bool is_boolean = attribute_.type == ParameterType::boolean;
    switch (value.kind) {
      case JsonKind::boolean:
        if (is_boolean) return value.boolean ? "1" : "0";
        break;
      case JsonKind::number:
        // As written: the nearest double may be another number.
        if (is_boolean || is_number(attribute_.type)) {
          return std::string(source_.substr(value.span.begin, value.span.end - value.span.begin));
        }
        break;
      case JsonKind::string:
        if (!is_boolean && (!is_number(attribute_.type) || !attribute_.words.empty())) return value.string;
        break;
      default:
        break;
    }
    return std::nullopt;
  }

  void read_default(const JsonValue& value) {
    const std::optional<std::string> text = text_of(value);
    if (!text) {
      const JsonKind kind = attribute_.type == ParameterType::boolean ? JsonKind::boolean
                            : is_number(attribute_.type)              ? JsonKind::number
                                                                      : JsonKind::string;
      json_.expect(value, kind, of("default"));
      return;
    }
    if (attribute_.type == ParameterType::choice && attribute_.words.empty()) return;  // already reported
    dialects::ValueFault fault;
    bool fits = dialects::read_value(attribute_, *text, fault).has_value();
    if (attribute_.type == ParameterType::script) {
      const std::optional<std::string> syntax_fault = script::check_syntax(*text);
      fits = !syntax_fault;
      fault.message = syntax_fault.value_or("");
    }
    if (fits) {
      attribute_.otherwise = text;
    } else {
      contradict(value, "has an invalid default: " + fault.message, std::move(fault.hint));
    }
  }

  std::string what_;
  std::string_view source_;
  text::JsonReader& json_;
  std::span<const std::string_view> types_{kTypes, kPresence};
  HostAttribute attribute_;
  AttributeParts parts_;
};

// Reads one host.
class HostReader {
 public:
  HostReader(std::string_view kind, const JsonValue::Key& key, std::string_view source, text::JsonReader& json)
      : what_(std::string(kind) + ' ' + quote(key.name)), source_(source), json_(json) {
    host_.name = key.name;
    host_.span = key.span;
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
    }
    json_.read_object(value, what_, entries);
    if (text != nullptr) read_text(*text);
    return std::move(host_);
  }

 private:
  std::string of(std::string_view key) const { return quote(key) + " of " + what_; }

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
      host_.attributes.push_back(AttributeReader(key.name, what, source_, json_).read(member));
    });
  }

  // Names are case-sensitive.
  void read_parameters(const JsonValue& value) {
    json_.each_key(value, of("parameters"), [&](const JsonValue::Key& key, const JsonValue& member) {
      if (!has_room_for(key, "parameters")) return;
      const std::string what = "parameter " + quote(key.name) + " of " + quote(host_.name);
      host_.attributes.push_back(AttributeReader(key.name, what, source_, json_).read_parameter(member));
    });
  }

  // Only the first one above the limit is reported.
  bool has_room_for(const JsonValue::Key& key, std::string_view list) {
    if (host_.attributes.size() < kMaxAttributes) return true;
    if (!has_excess_) report_excess(json_, key.span, of(list), kMaxAttributes);
    has_excess_ = true;
    return false;
  }

  bool check_attribute_name(const JsonValue::Key& key) {
    if (!is_xml_name(key.name)) {
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
      const std::optional<std::size_t> result = json_.read_word(entry, "an entry of " + of("result"), kResults);
      if (!result) return;
      const auto bit = static_cast<ir::Results>(1u << *result);
      if ((results & bit) != 0) {
        json_.add(rules::CFG_duplicate_declaration, entry.span,
                  "duplicate entry " + quote(entry.string) + " in " + of("result"));
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
        json_.add(rules::CFG_contradicting_declaration, text::place_of(value), of("text") + " has a '{' without a '}'");
        return;
      }
      const std::string name = words.substr(at + 1, end - at - 1);
      std::vector<std::string_view> known;
      for (const HostAttribute& attribute : host_.attributes) known.push_back(attribute.name);
      const auto is_it = [&](std::string_view other) { return text::equal_any_case(other, name); };
      if (std::any_of(known.begin(), known.end(), is_it)) continue;
      json_.add(rules::CFG_contradicting_declaration, text::place_of(value),
                "unknown attribute " + quote(name) + " in " + of("text"), text::did_you_mean(name, known));
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
  std::string_view source_;
  text::JsonReader& json_;
  HostDeclaration host_;
  bool has_excess_ = false;
};

bool check_host_name(const JsonValue::Key& key, text::JsonReader& json) {
  if (!is_xml_name(key.name)) {
    json.add(rules::CFG_invalid_name, key.span, quote(key.name) + " is not a valid XML element name");
    return false;
  }
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (dialect.id != layout::Dialect::modular || !dialect.has_node(key.name)) continue;  // hosts are in no other trees
    json.add(rules::CFG_invalid_name, key.span,
             quote(key.name) + " is already a node of the dialect '" + std::string(dialect.name) + "'");
    return false;
  }
  return true;
}

}  // namespace

void read_hosts(const JsonValue& value, std::string_view source, text::JsonReader& json,
                std::vector<HostDeclaration>& hosts) {
  json.each_key(value, "'hosts'", [&](const JsonValue::Key& key, const JsonValue& member) {
    if (check_host_name(key, json)) hosts.push_back(HostReader("host", key, source, json).read(member));
  });
}

void read_declared_hosts(HostKind kind, const JsonValue& value, std::string_view source, text::JsonReader& json,
                         std::vector<HostDeclaration>& hosts) {
  constexpr std::string_view kWords[] = {"action", "condition", "behavior", "action"};
  const std::string word(kWords[static_cast<std::size_t>(kind)]);
  json.each_key(value, '\'' + word + "s'", [&](const JsonValue::Key& key, const JsonValue& member) {
    if (key.name.empty()) {
      json.add(rules::CFG_invalid_name, key.span, "the name of the " + word + " is empty");
    } else {
      hosts.push_back(HostReader(word, key, source, json).read_of_kind(kind, member));
    }
  });
  sort_hosts(json, hosts);
}

void sort_hosts(text::JsonReader& json, std::vector<HostDeclaration>& hosts, std::optional<text::FileId> of_engine) {
  std::stable_sort(hosts.begin(), hosts.end(),
                   [](const HostDeclaration& a, const HostDeclaration& b) { return a.name < b.name; });
  std::vector<HostDeclaration> kept;
  for (HostDeclaration& host : hosts) {
    if (kept.empty() || kept.back().name != host.name) {
      kept.push_back(std::move(host));
    } else if (kept.back().span.file == of_engine) {
      kept.back() = std::move(host);
    } else if (host.span.file != of_engine) {
      json.add(rules::CFG_duplicate_declaration, host.span, "duplicate host " + quote(host.name))
          .related.push_back({kept.back().span, "first here"});
    }
  }
  hosts = std::move(kept);
}

}  // namespace espalier::project
