// The events of updates that properties speak of, as `event` of expectations names them: which of them happen in a step
// that is explored, and in which order.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/properties.h"
#include "explore/run.h"
#include "replay/event.h"
#include "replay/line.h"

namespace espalier::explore {

// A set of them: a bit for each.
using EventSet = std::uint32_t;
inline constexpr std::size_t kMaxWantedEvents = 32;

// The texts of events in a property: in the order of its conditions, each once.
std::vector<std::string> event_texts(const Property& property);
// The fault of events that exploration does not tell apart in this tree, at the values in the property. Names are
// checked as those of traces.
std::vector<replay::LineFault> event_faults(const Property& property, const Tree& tree);
// The entries of blackboards that its events are about.
std::vector<ExpectedEntry> event_entries(const Property& property, const Tree& tree);

class WantedEvents {
 public:
  // At most kMaxWantedEvents; the world, which has one version, must outlive this.
  WantedEvents(const World& world, std::vector<std::string> texts);

  bool is_empty() const { return texts_.empty(); }
  const std::vector<std::string>& texts() const { return texts_; }

  // For Observer::heard: which of them a hearing is, and what entries hold then.
  std::uint64_t number(const Run& run, const Hearing& hearing);
  // Calls visit for each event in a step, in their order, with the node that it comes from (kNoNode: none). `state` is
  // what the step leads to.
  using Visit = std::function<void(EventSet events, std::uint32_t node_word)>;
  void visit(const Run& run, const Step& step, unsigned char* state, const Visit& visit);

  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

 private:
  struct Wanted {
    replay::EventKind kind = {};
    std::uint32_t agent = 0;
    std::string name = {};   // of an action, a condition, a signal; a text of the log
    std::string input = {};  // read
    std::optional<std::string> value = {};
    std::vector<bool> behaviors = {};  // that have the name
    std::vector<bool> conditions = {};
    std::uint32_t entry = 0;  // set
  };
  void split(Wanted& wanted, std::string_view words) const;
  bool is_of(const Wanted& wanted, const Hearing& hearing, bool is_condition) const;
  bool is_read(const Wanted& wanted, const Call& call) const;
  void keep_order_of_reads(const Call& call);
  std::vector<EventSet> in_order(EventSet events, std::uint32_t node_word) const;
  EventSet of_agent(std::uint32_t agent) const;
  EventSet heard(const Hearing& hearing) const;
  void visit(const Run& run, const Step& step, unsigned char* state, std::uint32_t agent, const Visit& visit);
  // What the entries hold, by a number for each combination of values; 0 without entries.
  std::uint32_t values(const unsigned char* block);
  std::vector<EventSet> written(std::uint32_t before, std::uint32_t after, EventSet own) const;

  const Tree tree_;
  const World& world_;
  std::vector<std::string> texts_;
  std::vector<Wanted> wanted_;          // by text
  EventSet reads_ = 0;                  // which of them are of inputs
  std::vector<std::uint32_t> entries_;  // that are written
  mutable std::shared_mutex mutex_;
  std::map<std::uint32_t, std::vector<EventSet>> reads_in_order_;  // by node
  std::map<std::vector<std::string>, std::uint32_t> numbers_;
  std::vector<std::vector<std::string>> combinations_;  // by number
};

}  // namespace espalier::explore
