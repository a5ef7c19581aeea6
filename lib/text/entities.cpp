// References to declared entities replaced. See entities.h.
#include "text/entities.h"

#include <algorithm>

namespace espalier::text {
namespace {

// In an attribute's value, quotes of an entity's text are no delimiters.
std::string_view written_quote(char c) { return c == '"' ? "&quot;" : c == '\'' ? "&apos;" : std::string_view(); }

void append_text(std::string_view text, bool in_attribute, std::string& expanded) {
  if (!in_attribute) {
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

// As deep as entities are nested, which is limited.
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
  if (!in_attribute) return size;
  for (const char c : text) {
    if (const std::string_view quote = written_quote(c); !quote.empty()) size += quote.size() - 1;
  }
  return size;
}

std::string expand(std::string_view text, const std::vector<Reference>& references,
                   std::vector<Expansion>& expansions) {
  std::string expanded;
  std::size_t at = 0;
  for (const Reference& reference : references) {
    expanded += text.substr(at, reference.begin - at);
    Expansion& expansion = expansions.emplace_back();
    expansion.source_begin = reference.begin;
    expansion.source_end = reference.end;
    expansion.begin = static_cast<std::uint32_t>(expanded.size());
    append(reference, expanded);
    expansion.end = static_cast<std::uint32_t>(expanded.size());
    at = reference.end;
  }
  expanded += text.substr(at);
  return expanded;
}

std::uint32_t place_in_source(const std::vector<Expansion>& expansions, std::uint32_t offset, bool is_end) {
  const auto next = std::partition_point(expansions.begin(), expansions.end(),
                                         [&](const Expansion& expansion) { return expansion.begin < offset; });
  if (next == expansions.begin()) return offset;
  const Expansion& last = *(next - 1);
  if (offset < last.end) return is_end ? last.source_end : last.source_begin;
  return last.source_end + (offset - last.end);
}

}  // namespace espalier::text
