// Scripts as instructions for a stack of values. See expand.h.
#include <charconv>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/poll/expand.h"
#include "runtime/format/records.h"

namespace espalier::ir::poll {
namespace {

using layout::PollOp;

class ScriptWriter {
 public:
  ScriptWriter(const Script& script, const Enumeration& enumeration,
               const std::function<std::uint32_t(std::string_view name)>& key_of)
      : script_(script), enumeration_(enumeration), key_of_(key_of) {}

  std::vector<PollInstruction> write() {
    code_.reserve(script_.expressions.size() + script_.statements.size());
    for (std::size_t i = 0; i < script_.statements.size(); ++i) {
      if (i > 0) add(PollOp::drop);
      write(script_.statements[i]);
    }
    return std::move(code_);
  }

 private:
  PollInstruction& add(PollOp op, std::uint32_t operand = 0) {
    PollInstruction& instruction = code_.emplace_back();
    instruction.op = op;
    instruction.operand = operand;
    return instruction;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.size()); }

  void write(std::uint32_t index) {
    const Expression& expression = script_.expressions[index];
    switch (expression.op) {
      case Operator::number:
        if (expression.is_whole) {
          std::int64_t& whole = add(PollOp::push_whole).whole;
          // What no double holds is kept as text.
          if (expression.text.empty())
            whole = static_cast<std::int64_t>(expression.number);
          else
            std::from_chars(expression.text.data(), expression.text.data() + expression.text.size(), whole);
        } else {
          add(PollOp::push_real).real = expression.number;
        }
        return;
      case Operator::text:
        add(PollOp::push_text).text = expression.text;
        return;
      case Operator::name:
        return write_name(expression.text);
      case Operator::compare:
        return write_chain(expression);
      case Operator::choose:
        return write_choice(expression);
      default:
        break;
    }
    if (is_assignment(expression.op)) return write_assignment(expression);
    if (is_binary(expression.op)) return write_binary(index);
    write(expression.a);
    add(op_of(expression.op));
  }

  // A chain may be long on its left side.
  void write_binary(std::uint32_t index) {
    std::vector<std::uint32_t> chain;
    for (; is_binary(script_.expressions[index].op); index = script_.expressions[index].a) chain.push_back(index);
    write(index);
    for (std::size_t i = chain.size(); i-- > 0;) {
      write(script_.expressions[chain[i]].b);
      add(op_of(script_.expressions[chain[i]].op));
    }
  }

  void write_name(std::string_view name) {
    if (name == "true" || name == "false") {
      add(PollOp::push_real).real = name == "true" ? 1 : 0;
    } else if (const auto known = enumeration_.find(name); known != enumeration_.end()) {
      add(PollOp::push_real).real = known->second;
    } else {
      add(PollOp::load, key_of_(name));
    }
  }

  // Neighbours are compared; the first comparison that is false is the result.
  void write_chain(const Expression& expression) {
    write(expression.a);
    std::vector<std::uint32_t> jumps;
    for (std::uint32_t i = 0; i < expression.c; ++i) {
      const Compared& each = script_.comparisons[expression.b + i];
      write(each.expression);
      const bool is_last = i + 1 == expression.c;
      if (!is_last) jumps.push_back(here());
      add(is_last ? PollOp::compare : PollOp::compare_next, static_cast<std::uint32_t>(each.with));
    }
    for (const std::uint32_t jump : jumps) code_[jump].target = here();
  }

  void write_choice(const Expression& expression) {
    write(expression.a);
    const std::uint32_t otherwise = here();
    add(PollOp::jump_unless);
    write(expression.b);
    const std::uint32_t end = here();
    add(PollOp::jump);
    code_[otherwise].operand = here();
    write(expression.c);
    code_[end].operand = here();
  }

  void write_assignment(const Expression& expression) {
    const Expression& target = script_.expressions[expression.a];
    if (target.op != Operator::name) {
      add(PollOp::fail);
      return;
    }
    write(expression.b);
    const auto which = static_cast<std::uint32_t>(expression.op) - static_cast<std::uint32_t>(Operator::create);
    add(static_cast<PollOp>(static_cast<std::uint32_t>(PollOp::create) + which), key_of_(target.text));
  }

  static PollOp op_of(Operator op) {
    const auto which = static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(Operator::negate);
    return static_cast<PollOp>(static_cast<std::uint32_t>(PollOp::negate) + which);
  }
  // The two lists have the same order.
  static_assert(static_cast<std::uint32_t>(Operator::logical_or) - static_cast<std::uint32_t>(Operator::negate) ==
                static_cast<std::uint32_t>(PollOp::logical_or) - static_cast<std::uint32_t>(PollOp::negate));
  static_assert(static_cast<std::uint32_t>(Operator::assign_divide) - static_cast<std::uint32_t>(Operator::create) ==
                static_cast<std::uint32_t>(PollOp::assign_divide) - static_cast<std::uint32_t>(PollOp::create));

  const Script& script_;
  const Enumeration& enumeration_;
  const std::function<std::uint32_t(std::string_view name)>& key_of_;
  std::vector<PollInstruction> code_;
};

}  // namespace

std::vector<PollInstruction> instructions_of(const Script& script, const Enumeration& enumeration,
                                             const std::function<std::uint32_t(std::string_view name)>& key_of) {
  return ScriptWriter(script, enumeration, key_of).write();
}

}  // namespace espalier::ir::poll
