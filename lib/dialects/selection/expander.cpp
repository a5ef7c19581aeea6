// Resolving references. See expander.h.
#include "dialects/selection/expander.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "dialects/reading/stray_text.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::uint64_t kUncountable = std::uint64_t{1} << 40;
constexpr std::size_t kMaxCycleShown = 20;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kUncountable); }

std::string_view name_of_reference(const Element& reference) { return reference.attribute_any_case("name").value(); }

}  // namespace

// A block on the way that a walk has taken, and the reference that it took to get there.
struct Expander::Step {
  Block* block;  // none: the tree itself
  Element reference;
  Span span = {};  // of the reference
  const std::vector<Element>* references;
  std::size_t next = 0;
  Size size;
};

Block* Expander::find(std::string_view name) const {
  if (is_global_ && world_.own_names.contains(name)) return nullptr;  // which one depends on the tree
  Block* block = own_.find(name);
  return block ? block : world_.global.find(name);
}

// Depth first along references, with a stack of its own, since they can be chained without end. Every block is
// walked once, so the cost is that of the unexpanded text.
Expander::Size Expander::walk(const std::vector<Element>& references) {
  std::unordered_map<const Block*, std::optional<Size>> sizes;  // no size: on the way
  std::vector<Step> steps;
  steps.push_back({nullptr, {}, {}, &references, 0, {}});
  while (true) {
    Step& step = steps.back();
    if (step.next == step.references->size()) {
      const Size size = step.size;
      const Element reference_taken = step.reference;
      if (step.block) sizes[step.block] = size;
      steps.pop_back();
      if (steps.empty()) return size;
      add_size(steps, reference_taken, size);
      continue;
    }
    const Element reference = (*step.references)[step.next++];
    Block* block = find(name_of_reference(reference));
    if (!block) continue;
    const auto [known, is_new] = sizes.try_emplace(block);
    if (is_new) {
      if (!block->outline) block->outline = outline_of(block->element);
      const Outline& outline = *block->outline;
      steps.push_back({block,
                       reference,
                       reference.span(),
                       &outline.references,
                       0,
                       {outline.nodes, outline.states, outline.elements}});
    } else if (known->second) {
      add_size(steps, reference, *known->second);
    } else {
      std::size_t first = steps.size() - 1;
      while (steps[first].block != block) --first;
      report_cycle(steps, first, reference);
      cut_.insert(reference.node().hash_value());
    }
  }
}

// What `reference` brings in belongs to the step that has taken it.
void Expander::add_size(std::vector<Step>& steps, const Element& reference, const Size& size) {
  Size& total = steps.back().size;
  total = {sum(total.nodes, size.nodes), sum(total.states, size.states), sum(total.elements, size.elements)};
  if (steps.size() > 1 || size.elements <= largest_size_.elements) return;
  largest_size_ = size;
  largest_ = reference;
}

// From steps[first] on, and by `last` back to it. Told from its first reference in the files on, so that it is the
// same cycle wherever a walk has met it.
void Expander::report_cycle(const std::vector<Step>& steps, std::size_t first, const Element& last) {
  const std::size_t count = steps.size() - first;
  // The i-th reference of the cycle; the last one closes it.
  const auto reference = [&](std::size_t i) -> const Element& {
    return i + 1 == count ? last : steps[first + 1 + i].reference;
  };
  std::size_t start = count - 1;
  Span first_span = last.span();
  for (std::size_t i = 0; i + 1 < count; ++i) {  // a cycle may be very long, and there may be very many
    const Span span = steps[first + 1 + i].span;
    if (!(span < first_span)) continue;
    start = i;
    first_span = span;
  }
  std::string cycle(name_of_reference(reference((start + count - 1) % count)));
  for (std::size_t i = 0; i < std::min(count, kMaxCycleShown); ++i) {
    cycle += " -> " + std::string(name_of_reference(reference((start + i) % count)));
  }
  if (count > kMaxCycleShown) cycle += " -> ...";
  text::Finding& finding =
      reporter_.report(Rule::SEL_reference_cycle, reference(start).attribute_any_case("name").value_span(), kInPlace,
                       "reference cycle: " + cycle, "a block must not come to hold itself: the engine crashes");
  if (!finding.related.empty()) return;
  for (std::size_t i = 1; i < std::min(count, kMaxCycleShown); ++i) {
    const Attribute name = reference((start + i) % count).attribute_any_case("name");
    finding.related.push_back({name.value_span(), "and from there to " + text::quote(name.value())});
  }
}

void Expander::check_tree(const Element& element, std::string_view name, Span span) {
  const Outline outline = outline_of(element);
  const Size brought_in = walk(outline.references);
  const std::uint64_t nodes = sum(outline.nodes, brought_in.nodes);
  const std::uint64_t all = sum(nodes, sum(outline.states, brought_in.states));
  const std::string tree = "tree " + text::quote(name);
  const std::string by_references = brought_in.elements > 0 ? " when its references are resolved" : "";
  auto amount = [](std::uint64_t number) {
    return number >= kUncountable ? "more than a million million" : with_commas(number);
  };
  if (all > kMaxNodes || brought_in.elements > kMaxExpandedElements) {
    is_too_large_ = true;
    text::Finding& finding =
        reporter_.report(Rule::SEL_too_many_nodes, span, kInPlace,
                         all > kMaxNodes ? tree + " has " + amount(all) + " nodes" + by_references + "; " +
                                               with_commas(kMaxNodes) + " are the most, states counted"
                                         : "the references of " + tree + " bring in " + amount(brought_in.elements) +
                                               " elements; " + with_commas(kMaxExpandedElements) + " are the most");
    if (largest_ && finding.related.empty()) {
      const std::string share = all > kMaxNodes ? amount(sum(largest_size_.nodes, largest_size_.states)) + " nodes"
                                                : amount(largest_size_.elements) + " elements";
      finding.related.push_back(
          {largest_.attribute_any_case("name").value_span(), "this reference alone brings in " + share});
    }
  } else if (nodes > kMaxPortableNodes) {
    reporter_.report(Rule::SEL_unportable_size, span, kInPlace,
                     tree + " has " + with_commas(nodes) + " nodes" + by_references + ": with more than " +
                         with_commas(kMaxPortableNodes) + " the engine corrupts its memory while it loads the tree",
                     "it runs here; split it if it must also load in the engine");
  }
}

void Expander::check_unused(std::deque<Block>& blocks) {
  std::vector<Element> references;
  for (Block& block : blocks) {
    if (block.is_used) continue;
    if (!block.outline) block.outline = outline_of(block.element);
    references.insert(references.end(), block.outline->references.begin(), block.outline->references.end());
  }
  static_cast<void>(walk(references));
}

Children Expander::children(const Placed& parent) {
  Children result;
  append(parent.element, parent.kind, parent.use, result);
  return result;
}

void Expander::append(const Element& parent, Kind place, UseIndex use, Children& children) {
  warn_of_stray_text(parent, Rule::SEL_stray_text, reporter_.findings());
  for (Element element = parent.first_child(); element; element = element.next_sibling()) {
    Placed child{element, kind_of(element.name()), use};
    if (child.kind == Kind::unknown) {
      child.kind = read_as(child, place);
      if (child.kind == Kind::unknown) {
        const bool has_children = bool(element.first_child());
        children.is_incomplete |= has_children || element.attribute_any_case("name");
        children.may_lack_variables |= place == Kind::variables || (place == Kind::selection_tree && has_children);
        continue;
      }
    }
    if (child.kind == Kind::sequence && may_hold(place, Kind::priority)) {
      reporter_.report(Rule::SEL_sequence, element.span(), use,
                       "Sequence cannot be used: its evaluation is broken in the engine",
                       "a StateMachine can go through steps in order");
      child.kind = Kind::priority;  // so that its children are read
      children.placed.push_back(child);
    } else if (child.kind == Kind::blocks &&
               (place == Kind::block || (place == Kind::selection_tree && use != kInPlace))) {
      reporter_.report(Rule::SEL_blocks_through_reference, element.span(), use,
                       "Blocks must stand in the tree itself: the engine skips what a reference brings in",
                       "move them to the SelectionTree, or into a file of their own");
    } else if (!may_hold(place, child.kind)) {
      reject(child, place, children);
    } else if (child.kind == Kind::ref) {
      append_reference(child, place, children);
    } else if (child.kind != Kind::blocks) {  // a tree's own have been read
      children.placed.push_back(child);
    }
  }
}

Kind Expander::read_as(const Placed& child, Kind place) {
  const Kind meant = meant_kind(child.element.name(), place);
  std::string hint;
  if (meant != Kind::unknown) {
    hint = text::element_hint(child.element.name(), name_of(meant));
  } else if (place != Kind::block) {
    hint = std::string(name_of(place)) + " holds " + list_of(children_of(place));
  }
  reporter_.report(Rule::SEL_unknown_element, child.element.span(), child.use,
                   "unknown element " + text::quote(child.element.name()), hint);
  return meant;
}

void Expander::reject(const Placed& child, Kind place, Children& children) {
  const bool has_any = !children_of(place).empty();
  reporter_.report(Rule::SEL_unexpected_element, child.element.span(), child.use,
                   "unexpected element " + text::quote(child.element.name()) + " in " + std::string(name_of(place)),
                   has_any ? std::string(name_of(place)) + " holds " + list_of(children_of(place)) : std::string());
  children.is_incomplete |= is_node(child.kind) || child.kind == Kind::state || child.kind == Kind::transition;
  children.may_lack_variables |= child.kind == Kind::variable || child.kind == Kind::variables;
}

void Expander::append_reference(const Placed& reference, Kind place, Children& children) {
  const Attributes attributes = read_attributes(reference, reporter_);
  warn_of_unread_condition(reference, attributes, "a Ref", reporter_);
  expect_no_children(reference);
  auto give_up = [&] {
    children.is_incomplete = true;
    children.may_lack_variables |= place == Kind::selection_tree || place == Kind::variables;
  };
  const auto name = required(reference, attributes, Key::name, reporter_);
  if (!name) return give_up();
  Block* block = find(*name);
  if (!block) report_unresolved(reference, attributes[Key::name]);
  if (!block || !resolves_ || cut_.contains(reference.element.node().hash_value())) return give_up();
  block->is_used = true;
  if (is_too_large_ && !once_.insert(block).second) return give_up();
  const UseIndex use = reporter_.enter(reference.element, reference.use);
  if (reporter_.depth(use) > kMaxReferenceDepth) {
    if (!is_too_deep_) {
      is_too_deep_ = true;
      reporter_.report(Rule::SEL_too_deep, attributes[Key::name].value_span(), kInPlace,
                       "more than " + with_commas(kMaxReferenceDepth) + " references stand within one another here");
    }
    return give_up();
  }
  append(block->element, place, use, children);
}

void Expander::report_unresolved(const Placed& reference, const Attribute& name) {
  if (world_.is_stray(name.value()) || (is_global_ && world_.own_names.contains(name.value()))) return;
  std::string hint = own_.names().did_you_mean(name.value(), world_.global.names());
  if (hint.empty() && world_.own_names.contains(name.value())) {
    hint = "a block of this name belongs to another tree: a file of Blocks is seen by all";
  }
  if (world_.is_partial) {
    reporter_.report(
        Rule::XML_not_given, name.value_span(), reference.use,
        "no block is named " + text::quote(name.value()) + " in the files given: the rest of the project was not given",
        hint);
    return;
  }
  if (hint.empty() && world_.may_lack_blocks) return;
  reporter_.report(Rule::SEL_unresolved_reference, name.value_span(), reference.use,
                   "no block is named " + text::quote(name.value()), hint);
}

void Expander::expect_no_children(const Placed& placed) {
  warn_of_stray_text(placed.element, Rule::SEL_stray_text, reporter_.findings());
  const Element child = placed.element.first_child();
  if (!child) return;
  const std::string owner(name_of(placed.kind));
  if (placed.kind == Kind::leaf) {
    reporter_.report(Rule::SEL_leaf_with_children, child.span(), placed.use,
                     "a Leaf has no children: unexpected " + text::quote(child.name()),
                     "a Priority holds several nodes");
  } else {
    reporter_.report(Rule::SEL_unexpected_element, child.span(), placed.use,
                     "unexpected element " + text::quote(child.name()) + " in " + owner, owner + " holds nothing");
  }
}

}  // namespace espalier::dialects::selection
