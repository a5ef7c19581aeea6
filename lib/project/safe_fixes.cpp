// Which guesses are safe. See safe_fixes.h.
#include "project/safe_fixes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "rules/rules.h"
#include "text/name_distance.h"
#include "text/names.h"
#include "text/root_name.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

using text::Finding;
using text::Fix;
using text::FixGrade;
using text::Guess;

// ---- Slips --------------------------------------------------------------------------------------

// In shorter words, and with a letter less, too many neighbours are words: "from" and "form", "live" and "alive".
constexpr std::size_t kLeastLetters = 5;
constexpr std::size_t kLeastLettersWithLost = 6;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_ascii_letter(char c) { return is_upper(c) || is_lower(c); }

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool has(std::size_t at) const { return at >= begin && at < end; }
  bool has_inside(std::size_t at) const { return at > begin && at + 1 < end; }
};

// Does a word of a name begin at this letter, which is not the first? "HTTPServer" has two words.
bool begins_word(std::string_view name, std::size_t at) {
  if (!is_upper(name[at])) return false;
  return is_lower(name[at - 1]) || (at + 1 < name.size() && is_lower(name[at + 1]));
}

// The word that has the letter; empty if it is none.
Word word_at(std::string_view name, std::size_t at) {
  if (at >= name.size() || !is_ascii_letter(name[at])) return {};
  Word word{at, at + 1};
  while (word.begin > 0 && is_ascii_letter(name[word.begin - 1]) && !begins_word(name, word.begin)) --word.begin;
  while (word.end < name.size() && is_ascii_letter(name[word.end]) && !begins_word(name, word.end)) ++word.end;
  return word;
}

// Where two names begin to differ, as they are compared here: without case.
std::size_t first_difference(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size), b.begin()).first - a.begin());
}

}  // namespace

bool is_slip(std::string_view written_name, std::string_view name) {
  const std::string written = text::lower_case(written_name);
  const std::string meant = text::lower_case(name);
  if (written == meant) return true;
  const std::size_t at = first_difference(written, meant);
  const auto rest = [](const std::string& text, std::size_t from) {
    return std::string_view(text).substr(std::min(from, text.size()));
  };
  if (written.size() == meant.size()) {
    const Word word = word_at(name, at);
    return word.size() >= kLeastLetters && word.has(at + 1) && written[at] == meant[at + 1] &&
           written[at + 1] == meant[at] && rest(written, at + 2) == rest(meant, at + 2);
  }
  if (written.size() == meant.size() + 1) {
    const Word word = at == 0 ? Word() : word_at(name, at - 1);
    return word.size() >= kLeastLetters && word.has_inside(at - 1) && written[at] == meant[at - 1] &&
           rest(written, at + 1) == rest(meant, at);
  }
  const Word word = word_at(name, at);
  return written.size() + 1 == meant.size() && word.size() >= kLeastLettersWithLost && word.has_inside(at) &&
         rest(written, at) == rest(meant, at + 1);
}

namespace {

// ---- Other names --------------------------------------------------------------------------------

std::string digits_of(std::string_view name) {
  std::string digits;
  std::copy_if(name.begin(), name.end(), std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

// Its words, in lower case: of "target_visible" and "TargetVisible" the same.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < name.size();) {
    const Word word = word_at(name, at);
    if (word.size() != 0) words.push_back(text::lower_case(name.substr(word.begin, word.size())));
    at = word.size() != 0 ? word.end : at + 1;
  }
  return words;
}

// Is one word the other with something before it that turns it around?
bool is_opposite(std::string_view a, std::string_view b) {
  constexpr std::string_view kPrefixes[] = {"un", "in", "im", "ir", "is", "no", "non", "not", "de", "dis", "a"};
  const std::string_view longer = a.size() > b.size() ? a : b;
  const std::string_view shorter = a.size() > b.size() ? b : a;
  if (!longer.ends_with(shorter)) return false;
  const std::string_view before = longer.substr(0, longer.size() - shorter.size());
  return std::find(std::begin(kPrefixes), std::end(kPrefixes), before) != std::end(kPrefixes);
}

// Of two words of names, is one something else than the other misspelt: "near" and "far"?
bool is_other_word(std::string_view a, std::string_view b) {
  const std::size_t distance = text::name_distance(a, b, text::kMaxNameDistance);
  return is_opposite(a, b) || 2 * distance >= std::min(a.size(), b.size());
}

}  // namespace

bool may_be_slip(std::string_view written, std::string_view meant) {
  if (is_slip(written, meant) || is_slip(meant, written)) return true;
  if (written.empty() || meant.empty() || written[0] == '!' || meant[0] == '!') return false;
  if (digits_of(written) != digits_of(meant)) return false;
  const std::vector<std::string> a = words_of(written);
  const std::vector<std::string> b = words_of(meant);
  if (a.size() != b.size()) {
    // Where words begin differs too: then all of both.
    return !is_opposite(text::lower_case(written), text::lower_case(meant)) && text::is_near(written, meant, 1);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && is_other_word(a[i], b[i])) return false;
  }
  return true;
}

namespace {

// ---- The predicate ------------------------------------------------------------------------------

class Settling {
 public:
  Settling(const text::Sources& sources, NameCounts& counts) : sources_(sources), counts_(counts) {}
  void run(text::Findings& findings);

 private:
  const dialects::Dialect* owner_of(text::FileId file);
  bool is_safe(const Guess& guess, text::FileId file, const dialects::Dialect& owner);

  const text::Sources& sources_;
  NameCounts& counts_;
  std::map<text::FileId, const dialects::Dialect*> owners_;
};

// The dialect that knows the root of a file, and something below it; null: the file is somebody else's.
const dialects::Dialect* owner_of_text(const text::Source& source) {
  const std::optional<std::string> name = text::root_name(source.text());
  const dialects::Dialect* const owner = name ? dialects::find_owner(*name) : nullptr;
  if (owner == nullptr) return nullptr;
  std::string_view text = source.text();
  if (text.starts_with("<?xml"))
    text.remove_prefix(std::min(text.find("?>"), text.size() - 2) + 2);  // as it is decoded
  const auto parsed = text::parse_xml(source.path(), text, owner->scan);
  if (!parsed->has_document) return nullptr;
  const text::XmlDocument document(parsed, 0);
  const text::Element root = document.root();
  if (!root.first_child()) return owner;
  const dialects::ElementTable& table = owner->table();
  const dialects::ElementRow* const row = table.find(root.name());
  const std::vector<std::string_view> known = row == nullptr ? std::vector<std::string_view>() : table.names_in(*row);
  for (text::Element child = root.first_child(); child; child = child.next_sibling()) {
    const bool is_known = table.find(child.name()) != nullptr;
    if (is_known || !text::nearest(text::local_name(child.name()), known).empty()) return owner;
  }
  return nullptr;
}

const dialects::Dialect* Settling::owner_of(text::FileId file) {
  const auto [found, is_new] = owners_.try_emplace(file, nullptr);
  if (is_new) found->second = owner_of_text(sources_[file]);
  return found->second;
}

// The fault is certain, which the reader has decided, and the file is ours. There is one remedy, as the nearest name is
// the only one so near, and what is written is no other word that somebody could have meant.
bool Settling::is_safe(const Guess& guess, text::FileId file, const dialects::Dialect& owner) {
  const auto is_element = [&](const std::string& name) { return owner.table().find(name) != nullptr; };
  if (guess.of == Guess::Of::notation) return true;
  if (guess.of == Guess::Of::tag && is_element(guess.meant) && !is_element(guess.written)) return true;
  if (!is_slip(guess.written, guess.meant)) return false;
  return guess.of == Guess::Of::word || counts_.is_odd_one_out(guess.written, guess.meant, file);
}

// ---- All findings ---------------------------------------------------------------------------------

void Settling::run(text::Findings& findings) {
  for (Finding& finding : findings.all()) {
    const bool is_of_xml = rules::info(finding.rule).code.substr(0, 3) == "XML";
    std::erase_if(finding.fixes, [&](Fix& fix) {
      if (fix.grade != FixGrade::safe || (!fix.guess && !is_of_xml)) return false;
      if (fix.guess && fix.guess->written.starts_with('!')) return true;  // without it, the opposite
      const dialects::Dialect* const owner = owner_of(finding.span.file);
      if (owner != nullptr && fix.guess && !is_safe(*fix.guess, finding.span.file, *owner))
        fix.grade = FixGrade::unsafe;
      return owner == nullptr;
    });
  }
}

}  // namespace

void settle_guesses(const text::Sources& sources, const DeclaringFiles& declaring, text::Findings& findings) {
  NameCounts counts(sources);
  move_to_declarations(sources, declaring, counts, findings);
  Settling(sources, counts).run(findings);
}

}  // namespace espalier::project
