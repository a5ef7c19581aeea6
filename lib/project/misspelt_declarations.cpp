// Which findings of uses are about a declaration. See misspelt_declarations.h.
#include "project/misspelt_declarations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "project/safe_fixes.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using text::Finding;
using text::FixGrade;
using text::Guess;
using text::Span;

constexpr std::size_t kMaxRelated = 8;
constexpr std::size_t kMostSearched = 200;  // names for whose declarations all texts are searched

bool is_quote(char c) { return c == '"' || c == '\''; }

// In quotes, and nothing else there.
bool is_quoted(std::string_view text, std::size_t begin, std::size_t end) {
  return begin > 0 && end < text.size() && is_quote(text[begin - 1]) && text[end] == text[begin - 1];
}

// A whole name in the value of an attribute.
bool is_in_value(std::string_view text, std::size_t begin, std::size_t end) {
  const auto is_part = [&](std::size_t at) { return at < text.size() && text::is_of(text[at], text::kName); };
  if (is_part(begin - 1) || is_part(end)) return false;
  if (end + 1 < text.size() && text[end] == '=' && is_quote(text[end + 1])) return false;  // its name
  const std::size_t tag = text.substr(0, begin).find_last_of("<>");
  return tag != text.npos && text[tag] == '<' && text.substr(tag, begin - tag).find_first_of("\"'") != text.npos;
}

// The places where a text has the name and `is_place` holds, without those in comments.
std::vector<Span> places_of(std::string_view text, text::FileId file, std::string_view name,
                            bool is_place(std::string_view, std::size_t, std::size_t)) {
  std::vector<Span> places;
  std::size_t comment = text.find("<!--");
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at)) {
    while (comment < at) {
      const std::size_t comment_end = std::min(text.find("-->", comment), text.size());
      at = std::max(at, comment_end);
      comment = text.find("<!--", comment_end);
    }
    if (text.substr(at, name.size()) != name) continue;
    const std::size_t end = at + name.size();
    if (is_place(text, at, end))
      places.push_back({file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  }
  return places;
}

class Moving {
 public:
  Moving(const text::Sources& sources, const DeclaringFiles& declaring, NameCounts& counts, text::Findings& findings)
      : sources_(sources), declaring_(declaring), counts_(counts), all_(findings.all()), is_moved_(all_.size()) {}

  void run() {
    std::map<Span, Spellings> declarations;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Guess* const guess = guess_of(all_[i]);
      if (guess == nullptr) continue;
      if (const std::optional<Span> declared = declaration_of(*guess, all_[i].span.file))
        declarations[*declared][guess->written].push_back(i);
    }
    for (const auto& [declared, spellings] : declarations) settle(declared, spellings);
    std::size_t at = 0;
    std::erase_if(all_, [&](const Finding&) { return is_moved_[at++]; });
  }

 private:
  using Spellings = std::map<std::string, std::vector<std::size_t>>;  // what uses write, and their findings

  static const Guess* guess_of(const Finding& finding) {
    if (finding.fixes.empty() || !finding.fixes.front().guess) return nullptr;
    const Guess& guess = *finding.fixes.front().guess;
    return guess.of == Guess::Of::name && may_be_slip(guess.meant, guess.written) ? &guess : nullptr;
  }

  // The place of the declaration, if nothing else has its spelling.
  std::optional<Span> declaration_of(const Guess& guess, text::FileId file) {
    const bool is_here = guess.declared != Span() && guess.declared.file == file;
    if (!is_here && declaring_.are_apart) return std::nullopt;
    const bool any_case = !text::equal_any_case(guess.written, guess.meant);
    const std::size_t count = (is_here ? counts_.in(file, any_case) : counts_.in_all(any_case)).of(guess.meant);
    if (count == 0 || count > 2) return std::nullopt;
    const std::optional<Span> declared = guess.declared != Span() ? guess.declared : only_place(guess.meant);
    if (!declared || declaring_.files.count(declared->file) == 0) return std::nullopt;
    return count == (is_of_program(declared->file) && !is_here ? 2U : 1U) ? declared : std::nullopt;
  }

  bool is_of_program(text::FileId file) const { return sources_[file].path().ends_with(".json"); }

  std::optional<Span> only_place(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name);
    if (!is_new || places_.size() > kMostSearched) return found->second;
    for (text::FileId file = 0; file < sources_.size(); ++file) {
      for (const Span place : places_of(sources_[file].text(), file, name, is_quoted)) {
        if (found->second) return found->second = std::nullopt;
        found->second = place;
      }
    }
    return found->second;
  }

  // Where the name is used that the findings are about.
  std::vector<Span> uses_of(const std::vector<std::size_t>& findings, const std::string& name) const {
    std::vector<Span> uses;
    for (const std::size_t i : findings) {
      const text::Fix& fix = all_[i].fixes.front();
      const Span span = fix.edits.front().span;
      if (fix.guess->is_told_once) {
        const std::vector<Span> places = places_of(sources_[span.file].text(), span.file, name, is_in_value);
        uses.insert(uses.end(), places.begin(), places.end());
      } else {
        uses.push_back(span);
      }
    }
    std::sort(uses.begin(), uses.end());
    uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
    return uses;
  }

  void settle(Span declared, const Spellings& spellings) {
    std::string most;
    std::vector<Span> uses;
    bool is_only_one = false;
    for (const auto& [name, findings] : spellings) {
      std::vector<Span> places = uses_of(findings, name);
      if (places.size() < uses.size()) continue;
      is_only_one = places.size() > uses.size();
      most = name;
      uses = std::move(places);
    }
    const std::string name = guess_of(all_[spellings.begin()->second.front()])->meant;
    if (!is_only_one || uses.size() < 2 || !counts_.is_odd_one_out(name, most, declared.file)) return;
    for (const auto& [written, findings] : spellings) {
      if (written == most) {
        move(declared, name, most, uses, findings);
      } else {
        for (const std::size_t i : findings) point_at(most, all_[i]);
      }
    }
  }

  void move(Span declared, const std::string& name, const std::string& used, const std::vector<Span>& uses,
            const std::vector<std::size_t>& findings) {
    for (const std::size_t i : findings) is_moved_[i] = true;
    // Of several rules, the most severe.
    const std::size_t first = *std::min_element(findings.begin(), findings.end(), [&](std::size_t a, std::size_t b) {
      return all_[a].severity < all_[b].severity;
    });
    is_moved_[first] = false;
    Finding& finding = all_[first];
    const FixGrade grade = finding.fixes.front().grade;
    finding.span = declared;
    finding.message = text::quote(name) + " is declared here, but used as " + text::quote(used) + " in " +
                      std::to_string(uses.size()) + " places";
    finding.hint = "did you mean " + text::quote(used) + "?";
    finding.related.clear();
    finding.fixes.clear();
    for (const Span use : uses) {
      if (finding.related.size() < kMaxRelated) finding.related.push_back({use, "used here as " + text::quote(used)});
    }
    const std::string_view source = sources_[declared.file].text();
    const bool is_whole = source.substr(declared.begin, declared.end - declared.begin) == name;  // without references
    if (!is_whole || is_of_program(declared.file)) return;
    finding.fixes = {text::make_fix(declared, name, text::escaped(used), grade)};
    finding.fixes.back().guess = Guess{Guess::Of::name, name, used};
  }

  // The declaration that was taken for the right one is misspelt itself.
  static void point_at(const std::string& name, Finding& finding) {
    const std::string written = finding.fixes.front().guess->written;
    finding.hint.clear();
    finding.fixes.clear();
    if (text::nearest(written, {name}).empty()) return;
    finding.hint = "did you mean " + text::quote(name) + "?";
  }

  const text::Sources& sources_;
  const DeclaringFiles& declaring_;
  NameCounts& counts_;
  std::vector<Finding>& all_;
  std::vector<bool> is_moved_;
  std::map<std::string, std::optional<Span>> places_;
};

}  // namespace

void move_to_declarations(const text::Sources& sources, const DeclaringFiles& declaring, NameCounts& counts,
                          text::Findings& findings) {
  Moving(sources, declaring, counts, findings).run();
}

}  // namespace espalier::project
