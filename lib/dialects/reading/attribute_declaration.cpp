// Reads the declaration of an attribute. See attribute_declaration.h.
#include "dialects/reading/attribute_declaration.h"

#include <cmath>
#include <utility>

#include "rules/configuration.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

using ir::ParameterType;
using text::JsonKind;
using text::JsonValue;
using text::quote;

// In the order of their enumeration.
constexpr std::string_view kTypes[] = {"string", "int", "float", "bool", "enum", "vec3", "event", "lua", "presence"};
constexpr std::size_t kPresence = std::size(kTypes) - 1;  // only for parameters of rules

constexpr std::size_t kMaxWords = 1000;  // of one enum: every value in a tree is compared with them

bool is_number(ParameterType type) { return type == ParameterType::whole || type == ParameterType::number; }

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
  AttributeReader(std::string name, std::string what, const ConfigurationFile& file)
      : what_(std::move(what)), file_(file), json_(file.json) {
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
  text::PartOf of(std::string_view key) const { return {key, " of ", what_}; }

  void contradict(const JsonValue& at, std::string message, std::string hint = {}) {
    json_.add(rules::CFG_contradicting_declaration, text::place_of(at), what_ + ' ' + std::move(message),
              std::move(hint));
  }

  void read_given(const JsonValue& value) {
    unsigned results = 0;
    json_.each_string(value, of("result"), [&](const JsonValue& entry) {
      const std::optional<std::size_t> result = json_.read_word(
          entry, [&] { return "an entry of " + of("result")(); }, kResultWords);
      if (result) results |= 1u << *result;
    });
    attribute_.gives = static_cast<ir::Results>(results);
  }

  // In all engines, or in the listed ones.
  EngineSet read_where(const JsonValue& value, const text::What& what) {
    if (value.kind == JsonKind::list) return read_engines(json_, value, what);
    return json_.read_boolean(value, what) ? kAllEngines : EngineSet{0};
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
        report_excess(json_, text::place_of(*parts_.words), of("enum")(), kMaxWords);
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
    if (!attribute_.is_required || attribute_.required_in != kAllEngines) return;
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
          return std::string(file_.text.substr(value.span.begin, value.span.end - value.span.begin));
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
    ValueFault fault;
    bool fits = read_value(attribute_, *text, fault).has_value();
    if (attribute_.type == ParameterType::script && file_.around.check_script) {
      const std::optional<std::string> syntax_fault = file_.around.check_script(*text);
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
  const ConfigurationFile& file_;
  text::JsonReader& json_;
  std::span<const std::string_view> types_{kTypes, kPresence};
  HostAttribute attribute_;
  AttributeParts parts_;
};

}  // namespace

HostAttribute read_attribute(const std::string& name, std::string what, const JsonValue& value,
                             const ConfigurationFile& file) {
  return AttributeReader(name, std::move(what), file).read(value);
}

HostAttribute read_parameter(const std::string& name, std::string what, const JsonValue& value,
                             const ConfigurationFile& file) {
  return AttributeReader(name, std::move(what), file).read_parameter(value);
}

void report_excess(text::JsonReader& json, text::Span span, const std::string& what, std::size_t most) {
  json.add(rules::CFG_invalid_number, span, what + " has more than " + std::to_string(most) + " entries");
}

EngineSet read_engines(text::JsonReader& json, const JsonValue& value, const text::What& what) {
  unsigned engines = 0;
  json.each_string(value, what, [&](const JsonValue& entry) {
    const std::optional<std::size_t> engine = json.read_word(
        entry, [&] { return "an entry of " + what.text(); }, kEngineWords);
    if (engine) engines |= 1u << *engine;
  });
  return static_cast<EngineSet>(engines);
}

}  // namespace espalier::dialects
