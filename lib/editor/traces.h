// Traces and properties beside trees: what they find.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "editor/answers.h"
#include "editor/live_project.h"
#include "editor/trace_names.h"

namespace espalier::editor {

// The tree that a trace's first line names; no name: none is named. Nothing if the text is no trace.
[[nodiscard]] std::optional<NamedTree> tree_of_trace(std::string_view text);
// The files that a trace, or a property, is about: those that declare the tree, or all of them if none is named.
[[nodiscard]] std::vector<FileId> files_of_tree(const LiveProject& project, const NamedTree& tree);
// A file of trees as texts name it: its path below the project's folder.
[[nodiscard]] std::string name_of_file(const LiveProject& project, FileId file);
// Is this its name, or the end of its path?
[[nodiscard]] bool is_called(const LiveProject& project, FileId file, std::string_view name);

struct Remark {
  Range range;
  text::Severity severity = text::Severity::error;
  std::string code;  // of the rule; empty for an expectation that fails
  std::string message;
};

// What is wrong with a trace, and the expectations that fail.
[[nodiscard]] std::vector<Remark> check_trace(const LiveProject& project, const std::string& path,
                                              std::string_view text);
// What happens in a trace, as `replay` tells it; empty: the trees have errors.
[[nodiscard]] std::string story_of(const LiveProject& project, const std::string& path, std::string_view text);
// What is wrong with a file of properties, and those that are refuted. Nothing if `is_unwanted` says so before all are
// proved.
[[nodiscard]] std::optional<std::vector<Remark>> check_properties(const LiveProject& project, const std::string& path,
                                                                  std::string_view text,
                                                                  const std::function<bool()>& is_unwanted);

// The traces and files of properties in the folder of a file, and the traces below it; then all other traces below
// `project_folder`, unless that is empty: many projects keep trees and traces in folders beside each other.
[[nodiscard]] std::vector<TextFile> files_beside(const std::string& path, const std::string& project_folder);

}  // namespace espalier::editor
