// Schemas. See schemas.h.
#include "project/schemas.h"

#include <algorithm>

#include "dialects/modular/options.h"
#include "dialects/reading/reference.h"
#include "project/configuration.h"
#include "project/engine_hosts.h"
#include "project/schema_texts.h"
#include "text/names.h"

namespace espalier::project {
namespace {

struct JsonSchema {
  std::string_view name;
  std::string_view doc;
  std::string_view text;
};

constexpr JsonSchema kJsonSchemas[] = {
    {"configuration", "espalier.json", kConfigurationSchema},
    {"cover", "output of cover --format json", kCoverSchema},
    {"diff", "output of diff --format json", kDiffSchema},
    {"findings", "output of --format json", kFindingsSchema},
    {"hosts", "files of declared hosts", kHostsSchema},
    {"proofs", "output of prove --format json", kProofsSchema},
    {"properties", "files of properties, for prove", kPropertiesSchema},
    {"trace", "traces, a line each", kTraceSchema},
};

template <typename Write>
std::optional<std::string> of_dialect(std::string_view name, const dialects::Options& options, Write&& write) {
  const dialects::Dialect* const dialect = text::find_by(&dialects::Dialect::name, dialects::all(), name);
  if (dialect == nullptr) return std::nullopt;
  dialects::DeclaredRows declared;
  if (dialect->declare != nullptr) dialect->declare(options, declared);
  return write(dialect->table(), declared.rows());
}

}  // namespace

std::vector<SchemaInfo> schemas() {
  std::vector<SchemaInfo> result;
  for (const dialects::Dialect& dialect : dialects::all()) {
    const std::string name(dialect.name);
    result.push_back({name, name + ".xsd", std::string(dialect.table().doc)});
  }
  for (const JsonSchema& schema : kJsonSchemas) {
    const std::string name(schema.name);
    result.push_back({name, name + ".schema.json", std::string(schema.doc)});
  }
  return result;
}

std::optional<std::string> schema_text(std::string_view name, const dialects::Options& options) {
  const JsonSchema* const schema = text::find_by(&JsonSchema::name, kJsonSchemas, name);
  if (schema != nullptr) return std::string(schema->text);
  return of_dialect(name, options, dialects::write_xsd);
}

// Nodes that are known of the engine are described as its host file declares them.
std::optional<std::string> element_tables(std::string_view name, const dialects::Options& options) {
  dialects::Options described = options;
  dialects::modular::declare_known(described);
  return of_dialect(name, described, dialects::write_markdown);
}

bool read_declarations(const std::string& path, const std::string& configuration, Declarations& declarations,
                       std::string& error) {
  const std::string file = configuration.empty() ? nearest_configuration(path) : configuration;
  Configuration read;
  if (!file.empty()) {
    text::Sources sources;
    text::Findings findings;
    if (!read_configuration(file, Files(), sources, read, findings, error)) return false;
    declarations.site = sources.site();
    if (findings.has_errors()) {
      error = "'" + file + "' has errors: 'espalier lint' shows them";
      return false;
    }
  }
  declarations.options = std::move(read.dialects);
  declarations.read_paths = std::move(read.read_paths);
  add_engine_knowledge(declarations.options);
  dialects::modular::forget_other_engines(declarations.options);
  return true;
}

}  // namespace espalier::project
