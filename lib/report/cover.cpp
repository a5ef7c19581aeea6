// What can be reached, or what traces reach. See explored.h.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "report/explored.h"
#include "report/explored_json.h"
#include "report/human.h"
#include "report/json_text.h"
#include "report/lcov.h"
#include "report/line_view.h"
#include "report/listing.h"
#include "report/markdown.h"
#include "report/output_form.h"

namespace espalier::report {
namespace {

using explore::Cover;
using explore::Item;
using explore::ItemKind;
using explore::Reached;
using explore::TreeCover;

constexpr std::size_t kKinds = static_cast<std::size_t>(ItemKind::slot) + 1;

struct ItemCount {
  std::size_t items = 0;
  std::size_t reached = 0;
};

struct Counts {
  std::array<ItemCount, kKinds> of_kind = {};
  ItemCount all = {};
};

Counts count_items(const TreeCover& tree) {
  Counts counts;
  for (const Item& item : tree.items) {
    for (ItemCount* count : {&counts.of_kind[static_cast<std::size_t>(item.kind)], &counts.all}) {
      ++count->items;
      if (item.reached == Reached::yes) ++count->reached;
    }
  }
  return counts;
}

// "3 of 4 items reached, 1 not reachable"
std::string total_of(const CoverSummary& all) {
  std::string text =
      grouped(all.reached) + " of " + grouped(all.items) + (all.items == 1 ? " item" : " items") + " reached";
  if (all.unreachable > 0) text += ", " + grouped(all.unreachable) + " not reachable";
  if (all.undecided > 0) text += ", " + grouped(all.undecided) + " undecided";
  return text;
}

// Rounded down, so that only what is complete is 100 %.
std::string percent_text(const ItemCount& count) {
  return std::to_string(count.items == 0 ? 100 : count.reached * 100 / count.items) + '%';
}

// ---- For people

class HumanCover {
 public:
  HumanCover(bool color, std::ostream& out) : palette_(palette(color)), out_(out) {}

  void write(const TreeCover& tree, const TreeCover* possible) {
    out_ << palette_.bold << visible(tree.tree) << palette_.reset << '\n';
    const Counts counts = count_items(tree);
    std::size_t kind_count = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      if (counts.of_kind[kind].items == 0) continue;
      ++kind_count;
      write_row(explore::name_of(static_cast<ItemKind>(kind)), counts.of_kind[kind]);
    }
    if (kind_count != 1) write_row("all", counts.all);
    if (tree.mutants) {
      write_row("change", {tree.mutants->count - tree.mutants->undecided_count, tree.mutants->noticed_count});
    }
    std::size_t undecided_count = 0;
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      if (tree.items[i].reached == Reached::yes) continue;
      if (tree.items[i].reached == Reached::undecided && ++undecided_count > kMostUndecided) continue;
      const bool has_possible = possible != nullptr && i < possible->items.size();
      write_missing(tree.items[i], tree, has_possible ? &possible->items[i] : nullptr, possible);
    }
    if (undecided_count > kMostUndecided) out_ << undecided_count - kMostUndecided << " more are undecided\n";
    if (tree.mutants) {
      for (const explore::Unnoticed& change : tree.mutants->unnoticed) write_unnoticed(change);
    }
    out_ << '\n';
  }

 private:
  static constexpr std::size_t kMostUndecided = 20;  // that are listed: all have one reason

  void write_row(std::string_view kind, const ItemCount& count) {
    constexpr std::size_t kKindWidth = 12;
    constexpr std::size_t kCountWidth = 15;
    constexpr std::size_t kPercentWidth = 6;
    std::string line = "  " + std::string(kind);
    line.resize(std::max(line.size(), kKindWidth), ' ');
    const std::string numbers = std::to_string(count.reached) + " of " + std::to_string(count.items);
    const std::string percent = percent_text(count);
    line += std::string(kCountWidth - std::min(kCountWidth, numbers.size()), ' ') + numbers;
    line += std::string(kPercentWidth - std::min(kPercentWidth, percent.size()), ' ');
    const bool is_complete = count.reached == count.items;
    out_ << line << (is_complete ? palette_.mark : palette_.warning) << percent << palette_.reset << '\n';
  }

  void write_missing(const Item& item, const TreeCover& tree, const Item* possible, const TreeCover* explored) {
    const std::string place = place_text(item.place);
    if (!place.empty()) out_ << palette_.bold << visible(place) << ": " << palette_.reset;
    out_ << palette_.warning << explore::name_of(item.kind) << palette_.reset << ' ' << visible("'" + item.name + "'");
    if (!item.path.empty()) out_ << " at " << visible(item.path);
    out_ << ": " << missing_reason(item, tree, possible, explored) << '\n';
  }

  void write_unnoticed(const explore::Unnoticed& unnoticed) {
    out_ << palette_.bold << visible(place_text(unnoticed.place)) << ": " << palette_.reset << palette_.warning
         << "unnoticed" << palette_.reset << ": " << visible(unnoticed.change) << '\n';
    out_ << "  shown by: " << visible(steps_words(unnoticed.trace.steps)) << '\n';
  }

  const Palette& palette_;
  std::ostream& out_;
};

void write_human_cover(const Cover& cover, const CoverForm& form, std::ostream& out) {
  const FormScope scope(out, form.color ? OutputForm::colored : OutputForm::text);
  HumanCover human(form.color, out);
  for (std::size_t i = 0; form.tells_trees && i < cover.trees.size(); ++i) {
    human.write(cover.trees[i], form.possible != nullptr ? &form.possible->trees[i] : nullptr);
  }
  out << total_of(summarize(cover, form.possible)) << '\n';
}

// ---- Markdown

// A row a tree and kind, and what is not reached in a list that can be unfolded.
void write_markdown_cover(const Cover& cover, const CoverForm& form, std::ostream& out) {
  const FormScope scope(out, OutputForm::text);
  out << "### Cover: " << total_of(summarize(cover, form.possible))
      << "\n\n| tree | | reached | |\n|---|---|---:|---:|\n";
  std::string missing;
  std::size_t missing_count = 0;
  for (std::size_t i = 0; i < cover.trees.size(); ++i) {
    const TreeCover& tree = cover.trees[i];
    const TreeCover* const possible = form.possible != nullptr ? &form.possible->trees[i] : nullptr;
    const Counts counts = count_items(tree);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const ItemCount& count = counts.of_kind[kind];
      if (count.items == 0) continue;
      out << "| " << markdown::plain(tree.tree) << " | " << explore::name_of(static_cast<ItemKind>(kind)) << " | "
          << count.reached << " of " << count.items << " | " << percent_text(count) << " |\n";
    }
    for (std::size_t k = 0; k < tree.items.size(); ++k) {
      const Item& item = tree.items[k];
      if (item.reached == Reached::yes) continue;
      ++missing_count;
      if (missing.size() > markdown::kMaxCommentBytes / 2) continue;
      missing +=
          "- " + markdown::code(place_text(item.place)) + ": " + std::string(explore::name_of(item.kind)) + " **" +
          markdown::plain(item.name) + "**, " +
          markdown::plain(missing_reason(item, tree, possible != nullptr ? &possible->items[k] : nullptr, possible)) +
          '\n';
    }
  }
  if (missing_count == 0) return;
  const auto listed = static_cast<std::size_t>(std::count(missing.begin(), missing.end(), '\n'));
  out << "\n<details><summary>" << counted(missing_count, "item") << " not reached</summary>\n\n" << missing;
  if (listed < missing_count) out << "\n" << missing_count - listed << " more not shown.\n";
  out << "\n</details>\n";
}

// ---- JSON

Json json_of(const Item& item, const Cover& cover, bool has_files) {
  Json json = {
      {"kind", explore::name_of(item.kind)}, {"name", item.name},  {"file", item.place.file}, {"line", item.place.line},
      {"column", item.place.column},         {"reached", nullptr}, {"steps", nullptr},        {"trace", nullptr}};
  if (!item.path.empty()) json["path"] = item.path;
  if (item.reached != Reached::undecided) json["reached"] = item.reached == Reached::yes;
  if (item.reached == Reached::yes && item.trace && has_files) json["trace"] = cover.traces[*item.trace].name;
  return json;
}

Json json_of(const explore::TreeMutants& mutants) {
  Json unnoticed = Json::array();
  for (const explore::Unnoticed& each : mutants.unnoticed) {
    Json json = {
        {"file", each.place.file}, {"line", each.place.line}, {"column", each.place.column}, {"change", each.change}};
    add_trace(json, each.trace, each.trace.steps);
    unnoticed.push_back(std::move(json));
  }
  return {{"changes", mutants.count},
          {"noticed", mutants.noticed_count},
          {"undecided", mutants.undecided_count},
          {"unnoticed", std::move(unnoticed)}};
}

void write_json_cover(const Cover& cover, const CoverForm& form, std::ostream& out) {
  const FormScope scope(out, OutputForm::json);
  out << "{\"version\":1,\"trees\":[";
  for (std::size_t i = 0; i < cover.trees.size(); ++i) {
    const TreeCover& tree = cover.trees[i];
    const TreeCover& explored = form.possible != nullptr ? form.possible->trees[i] : tree;
    out << (i == 0 ? "\n" : ",\n") << "{\"name\":" << json_line(Json(tree.tree))
        << (tree.file.empty() ? "" : ",\"file\":" + json_line(Json(tree.file))) << ",\"items\":[";
    for (std::size_t k = 0; k < tree.items.size(); ++k) {
      Json json = json_of(tree.items[k], cover, form.has_files);
      // The shortest trace is known only where traces were looked for.
      if (form.possible == nullptr && tree.items[k].reached == Reached::yes) {
        json["steps"] = tree.items[k].steps;
        if (!tree.items[k].is_shortest) json["shortest"] = false;
      }
      out << (k == 0 ? "\n" : ",\n") << json_line(json);
    }
    out << (tree.items.empty() ? "]" : "\n]") << ",\"states\":" << std::to_string(explored.state_count)
        << (tree.mutants ? ",\"mutants\":" + json_line(json_of(*tree.mutants)) : "") << '}';
  }
  const CoverSummary all = summarize(cover, form.possible);
  const Json summary = {
      {"items", all.items}, {"reached", all.reached}, {"unreachable", all.unreachable}, {"undecided", all.undecided}};
  out << (cover.trees.empty() ? "]" : "\n]") << ",\"summary\":" << json_line(summary)
      << (form.is_interrupted ? ",\"interrupted\":true" : "") << "}\n";
}

// ---- LCOV

// What tools that show line coverage read: a line is hit if an item on it is reached; results, transitions and cases
// are the branches of their line.
struct LcovLine {
  bool is_hit = false;
  std::vector<bool> branches = {};
};

bool is_branch(ItemKind kind) {
  return kind == ItemKind::result || kind == ItemKind::transition || kind == ItemKind::case_;
}

void write_lcov_cover(const Cover& cover, std::ostream& out) {
  const FormScope scope(out, OutputForm::document);
  std::map<std::string, std::map<std::uint32_t, LcovLine>> files;
  for (const TreeCover& tree : cover.trees) {
    for (const Item& item : tree.items) {
      if (item.place.line == 0 || item.place.file.empty()) continue;
      LcovLine& line = files[item.place.file][item.place.line];
      const bool is_reached = item.reached == Reached::yes;
      line.is_hit = line.is_hit || is_reached;
      if (is_branch(item.kind)) line.branches.push_back(is_reached);
    }
  }
  for (const auto& [file, lines] : files) {
    LcovWriter writer(visible(file));
    for (const auto& [number, line] : lines) writer.add(number, line.is_hit, line.branches);
    out << writer.text();
  }
}

}  // namespace

std::string missing_reason(const Item& item, const TreeCover& tree, const Item* possible, const TreeCover* explored) {
  const TreeCover& source = explored != nullptr ? *explored : tree;
  const std::string states = grouped(source.state_count) + (source.state_count == 1 ? " state" : " states");
  switch (possible != nullptr ? possible->reached : item.reached) {
    case Reached::no:
      if (!item.may_begin) return "not reachable: what comes before it never lets it begin";
      // What is not reachable may be known though states are left.
      return source.is_complete ? "not reachable: explored all " + states : "not reachable";
    case Reached::undecided:
      return (possible != nullptr ? "not reached by these traces, and undecided: " : "undecided: ") +
             (source.limit.empty() ? "the budget was used up after " : source.limit + ", in ") + states;
    case Reached::yes:
      break;
  }
  const std::uint32_t steps = possible != nullptr ? possible->steps : item.steps;
  return "not reached by these traces, but reachable in " + std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

double CoverSummary::percent() const {
  const std::size_t possible = items - unreachable;
  return possible == 0 ? 100 : 100 * static_cast<double>(reached) / static_cast<double>(possible);
}

CoverSummary summarize(const Cover& cover, const Cover* possible) {
  CoverSummary summary;
  for (std::size_t i = 0; i < cover.trees.size(); ++i) {
    const std::vector<Item>& items = cover.trees[i].items;
    for (std::size_t k = 0; k < items.size(); ++k) {
      ++summary.items;
      if (items[k].reached == Reached::yes) {
        ++summary.reached;
        continue;
      }
      const Reached reached = possible != nullptr ? possible->trees[i].items[k].reached : items[k].reached;
      if (reached == Reached::no) ++summary.unreachable;
      if (reached == Reached::undecided) ++summary.undecided;
    }
  }
  return summary;
}

void write_cover_tree(const explore::TreeCover& tree, const explore::TreeCover* possible, bool color,
                      std::ostream& out) {
  const FormScope scope(out, color ? OutputForm::colored : OutputForm::text);
  HumanCover(color, out).write(tree, possible);
}

void write_cover(const Cover& cover, const CoverForm& form, std::ostream& out) {
  if (form.format == CoverFormat::human) write_human_cover(cover, form, out);
  if (form.format == CoverFormat::json) write_json_cover(cover, form, out);
  if (form.format == CoverFormat::markdown) write_markdown_cover(cover, form, out);
  if (form.format == CoverFormat::lcov) write_lcov_cover(cover, out);
}

}  // namespace espalier::report
