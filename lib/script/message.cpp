// Lua's messages in espalier's wording. See message.h.
#include "script/message.h"

#include <algorithm>
#include <charconv>

namespace espalier::script {
namespace {

constexpr std::string_view kChunk = "script ";

// "script ID:LINE: " at the beginning of a message.
struct Prefix {
  std::uint32_t id = 0;
  std::uint32_t line = 0;
  std::size_t length = 0;  // 0 if there is none
};

Prefix read_place(std::string_view message) {
  Prefix place;
  if (message.substr(0, kChunk.size()) != kChunk) return place;
  const char* const end = message.data() + message.size();
  const auto id = std::from_chars(message.data() + kChunk.size(), end, place.id);
  if (id.ec != std::errc() || id.ptr == end || *id.ptr != ':') return place;
  const auto line = std::from_chars(id.ptr + 1, end, place.line);
  if (line.ec != std::errc() || end - line.ptr < 2 || line.ptr[0] != ':' || line.ptr[1] != ' ') return place;
  place.length = static_cast<std::size_t>(line.ptr + 2 - message.data());
  return place;
}

bool has_several_lines(std::string_view script) { return script.find_first_of("\r\n") != std::string_view::npos; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Libraries of the engines, and libraries of Lua that are not available to scripts here.
constexpr std::string_view kEngineNames[] = {
    "AI",       "ActionMapManager", "Action",   "CryAction",   "EntityUtils", "Game",    "Log",
    "LogError", "LogWarning",       "Movie",    "Network",     "Particle",    "Physics", "Script",
    "Sound",    "System",           "UIAction", "g_gameRules", "g_localActor"};
constexpr std::string_view kAbsentNames[] = {"collectgarbage", "coroutine", "debug",   "dofile",  "io",
                                             "loadfile",       "os",        "package", "require", "warn"};

// The X of "... (global 'X')".
std::string_view nil_global(std::string_view message) {
  constexpr std::string_view kMark = "a nil value (global '";
  const std::size_t at = message.find(kMark);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + kMark.size());
  return message.substr(0, message.find('\''));
}

template <std::size_t count>
bool contains(const std::string_view (&names)[count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

std::string chunk_name(std::uint32_t id) { return "=" + std::string(kChunk) + std::to_string(id); }

std::string plain_message(std::string_view message, std::uint32_t id, std::string_view script,
                          const ScriptFiles& files) {
  const Prefix place = read_place(message);
  std::string text(message.substr(place.length));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  replace_all(text, "'<eof>'", "<eof>");  // as some versions of Lua write it
  replace_all(text, "near <eof>", "at the end");
  replace_all(text, "<eof>", "the end");
  replace_all(text, "C stack overflow", "calls or brackets are too deep");
  if (place.length == 0) return text;
  if (place.id >= files.first && place.id - files.first < files.names.size()) {
    return files.names[place.id - files.first] + ':' + std::to_string(place.line) + ": " + text;
  }
  if (place.id != id) return "line " + std::to_string(place.line) + " of another script: " + text;
  return has_several_lines(script) ? "line " + std::to_string(place.line) + ": " + text : text;
}

std::size_t place_length(std::string_view message) { return read_place(message).length; }

std::string hint_for(std::string_view message) {
  const std::string_view name = nil_global(message);
  if (contains(kEngineNames, name)) {
    return "'" + std::string(name) + "' belongs to the engine; a trace can answer for the whole script";
  }
  if (contains(kAbsentNames, name)) return "'" + std::string(name) + "' is not available in a replay";
  if (message.find("attempt to call a nil value (method '") != std::string_view::npos) {
    return "if the method belongs to the engine, a trace can answer for the whole script";
  }
  return {};
}

}  // namespace espalier::script
