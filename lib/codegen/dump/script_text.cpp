// Executes instructions with texts in place of values. See script_text.h.
#include "codegen/dump/script_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/poll/tree.h"

namespace espalier::codegen {
namespace {

using layout::PollOp;

// What comes later binds more tightly. `chain`: comparisons of neighbours, of which one more follows.
enum class Precedence : std::uint8_t {
  assignment,
  choice,
  either,
  both,
  comparison,
  chain,
  bits,
  common_bits,
  sum,
  product,
  sign,
  word
};
constexpr Precedence tighter(Precedence binding) {
  return static_cast<Precedence>(static_cast<std::uint8_t>(binding) + 1);
}

struct Notation {
  std::string_view text;
  Precedence binding;
};
constexpr std::array<std::string_view, 3> kSigns = {"-", "~", "!"};           // from `negate` on
constexpr std::array<Notation, 10> kOperations = {{{" + ", Precedence::sum},  // from `add` on
                                                   {" - ", Precedence::sum},
                                                   {" * ", Precedence::product},
                                                   {" / ", Precedence::product},
                                                   {" .. ", Precedence::sum},
                                                   {" & ", Precedence::common_bits},
                                                   {" | ", Precedence::bits},
                                                   {" ^ ", Precedence::bits},
                                                   {" && ", Precedence::both},
                                                   {" || ", Precedence::either}}};
constexpr std::array<std::string_view, 6> kComparisons = {" == ", " != ", " < ", " > ", " <= ", " >= "};
constexpr std::array<std::string_view, 6> kAssignments = {
    " := ", " = ", " += ", " -= ", " *= ", " /= "};  // from `create`

constexpr std::size_t from(PollOp first, PollOp op) {
  return static_cast<std::size_t>(op) - static_cast<std::size_t>(first);
}

class Writing {
 public:
  explicit Writing(const Tree& tree) : tree_(tree) {}

  std::string text(std::uint32_t script) {
    const auto scripts = records<layout::PollScript>(tree_.asset, SectionId::poll_scripts);
    const layout::PollScript& written = scripts[tree_.record.first_script + script];
    const auto code = records<layout::Instruction>(tree_.asset, SectionId::poll_code);
    for (std::uint32_t i = 0; i < written.instruction_count; ++i) {
      end_choices(i);
      const layout::Instruction& instruction = code[written.first_instruction + i];
      write(static_cast<PollOp>(instruction.op), instruction.operand);
    }
    end_choices(written.instruction_count);
    return statements_ + take(Precedence::assignment);
  }

 private:
  struct Piece {
    std::string text = {};
    Precedence binding = Precedence::word;
  };
  // Where `condition ? a : b` ends: known when `a` is written.
  using Choice = std::uint32_t;

  void push(std::string text, Precedence binding) { pieces_.push_back({std::move(text), binding}); }

  // The last piece, in parentheses if it binds less tightly.
  std::string take(Precedence least) {
    if (pieces_.empty()) return {};
    Piece piece = std::move(pieces_.back());
    pieces_.pop_back();
    return piece.binding < least ? '(' + piece.text + ')' : piece.text;
  }

  void end_choices(std::uint32_t at) {
    while (!choices_.empty() && choices_.back() == at) {
      choices_.pop_back();
      const std::string otherwise = take(Precedence::choice);
      const std::string then = take(Precedence::assignment);
      push(take(Precedence::either).append(" ? ").append(then).append(" : ").append(otherwise), Precedence::choice);
    }
  }

  void write(PollOp op, std::uint32_t operand) {
    switch (op) {
      case PollOp::push_whole:
        return push(std::to_string(static_cast<std::int64_t>(tree_.number(operand))), Precedence::word);
      case PollOp::push_real:
        return push(real(tree_.number(operand)), Precedence::word);
      case PollOp::push_text:
        return push('\'' + std::string(tree_.name(operand)) + '\'', Precedence::word);
      case PollOp::load:
        return push(key(operand), Precedence::word);
      case PollOp::negate:
      case PollOp::complement:
      case PollOp::invert:
        return push(std::string(kSigns[from(PollOp::negate, op)]) + take(Precedence::sign), Precedence::sign);
      case PollOp::compare:
        return write_pair({kComparisons[operand], Precedence::comparison}, Precedence::chain);
      case PollOp::compare_next:
        return write_pair({kComparisons[operand & 0xFF], Precedence::chain}, Precedence::chain);
      case PollOp::jump:
        if (!choices_.empty()) choices_.back() = operand;
        return;
      case PollOp::jump_unless:
        return choices_.push_back(layout::kNone);
      case PollOp::drop:
        statements_ += take(Precedence::assignment) + "; ";
        return;
      case PollOp::create:
      case PollOp::assign:
      case PollOp::assign_add:
      case PollOp::assign_subtract:
      case PollOp::assign_multiply:
      case PollOp::assign_divide: {
        const std::string value = take(Precedence::assignment);
        return push(key(operand).append(kAssignments[from(PollOp::create, op)]).append(value), Precedence::assignment);
      }
      case PollOp::fail:
      case PollOp::count:
        return push("(an assignment to no name)", Precedence::word);
      default: {
        const Notation& notation = kOperations[from(PollOp::add, op)];
        return write_pair(notation, notation.binding);
      }
    }
  }

  void write_pair(const Notation& notation, Precedence least_left) {
    const std::string right = take(tighter(least_left));
    push(take(least_left).append(notation.text).append(right), notation.binding);
  }

  std::string key(std::uint32_t number) const { return std::string(tree_.name(tree_.keys[number].name)); }

  static std::string real(std::uint64_t bits) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits)).ptr};
  }

  const PollTreeView tree_;
  std::string statements_;  // that are followed by others
  std::vector<Piece> pieces_;
  std::vector<Choice> choices_;
};

}  // namespace

std::string script_text(const Tree& tree, std::uint32_t script) { return Writing(tree).text(script); }

}  // namespace espalier::codegen
