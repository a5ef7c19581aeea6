// Logs of BehaviorTree.CPP 3, which Nav2 has in Humble and Iron: messages with names of nodes. Its nodes do not change
// in the order of version 4 (a reactive node runs after its children, a decorator resets its child after it is done,
// and children of a reactive node keep their results), so that only the answers of leaves and the root's results are
// compared. See attempt.h.
#include <espalier/polling.h>

#include <algorithm>

#include "live/attempt.h"

namespace espalier::live {
namespace {

// Nodes with a name.
constexpr std::uint8_t kLeaf = 1;
constexpr std::uint8_t kParent = 2;

}  // namespace

void Attempt::find_answers() {
  kinds_.resize(log_.names.size());
  changes_.resize(tree_.nodes().size());
  std::vector<std::uint32_t> nodes(log_.names.size());  // with each name: 1 + its number
  std::vector<bool> are_several(log_.names.size());
  for (std::uint32_t node = 0; node < tree_.nodes().size(); ++node) {
    for (std::size_t name = 0; name < log_.names.size(); ++name) {
      if (!tree_.nodes()[node].is_called(log_.names[name])) continue;
      kinds_[name] |= tree_.nodes()[node].asks ? kLeaf : kParent;
      are_several[name] = nodes[name] != 0;
      nodes[name] = node + 1;
    }
  }
  for (std::uint32_t i = 0; i < log_.changes.size(); ++i) {
    const std::uint16_t name = log_.changes[i].name;
    if (name != 0 && nodes[name - 1u] != 0 && !are_several[name - 1u]) changes_[nodes[name - 1u] - 1].push_back(i);
  }
}

// From the cursor on the next answer of a leaf in this message; the end of the message: there is none. A name that a
// leaf shares with a parent may be of either.
std::uint32_t Attempt::next_answer() {
  std::uint32_t next = cursor_;
  for (; next < log_.changes.size() && (next == first_ || !log_.changes[next].begins_message); ++next) {
    const Change& change = log_.changes[next];
    if (change.status == Status::idle || change.name == 0) continue;
    const std::uint8_t kinds = kinds_[change.name - 1u];
    if (kinds == kLeaf || (kinds == (kLeaf | kParent) && choose(2) == 0)) break;
  }
  return next;
}

// Of a node whose name no other has: its status at the cursor, when its parent has reset it.
Status Attempt::status_before(std::uint32_t number) const {
  const std::vector<std::uint32_t>& changes = changes_[number];
  const auto next = std::lower_bound(changes.begin(), changes.end(), cursor_);
  if (next != changes.begin()) {
    const std::uint32_t last = *(next - 1);
    const bool is_reset = next != changes.end() && *next == last + 1 && log_.changes[*next].status == Status::idle;
    return is_reset ? Status::idle : log_.changes[last].status;
  }
  const bool is_told = next != changes.end() && log_.changes[*next].previous != 0;
  return is_told ? static_cast<Status>(log_.changes[*next].previous - 1) : Status::idle;
}

espalier_result Attempt::ask_version_3(std::uint32_t number, espalier_result before, const Call* call) {
  const LoggedNode& node = tree_.nodes()[number];
  const std::uint32_t next = next_answer();
  const bool is_end = next == log_.changes.size() || (next != first_ && log_.changes[next].begins_message);
  if (!is_end && tree_.is_of(log_.changes[next], log_, number)) {
    const Status now = log_.changes[next].status;
    const bool is_answer = now != Status::running || !node.is_at_once;
    if (is_answer && result_of(now) != before) {
      cursor_ = next + 1;
      return answer(call, number, result_of(now));
    }
  }
  if (before == ESPALIER_STOPPED) {
    const Status kept = status_before(number);
    if (kept == Status::success || kept == Status::failure) {
      is_doubtful_ = true;  // version 3 need not have asked it again
      return answer(call, number, result_of(kept));
    }
    fail(number, std::nullopt);
    return ESPALIER_SUCCESS;
  }
  return answer(call, number, before);
}

// All answers of the message must have been given, and the root must be as it says.
void Attempt::end_message() {
  if (misfit_) return;
  if (const std::uint32_t next = next_answer();
      next < log_.changes.size() && (next == first_ || !log_.changes[next].begins_message)) {
    cursor_ = next;
    return fail(0, std::nullopt);
  }
  std::uint32_t end = first_ + 1;
  std::optional<Status> root;
  for (std::uint32_t i = first_; i < end; ++i) {
    const Change& change = log_.changes[i];
    const bool is_result = change.status == Status::success || change.status == Status::failure;
    const bool is_root = is_result && std::binary_search(changes_[0].begin(), changes_[0].end(), i);
    if (is_root) root = change.status;
    if (i + 1 < log_.changes.size() && !log_.changes[i + 1].begins_message) ++end;
  }
  const bool is_named = !changes_[0].empty();
  const Status now = status_of(result_);
  if (is_named && now != root.value_or(Status::running)) return fail(0, now);
  cursor_ = end;
}

}  // namespace espalier::live
