// Lenses. See lenses.h.
#include "editor/lenses.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "editor/positions.h"
#include "editor/traces.h"
#include "explore/measure.h"
#include "replay/replay.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

std::string counted(std::size_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

// How many of the traces reach each line of a file.
class Reaches {
 public:
  Reaches(const Asset& asset, std::string shown_path) : asset_(asset), path_(std::move(shown_path)) {}

  void add(const TextFile& trace) {
    explore::Measure measure(asset_, {}, {});
    std::set<std::pair<std::size_t, std::size_t>> reached;
    measure.reached = [&](std::size_t tree, std::size_t item) { reached.insert({tree, item}); };
    std::istringstream stream(trace.text);
    text::Sources sources;
    replay::ReplayOptions options;
    options.max_updates = kMaxUpdates;
    const replay::TraceResult result =
        replay::replay(asset_, stream, trace.path, options, sources, measure.observe(trace.path));
    if (result.is_broken) return;
    const std::vector<explore::TreeCover>& trees = measure.trees();
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      for (std::size_t i = 0; i < trees[tree].items.size(); ++i) {
        const explore::Item& item = trees[tree].items[i];
        const bool has_place = item.place.file == path_ && item.kind != explore::ItemKind::result;
        if (!has_place) continue;
        const std::pair place{item.place.line, item.place.column};
        counts_.emplace(place, 0);
        if (reached.count({tree, i}) != 0) places.insert(place);
      }
    }
    for (const auto& place : places) ++counts_[place];
  }
  const std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>& counts() const { return counts_; }

 private:
  const Asset& asset_;
  std::string path_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts_;
};

// Has the element whose name begins there no others in it, as actions and leaves?
bool has_no_elements(std::string_view text, std::uint32_t offset) {
  char quote = 0;
  std::size_t end = offset;
  for (; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
    if (quote != 0) {
      if (text[end] == quote) quote = 0;
    } else if (text[end] == '"' || text[end] == '\'') {
      quote = text[end];
    }
  }
  if (end > 0 && end < text.size() && text[end - 1] == '/') return true;
  const std::size_t next = text.find_first_not_of(" \t\r\n", std::min(end + 1, text.size()));
  return next != std::string_view::npos && text.substr(next).starts_with("</");
}

}  // namespace

std::vector<Lens> lenses(const LiveProject& project, FileId file, const CompiledTrees& trees,
                         const std::vector<TextFile>& traces, const ReachedElements* reached) {
  std::vector<Lens> lenses;
  if (!trees.is_open) return lenses;
  const text::Source& source = project.snapshot().sources[file];
  const Lines lines(source.text());
  Reaches reaches(trees.asset, source.path());
  std::set<std::string> run;
  for (const Occurrence& name : project.index().names_of(file).all) {
    const bool is_tree =
        name.kind == NameKind::tree && name.use == NameUse::declares && !name.key.starts_with(kAnyTree);
    if (!is_tree) continue;
    for (std::uint32_t i = 0; i < tree_count(trees.asset); ++i) {
      const Tree tree{&trees.asset, i};
      const NamedTree named = named_tree(tree_name(tree));
      const bool is_of_file = named.file.empty() || is_called(project, file, named.file);
      if (!is_of_file || text::lower_case(named.name) != text::lower_case(name.key)) continue;
      lenses.push_back({name.range.begin, counted(agent_bytes(tree), "byte") + " an agent"});
    }
    for (const TextFile& trace : traces) {
      const std::optional<NamedTree> about = tree_of_trace(trace.text);
      if (!about || (!about->file.empty() && !is_called(project, file, about->file))) continue;
      const std::string key = text::lower_case(about->name);
      const std::string own = text::lower_case(name.key);
      const bool is_of_it = key.empty() ? tree_count(trees.asset) == 1 : own == key || own.ends_with('/' + key);
      if (!is_of_it) continue;
      const std::string shown = system::filesystem::path(trace.path).filename().generic_string();
      lenses.push_back({name.range.begin, "run " + shown, trace.path});
      if (run.insert(trace.path).second) reaches.add(trace);
    }
  }
  for (const auto& [place, count] : reaches.counts()) {
    const std::uint32_t offset = lines.offset({place.first - 1, place.second - 1}, Encoding::utf8);
    lenses.push_back({offset, "reached by " + counted(count, "trace")});
  }
  for (std::size_t i = 0; reached != nullptr && i < reached->elements.size(); ++i) {
    const ReachedElement& element = reached->elements[i];
    const std::string title = title_of(element);
    const bool is_worth_it = !element.shortest || has_no_elements(source.text(), element.offset);
    if (!title.empty() && is_worth_it) lenses.push_back({element.offset, title, {}, element.shortest});
  }
  return lenses;
}

}  // namespace espalier::editor
