// Checks a text before pugixml parses it: the DOCTYPE with the entities that it declares, and references. See scanner.h
// and entities.h.
#include <algorithm>
#include <array>

#include "text/scanner.h"

#include "rules/rules.h"
#include "rules/xml.h"

namespace espalier::text {
namespace {

struct HtmlEntity {
  std::string_view name;
  std::string_view reference;
};

constexpr std::array<std::string_view, 5> kPredefined = {"amp", "lt", "gt", "quot", "apos"};

// The most common ones of HTML.
constexpr std::array<HtmlEntity, 14> kHtmlEntities = {{{"nbsp", "&#160;"},
                                                       {"copy", "&#169;"},
                                                       {"reg", "&#174;"},
                                                       {"deg", "&#176;"},
                                                       {"times", "&#215;"},
                                                       {"euro", "&#8364;"},
                                                       {"trade", "&#8482;"},
                                                       {"ndash", "&#8211;"},
                                                       {"mdash", "&#8212;"},
                                                       {"hellip", "&#8230;"},
                                                       {"lsquo", "&#8216;"},
                                                       {"rsquo", "&#8217;"},
                                                       {"ldquo", "&#8220;"},
                                                       {"rdquo", "&#8221;"}}};

constexpr std::string_view kDoctype = "<!DOCTYPE";
constexpr std::string_view kEntity = "<!ENTITY";
constexpr std::size_t kMaxGuessedEntities = 1000;

}  // namespace

// ---- The DOCTYPE ---------------------------------------------------------------------------------------------------

// A faulty DOCTYPE is removed. It may have declared entities that are then unknown.
void Scanner::doctype() {
  const Range word{at_, at_ + kDoctype.size()};
  const std::size_t fault_count = result_.faults.size();
  if (root_.end != 0 || result_.doctype_end != 0) {
    fault(rules::XML_malformed, word, root_.end != 0 ? "DOCTYPE after the root element's start" : "a second DOCTYPE",
          "a file may have one, before the root element");
    at_ = find_first_of("<>\r\n", word.end);
    if (here() == '>') ++at_;
    return blank({word.begin, at_});
  }
  const std::size_t item_count = result_.items.size();
  at_ = word.end;
  skip_spaces();
  const Range name{at_, name_end(at_)};
  if (at_ == word.end || name.begin == name.end) fault(rules::XML_malformed, word, "DOCTYPE names no element");
  at_ = name.end;
  while (!at_end() && here() != '>') {
    if (here() == '[') {
      internal_subset();
    } else {
      names_external_subset_ = names_external_subset_ || starts_with("SYSTEM") || starts_with("PUBLIC");
      skip_literal_or_character();
    }
  }
  if (at_end()) {
    if (fault_count == result_.faults.size()) {
      Finding& finding = fault(rules::XML_malformed, word, "DOCTYPE is not closed with '>'");
      add_related(finding, {text_.size(), text_.size()}, "the file ends here");
    }
    at_ = find_first_of("\r\n", word.end);
  } else {
    ++at_;
  }
  result_.items.resize(item_count);  // comments in it belong to no element
  is_doctype_faulty_ = fault_count != result_.faults.size();
  if (is_doctype_faulty_) return blank({word.begin, at_});
  result_.doctype_begin = static_cast<std::uint32_t>(word.begin);
  result_.doctype_end = static_cast<std::uint32_t>(at_);
}

void Scanner::skip_literal_or_character() {
  const char c = text_[at_];
  if (c == '"' || c == '\'') at_ = std::min(text_.find(c, at_ + 1), text_.size());
  if (!at_end()) ++at_;
}

// From '[' to its ']'. Only entities are read. The content of a parameter entity is unknown, so declarations after one
// are ignored, as in expat.
void Scanner::internal_subset() {
  result_.subset_begin = static_cast<std::uint32_t>(at_);
  ++at_;
  while (!at_end()) {
    if (here() == ']') {
      ++at_;
      return;
    }
    if (starts_with("<!--")) {
      comment();
    } else if (starts_with("<?")) {
      processing_instruction();
    } else if (starts_with(kEntity)) {
      if (!entity_declaration()) return skip_subset();
    } else if (starts_with("<!")) {
      while (!at_end() && here() != '>') skip_literal_or_character();
    } else if (const std::size_t end = name_end(at_ + 1); here() == '%' && end > at_ + 1) {
      warn_of_external({at_, std::min(end + 1, text_.size())}, "parameter entity", piece({at_ + 1, end}),
                       "what it declares is unknown, and declarations after it are ignored");
      counts_declarations_ = false;
      at_ = end;
    } else {
      ++at_;
    }
  }
}

// After a fault: if quotes are missing, it is unknown what they contain.
void Scanner::skip_subset() {
  const std::size_t end = text_.find(']', at_);
  at_ = end == kNone ? text_.size() : end + 1;
}

// <!ENTITY name "text">, <!ENTITY name SYSTEM "file">, and the same for parameter entities, with '%' before the name.
bool Scanner::entity_declaration() {
  const std::size_t begin = at_;
  at_ += kEntity.size();
  skip_spaces();
  const bool is_parameter = here() == '%' && is_space(at(at_ + 1));
  if (is_parameter) ++at_;
  skip_spaces();
  const Range name{at_, name_end(at_)};
  at_ = name.end;
  skip_spaces();
  Entity entity;
  const bool is_external = starts_with("SYSTEM") || starts_with("PUBLIC");
  if (name.begin != name.end && is_external) {
    entity.kind = Entity::Kind::external;
    while (!at_end() && here() != '>') {
      if (starts_with("NDATA")) entity.kind = Entity::Kind::unparsed;
      skip_literal_or_character();
    }
  } else if (name.begin != name.end && (here() == '"' || here() == '\'')) {
    if (!entity_text(name, entity.text)) return false;
    skip_spaces();
  }
  if (at_end()) return true;  // the caller reports it
  if (here() != '>' || at_ == name.end) {
    fault(rules::XML_malformed, {begin, std::max(name.end, begin + kEntity.size())},
          "the declaration of an entity is not complete", "write '<!ENTITY name \"text\">'");
    return false;
  }
  ++at_;
  if (!is_parameter && counts_declarations_) entities_.try_emplace(std::string(piece(name)), std::move(entity));
  return true;
}

// Reads a literal. Character references are replaced immediately, entity references only where the entity is used.
// False: it has a fault.
bool Scanner::entity_text(Range name, std::string& text) {
  const Range quote{at_, at_ + 1};
  const char end = here();
  ++at_;
  std::size_t from = at_;  // of what is not in `text` yet
  const auto append = [&](std::size_t to) { text += piece({from, to}); };
  while (!at_end() && here() != end) {
    skip(kPlainLiteral);
    const std::size_t begin = at_;
    const char c = here();
    if (c == '%') {
      Finding& finding = fault(rules::XML_malformed, {at_, at_ + 1}, "'%' in the text of entity " + quoted_piece(name),
                               "write '&#37;'");
      add_fix(finding, {begin, begin + 1}, "&#37;");
      return false;
    }
    if (c == '&' && at(at_ + 1) == '#') {
      char32_t code = 0;
      if (!character_reference(&code)) return false;
      append(begin);
      append_character(code, text);
      from = at_;
    } else if (c == '&') {
      if (!general_reference(nullptr, false)) return false;
    } else if (c == '\r') {
      append(begin);
      if (at(begin + 1) != '\n') text += '\n';
      from = ++at_;
    } else if (c != end && !at_end()) {
      ++at_;
    }
  }
  append(at_);
  if (at_end()) {
    fault_at_end(rules::XML_malformed, quote, "the text of entity " + quoted_piece(name) + " has no closing quote");
    return false;
  }
  ++at_;
  return true;
}

void Scanner::warn_of_external(Range range, std::string_view what, std::string_view name, std::string_view then) {
  Finding finding{rules::XML_external_entity, rules::info(rules::XML_external_entity).severity, span(range), {}, {}};
  finding.message = std::string(what) + ' ' + quote(name) + " is not read: " + std::string(then);
  finding.hint = "only the file of the tree is read; write the text itself";
  result_.warnings.push_back(std::move(finding));
}

// ---- References ----------------------------------------------------------------------------------------------------

void Scanner::rewritten(std::size_t begin, std::size_t end, std::size_t length) {
  const auto saved = static_cast<std::uint32_t>(end - begin - length);
  result_.rewritten.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), saved_, saved});
  saved_ += saved;
}

// Requires at_ at '&'.
void Scanner::reference(bool in_attribute) {
  const std::size_t begin = at_;
  if (at(begin + 1) == '#') {
    char32_t code = 0;
    if (!character_reference(&code)) return;
    if (in_attribute) rewritten(begin, at_, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
    return;
  }
  Range name;
  if (!general_reference(&name, in_attribute)) return;
  if (std::find(kPredefined.begin(), kPredefined.end(), piece(name)) != kPredefined.end()) {
    if (in_attribute) rewritten(begin, at_, 1);
    return;
  }
  const auto entity = entities_.find(piece(name));
  if (entity == entities_.end() && in_attribute && options_.is_lenient) return;
  if (entity == entities_.end()) return undefined_entity({begin, at_}, name);
  declared_reference({begin, at_}, name, entity->second, in_attribute);
}

// "&name;" with any name. False: it is not a reference, and at_ is after the faulty text.
bool Scanner::general_reference(Range* name, bool in_attribute) {
  const std::size_t begin = at_;
  const Range found{begin + 1, name_end(begin + 1)};
  at_ = found.end;
  if (here() == ';' && found.begin != found.end) {
    ++at_;
    if (name != nullptr) *name = found;
    return true;
  }
  const bool is_known = std::find(kPredefined.begin(), kPredefined.end(), piece(found)) != kPredefined.end() ||
                        entities_.count(piece(found)) != 0;
  if (was_replaced(at_)) {  // by a forbidden character, which has its own finding
    blank({begin, at_});
  } else if (in_attribute && options_.is_lenient) {
    at_ = begin + 1;
  } else if (is_known) {
    const Range written{begin, found.end};
    Finding& finding = fault(rules::XML_malformed, written, "reference " + quoted_piece(written) + " lacks its ';'");
    add_fix(finding, {found.end, found.end}, ";");
    replace(written, std::string(piece(written)) + ";");
  } else {
    const bool is_twice = at(begin + 1) == '&';
    at_ = begin + (is_twice ? 2 : 1);
    if (in_attribute && !options_.conjunction.empty() && (is_twice || is_in_condition())) {
      raw_conjunction({begin, at_});
      return false;
    }
    unescaped({begin, at_}, "'&' does not begin a reference here", is_twice ? "&amp;&amp;" : "&amp;");
  }
  return false;
}

void Scanner::undefined_entity(Range reference, Range name) {
  blank(reference);
  if (is_doctype_faulty_) return;
  std::vector<std::string_view> known(kPredefined.begin(), kPredefined.end());
  if (entities_.size() <= kMaxGuessedEntities) {
    for (const auto& [declared, entity] : entities_) known.push_back(declared);
  }
  Finding& finding = fault(rules::XML_undefined_entity, reference, "undefined entity " + quoted_piece(name),
                           did_you_mean(piece(name), known));
  for (const HtmlEntity& entity : kHtmlEntities) {
    if (entity.name != piece(name)) continue;
    finding.hint = "write '" + std::string(entity.reference) + "'";
    add_fix(finding, reference, std::string(entity.reference));
  }
  if (!finding.hint.empty()) return;
  if (!counts_declarations_) {
    finding.hint = "declarations after a parameter entity are ignored, since it is not read";
  } else if (names_external_subset_) {
    finding.hint = "the DOCTYPE names a file of declarations, which is never read; write the text itself";
  }
}

void Scanner::declared_reference(Range range, Range name, Entity& entity, bool in_attribute) {
  if (entity.kind != Entity::Kind::internal) return external_reference(range, name, entity, in_attribute);
  EntityReading& reading = entity.readings[in_attribute ? 1 : 0];
  if (reading.state == EntityReading::State::being_read) {
    fault(rules::XML_malformed, range, "entity " + quoted_piece(name) + " is used in its own text");
    return blank(range);
  }
  if (depth_ < kMaxEntityDepth && reading.state == EntityReading::State::unread) read_entity(entity, in_attribute);
  if (reading.fault) {
    // The message of an inner fault names the entity.
    const std::string in_entity = reading.is_fault_of_inner ? "" : "in entity " + quoted_piece(name) + ": ";
    fault(reading.fault->rule, range, in_entity + reading.fault->message, reading.fault->hint);
    is_fault_of_inner_ = true;
    gave_up_ = gave_up_ || reading.fault->rule == rules::XML_too_large;
    if (!in_attribute && !open_.empty()) open_.back().is_doubtful = doubts_tags_ = true;  // it may contain the end tag
    return blank(range);
  }
  if (depth_ + reading.depth > kMaxEntityDepth) {
    is_fault_of_inner_ = true;
    return give_up(rules::XML_too_large, range,
                   "entities are nested more than " + std::to_string(kMaxEntityDepth) + " deep");
  }
  inner_depth_ = std::max(inner_depth_, reading.depth);
  if (!reading.external.empty() && depth_ == 0) warn_of_missing(range, reading.external);
  if (!reading.external.empty()) external_ = reading.external;
  expanded_bytes_ += reading.expanded_bytes + 1;  // limits the number of empty ones too
  if (expanded_bytes_ > kMaxExpandedBytes) {
    is_fault_of_inner_ = true;
    return give_up(rules::XML_too_large, range,
                   "the text of entities is larger than " + std::to_string(kMaxExpandedBytes >> 20) + " MiB in all");
  }
  references_.push_back(
      {static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end), &entity, in_attribute});
}

// In content its text is left out; in an attribute XML does not allow it.
void Scanner::external_reference(Range range, Range name, Entity& entity, bool in_attribute) {
  const bool is_unparsed = entity.kind == Entity::Kind::unparsed;
  if (in_attribute || is_unparsed) {
    fault(rules::XML_malformed, range,
          is_unparsed ? "entity " + quoted_piece(name) + " is not XML and cannot be referenced"
                      : "an attribute's value cannot refer to the external entity " + quoted_piece(name),
          "write the text itself");
    return blank(range);
  }
  external_ = entities_.find(piece(name))->first;
  if (depth_ == 0) warn_of_missing(range, external_);
  entity.readings[0].state = EntityReading::State::read;
  references_.push_back(
      {static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end), &entity, false});
}

void Scanner::warn_of_missing(Range range, std::string_view external) {
  warn_of_external(range, "external entity", external, "the reference expands to nothing");
}

// Scans the entity's text. Recursive; the depth of nested entities is limited.
void Scanner::read_entity(Entity& entity, bool in_attribute) {
  EntityReading& reading = entity.readings[in_attribute ? 1 : 0];
  reading.state = EntityReading::State::being_read;
  Scanner inner(entity.text, entity.text, file_, options_, entities_, depth_ + 1);
  inner.counts_declarations_ = counts_declarations_;
  inner.names_external_subset_ = names_external_subset_;
  in_attribute ? inner.attribute_text() : inner.content();
  if (inner.result_.faults.empty()) {
    reading.references = std::move(inner.references_);
    reading.expanded_bytes = inner.expanded_bytes_ + expanded_size(entity.text, in_attribute);
    reading.depth = inner.inner_depth_ + 1;
    reading.external = inner.external_;
  } else {
    reading.fault = std::move(inner.result_.faults.front());
    reading.is_fault_of_inner = inner.is_fault_of_inner_;
  }
  reading.state = EntityReading::State::read;
}

// Scans an entity's text in a value: quotes are not delimiters. Stops at the first fault.
void Scanner::attribute_text() {
  while (!at_end() && result_.faults.empty()) {
    if (here() == '<' && !options_.is_lenient) {
      unescaped({at_, at_ + 1}, "'<' in the value of an attribute", kLessThan);
    } else if (here() == '&') {
      reference(true);
    } else {
      ++at_;
    }
  }
}

// Scans an entity's text between tags: it must close all elements that it opens. Stops at the first fault.
void Scanner::content() {
  open_.emplace_back();  // the element that contains the reference
  result_.items.emplace_back();
  open_.back().item = 0;
  root_.end = 1;
  bottom_ = 1;
  markup_and_text();
  if (open_.size() != bottom_ && result_.faults.empty()) never_closed();
}

// "&#123;" or "&#x7B;". False: it is not a reference, and at_ is after the faulty text.
bool Scanner::character_reference(char32_t* code) {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_not_of("0123456789abcdefABCDEFx", begin + 2), text_.size());
  const bool is_hexadecimal = at(begin + 2) == 'x';
  const char32_t base = is_hexadecimal ? 16 : 10;
  const std::string_view digits = piece({std::min(begin + (is_hexadecimal ? 3u : 2u), at_), at_});
  bool is_valid = !digits.empty() && here() == ';';
  for (const char c : digits) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    is_valid = is_valid && digit < static_cast<int>(base);
    if (*code <= 0x10FFFF) *code = *code * base + static_cast<char32_t>(digit);
  }
  const Range written{begin, at_};
  if (!is_valid) {
    if (here() == ';') ++at_;
    fault(rules::XML_malformed, written, quoted_piece(written) + " is not a reference to a character",
          "such a reference is written '&#65;' or '&#x41;'");
    blank({begin, at_});
    return false;
  }
  ++at_;
  if (is_xml_character(*code)) return true;
  const Range whole{begin, at_};
  Finding& finding =
      fault(rules::XML_bad_character, whole,
            "reference " + quoted_piece(whole) + " names a character that XML does not allow", "remove it");
  add_fix(finding, whole, {});
  blank(whole);
  return false;
}

}  // namespace espalier::text
