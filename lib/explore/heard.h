// What the host hears in a step: each call of its actions and conditions, the signals that a tree sends, its messages.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string_view>

namespace espalier::explore {

enum class HeardKind : std::uint8_t {
  enter,
  update,
  leave,
  interrupt,
  reset,
  refuse,
  ask,
  send,
  log,
  script,
  // With Observer::hears_answers only:
  result,         // of an action's update
  answer,         // of a condition
  script_answer,  // of a script
  node            // a node of the tree begins, ends or is interrupted
};

// One of them as it happens.
struct Hearing {
  HeardKind kind = HeardKind::enter;
  std::uint32_t node_word = 0;
  const Call* call = nullptr;  // of an action or a condition; null: the tree sends or logs
  std::uint32_t signal = 0;    // send: of the tree
  std::string_view text = {};  // log; of results and answers the word of traces
};

// Of Observer::heard: the hearing is not kept.
inline constexpr std::uint64_t kNotKept = ~std::uint64_t{0};

// One that is kept until the step ends.
struct Heard {
  HeardKind kind = HeardKind::enter;
  std::uint32_t node_word = 0;
  std::uint64_t number = 0;  // by Observer::heard; of equal ones it is equal
};

}  // namespace espalier::explore
