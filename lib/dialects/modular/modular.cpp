// Modular behaviour trees (CRYENGINE 5, Lumberyard 1): the reader. One tree a file, a root element `BehaviorTree`;
// files with a root `Templates` are an editor's palette and skipped.
#include "dialects/dialect.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dialects/modular/elements.h"
#include "dialects/modular/options.h"
#include "dialects/modular/tree_reader.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "rules/modular.h"
#include "text/names.h"
#include "text/parallel.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kTree = "BehaviorTree";
constexpr std::string_view kPalette = "Templates";

// The span of `line`, counted from 1, without its end.
Span span_of_line(std::string_view text, text::FileId file, std::size_t line) {
  std::size_t begin = 0;
  for (; line > 1 && begin < text.size(); --line) begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

// Reports what is wrong with the files that scripts use; a file with a syntax error is left out.
void read_preludes(const ModularOptions& options, ir::Project& project, text::Findings& findings) {
  for (const ModularOptions::Prelude& prelude : options.preludes) {
    const auto fault = options.check_script ? options.check_script(prelude.text) : std::nullopt;
    if (fault) {
      std::size_t line = 1;
      std::string message = *fault;
      constexpr std::string_view kLine = "line ";
      if (message.compare(0, kLine.size(), kLine) == 0) {
        char* end = nullptr;
        line = std::strtoul(message.c_str() + kLine.size(), &end, 10);
        message.erase(0, static_cast<std::size_t>(end - message.c_str()) + 2);  // ": "
      }
      findings.add(rules::MBT_lua_syntax, span_of_line(prelude.text, prelude.id, line), "Lua syntax error: " + message);
      continue;
    }
    if (options.note_script) {
      for (ScriptNote& note : options.note_script(prelude.text)) {
        if (note.message.empty()) continue;  // a file has line ends
        findings.add(rules::MBT_lua_version, Span{prelude.id, note.begin, note.end}, std::move(note.message),
                     std::move(note.hint));
      }
    }
    if (!prelude.text.empty()) project.preludes.push_back({prelude.file, prelude.text});
  }
}

// One spelling of the root element is another engine's.
bool owns(std::string_view root_element) {
  if (root_element == "behaviorTree") return false;
  return text::equal_any_case(root_element, kTree) || text::equal_any_case(root_element, kPalette);
}

bool has_node(std::string_view element) { return find_core_node(element) != nullptr; }

// The declared nodes of the host, else those of the engines.
void declare(const Options& options, DeclaredRows& rows) {
  const ModularOptions& own = options.of<ModularOptions>();
  for (const HostDeclaration& host : own.hosts) rows.add(host, kNodes, kNodes, own.engine);
  if (!own.hosts.empty()) return;
  for (const HostDeclaration& host : own.engine_hosts) rows.add_known(host, kNodes, {kNodes, 0, 1});
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  struct ReadFile {
    text::Findings findings;
    std::optional<ir::Tree> tree;
    Span root;
    bool is_palette = false;
  };
  std::vector<ReadFile> read_files(files.size());
  text::run_parallel(files.size(), options.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&, names = std::make_shared<ProjectNames>(options)](std::size_t i) {
      const text::XmlDocument& document = *files[i].document;
      ReadFile& read = read_files[i];
      warn_of_encoding(document, read.findings);
      read.root = document.root_span();
      read.is_palette = text::equal_any_case(document.root_name(), kPalette);
      if (read.is_palette) {
        read.findings.add(rules::MBT_palette, read.root,
                          "'Templates' is an editor's palette of nodes, not a tree: the file is ignored");
        return;
      }
      names->begin_file(files.size() + options.files_elsewhere);
      read.tree = TreeReader(options, *names, read.findings).read(files[i]);
      if (options.release) options.release(document);
    };
  });
  Reporter reporter(findings, table());
  NameTable trees({"tree", rules::MBT_duplicate_tree, rules::MBT_duplicate_tree, true});
  for (std::size_t i = 0; i < files.size(); ++i) {
    ReadFile& read = read_files[i];
    findings.merge(std::move(read.findings));
    if (read.is_palette) continue;
    const bool is_new = trees.declare(files[i].name, 0, read.root, reporter);
    if (is_new && read.tree) project.trees.push_back(std::move(*read.tree));
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
  read_preludes(options.of<ModularOptions>(), project, findings);
}

}  // namespace

Dialect dialect() {
  return {layout::Dialect::modular,
          "modular",
          "MBT",
          owns,
          has_node,
          table,
          declare,
          read,
          configuration(),
          {.conjunction = "and", .conditions = " condition Signal.value "}};
}

}  // namespace espalier::dialects::modular
