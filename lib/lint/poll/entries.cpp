// What is wrong with the entries of blackboards. See analysis.h; the facts are those of entry_facts.h.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/poll/entry_facts.h"
#include "rules/btcpp.h"
#include "text/name_index.h"

namespace espalier::lint {
namespace {

class EntryCheck {
 public:
  explicit EntryCheck(const PollAnalysis& analysis)
      : analysis_(analysis), project_(analysis.project), facts_(analysis) {}

  void check(const WrittenTree& tree) {
    if (!facts_.find(tree)) return check_names();
    for (const Board& each : facts_.boards) check_board(each);
    check_texts(facts_, analysis_);
    check_halts(facts_, analysis_);
  }

 private:
  // Of a tree of which something is missing.
  void check_names() {
    if (!facts_.has_all_names()) return;
    for (const Board& each : facts_.boards) static_cast<void>(check_slips(each, {}, analysis_));
  }

  void check_board(const Board& board) {
    const bool is_known = !board.has_unknown_writes && !board.has_unknown_ports;
    misspelt_ = is_known ? check_spelling(board, analysis_) : Misspelt();
    misspelt_.merge(check_slips(board, misspelt_, analysis_));
    for (const auto& [key, entry] : board.entries) {
      check_values(key, entry);
      if (!is_known || entry.is_perhaps_used || misspelt_.count(key) != 0) continue;
      if (is_set_in_each_tree(key)) continue;
      if (is_undefined_enum(board, key, entry)) {
        report_enum(key, entry);
      } else if (board.subtree == nullptr) {
        check_of_main(board, key, entry);
      } else if (entry.is_literal) {
        check_literal_entry(key, entry);
      } else {
        check_own(board, key, entry);
      }
    }
    report_unread();
    if (board.subtree == nullptr) return;
    check_lost(board);
    if (board.has_unknown_ports) return;
    report_unconnected(*board.subtree);
    check_unused(board);
  }

  // ---- Enums

  // Only scripts read the name, and nothing makes or writes such an entry.
  bool is_undefined_enum(const Board& board, std::string_view key, const Entry& entry) const {
    if (!looks_like_enum(key) || !entry.in_script || !entry.surely_read) return false;
    if (entry.is_made || entry.written || entry.assigned || board.passed.count(key) != 0) return false;
    return !project_.has_listed(key);
  }

  void report_enum(const std::string& name, const Entry& entry) {
    std::vector<std::string_view> known;
    for (const auto& [each, number] : project_.enums) known.push_back(each);
    if (known.empty()) {
      analysis_.report(rules::BTC_undeclared_enum, entry.surely_read->span,
                       "nothing in these files defines " + quote(name) + ": unless the program does, the script throws",
                       "if the program registers it, list it in \"enums\" of espalier.json");
      return;
    }
    const std::string near = text::nearest(name, known);
    text::Finding& finding = analysis_.report(
        rules::BTC_undefined_enum, entry.surely_read->span,
        quote(name) + " is neither an enum nor an entry: the script throws",
        near.empty() ? "if the program registers it, list it in \"enums\" of espalier.json" : did_you_mean(near));
    propose_listed(name, near, finding);
  }

  bool is_set_in_each_tree(std::string_view key) const {
    return project_.is_written_by_nav2(key) && project_.nav2_entry(key)->is_in_each_tree;
  }

  // ---- Main trees

  void check_of_main(const Board& board, const std::string& key, const Entry& entry) {
    if (!board.tree->is_main) return;
    const bool is_unread = entry.output && !entry.read && !entry.is_perhaps_read;
    const bool is_of_nav2 = project_.has_nav2 && project_.nav2_entry(key) != nullptr;
    if (is_unread && !is_of_nav2) unread_.emplace_back(key, entry.output->span);
    if (project_.has_listed(key) || project_.is_written_by_nav2(key)) return;
    if (!must_be_written(entry, project_)) return;
    if (entry.assigned && !entry.is_made && !entry.written) {
      analysis_.report(rules::BTC_assign_to_no_entry, entry.assigned->span,
                       "nothing creates the entry " + quote(key) + ": assigning it throws", "':=' creates an entry");
      return;
    }
    if (!entry.read || entry.written || entry.is_replaced) return;
    if (known_entries_.size() == 0) known_entries_ = text::NameIndex(entries_from_outside(project_));
    const std::string near = known_entries_.nearest(key);
    text::Finding& finding = analysis_.report(
        rules::BTC_never_written, entry.read->span,
        "nothing writes the entry " + quote(key) + (project_.has_nav2 ? ", neither a node nor Nav2's navigators" : ""),
        near.empty() ? "if the program writes it, list it in 'entries' of espalier.json" : did_you_mean(near));
    propose_listed(key, near, finding);
  }

  // The name of espalier.json that was meant by the first use of one, which may stand in braces.
  static void propose_listed(const std::string& name, const std::string& meant, text::Finding& finding) {
    Span span = finding.span;
    if (span.end - span.begin == name.size() + 2) span = {span.file, span.begin + 1, span.end - 1};
    if (meant.empty() || span.end - span.begin != name.size() || !finding.fixes.empty()) return;
    finding.fixes = {text::make_fix(span, name, meant, text::FixGrade::unsafe)};
    finding.fixes.back().guess = text::Guess{text::Guess::Of::name, name, meant, {}, true};
  }

  // One note for all of a tree: the program may read them.
  void report_unread() {
    auto entries = std::exchange(unread_, {});
    if (entries.empty()) return;
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<std::string_view> names;
    for (const auto& [key, span] : entries) names.push_back(key);
    text::Finding& finding =
        analysis_.report(rules::BTC_entry_never_read, entries.front().second,
                         "no node reads the " + std::string(names.size() == 1 ? "entry " : "entries ") +
                             list_of(names) + (names.size() == 1 ? ", which is an output" : ", which are outputs"));
    for (std::size_t i = 1; i < entries.size(); ++i)
      finding.related.push_back({entries[i].second, quote(names[i]) + " is written here"});
  }

  // ---- Subtrees

  // One finding for all entries of the board.
  void report_unconnected(const WrittenNode& subtree) {
    const auto entries = std::exchange(unconnected_, {});
    if (entries.empty()) return;
    std::vector<std::string_view> names;
    std::string ports;
    for (const auto& [key, span] : entries) {
      names.push_back(key);
      if (!is_port_name(key)) continue;
      if (!ports.empty()) ports += ' ';
      ports.append(key).append("=\"{").append(key).append("}\"");
    }
    const bool is_one = names.size() == 1;
    const std::string them = is_one ? "it" : "them";
    text::Finding& finding = analysis_.report(
        rules::BTC_subtree_not_connected, subtree.span,
        "the tree " + quote(subtree.id) + " reads the " + (is_one ? "entry " : "entries ") + list_of(names) +
            ", but nothing in it writes " + them + ", and this 'SubTree' does not connect " + them,
        ports.empty() ? "only names that begin with a letter can be connected"
                      : "add " + ports + ", or _autoremap=\"true\"");
    for (const auto& [key, span] : entries) finding.related.push_back({span, quote(key) + " is read here"});
  }

  void check_literal_entry(const std::string& key, const Entry& entry) {
    if (project_.has_text_literals || entry.is_mismatched || !changes_as_number(entry.literal_text)) return;
    const bool is_whole = entry.type.kind == TypeKind::whole;
    if (!is_whole && !entry.is_joined) return;
    analysis_.report(rules::BTC_literal_becomes_number, entry.literal.span,
                     quote(entry.literal_text) + " is stored as a number in " + quote(key) +
                         ": read back as a text, it is different");
  }

  void check_own(const Board& board, const std::string& key, const Entry& entry) {
    const WrittenNode& subtree = *board.subtree;
    const bool is_private = board.has_autoremap;
    const bool is_there = entry.is_made || entry.written;
    if (entry.assigned && !is_there) {
      analysis_.report(rules::BTC_assign_to_no_entry, entry.assigned->span,
                       "nothing creates the entry " + quote(key) + ": assigning it throws", "':=' creates an entry",
                       {subtree.span, "this 'SubTree' does not connect it"});
      return;
    }
    const bool is_written = entry.written || entry.is_replaced;
    if (entry.read && !is_written) {
      if (is_private || needs_port(subtree, key)) return;
      unconnected_.emplace_back(key, entry.read->span);
    } else if (entry.surely_read && entry.written && entry.surely_read->moment < entry.written->moment) {
      analysis_.report(rules::BTC_read_before_written, entry.surely_read->span,
                       "the entry " + quote(key) + " is read before anything can have written it", {},
                       {entry.written->span, "it is written here"});
    } else if (!entry.read && !entry.is_perhaps_read && (entry.created || entry.copied) && !entry.output &&
               !is_private) {
      const Moment& place = entry.created ? *entry.created : *entry.copied;
      analysis_.report(rules::BTC_entry_never_read, place.span, "nothing reads the entry " + quote(key));
    }
  }

  // Does the tree's model need this port? Then it is missing, which is reported.
  bool needs_port(const WrittenNode& subtree, const std::string& key) const {
    const Port* const port = subtree.model == nullptr ? nullptr : subtree.model->find_port(key);
    return port != nullptr && !port->otherwise;
  }

  void check_lost(const Board& board) {
    for (const auto& [key, place] : board.lost) {
      const WrittenPort* const port = board.subtree->find_port(key);
      std::string global = board.remapped.find(key)->second;
      global.erase(0, global.find_first_not_of('@') - 1);  // of several '@' one is enough
      analysis_.report(rules::BTC_remapped_to_global, port == nullptr ? board.subtree->span : port->value_span,
                       "what the tree " + quote(board.subtree->id) + " writes into " + quote(key) + " does not reach " +
                           quote(global) + ": it goes to the entry of this name in the parent",
                       "write " + quote("{" + global + "}") + " inside the tree", {place.span, "it is written here"});
    }
  }

  void check_unused(const Board& board) {
    const SubtreeModel* const model = board.subtree->model;
    text::NameIndex used;
    for (const WrittenPort& port : board.subtree->ports) {
      if (board.used.count(port.name) != 0 || misspelt_.count(port.name) != 0) continue;
      const bool is_in_model = model != nullptr && model->find_port(port.name) != nullptr;
      // Nodes in the manner of Nav2 read these without a port.
      const Nav2Entry* const known = project_.nav2_entry(port.name);
      if (is_in_model || (known != nullptr && known->is_in_each_tree)) continue;
      if (used.size() == 0) used = text::NameIndex({board.used.begin(), board.used.end()});
      analysis_.report(rules::BTC_subtree_port_unused, port.name_span,
                       "the tree " + quote(board.subtree->id) + " uses no entry " + quote(port.name),
                       used.did_you_mean(port.name));
    }
  }

  // ---- What throws whatever the tree below or above does

  void check_values(const std::string& key, const Entry& entry) {
    const bool is_of_any = entry.watched && entry.is_made && entry.type.kind == TypeKind::any && !entry.output;
    if (is_of_any) {
      for (const std::optional<Moment>* put : {&entry.copied, &entry.text_put}) {
        if (!*put) continue;
        analysis_.report(rules::BTC_text_into_watched, (*put)->span,
                         "a text cannot be put into " + quote(key) + ", which is watched: this throws", {},
                         {entry.watched->span, "it is watched here"});
      }
    }
    check_computed(key, entry);
    check_lost_literal(key, entry);
  }

  // All that is written into the entry is a text, whatever it looks like.
  void check_computed(const std::string& key, const Entry& entry) {
    if (!entry.computed || !entry.copied || entry.is_written_as_other || project_.has_listed(key)) return;
    const bool stays_text = !entry.is_made || entry.type.kind == TypeKind::text;
    if (!stays_text || entry.copied->moment > entry.computed->moment) return;
    analysis_.report(rules::BTC_text_as_number, entry.computed->span,
                     quote(key) + " holds a string, not a number: the script throws",
                     "a 'Script' with ':=' writes a number or a truth value",
                     {entry.copied->span, "'SetBlackboard' writes strings"});
  }

  void check_lost_literal(const std::string& key, const Entry& entry) {
    if (!entry.copied || entry.is_set_by_typed_node || project_.has_text_literals) return;  // versions differ
    const bool is_number = entry.created && !entry.created_as_text && entry.created->moment < entry.copied->moment;
    const bool by_script = !entry.is_made && is_number && !entry.output;
    const bool by_port = entry.by_untyped_port && !entry.created;
    const bool by_literal = entry.is_literal && !entry.type.is_number();
    if (!by_script && !by_port && !by_literal) return;
    const Span made = by_literal ? entry.literal.span : entry.created ? entry.created->span : entry.made.span;
    analysis_.report(
        rules::BTC_literal_lost, entry.copied->span,
        "the entry " + quote(key) +
            " has no type to convert the text to: it is left without a value, and the next time the node throws",
        "a 'Script' with ':=' writes a number", {made, "it is made here"});
  }

  const PollAnalysis& analysis_;
  const WrittenProject& project_;
  EntryFacts facts_;
  text::NameIndex known_entries_;                          // of the host
  Misspelt misspelt_;                                      // on the board that is being checked
  std::vector<std::pair<std::string, Span>> unconnected_;  // entries of it
  std::vector<std::pair<std::string, Span>> unread_;
};

}  // namespace

void analyse_entries(const PollAnalysis& analysis) {
  for (const std::size_t root : analysis.project.roots) EntryCheck(analysis).check(analysis.project.trees[root]);
}

}  // namespace espalier::lint
