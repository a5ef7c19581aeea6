// espalier verify: checks assets as the runtime does when it opens them. Exit status 0 when all are valid, 2 when one
// is not.
#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/asset_file.h"
#include "cli/command_line.h"
#include "codegen/dump/listing.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  bool quiet = false;
};

int verify_file(const std::string& path, bool quiet) {
  std::string bytes;
  std::string error;
  if (!read_file(path, &bytes, &error)) return fail(error);
  AssetFile file;
  if (!open_asset(path, bytes, file)) return kFailed;
  if (quiet) return kOk;
  const layout::Header& header = codegen::header_of(file.asset);
  const std::uint32_t trees = tree_count(file.asset);
  std::cout << "ok: " << (path == "-" ? "<stdin>" : text::visible(path)) << ": version " << header.major_version << '.'
            << header.minor_version << ", " << trees << (trees == 1 ? " tree, " : " trees, ") << header.size_bytes
            << " bytes\n";
  return kOk;
}

int run_verify(const VerifyOptions& options) {
  int status = kOk;
  for (const std::string& path : options.paths) status = std::max(status, verify_file(path, options.quiet));
  return status;
}

}  // namespace

void add_verify(CLI::App& program, int& status) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = program.add_subcommand("verify", "checks assets as the runtime does");
  takes(verb->add_option("FILES", options->paths, "compiled assets; - is standard input"), "FILE")->required();
  verb->add_flag("-q,--quiet", options->quiet, "prints faults only");
  verb->footer("Example:\n  espalier verify guards.espb");
  verb->callback([options, &status] { status = run_verify(*options); });
}

}  // namespace espalier::cli
