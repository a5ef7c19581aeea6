// Entries of a program, as its publisher tells them, and beside a log, as `attach` writes them: JSON Lines, {"at":
// microseconds since 1970, "entries": {blackboard: {name: value}}}, and the statuses that nodes had at the beginning,
// {"at": ..., "statuses": {uid: status}}. The blackboard of the main tree has the tree's ID,
// others the path of their subtree.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "live/formats/readers.h"
#include "live/tree_xml.h"
#include "replay/answers.h"
#include "text/json.h"

namespace espalier::live {
namespace {

constexpr std::string_view kRootCopy = "ROOT";  // that publishers add to each reply

// Reads what is not nested too deep: the reader is recursive.
class Nesting : public nlohmann::json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ < kMost; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return ++depth_ < kMost; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  static constexpr int kMost = 64;
  int depth_ = 0;
};

}  // namespace

bool unpack_entries(std::string_view packed, std::string* json) {
  Nesting nesting;
  if (!nlohmann::json::sax_parse(packed.begin(), packed.end(), &nesting, nlohmann::json::input_format_t::msgpack))
    return false;
  const nlohmann::json boards = nlohmann::json::from_msgpack(packed.begin(), packed.end(), true, false);
  if (boards.is_discarded()) return false;
  *json = boards.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return true;
}

namespace {

// Calls visit(prefix, name, value) for each entry: the prefix is the path of its subtree, of the main tree's nothing.
template <typename Visit>
void each_entry(const text::JsonValue& boards, const std::string& main_tree, const Visit& visit) {
  for (std::size_t i = 0; i < boards.keys.size(); ++i) {
    const std::string& path = boards.keys[i].name;
    const text::JsonValue& board = boards.values[i];
    if (path == kRootCopy || board.kind != text::JsonKind::object) continue;
    const std::string prefix = path == main_tree ? std::string() : path + '/';
    for (std::size_t k = 0; k < board.keys.size(); ++k) visit(prefix, board.keys[k].name, board.values[k]);
  }
}

}  // namespace

void add_samples(const text::JsonValue& boards, std::int64_t at_us, const std::string& main_tree, Log& log) {
  each_entry(boards, main_tree, [&](const std::string& prefix, const std::string& name, const text::JsonValue& value) {
    // Lists and objects are compared with nothing; null may also be a type that the program cannot write.
    if (const std::optional<replay::TraceValue> known = replay::trace_value(value))
      log.samples.push_back({at_us, prefix + name, *known});
  });
}

std::vector<Entry> entries_of(std::string_view json, const std::string& main_tree) {
  std::vector<Entry> all;
  text::JsonFault fault;
  const std::optional<text::JsonValue> boards = text::parse_json(json, 0, fault);
  if (!boards) return all;
  each_entry(*boards, main_tree, [&](const std::string& prefix, const std::string& name, const text::JsonValue& value) {
    if (value.kind == text::JsonKind::null || name.empty() || name[0] == '_') return;
    const bool is_text = value.kind == text::JsonKind::string;
    const std::string_view written = json.substr(value.span.begin, value.span.end - value.span.begin);
    all.push_back({prefix + name, is_text ? value.string : std::string(written)});
  });
  return all;
}

namespace {

// {"3": "RUNNING"}: the nodes that were not idle. False: it is none.
bool add_statuses(const text::JsonValue& statuses, std::int64_t at_us, Log& log) {
  if (statuses.kind != text::JsonKind::object) return false;
  StatusSample sample{at_us, std::vector<Status>(UINT16_MAX, Status::idle)};
  for (std::size_t i = 0; i < statuses.keys.size(); ++i) {
    const std::string& name = statuses.keys[i].name;
    std::uint16_t uid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), uid);
    const bool is_uid = error == std::errc{} && end == name.data() + name.size() && uid != 0;
    if (!is_uid || !read_status(statuses.values[i].string, &sample.statuses[uid - 1u])) return false;
  }
  if (!log.first_statuses) log.first_statuses = std::move(sample);
  return true;
}

}  // namespace

bool read_entries(std::string_view bytes, Log& log) {
  const std::string main_tree = main_tree_of(log.tree_xml);
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.empty()) continue;
    text::JsonFault fault;
    const std::optional<text::JsonValue> object = text::parse_json(line, 0, fault);
    const text::JsonValue* const at = object ? object->find("at") : nullptr;
    const text::JsonValue* const boards = object ? object->find("entries") : nullptr;
    constexpr double kMostTime = 9e18;
    const text::JsonValue* const statuses = object ? object->find("statuses") : nullptr;
    const bool has_time =
        at != nullptr && at->kind == text::JsonKind::number && at->number >= 0 && at->number < kMostTime;
    if (has_time && statuses != nullptr) {
      if (!add_statuses(*statuses, static_cast<std::int64_t>(at->number), log)) return false;
      continue;
    }
    if (!has_time || boards == nullptr || boards->kind != text::JsonKind::object) return false;
    add_samples(*boards, static_cast<std::int64_t>(at->number), main_tree, log);
  }
  std::stable_sort(log.samples.begin(), log.samples.end(),
                   [](const EntrySample& a, const EntrySample& b) { return a.at_us < b.at_us; });
  return true;
}

}  // namespace espalier::live
