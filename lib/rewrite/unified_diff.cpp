// The unified format. See unified_diff.h. The library dtl finds the lines that differ.
#include "rewrite/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <dtl/dtl.hpp>
#include <utility>
#include <vector>

#include "text/visible.h"

namespace espalier::rewrite {
namespace {

constexpr std::size_t kContextLines = 3;

// With its line ending, which the last one may lack.
using Line = std::string_view;

// A line of both texts (' '), of the old one ('-') or of the new one ('+').
struct Change {
  char mark = ' ';
  Line line;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

std::vector<Change> changes_between(const std::vector<Line>& before, const std::vector<Line>& after) {
  dtl::Diff<Line, std::vector<Line>> diff(before, after);
  diff.onHuge();
  diff.compose();
  std::vector<Change> changes;
  for (const auto& [line, info] : diff.getSes().getSequence()) {
    changes.push_back({info.type == dtl::SES_ADD ? '+' : info.type == dtl::SES_DELETE ? '-' : ' ', line});
  }
  // What is removed stands before what is added in its place.
  for (auto at = changes.begin(); at != changes.end();) {
    const auto end = std::find_if(at, changes.end(), [](const Change& change) { return change.mark == ' '; });
    std::stable_partition(at, end, [](const Change& change) { return change.mark == '-'; });
    at = std::find_if(end, changes.end(), [](const Change& change) { return change.mark != ' '; });
  }
  return changes;
}

// Lines of changes that are shown together: [begin, end).
using Hunk = std::pair<std::size_t, std::size_t>;

std::vector<Hunk> hunks_of(const std::vector<Change>& changes) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].mark == ' ') continue;
    const std::size_t begin = i - std::min(i, kContextLines);
    const std::size_t end = std::min(i + 1 + kContextLines, changes.size());
    if (!hunks.empty() && begin <= hunks.back().second) {
      hunks.back().second = end;
    } else {
      hunks.emplace_back(begin, end);
    }
  }
  return hunks;
}

// The numbers of the lines of a hunk in one of the texts: "12,7".
std::string range_of(const std::vector<Change>& changes, Hunk hunk, char other_mark) {
  const auto is_here = [other_mark](const Change& change) { return change.mark != other_mark; };
  const auto first = changes.begin();
  const auto begin = first + static_cast<std::ptrdiff_t>(hunk.first);
  const auto before = std::count_if(first, begin, is_here);
  const auto count = std::count_if(begin, first + static_cast<std::ptrdiff_t>(hunk.second), is_here);
  // An empty range is named by the line before it.
  return std::to_string(count == 0 ? before : before + 1) + ',' + std::to_string(count);
}

// Writes lines, with colours if they are wanted.
class Writer {
 public:
  explicit Writer(bool has_color) : has_color_(has_color) {}
  void write(std::string_view begin, std::string_view line, const char* color);
  std::string take() { return std::move(result_); }

 private:
  const bool has_color_;
  std::string result_;
};

void Writer::write(std::string_view begin, std::string_view line, const char* color) {
  const bool has_end = !line.empty() && line.back() == '\n';
  if (has_end) line.remove_suffix(1);
  if (has_color_) {  // of what is hidden, nothing may reach the terminal
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    result_.append(color).append(begin).append(text::visible(line)).append("\033[0m");
  } else {
    result_.append(begin).append(line);
  }
  result_ += has_end ? "\n" : "\n\\ No newline at end of file\n";
}

constexpr const char* kBold = "\033[1m";
constexpr const char* kRed = "\033[31m";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kCyan = "\033[36m";
constexpr const char* kPlain = "\033[0m";

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after, bool has_color) {
  if (before == after) return {};
  const std::vector<Change> changes = changes_between(lines_of(before), lines_of(after));
  Writer writer(has_color);
  const std::string name = std::string(path) + '\n';
  writer.write("--- ", name, kBold);
  writer.write("+++ ", name, kBold);
  for (const Hunk& hunk : hunks_of(changes)) {
    writer.write("@@ -" + range_of(changes, hunk, '+') + " +" + range_of(changes, hunk, '-') + " @@", "\n", kCyan);
    for (std::size_t i = hunk.first; i < hunk.second; ++i) {
      const Change& change = changes[i];
      writer.write({&change.mark, 1}, change.line, change.mark == '-' ? kRed : change.mark == '+' ? kGreen : kPlain);
    }
  }
  return writer.take();
}

}  // namespace espalier::rewrite
