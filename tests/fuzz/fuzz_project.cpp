// Any bytes as a file of trees: findings, or a project that compiles to an asset that the runtime accepts and runs.
// Every finding is within the file, and the same input gives the same bytes.
#include <string_view>

#include "codegen/compile.h"
#include "crowd.h"
#include "dialects/dialect.h"
#include "ir/poll/expand.h"
#include "lint/lint.h"
#include "text/xml.h"

namespace {

using namespace espalier;

void require_places(const text::Findings& findings, const text::Sources& sources) {
  for (const text::Finding& finding : findings.all()) {
    fuzz::require(finding.span.file < sources.size());
    const text::Source& source = sources[finding.span.file];
    fuzz::require(finding.span.begin <= finding.span.end && finding.span.end <= source.text().size());
    fuzz::require(!finding.message.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  text::Sources sources;
  text::Findings findings;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size_bytes);
  const auto document = text::XmlDocument::parse("fuzz.xml", bytes, sources, findings);
  require_places(findings, sources);
  if (document == nullptr) {
    fuzz::require(findings.has_errors());
    return 0;
  }
  ir::Project project;
  const dialects::File file{document.get(), "fuzz"};
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (dialect.owns(document->root().name())) dialect.read({&file, 1}, {}, project, findings);
  }
  lint::find_errors(project, findings);
  if (!findings.has_errors()) ir::poll::expand(project, [](const ir::poll::WrittenTree&) { return false; });
  require_places(findings, sources);
  if (document->is_damaged()) {
    fuzz::require(findings.has_errors());
    return 0;
  }
  std::size_t asset_bytes = 0;
  const std::vector<std::uint64_t> words = codegen::compile(project, sources, {}, findings, &asset_bytes);
  require_places(findings, sources);
  if (words.empty()) return 0;
  Asset asset;
  fuzz::require(open(words.data(), asset_bytes, &asset) == Status::ok);
  fuzz::require(tree_count(asset) == project.trees.size());
  fuzz::run_agents(asset, size_bytes);
  text::Findings findings_again;
  fuzz::require(codegen::compile(project, sources, {}, findings_again, &asset_bytes) == words);
  return 0;
}
