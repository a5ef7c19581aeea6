// The events that a recorder is told. See recorder.h.
#include "recording/recorder.h"

namespace espalier::recording {

void Recorder::tell_clock(std::uint64_t clock_us) {
  if (clock_us == clock_us_) return;
  put_op(Op::clock, 0);
  put(zigzag(static_cast<std::int64_t>(clock_us - clock_us_)));
  clock_us_ = clock_us;
}

bool Recorder::begin_update(std::uint32_t first, std::uint32_t count, unsigned char* block, std::size_t stride_bytes,
                            std::uint64_t clock_us) {
  if (is_over()) return false;
  // A row of agents that was updated before is known.
  const bool is_as_before = count > 1 && first == row_.first && count == row_.count && block == row_block_ &&
                            stride_bytes == row_stride_bytes_;
  for (std::uint32_t i = first; !is_as_before && i - first < count; ++i) {
    if (!knows(i)) fail("an agent was updated that the recorder was not told of");
    if (is_over()) return false;
    agents_[i].block = block + stride_bytes * (i - first);
  }
  if (count > 1) {
    row_ = {first, count};
    row_block_ = block;
    row_stride_bytes_ = stride_bytes;
  }
  tell_clock(clock_us);
  if (frame_depth_ > 1) {
    tell(Op::update, 0, first);
    put(count);
    return true;
  }
  NextEvent& next = agents_.next_after(last_);
  if (next.first == first && next.count == count) {
    seen_.add_hit();
    agent_ = first;
  } else {
    tell(Op::update, 0, first);
    put(count);
    next = {first, count};
  }
  last_ = first;
  return true;
}

// An agent that something reaches. False: nothing is recorded.
bool Recorder::find_for_input(std::uint32_t agent, void* block) {
  if (!is_over() && !knows(agent)) fail("the recorder was not told of an agent");
  if (is_over()) return false;
  if (agents_[agent].block != block) row_ = {};
  agents_[agent].block = static_cast<unsigned char*>(block);
  return true;
}

bool Recorder::begin_input(Op op, unsigned number, std::uint32_t agent, void* block) {
  if (!find_for_input(agent, block)) return false;
  tell(op, number, agent);
  return true;
}

bool Recorder::begin_signal(std::uint32_t signal, std::uint32_t agent, void* block) {
  if (agent != agents_.next_receiver() || signal >= kMostNumber) {
    if (!begin_input(Op::signal, 0, agent, block)) return false;
    put(signal);
  } else {
    if (!find_for_input(agent, block)) return false;
    put_op(Op::signal, signal + 1);
    agent_ = agent;
  }
  agents_.put_receiver(agent);
  return true;
}

namespace {

// A value that is no whole number, or a very large one, is known by its hash.
KeptValue kept_hash(const espalier_value& value, bool is_boolean) {
  const std::uint64_t seed = static_cast<std::uint64_t>(value.kind) | (is_boolean ? 0x10u : 0u);
  const auto hash = [seed](const void* bytes, std::size_t size_bytes) {
    return hash_of(static_cast<const unsigned char*>(bytes), size_bytes, seed);
  };
  if (value.kind == ESPALIER_VALUE_TEXT) return kept_other(hash(value.text, value.text_bytes));
  if (value.kind == ESPALIER_VALUE_REAL) return kept_other(hash(&value.real, sizeof value.real));
  return kept_other(hash(&value.whole, value.kind == ESPALIER_VALUE_NONE ? 0 : sizeof value.whole));
}

}  // namespace

void Recorder::put_entry(const Tree& tree, const void* block, std::uint32_t entry, const espalier_value& value,
                         bool is_boolean) {
  char text[kRedactedTextBytes];
  put(entry);
  put_value(redaction_.covers_entry(tree, block, entry) ? redaction_.stand_in(tree, value, text) : value, is_boolean);
}

void Recorder::tell_write(const Call& call, std::uint32_t port, const espalier_value& written, bool is_boolean) {
  if (frame_depth_ == 0 || is_over()) return;
  const AgentEntry& entry = agents_[call.agent_number];
  if (entry.begins == nullptr) return;
  char text[kRedactedTextBytes];
  const espalier_value value =
      redaction_.covers_port(call, port) ? redaction_.stand_in(call.tree, written, text) : written;
  KeptValue& last = entry.value_at(call.node_word, port);
  const std::uint64_t kind = kept_kind(value, is_boolean);
  const bool is_difference = kind != 0 && kind == kind_of_kept(last);
  const KeptValue kept = kind != 0 ? kept_whole(kind, value.whole, last) : kept_hash(value, is_boolean);
  const bool is_predicted = kind != 0 ? is_difference && value.whole == predicted_whole(last) : kept == last;
  const auto number = static_cast<unsigned char>(port <= kMostPort ? port + 1 : 0);
  const unsigned char expected = entry.port_at(call.node_word, seen_.function(), seen_.port());
  if (is_predicted && number != 0 && expected == number) {
    seen_.add_hit();
  } else {
    const bool is_next = number != 0 && (expected & ~kNotNow) == number;
    const std::int64_t difference = is_difference ? value.whole - whole_of_kept(last) : 0;
    const ValueForm form = is_predicted      ? ValueForm::predicted
                           : difference == 1 ? ValueForm::one_more
                           : is_difference   ? ValueForm::difference
                                             : ValueForm::whole;
    put_op(Op::write, (is_next ? kNextPort : 0u) | static_cast<unsigned>(form));
    if (!is_next) put(port);
    if (form == ValueForm::difference) put(zigzag(difference));
    if (form == ValueForm::whole) put_value(value, is_boolean);
    entry.expect_port(call.node_word, seen_.function(), seen_.port(), number);
  }
  last = kept;
  seen_.write_port(number, call);
}

std::uint32_t Recorder::tell_other_answer(const Call& call, Function function, AnswerBits bits, std::uint32_t given) {
  if (is_over()) return given;
  const std::uint32_t answer =
      given <= bits.mask ? given : bits.mask;  // to engines all results that do not exist are alike
  const AgentEntry& entry = agents_[call.agent_number];
  const bool has_ports = entry.begins != nullptr;
  const bool is_answer_next = !has_ports || !is_awake(entry.port_at(call.node_word, function, seen_.port()));
  unsigned char& last = entry.answers.at(function, call.node_word);
  if (is_answer_next && (unsigned{last} >> bits.shift & bits.mask) == answer) {
    seen_.add_hit();
  } else {
    if (has_ports) {
      const std::uint32_t before = seen_.port();
      entry.expect_port(call.node_word, function, before, asleep(entry.port_at(call.node_word, function, before)));
    }
    put_op(Op::answer, answer);
    last = static_cast<unsigned char>((last & ~(bits.mask << bits.shift)) | answer << bits.shift);
  }
  if (has_ports) entry.expect_port(call.node_word, function, 0, entry.port_at(call.node_word, function, 0));
  seen_.end_call();
  return given;
}

double Recorder::tell_other_decision(const Call& call, double decision) {
  if (is_over()) return decision;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &decision, sizeof bits);
  const unsigned zeros = zero_bytes_of(bits);
  put_op(Op::decision, zeros);
  put_real(bits, zeros);
  agents_[call.agent_number].decisions.at(call.node_word) = bits;
  seen_.end_call();
  return decision;
}

void Recorder::tell_memory(MoreOp op, const void* bytes, std::uint32_t size_bytes) {
  if (is_over()) return;
  tell_more(op);
  put(size_bytes);
  put_bytes(bytes, size_bytes);
}

}  // namespace espalier::recording
