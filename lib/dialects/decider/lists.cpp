// Lists of names: "Carnivore !Dead". See tree_reader.h.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "rules/decider.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::decider {
namespace {

bool is_separator(char c) { return c == ',' || c == ';' || c == '|' || c == '&'; }

std::string_view without_sign(std::string_view word) {
  if (!word.empty() && word[0] == '!') word.remove_prefix(1);
  return word;
}

// The words for one name so far in one list.
struct Seen {
  const ir::Wanted* first[2] = {nullptr, nullptr};  // absent, present
  bool is_repeated = false;
  bool is_contradicted = false;
};

}  // namespace

// The names in a list. A separator other than a blank is reported once and treated as a blank.
std::vector<Word> TreeReader::names_in(const Attribute& attribute, const NameTable* known) {
  std::vector<Word> names;
  bool is_reported = false;
  for (const Word& word : words_of(attribute.value())) {
    const bool is_name = known != nullptr && known->find(without_sign(word.text));
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; !is_name && i < word.text.size(); ++i) {
      if (!is_separator(word.text[i])) continue;
      if (!is_reported) {
        reporter_.report(rules::DEC_list_syntax, attribute.value_span(word.begin + i, word.begin + i + 1),
                         "names in a list are separated by spaces, not by " + quote(word.text.substr(i, 1)));
      }
      is_reported = true;
      if (at != i) names.push_back({word.text.substr(at, i - at), word.begin + at});
      at = i + 1;
    }
    if (at != word.text.size()) names.push_back({word.text.substr(at), word.begin + at});
  }
  return names;
}

// Returns false if a part of it cannot be read, which has been reported.
bool TreeReader::read_list(const Attribute& attribute, Row entry, bool is_all, ir::WantedList& list) {
  if (!attribute) return true;
  list.span = attribute.value_span();
  const std::vector<Word> words = names_in(attribute, &names(entry));
  if (words.empty()) report_empty(attribute);
  bool is_whole = !words.empty();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_conjunction(attribute, words[i], entry, is_all)) {
      is_whole = false;
      continue;
    }
    const std::uint32_t begin = words[i].begin;
    bool present = true;
    const Word name = read_sign(attribute, words, i, entry, present);
    const Span span = attribute.value_span(name.begin, name.end());
    const std::optional<std::uint32_t> number = name.text.empty() ? std::nullopt : find(entry, name.text, span);
    if (number) list.words.push_back({*number, present, attribute.value_span(begin, name.end())});
    is_whole = is_whole && number;
  }
  check_words(entry, is_all, list);
  return is_whole;
}

// "and" and "or", which are not part of lists.
bool TreeReader::is_conjunction(const Attribute& attribute, const Word& word, Row entry, bool is_all) {
  const bool is_and = text::equal_any_case(word.text, "and");
  if (!is_and && !text::equal_any_case(word.text, "or")) return false;
  if (names(entry).find(word.text)) return false;
  const std::string all = entry == kFlag ? "'flagsAll'" : "'stimuliAll'";
  const std::string any = entry == kFlag ? "'flagsAny'" : "'stimuliAny'";
  std::string hint = is_and ? all + " requires all of its names" : any + " requires one of its names";
  if (is_and == is_all) hint = "remove it: " + hint;
  reporter_.report(rules::DEC_list_syntax, attribute.value_span(word.begin, word.end()),
                   "a list contains only names, not " + quote(word.text), std::move(hint));
  return true;
}

// The name in the word at `i`, without its "!". If the "!" is a separate word, the name in the next word, to which `i`
// advances. Empty if there is none.
Word TreeReader::read_sign(const Attribute& attribute, const std::vector<Word>& words, std::size_t& i, Row entry,
                           bool& present) {
  const Word& word = words[i];
  const bool is_not = text::equal_any_case(word.text, "not") && !names(entry).find(word.text);
  if (!is_not && word.text[0] != '!') return word;
  present = false;
  const std::size_t signs = is_not ? word.text.size() : std::min(word.text.find_first_not_of('!'), word.text.size());
  Word name{word.text.substr(signs), word.begin + static_cast<std::uint32_t>(signs)};
  if (signs == 1 && !name.text.empty()) return name;
  const bool is_apart = name.text.empty();
  if (is_apart && i + 1 == words.size()) {
    reporter_.report(rules::DEC_list_syntax, attribute.value_span(word.begin, word.end()),
                     "missing name after " + quote(word.text));
    return name;
  }
  if (is_apart) {
    name = words[++i];
    name.text = without_sign(name.text);
    name.begin = words[i].end() - static_cast<std::uint32_t>(name.text.size());
  }
  const std::string meant = '!' + std::string(name.text);
  const Span span = attribute.value_span(word.begin, name.end());
  reporter_
      .report(rules::DEC_list_syntax, span, "absence is written as one '!' directly before the name",
              "use " + quote(meant))
      .fixes = {text::make_fix(span, attribute.value().substr(word.begin, name.end() - word.begin), meant,
                               signs > 1 && !is_not ? text::FixGrade::unsafe : text::FixGrade::safe)};
  return name;
}

// ---- Contradicting words ------------------------------------------------------------------

void TreeReader::check_words(Row entry, bool is_all, const ir::WantedList& list) {
  if (list.words.size() < 2) return;
  std::unordered_map<std::uint32_t, Seen> seen_words;
  for (const ir::Wanted& word : list.words) {
    Seen& seen = seen_words[word.index];
    const ir::Wanted*& same = seen.first[word.present ? 1 : 0];
    const ir::Wanted* const other = seen.first[word.present ? 0 : 1];
    if (seen.is_contradicted) continue;
    if (is_all && other != nullptr) {
      reporter_.report(
          rules::DEC_contradiction, word.span,
          quote(text_of(entry, word.index)) + " is required both present and absent: the list is never true", {},
          {other->span, "also required here"});
      seen.is_contradicted = true;
    } else if (same != nullptr && !seen.is_repeated) {
      reporter_.report(rules::DEC_repeated_word, word.span,
                       "duplicate " + quote(text_of(entry, word.index)) + " in the list", "remove it",
                       {same->span, "first listed here"});
      seen.is_repeated = true;
    }
    if (same == nullptr) same = &word;
  }
}

// Does `all` leave something of `any` possible?
void TreeReader::check_any(const ir::WantedList& all, const ir::WantedList& any) {
  if (all.words.empty() || any.words.empty()) return;
  std::unordered_map<std::uint32_t, bool> asked;
  for (const ir::Wanted& word : all.words) {
    if (asked.try_emplace(word.index, word.present).first->second != word.present) return;
  }
  for (const ir::Wanted& word : any.words) {
    const auto found = asked.find(word.index);
    if (found == asked.end() || found->second == word.present) return;
  }
  reporter_.report(rules::DEC_contradiction, any.span, "the list is never true: another list requires the opposite", {},
                   {all.span, "required here"});
}

// ---- Behaviour flags ----------------------------------------------------------------------------

std::uint32_t TreeReader::read_behavior_flags(const Attribute& attribute) {
  const std::vector<Word> words = names_in(attribute, nullptr);
  if (words.empty()) report_empty(attribute);
  std::uint32_t bits = 0;
  std::uint32_t repeated = 0;
  std::vector<std::string>& known = deciding().behavior_flags;
  for (const Word& word : words) {
    const std::string_view name = word.text;
    const Span span = attribute.value_span(word.begin, word.end());
    const auto number = static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
    if (number == layout::kMaxBehaviorFlags) {
      if (has_too_many_behavior_flags_) continue;
      has_too_many_behavior_flags_ = true;
      reporter_.report(rules::DEC_too_many, span,
                       too_many("different 'behaviorFlags'", number + 1, layout::kMaxBehaviorFlags));
      continue;
    }
    if (number == known.size()) known.emplace_back(name);
    const std::uint32_t bit = std::uint32_t{1} << number;
    if ((bits & bit) == 0) {
      hosts_.behavior_flags.check(name, span, reporter_);
    } else if ((repeated & bit) == 0) {
      reporter_.report(rules::DEC_repeated_word, span, "duplicate " + quote(name) + " in the list", "remove it");
      repeated |= bit;
    }
    bits |= bit;
  }
  return bits;
}

}  // namespace espalier::dialects::decider
