// The canonical layout. See format.h. What is written is copied from the source piece by piece; only blanks between
// elements and attributes, the kind of quotes and the order of attributes change.
#include "rewrite/format.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "text/characters.h"
#include "text/names.h"

namespace espalier::rewrite {
namespace {

using dialects::ElementRow;
using text::Item;

// An attribute as written.
struct Written {
  std::string_view name;
  std::string_view value;  // between the quotes
  char quote = '"';
};

bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), text::is_space); }

std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Bytes that begin a character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The name and the attributes of a well-formed start tag, "<NAME ... >".
std::pair<std::string_view, std::vector<Written>> parts_of_tag(std::string_view tag) {
  std::size_t at = text::end_of_name(tag, 1);
  const std::string_view name = tag.substr(1, at - 1);
  std::vector<Written> attributes;
  const auto skip_blanks = [&] {
    while (text::is_space(tag[at])) ++at;
  };
  for (skip_blanks(); tag[at] != '>' && tag[at] != '/'; skip_blanks()) {
    Written attribute;
    const std::size_t end = text::end_of_name(tag, at);
    attribute.name = tag.substr(at, end - at);
    at = tag.find_first_of("\"'", end);
    attribute.quote = tag[at];
    const std::size_t close = tag.find(attribute.quote, at + 1);
    attribute.value = tag.substr(at + 1, close - at - 1);
    attributes.push_back(attribute);
    at = close + 1;
  }
  return {name, std::move(attributes)};
}

class Formatter {
 public:
  Formatter(const text::ParsedXml& parsed, const dialects::ElementTable& table, const Layout& layout)
      : text_(parsed.text), parsed_(parsed), table_(table), layout_(layout) {
    const std::size_t line_end = text_.find('\n');
    line_ending_ = line_end != std::string_view::npos && line_end > 0 && text_[line_end - 1] == '\r' ? "\r\n" : "\n";
  }
  std::string run();

 private:
  // An element whose end has not been written.
  struct Open {
    std::uint32_t item = 0;
    const ElementRow* row = nullptr;  // null: unknown
  };

  void write_prolog();
  void write_item(std::uint32_t index);
  std::uint32_t write_element(std::uint32_t index);  // the item that follows
  void close_elements_before(std::uint32_t index);
  void write_tag(const Item& item, const ElementRow* row, bool is_empty);
  void write_comment(const Item& item);
  void begin_line(std::uint32_t at);
  std::string_view between(std::uint32_t begin, std::uint32_t end) const { return text_.substr(begin, end - begin); }
  std::string_view markup(const Item& item) const { return between(item.begin, item.end); }
  bool has_text(std::uint32_t index) const;
  bool is_empty(std::uint32_t index, const ElementRow* row) const;
  const ElementRow* row_of(std::string_view name) const;
  void sort_attributes(const ElementRow& row, std::vector<Written>& attributes) const;
  std::size_t rank_of(const ElementRow& row, std::string_view attribute) const;
  std::string indentation() const;

  const std::string_view text_;
  const text::ParsedXml& parsed_;
  const dialects::ElementTable& table_;
  const Layout& layout_;
  std::string_view line_ending_;
  std::string result_;
  std::vector<Open> open_;
  std::uint32_t copied_ = 0;  // everything before it is written, but for blanks
};

std::string Formatter::indentation() const {
  std::string blanks;
  for (std::size_t level = 0; level < open_.size(); ++level) blanks += layout_.indent;
  return blanks;
}

// Ends the line before the markup at `at`, and keeps one of the empty lines before it.
void Formatter::begin_line(std::uint32_t at) {
  if (!result_.empty()) result_ += line_ending_;
  if (!result_.empty() && line_count(between(copied_, at)) > 1) result_ += line_ending_;
  result_ += indentation();
}

const ElementRow* Formatter::row_of(std::string_view name) const {
  if (open_.empty() || open_.back().row == nullptr) return open_.empty() ? table_.find(name) : nullptr;
  return table_.find_in(*open_.back().row, name);
}

std::size_t Formatter::rank_of(const ElementRow& row, std::string_view attribute) const {
  std::size_t rank = 0;
  for (const auto& rows : {row.attributes, table_.common}) {
    for (const dialects::AttributeRow& each : rows) {
      if (table_.is_same(each.name, attribute)) return rank;
      ++rank;
    }
  }
  return rank;
}

// Parameters for the host, and attributes that the table does not know, stay in their order, after the others.
void Formatter::sort_attributes(const ElementRow& row, std::vector<Written>& attributes) const {
  std::stable_sort(attributes.begin(), attributes.end(),
                   [&](const Written& a, const Written& b) { return rank_of(row, a.name) < rank_of(row, b.name); });
}

void Formatter::write_tag(const Item& item, const ElementRow* row, bool is_empty) {
  auto [name, attributes] = parts_of_tag(between(item.begin, item.tag_end));
  if (row != nullptr) sort_attributes(*row, attributes);
  std::vector<std::string> written;
  std::size_t width = open_.size() * layout_.indent_width() + 1 + width_of(name) + (is_empty ? 2 : 1);
  bool has_lines = false;
  for (const Written& each : attributes) {
    const char quote = each.value.find('"') == std::string_view::npos ? '"' : each.quote;
    written.push_back(std::string(each.name) + '=' + quote + std::string(each.value) + quote);
    width += 1 + width_of(written.back());
    has_lines |= line_count(each.value) > 0;
  }
  const bool is_long = attributes.size() > 1 && (width > layout_.width || has_lines);
  const std::string next_line = std::string(line_ending_) + indentation() + layout_.attribute_indent();
  result_ += '<';
  result_ += name;
  for (std::size_t i = 0; i < written.size(); ++i) {
    result_ += is_long && i > 0 ? next_line : " ";
    result_ += written[i];
  }
  result_ += is_empty ? "/>" : ">";
}

// A comment after something else on its line stays there. Its further lines move with the first one.
void Formatter::write_comment(const Item& item) {
  const bool is_beside = !result_.empty() && line_count(between(copied_, item.begin)) == 0;
  if (is_beside) {
    result_ += ' ';
    result_ += markup(item);
    return;
  }
  begin_line(item.begin);
  const std::size_t line = text_.substr(0, item.begin).rfind('\n') + 1;  // 0 if there is none
  const std::string_view indent = text_.substr(line, item.begin - line);
  std::string_view rest = markup(item);
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    result_ += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
    const bool is_aligned = is_blank(indent) && rest.substr(0, indent.size()) == indent;
    if (!is_aligned || is_blank(rest.substr(0, rest.find('\n')))) continue;
    rest.remove_prefix(indent.size());
    result_ += indentation();
  }
  result_ += rest;
}

bool Formatter::has_text(std::uint32_t index) const {
  const Item& item = parsed_.items[index];
  for (std::uint32_t child = index + 1; child < item.next; child = parsed_.items[child].next) {
    const Item::Kind kind = parsed_.items[child].kind;
    if (kind == Item::Kind::text || kind == Item::Kind::section) return true;
  }
  return false;
}

bool Formatter::is_empty(std::uint32_t index, const ElementRow* row) const {
  const Item& item = parsed_.items[index];
  if (item.end_tag == 0) return true;
  if (item.next != index + 1) return false;
  return item.tag_end == item.end_tag || row == nullptr || !row->content.text;
}

std::uint32_t Formatter::write_element(std::uint32_t index) {
  const Item& item = parsed_.items[index];
  const std::string_view name =
      between(item.begin + 1, static_cast<std::uint32_t>(text::end_of_name(text_, item.begin + 1)));
  const ElementRow* const row = row_of(name);
  begin_line(item.begin);
  const bool is_verbatim = has_text(index) || (item.end_tag != 0 && item.next == index + 1 && !is_empty(index, row));
  write_tag(item, row, !is_verbatim && is_empty(index, row));
  if (is_verbatim) {
    result_ += between(item.tag_end, item.end_tag);
    result_.append("</").append(name) += '>';
  } else if (!is_empty(index, row)) {
    open_.push_back({index, row});
    copied_ = item.tag_end;
    return index + 1;
  }
  copied_ = item.end;
  return item.next;
}

void Formatter::close_elements_before(std::uint32_t index) {
  while (!open_.empty() && parsed_.items[open_.back().item].next <= index) {
    const Item& item = parsed_.items[open_.back().item];
    open_.pop_back();
    begin_line(item.end_tag);
    const std::uint32_t name_begin = item.begin + 1;
    result_ += "</";
    result_ += between(name_begin, static_cast<std::uint32_t>(text::end_of_name(text_, name_begin)));
    result_ += '>';
    copied_ = item.end;
  }
}

std::string Formatter::run() {
  const auto count = static_cast<std::uint32_t>(parsed_.items.size());
  std::uint32_t index = 0;
  const auto write_verbatim = [this](std::uint32_t begin, std::uint32_t end) {
    begin_line(begin);
    result_ += between(begin, end);
    copied_ = end;
  };
  constexpr std::string_view kDeclaration = "<?xml";
  const std::size_t first = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());  // some readers take blanks
  if (text_.substr(first, kDeclaration.size()) == kDeclaration && text::is_space(text_[first + kDeclaration.size()])) {
    write_verbatim(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(text_.find("?>", first) + 2));
  }
  bool has_doctype = parsed_.doctype_begin != parsed_.doctype_end;
  while (index < count) {
    const Item& item = parsed_.items[index];
    if (has_doctype && parsed_.doctype_begin < item.begin) {
      write_verbatim(parsed_.doctype_begin, parsed_.doctype_end);
      has_doctype = false;
    }
    close_elements_before(index);
    if (item.begin < copied_) {  // in the declaration or the DOCTYPE
      index = item.next;
    } else if (item.kind == Item::Kind::element) {
      index = write_element(index);
    } else {
      if (item.kind == Item::Kind::comment) {
        write_comment(item);
      } else {
        write_verbatim(item.begin, item.end);
      }
      copied_ = item.end;
      index = item.next;
    }
  }
  close_elements_before(count);
  result_ += line_ending_;
  return std::move(result_);
}

}  // namespace

std::string_view why_not_formatted(const text::ParsedXml& parsed) {
  if (!parsed.has_document || parsed.is_damaged) return "it is not well-formed";
  if (!parsed.repaired.replaced.empty()) return "it has references to entities that it declares";
  return {};
}

std::string formatted(const text::ParsedXml& parsed, const dialects::ElementTable& table, const Layout& layout) {
  return Formatter(parsed, table, layout).run();
}

}  // namespace espalier::rewrite
