// The trace of a recording: it is played twice, first to see which nodes ask the program. See recorded.h.
#include <espalier/recording.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "live/host_line.h"
#include "live/recorded.h"
#include "live/recorded_answers.h"
#include "live/recorded_inputs.h"
#include "live/recorded_names.h"
#include "replay/entry_changes.h"
#include "replay/event.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "replay/strategy.h"
#include "runtime/poll/tree.h"
#include "runtime/recording/playback.h"
#include "text/json.h"

namespace espalier::live {
namespace {

using recording::Input;
using recording::MoreOp;
using recording::Op;
using recording::StimulusOp;

// The state of an agent's random numbers; none: its tree draws none.
std::optional<std::uint64_t> generator_of(const Tree& tree, const unsigned char* block) {
  const layout::Part* const part = find_part(tree, PartKind::generator);
  if (part == nullptr || part->count == 0) return std::nullopt;
  std::uint64_t state = 0;
  std::memcpy(&state, block + offset_bytes(*part), sizeof state);
  return state;
}

// What the program answers in one update of an agent, by the names of its nodes; and what it has answered last.
using AnswerTexts = std::map<std::string, std::vector<std::string>>;

struct AgentTrace {
  Tree tree = {};
  bool is_there = false;
  std::map<std::string, std::string> scripted = {};  // by name, the answer that stays
  // By the node's word and the port: the last value since the node has answered.
  std::map<std::uint32_t, std::map<std::string, std::string>> writes = {};
  std::vector<std::uint32_t> queue = {};  // signals that the agent gets before its next update
  std::string expected = {};              // the last expectation
  std::string now = {};                   // what it would be
};

class RecordedWriter {
 public:
  RecordedWriter(const Asset& asset, const Asset* other, espalier_playback* playback, AskerNames names)
      : asset_(asset), other_(other), playback_(playback), names_(std::move(names)) {
    agents_.resize(espalier_playback_agent_count(playback));
  }

  // Plays all, to see which nodes ask, or to write the trace.
  bool play(espalier_playback* playback, bool writes) {
    playback_ = playback;
    is_writing_ = writes;
    recording::Listener listener;
    listener.user = this;
    listener.frame = [](void* user, std::uint64_t clock_us) { self(user).begin_frame(clock_us); };
    listener.reset = [](void* user) { self(user).begin_again(); };
    listener.agent = [](void* user, std::uint32_t agent) { self(user).put_agent(agent); };
    listener.begin = [](void* user, std::uint32_t) {
      self(user).answers_.clear();
      self(user).accepted_.clear();
    };
    listener.end = [](void* user, std::uint32_t agent, espalier_result result) {
      self(user).end_update(agent, result);
    };
    listener.input = [](void* user, const Input& input) { self(user).take(input); };
    listener.answer = [](void* user, const Call& call, const recording::Answered& answered) {
      self(user).take(call, answered);
    };
    listener.write = [](void* user, const Call& call, std::uint32_t port, const espalier_value& value,
                        bool is_boolean) { self(user).take_write(call, port, value, is_boolean); };
    listener.queue = [](void* user, const Call& call, std::uint32_t signal, espalier_receivers receivers) {
      self(user).queue(call, signal, receivers);
    };
    playback->listen(&listener);
    espalier_status status = ESPALIER_OK;
    while (fault_.empty() && (status = espalier_playback_step(playback, nullptr)) == ESPALIER_OK) ++frame_count_;
    end_frame();
    playback->listen(nullptr);
    return status != ESPALIER_DIVERGED;
  }

  AskerNames take_names() { return std::move(names_); }

  RecordedTrace take(const std::string& name) {
    RecordedTrace trace;
    std::string trees;
    bool is_one = true;
    std::uint64_t seed = 1;
    std::uint32_t count = 0;
    for (; count < first_count_; ++count) {
      is_one = is_one && agents_[count].tree.index == agents_.front().tree.index;
      trees += (count == 0 ? "" : ", ") + text::json_string(tree_name(agents_[count].tree));
    }
    if (!seeds_.empty()) seed = seeds_.front();
    trace.text = "{\"trace\": 1, ";
    trace.text +=
        is_one && count > 0 ? replay::tree_members(tree_name(agents_.front().tree)) : "\"tree\": [" + trees + ']';
    if (is_one && count > 1) trace.text += ", \"agents\": " + std::to_string(count);
    trace.text += ", \"seed\": " + std::to_string(seed);
    if (!name.empty()) trace.text += ", \"name\": " + text::json_string(name);
    trace.text += ", \"errors\": \"allowed\"}\n" + defaults() + text_;
    trace.frame_count = frame_count_;
    trace.agent_count = count;
    if (!start_.blocks.empty() && has_start_) {
      trace.start = other_ == nullptr ? start_ : moved_start(start_, trees_of_start(), *other_);
    }
    if (has_inside_)
      trace.notes.push_back("functions of the program changed agents during their calls, which traces cannot say");
    if (has_unsaid_)
      trace.notes.push_back(
          "entries of subtrees were set, or rules without an id jumped to, which traces have no names for");
    if (names_.has_shared()) trace.notes.push_back("nodes that are at several places have the same answers at each");
    if (!fault_.empty()) trace.notes.push_back(fault_);
    return trace;
  }

 private:
  static RecordedWriter& self(void* user) { return *static_cast<RecordedWriter*>(user); }

  std::vector<Tree> trees_of_start() const {
    std::vector<Tree> trees;
    for (std::uint32_t i = 0; i < first_count_; ++i) trees.push_back(agents_[i].tree);
    return trees;
  }

  // ---- Agents

  void put_agent(std::uint32_t agent) {
    Tree tree;
    const bool is_there = espalier_playback_block(playback_, agent, &tree) != nullptr;
    AgentTrace& own = agents_[agent];
    if (!before_.empty()) return;  // told again: see go_on()
    if (!has_frames_) {
      own.tree = tree;
      own.is_there = is_there;
      return;
    }
    if (own.is_there && !is_there) {
      own = {};
      line("{\"destroy\": " + std::to_string(agent) + '}');
    } else if (!own.is_there && is_there && agent == first_count_ + spawned_count_) {
      ++spawned_count_;
      own.tree = tree;
      own.is_there = true;
      line("{\"spawn\": 1, \"tree\": " + text::json_string(tree_name(tree)) + '}');
    } else if (is_there) {
      fault_ = "agent " + std::to_string(agent) + " starts again after " + replay::seconds_text(clock_us_) +
               " s, where the trace ends";
    }
  }

  // A flight recorder tells all agents again from time to time. They go on if nothing has changed.
  void begin_again() {
    if (has_frames_) before_ = blocks();
  }
  void go_on() {
    if (before_.empty()) return;
    if (blocks() != before_)
      fault_ = "the agents are others after " + replay::seconds_text(clock_us_) + " s, where the trace ends";
    before_.clear();
  }
  // Empty: there is no such agent.
  std::vector<std::vector<unsigned char>> blocks() const {
    std::vector<std::vector<unsigned char>> all(agents_.size());
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      Tree tree;
      const auto* const block = static_cast<const unsigned char*>(espalier_playback_block(playback_, i, &tree));
      if (block != nullptr) all[i].assign(block, block + agent_bytes(tree));
    }
    return all;
  }

  // How agents begin is known when all that begin before the first frame have their blocks.
  void begin_first_frame(std::uint64_t clock_us) {
    has_frames_ = true;
    for (first_count_ = 0; first_count_ < agents_.size() && agents_[first_count_].is_there; ++first_count_) {
      const Tree& tree = agents_[first_count_].tree;
      const auto* const block =
          static_cast<const unsigned char*>(espalier_playback_block(playback_, first_count_, nullptr));
      start_.blocks.emplace_back(block, block + agent_bytes(tree));
      std::vector<std::uint64_t> begun(agent_bytes(tree) / 8 + 1);
      start(tree, begun.data());
      take_seed(tree, block, begun.data());
      has_start_ = has_start_ || std::memcmp(begun.data(), block, agent_bytes(tree)) != 0;
    }
    if (const AgentTrace* first = agents_.empty() ? nullptr : &agents_.front(); first != nullptr && first->is_there) {
      const void* const shared = playback_->shared_of(0);
      if (shared != nullptr) {
        const auto* const bytes = static_cast<const unsigned char*>(shared);
        start_.shared.assign(bytes, bytes + shared_bytes(first->tree));
      }
    }
    // Clocks of traces begin at 0, where nothing depends on when that was.
    begin_us_ = has_start_ ? playback_->clock_before_us() : clock_us;
    clock_us_ = begin_us_;
    start_.clock_us = begin_us_;
  }

  // The state of the random numbers, which the trace's seed gives to all of its agents.
  void take_seed(const Tree& tree, const unsigned char* block, std::vector<std::uint64_t>::pointer begun) {
    const std::optional<std::uint64_t> state = generator_of(tree, block);
    if (!state) return;
    const std::uint64_t seed = *state - (std::uint64_t{first_count_} << 32);
    if (seeds_.empty()) seeds_.push_back(seed);
    espalier::seed(tree, begun, seeds_.front() + (std::uint64_t{first_count_} << 32));
  }

  // ---- Lines

  void line(const std::string& text) {
    if (is_writing_ && fault_.empty()) text_ += text + '\n';
  }
  // With the agent, where there are several.
  void line_of(std::uint32_t agent, std::string text) {
    if (agents_.size() > 1) text.insert(text.size() - 1, ", \"agent\": " + std::to_string(agent));
    line(text);
  }

  void begin_frame(std::uint64_t clock_us) {
    go_on();
    if (!has_frames_) {
      begin_first_frame(clock_us);
    } else {
      end_frame();
    }
    frame_us_ = clock_us;
  }

  // What holds now, of the agents of which something else held.
  void end_frame() {
    for (std::uint32_t agent = 0; agent < agents_.size(); ++agent) {
      AgentTrace& own = agents_[agent];
      if (!own.is_there || own.now == own.expected || own.now.empty()) continue;
      own.expected = own.now;
      line_of(agent, "{\"expect\": {" + own.now + "}}");
    }
  }

  void take(const Input& input) {
    if (input.is_inside) {
      has_inside_ = true;
      return;
    }
    go_on();
    const void* const block = espalier_playback_block(playback_, input.agent, nullptr);
    if (!can_be_said(agents_[input.agent].tree, input)) {
      has_unsaid_ = true;
      return;
    }
    if (!has_effect(agents_[input.agent].tree, block, input)) return;
    if (input.op != Op::signal || !is_queued(input)) pass_time();
    const Tree& tree = agents_[input.agent].tree;
    const auto id = static_cast<std::uint32_t>(input.id);
    if (input.op == Op::signal && is_queued(input)) {
      std::vector<std::uint32_t>& queue = agents_[input.agent].queue;
      queue.erase(std::find(queue.begin(), queue.end(), id));  // the replay delivers it
      return;
    }
    if (const std::string text = input_line(tree, block, input); !text.empty()) line_of(input.agent, text);
  }

  // Has the tree sent this signal?
  bool is_queued(const Input& input) const {
    const std::vector<std::uint32_t>& queue = agents_[input.agent].queue;
    return std::find(queue.begin(), queue.end(), input.id) != queue.end();
  }

  // What comes before the updates of a frame comes at its time.
  void pass_time() {
    if (!has_frames_ || clock_us_ == frame_us_) return;
    line("{\"tick\": " + replay::seconds_text(frame_us_ - clock_us_) + ", \"agent\": \"none\"}");
    clock_us_ = frame_us_;
  }

  // ---- Updates

  void queue(const Call& call, std::uint32_t signal, espalier_receivers receivers) {
    for (std::uint32_t agent = 0; agent < agents_.size(); ++agent) {
      const bool is_self = agent == call.agent_number;
      const bool receives = receivers == ESPALIER_SENDER ? is_self : receivers == ESPALIER_GROUP || !is_self;
      if (agents_[agent].is_there && receives) agents_[agent].queue.push_back(signal);
    }
  }

  void take(const Call& call, const recording::Answered& answered) {
    const bool is_script = answered.table == recording::Table::host;
    if (is_script && answered.bits.mask == 0) return;  // a log, or an event that is queued
    const Asked asked = is_script                                        ? Asked::script
                        : answered.table == recording::Table::conditions ? Asked::condition
                                                                         : Asked::behavior;
    const std::string answer = answer_text(call, answered);
    const Asker asker{call.tree.index, call.node_word, asked, is_script ? 0 : call.behavior};
    if (is_start(answered.bits) && answer.empty()) return accept(call.agent_number, asker);
    if (answer.empty()) return;
    if (!is_writing_) return names_.see(asker);
    std::map<std::string, std::string>& writes = agents_[call.agent_number].writes[call.node_word];
    std::string outputs;
    for (const auto& [port, value] : writes) add_member(outputs, port, value);
    std::vector<std::string>& list = answers_[names_.of(asker)];
    if (accepted_.erase(names_.of(asker)) != 0) list.pop_back();
    list.push_back(answer_with_outputs(answer, outputs));
    writes.clear();
  }

  // A behaviour starts if its next answer is not a refusal; that answer stays for its next call.
  void accept(std::uint32_t agent, const Asker& asker) {
    if (!is_writing_) return;
    const std::string& name = names_.of(asker);
    std::vector<std::string>& list = answers_[name];
    const std::string& next = list.empty() ? agents_[agent].scripted[name] : list.back();
    if (next == kRefusal && accepted_.insert(name).second) list.emplace_back("\"running\"");
    if (list.empty()) answers_.erase(name);
  }

  void take_write(const Call& call, std::uint32_t port, const espalier_value& value, bool is_boolean) {
    if (!is_writing_) return;
    if (!is_output(call, port)) return;
    AgentTrace& agent = agents_[call.agent_number];
    agent.writes[call.node_word][espalier_port_name(&call, port)] = text_of_value(value, is_boolean);
  }

  void end_update(std::uint32_t agent, espalier_result result) {
    if (!is_writing_) return;
    AgentTrace& own = agents_[agent];
    std::string members;
    for (const auto& [name, list] : answers_) add_answers(members, name, list, own.scripted[name]);
    if (!members.empty()) line_of(agent, "{\"host\": {" + members + "}}");
    line_of(agent, "{\"tick\": " + replay::seconds_text(frame_us_ - clock_us_) + '}');
    clock_us_ = frame_us_;
    own.queue.clear();
    own.now = state_text(own.tree, espalier_playback_block(playback_, agent, nullptr), result);
  }

  // Without these functions conditions are false, where a trace that does not script them has them true.
  std::string defaults() const {
    const EngineId engine =
        agents_.empty() || !agents_.front().is_there ? EngineId::select : replay::engine_of_tree(agents_.front().tree);
    if (engine == EngineId::select || engine == EngineId::poll) return {};
    std::string members;
    for (std::uint32_t i = 0; i < host_condition_count(asset_); ++i) {
      if (playback_->answers_condition(i)) continue;
      add_member(members, host_condition_name(asset_, i), engine == EngineId::decide ? "0" : "false");
    }
    if (members.empty()) return {};
    return "{\"host\": {" + members + (agents_.size() > 1 ? "}, \"agent\": \"all\"}\n" : "}}\n");
  }

  const Asset& asset_;
  const Asset* const other_;
  espalier_playback* playback_;
  AskerNames names_;
  std::vector<AgentTrace> agents_;
  std::vector<std::vector<unsigned char>> before_;  // the blocks, when all agents are told again
  AnswerTexts answers_;                             // of the present update
  std::set<std::string, std::less<>> accepted_;     // whose last answer there only says that it starts
  std::string text_;
  std::vector<std::uint64_t> seeds_;
  replay::Start start_;
  std::uint32_t first_count_ = 0;
  std::uint32_t spawned_count_ = 0;
  std::uint64_t begin_us_ = 0;
  std::uint64_t clock_us_ = 0;
  std::uint64_t frame_us_ = 0;
  std::uint64_t frame_count_ = 0;  // those of a ring have other numbers
  bool has_frames_ = false;
  bool has_start_ = false;
  bool has_inside_ = false;
  bool has_unsaid_ = false;
  bool is_writing_ = false;
  std::string fault_;
};

}  // namespace

std::optional<RecordedTrace> trace_of(const Recording& recording, const Asset& asset, const Asset* other,
                                      const std::string& name, RecordingFault* fault) {
  std::optional<OpenedRecording> opened = open_recording(recording, asset, fault);
  if (!opened) return std::nullopt;
  RecordedWriter seen(asset, other, opened->playback, AskerNames(asset, other));
  bool is_right = seen.play(opened->playback, false);
  opened = open_recording(recording, asset, fault);
  if (!opened) return std::nullopt;
  RecordedWriter writer(asset, other, opened->playback, seen.take_names());
  is_right = writer.play(opened->playback, true) && is_right;
  RecordedTrace trace = writer.take(name);
  if (!is_right) trace.notes.push_back("the trees do not do what was recorded after the last line of the trace");
  return trace;
}

}  // namespace espalier::live
