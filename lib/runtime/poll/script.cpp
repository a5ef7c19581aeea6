// The interpreter of scripts. See script.h.
#include "poll/script.h"

namespace espalier {
namespace {

using layout::PollOp;

enum Comparison : std::uint32_t { kEqual, kUnequal, kLess, kGreater, kLessEqual, kGreaterEqual };

// All but equality hold for numbers that cannot be compared (nan).
template <typename T>
bool holds(std::uint32_t comparison, const T& a, const T& b, bool is_equal) {
  switch (comparison) {
    case kEqual:
      return is_equal;
    case kUnequal:
      return !is_equal;
    case kLess:
      return !(a >= b);
    case kGreater:
      return !(a <= b);
    case kLessEqual:
      return !(a > b);
    default:
      return !(a < b);
  }
}

bool as_bits(const PollValue& value, std::int64_t* bits) {
  PollValue whole;
  if (!value.is_number() || !fit_number(value, PollType::int64, &whole)) return false;
  *bits = whole.whole;
  return true;
}

}  // namespace

bool ScriptRun::push(const PollValue& value) {
  if (depth_ == layout::kMaxScriptValues) return false;
  ++depth_;
  set_value(0, value);
  return true;
}

bool ScriptRun::push(const PollValue& value, std::uint32_t key) {
  if (!push(value)) return false;
  slots_[depth_ - 1].source = source_of(key);
  return true;
}

PollValue ScriptRun::value(std::uint32_t below) const {
  const Slot& slot = slots_[depth_ - 1 - below];
  PollValue value;
  value.kind = slot.kind;
  value.made_as = slot.made_as;
  if (value.is_text()) {
    value.text = {slot.text, slot.text_bytes};
  } else if (value.kind == ValueKind::real) {
    value.real = slot.real;
  } else if (value.kind != ValueKind::none) {
    value.whole = slot.whole;
  }
  return value;
}

void ScriptRun::set_value(std::uint32_t below, const PollValue& value) {
  Slot& slot = slots_[depth_ - 1 - below];
  slot.kind = value.kind;
  slot.made_as = value.made_as;
  slot.source = 0;
  if (value.is_text()) {
    slot.text = value.text.data();
    slot.text_bytes = static_cast<std::uint32_t>(value.text.size());
  } else if (value.kind == ValueKind::real) {
    slot.real = value.real;
  } else {
    slot.whole = value.whole;
  }
}

// Space for a text that the script makes; null if there is none left.
const char* ScriptRun::keep(std::string_view text) {
  if (text.size() > kScriptTexts - used_) return nullptr;
  char* const at = texts_ + used_;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  return at;
}

PollFault ScriptRun::truth_of(const PollValue& value, bool* truth) const {
  if (!value.is_number()) return value.is_text() ? PollFault::not_a_truth : PollFault::no_value;
  if (value.kind == ValueKind::real) {
    *truth = value.real != 0;
    return value.real < 0 ? PollFault::not_a_truth : PollFault::none;
  }
  *truth = value.whole == 1;
  return value.whole == 0 || value.whole == 1 ? PollFault::none : PollFault::not_a_truth;
}

PollFault ScriptRun::join() {
  char buffers[2][kNumberText];
  std::string_view sides[2];
  bool has_text = false;
  for (int i = 0; i < 2; ++i) {
    const PollValue value = this->value(i == 0 ? 1 : 0);
    has_text = has_text || value.is_text();
    sides[i] = value.is_text() ? value.text : number_text(value, buffers[i]);
    if (sides[i].empty() && !value.is_text()) return PollFault::text_too_long;
  }
  if (!has_text) return PollFault::not_a_text;
  const char* const first = keep(sides[0]);
  if (first == nullptr || keep(sides[1]) == nullptr) return PollFault::text_too_long;
  --depth_;
  set_value(0, text_value({first, sides[0].size() + sides[1].size()}));
  return PollFault::none;
}

PollFault ScriptRun::calculate(PollOp op) {
  if (depth_ < 2) return PollFault::no_value;
  const PollValue right = value(0);
  const PollValue left = value(1);
  if (left.kind == ValueKind::none) return blame(1, PollFault::no_value);
  if (right.kind == ValueKind::none) return blame(0, PollFault::no_value);
  if (op == PollOp::join || (op == PollOp::add && left.is_text() && right.is_text())) return join();
  double result = 0;
  double a_real = 0;
  double b_real = 0;
  if (left.is_number() && right.is_number()) {
    if (!as_real(left, &a_real)) return blame(1, PollFault::too_large);
    if (!as_real(right, &b_real)) return blame(0, PollFault::too_large);
  }
  if (op == PollOp::logical_and || op == PollOp::logical_or) {
    bool a = false;
    bool b = false;
    if (const PollFault fault = truth_of(left, &a); fault != PollFault::none) return blame(1, fault);
    if (const PollFault fault = truth_of(right, &b); fault != PollFault::none) return blame(0, fault);
    result = (op == PollOp::logical_and ? a && b : a || b) ? 1 : 0;
  } else if (op == PollOp::bit_and || op == PollOp::bit_or || op == PollOp::bit_xor) {
    std::int64_t a = 0;
    std::int64_t b = 0;
    if (!left.is_number() || !right.is_number()) return blame(left.is_number() ? 0 : 1, PollFault::not_a_number);
    if (!as_bits(left, &a)) return blame(1, PollFault::not_whole);
    if (!as_bits(right, &b)) return blame(0, PollFault::not_whole);
    result = static_cast<double>(op == PollOp::bit_and ? a & b : op == PollOp::bit_or ? a | b : a ^ b);
  } else {
    if (!left.is_number() || !right.is_number()) return blame(left.is_number() ? 0 : 1, PollFault::not_a_number);
    result = op == PollOp::add        ? a_real + b_real
             : op == PollOp::subtract ? a_real - b_real
             : op == PollOp::multiply ? a_real * b_real
                                      : a_real / b_real;
  }
  --depth_;
  set_value(0, real_value(result));
  return PollFault::none;
}

PollFault ScriptRun::compare(std::uint32_t comparison, bool* is_true) {
  if (depth_ < 2) return PollFault::no_value;
  const PollValue right = value(0);
  const PollValue left = value(1);
  if (left.kind == ValueKind::none) return blame(1, PollFault::no_value);
  if (right.kind == ValueKind::none) return blame(0, PollFault::no_value);
  if (left.is_text() && right.is_text()) {
    *is_true = holds(comparison, left.text, right.text, left.text == right.text);
    return PollFault::none;
  }
  double numbers[2] = {};
  const PollValue* const sides[2] = {&left, &right};
  for (int i = 0; i < 2; ++i) {
    if (!sides[i]->is_text()) {
      if (!as_real(*sides[i], &numbers[i])) return blame(i == 0 ? 1 : 0, PollFault::too_large);
    } else if (!tree_.text_as_number(sides[i]->text, &numbers[i])) {
      return blame(i == 0 ? 1 : 0, PollFault::not_comparable);
    }
  }
  *is_true = holds(comparison, numbers[0], numbers[1], is_close(numbers[0], numbers[1]));
  return PollFault::none;
}

PollFault ScriptRun::assign(PollOp op, std::uint32_t key) {
  if (depth_ < 1 || value(0).kind == ValueKind::none) return blame(0, PollFault::no_value);
  if (op != PollOp::create && op != PollOp::assign) {
    const Blackboard::Found found = board_.find(key);
    if (found.entry == layout::kNone) return blame_key(key, PollFault::no_entry);
    const std::uint16_t source = slots_[depth_ - 1].source;
    const PollValue right = value(0);
    set_value(0, board_.value(found.entry));
    slots_[depth_ - 1].source = source_of(key);
    if (!push(right)) return PollFault::no_value;
    slots_[depth_ - 1].source = source;
    const PollOp operation =
        static_cast<PollOp>(static_cast<std::uint32_t>(PollOp::add) + static_cast<std::uint32_t>(op) -
                            static_cast<std::uint32_t>(PollOp::assign_add));
    if (const PollFault fault = calculate(operation); fault != PollFault::none) return fault;
  }
  const PollFault fault = board_.assign(key, value(0), op == PollOp::create);
  if (fault != PollFault::none) return blame_key(key, fault);
  PollValue assigned = board_.value(board_.find(key).entry);
  if (assigned.is_text()) {  // the room of the entry may be written again
    const char* const text = keep(assigned.text);
    if (text == nullptr) return PollFault::text_too_long;
    assigned.text = {text, assigned.text.size()};
  }
  set_value(0, assigned);
  return PollFault::none;
}

PollFault ScriptRun::step(const layout::Instruction& instruction, std::uint32_t* next) {
  const auto op = static_cast<PollOp>(instruction.op);
  const std::uint32_t operand = instruction.operand;
  PollValue value;
  switch (op) {
    case PollOp::push_whole:
      value = whole_value(static_cast<std::int64_t>(tree_.number(operand)));
      return push(value) ? PollFault::none : PollFault::no_value;
    case PollOp::push_real: {
      const std::uint64_t bits = tree_.number(operand);
      value = real_value(0);
      std::memcpy(&value.real, &bits, sizeof bits);
      return push(value) ? PollFault::none : PollFault::no_value;
    }
    case PollOp::push_text:
      return push(text_value(tree_.name(operand))) ? PollFault::none : PollFault::no_value;
    case PollOp::load: {
      const Blackboard::Found found = board_.find(operand);
      if (found.entry == layout::kNone) return blame_key(operand, PollFault::no_entry);
      value = board_.value(found.entry);
      if (value.is_text()) {
        const char* const text = keep(value.text);
        if (text == nullptr) return PollFault::text_too_long;
        value.text = {text, value.text.size()};
      }
      return push(value, operand) ? PollFault::none : PollFault::no_value;
    }
    case PollOp::negate:
    case PollOp::complement:
    case PollOp::invert: {
      if (depth_ < 1) return PollFault::no_value;
      PollValue top = this->value(0);
      if (top.kind == ValueKind::none) return blame(0, PollFault::no_value);
      if (!top.is_number()) return blame(0, PollFault::not_a_number);
      double number = 0;
      if (!as_real(top, &number)) return blame(0, PollFault::too_large);
      if (op == PollOp::negate) {
        top = real_value(-number);
      } else if (op == PollOp::invert) {
        top = real_value(number == 0 ? 1 : 0);
      } else {
        if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0))
          return blame(0, PollFault::not_whole);
        top = real_value(static_cast<double>(~static_cast<std::int64_t>(number)));
      }
      set_value(0, top);
      return PollFault::none;
    }
    case PollOp::compare: {
      bool is_true = false;
      if (const PollFault fault = compare(operand, &is_true); fault != PollFault::none) return fault;
      --depth_;
      set_value(0, real_value(is_true ? 1 : 0));
      return PollFault::none;
    }
    case PollOp::compare_next: {
      bool is_true = false;
      if (const PollFault fault = compare(operand & 0xFF, &is_true); fault != PollFault::none) return fault;
      set_value(1, is_true ? this->value(0) : real_value(0));
      --depth_;
      if (!is_true) *next = operand >> 8;
      return PollFault::none;
    }
    case PollOp::jump:
      *next = operand;
      return PollFault::none;
    case PollOp::jump_unless: {
      if (depth_ < 1) return PollFault::no_value;
      const PollValue condition = this->value(0);
      if (condition.kind == ValueKind::none) return blame(0, PollFault::no_value);
      double number = 0;
      std::size_t used = 0;
      if (condition.is_text()) {
        if (!read_number(condition.text, &number, &used)) return blame(0, PollFault::not_a_truth);
      } else if (!as_real(condition, &number)) {
        return blame(0, PollFault::too_large);
      }
      --depth_;
      if (number == 0) *next = operand;
      return PollFault::none;
    }
    case PollOp::drop:
      if (depth_ > 0) --depth_;
      return PollFault::none;
    case PollOp::create:
    case PollOp::assign:
    case PollOp::assign_add:
    case PollOp::assign_subtract:
    case PollOp::assign_multiply:
    case PollOp::assign_divide:
      return assign(op, operand);
    case PollOp::fail:
      return PollFault::not_a_name;
    default:
      return calculate(op);
  }
}

PollFault ScriptRun::run(std::uint32_t script) {
  const layout::PollScript record =
      records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
  const auto* code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
  depth_ = 0;
  used_ = 0;
  for (std::uint32_t at = 0; at < record.instruction_count;) {
    std::uint32_t next = at + 1;
    if (const PollFault fault = step(code[at], &next); fault != PollFault::none) return fault;
    at = next;
  }
  return PollFault::none;
}

PollFault ScriptRun::run(std::uint32_t script, bool* truth) {
  const PollFault fault = run(script);
  if (fault != PollFault::none) return fault;
  if (depth_ == 0) return PollFault::empty_script;
  const PollFault of_truth = truth_of(value(0), truth);
  return of_truth == PollFault::none ? of_truth : blame(0, of_truth);
}

}  // namespace espalier
