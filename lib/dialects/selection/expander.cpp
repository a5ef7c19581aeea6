// Collecting blocks and resolving references. See expander.h.
#include "dialects/selection/expander.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "dialects/reading/checks.h"
#include "rules/selection.h"
#include "rules/xml.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::uint64_t kUncountable = std::uint64_t{1} << 40;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kUncountable); }

Attribute name_of(const Element& reference) { return reference.attribute_any_case("name"); }

// The nesting of elements is limited (text::kMaxNesting), so this recursion is too.
void add_outline(const Element& parent, Outline& outline) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    ++outline.size.elements;
    const ElementRow* const row = table().find(child.name());
    const Groups kind = row == nullptr ? 0 : row->groups;
    if (kind == kRef) outline.references.push_back(child);
    if ((kind & kNodes) != 0) ++outline.size.nodes;
    if (kind == kState) ++outline.size.states;
    // A misspelt element may be read as the one that was meant. References are not resolved where nothing is allowed.
    const bool may_hold_any = row == nullptr || row->content.groups != 0;
    if (may_hold_any && kind != kBlocks) add_outline(child, outline);
  }
}

// Adds the names of the blocks of a tree.
template <typename Names>
void add_own_names(const Element& tree, Names& names) {
  for (Element blocks = tree.first_child(); blocks; blocks = blocks.next_sibling()) {
    if (kind_of(blocks) != kBlocks) continue;
    for (Element block = blocks.first_child(); block; block = block.next_sibling()) {
      names.emplace(block.attribute_any_case("name").value());
    }
  }
}

// Adds the names of blocks that are in wrong places of a file.
template <typename Names>
void add_strays(const Element& parent, bool is_seen, Names& names) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    const Groups kind = kind_of(child);
    if (kind == kBlock && !is_seen) names.emplace(child.attribute_any_case("name").value());
    add_strays(child, kind == kBlocks && kind_of(parent) == kSelectionTree, names);
  }
}

}  // namespace

// ---- Blocks -------------------------------------------------------------------------------------

Outline outline_of(const Element& element) {
  Outline outline;
  add_outline(element, outline);
  return outline;
}

const Outline& Block::outline() {
  if (!made) made = outline_of(element);
  return *made;
}

void Library::add(const Placed& blocks, std::string_view scope, Reporter& reporter) {
  static_cast<void>(read_attributes(blocks, reporter));
  warn_of_stray_text(blocks.element, reporter);
  for (Element child = blocks.element.first_child(); child; child = child.next_sibling()) {
    const ElementRow* row = table().find(child.name());
    if (row == nullptr) {
      row = report_unknown_element(child, *blocks.row, reporter);
      if (row == nullptr) continue;
    } else if (row->groups != kBlock) {
      report_unexpected_element(child, *blocks.row, reporter);
      continue;
    }
    const Attributes attributes = read_attributes({child, row}, reporter);
    const Attribute name = given(attributes, "name");
    blocks_.push_back({child, name.value()});
    if (!name) continue;
    const auto [entry, is_new] = by_name_.try_emplace(name.value(), &blocks_.back());
    if (is_new) continue;
    const Attribute first = entry->second->element.attribute_any_case("name");  // of a misspelt one, the element
    reporter.report(rules::SEL_duplicate_block, name.value_span(),
                    "duplicate block " + quote(name.value()) + " in " + std::string(scope), {},
                    {first ? first.value_span() : entry->second->element.span(), "first defined here"});
  }
}

void Library::add_stray(const Element& block) {
  const std::string_view name = block.attribute_any_case("name").value();
  if (name.empty()) return;
  blocks_.push_back({block, name});
  by_name_.try_emplace(name, &blocks_.back());
}

Block* Library::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

text::NameIndex& Library::names() {
  if (names_.size() < by_name_.size()) {
    std::vector<std::string_view> names;
    for (const Block& block : blocks_) {
      if (!block.name.empty() && by_name_.at(block.name) == &block) names.push_back(block.name);
    }
    names_ = text::NameIndex(std::move(names));
  }
  return names_;
}

const World::BlockNames& World::block_names() {
  if (block_names_) return *block_names_;
  block_names_.emplace();
  text::Findings reported_elsewhere;
  Reporter reporter(reported_elsewhere, table());
  World none;
  for (const text::XmlDocument* file : files) {
    const text::XmlDocument document(file->parsed(), file->file());
    const Element root = document.root();
    const bool is_library = kind_of(root) == kBlocks;
    add_strays(root, is_library, block_names_->stray);
    if (is_library) continue;
    for (const Element& tree : trees_of(root, none, reporter)) add_own_names(tree, block_names_->own);
  }
  return *block_names_;
}

std::vector<Element> trees_of(const Element& root, World& world, Reporter& reporter) {
  const Placed placed = in_place(root);
  if (placed.is(kSelectionTree)) return {root};
  static_cast<void>(read_attributes(placed, reporter));
  Library none;
  Expander expander(world, none, reporter);
  std::vector<Element> trees;
  for (const Placed& tree : expander.children(placed).placed) trees.push_back(tree.element);
  return trees;
}

// ---- References ---------------------------------------------------------------------------------

void Size::add(const Size& more) {
  *this = {sum(nodes, more.nodes), sum(states, more.states), sum(elements, more.elements)};
}

Block* Expander::find(std::string_view name) const {
  if (is_global_ && world_.is_of_a_tree(name)) return nullptr;  // the block depends on the tree
  Block* block = own_.find(name);
  return block ? block : world_.global.find(name);
}

// The blocks that references lead to, in the order of the files.
std::vector<Block*> Expander::reached_from(const std::vector<Element>& references) const {
  std::vector<Block*> blocks;
  std::unordered_set<const Block*> seen;
  const auto reach = [&](const std::vector<Element>& all) {
    for (const Element& reference : all) {
      Block* const block = find(name_of(reference).value());
      if (block != nullptr && seen.insert(block).second) blocks.push_back(block);
    }
  };
  reach(references);
  for (std::size_t i = 0; i < blocks.size(); ++i) reach(blocks[i]->outline().references);
  std::sort(blocks.begin(), blocks.end(),
            [](const Block* a, const Block* b) { return a->element.span() < b->element.span(); });
  return blocks;
}

// The size of what references include. Each block is measured once, after those that it includes, so the cost is linear
// in the unexpanded text. References that lead back are cut.
Size Expander::walk(const std::vector<Element>& references) {
  const std::vector<Block*> blocks = reached_from(references);
  std::unordered_map<const Block*, std::size_t> numbers;
  for (const Block* const block : blocks) numbers.emplace(block, numbers.size());
  std::vector<Use> uses;
  std::vector<Attribute> names;  // of the references that are the uses
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (const Element& reference : blocks[i]->outline().references) {
      const Attribute name = name_of(reference);
      if (const Block* const used = find(name.value())) {
        uses.push_back({i, numbers.at(used)});
        names.push_back(name);
      }
    }
  }
  const auto [order, cycles] = order_by_use(blocks.size(), uses);
  for (const std::vector<std::size_t>& cycle : cycles) {
    std::vector<CycleStep> steps;
    steps.reserve(cycle.size());
    for (const std::size_t use : cycle) {
      steps.push_back({std::string(blocks[uses[use].user]->name), names[use].value_span()});
    }
    report_cycle(steps);
  }
  std::unordered_map<const Block*, Size> sizes;
  for (const std::size_t i : order) sizes.emplace(blocks[i], measure(*blocks[i], sizes));
  Size size;
  for (const Element& reference : references) {
    const auto included = sizes.find(find(name_of(reference).value()));
    if (included == sizes.end()) continue;
    size.add(included->second);
    if (included->second.elements <= largest_size_.elements) continue;
    largest_size_ = included->second;
    largest_ = reference;
  }
  return size;
}

// `known`: the sizes of the blocks that it includes, except where it is in a cycle.
Size Expander::measure(Block& block, const std::unordered_map<const Block*, Size>& known) {
  const Outline& outline = block.outline();
  Size size = outline.size;
  for (const Element& reference : outline.references) {
    const Block* const used = find(name_of(reference).value());
    const auto included = known.find(used);
    if (included != known.end()) size.add(included->second);
    if (used != nullptr && included == known.end()) cut_.insert(reference.id());
  }
  return size;
}

void Expander::report_cycle(const std::vector<CycleStep>& steps) {
  text::Finding& finding =
      reporter_.report(rules::SEL_reference_cycle, steps[0].use, "reference cycle: " + describe_cycle(steps),
                       "a block must not contain itself, directly or through other blocks: the engine crashes");
  if (finding.related.empty()) finding.related = places_of_cycle(steps);
}

void Expander::check_tree(const Element& element, std::string_view name, Span span) {
  const Outline outline = outline_of(element);
  const Size brought_in = walk(outline.references);
  const std::uint64_t nodes = sum(outline.size.nodes, brought_in.nodes);
  const std::uint64_t all = sum(nodes, sum(outline.size.states, brought_in.states));
  const std::string tree = "tree " + quote(name);
  const std::string by_references = brought_in.elements > 0 ? " with its references resolved" : "";
  auto amount = [](std::uint64_t number) { return number >= kUncountable ? "over a trillion" : with_commas(number); };
  if (all > kMaxNodes || brought_in.elements > kMaxExpandedElements) {
    is_too_large_ = true;
    text::Finding& finding = reporter_.report(
        rules::SEL_too_many_nodes, span,
        all > kMaxNodes ? "too many nodes in " + tree + by_references + ": " + amount(all) + ", at most " +
                              with_commas(kMaxNodes) + ", states included"
                        : "too many elements from references in " + tree + ": " + amount(brought_in.elements) +
                              ", at most " + with_commas(kMaxExpandedElements));
    if (largest_ && finding.related.empty()) {
      const std::string share = all > kMaxNodes ? amount(sum(largest_size_.nodes, largest_size_.states)) + " nodes"
                                                : amount(largest_size_.elements) + " elements";
      finding.related.push_back({name_of(largest_).value_span(), "this reference alone brings in " + share});
    }
  } else if (nodes > kMaxPortableNodes) {
    reporter_.report(rules::SEL_unportable_size, span,
                     tree + " has " + with_commas(nodes) + " nodes" + by_references + ": with more than " +
                         with_commas(kMaxPortableNodes) + " the engine corrupts its memory while loading the tree",
                     "espalier can run it; split the tree if the engine has to load it");
  }
}

void Expander::check_unused(std::deque<Block>& blocks) {
  std::vector<Element> references;
  for (Block& block : blocks) {
    if (block.is_used) continue;
    const std::vector<Element>& more = block.outline().references;
    references.insert(references.end(), more.begin(), more.end());
  }
  static_cast<void>(walk(references));
}

Children Expander::children(const Placed& parent) {
  Children result;
  append(parent.element, *parent.row, parent.use, result);
  return result;
}

void Expander::append(const Element& parent, const ElementRow& place, UseIndex use, Children& children) {
  warn_of_stray_text(parent, reporter_);
  for (Element element = parent.first_child(); element; element = element.next_sibling()) {
    Placed child{element, table().find(element.name()), use};
    if (child.row == nullptr) {
      child.row = report_unknown_element(
          element, place, reporter_, place.groups == kBlock ? std::string() : expected_one_of(table().names_in(place)),
          use);
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
    reporter_.report(rules::SEL_broken_sequence, child.where(),
                     "'Sequence' cannot be used: the engine does not evaluate it correctly",
                     "use a StateMachine to go through steps in order");
    children.placed.push_back({child.element, table().find("Priority"), child.use});  // its children are read
    return;
  }
  if (child.is(kBlocks) && (place.groups == kBlock || place.groups == kSelectionTree)) {
    reporter_.report(rules::SEL_blocks_through_reference, child.where(),
                     "'Blocks' must be in the tree itself: the engine skips one that a reference brings in",
                     "move it to the SelectionTree, or into a separate file");
    return;
  }
  const ElementRow* const meant = meant_by_content(child.element, place, reporter_);
  reporter_.report(rules::SEL_unexpected_element, child.where(),
                   "unexpected element " + quote(child.element.name()) + " in " + quote(place.name),
                   meant != nullptr ? did_you_mean(meant->name) : expected_one_of(table().names_in(place)));
  if (meant != nullptr) {
    reporter_.excuse(child.element);
    if (meant->groups != kBlocks) children.placed.push_back({child.element, meant, child.use});
    return;
  }
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
      reporter_.report(rules::SEL_too_deep, name.value_span(),
                       "more than " + with_commas(kMaxReferenceDepth) + " references are nested in one another here");
    }
    return give_up();
  }
  append(block->element, place, use, children);
}

void Expander::report_unresolved(const Placed& reference, const Attribute& name) {
  if (world_.is_stray(name.value()) || (is_global_ && world_.is_of_a_tree(name.value()))) return;
  const std::string near = own_.names().nearest(name.value(), world_.global.names());
  std::string hint = did_you_mean(near);
  if (hint.empty() && world_.is_of_a_tree(name.value())) {
    hint = "another tree has a block of this name; blocks for all trees belong in a file with the root element Blocks";
  }
  if (world_.is_partial) {
    reporter_.report(
        rules::XML_unchecked_reference, {name.value_span(), reference.use},
        "block " + quote(name.value()) + " is not in the given files: the rest of the project was not given", hint);
    return;
  }
  if (hint.empty() && world_.may_lack_blocks) return;
  text::Finding& finding = reporter_.report(rules::SEL_unresolved_reference, {name.value_span(), reference.use},
                                            "unknown block " + quote(name.value()), hint);
  const Block* const meant = near.empty() ? nullptr : find(near);
  const Span declared = meant == nullptr ? Span() : name_of(meant->element).value_span();
  reporter_.propose(finding, name.value(), near, Guess::Of::name, declared);
}

void Expander::expect_no_children(const Placed& placed) {
  warn_of_stray_text(placed.element, reporter_);
  const Element child = placed.element.first_child();
  if (!child) return;
  if (placed.is(kLeaf)) {
    reporter_.report(rules::SEL_leaf_with_children, {child.span(), placed.use},
                     "unexpected element " + quote(child.name()) + " in 'Leaf': a Leaf has no children",
                     "use a Priority to hold several nodes");
  } else {
    report_unexpected_element(child, *placed.row, reporter_, {}, placed.use);
  }
}

}  // namespace espalier::dialects::selection
