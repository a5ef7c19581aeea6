// The interpreter of scripts. See script.h.
#include "poll/script.h"

namespace espalier {
namespace {

using layout::PollOp;

// Two numbers that have a value as real ones.
inline bool are_reals(const PollValue* left, double* a, double* b) {
  return left[0].is_number() && left[1].is_number() && as_real(left[0], a) && as_real(left[1], b);
}

bool as_bits(const PollValue& value, std::int64_t* bits) {
  PollValue whole = {};
  if (!value.is_number() || !fit_number(value, PollType::int64, &whole)) return false;
  *bits = whole.whole;
  return true;
}

}  // namespace

// Space for a text that the script makes; null if there is none left.
const char* ScriptRun::keep(std::string_view text) {
  if (text.size() > kScriptTexts - used_) return nullptr;
  char* const at = texts_ + used_;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  return at;
}

// The text is one of the script, until its end.
PollFault ScriptRun::keep(PollValue* text) {
  text->chars = keep(text->text());
  return text->chars == nullptr ? PollFault::text_too_long : PollFault::none;
}

PollFault ScriptRun::truth_of(const PollValue& value, bool* truth) {
  if (!value.is_number()) return blame(value, value.is_text() ? PollFault::not_a_truth : PollFault::no_value);
  const bool is_real = value.kind == ValueKind::real;
  *truth = is_real ? value.real != 0 : value.whole == 1;
  const bool is_valid = is_real ? !(value.real < 0) : value.whole == 0 || value.whole == 1;
  return is_valid ? PollFault::none : blame(value, PollFault::not_a_truth);
}

PollFault ScriptRun::load(std::uint32_t key, PollValue* loaded) {
  const Blackboard::Found found = board_.find(key);
  if (found.entry == layout::kNone) return blame_key(key, PollFault::no_entry);
  *loaded = board_.value(found.entry);
  loaded->source = source_of(key);
  return loaded->is_text() ? keep(loaded) : PollFault::none;
}

PollFault ScriptRun::join(PollValue* left) {
  char buffers[2][kNumberText];
  std::string_view sides[2];
  bool has_text = false;
  for (int i = 0; i < 2; ++i) {
    const PollValue& value = left[i];
    has_text = has_text || value.is_text();
    sides[i] = value.is_text() ? value.text() : number_text(value, buffers[i]);
    if (sides[i].empty() && !value.is_text()) return PollFault::text_too_long;
  }
  if (!has_text) return PollFault::not_a_text;
  const char* const first = keep(sides[0]);
  if (first == nullptr || keep(sides[1]) == nullptr) return PollFault::text_too_long;
  *left = text_value({first, sides[0].size() + sides[1].size()});
  return PollFault::none;
}

PollFault ScriptRun::calculate(PollOp op, PollValue* left) {
  double a = 0;
  double b = 0;
  const bool is_arithmetic = op >= PollOp::add && op <= PollOp::divide;
  if (!is_arithmetic || !are_reals(left, &a, &b)) return calculate_slowly(op, left);
  *left = real_value(op == PollOp::add        ? a + b
                     : op == PollOp::subtract ? a - b
                     : op == PollOp::multiply ? a * b
                                              : a / b);
  return PollFault::none;
}

// Of two numbers only logical operations and those of bits.
PollFault ScriptRun::calculate_slowly(PollOp op, PollValue* left) {
  const PollValue& right = left[1];
  for (int i = 0; i < 2; ++i) {
    if (left[i].kind == ValueKind::none) return blame(left[i], PollFault::no_value);
  }
  if (op == PollOp::join || (op == PollOp::add && left->is_text() && right.is_text())) return join(left);
  const bool are_numbers = left->is_number() && right.is_number();
  double real = 0;
  for (int i = 0; i < 2 && are_numbers; ++i) {
    if (!as_real(left[i], &real)) return blame(left[i], PollFault::too_large);
  }
  if (op == PollOp::logical_and || op == PollOp::logical_or) {
    bool a = false;
    bool b = false;
    if (const PollFault fault = truth_of(*left, &a); fault != PollFault::none) return fault;
    if (const PollFault fault = truth_of(right, &b); fault != PollFault::none) return fault;
    *left = real_value((op == PollOp::logical_and ? a && b : a || b) ? 1 : 0);
    return PollFault::none;
  }
  if (!are_numbers) return blame(left->is_number() ? right : *left, PollFault::not_a_number);
  std::int64_t a = 0;
  std::int64_t b = 0;
  if (!as_bits(*left, &a)) return blame(*left, PollFault::not_whole);
  if (!as_bits(right, &b)) return blame(right, PollFault::not_whole);
  *left = real_value(static_cast<double>(op == PollOp::bit_and ? a & b : op == PollOp::bit_or ? a | b : a ^ b));
  return PollFault::none;
}

PollFault ScriptRun::compare(std::uint32_t comparison, const PollValue* left, bool* is_true) {
  double numbers[2] = {};
  if (!are_reals(left, &numbers[0], &numbers[1])) {
    for (int i = 0; i < 2; ++i) {
      if (left[i].kind == ValueKind::none) return blame(left[i], PollFault::no_value);
    }
    if (left[0].is_text() && left[1].is_text()) {
      const std::string_view a = left[0].text();
      const std::string_view b = left[1].text();
      *is_true = holds(comparison, a, b, a == b);
      return PollFault::none;
    }
    for (int i = 0; i < 2; ++i) {
      if (!left[i].is_text()) {
        if (!as_real(left[i], &numbers[i])) return blame(left[i], PollFault::too_large);
      } else if (!tree_.text_as_number(left[i].text(), &numbers[i])) {
        return blame(left[i], PollFault::not_comparable);
      }
    }
  }
  *is_true = holds(comparison, numbers[0], numbers[1]);
  return PollFault::none;
}

// Negates, complements or inverts a number.
PollFault ScriptRun::change(PollOp op, PollValue* operand) {
  double number = 0;
  if (operand->kind == ValueKind::none) return blame(*operand, PollFault::no_value);
  if (!operand->is_number()) return blame(*operand, PollFault::not_a_number);
  if (!as_real(*operand, &number)) return blame(*operand, PollFault::too_large);
  if (op == PollOp::complement) {
    if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0))
      return blame(*operand, PollFault::not_whole);
    number = static_cast<double>(~static_cast<std::int64_t>(number));
  } else {
    number = op == PollOp::negate ? -number : number == 0 ? 1 : 0;
  }
  *operand = real_value(number);
  return PollFault::none;
}

// `is_used`: the value that the entry has then takes the place of the one that is assigned.
PollFault ScriptRun::assign(PollOp op, std::uint32_t key, PollValue* value, bool is_used) {
  if (value->kind == ValueKind::none) return blame(*value, PollFault::no_value);
  PollValue operands[2] = {{}, *value};
  if (op >= PollOp::assign_add) {
    const Blackboard::Found found = board_.find(key);
    if (found.entry == layout::kNone) return blame_key(key, PollFault::no_entry);
    operands[0] = board_.value(found.entry);
    operands[0].source = source_of(key);
    const auto nth = static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(PollOp::assign_add);
    const auto operation = static_cast<PollOp>(static_cast<std::uint32_t>(PollOp::add) + nth);
    if (const PollFault fault = calculate(operation, operands); fault != PollFault::none) return fault;
    *value = operands[0];
  }
  std::uint32_t entry = 0;
  const PollFault fault = board_.assign(key, *value, op == PollOp::create, &entry);
  if (fault != PollFault::none) return blame_key(key, fault);
  if (!is_used) return PollFault::none;
  *value = board_.value(entry);
  return value->is_text() ? keep(value) : PollFault::none;  // the room of the entry may be written again
}

PollFault ScriptRun::run(const ScriptCode& script, const layout::Instruction* first, bool* truth) {
  const auto* const code = script.begin;
  const auto* const end = script.end;
  const auto* const numbers = array<std::uint64_t>(tree_.asset, SectionId::numbers);
  PollValue* const bottom = values_ + 1;
  PollValue* const last = values_ + 1 + layout::kMaxScriptValues;
  values_[0] = values_[1] = {};
  PollValue* top = bottom;
  PollFault fault = PollFault::none;
  for (const layout::Instruction* at = first; at != end;) {
    const auto op = static_cast<PollOp>(at->op);
    const std::uint32_t operand = at->operand;
    ++at;
    switch (op) {
      case PollOp::push_whole:
        if (top == last) return PollFault::no_value;
        *++top = whole_value(static_cast<std::int64_t>(numbers[operand]));
        break;
      case PollOp::push_real:
        if (top == last) return PollFault::no_value;
        *++top = whole_value(static_cast<std::int64_t>(numbers[operand]), PollType::real64, ValueKind::real);
        break;
      case PollOp::push_text:
        if (top == last) return PollFault::no_value;
        *++top = text_value(tree_.name(operand));
        break;
      case PollOp::load:
        if (top == last) return PollFault::no_value;
        ++top;
        fault = load(operand, top);
        break;
      case PollOp::negate:
      case PollOp::complement:
      case PollOp::invert:
        fault = change(op, top);
        break;
      case PollOp::compare:
      case PollOp::compare_next: {
        bool is_true = false;
        fault = compare(operand & 0xFF, top - 1, &is_true);
        if (fault != PollFault::none) return fault;
        --top;
        if (op == PollOp::compare) {
          *top = real_value(is_true ? 1 : 0);
        } else if (is_true) {
          *top = top[1];
        } else {
          *top = real_value(0);
          at = code + (operand >> 8);
        }
        break;
      }
      case PollOp::jump:
        at = code + operand;
        break;
      case PollOp::jump_unless: {
        double number = 0;
        std::size_t used = 0;
        if (top->kind == ValueKind::none) return blame(*top, PollFault::no_value);
        if (top->is_text()) {
          if (!read_number(top->text(), &number, &used)) return blame(*top, PollFault::not_a_truth);
        } else if (!as_real(*top, &number)) {
          return blame(*top, PollFault::too_large);
        }
        --top;
        if (number == 0) at = code + operand;
        break;
      }
      case PollOp::drop:
        if (top != bottom) --top;
        break;
      case PollOp::create:
      case PollOp::assign:
      case PollOp::assign_add:
      case PollOp::assign_subtract:
      case PollOp::assign_multiply:
      case PollOp::assign_divide: {
        const bool is_dropped = at == end ? truth == nullptr : static_cast<PollOp>(at->op) == PollOp::drop;
        fault = assign(op, operand, top, !is_dropped);
        break;
      }
      case PollOp::fail:
        return PollFault::not_a_name;
      default:
        fault = calculate(op, top - 1);
        --top;
        break;
    }
    if (fault != PollFault::none) return fault;
  }
  if (truth == nullptr) return PollFault::none;
  return top == bottom ? PollFault::empty_script : truth_of(*top, truth);
}

}  // namespace espalier
