// See questions.h.
#include "debug/questions.h"

#include <charconv>

#include "debug/messages.h"

namespace espalier::debug {

bool is_write_of(const History& history, const Moment& moment, std::string_view name) {
  return moment.kind == MomentKind::set && history.text(moment.name) == name;
}

std::size_t last_write(const History& history, std::size_t count, std::uint32_t agent, std::string_view name) {
  for (; count > 0; --count) {
    const Moment& moment = history.moments()[count - 1];
    if (moment.agent == agent && is_write_of(history, moment, name)) break;
  }
  return count;
}

std::size_t last_of(const History& history, std::size_t count, std::uint32_t agent, std::string_view node) {
  for (; count > 0; --count) {
    const Moment& moment = history.moments()[count - 1];
    if (moment.agent != agent || moment.kind == MomentKind::line) continue;
    if (node.empty() || (moment.is_of_node() && history.rows()[moment.row].name == node)) break;
  }
  return count;
}

std::size_t last_until(const History& history, std::size_t count, double time_s) {
  std::size_t until = 0;
  while (until < count && static_cast<double>(history.moments()[until].time_us) <= time_s * 1e6) ++until;
  return until;
}

std::optional<double> seconds_in(const std::string& text) {
  double time_s = -1;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), time_s);
  if (error != std::errc() || rest != text.data() + text.size() || !(time_s >= 0)) return std::nullopt;
  return time_s;
}

std::string words_of_write(const History& history, std::size_t count) {
  const Moment& moment = history.moments()[count - 1];
  const std::string node = moment.row == kNoRow ? std::string("the program") : history.rows()[moment.row].name;
  return node + " at " + seconds_of(moment.time_us) + ": " + words_of(history, moment);
}

}  // namespace espalier::debug
