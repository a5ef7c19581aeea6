// What the host did in calls of its functions, in a playback. See playback.h.
#include "recording/playback.h"

using namespace espalier;
using namespace espalier::recording;

bool espalier_playback::write(const Call& call, std::uint32_t port, KeptValue kept) {
  espalier_value value = {};
  bool is_boolean = false;
  if (kept == 0) return fail();
  if (kind_of_kept(kept) != kKeptOther) {
    value.kind = static_cast<espalier_value_kind>(kind_of_kept(kept) & 3);
    value.whole = whole_of_kept(kept);
    is_boolean = (kind_of_kept(kept) & 4) != 0;
  } else {
    const Position now = reader_.position();
    reader_.go_to(known_by(kept));
    const bool is_taken = take_value(&value, &is_boolean);
    reader_.go_to(now);
    if (!is_taken) return false;
  }
  if (listener_ != nullptr && listener_->write != nullptr)
    listener_->write(listener_->user, call, port, value, is_boolean);
  if (is_boolean) {
    espalier_write_port_boolean(&call, port, value.whole != 0);
  } else {
    espalier_write_port(&call, port, &value);
  }
  return true;
}

// The port, and what its place keeps then.
bool espalier_playback::take_write(AgentEntry& entry, std::uint32_t node_word, unsigned bits, unsigned char expected,
                                   std::uint32_t* port) {
  const bool is_next = (bits & kNextPort) != 0;
  if (is_next && expected == 0) return false;
  *port = is_next ? (expected & ~kNotNow) - 1u : static_cast<std::uint32_t>(reader_.number());
  KeptValue& kept = entry.value_at(node_word, *port);
  const std::uint64_t kept_before = kind_of_kept(kept);
  const bool is_whole = kept != 0 && kept_before != kKeptOther;
  const auto form = static_cast<ValueForm>(bits & kFormBits);
  if (form == ValueForm::predicted) {
    if (is_whole) kept = kept_whole(kept_before, predicted_whole(kept), kept);
    return true;
  }
  if (form != ValueForm::whole) {
    const std::int64_t difference = form == ValueForm::one_more ? 1 : unzigzag(reader_.number());
    const std::uint64_t whole =
        static_cast<std::uint64_t>(whole_of_kept(kept)) + static_cast<std::uint64_t>(difference);
    if (is_whole) kept = kept_whole(kept_before, static_cast<std::int64_t>(whole), kept);
    return is_whole;
  }
  const Position position = reader_.position();
  espalier_value value;
  bool is_boolean = false;
  if (!take_value(&value, &is_boolean)) return false;
  const std::uint64_t kind = kept_kind(value, is_boolean);
  kept = kind != 0 ? kept_whole(kind, value.whole, kept) : kept_other(position);
  return true;
}

bool espalier_playback::put_memory(const Call& call, MoreOp op) {
  const std::uint64_t size_bytes = reader_.number();
  void* bytes = call.memory;
  std::uint32_t all_bytes = call.memory_bytes;
  if (op == MoreOp::block) {
    bytes = call.activation == nullptr ? nullptr : call.activation->block;
    all_bytes = bytes == nullptr ? 0 : call.activation->block_bytes;
  }
  if (bytes == nullptr || size_bytes != all_bytes) return fail();
  reader_.read(bytes, all_bytes);
  announce();
  return !reader_.is_done() || fail();
}

// Of a function that is called: what the host did in it until it answered.
espalier_playback::Answer espalier_playback::answer(const Call& call, Table table, Function function, AnswerBits bits,
                                                    bool is_decision) {
  ++depth_;
  const Answer answer = find_answer(call, function, bits, is_decision);
  --depth_;
  const bool is_told = listener_ != nullptr && listener_->answer != nullptr && !has_diverged_;
  if (is_told) listener_->answer(listener_->user, call, {table, bits, answer.number, is_decision, answer.decision});
  return answer;
}

espalier_playback::Answer espalier_playback::find_answer(const Call& call, Function function, AnswerBits bits,
                                                         bool is_decision) {
  AgentEntry& entry = agents_[call.agent_number];
  const auto as_decision = [](std::uint64_t stored) {
    Answer answer;
    std::memcpy(&answer.decision, &stored, sizeof answer.decision);
    return answer;
  };
  for (std::uint32_t port_before = 0; !has_diverged_;) {
    unsigned char* const expected =
        entry.begins == nullptr ? nullptr : &entry.port_at(call.node_word, function, port_before);
    if (is_next_predicted()) {
      --hit_count_;
      if (expected != nullptr && is_awake(*expected)) {
        port_before = *expected;
        KeptValue& kept = entry.value_at(call.node_word, port_before - 1);
        if (kind_of_kept(kept) != kKeptOther) kept = kept_whole(kind_of_kept(kept), predicted_whole(kept), kept);
        if (!write(call, port_before - 1, kept)) break;
        continue;
      }
      if (is_decision) return as_decision(entry.decisions.at(call.node_word));
      return {(entry.answers.at(function, call.node_word) >> bits.shift) & bits.mask, 0};
    }
    Op op = Op::none;
    unsigned number = 0;
    if (!take_op(&op, &number)) break;
    if (op == Op::answer) {
      if (expected != nullptr) *expected = asleep(*expected);
      unsigned char& last = entry.answers.at(function, call.node_word);
      if (number > bits.mask || is_decision) break;
      last = static_cast<unsigned char>((last & ~(bits.mask << bits.shift)) | number << bits.shift);
      announce();
      return {number, 0};
    }
    if (op == Op::decision && is_decision) {
      std::uint64_t& last = entry.decisions.at(call.node_word);
      const double decision = take_real(number);
      std::memcpy(&last, &decision, sizeof last);
      announce();
      return as_decision(last);
    }
    if (op == Op::write && expected != nullptr) {
      std::uint32_t port = 0;
      if (!take_write(entry, call.node_word, number, *expected, &port)) break;
      *expected = static_cast<unsigned char>(port <= kMostPort ? port + 1 : 0);
      port_before = *expected;
      announce();
      if (!write(call, port, entry.value_at(call.node_word, port))) break;
      continue;
    }
    const bool is_memory = op == Op::more && (static_cast<MoreOp>(number) == MoreOp::memory ||
                                              static_cast<MoreOp>(number) == MoreOp::block);
    if (is_decision && !is_memory) break;
    if (is_memory ? !put_memory(call, static_cast<MoreOp>(number)) : !run_op(op, number)) break;
  }
  fail();
  return {};
}
