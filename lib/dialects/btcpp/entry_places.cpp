// Places of entries. See entry_places.h.
#include "dialects/btcpp/entry_places.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

// Reads all trees of a project.
class EntryFinder {
 public:
  EntryFinder(std::span<const File> files, const Options& options, EntryPlaces& found)
      : files_(files), options_(options.of<BtcppOptions>()), found_(found), summaries_(summaries_of(files, nullptr)) {}

  void find() {
    for (const auto& summary : summaries_) add_models(summary->models, project_.nodes);
    for (const Declaration& node : options_.nodes) project_.nodes.declare(node);
    project_.enums = options_.enums;
    context_.model_of = [this](std::string_view name, const WrittenTree*) {
      const auto model = project_.nodes.subtrees.find(name);
      return model == project_.nodes.subtrees.end() ? nullptr : &model->second;
    };
    find_main();
    for (const File& file : files_) {
      if (file.document == nullptr) continue;
      const Element root = file.document->root();
      const bool is_alone = root.child_count() == 1;
      for (Element child = root.first_child(); child; child = child.next_sibling()) {
        if (child.name() == kTreeElement) read_tree_at(child, is_alone);
        if (child.name() == kModelElement) read_model(child);
      }
    }
  }

 private:
  // The tree whose blackboard "{@key}" is of.
  void find_main() {
    std::size_t tree_count = 0;
    std::string_view only_tree;
    for (const auto& summary : summaries_) {
      if (summary->main && found_.main_.empty()) found_.main_ = *summary->main;
      tree_count += summary->trees.size();
      if (!summary->trees.empty()) only_tree = summary->trees.back().name;
    }
    if (found_.main_.empty() && tree_count == 1) found_.main_ = only_tree;
  }

  void read_tree_at(const Element& element, bool is_alone) {
    std::vector<Element> elements;
    const WrittenTree tree = read_tree(element, is_alone, context_, &elements);
    tree_ = tree.name;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      element_ = elements[i];
      visit(tree.nodes[i]);
    }
  }

  void visit(const WrittenNode& node) {
    for (const WrittenScript& script : node.scripts) visit(script);
    if (node.is_subtree()) return visit_subtree(node);
    for (const WrittenPort& port : node.ports) visit_port(node, port);
  }

  void visit(const WrittenScript& script) {
    for (const ScriptUse& use : script.checked.uses) {
      EntryPlace place;
      place.is_script = true;
      place.is_read = use.use == EntryUse::read;
      place.is_written = !place.is_read;
      place.by = "a script";
      place.name = name_of(use.name);
      place.span = {script.span.file, use.begin + (use.name.size() > 1 && use.name[0] == '@' ? 1 : 0), use.end};
      found_.places_.push_back(std::move(place));
    }
  }

  void visit_port(const WrittenNode& node, const WrittenPort& port) {
    const Direction direction = port.direction();
    const PortRole role = port.role();
    EntryPlace place;
    place.type = port.port == nullptr ? Type{} : port.port->type;
    place.by = "the port " + quote(port.name) + " of " + quote(node.id);
    place.is_read = direction != Direction::output;
    place.is_written = direction != Direction::input;
    if (port.value.is_pointer) {
      if (role != PortRole::plain) place.is_written = false;  // the entry has the name of the one that is meant
      return add_pointer(node, port, std::move(place));
    }
    if (role != PortRole::new_key && role != PortRole::old_key && role != PortRole::watched) return;
    place.is_read = role == PortRole::watched;
    place.is_written = !place.is_read;
    place.type = {};
    if (const Attribute attribute = element_.attribute(port.name))
      add(attribute, 0, static_cast<std::uint32_t>(attribute.value().size()), std::move(place));
  }

  // "{key}", "{=}", "=", or a default.
  void add_pointer(const WrittenNode& node, const WrittenPort& port, EntryPlace place) {
    const Attribute attribute = port.is_default ? Attribute() : element_.attribute(port.name);
    const std::string_view text = attribute ? attribute.value() : std::string_view();
    const std::size_t begin = text.find('{');
    if (begin == std::string_view::npos) {
      place.written = node.is_subtree() && attribute ? Written::follows : Written::implied;
      place.name = name_of(port.value.key());
      place.span = attribute ? attribute.value_span() : node.span;
      found_.places_.push_back(std::move(place));
      return;
    }
    const bool is_equal = text.substr(begin, 3) == "{=}";
    if (is_equal && node.is_subtree()) place.written = Written::follows;
    place.name = name_of(port.value.key());
    add(attribute, static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(text.rfind('}')),
        std::move(place));
  }

  void visit_subtree(const WrittenNode& node) {
    const Attribute name = element_.attribute("name");
    found_.subtrees_.push_back({tree_, name ? std::string(name.value()) : std::string(), std::string(node.id)});
    std::set<std::string, std::less<>> own;
    for (const WrittenPort& port : node.ports) {
      own.emplace(port.name);
      EntryPlace inside;
      inside.name = {std::string(node.id), std::string(port.name)};
      inside.span = port.name_span;
      inside.by = "the subtree " + quote(node.name);
      inside.is_written = !port.value.is_pointer;
      found_.places_.push_back(inside);
      if (!port.value.is_pointer) continue;
      EntryPlace outside;
      outside.by = "the port " + quote(port.name) + " of the subtree " + quote(node.name);
      add_pointer(node, port, std::move(outside));
      found_.links_.push_back({inside.name, name_of(port.value.key())});
    }
    if (node.has_autoremap) {
      found_.autoremaps_.push_back({std::string(node.id), tree_, std::move(own)});
      return;
    }
    for (const WrittenPort& port : project_.defaults_of(node)) {
      if (!port.value.is_pointer) continue;
      EntryPlace outside;
      outside.name = name_of(port.value.key());
      outside.span = node.span;
      outside.by = "the default of the port " + quote(port.name) + " of the tree " + quote(node.id);
      outside.written = Written::implied;
      found_.links_.push_back({{std::string(node.id), std::string(port.name)}, outside.name});
      found_.places_.push_back(std::move(outside));
    }
  }

  void read_model(const Element& models) {
    for (Element model = models.first_child(); model; model = model.next_sibling()) {
      if (kind_of_tag(model.name()) != NodeKind::subtree || !model.attribute("ID")) continue;
      for (Element port = model.first_child(); port; port = port.next_sibling()) {
        const Attribute name = port.attribute("name");
        if (!name) continue;
        EntryPlace place;
        place.name = {std::string(model.attribute("ID").value()), std::string(name.value())};
        place.span = name.value_span();
        if (port.attribute("type")) place.type = read_type(port.attribute("type").value());
        place.by = "the model of the tree";
        found_.places_.push_back(std::move(place));
      }
    }
  }

  // The name that a key stands for in the tree that is read.
  EntryName name_of(std::string_view key) const {
    const bool is_global = key.size() > 1 && key[0] == '@';
    while (key.size() > 1 && key[0] == '@') key.remove_prefix(1);
    return {is_global ? found_.main_ : tree_, std::string(key)};
  }

  void add(const Attribute& attribute, std::uint32_t begin, std::uint32_t end, EntryPlace place) {
    if (begin >= end) return;
    const std::string_view written = attribute.value().substr(begin, end - begin);
    if (place.name.key.empty()) place.name = name_of(written);
    if (written.size() > 1 && written[0] == '@') ++begin;
    place.span = attribute.value_span(begin, end);
    found_.places_.push_back(std::move(place));
  }

  std::span<const File> files_;
  const BtcppOptions& options_;
  EntryPlaces& found_;
  text::Findings unused_;
  Summaries summaries_;
  WrittenProject project_;
  TreeContext context_{project_, unused_};
  std::string tree_;  // that is read
  Element element_;   // of the node that is looked at
};

EntryPlaces::EntryPlaces(std::span<const File> files, const Options& options) {
  EntryFinder(files, options, *this).find();
}

template <typename Visit>
void EntryPlaces::each_outer(const EntryName& name, const Visit& visit) const {
  for (const Link& link : links_) {
    if (link.inner == name) visit(link.outer);
  }
  for (const Autoremap& each : autoremaps_) {
    if (each.inner == name.tree && name.key[0] != '_' && each.own.count(name.key) == 0)
      visit(EntryName{each.outer, name.key});
  }
}

template <typename Visit>
void EntryPlaces::each_inner(const EntryName& name, const Visit& visit) const {
  for (const Link& link : links_) {
    if (link.outer == name) visit(link.inner);
  }
  for (const Autoremap& each : autoremaps_) {
    if (each.outer == name.tree && name.key[0] != '_' && each.own.count(name.key) == 0)
      visit(EntryName{each.inner, name.key});
  }
}

namespace {

// All that can be reached from these names.
template <typename Each>
std::set<EntryName> reached(std::set<EntryName> names, const Each& each_next) {
  std::vector<EntryName> open(names.begin(), names.end());
  while (!open.empty()) {
    const EntryName name = std::move(open.back());
    open.pop_back();
    each_next(name, [&](const EntryName& next) {
      if (names.insert(next).second) open.push_back(next);
    });
  }
  return names;
}

}  // namespace

std::set<EntryName> EntryPlaces::of_same_name(const EntryName& name) const {
  // Only "{=}" and autoremap need it; "{target}" at the port 'target' is followed by none.
  std::set<std::pair<EntryName, EntryName>> kept;
  for (const EntryPlace& place : places_) {
    if (place.written != Written::follows) continue;
    for (const Link& link : links_) {
      if (link.outer == place.name && link.inner.key == place.name.key) kept.emplace(link.inner, link.outer);
    }
  }
  return reached({name}, [&](const EntryName& from, const auto& visit) {
    for (const auto& [inner, outer] : kept) {
      if (inner == from) visit(outer);
      if (outer == from) visit(inner);
    }
    for (const Autoremap& each : autoremaps_) {
      if (from.key[0] == '_' || each.own.count(from.key) != 0) continue;
      if (each.inner == from.tree) visit(EntryName{each.outer, from.key});
      if (each.outer == from.tree) visit(EntryName{each.inner, from.key});
    }
  });
}

std::set<EntryName> EntryPlaces::of_same_entry(const EntryName& name) const {
  const std::set<EntryName> above =
      reached({name}, [&](const EntryName& from, const auto& visit) { each_outer(from, visit); });
  return reached(above, [&](const EntryName& from, const auto& visit) { each_inner(from, visit); });
}

std::optional<EntryName> EntryPlaces::in_trace(std::string_view tree, std::string_view name) const {
  std::string at(tree.empty() ? std::string_view(main_) : tree);
  for (std::size_t end = name.find('/'); end != std::string_view::npos; end = name.find('/')) {
    const std::string_view part = name.substr(0, end);
    const auto is_meant = [&](const Subtree& each) {
      if (each.outer != at) return false;
      return each.name.empty() ? part.starts_with(each.inner + "::") : part == each.name;
    };
    const auto found = std::find_if(subtrees_.begin(), subtrees_.end(), is_meant);
    if (found == subtrees_.end()) return std::nullopt;
    at = found->inner;
    name.remove_prefix(end + 1);
  }
  return EntryName{at, std::string(name)};
}

}  // namespace espalier::dialects::btcpp
