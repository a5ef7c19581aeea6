// Kept faults. See faults.h.
#include "cli/faults.h"

#include <string_view>
#include <utility>

namespace espalier::cli {
namespace {

// Of each stream, the object that keeps its faults.
void*& keeper_of(std::ostream& log) {
  static const int index = std::ios_base::xalloc();
  return log.pword(index);
}

// "tree.xml" of "cannot read 'tree.xml': No such file or directory".
std::string file_in(std::string_view message) {
  if (!message.starts_with("cannot read ")) return {};
  const std::size_t begin = message.find('\'');
  const std::size_t end = message.find("': ", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  return std::string(message.substr(begin + 1, end - begin - 1));
}

}  // namespace

KeptFaults::KeptFaults(std::ostream& log) : log_(log), before_(std::exchange(keeper_of(log), this)) {}

KeptFaults::~KeptFaults() { keeper_of(log_) = before_; }

void KeptFaults::add(std::ostream& log, CommandFault fault) {
  if (auto* kept = static_cast<KeptFaults*>(keeper_of(log))) kept->faults_.push_back(std::move(fault));
}

std::vector<CommandFault> KeptFaults::take(std::ostream& log) {
  auto* kept = static_cast<KeptFaults*>(keeper_of(log));
  return kept == nullptr ? std::vector<CommandFault>() : std::exchange(kept->faults_, {});
}

void add_faults(std::vector<CommandFault> faults, const std::string& otherwise, text::Findings& findings,
                text::Sources& sources) {
  for (CommandFault& fault : faults) {
    std::string file = fault.file.empty() ? file_in(fault.message) : std::move(fault.file);
    if (file.empty()) file = otherwise;
    const text::FileId id = sources.add(file == "-" ? "<stdin>" : std::move(file), "", text::Excerpts::withheld);
    findings.add(fault.rule, {id, 0, 0}, std::move(fault.message), std::move(fault.hint));
  }
}

}  // namespace espalier::cli
