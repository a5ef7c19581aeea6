// The user's cache folder. See cache_folder.h.
#include "cli/cache_folder.h"

#include <string>

#include "system/environment.h"
#include "system/filesystem.h"
#include "system/own_program.h"

namespace espalier::cli {

std::shared_ptr<project::KeptFacts> kept_facts() {
  const system::filesystem::path folder = system::cache_folder();
  const std::string program = system::own_program_stamp();
  if (folder.empty() || program.empty()) return nullptr;
  return std::make_shared<project::KeptFacts>((folder / "espalier").generic_string(),
                                              "espalier " ESPALIER_VERSION " " + program);
}

}  // namespace espalier::cli
