// Changes of the text, in words. See words_of_changes.h.
#include "report/words_of_changes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "replay/names.h"
#include "report/listing.h"

namespace espalier::report {
namespace {

using explore::Change;
using explore::ChangedAttribute;
using explore::ChangeKind;
using explore::Compared;
using explore::TreeDiff;

// Attributes that say how often something happens.
struct Often {
  std::string_view attribute;
  std::string_view verb;
};
constexpr Often kOften[] = {
    {"num_attempts", "is tried"}, {"number_of_retries", "is tried again"}, {"num_cycles", "runs"}, {"count", "runs"}};

// "once", "3 times"; none: it is no number of times.
std::optional<std::string> times_words(const std::optional<std::string>& value) {
  std::uint32_t number = 0;
  if (!value) return std::nullopt;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size() || number == 0) return std::nullopt;
  return number == 1 ? "once" : number == 2 ? "twice" : std::to_string(number) + " times";
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 80;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string attribute_words(const ChangedAttribute& change, const WriteName& name) {
  for (const Often& often : kOften) {
    const auto before = times_words(change.before);
    const auto after = times_words(change.after);
    if (change.name == often.attribute && before && after)
      return std::string(often.verb) + ' ' + *after + ", was " + *before;
  }
  if (!change.after) return "has no " + change.name + ", was " + name(shortened(*change.before));
  const std::string now = "has " + change.name + ' ' + name(shortened(*change.after));
  return now + (change.before ? ", was " + name(shortened(*change.before)) : ", had none");
}

// What an element has that comes in place of another one: ", with speed 'Run', size '1'; has count '3', was '2'".
std::string with_words(const Change& change, const WriteName& name) {
  std::string changed;
  std::string added;
  for (const ChangedAttribute& attribute : change.attributes) {
    if (attribute.name == "ID" || attribute.name == "name" || attribute.name == "id" || !attribute.after) continue;
    if (attribute.before) {
      changed += "; " + attribute_words(attribute, name);
    } else {
      added += (added.empty() ? ", with " : ", ") + attribute.name + ' ' + name(shortened(*attribute.after));
    }
  }
  return added + changed;
}

}  // namespace

std::string change_words(const Change& change, const WriteName& name) {
  const std::string element = name(change.element);
  const std::string below = change.below_count == 0 ? ""
                            : change.below_count == 1
                                ? " with the element in it"
                                : " with the " + std::to_string(change.below_count) + " elements in it";
  switch (change.kind) {
    case ChangeKind::added:
      return element + " is added" + below;
    case ChangeKind::around:
      return element + " is added around " + name(change.other);
    case ChangeKind::removed:
      return element + " is removed" + below;
    case ChangeKind::unwrapped:
      return element + " is removed from around " + name(change.other);
    case ChangeKind::moved:
      return element + " is moved";
    case ChangeKind::changed:
    case ChangeKind::replaced:
      break;
  }
  if (change.kind == ChangeKind::replaced)
    return element + " replaces " + name(change.other) + with_words(change, name);
  std::string words = element;
  for (const ChangedAttribute& attribute : change.attributes) {
    const bool is_first = &attribute == &change.attributes.front();
    words += (is_first ? " " : "; ") + attribute_words(attribute, name);
  }
  return words;
}

std::string diff_summary(std::span<const TreeDiff> trees, std::span<const Change> changes) {
  std::size_t count = 0;
  std::set<std::string> changed;
  for (const Change& change : changes) {
    if (change.effect != Change::Effect::some || change.made_with) continue;
    ++count;
    changed.insert(change.tree);
  }
  std::size_t different = 0;
  std::size_t differences = 0;
  std::size_t others = 0;
  std::set<std::string> gone_or_come;
  for (const TreeDiff& tree : trees) {
    different += tree.result == Compared::different ? 1 : 0;
    differences += tree.differences.size();
    if (tree.result != Compared::added && tree.result != Compared::removed) continue;
    ++others;
    gone_or_come.emplace(replay::last_part(tree.tree));
  }
  const auto undecided = static_cast<std::size_t>(std::count_if(
      trees.begin(), trees.end(), [](const TreeDiff& tree) { return tree.result == Compared::undecided; }));
  const std::string rest = undecided == 0 ? "" : "; " + counted(undecided, "tree") + " undecided";
  if (different + others == 0) return "No change of behaviour was found in " + counted(trees.size(), "tree") + rest;
  if (count + others == 0 && !changes.empty())
    return "The behaviour changes in " + std::to_string(different) + " of " + counted(trees.size(), "tree") + rest;
  if (count == 0) count = differences;
  const bool are_known = !changed.empty() && !changed.contains("");
  for (const std::string& name : gone_or_come) changed.erase(name);
  const std::size_t tree_count = are_known ? changed.size() : different;
  std::string words = counted(count + others, "change") + " of behaviour in " + std::to_string(tree_count + others) +
                      " of " + counted(trees.size(), "tree") + rest;
  return words;
}

}  // namespace espalier::report
