// Attributes of elements. See attributes.h.
#include "dialects/reading/attributes.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "dialects/reading/checks.h"
#include "dialects/reading/synonyms.h"
#include "dialects/reading/values.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// "'Wait'".
std::string of_element(const Element& element) { return " of " + quote(element.name()); }

// Is it empty though it must not be?
bool lacks(const AttributeRow& row, const Attribute& value) {
  return row.value.type != ValueType::text && !row.value.may_be_empty && value.value().empty();
}

Rule missing_rule(const TableRules& rules, Need need) {
  if (need == Need::recommended) return rules.recommended_attribute.value_or(rules.missing_attribute);
  if (need == Need::taken_as_none) return rules.empty_name.value_or(rules.missing_attribute);
  return rules.missing_attribute;
}

// "missing attributes 'a' and 'b' of 'X'". For Need::one_of, one of them is enough.
std::string missing_message(const Element& element, Need need, const std::vector<std::string_view>& names) {
  const bool is_one = names.size() == 1 || need == Need::one_of;
  return std::string(is_one ? "missing attribute " : "missing attributes ") +
         list_of(names, need == Need::one_of ? "or" : "and") + of_element(element);
}

// The text of an element if it can be meant as the value of an attribute, else empty.
std::string short_text(const Element& element) {
  constexpr std::size_t kMaxBytes = 64;
  const std::string_view source = element.document().source().text();
  std::string result;
  for (const text::TextPiece& piece : element.text()) {
    const Span span = visible(source, piece.span);
    if (span.begin == span.end) continue;
    const std::string_view text = source.substr(span.begin, span.end - span.begin);
    if (!result.empty() || text.size() > kMaxBytes || text.find_first_of("\"&<\r\n") != text.npos) return {};
    result = text;
  }
  return result;
}

}  // namespace

Attributes::Attributes(const Element& element, const ElementRow& row, Reporter& reporter, UseIndex use)
    : element_(element), row_(row), table_(reporter.table()), reporter_(reporter), use_(use) {
  std::vector<Unknown> unknown;
  for (const Attribute& attribute : element.attributes()) {
    if (const AttributeRow* const own = row_named(attribute.name())) {
      take(attribute, *own);
    } else {
      unknown.push_back({attribute, {}});
    }
  }
  if (!unknown.empty()) {
    guess_meant(unknown);
    take_text(unknown);
  }
  if (lacks_any()) {
    for (const Need need : {Need::required, Need::one_of, Need::taken_as_none, Need::recommended}) {
      report_missing(unknown, need);
    }
  }
  if (!unknown.empty()) report_unknown(unknown);
}

template <typename Visit>
void Attributes::for_each_row(const Visit& visit) const {
  for (const AttributeRow& row : row_.attributes) visit(row);
  if (row_.common == Common::none) return;
  for (const AttributeRow& row : table_.common) visit(row);
}

const AttributeRow* Attributes::row_named(std::string_view name) const {
  const auto is_it = [&](const AttributeRow& row) { return table_.is_same(row.name, name); };
  const auto own = std::find_if(row_.attributes.begin(), row_.attributes.end(), is_it);
  if (own != row_.attributes.end()) return &*own;
  if (row_.common == Common::none) return nullptr;
  const auto common = std::find_if(table_.common.begin(), table_.common.end(), is_it);
  return common != table_.common.end() ? &*common : nullptr;
}

const Attributes::Taken* Attributes::find(const AttributeRow& row) const {
  const auto found = std::find_if(taken_.begin(), taken_.end(), [&](const Taken& each) { return each.row == &row; });
  return found == taken_.end() ? nullptr : &*found;
}

// Takes an attribute of the row, unless it is repeated.
void Attributes::take(const Attribute& attribute, const AttributeRow& row) {
  const TableRules& rules = table_.rules;
  if (!row.read_elsewhere.empty()) {
    reporter_.report(
        rules.unknown_attribute, attribute.name_span(),
        "attribute " + quote(row.name) + of_element(element_) + " is read only by " + std::string(row.read_elsewhere));
    return;
  }
  if (const Taken* const first = find(row)) {
    report_repeated(attribute, first->attribute);
    return;
  }
  constexpr std::size_t kUsual = 4;
  if (taken_.empty()) taken_.reserve(kUsual);
  taken_.push_back({&row, attribute});
  const bool is_unread =
      row_.common == Common::unread && find_attribute(table_, row_, row.name) == nullptr;  // a common one
  if ((row.need == Need::ignored || is_unread) && rules.ignored_attribute) {
    reporter_.report(*rules.ignored_attribute, Where(attribute.name_span(), use_),
                     "attribute " + quote(attribute.name()) + of_element(element_) + " is ignored",
                     std::string(is_unread ? std::string_view() : row.doc));
  }
  if (!rules.attribute_case || attribute.name() == row.name) return;
  reporter_
      .report(*rules.attribute_case, attribute.name_span(), "unusual spelling of attribute " + quote(attribute.name()),
              "usual spelling: " + quote(row.name))
      .fixes = {text::make_fix(attribute.name_span(), attribute.name(), std::string(row.name), text::FixGrade::safe)};
}

void Attributes::report_repeated(const Attribute& attribute, const Attribute& first) const {
  if (!table_.rules.repeated_attribute) return;
  text::Finding& finding =
      reporter_.report(*table_.rules.repeated_attribute, attribute.name_span(),
                       "duplicate attribute " + quote(attribute.name()) + of_element(element_),
                       "names of attributes are compared without case", {first.name_span(), "first here"});
  if (!finding.fixes.empty()) return;
  // The engine reads only the first: without this one, and the blank before it, the file means the same.
  Span whole = attribute.name_span();
  --whole.begin;
  whole.end = attribute.value_span().end + 1;
  finding.fixes.push_back({"Remove " + quote(attribute.name()), text::FixGrade::safe, {{whole, {}}}});
}

// Attributes that the element does not have; only those that it needs, or all.
std::vector<std::string_view> Attributes::lacking(bool is_needed) const {
  std::vector<std::string_view> names;
  const auto add = [&](std::span<const AttributeRow> rows) {
    for (const AttributeRow& row : rows) {
      const bool is_optional = row.need == Need::optional || row.need == Need::ignored;
      if (find(row) == nullptr && row.read_elsewhere.empty() && !(is_needed && is_optional)) names.push_back(row.name);
    }
  };
  add(row_.attributes);
  if (row_.common == Common::read) add(table_.common);
  return names;
}

// An attribute that the element already has cannot be the one that was meant. A parameter may have any name: it is one
// unless it was meant to be what the element needs, or what only the engine would name so.
void Attributes::guess_meant(std::vector<Unknown>& unknown) {
  const std::vector<std::string_view> needed = lacking(true);
  const auto is_parameter = [&](const Unknown& each) {
    return row_.takes_parameters && each.attribute.name()[0] != '_';
  };
  const bool asks_all = !std::all_of(unknown.begin(), unknown.end(), is_parameter);
  if (needed.empty() && !asks_all) return;
  const std::vector<std::string_view> all = asks_all ? lacking(false) : needed;
  for (Unknown& each : unknown) {
    const std::string_view name = each.attribute.name();
    const std::vector<std::string_view>& candidates = is_parameter(each) ? needed : all;
    if (candidates.empty()) continue;
    const std::string near = reporter_.nearest(name, candidates);
    if (const auto found = std::find(candidates.begin(), candidates.end(), near); found != candidates.end()) {
      each.meant = *found;
    } else if (reporter_.may_translate()) {
      each.reason = Reason::word;
      each.meant = synonym_of_attribute(name, needed);
      if (each.meant.empty() && !row_.takes_parameters) each.meant = synonym_of_attribute(name, all);
    }
    if (!each.meant.empty()) misspelt_.push_back(each);
  }
  if (!row_.takes_parameters) guess_by_place(unknown);
}

// One unknown attribute, and one that is missing: a slip, though the names say nothing.
void Attributes::guess_by_place(std::vector<Unknown>& unknown) const {
  Unknown* only = nullptr;
  std::vector<std::string_view> missing;
  for (const AttributeRow& row : row_.attributes) {
    const auto is_it = [&](const Unknown& each) { return each.meant == row.name; };
    if (row.need != Need::required || find(row) != nullptr || !row.read_elsewhere.empty()) continue;
    if (std::none_of(unknown.begin(), unknown.end(), is_it)) missing.push_back(row.name);
  }
  for (Unknown& each : unknown) {
    if (!each.meant.empty()) continue;
    if (only != nullptr) return;
    only = &each;
  }
  if (only == nullptr || missing.size() != 1) return;
  only->meant = missing.front();
  only->reason = Reason::place;
}

// As in <condition name="near"/>: the reader reports that the text is missing.
void Attributes::take_text(std::vector<Unknown>& unknown) {
  const bool needs_text = row_.content.text && row_.content.text->type != ValueType::text;
  if (!needs_text || unknown.size() != 1 || element_.first_child()) return;
  if (!unknown[0].meant.empty() && unknown[0].reason == Reason::spelling) return;
  const auto is_not_blank = [](const text::TextPiece& piece) { return !is_blank(piece.text); };
  const std::vector<text::TextPiece> pieces = element_.text();
  if (std::any_of(pieces.begin(), pieces.end(), is_not_blank)) return;
  in_place_of_text_ = unknown[0].attribute;
  unknown.clear();
  misspelt_.clear();
}

bool Attributes::has_any(Need need) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](const Taken& each) { return each.row->need == need; });
}

bool Attributes::lacks_any() const {
  bool is_any = false;
  for_each_row([&](const AttributeRow& row) {
    if (is_any || row.need == Need::optional || row.need == Need::ignored || !row.read_elsewhere.empty()) return;
    const Taken* const own = find(row);
    is_any = own == nullptr || lacks(row, own->attribute);
  });
  return is_any;
}

// A misspelt attribute that is also missing is one fault: it becomes a hint and is removed from `unknown`.
void Attributes::report_missing(std::vector<Unknown>& unknown, Need need) {
  if (need == Need::one_of && has_any(need)) return;
  std::vector<std::string_view> missing;
  std::vector<std::string_view> slips, meant;
  std::vector<text::Fix> fixes;
  for_each_row([&](const AttributeRow& row) {
    if (row.need != need || !row.read_elsewhere.empty()) return;
    if (const Taken* const own = find(row)) {
      if (!lacks(row, own->attribute)) return;
      const Rule rule = missing_rule(table_.rules, need);
      reporter_.report(need == Need::required ? table_.rules.empty_attribute.value_or(rule) : rule,
                       Where(own->attribute.value_span(), use_),
                       "attribute " + quote(row.name) + of_element(element_) + " is empty");
      return;
    }
    missing.push_back(row.name);
    const auto slip =
        std::find_if(unknown.begin(), unknown.end(), [&](const Unknown& each) { return each.meant == row.name; });
    if (slip == unknown.end()) return;
    slips.push_back(slip->attribute.name());
    meant.push_back(row.name);
    if (slip->reason != Reason::place) {
      fixes = {text::make_fix(slip->attribute.name_span(), slip->attribute.name(), std::string(row.name),
                              slip->reason == Reason::spelling ? text::FixGrade::safe : text::FixGrade::unsafe)};
      if (slip->reason == Reason::spelling) {
        fixes.back().guess = text::Guess{kind_of(row.name), std::string(slip->attribute.name()), std::string(row.name)};
      }
    }
    unknown.erase(slip);
  });
  if (missing.empty()) return;
  std::string hint;
  if (!slips.empty()) {
    hint = (slips.size() == 1 ? "unknown attribute " : "unknown attributes ") + list_of(slips) + ": did you mean " +
           list_of(meant) + "?";
  }
  if (missing.size() == 1 && hint.empty()) hint = hint_for(missing[0]);
  if (need == Need::required && missing.size() == 1 && hint.empty() && !row_.content.text) {
    const std::string text = short_text(element_);
    is_value_in_text_ = !text.empty();
    if (is_value_in_text_) hint = "use " + std::string(missing[0]) + "=\"" + text + '"';
  }
  text::Finding& finding = reporter_.report(missing_rule(table_.rules, need), Where(element_.span(), use_),
                                            missing_message(element_, need, missing), std::move(hint));
  if (missing.size() != 1 || fixes.empty() || !finding.fixes.empty()) return;
  if (fixes.front().grade == text::FixGrade::safe) fixes.front().grade = reporter_.grade_of(finding);
  finding.fixes = std::move(fixes);
}

Guess::Of Attributes::kind_of(std::string_view name) const {
  const AttributeRow* const row = find_attribute(table_, row_, name);
  return row != nullptr && row->is_declared ? Guess::Of::name : Guess::Of::word;
}

// What to write for a missing attribute, if few values are possible or nearly all files have the same.
std::string Attributes::hint_for(std::string_view missing) const {
  const AttributeRow* const row = find_attribute(table_, row_, missing);
  if (row == nullptr) return {};
  if (!row->usual.empty()) return "write " + std::string(missing) + "=\"" + std::string(row->usual) + '"';
  if (row->value.type != ValueType::word) return {};
  return expected_one_of({row->value.words.begin(), row->value.words.end()});
}

// Parameters that differ only in case are the same. An element may have very many: then this does not search through
// the earlier ones.
void Attributes::report_unknown(const std::vector<Unknown>& unknown) {
  constexpr std::size_t kFew = 8;
  std::unordered_map<std::string, Attribute> first_of_name;
  const auto take_parameter = [&](const Attribute& attribute) -> Attribute {
    if (unknown.size() <= kFew) {
      const auto is_same = [&](const Attribute& each) { return table_.is_same(each.name(), attribute.name()); };
      const auto first = std::find_if(parameters_.begin(), parameters_.end(), is_same);
      if (first != parameters_.end()) return *first;
    } else {
      std::string key = table_.any_case ? text::lower_case(attribute.name()) : std::string(attribute.name());
      const auto [first, is_new] = first_of_name.try_emplace(std::move(key), attribute);
      if (!is_new) return first->second;
    }
    parameters_.push_back(attribute);
    return {};
  };
  for (const Unknown& each : unknown) {
    const Attribute& attribute = each.attribute;
    if (row_.takes_parameters && each.meant.empty()) {
      if (const Attribute first = take_parameter(attribute)) report_repeated(attribute, first);
      continue;
    }
    std::string hint = each.meant.empty() ? table_.owners_of(attribute.name()) : did_you_mean(each.meant);
    const Rule rule = each.meant.empty() ? table_.rules.unknown_attribute
                                         : table_.misspelt_attribute.value_or(table_.rules.unknown_attribute);
    text::Finding& finding =
        reporter_.report(rule, attribute.name_span(),
                         "unknown attribute " + quote(attribute.name()) + of_element(element_), std::move(hint));
    if (each.meant.empty()) continue;
    reporter_.doubt();
    if (each.reason == Reason::spelling) reporter_.propose(finding, attribute.name(), each.meant, kind_of(each.meant));
  }
}

// ---- As written ---------------------------------------------------------------------------------

const Attributes::Taken* Attributes::find(std::string_view name) const {
  const auto found = std::find_if(taken_.begin(), taken_.end(),
                                  [&](const Taken& each) { return text::is_same_name(each.row->name, name); });
  return found == taken_.end() ? nullptr : &*found;
}

const Attribute& Attributes::operator[](std::string_view name) const {
  static const Attribute kNone;
  const Taken* const own = find(name);
  return own == nullptr ? kNone : own->attribute;
}

Attribute Attributes::filled(std::string_view name) const {
  const Attribute& attribute = (*this)[name];
  return attribute.value().empty() ? Attribute() : attribute;
}

Attribute Attributes::misspelt(std::string_view name) const {
  const auto found =
      std::find_if(misspelt_.begin(), misspelt_.end(), [&](const Unknown& each) { return each.meant == name; });
  return found == misspelt_.end() ? Attribute() : found->attribute;
}

// ---- Values -------------------------------------------------------------------------------------

// Its number as given by read_value(). If it is missing, or wrongly empty, that has been reported.
std::optional<std::int64_t> Attributes::read(std::string_view name, std::optional<Rule> taken_as_default) const {
  const Taken* const own = find(name);
  if (own == nullptr) return std::nullopt;
  const auto& [row, attribute] = *own;
  if (row->need != Need::optional && lacks(*row, attribute)) return std::nullopt;
  ValueFault fault;
  const std::optional<ir::Parameter> value =
      read_value(row->name, row->value, attribute.value(), table_.numbers, fault);
  if (value) return value->whole;
  if (taken_as_default) fault.message += ": the engine uses " + quote(row->otherwise);
  report_fault(taken_as_default.value_or(table_.rules.bad_value), Where(attribute.value_span(), use_),
               attribute.value(), std::move(fault), reporter_);
  return std::nullopt;
}

std::optional<std::uint32_t> Attributes::whole(std::string_view name) const {
  const std::optional<std::int64_t> number = read(name);
  return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

std::optional<std::uint64_t> Attributes::seconds_us(std::string_view name) const {
  const std::optional<std::int64_t> number = read(name);
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool Attributes::boolean(std::string_view name) const { return read(name).value_or(0) != 0; }

std::size_t Attributes::word(std::string_view name) const { return static_cast<std::size_t>(read(name).value_or(0)); }

std::size_t Attributes::word(std::string_view name, Rule rule) const {
  return static_cast<std::size_t>(read(name, rule).value_or(0));
}

Attribute Attributes::not_blank(std::string_view name) const {
  const Attribute& attribute = (*this)[name];
  if (!attribute || !is_blank(attribute.value())) return attribute;
  reporter_.report(table_.rules.bad_value, Where(attribute.value_span(), use_),
                   "attribute " + quote(attribute.name()) + of_element(element_) + " is empty",
                   "give it a value, or remove it");
  return {};
}

}  // namespace espalier::dialects
