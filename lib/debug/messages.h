// What messages of the Debug Adapter Protocol are read and written with.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/history.h"
#include "editor/messages.h"

namespace espalier::debug {

using editor::Json;

// Members of objects that may be anything: null, empty or nothing where there is none of this type. Integers beyond
// 2^53 are 2^53.
[[nodiscard]] const Json* find(const Json& object, const char* key);
[[nodiscard]] std::string string_in(const Json& object, const char* key);
[[nodiscard]] std::optional<std::int64_t> integer_in(const Json& object, const char* key);
[[nodiscard]] bool flag_in(const Json& object, const char* key, bool otherwise);
[[nodiscard]] std::vector<Json> list_in(const Json& object, const char* key);

// "running", "success", ...; of other moments than those of nodes: empty.
[[nodiscard]] std::string_view word_of(MomentKind kind);
[[nodiscard]] std::string absolute_path(std::string_view path);
// "Attack begins", "Alerted becomes true"
[[nodiscard]] std::string words_of(const History& history, const Moment& moment);
// "1.5 s"
[[nodiscard]] std::string seconds_of(std::uint64_t time_us);

enum class Scope : std::uint8_t { node, inputs, values, answers, running, count };

// A frame of an agent, or a scope of it, as the protocol numbers them: from 1 on.
struct Reference {
  std::uint32_t agent = 0;
  std::uint32_t frame = 0;  // counted from the innermost one
  Scope scope = Scope::node;

  static constexpr std::int64_t kFrames = std::int64_t{1} << 20;  // of an agent, at most
  [[nodiscard]] std::int64_t number() const;
  // Any number may come from a client.
  static Reference of(std::int64_t number);
};

}  // namespace espalier::debug
