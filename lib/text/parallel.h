// The same work on many things, in several threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

namespace espalier::text {

// Does the work for one index.
using Worker = std::function<void(std::size_t index)>;

// Has workers do the work for each index below `count`, each index once, in any order. `make_worker` is called once in
// each thread, so that a worker can have state of its own. `thread_count`: at most so many (0: all processors); a
// thread is only started for `least_share` indices or more; those that the system does not start are done without. An
// exception of a worker is thrown here when all have ended.
void run_parallel(std::size_t count, std::uint32_t thread_count, std::size_t least_share,
                  const std::function<Worker()>& make_worker);

}  // namespace espalier::text
