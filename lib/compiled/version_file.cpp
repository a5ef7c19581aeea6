// Files of versions. See version_file.h.
#include "compiled/version_file.h"

#include "compiled/elements.h"
#include "dialects/dialect.h"
#include "system/filesystem.h"

namespace espalier::compiled {

std::unique_ptr<text::XmlDocument> parse_as_dialect(const text::Source& source) {
  text::Sources sources;
  text::Findings findings;
  auto document = text::XmlDocument::parse(source.path(), source.text(), sources, findings);
  if (document == nullptr) return document;
  const dialects::Dialect* const dialect = dialects::find_owner(document->root_name());
  if (dialect == nullptr) return document;
  return text::XmlDocument::parse(source.path(), source.text(), sources, findings, dialect->scan);
}

std::string tree_of_file(const VersionFile& file) {
  const std::string own = RenamedTrees().identity_of(file.document->root());
  if (!own.empty()) return own;
  return system::filesystem::path(file.path).stem().generic_string();
}

std::vector<std::string> trees_in(const VersionFile& file) {
  const text::Element root = file.document->root();
  if (!root) return {};
  std::vector<std::string> names;
  if (!holds_trees(root)) return {tree_of_file(file)};
  for (const text::Element& child : root.children()) {
    if (child.name() == "BehaviorTree") names.push_back(RenamedTrees().identity_of(child));
  }
  return names;
}

}  // namespace espalier::compiled
