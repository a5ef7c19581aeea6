// Messages of a replay. See message.h.
#include "replay/message.h"

#include <algorithm>

#include "report/line_view.h"

namespace espalier::replay {
namespace {

using report::visible;

// Terminal colours; all empty when there is no colour.
struct Palette {
  std::string_view bold, error, warning, note, mark, dim, reset;
};

constexpr Palette kPlain = {};
constexpr Palette kColored = {"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[34m", "\x1b[0m"};

// Builds one message; holds what every part of it needs.
struct Writer {
  const LinePlace& place;
  const Palette& palette;
  std::string text = {};

  void add(std::string_view color, std::string_view words) {
    text += color;
    text += words;
    if (!color.empty()) text += palette.reset;
  }

  void begin(text::Span span) {
    add(palette.bold,
        visible(place.path) + ':' + std::to_string(place.number) + ':' + std::to_string(span.begin + 1) + ':');
    text += ' ';
  }

  void excerpt(text::Span span) {
    if (place.text.empty()) return;
    const report::LineView view = report::view_line(place.text, span.begin, span.end - span.begin);
    const std::string number = std::to_string(place.number);
    const std::size_t width = std::max<std::size_t>(number.size(), 4);
    add(palette.dim, std::string(width + 1 - number.size(), ' ') + number + " | ");
    text += view.text + '\n';
    add(palette.dim, std::string(width + 1, ' ') + " | ");
    text += view.indent;
    add(palette.mark, view.mark);
    text += '\n';
  }

  void hint(std::string_view words) {
    if (words.empty()) return;
    text += "  ";
    add(palette.note, "hint");
    text += ": " + visible(words) + '\n';
  }
};

// What would fill a terminal is cut.
std::string shortened(std::string_view json) {
  constexpr std::size_t kMaxBytes = 1000;
  if (json.size() <= kMaxBytes) return visible(json);
  std::size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>(json[end]) & 0xC0) == 0x80) --end;
  return visible(json.substr(0, end)) + "...";
}

}  // namespace

std::string fault_message(const LinePlace& place, const LineFault& fault, bool is_error, bool color) {
  const rules::RuleInfo& rule = rules::info(fault.rule);
  Writer writer{place, color ? kColored : kPlain};
  writer.begin(fault.span);
  writer.add(is_error ? writer.palette.error : writer.palette.warning, is_error ? "error" : "warning");
  writer.text += ": ";
  writer.add(writer.palette.bold, visible(fault.message));
  writer.text += " [" + std::string(rule.name) + ' ' + std::string(rule.code) + "]\n";
  writer.excerpt(fault.span);
  writer.hint(fault.hint);
  return std::move(writer.text);
}

std::string failure_message(const LinePlace& place, const LineFailure& failure, bool color) {
  Writer writer{place, color ? kColored : kPlain};
  writer.begin(failure.span);
  writer.add(writer.palette.error, "failed");
  writer.text += ": ";
  writer.add(writer.palette.bold, visible(failure.message));
  writer.text += '\n';
  writer.excerpt(failure.span);
  writer.hint(failure.hint);
  return std::move(writer.text);
}

std::string difference_message(const LinePlace& place, const Difference& difference, bool several_agents, bool color) {
  Writer writer{place, color ? kColored : kPlain};
  std::string key = visible(difference.key);
  if (difference.agent && several_agents) key += " of agent " + std::to_string(*difference.agent);
  writer.begin(difference.span);
  writer.add(writer.palette.error, "failed");
  writer.text += ": ";
  writer.add(writer.palette.bold, key + (difference.key == "events" ? " are" : " is") + " not what was expected");
  writer.text += '\n';
  writer.excerpt(difference.span);
  const text::Span span = difference.span;
  const auto value = [&](const char* name, std::string_view json) {
    writer.text += "  ";
    writer.add(writer.palette.note, name);
    writer.text += ' ' + shortened(json) + '\n';
  };
  value("expected", place.text.substr(span.begin, span.end - span.begin));
  value("actual  ", difference.actual);
  if (!difference.note.empty()) writer.text += "           " + shortened(difference.note) + '\n';
  return std::move(writer.text);
}

std::string last_events(const Session& session, const EventLog& log) {
  std::string text = "  at " + seconds_text(session.time_us()) + " s, ";
  text += log.recent().empty() ? "before any event\n" : "after these events:\n";
  for (const Event& event : log.recent()) {
    text += "    " + seconds_text(event.time_us) + "  ";
    text += visible(event_text(event, session.has_several_agents())) + '\n';
  }
  return text;
}

}  // namespace espalier::replay
