// The story of trees that poll: what starts, what ends and how, with the inputs that were read and the answers that led
// to it, then the active branch. See tellers.h.
#include "report/line_view.h"
#include "report/tellers.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxReadBytes = 200;  // of what was read before a line

}  // namespace

void PollTeller::event(const Event& event) {
  switch (event.kind) {
    case EventKind::end:
      return end(event.agent);
    case EventKind::restore:
    case EventKind::reload:
    case EventKind::destroy:
      return views_.forget(event.agent);
    default:
      if (telling_.kinds.has(event.kind)) tell(event);
  }
}

void PollTeller::tell(const Event& event) {
  const bool is_read = event.kind == EventKind::read || event.kind == EventKind::ask;
  if (is_read && !telling_.is_filtered) {
    if (reads_.size() > kMaxReadBytes) return;
    reads_.append(reads_.empty() ? "" : ", ").append(visible(event.subject));
    reads_.append(event.kind == EventKind::ask ? " is " : " reads ").append(visible(event.value));
    if (reads_.size() > kMaxReadBytes) reads_ += ", ...";
    return;
  }
  plain_.tell(event);
  const bool is_silent = event.kind == EventKind::status || event.value == "running";
  if (event.kind == EventKind::status && !telling_.is_filtered) reads_.clear();  // the update is over
  if (telling_.is_filtered || is_silent || reads_.empty() || !telling_.page.is_open()) return;
  telling_.page.add_detail(reads_);
  reads_.clear();
}

void PollTeller::end(std::uint32_t agent) {
  if (!views_.are_shown()) return;
  const AgentView& view = telling_.agent();
  if (!views_.is_unchanged(view, agent)) views_.update(view, agent, active_lines(view));
}

}  // namespace espalier::report
