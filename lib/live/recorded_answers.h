// What the program answered in a recording, and how an agent was then, in words of a trace. See recorded.h.
#pragma once
#include <string>

#include "runtime/recording/playback.h"

namespace espalier::live {

inline constexpr const char* kRefusal = "\"refuse\"";

// Else a write has no effect.
[[nodiscard]] bool is_output(const Call& call, std::uint32_t port);
// Does the answer only say that a behaviour starts?
[[nodiscard]] bool is_start(recording::AnswerBits bits);
// Empty: the trace does not say it.
[[nodiscard]] std::string answer_text(const Call& call, const recording::Answered& answered);
// Members of an expectation: what an agent does after an update with this result.
[[nodiscard]] std::string state_text(const Tree& tree, const void* block, espalier_result result);

}  // namespace espalier::live
