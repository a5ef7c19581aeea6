// espalier schema: writes the schemas of trees (XSDs) and of JSON files. An XSD contains the declarations of
// the project at PATH. Exit status 2 when the schema is unknown or cannot be written.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "project/schemas.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

struct SchemaOptions {
  std::string name;  // empty: all
  std::string path = ".";
  std::string configuration;
  std::string format = "schema";
  std::string output;
};

void write_list(const std::vector<project::SchemaInfo>& schemas) {
  std::size_t width = 0;
  for (const project::SchemaInfo& schema : schemas) width = std::max(width, schema.name.size());
  for (const project::SchemaInfo& schema : schemas) {
    std::cout << std::left << std::setw(static_cast<int>(width)) << schema.name << "  " << schema.doc << '\n';
  }
}

int write_text(const std::string& path, const std::string& text, const std::vector<std::string>& inputs) {
  std::string error;
  return write_file(path, text, inputs, &error) ? kOk : fail(error);
}

// All of them into a folder.
int write_all(const std::string& folder, const std::vector<project::SchemaInfo>& schemas,
              const project::Declarations& declared) {
  std::error_code error;
  if (!system::filesystem::is_directory(folder, error)) return fail("'" + folder + "' is not a folder");
  for (const project::SchemaInfo& schema : schemas) {
    const std::string path = (system::filesystem::path(folder) / schema.file).generic_string();
    const int status =
        write_text(path, project::schema_text(schema.name, declared.options).value_or(""), declared.read_paths);
    if (status != kOk) return status;
  }
  return kOk;
}

int run_schema(const SchemaOptions& options) {
  const std::vector<project::SchemaInfo> schemas = project::schemas();
  if (options.name.empty() && options.output.empty()) {
    write_list(schemas);
    return kOk;
  }
  project::Declarations declared;
  std::string error;
  if (!project::read_declarations(options.path, options.configuration, declared, error)) return fail(error);
  if (options.name.empty()) return write_all(options.output, schemas, declared);
  const bool is_markdown = options.format == "markdown";
  const std::optional<std::string> text = is_markdown ? project::element_tables(options.name, declared.options)
                                                      : project::schema_text(options.name, declared.options);
  if (!text) {
    std::vector<std::string_view> names;
    names.reserve(schemas.size());
    for (const project::SchemaInfo& schema : schemas) names.push_back(schema.name);
    const std::string hint = text::did_you_mean(options.name, names);
    return fail((is_markdown ? "no tables of elements for " : "unknown schema ") + text::quote(options.name),
                hint.empty() ? "'espalier schema' lists all schemas" : hint);
  }
  if (!options.output.empty()) return write_text(options.output, *text, declared.read_paths);
  std::cout << *text;
  return kOk;
}

std::string all_names() {
  std::string names;
  for (const project::SchemaInfo& schema : project::schemas()) names += (names.empty() ? "" : "|") + schema.name;
  return names;
}

}  // namespace

void add_schema(CLI::App& program, int& status) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* verb =
      program.add_subcommand("schema", "writes the schema of a kind of file, with the declarations of a project");
  takes_one_of(
      verb->add_option("NAME", options->name, "the schema; default: lists all schemas, or writes them all with -o"),
      "NAME", all_names());
  takes(verb->add_option("PATH", options->path, "a path in the project whose declarations the XSD contains"), "PATH")
      ->capture_default_str();
  takes(verb->add_option("--config", options->configuration, "uses this file instead of the nearest espalier.json"),
        "FILE");
  takes_one_of(verb->add_option("--format", options->format, "the schema itself, or tables of its elements"), "FORMAT",
               "schema|markdown")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "output file; for all schemas a folder"), "PATH");
  verb->footer(
      "Examples:\n"
      "  espalier schema\n"
      "  espalier schema modular trees/ -o modular.xsd\n"
      "  espalier schema synchronized --format markdown\n"
      "  espalier schema -o schemas/");
  verb->callback([options, &status] { status = run_schema(*options); });
}

}  // namespace espalier::cli
