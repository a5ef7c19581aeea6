// Members and numbers of messages. See messages.h.
#include "debug/messages.h"

#include <algorithm>

#include "replay/event.h"
#include "system/filesystem.h"

namespace espalier::debug {

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}
std::string string_in(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}
std::optional<std::int64_t> integer_in(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  constexpr std::int64_t kMost = std::int64_t{1} << 53;  // as in JavaScript; sums of a few do not overflow
  return std::clamp(value->get<std::int64_t>(), -kMost, kMost);
}
bool flag_in(const Json& object, const char* key, bool otherwise) {
  const Json* const value = find(object, key);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
}
std::vector<Json> list_in(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  return value != nullptr && value->is_array() ? value->get<std::vector<Json>>() : std::vector<Json>();
}

std::string absolute_path(std::string_view path) {
  std::error_code error;
  const system::filesystem::path whole = system::filesystem::absolute(system::filesystem::path(path), error);
  return error ? std::string(path) : whole.lexically_normal().generic_string();
}

std::string_view word_of(MomentKind kind) {
  switch (kind) {
    case MomentKind::begin:
      return "running";
    case MomentKind::success:
      return "success";
    case MomentKind::failure:
      return "failure";
    case MomentKind::skipped:
      return "skipped";
    case MomentKind::halted:
      return "halted";
    default:
      return {};
  }
}

std::string words_of(const History& history, const Moment& moment) {
  const std::string name(history.text(moment.name));
  switch (moment.kind) {
    case MomentKind::set:
      return name + " becomes " + std::string(history.text(moment.value));
    case MomentKind::answer:
      return name + " answers " + std::string(history.text(moment.value));
    case MomentKind::input:
      return "input " + name + ": " + std::string(history.text(moment.value));
    case MomentKind::update_begins:
      return "an update begins";
    case MomentKind::update_ends:
      return "an update is over";
    case MomentKind::tree:
      return "the tree " + history.rows()[moment.row].name;
    case MomentKind::decided:
      return name + " of " + history.rows()[moment.row].name + " decides";
    case MomentKind::ticked_again:
      return history.rows()[moment.row].name + " is ticked again";
    case MomentKind::signal:
      return "signal " + name;
    case MomentKind::error:
    case MomentKind::log:
    case MomentKind::failed:
    case MomentKind::unscripted:
    case MomentKind::drift:
    case MomentKind::event:
      return name;
    case MomentKind::line:
      return "the line is over";
    case MomentKind::begin:
      return history.rows()[moment.row].name + " begins";
    default:
      return history.rows()[moment.row].name + ": " + std::string(word_of(moment.kind));
  }
}

std::string seconds_of(std::uint64_t time_us) { return replay::seconds_text(time_us) + " s"; }

std::int64_t Reference::number() const {
  const std::int64_t of_frame = std::int64_t{agent} * kFrames + frame;
  return of_frame * static_cast<std::int64_t>(Scope::count) + static_cast<std::int64_t>(scope) + 1;
}

Reference Reference::of(std::int64_t number) {
  number = std::max<std::int64_t>(0, number - 1);
  const auto scopes = static_cast<std::int64_t>(Scope::count);
  return {static_cast<std::uint32_t>(number / scopes / kFrames), static_cast<std::uint32_t>(number / scopes % kFrames),
          static_cast<Scope>(number % scopes)};
}

}  // namespace espalier::debug
