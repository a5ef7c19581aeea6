// What scripts do with entries, found by running them on what their values may be. See uses.h.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/poll/uses.h"

namespace espalier::explore {

using layout::PollOp;

namespace {

template <typename Value>
void add_all(Value& to, const Value& from) {
  for (const auto& atom : from) {
    if (std::find(to.begin(), to.end(), atom) == to.end()) to.push_back(atom);
  }
}

// What meets where two ways through a script meet.
template <typename Stack>
void merge(std::optional<Stack>& into, const Stack& from) {
  if (!into) {
    into = from;
    return;
  }
  into->resize(std::min(into->size(), from.size()));
  for (std::size_t i = 0; i < into->size(); ++i) add_all((*into)[i], from[i]);
}

}  // namespace

void PollUses::read_script(std::uint32_t script, bool is_truth) {
  const layout::PollScript record =
      records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
  const auto* code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
  std::map<std::uint32_t, std::optional<Stack>> jumps;  // to an instruction
  std::optional<Stack> stack = Stack();
  const auto pop = [&] {
    Value value;
    if (!stack->empty()) {
      value = std::move(stack->back());
      stack->pop_back();
    }
    return value;
  };
  for (std::uint32_t at = 0; at <= record.instruction_count; ++at) {
    if (const auto jump = jumps.find(at); jump != jumps.end()) merge(stack, *jump->second);
    if (!stack || at == record.instruction_count) continue;
    const auto op = static_cast<PollOp>(code[at].op);
    if (op == PollOp::jump) {
      merge(jumps[code[at].operand], *stack);
      stack.reset();
    } else if (op == PollOp::jump_unless) {
      const Value condition = pop();
      compare(condition, {{Atom::Kind::number, 0, {}, 0}});
      for (const Atom& atom : condition) {
        if (atom.kind == Atom::Kind::entry && types_[atom.entry] == layout::PollType::text)
          use_of(atom.entry).literals.texts.emplace_back();
      }
      merge(jumps[code[at].operand], *stack);
    } else if (op == PollOp::compare_next) {
      Value right = pop();
      const Value left = pop();
      compare(left, right);
      stack->push_back({{Atom::Kind::number, 0, {}, 0}});
      merge(jumps[code[at].operand >> 8], *stack);
      stack->back() = std::move(right);
    } else {
      read_step(code[at], *stack);
    }
  }
  if (is_truth && stack && !stack->empty()) use_as_truth(stack->back());
}

void PollUses::read_step(const layout::Instruction& instruction, Stack& stack) {
  const auto op = static_cast<PollOp>(instruction.op);
  const auto pop = [&] {
    Value value;
    if (!stack.empty()) {
      value = std::move(stack.back());
      stack.pop_back();
    }
    return value;
  };
  const auto push_number = [&](double number) { stack.push_back({{Atom::Kind::number, number, {}, 0}}); };
  const Value truths = {{Atom::Kind::number, 0, {}, 0}, {Atom::Kind::number, 1, {}, 0}};
  switch (op) {
    case PollOp::push_whole:
      return push_number(static_cast<double>(static_cast<std::int64_t>(tree_.number(instruction.operand))));
    case PollOp::push_real: {
      const std::uint64_t bits = tree_.number(instruction.operand);
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      return push_number(number);
    }
    case PollOp::push_text:
      stack.push_back({{Atom::Kind::text, 0, std::string(tree_.name(instruction.operand)), 0}});
      return;
    case PollOp::load:
      look_at(entry_of(instruction.operand), false);
      stack.push_back({{Atom::Kind::entry, 0, {}, entry_of(instruction.operand)}});
      return;
    case PollOp::invert:
      compare(pop(), {{Atom::Kind::number, 0, {}, 0}});
      stack.push_back(truths);
      return;
    case PollOp::negate: {
      Value value = pop();
      for (Atom& atom : value) {
        atom.number = -atom.number;
        if (atom.kind == Atom::Kind::number) continue;
        compute({atom});
        atom.kind = Atom::Kind::computed;
      }
      stack.push_back(std::move(value));
      return;
    }
    case PollOp::complement:
      compute(pop());
      stack.push_back({{}});
      return;
    case PollOp::logical_and:
    case PollOp::logical_or:
      use_as_truth(pop());
      use_as_truth(pop());
      stack.push_back(truths);
      return;
    case PollOp::compare: {
      const Value right = pop();
      const Value left = pop();
      compare(left, right);
      // Texts that are less or greater than others are not looked for.
      const auto has_text = [](const Value& value) {
        return std::any_of(value.begin(), value.end(), [](const Atom& atom) { return atom.kind == Atom::Kind::text; });
      };
      constexpr std::uint32_t kUnequal = 1;
      if (instruction.operand > kUnequal && (has_text(left) || has_text(right))) {
        compute(left);
        compute(right);
      }
      stack.push_back(truths);
      return;
    }
    case PollOp::drop:
      static_cast<void>(pop());
      return;
    case PollOp::create:
    case PollOp::assign: {
      const Value value = pop();
      if (op == PollOp::assign) look_at(entry_of(instruction.operand), false);
      assign(instruction.operand, value);
      stack.push_back({{Atom::Kind::entry, 0, {}, entry_of(instruction.operand)}});
      return;
    }
    case PollOp::assign_add:
    case PollOp::assign_subtract:
    case PollOp::assign_multiply:
    case PollOp::assign_divide: {
      const std::uint32_t entry = entry_of(instruction.operand);
      look_at(entry, false);
      constexpr PollOp kOperations[] = {PollOp::add, PollOp::subtract, PollOp::multiply, PollOp::divide};
      const auto number = static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(PollOp::assign_add);
      const Value value = pop();
      assign(instruction.operand, calculate(kOperations[number], {{Atom::Kind::entry, 0, {}, entry}}, value));
      stack.push_back({{Atom::Kind::entry, 0, {}, entry}});
      return;
    }
    case PollOp::fail:
      return;
    default: {
      const Value right = pop();
      const Value left = pop();
      stack.push_back(calculate(op, left, right));
      return;
    }
  }
}

// Each value that may be compared with each other one.
void PollUses::compare(const Value& left, const Value& right) {
  const auto add = [&](const Atom& atom, const Atom& other) {
    if (atom.kind == Atom::Kind::number || atom.kind == Atom::Kind::text) return;
    if (atom.kind != Atom::Kind::entry) {
      if (atom.kind != Atom::Kind::computed) compute({atom});
      return;
    }
    EntryUse& use = use_of(atom.entry);
    use.is_compared = true;
    if (other.kind == Atom::Kind::number) {
      use.literals.numbers.push_back(other.number);
    } else if (other.kind == Atom::Kind::text) {
      use.literals.texts.push_back(other.text);
    } else {
      use.is_computed = true;
    }
  };
  for (const Atom& atom : left) {
    for (const Atom& other : right) {
      add(atom, other);
      add(other, atom);
    }
  }
}

void PollUses::use_as_truth(const Value& value) {
  for (const Atom& atom : value) {
    if (atom.kind == Atom::Kind::increased || atom.kind == Atom::Kind::decreased) compute({atom});
    if (atom.kind != Atom::Kind::entry) continue;
    EntryUse& use = use_of(atom.entry);
    use.is_compared = true;
    use.literals.is_boolean = true;
    use.literals.numbers.insert(use.literals.numbers.end(), {0, 1});
  }
}

void PollUses::compute(const Value& value) {
  for (const Atom& atom : value) {
    if (atom.kind == Atom::Kind::number || atom.kind == Atom::Kind::text || atom.kind == Atom::Kind::computed) continue;
    look_at(atom.entry, true);
  }
}

// An entry that is increased or decreased by a whole number, and numbers; all else is computed.
PollUses::Value PollUses::calculate(PollOp op, const Value& left, const Value& right) {
  const bool is_sum = op == PollOp::add || op == PollOp::subtract;
  const bool are_single = left.size() == 1 && right.size() == 1 && right.front().kind == Atom::Kind::number;
  if (is_sum && are_single && left.front().kind == Atom::Kind::entry) {
    const double number = op == PollOp::add ? right.front().number : -right.front().number;
    const bool is_whole = number == static_cast<double>(static_cast<std::int64_t>(number));
    Atom atom = left.front();
    atom.kind = number < 0 ? Atom::Kind::decreased : Atom::Kind::increased;
    if (is_whole) return {atom};
  }
  if (is_sum && are_single && left.front().kind == Atom::Kind::number) {
    const double number = right.front().number;
    return {{Atom::Kind::number, left.front().number + (op == PollOp::add ? number : -number), {}, 0}};
  }
  compute(left);
  compute(right);
  return {{}};
}

void PollUses::assign(std::uint32_t key, const Value& value) {
  const std::uint32_t entry = entry_of(key);
  for (const Atom& atom : value) {
    const bool is_entry = atom.kind >= Atom::Kind::entry && atom.kind <= Atom::Kind::decreased;
    const bool is_copied = is_entry && (atom.kind == Atom::Kind::entry || atom.entry != entry);
    if (is_copied) join(entry, atom.entry);
    EntryUse& use = use_of(entry);
    // Can a text be converted, does a number stay one without a sign?
    const bool may_throw = atom.kind == Atom::Kind::decreased && is_unsigned_whole(types_[entry]);
    use.is_compared = use.is_compared || is_copied || may_throw;
    use.is_computed = use.is_computed || may_throw;
    use.is_increased = use.is_increased || atom.kind == Atom::Kind::increased;
    use.is_decreased = use.is_decreased || atom.kind == Atom::Kind::decreased;
    use.is_computed = use.is_computed || atom.kind == Atom::Kind::computed;
  }
}

}  // namespace espalier::explore
