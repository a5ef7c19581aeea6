// How two versions differ. See explored.h.
#include <algorithm>
#include <array>

#include "report/explored.h"
#include "report/explored_json.h"
#include "report/human.h"
#include "report/line_view.h"
#include "report/listing.h"
#include "report/markdown.h"
#include "report/output_form.h"

namespace espalier::report {
namespace {

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

// ---- For people

std::string shown(const std::optional<std::string>& behavior) { return behavior ? visible(*behavior) : "nothing"; }

void write_human_diff(std::span<const TreeDiff> trees, bool color, std::ostream& out) {
  const FormScope scope(out, color ? OutputForm::colored : OutputForm::text);
  const Palette& colors = palette(color);
  for (const TreeDiff& tree : trees) {
    if (tree.result == Compared::same) continue;
    out << colors.bold << visible(tree.tree) << colors.reset << ": ";
    if (tree.result == Compared::added || tree.result == Compared::removed) {
      out << colors.warning << explore::name_of(tree.result) << colors.reset << '\n';
      continue;
    }
    if (tree.result == Compared::undecided) {
      out << colors.warning << "undecided" << colors.reset << ": no difference in the " << explored_states(tree)
          << '\n';
      continue;
    }
    out << colors.error << counted(tree.differences.size(), "difference") << colors.reset;
    if (!tree.is_complete) out << "; there may be more: " << limit_text(tree);
    out << '\n';
    for (const Difference& difference : tree.differences) {
      const std::string place = place_text(difference.place);
      out << "  ";
      if (!place.empty()) {
        out << colors.bold << visible(place) << colors.reset << (difference.is_place_of_old ? " (old): " : ": ");
      }
      out << "was " << colors.bold << shown(difference.before) << colors.reset << ", is now " << colors.bold
          << shown(difference.after) << colors.reset << '\n';
      if (!difference.when.empty()) out << "    when " << visible(difference.when) << '\n';
      out << "    shown by: " << visible(steps_words(difference.trace.steps)) << '\n';
    }
  }
}

// ---- Markdown

using markdown::code;
using markdown::plain;

std::string bold(const std::optional<std::string>& behavior) {
  return behavior ? "**" + plain(*behavior) + "**" : "nothing";
}

std::string sentence_of(const Difference& difference) {
  std::string text = difference.when.empty() ? "It" : "When " + code(difference.when) + ", it";
  text += " was " + bold(difference.before) + " and is now " + bold(difference.after);
  if (const std::string place = place_text(difference.place); !place.empty()) {
    text += " (" + code(place) + (difference.is_place_of_old ? " of the old version" : "") + ')';
  }
  return text + ", shown by: " + plain(steps_words(difference.trace.steps)) + '.';
}

void write_markdown_diff(std::span<const TreeDiff> trees, std::ostream& out) {
  const FormScope scope(out, OutputForm::text);
  const auto is_same = [](const TreeDiff& tree) { return tree.result == Compared::same; };
  out << "### Behaviour changes\n";
  if (std::all_of(trees.begin(), trees.end(), is_same)) {
    out << "\nNone: no run tells the two versions apart.\n";
    return;
  }
  for (const TreeDiff& tree : trees) {
    if (is_same(tree)) continue;
    out << "\n**" << plain(tree.tree) << "**";
    if (tree.result == Compared::undecided) {
      out << ": undecided, no difference in the " << explored_states(tree) << '\n';
    } else if (tree.result != Compared::different) {
      out << " was " << explore::name_of(tree.result) << '\n';
    } else {
      if (!tree.is_complete) out << " (there may be more: " << limit_text(tree) << ')';
      out << "\n\n";
      for (const Difference& difference : tree.differences) out << "- " << sentence_of(difference) << '\n';
    }
  }
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

void write_json_diff(std::span<const TreeDiff> trees, std::ostream& out) {
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
  Json summary = {{"trees", trees.size()}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    summary[std::string(explore::name_of(static_cast<Compared>(i)))] = counts[i];
  }
  summary["differences"] = differences;
  out << (trees.empty() ? "]" : "\n]") << ",\"summary\":" << json_line(summary) << "}\n";
}

}  // namespace

void write_diff(std::span<const TreeDiff> trees, DiffFormat format, bool color, std::ostream& out) {
  if (format == DiffFormat::human) write_human_diff(trees, color, out);
  if (format == DiffFormat::markdown) write_markdown_diff(trees, out);
  if (format == DiffFormat::json) write_json_diff(trees, out);
}

}  // namespace espalier::report
