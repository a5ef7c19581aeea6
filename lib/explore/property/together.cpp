// Several properties in one exploration. See together.h.
#include "explore/property/together.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <iterator>
#include <string_view>
#include <utility>

#include "explore/predicate.h"
#include "explore/property/about.h"
#include "explore/property/looking.h"
#include "explore/search.h"

namespace espalier::explore {

bool is_of_single_updates(const Property& property) {
  const bool has_scope = property.after || property.until || property.for_us != 0;
  return property.kind != PropertyKind::expect && !has_scope && property.more_than == 0 &&
         property.claim.kind == Condition::Kind::state && !speaks_of(property, "event");
}

Together look_together(std::span<const Property* const> properties, const Tree& tree, const Options& options) {
  const auto speak_of = [&](std::string_view key) {
    return std::any_of(properties.begin(), properties.end(),
                       [&](const Property* property) { return speaks_of(*property, key); });
  };
  const std::optional<std::uint32_t> agents = properties.front()->agents;
  const std::uint32_t agent_count = agents.value_or(agents_to_explore(tree));
  const bool keeps_status = speak_of("status");
  const bool sees_all = speak_of("agents");
  Facts facts{.host = options.host};
  for (const Property* property : properties) {
    std::vector<ExpectedEntry> expected = expected_of(*property, tree);
    std::move(expected.begin(), expected.end(), std::back_inserter(facts.expected));
  }
  const World world({{tree, agent_count, &options.host.results, agents.has_value()}}, options.signal_only,
                    keeps_status ? agent_count : 0, std::move(facts));
  std::deque<Predicate> claims;
  for (const Property* property : properties) claims.emplace_back(property->claim.value, tree);
  Observer observer;
  observer.ignores_writes = true;
  observer.after = [&](Run& run, const Step& step, unsigned char* state) {
    if (step.kind != StepKind::tick || run.is_unfinished()) return true;
    std::vector<replay::ObservedAgent> all;
    const Seen seen = seen_of_first(run, state, keeps_status ? world.own(state) : nullptr, sees_all ? &all : nullptr);
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (claims[i].holds(seen) != (properties[i]->kind == PropertyKind::always)) run.mark(i);
    }
    return true;
  };
  // As of one property: see may_change_places() in proving.cpp.
  AgentSet named = 0;
  for (const Property* property : properties) named |= named_agents(property->claim);
  if (!keeps_status) observer.first_alike = static_cast<std::uint32_t>(std::bit_width(named));
  Search search(world, observer, Choices::wide, Answers::free, options.budget);
  search.run(properties.size());
  Together found{.state_count = search.state_count(), .used_count = search.paid_count()};
  for (std::size_t i = 0; i < properties.size(); ++i) {
    found.are_never_shown.push_back(search.is_complete() && !search.marks().contains(i) &&
                                    !is_blurred(world, *properties[i]));
  }
  return found;
}

}  // namespace espalier::explore
