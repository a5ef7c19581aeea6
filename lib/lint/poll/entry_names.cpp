// Names of entries that are written as something else, or as one another. See entry_facts.h.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "ir/poll/built.h"
#include "lint/poll/entry_facts.h"
#include "rules/btcpp.h"
#include "text/finding.h"
#include "text/names.h"
#include "text/near_names.h"

namespace espalier::lint {
namespace {

constexpr std::size_t kShortestName = 4;     // that can be misspelt
constexpr std::size_t kMostPairs = 100'000;  // of names that are compared

bool is_named(const Board& board, std::string_view key) {
  return board.used.count(key) != 0 || board.passed.count(key) != 0;
}

// A text that could just as well be the name of an entry.
bool may_be_key(const WrittenPort& port, const WrittenProject& project) {
  const std::string text(port.value.literal());
  return !text.empty() && text != "true" && text != "false" &&
         !type_of_subtree_literal(text, project.has_text_literals).is_number() && project.enums.count(text) == 0;
}

// Does the node read the port as a text, or as whatever the entry holds?
bool is_input(const GivenText& given) {
  const Port* const port = given.port->port;
  if (port == nullptr || port->direction == Direction::output) return false;
  if (given.node->declaration->is_of_host())
    return port->type.kind == TypeKind::text || port->type.kind == TypeKind::untyped ||
           port->type.kind == TypeKind::own;
  const Built built = given.node->built();
  return (built == built::set_blackboard && port->name == "value") ||
         (built == built::switch_case && port->name == "variable");
}

// Does the port take the name of something, such as "topic" and "goal_name"? Then a text is meant, unless it is the
// port's own name.
bool takes_name(const WrittenPort& port) {
  constexpr std::string_view kNames[] = {"action", "entry", "frame", "id", "key", "name", "service", "topic"};
  const std::string name = text::lower_case(port.name);
  return name != text::lower_case(port.value.literal()) &&
         std::find(std::begin(kNames), std::end(kNames), name.substr(name.rfind('_') + 1)) != std::end(kNames);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "pose", "poses"; "box", "boxes".
bool is_plural(std::string_view one, std::string_view other) {
  const std::string_view longer = one.size() > other.size() ? one : other;
  const std::string_view shorter = one.size() > other.size() ? other : one;
  if (longer.substr(0, shorter.size()) != shorter) return false;
  const std::string_view ending = longer.substr(shorter.size());
  return ending == "s" || ending == "es";
}

// The word of `name` that has the letters from `begin` to `end`.
std::string_view word_around(std::string_view name, std::size_t begin, std::size_t end) {
  while (begin > 0 && is_letter(name[begin - 1])) --begin;
  while (end < name.size() && is_letter(name[end])) ++end;
  return name.substr(begin, end - begin);
}

// Is the first letter another one, neither lost nor swapped? "light", "right": fingers slip later.
bool begins_otherwise(std::string_view word, std::string_view other) {
  if (word.size() != other.size() || word.size() < 2 || text::equal_any_case(word.substr(0, 1), other.substr(0, 1)))
    return false;
  return word[0] != other[1] || word[1] != other[0];
}

// A slip of the finger, and no other word: entries are often called nearly the same, such as "min_speed", "max_speed".
bool is_slip(std::string_view name, std::string_view other) {
  if (!text::is_near_name(name, other)) return false;
  std::size_t same_begin = 0;
  std::size_t same_end = 0;
  const std::size_t least = std::min(name.size(), other.size());
  while (same_begin < least && name[same_begin] == other[same_begin]) ++same_begin;
  while (same_end < least - same_begin && name[name.size() - 1 - same_end] == other[other.size() - 1 - same_end])
    ++same_end;
  const std::string_view word = word_around(name, same_begin, name.size() - same_end);
  const std::string_view other_word = word_around(other, same_begin, other.size() - same_end);
  const bool is_short = std::max(word.size(), other_word.size()) < kShortestName;
  return !is_short && !is_plural(word, other_word) && !begins_otherwise(word, other_word);
}

// One letter lost, added or another, or two neighbours swapped, and not in the ending that makes another word of one:
// "plan", "planned", "plane".
bool is_one_slip(std::string_view name, std::string_view other) {
  const std::string_view longer = name.size() > other.size() ? name : other;
  const std::string_view shorter = name.size() > other.size() ? other : name;
  if (longer.size() - shorter.size() > 1) return false;
  const auto [at, other_at] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
  const auto same = static_cast<std::size_t>(at - shorter.begin());
  const std::string_view rest = shorter.substr(same);
  const std::string_view other_rest = longer.substr(same);
  const bool is_longer = longer.size() > shorter.size();
  if (other_rest.empty()) return false;
  const bool is_letter_more = is_longer && other_rest.substr(1) == rest;
  const bool is_other_letter = !is_longer && other_rest.substr(1) == rest.substr(1);
  const bool is_swapped = !is_longer && rest.size() > 1 && rest[0] == other_rest[1] && rest[1] == other_rest[0] &&
                          rest.substr(2) == other_rest.substr(2);
  if (!is_letter_more && !is_other_letter && !is_swapped) return false;
  constexpr std::string_view kEndings = "desrny";
  const bool is_doubled = is_longer && same > 0 && other_rest[0] == longer[same - 1];
  const bool is_end = !is_swapped && (other_rest.size() == 1 || !is_letter(other_rest[1]));
  const auto may_end = [&](char letter) { return kEndings.find(letter) != std::string_view::npos; };
  return !is_end || is_doubled || !may_end(other_rest[0]) || (is_other_letter && !may_end(rest[0]));
}

bool is_read_only(const Entry& entry) {
  return (entry.read || entry.is_perhaps_read) && !entry.written && !entry.assigned && !entry.is_literal;
}

// Is it reported that nothing writes it, with the entry of the program that is meant?
bool is_told_as_unwritten(const Board& board, const Entry& entry, const WrittenProject& project) {
  const bool is_known = !board.has_unknown_writes && !board.has_unknown_ports;
  return board.subtree == nullptr && board.tree->is_main && is_known && entry.read && !entry.written &&
         must_be_written(entry, project);
}

bool is_written_only(const Entry& entry) {
  return entry.written && !entry.read && !entry.is_perhaps_read && !entry.is_literal;
}

void report_slip(std::string_view name, Span place, std::string_view meant, std::optional<Span> place_of_meant,
                 const PollAnalysis& analysis) {
  text::Finding& finding = analysis.report(rules::BTC_suspicious_entry, place,
                                           "the entry " + quote(name) + " is used only here", did_you_mean(meant));
  if (place_of_meant && finding.related.empty())
    finding.related.push_back({*place_of_meant, quote(meant) + " is here"});
  Span span = place;
  if (span.end - span.begin == name.size() + 2) span = {span.file, span.begin + 1, span.end - 1};
  if (span.end - span.begin == name.size() && finding.fixes.empty())
    finding.fixes.push_back(text::make_fix(span, name, std::string(meant), text::FixGrade::unsafe));
}

// Names of a board that one place has, and those that they are slips of the finger for.
class SlipSearch {
 public:
  SlipSearch(const Board& board, const Misspelt& told, const PollAnalysis& analysis)
      : board_(board), told_(told), analysis_(analysis), project_(analysis.project) {}

  Misspelt run() {
    std::vector<std::pair<std::string_view, const Entry*>> suspects;
    for (const auto& [name, places] : board_.names) {
      if (const Entry* const entry = entry_if_alone(name, places)) suspects.emplace_back(name, entry);
    }
    Misspelt misspelt;
    if (suspects.size() * board_.names.size() > kMostPairs) return misspelt;
    for (const auto& [name, entry] : suspects) {
      const std::optional<Meant> meant = meant_by(name, *entry);
      if (!meant) continue;
      misspelt.emplace(name, meant->name);
      report_slip(name, board_.names.at(name).first, meant->name, meant->place, analysis_);
    }
    return misspelt;
  }

 private:
  struct Meant {
    std::string_view name;
    std::optional<Span> place;  // none: the program writes it
  };

  bool is_of_program(std::string_view name) const {
    return project_.has_listed(name) || project_.nav2_entry(name) != nullptr;
  }
  bool is_other(std::string_view name, const NamePlaces& places) const {
    return name.size() < kShortestName || project_.enums.count(name) != 0 ||
           (places.in_script && looks_like_enum(name)) || told_.count(name) != 0;
  }

  // Null: others use the name too, or outside the tree.
  const Entry* entry_if_alone(std::string_view name, const NamePlaces& places) const {
    if (!places.is_alone || is_other(name, places) || is_of_program(name)) return nullptr;
    if (board_.subtree != nullptr && board_.subtree->find_port(name) != nullptr) return nullptr;
    const auto entry = board_.entries.find(name);
    return entry == board_.entries.end() ? nullptr : &entry->second;
  }

  // An entry that more than one place uses; or one that the other place only writes, where this one only reads it.
  std::optional<Meant> meant_by(std::string_view name, const Entry& entry) const {
    const auto is_near = [&](std::string_view other) { return is_one_slip(name, other) && is_slip(name, other); };
    const bool is_told = is_told_as_unwritten(board_, entry, project_);
    for (const auto& [other, places] : board_.names) {
      if (!is_near(other) || is_other(other, places) || (is_told && is_of_program(other))) continue;
      const Entry* const alone = entry_if_alone(other, places);
      if (alone == nullptr || (is_read_only(entry) && is_written_only(*alone))) return Meant{other, places.first};
    }
    if (board_.subtree != nullptr || is_told) return std::nullopt;
    for (const std::string_view other : entries_from_outside(project_)) {
      if (is_near(other)) return Meant{other, std::nullopt};
    }
    return std::nullopt;
  }

  const Board& board_;
  const Misspelt& told_;
  const PollAnalysis& analysis_;
  const WrittenProject& project_;
};

}  // namespace

bool looks_like_enum(std::string_view name) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_part = [&](char c) { return is_capital(c) || c == '_' || (c >= '0' && c <= '9'); };
  return name.size() > 1 && is_capital(name[0]) && std::all_of(name.begin(), name.end(), is_part);
}

void check_texts(const EntryFacts& facts, const PollAnalysis& analysis) {
  for (const GivenText& given : facts.texts) {
    const WrittenPort& port = *given.port;
    if (!may_be_key(port, analysis.project) || !is_named(*given.board, port.value.literal())) continue;
    // Beside the entry itself it is a text on purpose.
    const bool is_given_too = std::any_of(
        given.node->ports.begin(), given.node->ports.end(),
        [&](const WrittenPort& each) { return each.value.is_pointer && each.value.key() == port.value.literal(); });
    if (is_given_too) continue;
    const bool is_subtree = given.node->is_subtree();
    if (!is_subtree && (!is_input(given) || takes_name(port))) continue;
    const std::string pointer = "{" + std::string(port.value.literal()) + "}";
    text::Finding& finding =
        analysis.report(is_subtree ? rules::BTC_literal_spells_entry : rules::BTC_input_spells_entry, port.value_span,
                        quote(port.value.literal()) + " is a text here, but also the name of an entry",
                        "write " + quote(pointer) + " for the entry");
    if (finding.fixes.empty())
      finding.fixes.push_back(text::make_fix(port.value_span, port.value.literal(), pointer, rules::FixGrade::unsafe));
  }
}

Misspelt check_spelling(const Board& board, const PollAnalysis& analysis) {
  std::vector<std::pair<std::string_view, const Entry*>> read;
  std::vector<std::pair<std::string_view, Span>> unread;
  for (const auto& [key, entry] : board.entries) {
    if (key.size() < kShortestName || entry.is_perhaps_used) continue;
    if (analysis.project.has_listed(key) || analysis.project.nav2_entry(key) != nullptr) continue;
    if (is_read_only(entry) && entry.read) read.emplace_back(key, &entry);
    if (is_written_only(entry)) unread.emplace_back(key, entry.written->span);
  }
  if (board.subtree != nullptr) {
    for (const WrittenPort& port : board.subtree->ports) {
      const auto own = board.entries.find(port.name);
      const bool is_used = board.used.count(port.name) != 0 || (own != board.entries.end() && own->second.read);
      if (!is_used && port.name.size() >= kShortestName) unread.emplace_back(port.name, port.name_span);
    }
  }
  Misspelt misspelt;
  if (read.size() * unread.size() > kMostPairs) return misspelt;
  for (const auto& [name, entry] : read) {
    for (const auto& [other, span] : unread) {
      if (!is_slip(name, other)) continue;
      misspelt.emplace(name, other);
      misspelt.emplace(other, name);
      analysis.report(rules::BTC_misspelt_entry, entry->read->span,
                      "nothing writes the entry " + quote(name) + ", and nothing reads " + quote(other),
                      did_you_mean(other), {span, quote(other) + " is here"});
      break;
    }
  }
  return misspelt;
}

bool must_be_written(const Entry& entry, const WrittenProject& project) {
  return project.entries || (project.has_nav2 && entry.read && !entry.is_read_by_others);
}

std::vector<std::string_view> entries_from_outside(const WrittenProject& project) {
  std::vector<std::string_view> names;
  if (project.entries) names.assign(project.entries->begin(), project.entries->end());
  for (const Nav2Entry& each : project.nav2_entries) {
    if (project.is_written_by_nav2(each.name)) names.push_back(each.name);
  }
  return names;
}

Misspelt check_slips(const Board& board, const Misspelt& told, const PollAnalysis& analysis) {
  return SlipSearch(board, told, analysis).run();
}

}  // namespace espalier::lint
