// The findings of one run. See finding.h.
#include "text/finding.h"

#include <algorithm>
#include <utility>

#include "text/names.h"

namespace espalier::text {

Fix make_fix(Span span, std::string_view written, std::string replacement, FixGrade grade) {
  std::string title;
  if (written.empty()) {
    title = "Insert " + quote(replacement);
  } else if (replacement.empty()) {
    title = "Remove " + quote(written);
  } else {
    title = "Replace " + quote(written) + " with " + quote(replacement);
  }
  return {std::move(title), grade, {{span, std::move(replacement)}}};
}

Finding& Findings::add(Rule rule, Span span, std::string message, std::string hint) {
  return add(Finding{rule, rules::info(rule).severity, span, std::move(message), std::move(hint)});
}

Finding& Findings::add(Finding finding) {
  const auto [entry, is_new] = index_.try_emplace({finding.span, finding.rule}, findings_.size());
  if (!is_new && entry->second < findings_.size()) {
    Finding& first = findings_[entry->second];
    // Callers can remove findings through all(); then the index refers to another finding or past the end.
    if (first.rule == finding.rule && first.span == finding.span) {
      for (Related& related : finding.related) {
        const bool known = std::any_of(first.related.begin(), first.related.end(), [&](const Related& other) {
          return other.span == related.span && other.message == related.message;
        });
        if (!known) first.related.push_back(std::move(related));
      }
      return first;
    }
  }
  entry->second = findings_.size();
  return findings_.emplace_back(std::move(finding));
}

void Findings::merge(Findings&& other) {
  if (findings_.empty()) {
    findings_ = std::move(other.findings_);
    index_ = std::move(other.index_);
  } else {
    for (Finding& finding : other.findings_) add(std::move(finding));
  }
  other.findings_.clear();
  other.index_.clear();
}

void Findings::add_files(Findings other, FileId first_file) {
  for (Finding& finding : other.findings_) {
    finding.span.file += first_file;
    for (Related& related : finding.related) related.span.file += first_file;
    for (Fix& fix : finding.fixes) {
      for (Edit& edit : fix.edits) edit.span.file += first_file;
    }
    add(std::move(finding));
  }
}

bool Findings::has_errors() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

void Findings::sort(const Sources& sources) {
  std::vector<std::string_view> paths;
  for (FileId file = 0; file < sources.size(); ++file) paths.push_back(sources[file].path());
  auto path = [&](const Finding& finding) {
    return finding.span.file < paths.size() ? paths[finding.span.file] : std::string_view();
  };
  // Within a file, the order of byte offsets is that of lines and columns.
  std::stable_sort(findings_.begin(), findings_.end(), [&](const Finding& a, const Finding& b) {
    return std::make_tuple(path(a), a.span.begin, rules::info(a.rule).code, a.span.end, std::string_view(a.message)) <
           std::make_tuple(path(b), b.span.begin, rules::info(b.rule).code, b.span.end, std::string_view(b.message));
  });
  index_.clear();
  for (std::size_t i = 0; i < findings_.size(); ++i) index_.try_emplace({findings_[i].span, findings_[i].rule}, i);
}

}  // namespace espalier::text
