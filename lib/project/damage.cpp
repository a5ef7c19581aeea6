// Findings that damage explains. See damage.h.
#include "project/damage.h"

#include <algorithm>

namespace espalier::project {
namespace {

using text::Finding;
using text::Rule;
using text::Span;

// Rules that report a name as undeclared. In a cut file, the declaration may be missing.
constexpr Rule kUnknownNames[] = {
    Rule::SEL_unknown_variable,     Rule::SEL_unknown_state,
    Rule::SEL_unresolved_reference, Rule::SEL_map_without_leaf,
    Rule::SEL_map_in_other_case,    Rule::MBT_unknown_variable,
    Rule::MBT_unknown_state,        Rule::MBT_unknown_signal_variable,
    Rule::MBT_unknown_timestamp,    Rule::DEC_unknown_flag,
    Rule::DEC_unknown_stimulus,     Rule::DEC_unknown_behavior,
    Rule::DEC_unknown_decider,      Rule::SYN_unknown_tree,
};

// Is the rule about XML itself? Damage does not explain such a finding; it may be the damage.
bool is_of_xml(Rule rule) {
  return rules::info(rule).code.substr(0, 3) == "XML" && rule != Rule::XML_unknown_root_element;
}

// Calls `visit` with each word of a text: a sequence of characters of names.
template <typename Visit>
void each_word(std::string_view text, const Visit& visit) {
  const auto is_of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c < 0;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    if (at > begin) visit(text.substr(begin, at - begin));
  }
}

// Does a finding mark a name in an attribute that is made of these words? Places with these words may declare or use
// it.
bool names_one_of(const Damage::Words& words, const text::XmlDocument& document, Span span) {
  if (!document.is_in_attribute(span)) return false;
  bool is_there = false;
  bool is_all_there = true;
  each_word(document.source().text().substr(span.begin, span.end - span.begin), [&](std::string_view word) {
    is_there = true;
    is_all_there = is_all_there && words.count(word) != 0;
  });
  return is_there && is_all_there;
}

}  // namespace

Damage::Damage(const std::vector<std::unique_ptr<text::XmlDocument>>& documents) {
  const auto is_damaged = [](const auto& document) { return document->is_damaged(); };
  if (std::none_of(documents.begin(), documents.end(), is_damaged)) return;
  for (const auto& document : documents) {
    documents_.emplace(document->file(), document.get());
    is_cut_ = is_cut_ || document->is_cut();
    if (!document->is_damaged()) continue;
    each_word(document->source().text(), [&](std::string_view word) { words_of_files_.insert(word); });
    for (const std::string_view text : document->damaged_text()) {
      each_word(text, [&](std::string_view word) { words_.insert(word); });
    }
  }
}

const text::XmlDocument* Damage::document_of(const Finding& finding) const {
  const auto found = documents_.find(finding.span.file);
  return found == documents_.end() ? nullptr : found->second;
}

void Damage::leave_out_read(text::Findings& findings) const {
  if (documents_.empty()) return;
  std::erase_if(findings.all(), [&](const Finding& finding) {
    const text::XmlDocument* const document = document_of(finding);
    if (document == nullptr || is_of_xml(finding.rule)) return false;
    const bool is_unknown_name =
        std::find(std::begin(kUnknownNames), std::end(kUnknownNames), finding.rule) != std::end(kUnknownNames);
    return document->may_come_of_damage(finding.span) || names_one_of(words_, *document, finding.span) ||
           (is_unknown_name && document->is_cut());
  });
}

void Damage::leave_out_analysed(text::Findings& findings) const {
  if (documents_.empty()) return;
  std::erase_if(findings.all(), [&](const Finding& finding) {
    const text::XmlDocument* const document = document_of(finding);
    return document != nullptr && names_one_of(words_of_files_, *document, finding.span);
  });
}

}  // namespace espalier::project
