// See reasons.h.
#include "report/reasons.h"

namespace espalier::report {
namespace {

constexpr std::size_t kLineBytes = 60;

}  // namespace

void Reasons::begin() {
  noted_.clear();
  told_.clear();
}

void Reasons::note(std::string_view who, std::string_view words) {
  Reason reason{std::string(who), std::string(words)};
  if (told_.count(reason) == 0) noted_.add(std::move(reason));
}

void Reasons::tell(Page& page) {
  std::string line;
  std::string_view of;
  const auto end = [&] {
    if (!line.empty()) page.add_detail(line);
    line.clear();
  };
  const auto tell_one = [&](const Reason& reason) {
    if (!told_.insert(reason).second) return;
    const auto& [who, words] = reason;
    const bool is_joined = !line.empty() && who == of && line.size() + words.size() < kLineBytes;
    if (is_joined) {
      line += ", " + words;
    } else {
      end();
      line = who.empty() ? words : who + ": " + words;
    }
    of = who;
  };
  noted_.visit(tell_one, [&](std::size_t count) {
    end();
    page.add_detail("... " + std::to_string(count) + " more ...");
  });
  end();
  noted_.clear();
}

}  // namespace espalier::report
