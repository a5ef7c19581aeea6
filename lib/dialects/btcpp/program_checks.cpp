// Trees of programs. See program_checks.h.
#include "dialects/btcpp/program_checks.h"

#include <algorithm>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/file_checks.h"
#include "dialects/btcpp/tree_reader.h"
#include "dialects/reading/checks.h"
#include "rules/btcpp.h"
#include "rules/xml.h"
#include "text/near_names.h"

namespace espalier::dialects::btcpp {
namespace {

class Checker {
 public:
  explicit Checker(const ProgramChecks& checks)
      : in_(checks), graph_(checks.graph), reporter_(checks.reporter), project_(checks.project) {}

  void run() {
    check_main_trees();
    check_references();
    report_duplicates();
    note_choices();
    report_cycles();
    find_roots();
    note_several_trees();
    note_programs();
  }

 private:
  // Of other files only the summaries are known: nothing in them is reported.
  [[nodiscard]] bool is_read(std::size_t file) const { return in_.files[file].document != nullptr; }
  [[nodiscard]] bool is_tree_read(std::size_t tree) const { return is_read(graph_[tree].file); }
  [[nodiscard]] std::string shown(std::size_t file) const { return quote(path_in_project(in_.files[file])); }

  // ---- Names that no file has

  // What a name that no tree has may be meant to be.
  struct Near {
    std::string name;      // empty: nothing
    bool is_slip = false;  // of the finger
  };

  const Near& near(std::string_view name) {
    const auto [place, is_new] = near_.try_emplace(name);
    if (!is_new) return place->second;
    if (known_trees_.size() == 0) {
      std::vector<std::string_view> names;
      for (const auto& [each, trees] : graph_.names()) names.push_back(each);
      known_trees_ = text::NameIndex(std::move(names));
    }
    place->second.name = known_trees_.nearest(name);
    if (place->second.name == name) place->second.name.clear();
    place->second.is_slip = !place->second.name.empty() && text::is_near_name(name, place->second.name);
    return place->second;
  }

  // A name in a file that no tree has.
  void check_unknown(Rule rule, std::string_view name, Span span, std::size_t file, std::string hint = {}) {
    const std::vector<std::string>& listed = in_.options.of<BtcppOptions>().trees;
    if (std::binary_search(listed.begin(), listed.end(), name)) {
      listed_.try_emplace(std::string(name), span);
      return;
    }
    if (in_.may_lack_files) return;
    const Near& meant = near(name);
    if (const auto tree = graph_.find(meant.name, file)) graph_.use(*tree);
    if (in_.may_lack_trees[file]) {
      if (meant.is_slip) return report(rules::BTC_suspicious_tree, name, span, file, did_you_mean(meant.name));
      Elsewhere& elsewhere = elsewhere_[graph_.packages().of(file)];
      if (elsewhere.count++ == 0) elsewhere = {span, file, 1, {}};
      elsewhere.names.insert(name);
      return;
    }
    if (hint.empty()) {
      hint = meant.name.empty() ? "if it is defined elsewhere, list it in \"trees\" of espalier.json"
                                : did_you_mean(meant.name);
    }
    report(rule, name, span, file, std::move(hint));
  }

  void report(Rule rule, std::string_view name, Span span, std::size_t file, std::string hint) {
    if (!is_read(file)) return;
    std::string message = "unknown tree " + quote(name);
    if (in_.options.is_partial) {
      reporter_.report(rules::XML_unchecked_reference, span, message + ": the rest of the project was not given",
                       did_you_mean(near(name).name));
      return;
    }
    text::Finding& finding = reporter_.report(rule, span, std::move(message), std::move(hint));
    reporter_.propose(finding, name, near(name).name);
  }

  void check_main_trees() {
    check_main_trees_of_starts();
    check_unread_main_trees();
  }

  void check_main_trees_of_starts() {
    for (const std::size_t file : graph_.programs().starts()) {
      const FileSummary& summary = *in_.summaries[file];
      if (!summary.main || !graph_.mains_of(file).empty()) continue;
      lacks_main_.insert(file);
      const auto other = graph_.programs().find(*summary.main, file);
      check_unknown(rules::BTC_unknown_main_tree, *summary.main, summary.main_span, file,
                    other ? "it is in " + shown(graph_[*other].file) + ", which this file does not include" : "");
    }
  }

  // No program reads that of a file which others include, unless the file has the tree: it may name any. One that is
  // nearly a tree of the file is misspelt.
  void check_unread_main_trees() {
    const std::span<const std::size_t> starts = graph_.programs().starts();
    for (std::size_t file = 0; file < in_.summaries.size(); ++file) {
      const FileSummary& summary = *in_.summaries[file];
      if (!summary.main || std::binary_search(starts.begin(), starts.end(), file)) continue;
      if (graph_.programs().find(*summary.main, file)) continue;
      for (const TreeSummary& tree : summary.trees) {
        if (!text::is_near_name(*summary.main, tree.name)) continue;
        report(rules::BTC_suspicious_tree, *summary.main, summary.main_span, file, did_you_mean(tree.name));
        break;
      }
    }
  }

  void check_references() {
    for (std::size_t number = 0; number < graph_.trees().size(); ++number) {
      const TreeGraph::Tree& tree = graph_[number];
      if (is_tree_read(number)) {
        for (const WrittenNode& node : project_.trees[number].nodes) check_reference(node, tree.file);
        continue;
      }
      for (std::size_t i = 0; i < tree.targets.size(); ++i) {
        const TreeReference& reference = tree.summary->references[i];
        if (!tree.targets[i]) check_unknown(rules::BTC_unknown_tree, reference.name, reference.id_span, tree.file);
      }
    }
    note_listed();
    note_elsewhere();
  }

  void check_reference(const WrittenNode& node, std::size_t file) {
    if (!node.is_subtree() || node.id.empty()) return;
    if (node.tree != nullptr) return check_model(node);
    check_unknown(rules::BTC_unknown_tree, node.id, node.id_span, file);
  }

  // One note for all of them that espalier.json lists.
  void note_listed() {
    if (listed_.empty()) return;
    std::vector<std::pair<Span, std::string_view>> uses;
    for (const auto& [name, span] : listed_) uses.emplace_back(span, name);
    std::sort(uses.begin(), uses.end());
    std::vector<std::string_view> names;
    for (const auto& [span, name] : uses) names.push_back(name);
    const bool is_one = names.size() == 1;
    text::Finding& note = reporter_.report(rules::BTC_trees_elsewhere, uses.front().first,
                                           (is_one ? "the tree " : "the trees ") + list_of(names) +
                                               (is_one ? " is defined elsewhere, so it is not checked"
                                                       : " are defined elsewhere, so they are not checked"));
    add_left_out(note);
  }

  // One note a package.
  void note_elsewhere() {
    for (const auto& [package, elsewhere] : elsewhere_) {
      if (!is_read(elsewhere.file)) continue;
      const bool is_one = elsewhere.count == 1;
      const std::vector<std::string_view> names(elsewhere.names.begin(), elsewhere.names.end());
      text::Finding& note =
          reporter_.report(rules::BTC_trees_elsewhere, elsewhere.first,
                           (is_one ? std::string("a 'SubTree' names a tree")
                                   : std::to_string(elsewhere.count) + " 'SubTree's name trees") +
                               " that no file here has: " + list_of(names),
                           (in_.is_fork ? "MoveIt Pro may have " : "a file that is not there may have ") +
                               std::string(is_one ? "it" : "them"));
      add_left_out(note);
    }
    // A package that is not known is told where it is named.
    if (!in_.lacking) return;
    for (text::Finding& finding : reporter_.findings().all()) {
      if (finding.rule == rules::BTC_package_unknown && finding.span == *in_.lacking) return add_left_out(finding);
    }
  }

  // Which trees cannot be compiled as trees that they use are not there. Told once.
  void add_left_out(text::Finding& note) {
    if (has_told_left_out_) return;
    has_told_left_out_ = true;
    std::vector<std::optional<const TreeReference*>> known(graph_.trees().size());
    for (const auto& [name, trees] : graph_.names()) {
      for (const std::size_t tree : trees) {
        const TreeReference* const missing = first_unknown_of(tree, known);
        if (missing == nullptr) continue;
        note.related.push_back({graph_[tree].summary->span, "'compile' leaves out the tree " + quote(name) +
                                                                ": it uses the tree " + quote(missing->name) +
                                                                ", which is not known"});
      }
    }
  }

  // Is it no error that no tree of this name is known in a file?
  [[nodiscard]] bool is_excused(std::string_view name, std::size_t file) const {
    return in_.may_lack_files || in_.may_lack_trees[file] || listed_.find(name) != listed_.end();
  }

  // The first one, through all subtrees, whose tree is not known; null: there is none. `known`: by tree, what was
  // found.
  const TreeReference* first_unknown_of(std::size_t number,
                                        std::vector<std::optional<const TreeReference*>>& known) const {
    if (known[number]) return *known[number];
    known[number] = nullptr;
    const TreeGraph::Tree& tree = graph_[number];
    for (std::size_t i = 0; i < tree.targets.size(); ++i) {
      const TreeReference* const unknown =
          tree.targets[i] ? first_unknown_of(*tree.targets[i], known) : &tree.summary->references[i];
      if (unknown == nullptr || (!tree.targets[i] && !is_excused(unknown->name, tree.file))) continue;
      known[number] = unknown;
      break;
    }
    return *known[number];
  }

  // ---- Models of trees

  void check_model(const WrittenNode& node) {
    if (node.model == nullptr || node.has_autoremap) return;
    std::vector<std::string_view> missing;
    for (const Port& port : node.model->ports) {
      if (!port.otherwise && node.find_port(port.name) == nullptr) missing.push_back(port.name);
    }
    if (missing.empty()) return;
    text::Finding& finding = reporter_.report(rules::BTC_missing_port, node.span,
                                              "the model of the tree " + quote(node.id) + " needs the " +
                                                  (missing.size() == 1 ? "port " : "ports ") + list_of(missing),
                                              {}, {node.model->span, "the model"});
    if (missing.size() == 1) propose_port(missing.front(), *node.model, node, finding);
  }

  // The attribute that is probably the missing port, misspelt here or in the model.
  void propose_port(std::string_view missing, const SubtreeModel& model, const WrittenNode& node,
                    text::Finding& finding) {
    for (const WrittenPort& given : node.ports) {
      if (model.find_port(given.name) != nullptr || reporter_.nearest(given.name, {missing}).empty()) continue;
      finding.hint = "the model has no port " + quote(given.name) + ": " + did_you_mean(missing);
      finding.fixes = {text::make_fix(given.name_span, given.name, std::string(missing), text::FixGrade::unsafe)};
      finding.fixes.back().guess = text::Guess{text::Guess::Of::name, std::string(given.name), std::string(missing)};
      return;
    }
  }

  // ---- Trees of one name

  void report_duplicates() {
    for (const TreeGraph::Duplicate& each : graph_.duplicates()) {
      if (!is_tree_read(each.tree)) continue;
      const bool is_in_file = graph_[each.tree].file == graph_[each.other].file;
      const std::string name = quote(project_.trees[each.tree].name);
      reporter_.report(rules::BTC_duplicate_tree, project_.trees[each.tree].span,
                       is_in_file ? "duplicate tree " + name + ": the library silently takes the last one"
                                  : "duplicate tree " + name + ": the library silently drops this one",
                       {}, {project_.trees[each.other].span, is_in_file ? "an earlier one" : "it takes this one"});
    }
  }

  void note_choices() {
    std::set<std::pair<std::string_view, std::size_t>> told;  // trees and packages
    std::set<std::size_t> left_out;
    for (const auto& [start, program] : graph_.programs().mixed()) {
      for (const Programs::Taken& each : program.ambiguous) {
        const TreeReference& reference = graph_[each.tree].summary->references[each.reference];
        if (told.emplace(reference.name, graph_.packages().of(graph_[each.tree].file)).second)
          note_ambiguous(reference, each);
      }
      for (const Programs::LeftOut& each : program.left_out) {
        if (!is_tree_read(each.tree) || !left_out.insert(each.tree).second) continue;
        reporter_.report(rules::BTC_tree_left_out, graph_[each.tree].summary->span,
                         "the program that starts at " + shown(start) + " needs this file, but has a tree " +
                             quote(graph_[each.tree].summary->name) + " of its own",
                         {}, {graph_[each.instead].summary->span, "the one that it has"});
      }
    }
    std::set<std::size_t> packages;
    const std::vector<Programs::Taken> of_others = graph_.programs().of_other_packages();
    for (const Programs::Taken& each : of_others) {
      const std::size_t file = graph_[each.tree].file;
      if (!packages.insert(graph_.packages().of(file)).second || !is_read(file)) continue;
      const TreeReference& reference = graph_[each.tree].summary->references[each.reference];
      reporter_.report(
          rules::BTC_tree_of_another_package, reference.id_span,
          "the tree " + quote(reference.name) + " is in another package: " + shown(graph_[each.target].file),
          "a program must load that file too", {graph_[each.target].summary->span, "the tree"});
    }
  }

  void note_ambiguous(const TreeReference& reference, const Programs::Taken& each) {
    if (!is_tree_read(each.tree)) return;
    constexpr std::size_t kMostShown = 16;
    text::Finding& finding = reporter_.report(
        rules::BTC_ambiguous_tree, reference.id_span,
        std::to_string(each.others.size() + 1) + " files have a tree " + quote(reference.name) + ": the one of " +
            shown(graph_[each.target].file) + ", which is nearest, is taken",
        "include the file that is meant", {graph_[each.target].summary->span, "the one that is taken"});
    for (std::size_t i = 0; i < std::min(each.others.size(), kMostShown); ++i)
      finding.related.push_back({graph_[each.others[i]].summary->span, "another one"});
  }

  // ---- What names mean in a program

  // The trees of each program that has files of others in which names mean other trees.
  void note_programs() {
    std::map<std::size_t, WrittenProgram*> known;  // by files at which they start
    for (const auto& mixed : graph_.programs().mixed()) {
      const Programs::Program& program = mixed.second;
      const bool differs = std::any_of(program.files.begin(), program.files.end(), [&](std::size_t file) {
        return graph_.programs().home(file) != mixed.first && means_others(file, program.shared);
      });
      if (!differs) continue;
      WrittenProgram& own = project_.programs.emplace_back();
      for (const auto& [name, tree] : program.shared) own.own.emplace(name, &project_.trees[tree]);
      known[mixed.first] = &own;
    }
    for (std::size_t tree = 0; tree < project_.trees.size(); ++tree) {
      const std::optional<std::size_t> start = graph_.programs().home(graph_[tree].file);
      const auto program = start ? known.find(*start) : known.end();
      if (program != known.end()) project_.trees[tree].program = program->second;
    }
  }

  [[nodiscard]] bool means_others(std::size_t file,
                                  const std::unordered_map<std::string_view, std::size_t>& trees) const {
    for (std::size_t tree = graph_.first_of(file); tree < graph_.trees().size() && graph_[tree].file == file; ++tree) {
      const TreeGraph::Tree& own = graph_[tree];
      for (std::size_t i = 0; i < own.targets.size(); ++i) {
        const auto found = trees.find(own.summary->references[i].name);
        if (found != trees.end() && own.targets[i] != found->second) return true;
      }
    }
    return false;
  }

  // ---- Which trees use which

  void report_cycles() {
    for (const TreeGraph::Cycle& cycle : graph_.cycles()) {
      if (!is_tree_read(cycle.tree)) continue;
      const TreeReference& reference = graph_[cycle.tree].summary->references[cycle.reference];
      const std::size_t target = *graph_[cycle.tree].targets[cycle.reference];
      reporter_.report(rules::BTC_tree_cycle, reference.span,
                       "the tree " + quote(reference.name) + " contains itself through this 'SubTree'",
                       "since its version 4.9.0, the library refuses it; older ones overflow the stack",
                       {project_.trees[target].span, "the tree"});
    }
  }

  void find_roots() {
    for (std::size_t i = 0; i < project_.trees.size(); ++i) {
      const WrittenTree& tree = project_.trees[i];
      const bool is_used = graph_.is_used(i);
      if (graph_[graph_.taken(i)].is_main || !is_used) project_.roots.push_back(i);
      const std::optional<std::size_t> start = graph_.programs().home(graph_[i].file);
      const bool is_of_program = start && lacks_main_.count(*start) == 0;
      if (graph_.taken(i) != i || tree.is_main || is_used || tree.name.empty() || !is_of_program || !is_tree_read(i))
        continue;
      if (!in_.is_misused(tree.name))
        reporter_.report(rules::BTC_unused_tree, tree.span, "nothing refers to the tree " + quote(tree.name));
    }
  }

  // The main tree is what the program says, where it says it.
  void note_several_trees() {
    if (in_.options.is_partial) return;
    for (const std::size_t file : graph_.programs().starts()) {
      const FileSummary& summary = *in_.summaries[file];
      if (!is_read(file) || summary.main || summary.trees.size() < 2) continue;
      const bool has_main = std::any_of(summary.trees.begin(), summary.trees.end(), [](const TreeSummary& tree) {
        return tree.name.empty() || (tree.path && tree.path->empty());
      });
      if (has_main || misspelt_main(in_.files[file].document->root(), reporter_)) continue;
      const std::vector<std::size_t> mains = graph_.mains_of(file);
      reporter_.report(
          rules::BTC_several_trees, in_.files[file].document->root_span(),
          "the file has " + std::to_string(summary.trees.size()) +
              " trees, and no 'main_tree_to_execute' says which of them is the main one",
          mains.size() == 1 ? "write main_tree_to_execute=\"" + graph_[mains.front()].summary->name + '"' : "");
    }
  }

  struct Elsewhere {
    Span first;
    std::size_t file = 0;
    std::size_t count = 0;
    std::set<std::string_view> names = {};
  };

  const ProgramChecks& in_;
  TreeGraph& graph_;
  Reporter& reporter_;
  WrittenProject& project_;
  text::NameIndex known_trees_;
  std::map<std::string_view, Near> near_;            // of names of trees that are not known
  std::map<std::string, Span, std::less<>> listed_;  // first uses of trees that espalier.json lists
  std::map<std::size_t, Elsewhere> elsewhere_;       // by package
  std::set<std::size_t> lacks_main_;                 // files at which programs start
  bool has_told_left_out_ = false;
};

}  // namespace

std::string_view path_in_project(const File& file) {
  const std::string_view path = file.path;
  if (file.folder.empty() || !path.starts_with(file.folder)) return path;
  const std::string_view below = path.substr(file.folder.size());
  return below.starts_with('/') ? below.substr(1) : below;
}

void check_programs(const ProgramChecks& checks) { Checker(checks).run(); }

}  // namespace espalier::dialects::btcpp
