// Steps that are replayed, one after the other, as a trace has them. See run.h.
#include <algorithm>
#include <cstring>

#include "explore/run.h"

namespace espalier::explore {

// The generators of agents are what settling clears: they are kept beside the state.
bool Run::replays(std::span<Edge> edges, std::uint64_t seed, std::uint64_t mark, bool tells) {
  std::vector<std::uint64_t> words(words_.size());
  auto* state = reinterpret_cast<unsigned char*>(words.data());
  world_.start(state);
  std::vector<std::uint64_t> generators(statuses_.size(), 0);
  bool is_marked = false;
  cost_ = 1;
  begin_work();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    replayed_ = &edges[i];
    from_ = state;
    if (tells && i + 1 == edges.size()) wanted_ = number_;
    taken_.assign(world_.sides().size() * chains_.size(), 0);
    begin(state);
    for_each_agent([&](const Side& in, std::uint32_t agent, std::size_t index) {
      const std::uint64_t first = seed + (std::uint64_t{agent} << 32);
      espalier::seed(in.tree, World::block(in, state_, agent), i == 0 ? first : generators[index]);
    });
    if (edges[i].step.kind == StepKind::tick) {
      find_waits(state_, waits_us_);
      if (edges[i].wait >= waits_us_.size()) break;
      edges[i].step.time_us = waits_us_[edges[i].wait];
    }
    apply(edges[i].step);
    for_each_agent([&](const Side& in, std::uint32_t agent, std::size_t index) {
      generators[index] =
          in.engine->generator != nullptr ? in.engine->generator(in, World::block(in, state_, agent)) : 0;
    });
    finish(edges[i].step, [&](const Next& next) {
      std::memcpy(state, next.state, world_.state_bytes());
      is_marked = i + 1 == edges.size() && std::find(next.marks.begin(), next.marks.end(), mark) != next.marks.end();
    });
    for (const GivenToAll& given : edges[i].given_to_all) {
      for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) {
        *world_.answer(state, agent, given.name) = static_cast<unsigned char>(given.answer);
      }
    }
    for (const Given& given : edges[i].given) {
      *world_.answer(state, given.agent, given.name) = static_cast<unsigned char>(given.answer);
    }
  }
  replayed_ = nullptr;
  wanted_.reset();
  work_ = work_so_far();
  return is_marked;
}

}  // namespace espalier::explore
