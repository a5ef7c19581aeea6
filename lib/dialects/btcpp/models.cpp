// Reads TreeNodesModel. See models.h.
#include "dialects/btcpp/models.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/tree_reader.h"
#include "rules/btcpp.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

struct PortTag {
  std::string_view tag;
  Direction direction;
};
constexpr PortTag kPortTags[] = {
    {"input_port", Direction::input}, {"output_port", Direction::output}, {"inout_port", Direction::inout}};

// The library asks for a letter of ASCII, but only of ports that it reads itself.
bool begins_beyond_ascii(std::string_view name) {
  return !name.empty() && static_cast<unsigned char>(name[0]) >= 0x80 && is_port_name("p" + std::string(name));
}

class ModelReader {
 public:
  ModelReader(Models& models, Reporter* reporter) : models_(models), reporter_(reporter) {}

  void read(const Element& model) {
    const std::optional<NodeKind> kind = kind_of(model);
    if (!kind) return;  // such as "MetadataFields"
    Attribute id = model.attribute("ID");
    if (!id || id.value().empty()) {
      id = only_attribute(model, {});
      report(rules::BTC_missing_attribute, model.span(), quote(model.name()) + " needs an 'ID'",
             id ? hint_of(id, "ID") : "it is the name of the node or tree");
      if (!id) return;
    }
    if (kind_of_tag(id.value())) return;  // the library's own model of all subtrees
    const Declaration* const row = find_library_node(id.value());
    if (*kind != NodeKind::subtree && row != nullptr) {
      check_kind(*row, *kind, model);
      return;
    }
    std::vector<Port> ports = read_ports(model);
    if (*kind == NodeKind::subtree) {
      for (Port& port : ports) {
        if (port.otherwise && port.otherwise->empty()) port.otherwise.reset();  // as the library does
      }
      models_.subtrees.push_back({std::string(id.value()), {std::move(ports), id.value_span()}});
      return;
    }
    Declaration& declaration = models_.nodes.emplace_back();
    declaration.name = id.value();
    declaration.kind = *kind;
    declaration.by = DeclaredBy::model;
    declaration.built = built_of_host(*kind);
    declaration.span = id.value_span();
    declaration.ports = std::move(ports);
  }

 private:
  void report(Rule rule, Span span, std::string message, std::string hint = {}) {
    if (reporter_ != nullptr) reporter_->report(rule, span, std::move(message), std::move(hint));
  }

  // A misspelt one declares its node nevertheless: that it is used is no second fault.
  std::optional<NodeKind> kind_of(const Element& model) {
    if (const std::optional<NodeKind> kind = kind_of_tag(model.name())) return kind;
    const std::string near =
        text::nearest(model.name(), {tag_of(NodeKind::action), tag_of(NodeKind::condition), tag_of(NodeKind::control),
                                     tag_of(NodeKind::decorator), kSubTreeElement});
    if (near.empty()) return std::nullopt;
    report(rules::BTC_misspelt_element, model.span(),
           "unknown element " + quote(model.name()) + " in " + quote(kModelElement) + ": the library ignores it",
           did_you_mean(near));
    return kind_of_tag(near);
  }

  // The only attribute, apart from those named, of an element that lacks the one that names it.
  static Attribute only_attribute(const Element& element, const std::vector<std::string_view>& others) {
    Attribute only;
    for (const Attribute& attribute : element.attributes()) {
      if (std::find(others.begin(), others.end(), attribute.name()) != others.end()) continue;
      if (only) return {};
      only = attribute;
    }
    return only.value().empty() ? Attribute() : only;
  }

  static std::string hint_of(const Attribute& unknown, std::string_view meant) {
    return "unknown attribute " + quote(unknown.name()) + ": " + did_you_mean(meant);
  }

  void check_kind(const Declaration& known, NodeKind kind, const Element& model) {
    if (known.kind == kind) return;
    report(rules::BTC_wrong_kind, model.span(),
           quote(known.name) + " is of the kind " + quote(tag_of(known.kind)) + ", not " + quote(model.name()));
  }

  std::vector<Port> read_ports(const Element& model) {
    std::vector<Port> ports;
    const std::vector<Element> elements = model.children();
    ports.reserve(elements.size());
    for (const Element& element : elements) {
      const PortTag* const tag = find_tag(element);
      if (tag == nullptr) continue;
      Attribute name = element.attribute("name");
      if (!name) {
        name = only_attribute(element, {"type", "default"});
        report(rules::BTC_missing_attribute, element.span(), "the port has no 'name'",
               name ? hint_of(name, "name") : std::string());
        if (!name) continue;
      }
      const bool is_of_tree = kind_of_tag(model.name()) == NodeKind::subtree;
      if (is_of_tree && name.value().starts_with('_')) continue;  // no port, but editors for format 3 write it
      const bool is_reserved = name.value() == "name" || name.value() == "ID";
      const bool is_no_port = !is_port_name(name.value()) && !begins_beyond_ascii(name.value());
      if (is_no_port || is_reserved) {
        report(rules::BTC_bad_port_name, name.value_span(), quote(name.value()) + " cannot be the name of a port");
        continue;
      }
      Port port;
      port.name = name.value();
      port.type = read_type(element.attribute("type") ? element.attribute("type").value() : std::string_view());
      port.has_type = static_cast<bool>(element.attribute("type"));
      port.direction = tag->direction;
      if (const Attribute otherwise = element.attribute("default")) {
        port.otherwise = std::string(otherwise.value());
        check_default(port, otherwise);
      }
      if (is_of_tree) check_equal_sign(port, element.attribute("default"));
      for (const text::TextPiece& piece : element.text()) port.doc += piece.text;
      ports.push_back(std::move(port));
    }
    return ports;
  }

  // An output can only be written into an entry.
  void check_default(const Port& port, const Attribute& otherwise) {
    const std::string_view text = otherwise.value();
    if (port.direction != Direction::output || text.empty() || read_port_value(text, port.name).is_pointer) return;
    report(rules::BTC_output_literal, otherwise.value_span(),
           "the default of the output " + quote(port.name) + " is not an entry",
           "write " + quote("{" + std::string(text) + "}") + " for an entry");
  }

  // It is not replaced here as it is in a tree.
  void check_equal_sign(const Port& port, const Attribute& otherwise) {
    if (reporter_ == nullptr || !otherwise || otherwise.value() != "{=}") return;
    const std::string meant = "{" + port.name + "}";
    text::Finding& finding =
        reporter_->report(rules::BTC_equal_sign_default, otherwise.value_span(),
                          "in a model '{=}' is the entry that is named '='", "write " + quote(meant));
    if (finding.fixes.empty())
      finding.fixes.push_back(
          text::make_fix(otherwise.value_span(), otherwise.value(), meant, rules::FixGrade::unsafe));
  }

  // A misspelt one declares its port nevertheless: one that may be of either direction, if that cannot be told.
  const PortTag* find_tag(const Element& element) {
    std::vector<std::string_view> tags;
    for (const PortTag& each : kPortTags) tags.push_back(each.tag);
    const std::string nearest = text::nearest(element.name(), tags);
    const PortTag* meant = nullptr;
    for (const PortTag& each : kPortTags) {
      if (each.tag == element.name()) return &each;
      if (nearest.empty() ? text::is_near(element.name(), each.tag, 2) : each.tag == nearest) meant = &each;
    }
    if (meant == nullptr) return nullptr;
    report(rules::BTC_misspelt_element, element.span(),
           "unknown element " + quote(element.name()) + " in " + quote(element.parent().name()) +
               ": the library ignores it",
           nearest.empty() ? expected_one_of(tags) : did_you_mean(nearest));
    return meant;
  }

  Models& models_;
  Reporter* reporter_;
};

}  // namespace

namespace {

constexpr std::size_t kMaxModels = 100'000;  // of one file

// Returns the first one too many, which is not looked at; false if there is none.
Element for_each_model(const Element& root, const std::function<void(const Element& model)>& look) {
  std::size_t count = 0;
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    if (meant_part(child.name()) != kModelElement) continue;
    for (Element model = child.first_child(); model; model = model.next_sibling()) {
      if (count++ == kMaxModels) return model;
      look(model);
    }
  }
  return {};
}

}  // namespace

Models read_models(const Element& root, Reporter* reporter) {
  Models models;
  ModelReader reader(models, reporter);
  for_each_model(root, [&](const Element& model) { reader.read(model); });
  return models;
}

void check_models(const Element& root, Reporter& reporter) {
  const Element excess = for_each_model(root, [&](const Element& model) {
    Models unused;
    ModelReader(unused, &reporter).read(model);
  });
  if (!excess) return;
  reporter.report(rules::BTC_too_many_nodes, excess.span(),
                  "more than " + with_commas(kMaxModels) + " models in one file");
}

void add_models(const Models& models, Declarations& nodes) {
  for (const Declaration& node : models.nodes) nodes.add(node);
  for (const auto& [name, model] : models.subtrees) {
    SubtreeModel& subtree = nodes.subtrees[name];
    subtree.span = model.span;
    add_new_ports(model.ports, subtree.ports);
  }
}

}  // namespace espalier::dialects::btcpp
