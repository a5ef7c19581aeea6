// Decider trees, as Spore had them: the reader. A root element `DeciderTree` declares flags, stimuli and behaviours,
// and holds deciders from one root group down to the behaviours.
#include "dialects/dialect.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/decider/elements.h"
#include "dialects/decider/options.h"
#include "dialects/decider/tree_reader.h"
#include "rules/decider.h"
#include "text/parallel.h"

namespace espalier::dialects::decider {
namespace {

void declare(const Options& options, DeclaredRows& rows) {
  const auto& functions = options.of<DeciderOptions>().decide_functions;
  if (!functions) return;
  const std::vector<std::string_view> names(functions->begin(), functions->end());
  for (const std::string_view element : {"Decider", "Group"}) rows.limit(table(), element, "decide", names);
}

bool owns(std::string_view root_element) { return root_element == kRootElement; }

// Trees of all dialects are looked up by their names, without case.
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  Reporter reporter(findings, table());
  NameTable names({"tree", rules::DEC_duplicate_tree, rules::DEC_duplicate_tree, true});
  for (const ir::Tree& tree : project.trees) {
    if (!names.find(tree.name)) names.declare(tree.name, 0, tree.span, reporter);
  }
  struct ReadFile {
    text::Findings findings;
    std::optional<ir::Tree> tree;
    std::string name;
    Span name_span;
  };
  std::vector<ReadFile> read_files(files.size());
  text::run_parallel(files.size(), options.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&, hosts = std::make_shared<Hosts>(options)](std::size_t i) {
      ReadFile& read = read_files[i];
      hosts->begin_file(files.size() + options.files_elsewhere);
      read.tree = TreeReader(*hosts, read.findings).read(files[i]);
      const Attribute name = files[i].document->root().attribute("name");
      read.name = name.value();
      read.name_span = name.value_span();
      if (options.release) options.release(*files[i].document);
    };
  });
  for (ReadFile& read : read_files) {
    findings.merge(std::move(read.findings));
    if (read.name.empty() || !names.declare(read.name, 0, read.name_span, reporter)) continue;
    if (read.tree) project.trees.push_back(std::move(*read.tree));
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace

Dialect dialect() {
  return {layout::Dialect::decider, "decider", "DEC", owns, nullptr, table, declare, read, configuration()};
}

}  // namespace espalier::dialects::decider
