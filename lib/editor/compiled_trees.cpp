// Trees of a project, compiled. See compiled_trees.h.
#include "editor/compiled_trees.h"

#include "codegen/compile.h"
#include "compiled/declared_answers.h"

namespace espalier::editor {

CompiledTrees compile(const LiveProject& project, const std::vector<FileId>& files) {
  CompiledTrees trees;
  if (files.empty()) return trees;
  const project::Checked checked = project.compiled(files);
  if (checked.ir.trees.empty() || checked.findings.has_errors()) return trees;
  trees.host = compiled::host_facts(checked.ir, project.snapshot());
  trees.answers = compiled::declared_answers(checked.ir, project.snapshot().configuration.dialects);
  trees.declared_nodes = compiled::declared_nodes(checked.ir);
  text::Findings findings;
  trees.words = codegen::compile(checked.ir, project.snapshot().sources, {}, findings, &trees.size_bytes);
  if (trees.words.empty()) return trees;
  Fault fault;
  trees.is_open = open(trees.words.data(), trees.size_bytes, &trees.asset, &fault) == Status::ok;
  return trees;
}

}  // namespace espalier::editor
