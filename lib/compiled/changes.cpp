// Changes of the text. See changes.h.
#include "compiled/changes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "system/filesystem.h"

namespace espalier::compiled {
namespace {

// The text of an element with these changes made.
void write(const PairedElement& element, const std::set<std::size_t>& made, const RenamedTrees& renamed,
           bool with_new_names, std::string& out) {
  const bool is_made = made.contains(element.change);
  const text::Element& shown = is_made ? element.after : element.before;
  const text::Element& own = element.before && element.after && !is_made ? element.before : shown;
  if (own) renamed.begin_tag(own, with_new_names, out);
  for (const auto& child : element.children) write(*child, made, renamed, with_new_names, out);
  if (own) end_tag(own, out);
}

bool has_file(const std::vector<VersionFile>& files, const std::string& name) {
  return std::any_of(files.begin(), files.end(), [&](const VersionFile& file) { return file.name == name; });
}

// Where a file of the new version would be in the old one: it is beside the same files. Empty: not known.
std::string path_in_old(const VersionFile& file, const std::vector<VersionFile>& before,
                        const std::vector<VersionFile>& after) {
  for (const VersionFile& old : before) {
    for (const VersionFile& now : after) {
      if (old.name != now.name) continue;
      const system::filesystem::path below =
          system::filesystem::path(file.path).lexically_relative(system::filesystem::path(now.path).parent_path());
      return (system::filesystem::path(old.path).parent_path() / below).lexically_normal().generic_string();
    }
  }
  return {};
}

}  // namespace

TextChanges::TextChanges(std::vector<VersionFile> before, std::vector<VersionFile> after)
    : before_(std::move(before)), after_(std::move(after)), texts_(pair_elements(before_, after_)) {}

std::string TextChanges::text_with(const std::set<std::size_t>& changes, bool with_new_names, const Definition& root,
                                   const std::function<bool(const Definition&)>& is_here) const {
  std::string text;
  const bool is_made = changes.contains(root.element->change);
  const text::Element tag = is_made ? root.element->after : root.element->before;
  if (!holds_trees(tag)) {
    write(*root.element, changes, texts_.renamed, with_new_names, text);
    return text;
  }
  texts_.renamed.begin_tag(tag, with_new_names, text);
  text += '\n';
  for (const auto& definition : texts_.definitions) {
    if (!definition->is_root && is_here(*definition))
      write(*definition->element, changes, texts_.renamed, with_new_names, text);
  }
  end_tag(tag, text);
  return text;
}

std::vector<TextChanges::File> TextChanges::with(const std::set<std::size_t>& changes, bool with_new_names) const {
  const bool are_alone = before_.size() == 1 && after_.size() == 1;
  std::vector<File> files;
  for (const auto& root : texts_.definitions) {
    if (!root->is_root) continue;
    const std::string& name = (root->is_new ? after_ : before_)[root->file].name;
    if (root->is_new && (are_alone || has_file(before_, name))) continue;
    const auto is_here = [&](const Definition& definition) {
      if (!definition.is_new) return !root->is_new && definition.file == root->file;
      return are_alone || after_[definition.file].name == name;
    };
    const std::string path = root->is_new ? path_in_old(after_[root->file], before_, after_) : before_[root->file].path;
    if (!path.empty()) files.push_back({path, text_with(changes, with_new_names, *root, is_here)});
  }
  return files;
}

std::set<std::size_t> TextChanges::inside(std::size_t change) const {
  std::set<std::size_t> found;
  const std::function<void(const PairedElement&)> look = [&](const PairedElement& element) {
    for (const auto& child : element.children) {
      const bool is_inside = element.change == change && child->change != change && child->change != kNoChange;
      if (is_inside && !(child->before && child->after)) found.insert(child->change);
      look(*child);
    }
  };
  for (const auto& definition : texts_.definitions) look(*definition->element);
  return found;
}

}  // namespace espalier::compiled
