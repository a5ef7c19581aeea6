// Assignments and comparisons of numbers. See plain_script.h. All numbers are doubles here: whole ones that no double
// holds are left to ScriptRun.
#include "poll/plain_script.h"

namespace espalier {
namespace {

using layout::Instruction;
using layout::PollOp;

bool is(const Instruction& instruction, PollOp op) { return instruction.op == static_cast<std::uint32_t>(op); }
bool is_assignment(const Instruction& instruction) {
  return is(instruction, PollOp::create) || is(instruction, PollOp::assign);
}

constexpr double kExact = static_cast<double>(kLargestExact);

class PlainScript {
 public:
  PlainScript(const PollTreeView& tree, const PollAgent& agent, const Instruction* end, bool* truth)
      : keys_(tree.keys),
        numbers_(array<std::uint64_t>(tree.asset, SectionId::numbers)),
        agent_(agent),
        end_(end),
        truth_(truth) {}

  // Is what comes before this instruction, a value, not used? And the next statement.
  bool is_dropped(const Instruction* next) const { return next == end_ ? truth_ == nullptr : is(*next, PollOp::drop); }
  const Instruction* after(const Instruction* drop) const { return drop == end_ ? drop : drop + 1; }

  // Of an instruction that pushes a constant or loads an entry that is there and has a number. False: of another one.
  bool read(const Instruction& instruction, double* number) const {
    bool is_whole = false;
    if (is(instruction, PollOp::load)) {
      const std::uint32_t entry = keys_[instruction.operand].entry;
      return has_number(entry, &is_whole) && take(agent_.bits(entry), is_whole, number);
    }
    is_whole = is(instruction, PollOp::push_whole);
    return (is_whole || is(instruction, PollOp::push_real)) && take(numbers_[instruction.operand], is_whole, number);
  }

  // `x := 2`: a constant, to an entry that is there and has a number of the same kind. Returns the next statement;
  // null: it is another one, and nothing is written.
  const Instruction* set_constant(const Instruction* at) const {
    if (end_ - at < 2 || !is_assignment(at[1]) || !is_dropped(at + 2)) return nullptr;
    const std::uint32_t entry = keys_[at[1].operand].entry;
    bool is_whole = false;
    if (!has_number(entry, &is_whole) || !is(*at, is_whole ? PollOp::push_whole : PollOp::push_real)) return nullptr;
    agent_.write_bits(entry, static_cast<std::int64_t>(numbers_[at->operand]));
    return after(at + 2);
  }

  // `x := y + 2` and `x < 2`, if all are whole numbers that a double holds: as set_constant(), with the results of
  // doubles.
  const Instruction* use_wholes(const Instruction* at) const {
    if (end_ - at < 3 || !is(at[1], PollOp::push_whole) || !agent_.has_whole(keys_[at->operand].entry)) return nullptr;
    const auto left = static_cast<std::int64_t>(agent_.bits(keys_[at->operand].entry));
    const auto right = static_cast<std::int64_t>(numbers_[at[1].operand]);
    if (!is_exact(left) || !is_exact(right)) return nullptr;
    const bool is_added = is(at[2], PollOp::add);
    if (is_added || is(at[2], PollOp::subtract)) return set_sum(at + 3, is_added ? left + right : left - right);
    if (at + 3 != end_ || truth_ == nullptr || !is(at[2], PollOp::compare)) return nullptr;
    *truth_ = holds(at[2].operand, left, right, left == right);
    return end_;
  }
  const Instruction* set_sum(const Instruction* assignment, std::int64_t sum) const {
    if (assignment == end_ || !is_assignment(*assignment) || !is_dropped(assignment + 1)) return nullptr;
    const std::uint32_t entry = keys_[assignment->operand].entry;
    if (!is_exact(sum) || !agent_.has_whole(entry)) return nullptr;
    agent_.write_bits(entry, sum);
    return after(assignment + 1);
  }

  // To an entry that is there and has a number, and keeps its kind. False: it is another one, and nothing is written.
  bool write(std::uint32_t key, double number) const {
    const std::uint32_t entry = keys_[key].entry;
    bool is_whole = false;
    if (!has_number(entry, &is_whole)) return false;
    std::int64_t bits = 0;
    if (is_whole) {
      if (!(number >= -kExact && number <= kExact)) return false;
      bits = static_cast<std::int64_t>(number);
      if (static_cast<double>(bits) != number) return false;
    } else {
      std::memcpy(&bits, &number, sizeof bits);
    }
    agent_.write_bits(entry, bits);
    return true;
  }

 private:
  static bool take(std::uint64_t bits, bool is_whole, double* number) {
    if (!is_whole) {
      std::memcpy(number, &bits, sizeof bits);
      return true;
    }
    *number = static_cast<double>(static_cast<std::int64_t>(bits));
    return *number >= -kExact && *number <= kExact;
  }
  // Is it one that a double holds, as all up to it?
  static bool is_exact(std::int64_t number) {
    constexpr auto kMost = static_cast<std::uint64_t>(kLargestExact);
    return static_cast<std::uint64_t>(number) + kMost <= 2 * kMost;
  }
  bool has_number(std::uint32_t entry, bool* is_whole) const {
    const auto kind = static_cast<ValueKind>(agent_.kind_byte(entry) ^ EntryTypes::kIsThere);
    *is_whole = kind == ValueKind::whole;
    return *is_whole || kind == ValueKind::real;
  }

  const layout::PollKey* const keys_;
  const std::uint64_t* const numbers_;
  const PollAgent& agent_;
  const Instruction* const end_;
  bool* const truth_;
};

double calculated(std::uint32_t op, double a, double b) {
  return op == static_cast<std::uint32_t>(PollOp::add)        ? a + b
         : op == static_cast<std::uint32_t>(PollOp::subtract) ? a - b
         : op == static_cast<std::uint32_t>(PollOp::multiply) ? a * b
                                                              : a / b;
}

// From this statement on, of numbers of any kind. Apart from what most scripts do: that then saves no registers.
[[gnu::noinline]] const Instruction* run_numbers(const PollTreeView& tree, const PollAgent& agent,
                                                 const Instruction* at, const Instruction* end, bool* truth) {
  const PlainScript script(tree, agent, end, truth);
  constexpr auto kAdd = static_cast<std::uint32_t>(PollOp::add);
  constexpr auto kDivide = static_cast<std::uint32_t>(PollOp::divide);
  while (at != end) {
    double value = 0;
    double right = 0;
    if (!script.read(*at, &value)) break;
    const Instruction* next = at + 1;
    for (; end - next >= 2 && next[1].op - kAdd <= kDivide - kAdd && script.read(*next, &right); next += 2) {
      value = calculated(next[1].op, value, right);
    }
    if (end - next == 2 && truth != nullptr && is(next[1], PollOp::compare) && script.read(*next, &right)) {
      *truth = holds(next[1].operand, value, right);
      return nullptr;
    }
    if (next == end || !is_assignment(*next) || !script.is_dropped(next + 1)) break;
    if (!script.write(next->operand, value)) break;
    at = script.after(next + 1);
  }
  return at == end ? nullptr : at;
}

}  // namespace

const Instruction* run_plain_script(const PollTreeView& tree, const PollAgent& agent, std::uint32_t script,
                                    bool* truth) {
  const ScriptCode code(tree, script);
  const Instruction* const end = code.end;
  const PlainScript plain(tree, agent, end, truth);
  for (const Instruction* at = code.begin; at != end;) {
    const Instruction* const next = is(*at, PollOp::load) ? plain.use_wholes(at) : plain.set_constant(at);
    if (next == nullptr) return run_numbers(tree, agent, at, end, truth);
    at = next;
  }
  return nullptr;
}

}  // namespace espalier
