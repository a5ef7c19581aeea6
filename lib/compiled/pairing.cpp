// Pairs of elements. See pairing.h.
#include "compiled/pairing.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace espalier::compiled {
namespace {

using explore::Change;
using explore::ChangeKind;

class Pairing {
 public:
  Pairing(const std::vector<VersionFile>& before, const std::vector<VersionFile>& after)
      : before_(before), after_(after), are_alone_(before.size() == 1 && after.size() == 1) {}

  PairedTexts run() {
    std::vector<Found> before = find(before_);
    std::vector<Found> after = find(after_);
    std::vector<bool> is_taken(before.size(), false);
    std::vector<std::size_t> partner(after.size(), kNoChange);
    const auto pair = [&](const auto& fits) {
      for (std::size_t i = 0; i < after.size(); ++i) {
        for (std::size_t k = 0; k < before.size() && partner[i] == kNoChange; ++k) {
          if (is_taken[k] || !fits(before[k], after[i])) continue;
          partner[i] = k;
          is_taken[k] = true;
        }
      }
    };
    pair([&](const Found& old, const Found& now) {
      const bool is_near = before_[old.file].name == after_[now.file].name;
      return (is_near || are_alone_) && (old.key == now.key || (are_alone_ && old.is_root && now.is_root));
    });
    // A tree may have gone to another file.
    pair([&](const Found& old, const Found& now) {
      return !now.tree.empty() && old.key == now.key && old.tree == now.tree;
    });
    pair_renamed(before, after, partner);
    for (std::size_t k = 0; k < before.size(); ++k) {
      const auto found = std::find(partner.begin(), partner.end(), k);
      const Found* other = found == partner.end() ? nullptr : &after[static_cast<std::size_t>(found - partner.begin())];
      add(before[k], other);
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (partner[i] == kNoChange) add_new(after[i]);
    }
    find_moved();
    return std::move(texts_);
  }

 private:
  struct Found {
    std::string key;
    std::string tree;
    std::size_t file = 0;
    bool is_root = false;
    text::Element element = {};
    bool is_tag_only = false;  // what is below stands by itself
  };

  static std::vector<Found> find(const std::vector<VersionFile>& files) {
    std::vector<Found> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const text::Element root = files[i].document->root();
      if (!root || files[i].document->is_damaged()) continue;
      if (!holds_trees(root)) {
        const std::string own = RenamedTrees().identity_of(root);
        all.push_back({std::string(root.name()) + ' ' + own, tree_of_file(files[i]), i, true, root});
        continue;
      }
      all.push_back({"root", "", i, true, root, true});
      for (const text::Element& child : root.children()) {
        const text::Attribute path = child.attribute("path");
        const std::string own = path ? std::string(path.value()) : RenamedTrees().identity_of(child);
        all.push_back(
            {std::string(child.name()) + ' ' + own, child.name() == "BehaviorTree" ? own : "", i, false, child});
      }
    }
    return all;
  }

  // A tree with another name is the same one if little else of it has changed, or if there is no other one. What one is
  // called may be all that another one has changed in.
  void pair_renamed(const std::vector<Found>& before, const std::vector<Found>& after,
                    std::vector<std::size_t>& partner) {
    std::vector<bool> is_taken(before.size(), false);
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (partner[i] == kNoChange) continue;
      is_taken[partner[i]] = true;
      note_name(before[partner[i]], after[i]);
    }
    const auto is_tree = [](const Found& found) { return !found.tree.empty(); };
    const bool are_only = are_alone_ && std::count_if(before.begin(), before.end(), is_tree) == 1 &&
                          std::count_if(after.begin(), after.end(), is_tree) == 1;
    for (bool is_any_new = true; is_any_new;) {
      is_any_new = false;
      hashes_.clear();
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (partner[i] != kNoChange || !is_tree(after[i])) continue;
        for (std::size_t k = 0; k < before.size() && partner[i] == kNoChange; ++k) {
          if (is_taken[k] || !is_tree(before[k]) || before[k].element.name() != after[i].element.name()) continue;
          if (are_only || are_alike(before[k].element, after[i].element)) partner[i] = k;
        }
        if (partner[i] == kNoChange) continue;
        is_any_new = is_taken[partner[i]] = true;
        note_name(before[partner[i]], after[i]);
      }
    }
  }

  void note_name(const Found& before, const Found& after) {
    if (before.tree != after.tree) texts_.renamed.add(before.tree, after.tree);
  }

  bool are_alike(const text::Element& before, const text::Element& after) {
    return before.child_count() != 0 && is_in_place_of(before, after);
  }

  // Of equal elements, with all that is below, it is equal.
  std::size_t hash_of(const text::Element& element) {
    if (const auto known = hashes_.find(element.id()); known != hashes_.end()) return known->second;
    std::string text = texts_.renamed.own_text(element);
    for (const text::Element& child : element.children()) text += '\1' + std::to_string(hash_of(child));
    const std::size_t hash = std::hash<std::string>()(text);
    hashes_.emplace(element.id(), hash);
    return hash;
  }

  void add(const Found& before, const Found* after) {
    auto definition = std::make_unique<Definition>();
    definition->key = before.key;
    definition->tree = tree_ = before.tree;
    definition->file = before.file;
    definition->is_root = before.is_root;
    if (before.is_tag_only || after == nullptr) {
      definition->element = std::make_unique<PairedElement>();
      definition->element->before = before.element;
      if (before.is_tag_only && after != nullptr) {
        definition->element->after = after->element;
        definition->element->change = changed(before.element, after->element, *after);
      } else if (after == nullptr && !before.is_tag_only) {
        definition->element = one_sided(before.element, true, is_told(before) ? note_removed(before) : kNoChange);
      }
    } else {
      file_ = after->file;
      old_file_ = before.file;
      definition->element = both(before.element, after->element);
    }
    texts_.definitions.push_back(std::move(definition));
  }

  void add_new(const Found& after) {
    auto definition = std::make_unique<Definition>();
    definition->key = after.key;
    definition->tree = tree_ = after.tree;
    definition->is_new = true;
    definition->is_root = after.is_root;
    definition->file = after.file;
    if (after.is_tag_only) {
      definition->element = std::make_unique<PairedElement>();
      definition->element->before = after.element;
    } else if (is_told(after)) {
      definition->element = one_sided(after.element, false, note_added(after));
    } else {
      definition->element = one_sided(after.element, true, kNoChange);  // it is in every version that is written
    }
    texts_.definitions.push_back(std::move(definition));
  }

  // Trees that only one version has are told otherwise, and from where trees are included decides nothing.
  static bool is_told(const Found& found) { return found.tree.empty() && found.element.name() != "include"; }
  std::size_t note_removed(const Found& found) {
    return note({.kind = ChangeKind::removed, .element = word_of(found.element)}, found.element, true, found.file);
  }
  std::size_t note_added(const Found& found) {
    return note({.kind = ChangeKind::added, .element = word_of(found.element)}, found.element, false, found.file);
  }

  // ---- What has gone and come elsewhere

  struct Loose {
    PairedElement* element = nullptr;
    std::size_t hash = 0;
  };

  // The number of a change that is no longer one goes to nothing, and those after it are numbered anew.
  void find_moved() {
    std::vector<std::size_t> numbers(texts_.changes.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    for (const Loose& gone : gone_) {
      const auto come = std::find_if(come_.begin(), come_.end(), [&](const Loose& each) {
        return each.hash == gone.hash &&
               texts_.changes[each.element->change].tree == texts_.changes[gone.element->change].tree;
      });
      if (come == come_.end()) continue;
      Change& change = texts_.changes[come->element->change];
      change.kind = ChangeKind::moved;
      change.below_count = 0;
      numbers[gone.element->change] = come->element->change;
      come_.erase(come);
    }
    std::vector<std::size_t> places(numbers.size(), 0);
    std::vector<Change> left;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      places[i] = left.size();
      if (numbers[i] == i) left.push_back(std::move(texts_.changes[i]));
    }
    for (std::size_t& number : numbers) number = places[number];
    texts_.changes = std::move(left);
    for (const auto& definition : texts_.definitions) renumber(*definition->element, numbers);
  }

  static void renumber(PairedElement& element, const std::vector<std::size_t>& numbers) {
    if (element.change != kNoChange) element.change = numbers[element.change];
    for (const auto& child : element.children) renumber(*child, numbers);
  }

  // ---- Elements of both

  std::unique_ptr<PairedElement> both(const text::Element& before, const text::Element& after) {
    auto element = std::make_unique<PairedElement>();
    element->before = before;
    element->after = after;
    if (texts_.renamed.own_text(before) != texts_.renamed.own_text(after)) element->change = changed(before, after, {});
    if (hash_of(before) == hash_of(after) && before.child_count() == 0) return element;
    pair_children(before.children(), after.children(), element->children);
    return element;
  }

  // Nodes of BehaviorTree.CPP are known by their IDs, leaves of other dialects by their names.
  bool is_another(const text::Element& before, const text::Element& after) const {
    if (identity_of(before) == identity_of(after)) return false;
    const bool are_leaves = before.child_count() == 0 && after.child_count() == 0;
    return after.attribute("ID") || (are_leaves && !holds_trees(after.document().root()));
  }

  std::size_t changed(const text::Element& before, const text::Element& after, const Found& found) {
    const std::size_t file = found.element ? found.file : file_;
    if (texts_.renamed.own_text(before) == texts_.renamed.own_text(after)) return kNoChange;
    const bool is_replaced = before.name() != after.name() || is_another(before, after);
    Change change{.kind = is_replaced ? ChangeKind::replaced : ChangeKind::changed,
                  .element = word_of(after),
                  .other = word_of(before)};
    if (is_replaced && before.name() == after.name()) {
      change.element = identity_of(after);
      change.other = identity_of(before);
    } else if (is_replaced && change.element == change.other) {
      change.element = std::string(after.name());
      change.other = std::string(before.name());
    }
    const auto old_attributes = texts_.renamed.attributes_of(before);
    const auto new_attributes = texts_.renamed.attributes_of(after);
    const auto value_in = [](const auto& attributes, const std::string& name) -> std::optional<std::string> {
      for (const auto& [own, value] : attributes) {
        if (own == name) return value;
      }
      return std::nullopt;
    };
    for (const auto& [name, value] : old_attributes) {
      const auto now = value_in(new_attributes, name);
      if (now != value) change.attributes.push_back({name, value, now});
    }
    for (const auto& [name, value] : new_attributes) {
      if (!value_in(old_attributes, name)) change.attributes.push_back({name, std::nullopt, value});
    }
    if (text_in(before) != text_in(after)) change.attributes.push_back({"text", text_in(before), text_in(after)});
    return note(std::move(change), after, false, file);
  }

  void pair_children(const std::vector<text::Element>& before, const std::vector<text::Element>& after,
                     std::vector<std::unique_ptr<PairedElement>>& children) {
    const std::vector<std::pair<std::size_t, std::size_t>> pairs = matches(before, after);
    std::size_t i = 0;
    std::size_t k = 0;
    const auto take_until = [&](std::size_t end_before, std::size_t end_after) {
      pair_rest(
          {before.begin() + static_cast<std::ptrdiff_t>(i), before.begin() + static_cast<std::ptrdiff_t>(end_before)},
          {after.begin() + static_cast<std::ptrdiff_t>(k), after.begin() + static_cast<std::ptrdiff_t>(end_after)},
          children);
    };
    for (const auto& [own, other] : pairs) {
      take_until(own, other);
      children.push_back(both(before[own], after[other]));
      i = own + 1;
      k = other + 1;
    }
    take_until(before.size(), after.size());
  }

  std::string identity_of(const text::Element& element) const { return texts_.renamed.identity_of(element); }

  // How alike two elements are; 0: not at all.
  std::size_t likeness(const text::Element& before, const text::Element& after) {
    constexpr std::size_t kEqual = 1000;
    if (hash_of(before) == hash_of(after)) return kEqual;
    if (before.name() != after.name()) return 0;
    std::size_t likeness = 10;
    // Leaves without a name are what their elements are called.
    const bool are_leaves = before.child_count() == 0 && after.child_count() == 0;
    const bool has_only_kind = identity_of(before).empty() && !are_leaves;
    if (identity_of(before) == identity_of(after)) likeness += has_only_kind ? 20 : 200;
    std::size_t same_children = 0;
    std::vector<text::Element> others = after.children();
    for (const text::Element& child : before.children()) {
      const auto same = std::find_if(others.begin(), others.end(), [&](const text::Element& other) {
        return other.name() == child.name() && identity_of(other) == identity_of(child);
      });
      if (same == others.end()) continue;
      others.erase(same);
      ++same_children;
    }
    const std::size_t most = std::max(before.child_count(), after.child_count());
    if (most != 0) likeness += 300 * same_children / most;
    // A leaf with another name is another one, unless it is written alike.
    if (most == 0 && !identity_of(before).empty() && identity_of(before) != identity_of(after)) likeness = 5;
    return likeness;
  }

  // The pairs in both orders that are most alike.
  std::vector<std::pair<std::size_t, std::size_t>> matches(const std::vector<text::Element>& before,
                                                           const std::vector<text::Element>& after) {
    const std::size_t columns = after.size() + 1;
    std::vector<std::size_t> best((before.size() + 1) * columns, 0);
    std::vector<std::size_t> alike(before.size() * after.size(), 0);
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t k = after.size(); k-- > 0;) {
        alike[i * after.size() + k] = likeness(before[i], after[k]);
        const std::size_t own = alike[i * after.size() + k];
        std::size_t& cell = best[i * columns + k];
        cell = std::max(best[(i + 1) * columns + k], best[i * columns + k + 1]);
        if (own != 0) cell = std::max(cell, own + best[(i + 1) * columns + k + 1]);
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0, k = 0; i < before.size() && k < after.size();) {
      const std::size_t own = alike[i * after.size() + k];
      if (own != 0 && best[i * columns + k] == own + best[(i + 1) * columns + k + 1]) {
        pairs.emplace_back(i++, k++);
      } else if (best[i * columns + k] == best[(i + 1) * columns + k]) {
        ++i;
      } else {
        ++k;
      }
    }
    return pairs;
  }

  // ---- Elements of one version

  // Between two pairs: what is put around others, what comes in place of others, what is added and removed.
  void pair_rest(const std::vector<text::Element>& before, const std::vector<text::Element>& after,
                 std::vector<std::unique_ptr<PairedElement>>& children) {
    if (before.size() == 1 && after.size() == 1 && is_in_place_of(before.front(), after.front())) {
      children.push_back(both(before.front(), after.front()));
      return;
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto [first, last] = those_below(before, after[i]);
      if (first == last) continue;
      pair_rest(part(before, 0, first), part(after, 0, i), children);
      auto around = std::make_unique<PairedElement>();
      around->after = after[i];
      around->change = note({.kind = ChangeKind::around, .element = word_of(after[i]), .other = word_of(before[first])},
                            after[i], false, file_);
      pair_children(part(before, first, last), after[i].children(), around->children);
      children.push_back(std::move(around));
      return pair_rest(part(before, last, before.size()), part(after, i + 1, after.size()), children);
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto [first, last] = those_below(after, before[i]);
      if (first == last) continue;
      pair_rest(part(before, 0, i), part(after, 0, first), children);
      auto around = std::make_unique<PairedElement>();
      around->before = before[i];
      around->change =
          note({.kind = ChangeKind::unwrapped, .element = word_of(before[i]), .other = word_of(after[first])},
               before[i], true, old_file_);
      pair_children(before[i].children(), part(after, first, last), around->children);
      children.push_back(std::move(around));
      return pair_rest(part(before, i + 1, before.size()), part(after, last, after.size()), children);
    }
    for (const text::Element& element : before) {
      const std::size_t change =
          note({.kind = ChangeKind::removed, .element = word_of(element), .below_count = count_below(element)}, element,
               true, old_file_);
      children.push_back(one_sided(element, true, change));
      gone_.push_back({children.back().get(), hash_of(element)});
    }
    for (const text::Element& element : after) {
      const std::size_t change =
          note({.kind = ChangeKind::added, .element = word_of(element), .below_count = count_below(element)}, element,
               false, file_);
      children.push_back(one_sided(element, false, change));
      come_.push_back({children.back().get(), hash_of(element)});
    }
  }

  static std::vector<text::Element> part(const std::vector<text::Element>& of, std::size_t begin, std::size_t end) {
    return {of.begin() + static_cast<std::ptrdiff_t>(begin), of.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  // From the first to after the last of these that have become, or were, children of the other one.
  std::pair<std::size_t, std::size_t> those_below(const std::vector<text::Element>& elements,
                                                  const text::Element& around) {
    std::size_t first = elements.size();
    std::size_t last = elements.size();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!is_below(elements[i], around)) continue;
      first = std::min(first, i);
      last = i + 1;
    }
    return {first, last};
  }

  // Is an element like this one a child of the other one?
  bool is_below(const text::Element& element, const text::Element& around) {
    const std::vector<text::Element> children = around.children();
    return std::any_of(children.begin(), children.end(), [&](const text::Element& child) {
      constexpr std::size_t kAlike = 200;
      return likeness(element, child) >= kAlike;
    });
  }

  // A leaf in place of a leaf, or an element around at least half of the same ones.
  bool is_in_place_of(const text::Element& before, const text::Element& after) {
    std::vector<text::Element> others = after.children();
    const std::size_t most = std::max(before.child_count(), others.size());
    std::size_t same_count = 0;
    for (const text::Element& child : before.children()) {
      constexpr std::size_t kAlike = 200;
      const auto same = std::find_if(others.begin(), others.end(),
                                     [&](const text::Element& other) { return likeness(child, other) >= kAlike; });
      if (same == others.end()) continue;
      others.erase(same);
      ++same_count;
    }
    return 2 * same_count >= most;
  }

  std::unique_ptr<PairedElement> one_sided(const text::Element& of, bool is_old, std::size_t change) {
    auto element = std::make_unique<PairedElement>();
    (is_old ? element->before : element->after) = of;
    element->change = change;
    for (const text::Element& child : of.children()) element->children.push_back(one_sided(child, is_old, change));
    return element;
  }

  std::size_t note(Change change, const text::Element& element, bool is_old, std::size_t file) {
    const VersionFile& in = (is_old ? before_ : after_)[file];
    const text::Position where = in.document->source().position(element.span().begin);
    change.tree = tree_;
    change.place = {in.shown, where.line, where.column};
    change.is_place_of_old = is_old;
    texts_.changes.push_back(std::move(change));
    return texts_.changes.size() - 1;
  }

  const std::vector<VersionFile>& before_;
  const std::vector<VersionFile>& after_;
  const bool are_alone_;  // one file each, whatever they are called
  PairedTexts texts_;
  std::vector<Loose> gone_, come_;
  std::map<std::size_t, std::size_t> hashes_;  // by element
  std::string tree_;
  std::size_t file_ = 0;      // of the new version
  std::size_t old_file_ = 0;  // of the old version
};

}  // namespace

PairedTexts pair_elements(const std::vector<VersionFile>& before, const std::vector<VersionFile>& after) {
  return Pairing(before, after).run();
}

}  // namespace espalier::compiled
