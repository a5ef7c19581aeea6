// What the program has to write. See program_entries.h.
#include "project/program_entries.h"

#include "project/check.h"
#include "project/json_members.h"
#include "project/snapshot.h"
#include "text/json.h"

namespace espalier::project {

lint::ProgramEntries entries_of_program(const std::string& folder, const std::string& configuration,
                                        const Files& files) {
  LoadOptions options;
  options.paths = {folder};
  options.configuration_path = configuration;
  options.keeps_written = true;
  options.shown = lint::Shown::nothing;
  ParsedFiles kept_by_nobody(0);
  Snapshot snapshot;
  LoadErrors errors;
  if (!take_snapshot(options, files, kept_by_nobody, snapshot, errors)) return {};
  return lint::entries_of_program(check_once(snapshot).ir);
}

std::optional<std::string> with_entries(const std::string& configuration, const std::vector<std::string>& entries,
                                        std::string& error) {
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(configuration, 0, fault);
  if (!root || root->kind != text::JsonKind::object) {
    error = root ? "it is not an object" : fault.message;
    return std::nullopt;
  }
  const text::JsonValue* const options = root->find("btcpp");
  const bool is_open = options != nullptr && options->kind == text::JsonKind::object;
  if (!is_open || options->find("entries") != nullptr) return configuration;
  std::string list;
  for (const std::string& entry : entries) list += (list.empty() ? "" : ", ") + text::json_string(entry);
  return with_member(configuration, *options, "    ", "\"entries\": [" + list + ']');
}

}  // namespace espalier::project
