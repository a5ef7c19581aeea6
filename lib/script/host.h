// What scripts can use outside the sandbox: functions and constants of the program that runs them, by their full names,
// such as "AI.Signal". The script library knows none of them.
#pragma once
#include <cstdint>
#include <string_view>

namespace espalier::script {

enum class ValueKind : std::uint8_t { nil, boolean, number, text, other };

// An argument or a result. A text is valid during the call; a result's text until the next call of the host.
struct Value {
  ValueKind kind = ValueKind::nil;
  bool boolean = false;
  double number = 0;
  std::string_view text = {};
};

enum class Named : std::uint8_t {
  nothing,
  function,  // call() calls it
  library,   // "AI": there are functions that begin with "AI."
  constant,
};

inline constexpr int kMaxHostArguments = 8;  // further ones are ignored

struct HostFunctions {
  void* user = nullptr;
  // What a global of this name is, or, for "NAME.FIELD", a field of the library or of `entity`, if the script has not
  // set it. `*constant` is the value of a constant.
  Named (*find)(void* user, std::string_view name, Value* constant) = nullptr;
  // False: an error of the script; the result is its text.
  bool (*call)(void* user, std::string_view name, const Value* arguments, int count, Value* result) = nullptr;
};

}  // namespace espalier::script
