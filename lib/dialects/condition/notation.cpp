// Conditions in the notation of other languages. See notation.h.
#include "dialects/condition/notation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dialects/condition/condition.h"
#include "text/names.h"

namespace espalier::dialects::condition {
namespace {

constexpr std::uint8_t kTightest = 5;  // binding

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '.'; }

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// A logical operator between two operands.
struct Joint {
  std::string_view meant;    // "and", "or", "xor"
  std::uint8_t binding = 0;  // 0: it is written as here
};

// What stands between two parentheses: operands, and the joints between them.
struct Group {
  std::uint32_t begin = 0;  // of the operand that the group is, with its '!'
  bool is_compared = false;
  std::vector<Range> operands = {};
  std::vector<Joint> joints = {};
};

class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text) {}
  std::vector<Change> run();

 private:
  bool read_operand();
  bool read_after_operand();
  bool order(Group& group);
  void join(Group& group, std::uint8_t binding);

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  [[nodiscard]] std::string_view token() const;
  [[nodiscard]] static std::string_view native(std::string_view word);
  void replace(std::string_view token, std::string text) {
    changes_.push_back({at_, at_ + static_cast<std::uint32_t>(token.size()), std::move(text)});
  }
  // The word in place of a token, with blanks where the token has none around it.
  [[nodiscard]] std::string with_blanks(std::string_view word, std::string_view token) const;
  void take(std::string_view token) { at_ += static_cast<std::uint32_t>(token.size()); }

  std::string_view text_;
  std::uint32_t at_ = 0;
  bool wants_operand_ = true;
  std::optional<std::uint32_t> not_;   // where a '!' is whose value comes next
  std::optional<std::uint32_t> left_;  // where the left side of a comparison begins whose right side comes next
  bool is_compared_ = false;           // the last operand is a comparison
  std::vector<Group> groups_ = std::vector<Group>(1);
  std::vector<Change> changes_;
};

std::string_view Translator::native(std::string_view word) {
  for (const std::string_view each : {"and", "or", "xor"}) {
    if (text::equal_any_case(word, each)) return each;
  }
  return {};
}

std::string_view Translator::token() const {
  const std::string_view rest = text_.substr(at_);
  std::size_t end = 0;
  if (!rest.empty() && continues_name(rest[0])) {
    while (end < rest.size() && continues_name(rest[end])) ++end;
    return rest.substr(0, end);
  }
  for (const std::string_view symbol : {"&&", "||", "==", "!=", "<>", "~="}) {
    if (rest.substr(0, symbol.size()) == symbol) return rest.substr(0, symbol.size());
  }
  return rest.substr(0, 1);
}

std::string Translator::with_blanks(std::string_view word, std::string_view token) const {
  const std::size_t end = at_ + token.size();
  std::string result(word);
  if (at_ > 0 && !is_blank(text_[at_ - 1])) result.insert(0, 1, ' ');
  if (end < text_.size() && !is_blank(text_[end])) result += ' ';
  return result;
}

bool Translator::read_operand() {
  const std::string_view here = token();
  const Habit* const habit = text::find_by(&Habit::written, kValueHabits, here);
  const bool is_not_word = text::equal_any_case(here, "not");
  if (here == "!" || here == "~" || is_not_word) {
    if (not_) return false;
    not_ = at_;
    const std::uint32_t begin = at_;
    take(here);
    if (here == "!") return true;
    if (is_not_word) skip_blanks();
    changes_.push_back({begin, at_, "!"});
    return true;
  }
  const std::uint32_t begin = not_.value_or(at_);
  if (here == "(") {
    if (groups_.size() > kMaxOpenParentheses) return false;
    groups_.push_back({left_.value_or(begin), left_.has_value()});
    not_.reset();
    left_.reset();
    take(here);
    return true;
  }
  if (here.empty() || !native(here).empty()) return false;
  if (habit != nullptr && habit->is_clear) {
    replace(here, std::string(habit->meant));
  } else if (!begins_name(here[0])) {
    return false;
  }
  take(here);
  not_.reset();
  is_compared_ = left_.has_value();
  groups_.back().operands.push_back({left_.value_or(begin), at_});
  left_.reset();
  wants_operand_ = false;
  return true;
}

bool Translator::read_after_operand() {
  const std::string_view here = token();
  Group& group = groups_.back();
  if (here == ")") {
    if (groups_.size() == 1 || !order(group)) return false;
    const Group closed = group;
    groups_.pop_back();
    take(here);
    is_compared_ = closed.is_compared;
    groups_.back().operands.push_back({closed.begin, at_});
    return true;
  }
  const Habit* const habit = text::find_by(&Habit::written, kOperatorHabits, here);
  const std::string_view meant = habit != nullptr && habit->is_clear ? habit->meant : here;
  if (meant == "==" || meant == "!=") {
    if (is_compared_) return false;
    if (meant != here) replace(here, std::string(meant));
    left_ = group.operands.back().begin;
    group.operands.pop_back();
  } else if (const std::string_view word = native(meant); !word.empty()) {
    if (habit != nullptr) replace(here, with_blanks(word, here));
    group.joints.push_back({word, habit != nullptr ? habit->binding : std::uint8_t{0}});
  } else {
    return false;
  }
  take(here);
  wants_operand_ = true;
  return true;
}

// Puts parentheses where the other notation joins some operands first. False: the order is not known.
bool Translator::order(Group& group) {
  const auto differs = [&](const Joint& joint) { return joint.meant != group.joints.front().meant; };
  if (std::none_of(group.joints.begin(), group.joints.end(), differs)) return true;
  const auto is_native = [](const Joint& joint) { return joint.binding == 0; };
  if (std::any_of(group.joints.begin(), group.joints.end(), is_native)) return false;
  for (std::uint8_t binding = kTightest; binding > 0; --binding) join(group, binding);
  return true;
}

// Makes one operand of those between which are joints of this binding.
void Translator::join(Group& group, std::uint8_t binding) {
  std::vector<Range> operands = {group.operands.front()};
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < group.joints.size();) {
    const std::size_t first = i;
    while (i < group.joints.size() && group.joints[i].binding == binding) ++i;
    if (i != first) {
      const bool differs_before = !joints.empty() && joints.back().meant != group.joints[first].meant;
      const bool differs_after = i < group.joints.size() && group.joints[i].meant != group.joints[first].meant;
      operands.back().end = group.operands[i].end;
      if (differs_before || differs_after) {
        changes_.push_back({operands.back().begin, operands.back().begin, "("});
        changes_.push_back({operands.back().end, operands.back().end, ")"});
      }
    }
    if (i == group.joints.size()) break;
    joints.push_back(group.joints[i]);
    operands.push_back(group.operands[++i]);
  }
  group.operands = std::move(operands);
  group.joints = std::move(joints);
}

std::vector<Change> Translator::run() {
  for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
    if (!(wants_operand_ ? read_operand() : read_after_operand())) return {};
  }
  if (wants_operand_ || groups_.size() > 1 || !order(groups_.front())) return {};
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  return std::move(changes_);
}

}  // namespace

std::string changed(std::string_view text, const std::vector<Change>& changes) {
  std::string result;
  std::uint32_t at = 0;
  for (const Change& change : changes) {
    result.append(text.substr(at, change.begin - at)).append(change.text);
    at = change.end;
  }
  return result.append(text.substr(at));
}

std::vector<Change> translation(std::string_view text) {
  std::vector<Change> changes = Translator(text).run();
  const Parsed parsed = parse(changed(text, changes));
  return parsed.is_complete && parsed.faults.empty() ? changes : std::vector<Change>();
}

}  // namespace espalier::dialects::condition
