// espalier dump: prints an asset as text or JSON. Exit status 0; 1 when the paths are a project with errors; 2 when
// there is nothing to print.
#include <iostream>
#include <memory>

#include "cli/asset_file.h"
#include "codegen/dump/disassemble.h"
#include "report/output_form.h"

namespace espalier::cli {
namespace {

struct DumpOptions {
  CommonOptions common;
  bool json = false;
};

FindingOptions form_of(const DumpOptions& options) {
  return {.format = options.json ? "jsonl" : "human", .verb = "dump"};
}

int run_dump(const DumpOptions& options) {
  AssetFile file;
  if (const int status = load_asset(options.common, form_of(options), file); status != kOk) return status;
  const report::FormScope form(std::cout, options.json ? report::OutputForm::json : report::OutputForm::text);
  std::cout << (options.json ? codegen::disassemble_json(file.asset) : codegen::disassemble(file.asset));
  return kOk;
}

}  // namespace

void add_dump(CLI::App& program, int& status) {
  auto options = std::make_shared<DumpOptions>();
  CLI::App* verb = program.add_subcommand("dump", "prints an asset, section by section");
  add_common(*verb, options->common);
  verb->add_flag("--json", options->json, "prints JSON, one record per line");
  verb->footer("Examples:\n  espalier dump guards.espb\n  espalier dump --json guards.espb\n  espalier dump trees/");
  verb->callback([options, &status] {
    status = run_reported(form_of(*options), options->common, [&] { return run_dump(*options); });
  });
}

}  // namespace espalier::cli
