// One replay: the lines of a trace are executed for its agents. Agents are in agents.h, their updates in updates.h, and
// what is told of both in reporter.h.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/agents.h"
#include "replay/line.h"
#include "replay/names.h"
#include "replay/replay.h"
#include "replay/reporter.h"
#include "replay/updates.h"

namespace espalier::replay {

class Session {
 public:
  // The asset and the options must outlive the session.
  Session(const Asset& asset, const ReplayOptions& options, Listener listener);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Agents& agents() { return agents_; }
  [[nodiscard]] const Agents& agents() const { return agents_; }
  EventLog& log() { return reporter_.log(); }
  [[nodiscard]] const EventLog& log() const { return reporter_.log(); }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Strategy& first_strategy() const { return *agents_.bound_trees().front()->strategy; }

  // ---- Lines

  // The first one.
  [[nodiscard]] Faults begin(const Line& line);
  // Unknown trees and kinds of events in a first line, as far as their values are of the right type.
  [[nodiscard]] std::vector<LineFault> first_line_faults(const Line& line) const;
  // Counts what a line for all agents does as updates of them, depending on its length. Called before the line is
  // executed. Returns a fault if the limit is reached.
  [[nodiscard]] Faults take_work(const Line& line);
  // Any other line except `expect`.
  [[nodiscard]] Faults run(const Line& line);
  // The same after a line that had a fault: names and values are checked, and nothing is executed but what says which
  // agents and trees there are. Nothing is told any more.
  [[nodiscard]] Faults check(const Line& line);
  // Further faults of the last line.
  std::vector<LineFault> take_other_faults() { return reporter_.take_other_faults(); }

  // ---- Names

  // Can the host be asked for this name, of a `host` line, in one of the trees that agents have now? `input`: that one
  // of its nodes must have; empty: none.
  bool knows_host(std::string_view name, std::string_view input = {});
  // Is this the text of the event, with a place after its name, where its node is?
  [[nodiscard]] bool has_place(const KeptEvent& event, std::string_view text, bool may_lack_value = false) const;
  // The fault of a place where no node of this name is, in any tree that agents have or had, or where several are.
  [[nodiscard]] Faults place_fault(const PlacedName& placed, text::Span span) const;
  // Did a line name a signal, a variable, a slot or a tree so, which no tree has?
  [[nodiscard]] bool is_made(std::string_view name) const { return reporter_.is_made(name); }

 private:
  // ---- session.cpp
  [[nodiscard]] Faults choose_trees(const Line& line, std::vector<Tree>* trees) const;
  [[nodiscard]] LineFault unsupported(const Line& line) const;
  // Executes a line for some of its agents.
  [[nodiscard]] Faults run_for(const Line& line, Indices indices);
  [[nodiscard]] Faults run_signal(const Line& line, Indices indices);
  void warn_of_signal(const Line& line);
  [[nodiscard]] Faults run_set(const Line& line, Indices indices);
  [[nodiscard]] Faults run_print(const Line& line, Indices indices);
  [[nodiscard]] Faults run_when(const Line& line, Indices indices);
  [[nodiscard]] Faults run_spawn(const Line& line);
  [[nodiscard]] Faults run_destroy(const Line& line);
  [[nodiscard]] Faults run_reload(const Line& line);
  [[nodiscard]] Faults run_save(const Line& line, Indices indices);
  [[nodiscard]] Faults run_restore(const Line& line, Indices indices);

  // ---- session_host.cpp
  struct HostName {
    std::string name;
    bool is_behavior = false;
    bool is_placed = false;  // it is that of a node
  };
  [[nodiscard]] Faults run_host(const Line& line, Indices indices);
  // Those by which the answers of a `host` line are kept. One that is not known is reported, and kept for a tree that
  // comes with a reload.
  [[nodiscard]] Faults find_host_names(const text::JsonValue::Key& name, std::vector<HostName>* names);
  void warn_of_host(const text::JsonValue::Key& name, std::string_view host_name);
  void warn_of_host(LineFault fault, const std::string& name, const std::string& input = {});
  void warn_of_unread(const text::JsonValue::Key& key, const text::JsonValue& answers);
  void warn_of_answer(const text::JsonValue::Key& key, const text::JsonValue& value, const Answers& answers);

  const ReplayOptions& options_;
  Agents agents_;
  Reporter reporter_;
  Updates updates_;
  std::string name_;
  std::vector<std::uint32_t> targets_;  // of the current line
  std::set<std::string> reacted_;       // signals to which a behaviour reacts
};

// decide: the data of a line with `data`; null if it has none.
std::optional<StimulusData> data_of(const Line& line);

}  // namespace espalier::replay
