// How two versions of trees differ in what a host sees. See explore.h.
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/dump/listing.h"
#include "explore/allowance.h"
#include "explore/engine.h"
#include "explore/explore.h"
#include "explore/find.h"
#include "explore/select/selecting.h"
#include "explore/shown.h"
#include "replay/names.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcode.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

// What the agents of a version show, with names that both versions share.
struct Picture {
  static constexpr std::uint32_t kEndOfAgent = 0xFFFFFFFF;

  std::vector<std::uint32_t> names;     // those of each agent, and kEndOfAgent
  std::vector<std::uint32_t> statuses;  // of each agent: see Shown
  bool operator<(const Picture& other) const {
    return std::tie(names, statuses) < std::tie(other.names, other.statuses);
  }
};

// The names of each agent in one order, where their order in the tree means nothing.
std::vector<std::uint32_t> in_one_order(std::vector<std::uint32_t> names, bool has_order) {
  if (has_order) return names;
  for (auto begin = names.begin(); begin != names.end();) {
    const auto end = std::find(begin, names.end(), Picture::kEndOfAgent);
    std::sort(begin, end);
    begin = end + 1;
  }
  return names;
}

// Gives numbers to pictures. Used by several threads.
class Pictures {
 public:
  explicit Pictures(const World& world) {
    for (const Side& side : world.sides()) {
      has_order_ = has_order_ && has_order_of_shown(side.tree);
      std::vector<std::uint32_t>& names = names_of_.emplace_back();
      for (std::uint32_t i = 0; i < behavior_count(*side.tree.asset); ++i) {
        names.push_back(number_of_name(std::string(behavior_name(*side.tree.asset, i))));
      }
    }
  }

  Picture picture(Run& run, std::size_t side, unsigned char* state) const {
    Picture picture;
    Shown shown;
    for (std::uint32_t agent = 0; agent < run.world().agent_count(); ++agent) {
      look(run.seen(side, agent, state), &shown);
      for (const std::uint32_t behavior : shown.behaviors) picture.names.push_back(names_of_[side][behavior]);
      picture.names.push_back(Picture::kEndOfAgent);
      picture.statuses.push_back(shown.status);
    }
    return picture;
  }

  bool have_same_names(const Picture& one, const Picture& other) const {
    return one.names == other.names || in_one_order(one.names, has_order_) == in_one_order(other.names, has_order_);
  }

  std::uint64_t number(const Picture& picture) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = numbers_.try_emplace(picture, pictures_.size());
    if (is_new) pictures_.push_back(picture);
    return known->second;
  }

  const Picture& at(std::uint64_t number) const { return pictures_[number]; }

  // In what a picture differs from another one. None: it shows nothing.
  std::optional<std::string> text(const Picture& picture, const Picture& other) const {
    std::string text;
    if (have_same_names(picture, other)) {
      text = words(picture, picture.statuses.size() > 1, true);
    } else {
      text = words(picture, false, false);
      if (text == words(other, false, false)) text = words(picture, true, false);
    }
    if (text.empty()) return std::nullopt;
    return text;
  }

 private:
  // "Aim, Fire", or with agents "agent 1: Aim, Fire"; with the statuses that are told.
  std::string words(const Picture& picture, bool with_agents, bool with_statuses) const {
    std::string text;
    auto name = picture.names.begin();
    for (std::size_t agent = 0; agent < picture.statuses.size(); ++agent, ++name) {
      const std::string prefix = with_agents ? "agent " + std::to_string(agent) + ": " : "";
      std::string own;
      const auto add = [&](const std::string& word) { own += (own.empty() ? prefix : ", ") + word; };
      for (; *name != Picture::kEndOfAgent; ++name) add(names_[*name]);
      const std::uint32_t status = picture.statuses[agent];
      if (with_statuses && status != 0)
        add("status " + std::string(replay::result_name(static_cast<Result>(status - 1))));
      if (!own.empty()) text += (text.empty() ? "" : ", ") + own;
    }
    return text;
  }

  std::uint32_t number_of_name(const std::string& name) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end()) names_.push_back(name);
    return static_cast<std::uint32_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  bool has_order_ = true;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint32_t>> names_of_;  // by behaviour of each side
  std::mutex mutex_;
  std::map<Picture, std::uint64_t> numbers_;
  std::vector<Picture> pictures_;
};

void find_by_search(const World& world, const Budget& budget, TreeDiff& result) {
  Pictures pictures(world);
  Observer observer;
  SourcePlace place;
  bool is_place_of_old = false;
  observer.after = [&](Run& run, const Step& step, unsigned char* state) {
    if (step.kind != StepKind::tick) return true;
    Picture old_picture = pictures.picture(run, 0, state);
    Picture new_picture = pictures.picture(run, 1, state);
    const bool have_same_names = pictures.have_same_names(old_picture, new_picture);
    if (have_same_names && old_picture.statuses == new_picture.statuses) return true;
    // What one shows and the other does not is told without the statuses; else only those that differ matter.
    for (std::size_t agent = 0; agent < old_picture.statuses.size(); ++agent) {
      const bool matters = have_same_names && old_picture.statuses[agent] != new_picture.statuses[agent];
      if (!matters) old_picture.statuses[agent] = new_picture.statuses[agent] = 0;
    }
    run.mark(pictures.number(old_picture) << 32 | pictures.number(new_picture));
    if (run.is_telling()) {
      place = place_of_shown(run.seen(1, 0, state));
      is_place_of_old = place.line == 0;
      if (is_place_of_old) place = place_of_shown(run.seen(0, 0, state));
    }
    return false;
  };
  // That versions differ is what matters most, and there may be very many ways in which they do.
  constexpr std::uint64_t kPart = 128;
  constexpr std::uint64_t kLeast = 2'000;
  Budget own = budget;
  if (own.states > kLeast) own.states_then = std::max(kLeast, own.states / kPart);
  Findings found = find_all(world, observer, 0, own);
  result.state_count = result.used_count = found.state_count;
  result.is_complete = found.is_complete;
  std::vector<std::pair<std::uint64_t, Findings::Mark*>> marks;
  for (auto& [mark, how] : found.marks) marks.emplace_back(mark, &how);
  std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second->steps, a.second->order) < std::pair(b.second->steps, b.second->order);
  });
  for (const auto& [mark, how] : marks) {
    const Picture& old_picture = pictures.at(mark >> 32);
    const Picture& new_picture = pictures.at(mark & 0xFFFFFFFF);
    Difference difference;
    difference.before = pictures.text(old_picture, new_picture);
    difference.after = pictures.text(new_picture, old_picture);
    difference.trace = how->trace;
    how->show();
    difference.place = place;
    difference.is_place_of_old = is_place_of_old;
    result.differences.push_back(std::move(difference));
  }
}

// A script at the same place of both versions that is another one: its answers are not run, so nothing is known of it.
std::string changed_script(const World& world) {
  std::map<std::uint32_t, std::string> texts;  // of the old version, by name
  for (const Side& side : world.sides()) {
    const Asset& asset = *side.tree.asset;
    for (const auto& [word, name] : side.script_names) {
      const codegen::NodeView node = codegen::node_at(asset, word);
      std::string text;
      const OpcodeInfo& info = opcode_info(node.opcode);
      for (std::uint32_t i = 0; i < info.operand_count; ++i) {
        if (info.operands[i] == OperandKind::script && node.operands[i] != 0)
          text.append(script_text(asset, node.operands[i] - 1)).push_back('\0');
      }
      if (&side == &world.sides().front()) {
        texts[name] = std::move(text);
      } else if (const auto old = texts.find(name); old != texts.end() && old->second != text) {
        return "the script of " + text::quote(world.names()[name].name) + " has changed, and scripts are not run";
      }
    }
  }
  return {};
}

TreeDiff diff_trees(const Tree& before, const Tree& after, const Options& options) {
  TreeDiff result{.tree = std::string(tree_name(after)), .file = std::string(replay::file_of(after))};
  const std::uint32_t agent_count = std::max(agents_to_explore(before), agents_to_explore(after));
  const World world({{before, agent_count, &options.host.old_results}, {after, agent_count, &options.host.results}},
                    options.signal_only, 0, {options.host, {}});
  result.limit = world.limit();
  const std::string changed = changed_script(world);
  const EngineRow& engine = *world.sides().front().engine;
  const bool is_one_engine = world.sides().back().engine == &engine;
  const bool has_formulas = is_one_engine && engine.uses_formulas != nullptr;
  Allowance left(options.budget);
  Options own = options;
  const auto begin = std::chrono::steady_clock::now();
  const auto find_by_formulas = [&] {
    SelectingDiff found = diff_selecting(world, own);
    result.differences = std::move(found.differences);
    result.state_count = std::max(result.state_count, found.state_count);
    result.is_complete = found.is_complete;
  };
  if (has_formulas && (engine.uses_formulas(before, options.method) || engine.uses_formulas(after, options.method))) {
    find_by_formulas();
  } else {
    const bool has_more = has_formulas && options.method == Method::by_size;
    find_by_search(world, left.part(has_more ? 2 : 1), result);
    left.use(result.used_count, begin);
    own.budget = left.part();
    if (!result.is_complete && has_more) find_by_formulas();
  }
  if (is_one_engine && engine.find_conditions != nullptr) {
    engine.find_conditions(world, options, result.differences);
  }
  if (!changed.empty()) {
    result.is_complete = false;
    result.limit = changed;
  }
  result.result = !result.differences.empty() ? Compared::different
                  : result.is_complete        ? Compared::same
                                              : Compared::undecided;
  return result;
}

// The tree of this name; or the one of the file that it names, which in this version needs not be told from others.
bool find_tree_named(const Asset& asset, std::string_view name, Tree* tree) {
  if (find_tree(asset, name, tree) == Status::ok) return true;
  const replay::FileAndName wanted = replay::split_tree_name(name);
  if (wanted.file.empty()) return false;
  const std::vector<Tree> called = replay::trees_called(asset, name);
  if (called.size() != 1 || tree_name(called.front()) != wanted.name) return false;
  *tree = called.front();
  return true;
}

// The names of the trees of two versions: of a tree that has its file in its name in only one of them, that one.
std::set<std::string> names_in(const Asset& before, const Asset& after) {
  std::set<std::string> names;
  for (const auto& [own, other] : {std::pair(&before, &after), std::pair(&after, &before)}) {
    std::set<std::string_view> known;
    for (const std::string_view name : replay::tree_names(*other)) {
      Tree tree;
      if (!replay::split_tree_name(name).file.empty() && find_tree_named(*own, name, &tree) && tree_name(tree) != name)
        known.insert(tree_name(tree));
    }
    for (const std::string_view name : replay::tree_names(*own)) {
      if (known.count(name) == 0) names.insert(std::string(name));
    }
  }
  return names;
}

// Are all sections equal that decide what trees do: all but the names and places of nodes?
bool do_the_same(const Asset& before, const Asset& after) {
  const auto sections_of = [](const Asset& asset) {
    std::map<std::uint32_t, std::string_view> sections;
    for (std::uint32_t i = 0; i < codegen::header_of(asset).section_count; ++i) {
      const layout::Section& section = codegen::section_at(asset, i);
      if ((section.flags & layout::kSectionOptional) != 0) continue;
      sections[section.id] = {array<char>(asset, static_cast<layout::SectionId>(section.id)), section.size_bytes};
    }
    return sections;
  };
  return sections_of(before) == sections_of(after);
}

TreeDiff diff_paired(const Tree& before, const Tree& after, bool are_equal, const Options& options, Allowance& left) {
  const std::string name(tree_name(after));
  if (are_equal || (options.equal_trees.contains(name) && tree_name(before) == name))
    return {.tree = name, .file = std::string(replay::file_of(after)), .result = Compared::same};
  const auto begin = std::chrono::steady_clock::now();
  Options own = options;
  own.budget = least(options.budget, left.part());
  TreeDiff result = diff_trees(before, after, own);
  left.use(result.used_count, begin);
  return result;
}

}  // namespace

std::vector<TreeDiff> diff(const Asset& before, const Asset& after, const std::string& tree, const Options& options) {
  const std::set<std::string> names = names_in(before, after);
  std::vector<TreeDiff> diffs;
  Allowance left(options.total);
  const bool are_equal = do_the_same(before, after);
  if (options.pairs_only_trees && tree_count(before) == 1 && tree_count(after) == 1) {
    return {diff_paired(espalier::tree(before, 0), espalier::tree(after, 0), are_equal, options, left)};
  }
  for (const std::string& name : names) {
    if (!tree.empty() && name != tree) continue;
    Tree old_tree;
    Tree new_tree;
    const bool was = find_tree_named(before, name, &old_tree);
    const bool is = find_tree_named(after, name, &new_tree);
    if (was && is) {
      diffs.push_back(diff_paired(old_tree, new_tree, are_equal, options, left));
    } else {
      diffs.push_back({.tree = name,
                       .file = std::string(replay::file_of(was ? old_tree : new_tree)),
                       .result = was ? Compared::removed : Compared::added});
    }
  }
  return diffs;
}

}  // namespace espalier::explore
