// The reference of elements by name. See explain_element.h.
#include "project/explain_element.h"

#include <algorithm>
#include <set>

#include "dialects/modular/options.h"
#include "dialects/reading/host.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using dialects::HostDeclaration;

// A node that the game declares hides the engine's.
template <typename Visit>
void each_declaration(const dialects::Options& options, Visit visit) {
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (dialect.configuration.declared == nullptr) continue;
    const std::vector<dialects::DeclaredNames> lists = dialect.configuration.declared(options);
    for (const dialects::DeclaredNames& list : lists) {
      for (const HostDeclaration& host : list.hosts) {
        const bool is_hidden = list.is_known && dialects::find_declaration(lists.front().hosts, host.name) != nullptr;
        if (!is_hidden) visit(dialect.name, list.kind, host);
      }
    }
  }
}

std::string holds(const HostDeclaration& host) {
  constexpr std::string_view kAs[] = {"", "; after its success this node runs on", ", as a 'Sequence'",
                                      ", as a 'Selector'", ", as a 'Parallel'"};
  switch (host.children) {
    case dialects::HostChildren::none:
      return "nothing";
    case dialects::HostChildren::one:
      return "one node" + std::string(kAs[static_cast<std::size_t>(host.as)]);
    case dialects::HostChildren::many:
      return "nodes" + std::string(kAs[static_cast<std::size_t>(host.as)]);
    case dialects::HostChildren::raw:
      break;
  }
  return "elements of its own";
}

std::string names_of(const ir::SharedNames& names) {
  return names->empty() ? "nothing" : dialects::list_of({names->begin(), names->end()}, "and");
}

ExplainedElement explained(std::string_view dialect, std::string_view kind, const HostDeclaration& host,
                           dialects::GameEngine engine) {
  const bool is_condition = kind == "condition";
  const dialects::HostRow row(host, 0, 0, engine);
  ExplainedElement result{dialect, kind, {host.name, host.doc, {}, {}}, host.results, {}};
  result.reference.attributes = dialects::reference_of(row.row().attributes);
  if (dialect == "modular") result.reference.holds = holds(host);
  if (is_condition) result.results = 0;
  if (host.sends != nullptr) result.facts.emplace_back("sends", names_of(host.sends));
  if (host.sets != nullptr) result.facts.emplace_back("sets", names_of(host.sets));
  if (host.memory_bytes != 0) result.facts.emplace_back("memory", std::to_string(host.memory_bytes) + " bytes");
  if (!host.reads_logs) result.facts.emplace_back("logs", "its log attributes are not read");
  if (host.is_deprecated) result.facts.emplace_back("deprecated", "yes");
  return result;
}

}  // namespace

std::vector<ExplainedElement> explain_element(std::string_view name, const dialects::Options& options) {
  std::vector<ExplainedElement> found;
  for (const dialects::Dialect& dialect : dialects::all()) {
    const dialects::ElementTable& table = dialect.table();
    for (const dialects::ElementRow& row : table.elements) {
      if (!text::equal_any_case(row.name, name) || !row.written_for.empty()) continue;
      found.push_back({dialect.name, "element", dialects::reference_of(table, row), 0, {}});
    }
  }
  const dialects::GameEngine engine = options.of<dialects::ModularOptions>().engine;
  each_declaration(options, [&](std::string_view dialect, std::string_view kind, const HostDeclaration& host) {
    if (text::equal_any_case(host.name, name)) found.push_back(explained(dialect, kind, host, engine));
  });
  std::stable_partition(found.begin(), found.end(),
                        [&](const ExplainedElement& each) { return each.reference.name == name; });
  return found;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    const bool begins = at == 0 || !is_letter(text[at - 1]) || (is_capital(text[at]) && !is_capital(text[at - 1]));
    if (begins && text::equal_any_case(text.substr(at, word.size()), word)) return true;
  }
  return false;
}

std::vector<ExplainedElement> search_elements(std::string_view word, const dialects::Options& options) {
  const auto has = [&](std::string_view name, std::string_view doc, const auto& attributes) {
    const auto is_it = [&](const auto& attribute) { return text::equal_any_case(attribute.name, word); };
    return has_word(name, word) || has_word(doc, word) || std::any_of(attributes.begin(), attributes.end(), is_it);
  };
  std::vector<ExplainedElement> found;
  for (const dialects::Dialect& dialect : dialects::all()) {
    const dialects::ElementTable& table = dialect.table();
    for (const dialects::ElementRow& row : table.elements) {
      if (!row.written_for.empty() || !has(row.name, row.doc, row.attributes)) continue;
      found.push_back({dialect.name, "element", dialects::reference_of(table, row), 0, {}});
    }
  }
  const dialects::GameEngine engine = options.of<dialects::ModularOptions>().engine;
  each_declaration(options, [&](std::string_view dialect, std::string_view kind, const HostDeclaration& host) {
    if (has(host.name, host.doc, host.attributes)) found.push_back(explained(dialect, kind, host, engine));
  });
  return found;
}

std::vector<std::string> explained_names(const dialects::Options& options) {
  std::set<std::string> names;
  for (const dialects::Dialect& dialect : dialects::all()) {
    for (const dialects::ElementRow& row : dialect.table().elements) names.emplace(row.name);
  }
  each_declaration(options,
                   [&](std::string_view, std::string_view, const HostDeclaration& host) { names.insert(host.name); });
  return {names.begin(), names.end()};
}

}  // namespace espalier::project
