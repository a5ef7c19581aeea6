// Words of trees, and slips in them. See slips.h.
#include "slips.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "dialects/dialect.h"
#include "project/names.h"
#include "text/root_name.h"
#include "text/xml.h"

namespace espalier::slips {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-'; }

char in_case_of(char c, char like) {
  const bool is_lower = c >= 'a' && c <= 'z';
  return is_upper(like) && is_lower ? static_cast<char>(c - 'a' + 'A') : c;
}

class Finder {
 public:
  Finder(const text::XmlDocument& document, const dialects::Dialect& dialect)
      : document_(document), dialect_(dialect), text_(document.source().text()) {}

  std::vector<Place> run() {
    project::each_element(dialect_.table(), document_.root(), nullptr,
                          [&](const text::Element& element, const dialects::ElementRow* row) { add(element, row); });
    for (const project::Occurrence& each : project::names_of(document_, dialect_, {}).all) {
      const bool is_element = text_[each.range.begin == 0 ? 0 : each.range.begin - 1] == '<' ||
                              (each.range.begin > 1 && text_[each.range.begin - 1] == '/');
      if (!each.is_implied && !is_element) {
        add({Kind::name, each.range.begin, each.range.end, 0, each.kind, each.use});
      }
    }
    return std::move(places_);
  }

 private:
  void add(const text::Element& element, const dialects::ElementRow* row) {
    const text::Span tag = element.span();
    const text::Span end = element.end_span();
    const bool has_end = end.begin < end.end;
    Place name{Kind::element, tag.begin, tag.end, has_end ? end.begin : 0};
    name.is_of_host = row == nullptr;
    add(name);
    if (has_end) add({Kind::end_tag, end.begin, end.end});
    for (const text::Attribute& attribute : element.attributes()) {
      const dialects::AttributeRow* const known =
          row == nullptr ? nullptr : dialects::find_attribute(dialect_.table(), *row, attribute.name());
      if (known == nullptr) continue;
      add({Kind::attribute, attribute.name_span().begin, attribute.name_span().end});
      const bool takes_words = !known->value.words.empty() || known->value.type == dialects::ValueType::boolean;
      if (takes_words) add({Kind::value, attribute.value_span().begin, attribute.value_span().end});
    }
  }

  void add(const Place& place) {
    const std::string_view word = word_at(text_, place);
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_of_word)) places_.push_back(place);
  }

  const text::XmlDocument& document_;
  const dialects::Dialect& dialect_;
  std::string_view text_;
  std::vector<Place> places_;
};

// The letters at which a slip can be, in places of the word.
std::vector<std::size_t> letters_of(std::string_view word, Slip slip) {
  std::vector<std::size_t> letters;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool has_next = i + 1 < word.size() && is_letter(word[i + 1]);
    const bool can_swap = has_next && (word[i] | 0x20) != (word[i + 1] | 0x20);
    if (is_letter(word[i]) && (slip != Slip::swapped || can_swap)) letters.push_back(i);
  }
  return letters;
}

// Where the words in a name begin, and its end: "IsArmed" has 0, 2, 7.
std::vector<std::size_t> beginnings(std::string_view name) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_first = i == 0 || !is_letter(name[i - 1]);
    const bool begins = is_letter(name[i]) && (is_first || (is_upper(name[i]) && !is_upper(name[i - 1])));
    if (begins) result.push_back(i);
  }
  result.push_back(name.size());
  return result;
}

}  // namespace

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, std::size(kKinds)> kNames = {"element", "end tag", "attribute", "value",
                                                                      "name"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Slip slip) {
  constexpr std::array<std::string_view, std::size(kSlips)> kNames = {"swapped", "doubled", "lost"};
  return kNames[static_cast<std::size_t>(slip)];
}

std::string_view name_of(NearMiss miss) {
  constexpr std::array<std::string_view, std::size(kNearMisses)> kNames = {"number", "prefix", "ending", "other word",
                                                                           "negated"};
  return kNames[static_cast<std::size_t>(miss)];
}

Words words_of(const std::string& path, const std::string& text) {
  const std::optional<std::string> root = text::root_name(text);
  const dialects::Dialect* const dialect = root ? dialects::find_owner(*root) : nullptr;
  if (dialect == nullptr) return {};
  const auto parsed = text::parse_xml(path, text, dialect->scan);
  if (!parsed->has_document || parsed->is_damaged || parsed->source->text() != text) return {};
  const text::XmlDocument document(parsed, 0);
  if (!document.root() || (dialect->is_tree != nullptr && !dialect->is_tree(document))) return {};
  return {dialect->name, Finder(document, *dialect).run()};
}

std::string_view word_at(std::string_view text, const Place& place) {
  return text.substr(place.begin, place.end - place.begin);
}

std::string planted(const std::string& text, const Place& place, std::string_view word) {
  std::string result = text;
  const std::uint32_t size = place.end - place.begin;
  if (place.end_tag != 0) result.replace(place.end_tag, size, word);  // it is behind the other one
  return result.replace(place.begin, size, word);
}

std::uint32_t line_of(std::string_view text, const Place& place) {
  const std::string_view before = text.substr(0, place.begin);
  return static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

std::string slipped(std::string_view word, Slip slip, Random& random) {
  const std::vector<std::size_t> letters = letters_of(word, slip);
  if (letters.empty()) return {};
  const std::size_t at = letters[one_of(letters.size(), random)];
  std::string result(word);
  switch (slip) {
    case Slip::swapped:  // capitals stay where they are: fingers are swapped, not the Shift key
      result[at] = in_case_of(static_cast<char>(word[at + 1] | 0x20), word[at]);
      result[at + 1] = in_case_of(static_cast<char>(word[at] | 0x20), word[at + 1]);
      break;
    case Slip::doubled:
      result.insert(at + 1, 1, static_cast<char>(word[at] | 0x20));
      break;
    case Slip::lost:
      result.erase(at, 1);
      break;
  }
  return result;
}

std::string missed(std::string_view word, NearMiss miss, Random& random) {
  const std::vector<std::size_t> words = beginnings(word);
  if (words.size() < 2) return {};
  const std::size_t chosen = one_of(words.size() - 1, random);
  std::string result(word);
  switch (miss) {
    case NearMiss::number: {
      const auto digit = std::find_if(result.begin(), result.end(), is_digit);
      if (digit == result.end()) return result + static_cast<char>('1' + one_of(9, random));
      *digit = *digit == '9' ? '1' : static_cast<char>(*digit + 1);
      return result;
    }
    case NearMiss::prefix: {
      constexpr std::string_view kPrefixes[] = {"un", "in", "not", "is", "non", "dis", "re", "a"};
      std::string prefix(kPrefixes[one_of(std::size(kPrefixes), random)]);
      if (is_upper(word[words[chosen]])) {
        prefix[0] = in_case_of(prefix[0], 'A');
        result[words[chosen]] = static_cast<char>(result[words[chosen]] | 0x20);
      }
      return result.insert(words[chosen], prefix);
    }
    case NearMiss::ending: {
      constexpr std::string_view kEndings[] = {"s", "d", "ed", "er", "y", "n", "ii"};
      std::size_t end = words[chosen];
      while (end < result.size() && is_letter(result[end]) && (end == words[chosen] || !is_upper(result[end]))) ++end;
      return result.insert(end, kEndings[one_of(std::size(kEndings), random)]);
    }
    case NearMiss::other_word: {
      constexpr std::string_view kOthers[] = {"near", "far", "left", "right", "first",
                                              "last", "min", "max",  "hot",   "hit"};
      std::string other(kOthers[one_of(std::size(kOthers), random)]);
      other[0] = in_case_of(other[0], word[words[chosen]]);
      std::size_t end = words[chosen];
      while (end < result.size() && is_letter(result[end]) && (end == words[chosen] || !is_upper(result[end]))) ++end;
      return result.replace(words[chosen], end - words[chosen], other);
    }
    case NearMiss::negated:
      return "!" + result;
  }
  return result;
}

}  // namespace espalier::slips
