// How two versions differ. See explored.h.
#include <algorithm>
#include <array>

#include "replay/names.h"
#include "report/explored.h"
#include "report/explored_json.h"
#include "report/human.h"
#include "report/line_view.h"
#include "report/listing.h"
#include "report/markdown.h"
#include "report/output_form.h"
#include "report/words_of_changes.h"
#include "report/xml_text.h"

namespace espalier::report {
namespace {

using explore::Change;
using explore::Compared;
using explore::Difference;
using explore::TreeDiff;

std::string states_text(const TreeDiff& tree) {
  return grouped(tree.state_count) + (tree.state_count == 1 ? " state" : " states");
}

// "40 states that the budget allows"
std::string explored_states(const TreeDiff& tree) {
  return states_text(tree) + (tree.limit.empty() ? " that the budget allows" : "; " + tree.limit);
}

// Of a search that ended though there may be more differences: by the budget, or some time after the first one.
std::string limit_text(const TreeDiff& tree) {
  return tree.limit.empty() ? states_text(tree) + (tree.state_count == 1 ? " was explored" : " were explored")
                            : tree.limit;
}

// ---- Words

bool is_same(const TreeDiff& tree) { return tree.result == Compared::same; }

// What differs, without the place and the trace.
std::string contrast_words(const Difference& difference, const WriteName& name) {
  const auto words = [&](const std::optional<std::string>& behavior) { return behavior ? name(*behavior) : "nothing"; };
  return "was " + words(difference.before) + ", is now " + words(difference.after);
}

// "Rest instead of Patrol"
std::string instead_words(const Difference& difference, const WriteName& name) {
  const auto words = [&](const std::optional<std::string>& behavior) { return behavior ? name(*behavior) : "nothing"; };
  return words(difference.after) + " instead of " + words(difference.before);
}

// Of many changes, none is.
bool are_looked_at(std::span<const Change> changes) {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& change) { return change.effect != Change::Effect::unknown; });
}

// " once Load has changed": what is made before a change that cannot be read alone.
std::string once_words(const Change& change, const WriteName& name) {
  if (!change.made_after) return {};
  return " once " + (change.made_after->empty() ? "all others are made" : name(*change.made_after) + " has changed");
}

std::string effect_words(const Change& change, std::span<const Change> changes, const WriteName& name) {
  if (change.made_with) return "made with the change of " + name(*change.made_with);
  const std::string once = once_words(change, name);
  switch (change.effect) {
    case Change::Effect::none:
      return "without effect" + (once.empty() && changes.size() > 1 ? " by itself" : once);
    case Change::Effect::some:
      return instead_words(*change.shown, name) + once;
    case Change::Effect::undecided:
      return (once.empty() && changes.size() > 1 ? "by itself, no" : "no") + std::string(" effect was found") + once;
    case Change::Effect::unknown:
      break;
  }
  const bool are_known = std::any_of(changes.begin(), changes.end(),
                                     [](const Change& each) { return each.effect != Change::Effect::unknown; });
  return are_known ? "its effect by itself is not known" : "";
}

// What a tree is about that is neither the same nor different, in a sentence without its name.
std::string result_words(const TreeDiff& tree) {
  if (tree.result == Compared::undecided && tree.state_count == 0 && !tree.limit.empty())
    return "undecided: " + tree.limit;
  if (tree.result == Compared::undecided) return "undecided: no difference in the " + explored_states(tree);
  return std::string(explore::name_of(tree.result));
}

// Do changes of the text tell what the trees that differ do? Otherwise the differences are listed.
bool are_told_by_changes(const DiffReport& report) {
  return std::any_of(report.changes.begin(), report.changes.end(),
                     [](const Change& change) { return change.effect == Change::Effect::some; });
}

std::string place_of(const Change& change) {
  return place_text(change.place) + (change.is_place_of_old && change.place.line != 0 ? " (old)" : "");
}

// ---- For people

constexpr std::size_t kMostLines = 26;  // below the first sentence

// Writes as many as fit, and how many do not.
class Lines {
 public:
  Lines(std::ostream& out, std::size_t most) : out_(out), most_(most) {}
  ~Lines() {
    if (left_out_ != 0) out_ << "and " << std::to_string(left_out_) << " more: --format html or json lists all\n";
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void add(const std::string& text, std::size_t line_count) {
    if (left_out_ != 0 || count_ + line_count > most_) {
      ++left_out_;
      return;
    }
    count_ += line_count;
    out_ << text;
  }

 private:
  std::ostream& out_;
  const std::size_t most_;
  std::size_t count_ = 0;
  std::size_t left_out_ = 0;
};

// What a tree does that is not the same.
std::string line_of(const TreeDiff& tree, const Palette& colors) {
  const auto painted = [&](std::string_view color, const std::string& text) {
    return std::string(color).append(visible(text)).append(colors.reset);
  };
  const std::string name = painted(colors.bold, tree.tree) + ": ";
  if (tree.result != Compared::different) return name + painted(colors.warning, result_words(tree)) + '\n';
  return name + painted(colors.error, counted(tree.differences.size(), "difference")) +
         (tree.is_complete ? "" : "; there may be more: " + limit_text(tree)) + '\n';
}

void write_human_diff(const DiffReport& report, bool color, std::ostream& out) {
  const FormScope scope(out, color ? OutputForm::colored : OutputForm::text);
  const Palette& colors = palette(color);
  if (std::all_of(report.trees.begin(), report.trees.end(), is_same)) return;
  out << diff_summary(report.trees, report.changes) << '\n';
  const std::size_t most_lines = kMostLines - std::min(kMostLines / 2, report.told.size());
  Lines lines(out, most_lines);
  const WriteName quoted = [](std::string_view name) { return visible("'" + std::string(name) + "'"); };
  const auto painted = [&](std::string_view color_of, const std::string& text) {
    return std::string(color_of).append(visible(text)).append(colors.reset);
  };
  const WriteName in_bold = [&](std::string_view name) { return painted(colors.bold, std::string(name)); };
  const bool are_told = are_told_by_changes(report);
  const auto shown_count = static_cast<std::size_t>(std::count_if(
      report.changes.begin(), report.changes.end(), [](const Change& change) { return change.shown.has_value(); }));
  const bool has_room = report.changes.size() + shown_count <= most_lines;
  const auto tell_changes = [&] {
    for (const Change& change : report.changes) {
      const std::string effect = effect_words(change, report.changes, in_bold);
      const std::string place = place_of(change);
      std::string text = "  ";
      if (!place.empty()) text += in_bold(place) + ": ";
      text += change_words(change, quoted) + (effect.empty() ? "" : ": " + effect);
      if (change.shown)
        text += (has_room ? "\n    shown by: " : ", shown by: ") + visible(steps_words(change.shown->trace.steps));
      lines.add(text + '\n', change.shown && has_room ? 2 : 1);
    }
  };
  const auto tell_trees = [&] {
    for (const TreeDiff& tree : report.trees) {
      const bool is_told = tree.result == Compared::different ? are_told : report.told.contains(tree.tree);
      if (is_same(tree) || is_told) continue;
      lines.add(line_of(tree, colors), 1);
      for (const Difference& difference : tree.differences) {
        const std::string place = place_text(difference.place);
        std::string text = "  ";
        if (!place.empty()) {
          text += in_bold(place) + (difference.is_place_of_old ? " (old): " : ": ");
        }
        text += contrast_words(difference, in_bold) + '\n';
        if (!difference.when.empty()) text += "    when " + visible(difference.when) + '\n';
        text += "    shown by: " + visible(steps_words(difference.trace.steps)) + '\n';
        lines.add(text, difference.when.empty() ? 2 : 3);
      }
    }
  };
  // What says more comes first.
  const bool are_changes_first = are_looked_at(report.changes);
  are_changes_first ? tell_changes() : tell_trees();
  are_changes_first ? tell_trees() : tell_changes();
}

// ---- Markdown

using markdown::code;
using markdown::plain;

std::string nothing_changed(const DiffReport& report) {
  return std::string("No difference in behaviour: no run tells the two versions apart") +
         (report.errors.empty() ? "." : ", as far as they can be read.");
}

constexpr std::size_t kMostErrors = 5;

// What could not be read: the first few.
template <typename Write>
void tell_errors(const DiffReport& report, const Write& write) {
  for (std::size_t i = 0; i < std::min(kMostErrors, report.errors.size()); ++i) write(report.errors[i]);
  if (report.errors.size() > kMostErrors) write(counted(report.errors.size() - kMostErrors, "more error"));
}

std::string bold(std::string_view name) { return "**" + plain(name) + "**"; }

std::string sentence_of(const Difference& difference) {
  std::string text = difference.when.empty() ? "It" : "When " + code(difference.when) + ", it";
  const auto words = [](const std::optional<std::string>& behavior) { return behavior ? bold(*behavior) : "nothing"; };
  text += " was " + words(difference.before) + " and is now " + words(difference.after);
  if (const std::string place = place_text(difference.place); !place.empty()) {
    text += " (" + code(place) + (difference.is_place_of_old ? " of the old version" : "") + ')';
  }
  return text + ", shown by: " + plain(steps_words(difference.trace.steps)) + '.';
}

std::string line_of(const Change& change, std::span<const Change> changes) {
  const std::string effect = effect_words(change, changes, bold);
  std::string text = "- " + change_words(change, code);
  if (const std::string place = place_text(change.place); !place.empty())
    text += ", " + code(place) + (change.is_place_of_old ? " of the old version" : "");
  if (!effect.empty()) text += ": " + effect;
  if (change.shown) text += ", shown by: " + plain(steps_words(change.shown->trace.steps));
  return text + '\n';
}

void write_markdown_diff(const DiffReport& report, std::ostream& out) {
  const FormScope scope(out, OutputForm::text);
  out << "### Behaviour changes\n\n";
  if (std::all_of(report.trees.begin(), report.trees.end(), is_same)) {
    out << nothing_changed(report) << '\n';
    if (!report.errors.empty()) out << "\nErrors:\n\n";
    tell_errors(report, [&](const std::string& error) { out << "- " << plain(error) << '\n'; });
    return;
  }
  out << diff_summary(report.trees, report.changes) << ".\n\n";
  const bool are_told = are_told_by_changes(report);
  {
    const std::size_t kMostItems = report.errors.empty() ? 20 : 14;
    Lines lines(out, kMostItems);
    const auto tell_changes = [&] {
      for (const Change& change : report.changes) lines.add(line_of(change, report.changes), 1);
    };
    const auto tell_trees = [&] {
      for (const TreeDiff& tree : report.trees) {
        if (is_same(tree) || (are_told && tree.result == Compared::different)) continue;
        if (tree.result != Compared::different) {
          lines.add("- " + bold(tree.tree) + ": " + plain(result_words(tree)) + '\n', 1);
        } else if (!tree.differences.empty()) {
          lines.add("- " + bold(tree.tree) + ": " + sentence_of(tree.differences.front()) + '\n', 1);
        }
      }
    };
    const bool are_changes_first = are_looked_at(report.changes);
    are_changes_first ? tell_changes() : tell_trees();
    are_changes_first ? tell_trees() : tell_changes();
  }
  if (!report.errors.empty()) out << "\nErrors; what they are about was not compared:\n\n";
  tell_errors(report, [&](const std::string& error) { out << "- " << plain(error) << '\n'; });
  std::size_t count = 0;
  for (const TreeDiff& tree : report.trees) count += tree.differences.size();
  if (count == 0) return;
  out << "\n<details>\n<summary>" << (count == 1 ? "The difference" : "All " + std::to_string(count) + " differences")
      << "</summary>\n";
  std::size_t bytes = 0;
  for (const TreeDiff& tree : report.trees) {
    if (tree.differences.empty()) continue;
    out << "\n**" << plain(tree.tree) << "**";
    if (!tree.is_complete) out << " (there may be more: " << plain(limit_text(tree)) << ')';
    out << "\n\n";
    for (const Difference& difference : tree.differences) {
      const std::string line = "- " + sentence_of(difference) + '\n';
      bytes += line.size();
      if (bytes < markdown::kMaxCommentBytes / 2) out << line;
    }
  }
  if (bytes >= markdown::kMaxCommentBytes / 2) out << "\nThe others are left out here: --format html lists all.\n";
  out << "\n</details>\n";
}

// ---- HTML: the same, with all traces

std::string tag(std::string_view name, const std::string& text) {
  return '<' + std::string(name) + '>' + text + "</" + std::string(name) + ">\n";
}

std::string trace_html(const explore::Trace& trace) {
  std::string lines;
  for (const std::string& line : file_lines(trace)) lines += line + '\n';
  return "<details><summary>Trace</summary>" + tag("pre", xml_text(lines, "\n\"")) + "</details>";
}

std::string difference_html(const Difference& difference) {
  const WriteName strong = [](std::string_view name) { return "<strong>" + xml_text(name) + "</strong>"; };
  std::string text = contrast_words(difference, strong);
  if (!difference.when.empty()) text += ", when <code>" + xml_text(difference.when) + "</code>";
  if (const std::string place = place_text(difference.place); !place.empty())
    text += " (<code>" + xml_text(place) + "</code>" + (difference.is_place_of_old ? " of the old version" : "") + ')';
  return text + ", shown by: " + xml_text(steps_words(difference.trace.steps)) + trace_html(difference.trace);
}

std::string changes_html(const DiffReport& report, std::size_t& play) {
  const WriteName strong = [](std::string_view name) { return "<strong>" + xml_text(name) + "</strong>"; };
  const WriteName as_code = [](std::string_view name) { return "<code>" + xml_text(name) + "</code>"; };
  std::string items;
  for (const Change& change : report.changes) {
    const std::string effect = effect_words(change, report.changes, strong);
    const std::string place = xml_text(place_text(change.place));
    std::string text = change_words(change, as_code) + ", <code>" + place + "</code>" +
                       (change.is_place_of_old ? " of the old version" : "") + (effect.empty() ? "" : ": " + effect);
    if (change.shown)
      text += ", shown by: " + xml_text(steps_words(change.shown->trace.steps)) + trace_html(change.shown->trace);
    const auto number = static_cast<std::size_t>(&change - report.changes.data());
    items += "<li data-change=\"" + std::to_string(number) + '"' +
             (change.shown ? " data-play=\"" + std::to_string(play++) + '"' : "") + '>' + text + "</li>\n";
  }
  return items.empty() ? items : "<ul>\n" + items + "</ul>\n";
}

std::string tree_html(const TreeDiff& tree, bool is_told, std::size_t& play) {
  std::string text = tag("h2", xml_text(tree.tree));
  if (tree.result != Compared::different) text += tag("p", xml_text(result_words(tree)));
  if (tree.result == Compared::different && !tree.is_complete)
    text += tag("p", "There may be more: " + xml_text(limit_text(tree)) + '.');
  if (tree.differences.empty()) return text;
  std::string items;
  for (const Difference& difference : tree.differences)
    items += "<li data-play=\"" + std::to_string(play++) + "\">" + difference_html(difference) + "</li>\n";
  // What changes tell comes first.
  return text + (is_told ? "<details>" : "<details open>") + "<summary>" +
         counted(tree.differences.size(), "difference") + "</summary>\n<ol>\n" + items + "</ol>\n</details>\n";
}

// ---- JSON

Json json_of(const std::optional<std::string>& behavior) { return behavior ? Json(*behavior) : Json(nullptr); }

Json json_of(const Difference& difference) {
  Json json = {{"old", json_of(difference.before)},
               {"new", json_of(difference.after)},
               {"steps", difference.trace.steps.size()}};
  add_trace(json, difference.trace, difference.trace.steps);
  if (!difference.when.empty()) json["when"] = difference.when;
  json["file"] = difference.place.file;
  json["line"] = difference.place.line;
  json["column"] = difference.place.column;
  return json;
}

Json json_of(const Change& change) {
  static constexpr std::string_view kChangeKinds[] = {"changed", "replaced", "added", "added",
                                                      "removed", "removed",  "moved"};
  static constexpr std::string_view kEffectNames[] = {"none", "some", "undecided", "unknown"};
  Json attributes = Json::array();
  for (const explore::ChangedAttribute& attribute : change.attributes) {
    attributes.push_back(
        {{"name", attribute.name}, {"old", json_of(attribute.before)}, {"new", json_of(attribute.after)}});
  }
  Json json = {{"kind", kChangeKinds[static_cast<std::size_t>(change.kind)]},
               {"element", change.element},
               {"attributes", std::move(attributes)},
               {"effect", kEffectNames[static_cast<std::size_t>(change.effect)]},
               {"words", change_words(change, [](std::string_view name) { return std::string(name); })},
               {"file", change.place.file},
               {"line", change.place.line},
               {"column", change.place.column}};
  if (!change.tree.empty()) json["tree"] = change.tree;
  if (change.is_place_of_old) json["version"] = "old";
  if (change.shown) json["difference"] = json_of(*change.shown);
  return json;
}

void write_json_diff(const DiffReport& report, std::ostream& out) {
  const std::span<const TreeDiff> trees = report.trees;
  const FormScope scope(out, OutputForm::json);
  std::array<std::size_t, static_cast<std::size_t>(Compared::undecided) + 1> counts = {};
  std::size_t differences = 0;
  out << "{\"version\":1,\"trees\":[";
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const TreeDiff& tree = trees[i];
    ++counts[static_cast<std::size_t>(tree.result)];
    differences += tree.differences.size();
    out << (i == 0 ? "\n" : ",\n") << "{\"name\":" << json_line(Json(tree.tree))
        << (tree.file.empty() ? "" : ",\"file\":" + json_line(Json(tree.file)))
        << ",\"result\":" << json_line(Json(explore::name_of(tree.result))) << ",\"differences\":[";
    for (std::size_t k = 0; k < tree.differences.size(); ++k) {
      out << (k == 0 ? "\n" : ",\n") << json_line(json_of(tree.differences[k]));
    }
    out << (tree.differences.empty() ? "]" : "\n]") << ",\"states\":" << std::to_string(tree.state_count)
        << ",\"complete\":" << (tree.is_complete ? "true" : "false") << '}';
  }
  out << (trees.empty() ? "]" : "\n]");
  if (!report.changes.empty()) {
    out << ",\"changes\":[";
    for (const Change& change : report.changes)
      out << (&change == &report.changes.front() ? "\n" : ",\n") << json_line(json_of(change));
    out << "\n]";
  }
  if (!report.findings.empty()) out << ",\"findings\":" << report.findings;
  Json summary = {{"trees", trees.size()}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    summary[std::string(explore::name_of(static_cast<Compared>(i)))] = counts[i];
  }
  summary["differences"] = differences;
  out << ",\"summary\":" << json_line(summary) << (report.is_interrupted ? ",\"interrupted\":true" : "") << "}\n";
}

}  // namespace

void write_diff_tree(const TreeDiff& tree, bool color, std::ostream& out) {
  const FormScope scope(out, color ? OutputForm::colored : OutputForm::text);
  out << line_of(tree, palette(color));
}

std::string diff_html(const DiffReport& report) {
  const bool are_same = std::all_of(report.trees.begin(), report.trees.end(), is_same);
  std::string text = tag("p", are_same ? nothing_changed(report) : diff_summary(report.trees, report.changes) + '.');
  if (!report.errors.empty()) {
    text += "<h2>Errors</h2>\n<ul>\n";
    for (const std::string& error : report.errors) text += tag("li", xml_text(error));
    text += "</ul>\n";
  }
  std::size_t play = 0;
  if (!are_same) text += changes_html(report, play);
  for (const TreeDiff& tree : report.trees) {
    if (!is_same(tree)) text += tree_html(tree, are_told_by_changes(report), play);
  }
  return text;
}

std::vector<const Difference*> played_differences(const DiffReport& report) {
  std::vector<const Difference*> played;
  if (std::all_of(report.trees.begin(), report.trees.end(), is_same)) return played;
  for (const Change& change : report.changes) {
    if (change.shown) played.push_back(&*change.shown);
  }
  for (const TreeDiff& tree : report.trees) {
    for (const Difference& difference : tree.differences) played.push_back(&difference);
  }
  return played;
}

std::vector<std::string> file_lines(const explore::Trace& trace, std::string_view tree) {
  std::string header = "{\"trace\": 1, " + replay::tree_members(tree.empty() ? std::string_view(trace.tree) : tree);
  if (trace.agent_count != 1) header += ", \"agents\": " + std::to_string(trace.agent_count);
  if (trace.seed != 1) header += ", \"seed\": " + std::to_string(trace.seed);
  std::vector<std::string> lines = {header + '}'};
  if (!trace.defaults.empty()) lines.push_back(trace.defaults);
  lines.insert(lines.end(), trace.steps.begin(), trace.steps.end());
  return lines;
}

void write_diff(const DiffReport& report, DiffFormat format, bool color, std::ostream& out) {
  if (format == DiffFormat::human) write_human_diff(report, color, out);
  if (format == DiffFormat::markdown) write_markdown_diff(report, out);
  if (format == DiffFormat::json) write_json_diff(report, out);
}

}  // namespace espalier::report
