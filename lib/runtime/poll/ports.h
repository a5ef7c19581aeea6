// The ports of the library's nodes, by number: the order in which a node's record has them.
#pragma once
#include <cstdint>

namespace espalier::poll_ports {

inline constexpr std::uint32_t kSuccessCount = 0;  // poll_parallel
inline constexpr std::uint32_t kFailureCount = 1;
inline constexpr std::uint32_t kMaxFailures = 0;      // poll_parallel_all
inline constexpr std::uint32_t kVariable = 0;         // poll_switch: then its cases
inline constexpr std::uint32_t kCatchOnHalt = 0;      // poll_try_catch
inline constexpr std::uint32_t kNumberOfRetries = 0;  // poll_recovery
inline constexpr std::uint32_t kWrapAround = 0;       // poll_round_robin
inline constexpr std::uint32_t kCurrentChild = 0;     // poll_persistent
inline constexpr std::uint32_t kCycles = 0;           // poll_repeat, poll_retry
inline constexpr std::uint32_t kMilliseconds = 0;     // poll_timeout, poll_delay, poll_sleep
inline constexpr std::uint32_t kThenSkip = 0;         // poll_run_once
inline constexpr std::uint32_t kElse = 0;             // poll_precondition
inline constexpr std::uint32_t kQueue = 0;            // poll_loop
inline constexpr std::uint32_t kIfEmpty = 1;
inline constexpr std::uint32_t kValue = 2;
inline constexpr std::uint32_t kEntry = 0;   // poll_updated, poll_was_updated
inline constexpr std::uint32_t kHz = 0;      // poll_rate
inline constexpr std::uint32_t kSource = 0;  // poll_set
inline constexpr std::uint32_t kTarget = 1;
inline constexpr std::uint32_t kRemoved = 0;  // poll_unset

}  // namespace espalier::poll_ports
