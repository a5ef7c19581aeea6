// Guarded output. See output_form.h.
#include "report/output_form.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "text/characters.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

constexpr char kEscape = '\x1b';
constexpr char32_t kFirstOfTwoUnits = 0x10000;  // UTF-16 has two units for these

constexpr std::size_t kMostBeforeBracket = std::string_view("##vso").size();

// Where the first byte from `begin` on is that does not pass as it is.
std::size_t end_of_plain(std::string_view text, std::size_t begin) {
  for (;;) {
    begin = text::end_of_printable(text, begin);
    if (begin == text.size() || (text[begin] != '\n' && text[begin] != '\t')) return begin;
    ++begin;
  }
}

// The length of the colour ("\x1b[1;31m") that begins `text`; 0 if there is none; npos if `text` may end inside of one.
std::size_t color_bytes(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (i == 1 ? text[i] != '[' : text[i] != ';' && (text[i] < '0' || text[i] > '9')) return text[i] == 'm' ? i + 1 : 0;
  }
  return std::string_view::npos;
}

// The same of the beginning or the end of a link.
std::size_t link_bytes(std::string_view text) {
  if (text.size() < kLinkBegin.size()) return kLinkBegin.starts_with(text) ? std::string_view::npos : 0;
  if (!text.starts_with(kLinkBegin)) return 0;
  std::size_t end = kLinkBegin.size();
  while (end < text.size() && text[end] > ' ' && text[end] <= '~') ++end;
  const std::string_view rest = text.substr(end, kLinkEnd.size());
  if (rest.size() < kLinkEnd.size()) return kLinkEnd.starts_with(rest) ? std::string_view::npos : 0;
  return rest == kLinkEnd ? end + kLinkEnd.size() : 0;
}

// `text` is not a character. Could more bytes make it one?
bool is_cut_off(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size_bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  return text.size() < size_bytes && std::all_of(text.begin() + 1, text.end(),
                                                 [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
}

template <typename... Numbers>
void append_formatted(std::string& result, const char* format, Numbers... numbers) {
  char text[32];
  const int size = std::snprintf(text, sizeof text, format, static_cast<unsigned>(numbers)...);
  result.append(text, static_cast<std::size_t>(size));
}

}  // namespace

GuardedOutput::GuardedOutput(std::ostream& out) : out_(out), target_(out.rdbuf(this)) {}

GuardedOutput::~GuardedOutput() {
  write({}, true);
  // rdbuf() would clear the error state.
  const std::ios::iostate state = out_.rdstate();
  out_.rdbuf(target_);
  out_.clear(state);
}

void GuardedOutput::append_escaped(std::string& result, char32_t code, bool is_valid) const {
  if (form_ == OutputForm::json && is_valid) {
    // Outside of strings JSON has no hidden characters except white space.
    if (code == '\r') {
      result += ' ';
    } else if (code < kFirstOfTwoUnits) {
      append_formatted(result, "\\u%04x", code);
    } else {
      const char32_t rest = code - kFirstOfTwoUnits;
      append_formatted(result, "\\u%04x\\u%04x", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
    }
  } else if (form_ == OutputForm::xml && is_valid && text::is_xml_character(code)) {
    append_formatted(result, "&#x%X;", code);
  } else {
    result += text::name_of_hidden({code, 1, is_valid && form_ != OutputForm::xml});
  }
}

// Of a character that would be a part of a command; empty: it passes.
std::string_view GuardedOutput::escaped(char c) const {
  switch (form_) {
    case OutputForm::text:
    case OutputForm::colored:
      return c == ':' ? "<U+003A>" : "<U+005B>";
    case OutputForm::json:
      return c == ':' ? "" : "\\u005b";
    case OutputForm::xml:
      return c == ':' ? "" : "&#91;";
    case OutputForm::document:
      break;
  }
  return {};
}

// Is a '[' after these bytes that of "##[" or "##vso[", in any case? What was sent before them counts too.
bool GuardedOutput::ends_command(std::string_view before) const {
  std::string last(before.substr(before.size() - std::min(before.size(), kMostBeforeBracket)));
  if (last.size() < kMostBeforeBracket) last.insert(0, tail_);
  last.erase(0, last.size() - std::min(last.size(), kMostBeforeBracket));
  return last.ends_with("##") || text::lower_case(last) == "##vso";
}

// The second of two colons that begin a line is spelt out, and the bracket of a command.
bool GuardedOutput::send(std::string_view bytes) {
  const auto put = [this](std::string_view part) {
    const auto size = static_cast<std::streamsize>(part.size());
    return target_->sputn(part.data(), size) == size;
  };
  std::vector<std::size_t> commands;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (line_start_ == LineStart::past) at = std::min(bytes.find('\n', at), bytes.size() - 1);
    const char c = bytes[at];
    if (c == ':' && line_start_ == LineStart::after_colon) commands.push_back(at);
    const bool begins = line_start_ == LineStart::blank && c == ':';
    const bool is_blank = line_start_ == LineStart::blank && (c == ' ' || c == '\t');
    line_start_ = c == '\n' || is_blank ? LineStart::blank : begins ? LineStart::after_colon : LineStart::past;
  }
  for (std::size_t at = bytes.find('['); at != std::string_view::npos; at = bytes.find('[', at + 1)) {
    if (ends_command(bytes.substr(0, at))) commands.push_back(at);
  }
  std::sort(commands.begin(), commands.end());
  std::size_t sent = 0;
  for (const std::size_t at : commands) {
    const std::string_view words = escaped(bytes[at]);
    if (words.empty()) continue;
    if (!put(bytes.substr(sent, at - sent)) || !put(words)) return false;
    sent = at + 1;
  }
  tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), kMostBeforeBracket)));
  tail_.erase(0, tail_.size() - std::min(tail_.size(), kMostBeforeBracket));
  return put(bytes.substr(sent));
}

bool GuardedOutput::write(std::string_view bytes, bool is_end) {
  written_bytes_ += bytes.size();
  if (pending_.empty() && end_of_plain(bytes, 0) == bytes.size()) return send(bytes);  // nearly always
  std::string whole;
  if (!pending_.empty()) {
    whole = std::move(pending_) + std::string(bytes);
    pending_.clear();
    bytes = whole;
  }
  std::string result;
  result.reserve(bytes.size());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t plain_end = end_of_plain(bytes, at);
    result += bytes.substr(at, plain_end - at);
    at = plain_end;
    if (at == bytes.size()) break;
    const std::string_view rest = bytes.substr(at);
    const bool may_be_color = form_ == OutputForm::colored && rest.front() == kEscape;
    const std::size_t color = !may_be_color ? 0 : rest.starts_with("\x1b]") ? link_bytes(rest) : color_bytes(rest);
    const text::Character character = text::character_at(rest, 0);
    const bool waits = color == std::string_view::npos || (!character.is_valid && is_cut_off(rest));
    if (waits && !is_end) {
      pending_ = rest;
      break;
    }
    const bool is_color = color != 0 && color != std::string_view::npos;
    const std::size_t size_bytes = is_color ? color : character.size_bytes;
    if (is_color || (character.is_valid && !text::is_hidden(character.code))) {
      result += rest.substr(0, size_bytes);
    } else {
      append_escaped(result, character.code, character.is_valid);
    }
    at += size_bytes;
  }
  return send(result);
}

std::streamsize GuardedOutput::xsputn(const char* bytes, std::streamsize count) {
  return write({bytes, static_cast<std::size_t>(count)}, false) ? count : 0;
}

GuardedOutput::int_type GuardedOutput::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  const char letter = traits_type::to_char_type(byte);
  return write({&letter, 1}, false) ? byte : traits_type::eof();
}

int GuardedOutput::sync() { return target_->pubsync(); }

FormScope::FormScope(std::ostream& out, OutputForm form) : guarded_(dynamic_cast<GuardedOutput*>(out.rdbuf())) {
  if (guarded_ == nullptr) return;
  before_ = guarded_->form_;
  guarded_->form_ = form;
}

FormScope::~FormScope() {
  if (guarded_ != nullptr) guarded_->form_ = before_;
}

std::uint64_t written_bytes(const std::ostream& out) {
  const auto* guarded = dynamic_cast<const GuardedOutput*>(out.rdbuf());
  return guarded == nullptr ? 0 : guarded->written_bytes_;
}

void write_unguarded(std::ostream& out, std::string_view bytes) {
  if (auto* guarded = dynamic_cast<GuardedOutput*>(out.rdbuf())) {
    guarded->target_->sputn(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  } else {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
}

}  // namespace espalier::report
