// Assignments and comparisons of numbers. See plain_script.h. All numbers are doubles here: whole ones that no double
// holds are left to ScriptRun.
#include "poll/plain_script.h"

namespace espalier {
namespace {

using layout::Instruction;
using layout::PollOp;

bool is(const Instruction& instruction, PollOp op) { return instruction.op == static_cast<std::uint32_t>(op); }

constexpr double kExact = static_cast<double>(kLargestExact);

class PlainScript {
 public:
  PlainScript(const PollTreeView& tree, const PollAgent& agent)
      : keys_(tree.keys), numbers_(array<std::uint64_t>(tree.asset, SectionId::numbers)), agent_(agent) {}

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

  // A constant, to an entry that is there and has a number of the same kind.
  bool write_constant(std::uint32_t key, const Instruction& constant) const {
    const std::uint32_t entry = keys_[key].entry;
    bool is_whole = false;
    if (!has_number(entry, &is_whole) ||
        constant.op != static_cast<std::uint32_t>(is_whole ? PollOp::push_whole : PollOp::push_real))
      return false;
    agent_.write_bits(entry, static_cast<std::int64_t>(numbers_[constant.operand]));
    return true;
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
  bool has_number(std::uint32_t entry, bool* is_whole) const {
    const auto kind = static_cast<ValueKind>(agent_.kind_byte(entry) ^ EntryTypes::kIsThere);
    *is_whole = kind == ValueKind::whole;
    return *is_whole || kind == ValueKind::real;
  }

  const layout::PollKey* const keys_;
  const std::uint64_t* const numbers_;
  const PollAgent& agent_;
};

double calculated(std::uint32_t op, double a, double b) {
  return op == static_cast<std::uint32_t>(PollOp::add)        ? a + b
         : op == static_cast<std::uint32_t>(PollOp::subtract) ? a - b
         : op == static_cast<std::uint32_t>(PollOp::multiply) ? a * b
                                                              : a / b;
}

}  // namespace

const Instruction* run_plain_script(const PollTreeView& tree, const PollAgent& agent, const ScriptCode& code,
                                    bool* truth) {
  constexpr auto kAdd = static_cast<std::uint32_t>(PollOp::add);
  constexpr auto kDivide = static_cast<std::uint32_t>(PollOp::divide);
  const PlainScript script(tree, agent);
  const Instruction* const end = code.end;
  const Instruction* at = code.begin;
  while (at != end) {
    const bool is_constant = end - at >= 2 && (is(at[1], PollOp::create) || is(at[1], PollOp::assign));
    const bool is_last = end - at == 2;
    if (is_constant && (is_last ? truth == nullptr : is(at[2], PollOp::drop)) &&
        script.write_constant(at[1].operand, *at)) {
      at += is_last ? 2 : 3;
      continue;
    }
    double value = 0;
    double right = 0;
    if (!script.read(*at, &value)) break;
    const Instruction* next = at + 1;
    for (; end - next >= 2 && next[1].op - kAdd <= kDivide - kAdd && script.read(*next, &right); next += 2) {
      value = calculated(next[1].op, value, right);
    }
    if (end - next == 2 && truth != nullptr && is(next[1], PollOp::compare) && script.read(*next, &right)) {
      *truth = holds(next[1].operand, value, right);
      return end;
    }
    if (next == end || (!is(*next, PollOp::create) && !is(*next, PollOp::assign))) break;
    const bool is_end = next + 1 == end;
    if (is_end ? truth != nullptr : !is(next[1], PollOp::drop)) break;
    if (!script.write(next->operand, value)) break;
    at = is_end ? end : next + 2;
  }
  return at;
}

}  // namespace espalier
