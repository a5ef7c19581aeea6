// Trees that store their results and share gates and groups: the reader. A root element `SynchronizedTree` holds one
// node; slots are shared by all trees of a project.
#include "dialects/dialect.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dialects/reading/name_table.h"
#include "dialects/reading/values.h"
#include "dialects/synchronized/elements.h"
#include "dialects/synchronized/options.h"
#include "dialects/synchronized/tree_reader.h"
#include "ir/store_needs.h"
#include "rules/synchronized.h"
#include "rules/xml.h"
#include "text/name_index.h"
#include "text/parallel.h"

namespace espalier::dialects::synchronized {
namespace {

// ---- Slots --------------------------------------------------------------------------------------

// Why a tree that is named may be missing.
struct Lacking {
  bool unreadable = false;  // a file or a name cannot be read, which has been reported
  bool not_given = false;   // the files may be only a part of the project
};

constexpr int kMaxTooLarge = 16;  // findings; each needs a pass over all sizes
constexpr std::size_t kMaxRelated = 8;

std::vector<std::string_view> sorted(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// What the first readable use of a slot says; each part is from the first use in which it is valid.
struct KnownSlot {
  ir::Slot slot;
  const SlotUse* accepts_from = nullptr;
  const SlotUse* budget_from = nullptr;
  std::vector<std::string_view> accepted;  // sorted
};

// Is it rather a misspelt name than that of a tree whose name cannot be read?
bool is_slip(std::string_view name, std::string_view meant) {
  constexpr std::size_t kLeastLetters = 5;
  const auto letters = [](std::string_view text) {
    std::string found(text);
    std::erase_if(found, [](char c) { return c >= '0' && c <= '9'; });
    return found;
  };
  return name.size() >= kLeastLetters && text::is_near(name, meant, 1) && letters(name) != letters(meant);
}

// Checks that all uses of a slot agree, that the trees they name exist, and that agents are not too large; marks trees
// as faulty. `others`: trees of other dialects.
class SlotChecker {
 public:
  SlotChecker(std::vector<ReadTree>& trees, const std::vector<ir::Tree>& others, Lacking lacking,
              text::Findings& findings)
      : trees_(trees), lacking_(lacking), reporter_(findings, table()) {
    for (const ir::Tree& tree : others) other_names_.insert(tree.name);
    for (const ReadTree& tree : trees) {
      if (tree.name) names_.push_back(tree.name.value());
    }
    names_ = sorted(std::move(names_));
    index_ = text::NameIndex(names_);
  }

  // Returns the slots, sorted by name.
  std::vector<ir::Slot> run() {
    for (ReadTree& tree : trees_) {
      for (const SlotUse& use : tree.uses) check_use(tree, use);
    }
    std::vector<ir::Slot> slots;
    slots.reserve(known_.size());
    for (auto& [name, known] : known_) slots.push_back(known.slot);
    std::sort(slots.begin(), slots.end(), [](const ir::Slot& a, const ir::Slot& b) { return a.name < b.name; });
    check_sizes(slots);
    return slots;
  }

 private:
  text::Finding& report(ReadTree& tree, Rule rule, Span span, std::string message, std::string hint,
                        std::vector<text::Related> related) {
    tree.has_errors = true;
    text::Finding& finding = reporter_.report(rule, span, std::move(message), std::move(hint));
    finding.related = std::move(related);
    return finding;
  }

  // ---- Names

  bool is_tree(std::string_view name) const { return std::binary_search(names_.begin(), names_.end(), name); }

  // If not, that is reported, unless the tree may be in a file that cannot be read.
  bool check_tree(ReadTree& tree, std::string_view name, Span span) {
    if (is_tree(name)) return true;
    std::string near = index_.nearest(name);
    std::string hint = did_you_mean(near);
    if (other_names_.contains(std::string(name))) {
      hint = quote(name) + " is a tree of another dialect";
    } else if (hint.empty() && name.find_first_of(",;|") != std::string_view::npos) {
      hint = "put blanks between names";
    } else if (lacking_.unreadable && !is_slip(name, near)) {
      return false;
    }
    if (lacking_.not_given && !other_names_.contains(std::string(name))) {
      tree.has_errors = true;
      reporter_.report(rules::XML_unchecked_reference, span,
                       "unknown synchronized tree " + quote(name) + ": the rest of the project was not given",
                       std::move(hint));
      return false;
    }
    if (other_names_.contains(std::string(name))) near.clear();
    text::Finding& finding =
        report(tree, rules::SYN_unknown_tree, span, "unknown synchronized tree " + quote(name), std::move(hint), {});
    reporter_.propose(finding, name, near);
    return false;
  }

  void check_use(ReadTree& tree, const SlotUse& use) {
    const bool knows_default =
        use.default_tree && check_tree(tree, use.default_tree.value(), use.default_tree.value_span());
    bool knows_accepts = use.knows_accepts;
    std::vector<std::string_view> accepted;
    std::unordered_set<std::string_view> seen;
    for (const Word& word : words_of(use.accepts.value())) {
      const Span span = use.accepts.value_span(word.begin, word.end());
      knows_accepts = check_tree(tree, word.text, span) && knows_accepts;
      if (seen.insert(word.text).second) {
        accepted.push_back(word.text);
      } else {
        reporter_.report(rules::SYN_repeated_word, span, "duplicate tree " + quote(word.text) + " in the list",
                         "remove it");
      }
    }
    const bool is_accepted = !use.accepts || seen.contains(use.default_tree.value());
    if (knows_default && knows_accepts && !is_accepted) {
      report(tree, rules::SYN_default_not_accepted, use.default_tree.value_span(),
             "the slot does not accept its default " + quote(use.default_tree.value()), "add it to 'accepts'",
             {{use.accepts.value_span(), "accepted trees"}});
    }
    if (use.slot) {
      check_agreement(tree, use, knows_accepts, accepted);
    } else {
      lacks_slot_ = true;
    }
  }

  // ---- Uses of one slot

  static text::Related said_before(const SlotUse& use, const Attribute& attribute) {
    if (!attribute) return {use.span, "not given here"};
    return {attribute.value_span(), quote(attribute.value()) + " here"};
  }

  void check_agreement(ReadTree& tree, const SlotUse& use, bool knows_accepts,
                       const std::vector<std::string_view>& accepted) {
    KnownSlot& known = known_[std::string(use.slot.value())];
    if (known.slot.name.empty()) {
      known.slot.name = use.slot.value();
      known.slot.span = use.span;
    }
    const std::vector<std::string_view> as_set = sorted(accepted);
    std::vector<text::Related> related;
    std::vector<std::string> what;
    if (knows_accepts && known.accepts_from == nullptr) {
      known.accepts_from = &use;
      known.accepted = as_set;
      if (use.accepts) known.slot.accepts.emplace(accepted.begin(), accepted.end());
    } else if (knows_accepts && (bool(use.accepts) != bool(known.accepts_from->accepts) || as_set != known.accepted)) {
      what.emplace_back("'accepts'");
      related.push_back(said_before(*known.accepts_from, known.accepts_from->accepts));
    }
    const bool knows_budget = use.knows_budget && (!use.budget || use.budget_bytes);
    if (knows_budget && known.budget_from == nullptr) {
      known.budget_from = &use;
      known.slot.budget_bytes = use.budget_bytes;
    } else if (knows_budget && use.budget_bytes != known.budget_from->budget_bytes) {
      what.emplace_back("'budget'");
      related.push_back(said_before(*known.budget_from, known.budget_from->budget));
    }
    if (what.empty()) return;
    disagreeing_.insert(&use);
    report(tree, rules::SYN_slots_disagree, use.span,
           (what.size() == 2 ? what[0] + " and " + what[1] + " differ" : what[0] + " differs") +
               " from an earlier 'ChildTree' of the slot " + quote(use.slot.value()),
           "every 'ChildTree' of a slot accepts the same trees and has the same budget", std::move(related));
  }

  // ---- Sizes

  // Trees with errors are measured too: their least size is known.
  void check_sizes(const std::vector<ir::Slot>& slots) {
    ir::Project project;
    project.slots = slots;
    for (ir::Slot& slot : project.slots) {
      if (known_.at(slot.name).budget_from == nullptr) slot.budget_bytes = 0;
    }
    if (lacks_slot_) project.slots.emplace_back().budget_bytes = 0;
    std::vector<std::size_t> numbers;  // in trees_, of those in the project
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (!trees_[i].has_root || !trees_[i].name) continue;
      numbers.push_back(i);
      project.trees.push_back(std::move(trees_[i].tree));
    }
    check_needs(project, numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) trees_[numbers[i]].tree = std::move(project.trees[i]);
  }

  bool has_slot(const ir::Project& project, const std::vector<std::uint32_t>& slots, std::string_view name) {
    return reporter_.may_guess(slots.size()) && std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
             return project.slots[slot].name == name;
           });
  }

  void check_defaults(const ir::Project& project, const ir::StoreNeeds& needs, std::uint32_t number, ReadTree& tree) {
    for (const SlotUse& use : tree.uses) {
      const auto found = needs.trees.find(use.default_tree.value());
      if (!use.slot || !use.budget_bytes || found == needs.trees.end() || disagreeing_.contains(&use)) continue;
      const std::uint32_t bytes = needs.bytes_below(project, number, found->second);
      if (bytes <= room_of_budget(*use.budget_bytes)) continue;
      report(tree, rules::SYN_default_over_budget, use.default_tree.value_span(),
             "the default " + quote(use.default_tree.value()) + " needs " + std::to_string(bytes) +
                 " bytes, and the slot has " + std::to_string(*use.budget_bytes),
             has_slot(project, needs.slots[found->second], use.slot.value())
                 ? "it uses this slot itself, so that no budget is enough: remove 'budget'"
                 : "use a 'budget' of " + std::to_string(bytes) + " or more",
             {{use.budget.value_span(), "the budget"}});
    }
  }

  // First defaults, then agents. Repeatedly reports the tree that is too large with the fewest levels and treats its
  // slot as repaired, until none is left.
  void check_needs(ir::Project& project, const std::vector<std::size_t>& numbers) {
    const bool has_errors =
        std::any_of(trees_.begin(), trees_.end(), [](const ReadTree& tree) { return tree.has_errors; });
    std::vector<bool> is_reported(numbers.size());
    for (int reported = 0; reported < kMaxTooLarge; ++reported) {
      const ir::StoreNeeds of_nodes = ir::store_needs(project);
      const ir::StoreNeeds of_slots = ir::store_needs(project, ir::Rooms::of_each_slot);
      for (std::uint32_t i = 0; reported == 0 && i < numbers.size(); ++i) {
        check_defaults(project, of_nodes, i, trees_[numbers[i]]);
        if (!has_errors) report_levels(project, of_nodes, of_slots, i, trees_[numbers[i]]);
      }
      TooLarge first;
      for (std::uint32_t i = 0; i < numbers.size(); ++i) {
        if (is_reported[i]) continue;
        const TooLarge found = too_large(project, of_nodes, of_slots, i);
        if (found.needs != nullptr && found.level < first.level) first = found;
      }
      if (first.needs == nullptr) return;
      is_reported[first.number] = true;
      report_agent(project, *first.needs, first.number, first.level, trees_[numbers[first.number]]);
    }
  }

  // The sizes used, and the first level that does not fit, from 0.
  struct TooLarge {
    const ir::StoreNeeds* needs = nullptr;
    std::uint32_t number = 0;
    std::uint32_t level = layout::kMaxTreeLevels;
  };

  static TooLarge too_large(const ir::Project& project, const ir::StoreNeeds& of_nodes, const ir::StoreNeeds& of_slots,
                            std::uint32_t number) {
    if (!of_nodes.fits(project, number)) return {&of_nodes, number, of_nodes.levels_that_fit(project, number)};
    const std::uint32_t level_count =
        std::max(of_slots.levels_that_fit(project, number), of_nodes.levels_that_fit(project, number));
    if (level_count < project.trees[number].as<ir::Storing>().max_depth) return {&of_slots, number, level_count};
    return {};
  }

  // Agents that run, but with fewer levels than they ask for.
  void report_levels(const ir::Project& project, const ir::StoreNeeds& of_nodes, const ir::StoreNeeds& of_slots,
                     std::uint32_t number, const ReadTree& tree) {
    const std::uint32_t max_depth = project.trees[number].as<ir::Storing>().max_depth;
    const std::uint32_t level_count = of_nodes.levels_that_fit(project, number);
    if (level_count == max_depth || too_large(project, of_nodes, of_slots, number).needs != nullptr) return;
    reporter_.report(rules::SYN_fewer_levels, tree.name.value_span(),
                     "an agent of " + quote(tree.name.value()) + " has room for " + std::to_string(level_count) +
                         " levels of trees, not for " + std::to_string(max_depth),
                     "give its slots a 'budget' or 'accepts', or the tree a smaller 'maxDepth'");
  }

  // Reports at the ChildTree that takes the most room, or at the tree if several take the same.
  void report_agent(ir::Project& project, const ir::StoreNeeds& needs, std::uint32_t number, std::uint32_t level,
                    ReadTree& tree) {
    const std::vector<std::uint32_t>& slots = needs.slots[number];
    const auto room = [&](std::uint32_t slot) { return level == 0 ? 0 : needs.of_slot[slot][level - 1]; };
    std::uint32_t most = 0;
    for (const std::uint32_t slot : slots) most = std::max(most, room(slot));
    std::unordered_set<std::string_view> largest;  // a tree may use a slot very often
    bool has_budget = false;
    bool has_list = true;  // all of them
    for (const std::uint32_t slot : slots) {
      if (most == 0 || room(slot) != most || !largest.insert(project.slots[slot].name).second) continue;
      has_budget = has_budget || project.slots[slot].budget_bytes;
      has_list = has_list && project.slots[slot].accepts;
      project.slots[slot].budget_bytes = 0;
    }
    std::vector<text::Related> related;
    for (const SlotUse& use : tree.uses) {
      if (largest.contains(use.slot.value())) related.push_back({use.span, "this takes the most"});
    }
    const bool is_one = related.size() == 1;
    std::sort(related.begin(), related.end(),
              [](const text::Related& a, const text::Related& b) { return a.span.begin < b.span.begin; });
    const Span span = is_one ? related.front().span : tree.name.value_span();
    if (is_one) related.clear();
    if (related.size() > kMaxRelated) related.resize(kMaxRelated);
    report(tree, rules::SYN_agent_too_large, span,
           "an agent of " + quote(tree.name.value()) + " needs more than " + std::to_string(layout::kMaxStoreBytes) +
               " bytes",
           most == 0 ? "its nodes take more"
                     : std::string(is_one ? "give the slot" : "give these slots") +
                           (has_budget ? " a smaller 'budget'"
                            : has_list ? " a 'budget', or 'accepts' fewer trees"
                                       : " 'accepts' or a 'budget'") +
                           ", or the tree a smaller 'maxDepth'",
           std::move(related));
  }

  std::vector<ReadTree>& trees_;
  const Lacking lacking_;
  bool lacks_slot_ = false;  // a use does not name a slot, which has been reported
  Reporter reporter_;
  std::vector<std::string_view> names_;
  text::NameIndex index_;  // of them
  std::unordered_set<std::string> other_names_;
  std::unordered_map<std::string, KnownSlot> known_;
  std::unordered_set<const SlotUse*> disagreeing_;
};

// ---- The project --------------------------------------------------------------------------------

// Names are exact, but compared with trees of other dialects without case.
void check_names(std::vector<ReadTree>& trees, const ir::Project& project, text::Findings& findings) {
  Reporter reporter(findings, table());
  NameTable names({"tree", rules::SYN_duplicate_tree, rules::SYN_duplicate_tree});
  NameTable others({"tree", rules::SYN_duplicate_tree, rules::SYN_duplicate_tree, true});
  for (const ir::Tree& tree : project.trees) {
    if (!others.find(tree.name)) others.declare(tree.name, 0, tree.span, reporter);
  }
  for (ReadTree& tree : trees) {
    if (!tree.name) continue;
    const std::string_view name = tree.name.value();
    const Span span = tree.name.value_span();
    const bool is_new = names.declare(name, 0, span, reporter);
    if (is_new && !others.find(name)) continue;
    tree.has_errors = true;
    if (is_new)
      others.declare(name, 0, span, reporter, "names of trees of different dialects are compared without case");
  }
}

// The trees that a tree names, which an agent can run in its slots.
std::vector<std::string_view> named_by(const ReadTree& tree) {
  std::vector<std::string_view> names;
  for (const SlotUse& use : tree.uses) {
    if (use.default_tree) names.push_back(use.default_tree.value());
    for (const Word& word : words_of(use.accepts.value())) names.push_back(word.text);
  }
  return names;
}

// What a tree does is not judged where one that it names has errors or is missing, or names such a tree.
void spread_errors(std::vector<ReadTree>& trees) {
  std::unordered_set<std::string_view> sound;
  for (const ReadTree& tree : trees) {
    if (!tree.has_errors) sound.insert(tree.name.value());
  }
  std::unordered_map<std::string_view, std::vector<ReadTree*>> users;
  for (ReadTree& tree : trees) {
    for (const std::string_view name : named_by(tree)) users[name].push_back(&tree);
  }
  std::vector<std::string_view> faulty;
  for (const auto& [name, of_name] : users) {
    if (!sound.contains(name)) faulty.push_back(name);
  }
  while (!faulty.empty()) {
    const auto found = users.find(faulty.back());
    faulty.pop_back();
    if (found == users.end()) continue;
    for (ReadTree* const user : found->second) {
      if (std::exchange(user->tree.is_doubtful, true)) continue;
      faulty.push_back(user->name.value());
    }
  }
}

bool owns(std::string_view root_element) { return root_element == kRootElement; }

void declare(const Options& options, DeclaredRows& rows) {
  const SynchronizedOptions& own = options.of<SynchronizedOptions>();
  if (!own.actions.empty()) rows.limit(table(), "Action", "name", names_of(own.actions));
  if (!own.conditions.empty()) rows.limit(table(), "Condition", "name", names_of(own.conditions));
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  std::vector<ReadTree> trees(files.size());
  std::vector<text::Findings> found(files.size());
  text::run_parallel(files.size(), options.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&, hosts = std::make_shared<Hosts>(options)](std::size_t i) {
      hosts->actions.begin_file(files.size() + options.files_elsewhere);
      hosts->conditions.begin_file(files.size() + options.files_elsewhere);
      trees[i] = read_tree(files[i], *hosts, found[i]);
      const bool is_done = trees[i].uses.empty();  // they refer to attributes
      if (is_done && options.release) options.release(*files[i].document);
    };
  });
  for (text::Findings& of_file : found) findings.merge(std::move(of_file));
  if (trees.empty()) return;
  check_names(trees, project, findings);
  const bool may_lack_tree = std::any_of(trees.begin(), trees.end(), [](const ReadTree& tree) { return !tree.name; }) ||
                             options.may_lack_files();
  project.slots = SlotChecker(trees, project.trees, {may_lack_tree, options.is_partial}, findings).run();
  spread_errors(trees);
  for (ReadTree& tree : trees) {
    if (tree.has_errors) continue;
    if (!tree.tree.is_doubtful) findings.merge(std::move(tree.behavior));
    project.trees.push_back(std::move(tree.tree));
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace

Dialect dialect() {
  return {layout::Dialect::synchronized, "synchronized", "SYN", owns, nullptr, table, declare, read, configuration()};
}

}  // namespace espalier::dialects::synchronized
