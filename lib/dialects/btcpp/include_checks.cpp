// Includes. See include_checks.h.
#include "dialects/btcpp/include_checks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/options.h"
#include "rules/btcpp.h"

namespace espalier::dialects::btcpp {
namespace {

class IncludeChecks {
 public:
  IncludeChecks(std::span<const File> files, const Options& options, const TreeGraph& graph, Reporter& reporter)
      : files_(files), options_(options), graph_(graph), reporter_(reporter) {
    broken_.has_one.resize(files.size());
  }

  BrokenIncludes run(const Summaries& summaries, const Versions& versions) {
    for (file_ = 0; file_ < files_.size(); ++file_) {
      if (versions.is_refused(file_)) continue;
      const std::vector<IncludeSummary>& includes = summaries[file_]->includes;
      for (std::size_t i = 0; i < includes.size(); ++i) check(includes[i], i);
    }
    return std::move(broken_);
  }

 private:
  void report(Rule rule, Span span, std::string message, std::string hint = {}) {
    if (files_[file_].document != nullptr) reporter_.report(rule, span, std::move(message), std::move(hint));
  }

  // `number`: among the includes of the file.
  void check(const IncludeSummary& include, std::size_t number) {
    if (include.path.empty()) return report(rules::BTC_missing_attribute, include.span, "the include has no 'path'");
    const std::vector<Included>& includes = files_[file_].includes;
    const Included included = number < includes.size() ? includes[number] : Included{{}, true};
    if (!included.path.empty() && graph_.file_at(included.path)) {
      if (included.is_elsewhere) report_elsewhere(include, included);
      return;
    }
    broken_.has_one[file_] = true;
    if (included.is_left_out) return;
    if (!included.path.empty()) return check_kind(include, included);
    if (include.package && !is_known(*include.package)) {
      if (!broken_.lacking) broken_.lacking = include.package_span;
      return report(rules::BTC_package_unknown, include.package_span,
                    "the package " + quote(*include.package) + " is unknown, so its file is not read",
                    "name its folder in \"packages\" of espalier.json");
    }
    report(rules::BTC_include_not_found, include.path_span, "there is no file " + quote(include.path),
           include.package ? "the path is relative to the folder of the package"
                           : "the path is relative to the folder of this file");
  }

  [[nodiscard]] bool is_known(const std::string& package) const {
    const auto& named = options_.of<BtcppOptions>().packages;
    return named.find(package) != named.end();
  }

  void report_elsewhere(const IncludeSummary& include, const Included& included) {
    const std::string_view folder = graph_.packages().folder(graph_.packages().of(*graph_.file_at(included.path)));
    const std::string_view path = included.path;
    const std::string_view shown = path.substr(path.starts_with(folder) ? folder.size() : 0);
    report(rules::BTC_include_elsewhere, include.path_span, "there is no file " + quote(include.path) + " here",
           "the package " + quote(folder.substr(folder.rfind('/') + 1)) + " has it as " +
               quote(shown.substr(shown.starts_with('/') ? 1 : 0)) + ", which is read");
  }

  void check_kind(const IncludeSummary& include, const Included& included) {
    const auto other = std::find_if(options_.other_files.begin(), options_.other_files.end(),
                                    [&](const OtherFile& each) { return each.path == included.path; });
    if (other == options_.other_files.end() || (other->is_tree && !other->root)) return;
    report(rules::BTC_include_not_found, include.path_span,
           quote(include.path) + " is not a file of trees of BehaviorTree.CPP", "its root element must be 'root'");
  }

  const std::span<const File> files_;
  const Options& options_;
  const TreeGraph& graph_;
  Reporter& reporter_;
  BrokenIncludes broken_;
  std::size_t file_ = 0;
};

}  // namespace

BrokenIncludes check_includes(std::span<const File> files, const Options& options, const Summaries& summaries,
                              const TreeGraph& graph, const Versions& versions, Reporter& reporter) {
  return IncludeChecks(files, options, graph, reporter).run(summaries, versions);
}

// Depth first, in the order of files.
void report_include_cycles(std::span<const File> files, const Summaries& summaries, const TreeGraph& graph,
                           Reporter& reporter) {
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<State> states(files.size());
  std::vector<std::pair<std::size_t, std::size_t>> open;  // files, and how many of their includes were followed
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (states[i] == State::unseen) open.emplace_back(i, 0);
    while (!open.empty()) {
      const auto [file, next] = open.back();
      const std::vector<TreeGraph::Include>& includes = graph.includes()[file];
      states[file] = next < includes.size() ? State::open : State::done;
      if (states[file] == State::done) {
        open.pop_back();
        continue;
      }
      ++open.back().second;
      const TreeGraph::Include& include = includes[next];
      if (states[include.to] == State::unseen) open.emplace_back(include.to, 0);
      if (states[include.to] != State::open || files[file].document == nullptr) continue;
      reporter.report(rules::BTC_include_cycle, summaries[file]->includes[include.number].path_span,
                      "the file includes itself through this include");
    }
  }
}

}  // namespace espalier::dialects::btcpp
