// Expands references to declared entities. See entities.h.
#include "text/entities.h"

namespace espalier::text {
namespace {

// In an attribute's value, quotes from an entity's text are not delimiters.
std::string_view written_quote(char c) { return c == '"' ? "&quot;" : c == '\'' ? "&apos;" : std::string_view(); }

bool has_quotes(std::string_view text) { return text.find('"') != text.npos || text.find('\'') != text.npos; }

void append_text(std::string_view text, bool in_attribute, std::string& expanded) {
  if (!in_attribute || !has_quotes(text)) {
    expanded += text;
    return;
  }
  for (const char c : text) {
    if (const std::string_view quote = written_quote(c); !quote.empty()) {
      expanded += quote;
    } else {
      expanded += c;
    }
  }
}

// Recursive; the depth is that of nested entities, which is limited.
void append(const Reference& reference, std::string& expanded) {
  const std::string_view text = reference.entity->text;
  std::size_t at = 0;
  for (const Reference& inner : reference.entity->readings[reference.in_attribute ? 1 : 0].references) {
    append_text(text.substr(at, inner.begin - at), reference.in_attribute, expanded);
    append(inner, expanded);
    at = inner.end;
  }
  append_text(text.substr(at), reference.in_attribute, expanded);
}

}  // namespace

std::uint64_t expanded_size(std::string_view text, bool in_attribute) {
  std::uint64_t size = text.size();
  if (!in_attribute || !has_quotes(text)) return size;
  for (const char c : text) {
    if (const std::string_view quote = written_quote(c); !quote.empty()) size += quote.size() - 1;
  }
  return size;
}

std::string expansion(const Reference& reference) {
  std::string expanded;
  expanded.reserve(reference.entity->readings[reference.in_attribute ? 1 : 0].expanded_bytes);
  append(reference, expanded);
  return expanded;
}

}  // namespace espalier::text
