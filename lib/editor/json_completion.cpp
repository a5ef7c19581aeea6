// Completion by a schema. See json_completion.h.
#include "editor/json_completion.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "editor/trace_names.h"
#include "editor/traces.h"
#include "project/configuration.h"
#include "project/property_files.h"
#include "project/schemas.h"
#include "project/trace_files.h"
#include "replay/names.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

using Schema = nlohmann::ordered_json;

// Where the cursor is in a text of JSON that may be incomplete.
struct JsonContext {
  struct Level {
    bool is_object = false;
    std::string key = {};                // of an object: the last one
    std::vector<std::string> keys = {};  // all that are written before the cursor
    std::size_t begin = 0;
  };
  std::vector<Level> levels;
  bool is_key = false;
  bool is_string = false;  // within quotes
  Range word = {};
};

// Reads from `begin` to the cursor. Brackets that do not fit are passed over.
JsonContext json_context(std::string_view text, std::size_t begin, std::size_t cursor) {
  JsonContext context;
  bool awaits_value = false;
  std::size_t at = begin;
  const auto string_end = [&](std::size_t quote) {
    std::size_t end = quote + 1;
    while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    return std::min(end, text.size());
  };
  const auto is_key = [&] { return !context.levels.empty() && context.levels.back().is_object && !awaits_value; };
  const auto finish = [&](std::size_t word, std::size_t end, bool is_string) {
    context.is_key = is_key();
    context.is_string = is_string;
    context.word = {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(end)};
    return context;
  };
  std::size_t word = cursor;
  while (at < cursor) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = string_end(at);
      if (end >= cursor) return finish(at + 1, end, true);
      if (is_key()) {
        context.levels.back().key = text.substr(at + 1, end - at - 1);
        context.levels.back().keys.push_back(context.levels.back().key);
      }
      at = end + 1;
      word = cursor;
      continue;
    }
    if (c == '{' || c == '[') context.levels.push_back({c == '{', {}, {}, at});
    if ((c == '}' || c == ']') && !context.levels.empty()) context.levels.pop_back();
    if (c == '{' || c == '}' || c == ']' || c == ',') awaits_value = false;
    if (c == ':') awaits_value = true;
    if (c == '[') awaits_value = true;
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!is_letter) word = cursor;
    if (is_letter && word == cursor) word = at;
    ++at;
  }
  return finish(word, cursor, false);
}

class SchemaCompleter {
 public:
  SchemaCompleter(const LiveProject& project, std::string_view schema, std::string_view text, std::size_t begin,
                  std::uint32_t offset)
      : project_(project), text_(text), context_(json_context(text, begin, offset)) {
    root_ = load(schema);
  }

  std::vector<Completion> run() {
    const std::vector<const Schema*> here = innermost();
    if (context_.levels.empty()) return std::move(result_);
    const JsonContext::Level& level = context_.levels.back();
    if (context_.is_key) {
      keys(here, level);
      names(context_.levels.size() < 2 ? std::string_view() : last_key(1), true);
    } else {
      values(stepped(here, level));
      names(last_key(0), false);
    }
    return std::move(result_);
  }

  // What the key at the cursor means; nothing: there is none.
  std::optional<Hover> describe_key() {
    if (!context_.is_key || !context_.is_string || context_.levels.empty()) return std::nullopt;
    const std::string key(text_.substr(context_.word.begin, context_.word.end - context_.word.begin));
    for (const Schema* const schema : innermost()) {
      if (!schema->contains("properties") || !(*schema)["properties"].contains(key)) continue;
      const Schema& value = (*schema)["properties"][key];
      const std::string doc = value.is_object() ? value.value("description", std::string()) : std::string();
      if (!doc.empty()) return Hover{"**" + key + "**\n\n" + doc, context_.word};
    }
    return std::nullopt;
  }

 private:
  // The schemas of the innermost value around the cursor.
  std::vector<const Schema*> innermost() {
    std::vector<const Schema*> here = expanded(*root_, 0);
    for (std::size_t i = 0; i + 1 < context_.levels.size(); ++i) here = stepped(here, context_.levels[i]);
    return here;
  }

  const Schema* load(std::string_view name) {
    const auto [entry, is_new] = schemas_.try_emplace(std::string(name));
    if (is_new) entry->second = Schema::parse(project::schema_text(name, {}).value_or("{}"), nullptr, false);
    return &entry->second;
  }

  // The schema itself and all that it refers to or is one of.
  std::vector<const Schema*> expanded(const Schema& schema, int depth) {
    constexpr int kMaxDepth = 16;
    std::vector<const Schema*> all;
    if (!schema.is_object() || depth > kMaxDepth) return all;
    all.push_back(&schema);
    const auto add = [&](const Schema& more) {
      for (const Schema* const each : expanded(more, depth + 1)) all.push_back(each);
    };
    if (schema.contains("$ref")) {
      const std::string reference = schema["$ref"];
      const std::size_t hash = std::min(reference.find('#'), reference.size());
      const std::string file = reference.substr(0, hash);
      const Schema* const root = file.empty() ? owner_of(schema) : load(file.substr(0, file.find('.')));
      const Schema::json_pointer pointer(hash + 1 < reference.size() ? reference.substr(hash + 1) : "");
      if (root->contains(pointer)) {
        const Schema& target = (*root)[pointer];
        owners_[&target] = root;
        add(target);
      }
    }
    for (const char* const key : {"oneOf", "anyOf", "allOf"}) {
      if (!schema.contains(key)) continue;
      for (const Schema& each : schema[key]) {
        owners_.emplace(&each, owner_of(schema));
        add(each);
      }
    }
    return all;
  }

  const Schema* owner_of(const Schema& schema) const {
    const auto found = owners_.find(&schema);
    return found == owners_.end() ? root_ : found->second;
  }

  // What describes the value at a level: of a key, or of an item.
  std::vector<const Schema*> stepped(const std::vector<const Schema*>& from, const JsonContext::Level& level) {
    std::vector<const Schema*> result;
    for (const Schema* const schema : from) {
      const Schema* next = nullptr;
      if (level.is_object && schema->contains("properties") && (*schema)["properties"].contains(level.key)) {
        next = &(*schema)["properties"][level.key];
      } else if (level.is_object && schema->contains("additionalProperties")) {
        next = &(*schema)["additionalProperties"];
      } else if (!level.is_object && schema->contains("items")) {
        next = &(*schema)["items"];
      }
      if (next == nullptr || !next->is_object()) continue;
      owners_.emplace(next, owner_of(*schema));
      for (const Schema* const each : expanded(*next, 0)) result.push_back(each);
    }
    return result;
  }

  Completion& add(const std::string& label, CompletionKind kind, std::string insert, std::string_view doc = {}) {
    Completion& item = result_.emplace_back();
    item.label = label;
    item.kind = kind;
    item.insert = std::move(insert);
    item.documentation = doc;
    item.range = context_.word;
    return item;
  }
  std::string quoted(const std::string& text) const { return context_.is_string ? text : '"' + text + '"'; }

  void keys(const std::vector<const Schema*>& schemas, const JsonContext::Level& level) {
    std::set<std::string> seen(level.keys.begin(), level.keys.end());
    for (const Schema* const schema : schemas) {
      if (!schema->contains("properties")) continue;
      const Schema& properties = (*schema)["properties"];
      // Of several kinds of objects, only those that may have what is written.
      const bool fits = std::all_of(level.keys.begin(), level.keys.end(), [&](const std::string& key) {
        return properties.contains(key) || schema->value("additionalProperties", Schema()).is_object();
      });
      if (!fits) continue;
      for (const auto& [key, value] : properties.items()) {
        if (!seen.insert(key).second) continue;
        const bool has_colon = text_.substr(context_.word.end).starts_with("\":");
        add(key, CompletionKind::attribute, context_.is_string || has_colon ? key : '"' + key + "\": ",
            value.is_object() ? value.value("description", std::string()) : std::string());
      }
    }
  }

  void values(const std::vector<const Schema*>& schemas) {
    std::set<std::string> seen;
    const auto offer = [&](const Schema& value, std::string_view doc) {
      const bool is_string = value.is_string();
      if (context_.is_string && !is_string) return;
      const std::string label = is_string ? value.get<std::string>() : value.dump();
      if (seen.insert(label).second) add(label, CompletionKind::word, is_string ? quoted(label) : label, doc);
    };
    for (const Schema* const schema : schemas) {
      const std::string doc = schema->value("description", std::string());
      if (schema->contains("const")) offer((*schema)["const"], doc);
      if (schema->contains("enum")) {
        for (const Schema& each : (*schema)["enum"]) offer(each, doc);
      }
      if (schema->value("type", Schema()) == "boolean") {
        offer(true, doc);
        offer(false, doc);
      }
    }
  }

  // The nearest key around the cursor, in lists too; `skipped` levels of objects are left out.
  std::string_view last_key(int skipped) const {
    for (auto level = context_.levels.rbegin(); level != context_.levels.rend(); ++level) {
      if (level->is_object && skipped-- == 0) return level->key;
    }
    return {};
  }

  // A member of the object around the cursor, before or after it; empty: it has none, or no string.
  std::string beside(std::string_view key) const {
    const std::size_t begin = context_.levels.empty() ? 0 : context_.levels.back().begin;
    std::size_t at = text_.find('"' + std::string(key) + '"', begin);
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    if (at == std::string_view::npos || at > end) return {};
    at = text_.find_first_not_of(" \t:[", at + key.size() + 2);
    if (at == std::string_view::npos || text_[at] != '"') return {};
    return std::string(text_.substr(at + 1, text_.find('"', at + 1) - at - 1));
  }

  // The words of agents: names of the trees that the text is about, and of these.
  void names(std::string_view key, bool of_keys) {
    const std::vector<NameKind>& kinds = kinds_in_json(key, of_keys);
    if (kinds.empty()) return;
    if (kinds.front() == NameKind::tree) return tree_names();
    if (kinds.front() == NameKind::file) return file_names();
    std::set<FileId> files;
    for (const FileId file : files_of_tree(project_, tree_of_trace(text_).value_or(NamedTree()))) files.insert(file);
    std::set<std::string> seen;
    for (const NameKind kind : kinds) {
      for (const std::string& name : names_of(kind, files)) {
        if (!seen.insert(name).second) continue;
        Completion& item = add(name, kind == NameKind::signal ? CompletionKind::event : CompletionKind::name,
                               of_keys && !context_.is_string ? quoted(name) + ": " : quoted(name));
        item.detail = word_of(kind);
      }
    }
  }

  // By name: the files that declare it. Those of trees that others know by a path are left out.
  std::map<std::string, std::vector<FileId>> declared_trees() const {
    std::map<std::string, std::vector<FileId>> trees;
    for (const project::SnapshotFile& file : project_.snapshot().files) {
      if (file.parsed == nullptr) continue;
      for (const Occurrence& each : project_.index().names_of(file.id).all) {
        const bool is_tree =
            each.kind == NameKind::tree && each.use == NameUse::declares && !each.key.starts_with(kAnyTree);
        if (!is_tree) continue;
        std::vector<FileId>& files = trees[written(each, file.id)];
        if (files.empty() || files.back() != file.id) files.push_back(file.id);
      }
    }
    return trees;
  }

  // Where several files have a tree of a name, with the file, unless that stands beside it.
  void tree_names() {
    const std::string file = beside("file");
    const auto is_wanted = [&](FileId each) { return file.empty() || is_called(project_, each, file); };
    for (const auto& [name, files] : declared_trees()) {
      const bool is_shared = files.size() > 1 && file.empty() && project_.connections().is_joined(files.front());
      if (std::none_of(files.begin(), files.end(), is_wanted)) continue;
      for (std::size_t i = 0; i < (is_shared ? files.size() : 1); ++i) {
        const std::string shown = is_shared ? replay::with_file(name_of_file(project_, files[i]), name) : name;
        add(shown, CompletionKind::name, quoted(shown)).detail = word_of(NameKind::tree);
      }
    }
  }

  // Those of the tree that stands beside it.
  void file_names() {
    const NamedTree tree = named_tree(beside("tree"));
    std::map<std::string, std::string> trees_of;  // by file
    for (const auto& [name, files] : declared_trees()) {
      if (!tree.name.empty() && !text::equal_any_case(name, tree.name)) continue;
      for (const FileId file : files) {
        if (!project_.connections().is_joined(file)) continue;
        std::string& trees = trees_of[name_of_file(project_, file)];
        trees += (trees.empty() ? "" : ", ") + name;
      }
    }
    for (const auto& [file, trees] : trees_of) add(file, CompletionKind::name, quoted(file)).detail = trees;
  }

  std::string written(const Occurrence& each, FileId file) const {
    const std::string_view text = project_.snapshot().sources[file].text();
    const bool is_written = !each.is_implied && each.range.end <= text.size();
    return is_written ? std::string(text.substr(each.range.begin, each.range.end - each.range.begin)) : each.key;
  }

  std::set<std::string> names_of(NameKind kind, const std::set<FileId>& files) const {
    std::set<std::string> names;
    const auto add_from = [&](FileId file) {
      for (const Occurrence& each : project_.index().names_of(file).all) {
        if (each.kind == kind && !each.key.starts_with(kAnyTree)) names.insert(written(each, file));
      }
    };
    // Blocks of other files have names of the tree too.
    std::set<FileId> all = files;
    for (const FileId file : files) {
      for (const Occurrence& each : project_.index().names_of(file).all) {
        const Index::Uses* const uses =
            each.kind == NameKind::block ? project_.index().files_with(NameKind::block, each.key) : nullptr;
        if (uses == nullptr) continue;
        for (const auto& [other, how] : *uses) {
          if ((how >> static_cast<unsigned>(NameUse::declares) & 1) != 0) all.insert(other);
        }
      }
    }
    for (const FileId file : all) add_from(file);
    return names;
  }

  const LiveProject& project_;
  std::string_view text_;
  JsonContext context_;
  std::map<std::string, Schema, std::less<>> schemas_;
  std::map<const Schema*, const Schema*> owners_;  // the file that a schema's references are in
  const Schema* root_ = nullptr;
  std::vector<Completion> result_;
};

}  // namespace

namespace {

// Nothing: the file has no schema.
std::optional<SchemaCompleter> completer_of(const LiveProject& project, const std::string& path, std::string_view text,
                                            std::uint32_t offset) {
  const std::size_t cursor = std::min<std::size_t>(offset, text.size());
  if (path.ends_with(project::kTraceSuffix)) {
    const std::size_t line = cursor == 0 ? std::string_view::npos : text.rfind('\n', cursor - 1);
    return SchemaCompleter(project, "trace", text, line == std::string_view::npos ? 0 : line + 1,
                           static_cast<std::uint32_t>(cursor));
  }
  const bool is_property_file = path.ends_with(project::kPropertiesSuffix);
  const bool is_configuration = path.ends_with(std::string("/") + project::kConfigurationName);
  if (!is_property_file && !is_configuration) return std::nullopt;
  return SchemaCompleter(project, is_property_file ? "properties" : "configuration", text, 0,
                         static_cast<std::uint32_t>(cursor));
}

}  // namespace

std::vector<Completion> complete_json(const LiveProject& project, const std::string& path, std::string_view text,
                                      std::uint32_t offset) {
  std::optional<SchemaCompleter> completer = completer_of(project, path, text, offset);
  return completer ? completer->run() : std::vector<Completion>();
}

std::optional<Hover> describe_key(const LiveProject& project, const std::string& path, std::string_view text,
                                  std::uint32_t offset) {
  std::optional<SchemaCompleter> completer = completer_of(project, path, text, offset);
  return completer ? completer->describe_key() : std::nullopt;
}

}  // namespace espalier::editor
