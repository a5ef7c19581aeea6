// Which guesses are safe. See safe_fixes.h.
#include "project/safe_fixes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialects/dialect.h"
#include "text/characters.h"
#include "text/names.h"
#include "text/root_name.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

using text::Finding;
using text::Fix;
using text::FixGrade;
using text::Guess;
using text::Span;

constexpr std::size_t kMaxRelated = 8;

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

// ---- Names, counted -----------------------------------------------------------------------------

// How often each name stands in texts, whatever for.
class Counts {
 public:
  void add(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      while (at < text.size() && is_part(text[at])) ++at;
      if (at == begin) {
        ++at;
      } else {
        ++counts_[trimmed(text.substr(begin, at - begin))];
      }
    }
  }
  [[nodiscard]] std::size_t of(std::string_view name) const {
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  static bool is_part(char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  }
  // Without the dashes of a comment, or the full stop of a sentence.
  static std::string_view trimmed(std::string_view name) {
    while (!name.empty() && name.front() == '-') name.remove_prefix(1);
    while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.remove_suffix(1);
    return name;
  }
  std::unordered_map<std::string_view, std::size_t> counts_;  // the keys are in the texts
};

// ---- The predicate ------------------------------------------------------------------------------

class Settling {
 public:
  explicit Settling(const text::Sources& sources) : sources_(sources) {}
  void run(text::Findings& findings);

 private:
  using Group = std::tuple<text::Rule, Span, std::string>;  // findings of one spelling that differs from a declaration

  const dialects::Dialect* owner_of(text::FileId file);
  bool is_safe(const Guess& guess, text::FileId file, const dialects::Dialect& owner);
  bool is_odd_one_out(std::string_view name, std::string_view other, text::FileId file);
  bool is_misspelt_declaration(const Finding& finding);
  void move_to_declarations(text::Findings& findings);
  const Counts& counts_in(text::FileId file);
  const Counts& counts_in_all();

  const text::Sources& sources_;
  std::map<text::FileId, const dialects::Dialect*> owners_;
  std::map<text::FileId, Counts> counts_;
  std::optional<Counts> all_counts_;
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

const Counts& Settling::counts_in(text::FileId file) {
  const auto [found, is_new] = counts_.try_emplace(file);
  if (is_new) found->second.add(sources_[file].text());
  return found->second;
}

const Counts& Settling::counts_in_all() {
  if (!all_counts_) {
    all_counts_.emplace();
    for (text::FileId file = 0; file < sources_.size(); ++file) {
      // What is declared for the program, which does not follow a tree, counts twice.
      const bool is_of_program = sources_[file].path().ends_with(".json");
      for (int i = is_of_program ? 2 : 1; i > 0; --i) all_counts_->add(sources_[file].text());
    }
  }
  return *all_counts_;
}

// Does the other spelling occur more often? What one file says of its own names is enough.
bool Settling::is_odd_one_out(std::string_view name, std::string_view other, text::FileId file) {
  const auto is_rarer = [&](const Counts& counts) { return counts.of(name) < counts.of(other); };
  return is_rarer(counts_in(file)) || is_rarer(counts_in_all());
}

// The fault is certain, which the reader has decided, and the file is ours. There is one remedy, as the nearest name is
// the only one so near, and what is written is no other word that somebody could have meant.
bool Settling::is_safe(const Guess& guess, text::FileId file, const dialects::Dialect& owner) {
  const auto is_element = [&](const std::string& name) { return owner.table().find(name) != nullptr; };
  if (guess.of == Guess::Of::notation) return true;
  if (guess.of == Guess::Of::tag && is_element(guess.meant) && !is_element(guess.written)) return true;
  if (!is_slip(guess.written, guess.meant)) return false;
  return guess.of == Guess::Of::word || is_odd_one_out(guess.written, guess.meant, file);
}

// ---- Misspelt declarations ----------------------------------------------------------------------

// Do several uses agree, and the declaration alone differs from them by a slip?
bool Settling::is_misspelt_declaration(const Finding& finding) {
  if (finding.fixes.empty() || !finding.fixes.front().guess) return false;
  const Guess& guess = *finding.fixes.front().guess;
  const text::FileId file = finding.span.file;
  return finding.severity == text::Severity::error && guess.declared != Span() && guess.declared.file == file &&
         counts_in(file).of(guess.meant) == 1 && counts_in(file).of(guess.written) > 1 &&
         (is_slip(guess.written, guess.meant) || is_slip(guess.meant, guess.written)) &&
         is_odd_one_out(guess.meant, guess.written, file);
}

// The findings of the uses become one at the declaration.
void Settling::move_to_declarations(text::Findings& findings) {
  std::map<Group, std::vector<std::size_t>> groups;
  std::vector<Finding>& all = findings.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_misspelt_declaration(all[i])) continue;
    const Guess& guess = *all[i].fixes.front().guess;
    groups[{all[i].rule, guess.declared, guess.written}].push_back(i);
  }
  std::vector<bool> is_moved(all.size());
  for (const auto& [group, uses] : groups) {
    if (uses.size() < 2) continue;
    Finding& first = all[uses.front()];
    const Guess guess = *first.fixes.front().guess;
    const FixGrade grade = first.fixes.front().grade;
    std::vector<text::Related> related;
    for (const std::size_t use : uses) {
      if (related.size() < kMaxRelated)
        related.push_back({all[use].span, "used here as " + text::quote(guess.written)});
      is_moved[use] = true;
    }
    is_moved[uses.front()] = false;
    first.span = guess.declared;
    first.message = text::quote(guess.meant) + " is declared here, but used as " + text::quote(guess.written) + " in " +
                    std::to_string(uses.size()) + " places";
    first.hint = "did you mean " + text::quote(guess.written) + "?";
    first.related = std::move(related);
    first.fixes = {text::make_fix(first.span, guess.meant, text::escaped(guess.written), grade)};
    first.fixes.back().guess = {Guess::Of::name, guess.meant, guess.written};
  }
  std::size_t at = 0;
  std::erase_if(all, [&](const Finding&) { return is_moved[at++]; });
}

void Settling::run(text::Findings& findings) {
  move_to_declarations(findings);
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

void settle_guesses(const text::Sources& sources, text::Findings& findings) { Settling(sources).run(findings); }

}  // namespace espalier::project
