// Resolving references. See expander.h.
#include "dialects/selection/expander.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "dialects/reading/checks.h"
#include "dialects/reading/wording.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::uint64_t kUncountable = std::uint64_t{1} << 40;
constexpr std::size_t kMaxCycleShown = 20;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kUncountable); }

std::string_view name_of_reference(const Element& reference) { return reference.attribute_any_case("name").value(); }

}  // namespace

// A block on the path of a walk, and the reference that led to it.
struct Expander::Step {
  Block* block;  // none: the tree itself
  Element reference;
  Span span = {};  // of the reference
  const std::vector<Element>* references;
  std::size_t next = 0;
  Size size;
};

Block* Expander::find(std::string_view name) const {
  if (is_global_ && world_.own_names.contains(name)) return nullptr;  // the block depends on the tree
  Block* block = own_.find(name);
  return block ? block : world_.global.find(name);
}

// Depth-first along references, with an explicit stack because chains can have any length. Every block is walked once,
// so the cost is linear in the unexpanded text.
Expander::Size Expander::walk(const std::vector<Element>& references) {
  std::unordered_map<const Block*, std::optional<Size>> sizes;  // no size: being walked
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
      cut_.insert(reference.id());
    }
  }
}

// Adds what `reference` includes to the step that contains it.
void Expander::add_size(std::vector<Step>& steps, const Element& reference, const Size& size) {
  Size& total = steps.back().size;
  total = {sum(total.nodes, size.nodes), sum(total.states, size.states), sum(total.elements, size.elements)};
  if (steps.size() > 1 || size.elements <= largest_size_.elements) return;
  largest_size_ = size;
  largest_ = reference;
}

// The cycle from steps[first] on, closed by `last`. The report starts with its first reference in the files, so it is
// the same finding wherever a walk enters the cycle.
void Expander::report_cycle(const std::vector<Step>& steps, std::size_t first, const Element& last) {
  const std::size_t count = steps.size() - first;
  // The i-th reference of the cycle; the last one closes it.
  const auto reference = [&](std::size_t i) -> const Element& {
    return i + 1 == count ? last : steps[first + 1 + i].reference;
  };
  std::size_t start = count - 1;
  Span first_span = last.span();
  for (std::size_t i = 0; i + 1 < count; ++i) {  // cycles can be long and many
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
  text::Finding& finding = reporter_.report(
      Rule::SEL_reference_cycle, reference(start).attribute_any_case("name").value_span(), "reference cycle: " + cycle,
      "a block must not contain itself, directly or through other blocks: the engine crashes");
  if (!finding.related.empty()) return;
  for (std::size_t i = 1; i < std::min(count, kMaxCycleShown); ++i) {
    const Attribute name = reference((start + i) % count).attribute_any_case("name");
    finding.related.push_back({name.value_span(), "then " + quote(name.value()) + " is referenced here"});
  }
}

void Expander::check_tree(const Element& element, std::string_view name, Span span) {
  const Outline outline = outline_of(element);
  const Size brought_in = walk(outline.references);
  const std::uint64_t nodes = sum(outline.nodes, brought_in.nodes);
  const std::uint64_t all = sum(nodes, sum(outline.states, brought_in.states));
  const std::string tree = "tree " + quote(name);
  const std::string by_references = brought_in.elements > 0 ? " with its references resolved" : "";
  auto amount = [](std::uint64_t number) { return number >= kUncountable ? "over a trillion" : with_commas(number); };
  if (all > kMaxNodes || brought_in.elements > kMaxExpandedElements) {
    is_too_large_ = true;
    text::Finding& finding = reporter_.report(
        Rule::SEL_too_many_nodes, span,
        all > kMaxNodes ? "too many nodes in " + tree + by_references + ": " + amount(all) + ", at most " +
                              with_commas(kMaxNodes) + ", states included"
                        : "too many elements from references in " + tree + ": " + amount(brought_in.elements) +
                              ", at most " + with_commas(kMaxExpandedElements));
    if (largest_ && finding.related.empty()) {
      const std::string share = all > kMaxNodes ? amount(sum(largest_size_.nodes, largest_size_.states)) + " nodes"
                                                : amount(largest_size_.elements) + " elements";
      finding.related.push_back(
          {largest_.attribute_any_case("name").value_span(), "this reference alone brings in " + share});
    }
  } else if (nodes > kMaxPortableNodes) {
    reporter_.report(Rule::SEL_unportable_size, span,
                     tree + " has " + with_commas(nodes) + " nodes" + by_references + ": with more than " +
                         with_commas(kMaxPortableNodes) + " the engine corrupts its memory while loading the tree",
                     "espalier can run it; split the tree if the engine has to load it");
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
  append(parent.element, *parent.row, parent.use, result);
  return result;
}

void Expander::append(const Element& parent, const ElementRow& place, UseIndex use, Children& children) {
  warn_of_stray_text(parent, table().rules.stray_text, reporter_.findings());
  for (Element element = parent.first_child(); element; element = element.next_sibling()) {
    Placed child{element, table().find(element.name()), use};
    if (child.row == nullptr) {
      child.row =
          report_unknown_element(element, parent, place, table(), reporter_, use,
                                 place.groups == kBlock ? std::string() : expected_one_of(table().names_in(place)));
      if (child.row == nullptr) {
        const bool has_children = bool(element.first_child());
        children.is_incomplete |= has_children || element.attribute_any_case("name");
        children.may_lack_variables |= place.groups == kVariables || (place.groups == kSelectionTree && has_children);
        continue;
      }
    }
    if (!may_hold(place, *child.row) || (child.is(kBlocks) && use != kInPlace)) {
      report_misplaced(child, place, children);
    } else if (child.is(kRef)) {
      append_reference(child, place, children);
    } else if (!child.is(kBlocks)) {  // a tree's own Blocks have been read
      children.placed.push_back(child);
    }
  }
}

void Expander::report_misplaced(const Placed& child, const ElementRow& place, Children& children) {
  if (child.is(kSequence) && (place.content.groups & kPriority) != 0) {
    reporter_.report(Rule::SEL_broken_sequence, child.where(),
                     "'Sequence' cannot be used: the engine does not evaluate it correctly",
                     "use a StateMachine to go through steps in order");
    children.placed.push_back({child.element, table().find("Priority"), child.use});  // its children are read
    return;
  }
  if (child.is(kBlocks) && (place.groups == kBlock || place.groups == kSelectionTree)) {
    reporter_.report(Rule::SEL_blocks_through_reference, child.where(),
                     "'Blocks' must be in the tree itself: the engine skips one that a reference brings in",
                     "move it to the SelectionTree, or into a separate file");
    return;
  }
  reporter_.report(Rule::SEL_unexpected_element, child.where(),
                   "unexpected element " + quote(child.element.name()) + " in " + quote(place.name),
                   expected_one_of(table().names_in(place)));
  children.is_incomplete |= child.is(kNodes | kState | kTransition);
  children.may_lack_variables |= child.is(kVariable | kVariables);
}

void Expander::append_reference(const Placed& reference, const ElementRow& place, Children& children) {
  const Attributes attributes = read_attributes(reference, reporter_);
  expect_no_children(reference);
  auto give_up = [&] {
    children.is_incomplete = true;
    children.may_lack_variables |= place.groups == kSelectionTree || place.groups == kVariables;
  };
  // A misspelt name is not accepted: the references that were counted are looked up only by their correct attribute.
  const Attribute name = attributes.filled("name");
  if (!name) return give_up();
  Block* block = find(name.value());
  if (!block) report_unresolved(reference, name);
  if (!block || !resolves_ || cut_.contains(reference.element.id())) return give_up();
  block->is_used = true;
  if (block->element.is_damaged()) return give_up();
  if (is_too_large_ && !once_.insert(block).second) return give_up();
  const UseIndex use = reporter_.enter(name.value_span(), name.value(), reference.use);
  if (reporter_.depth(use) > kMaxReferenceDepth) {
    if (!is_too_deep_) {
      is_too_deep_ = true;
      reporter_.report(Rule::SEL_too_deep, name.value_span(),
                       "more than " + with_commas(kMaxReferenceDepth) + " references are nested in one another here");
    }
    return give_up();
  }
  append(block->element, place, use, children);
}

void Expander::report_unresolved(const Placed& reference, const Attribute& name) {
  if (world_.is_stray(name.value()) || (is_global_ && world_.own_names.contains(name.value()))) return;
  std::string hint = own_.names().did_you_mean(name.value(), world_.global.names());
  if (hint.empty() && world_.own_names.contains(name.value())) {
    hint = "another tree has a block of this name; blocks for all trees belong in a file with the root element Blocks";
  }
  if (world_.is_partial) {
    reporter_.report(
        Rule::XML_unchecked_reference, {name.value_span(), reference.use},
        "block " + quote(name.value()) + " is not in the given files: the rest of the project was not given", hint);
    return;
  }
  if (hint.empty() && world_.may_lack_blocks) return;
  reporter_.report(Rule::SEL_unresolved_reference, {name.value_span(), reference.use},
                   "unknown block " + quote(name.value()), hint);
}

void Expander::expect_no_children(const Placed& placed) {
  warn_of_stray_text(placed.element, Rule::SEL_stray_text, reporter_.findings());
  const Element child = placed.element.first_child();
  if (!child) return;
  if (placed.is(kLeaf)) {
    reporter_.report(Rule::SEL_leaf_with_children, {child.span(), placed.use},
                     "unexpected element " + quote(child.name()) + " in 'Leaf': a Leaf has no children",
                     "use a Priority to hold several nodes");
  } else {
    report_unexpected_element(child, placed.element, *placed.row, table(), reporter_, placed.use);
  }
}

}  // namespace espalier::dialects::selection
