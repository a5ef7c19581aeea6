// Which reader a file is for, by its first bytes. See log.h.
#include "live/formats/log.h"

#include <map>
#include <utility>

#include "live/formats/readers.h"
#include "rules/logs.h"

namespace espalier::live {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kStatusNames[kStatusCount] = {"IDLE", "RUNNING", "SUCCESS", "FAILURE"};

constexpr std::string_view kBtlog = "BTCPP4-FileLogger2";
constexpr std::string_view kDatabase = "SQLite format 3\0"sv;
constexpr std::string_view kMcap = "\x89MCAP0\r\n";
constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";
// A session's first line, as its recorder writes it.
constexpr std::string_view kSession = "{\"n\":";

constexpr std::size_t kMostFaults = 20;  // that are told of a file

// Before 4.3 FileLogger2 wrote no header: the size of the XML comes first.
bool is_old_btlog(std::string_view bytes) {
  return bytes.size() >= 9 && (bytes.substr(4, 5) == "<root" || bytes.substr(4, 5) == "<?xml");
}

}  // namespace

std::string_view name_of(Status status) { return kStatusNames[static_cast<unsigned>(status)]; }

bool read_status(unsigned number, Status* status) {
  if (number >= kStatusCount) return false;
  *status = static_cast<Status>(number);
  return true;
}

bool read_status(std::string_view name, Status* status) {
  for (unsigned i = 0; i < kStatusCount; ++i) {
    if (kStatusNames[i] == name) return read_status(i, status);
  }
  return false;
}

bool is_log(std::string_view first_bytes) {
  return first_bytes.starts_with(kBtlog) || first_bytes.starts_with(kDatabase) || first_bytes.starts_with(kMcap) ||
         first_bytes.starts_with(kZstd) || first_bytes.starts_with(kBtrecMagic) || first_bytes.starts_with(kSession) ||
         is_old_btlog(first_bytes);
}

LogFile read_log(std::string_view bytes, const ReadOptions& options) {
  LogFile file;
  std::string unpacked;
  if (bytes.starts_with(kZstd)) {
    std::string error;
    if (!unpack_zstd(bytes, &unpacked, &error)) {
      file.faults.push_back({rules::LOG_not_a_log, "the file cannot be unpacked: " + error});
      return file;
    }
    bytes = unpacked;
  }
  if (bytes.starts_with(kBtlog)) {
    read_btlog(bytes, file);
  } else if (bytes.starts_with(kDatabase)) {
    read_database(bytes, options.topic, file);
  } else if (bytes.starts_with(kMcap)) {
    read_mcap(bytes, options.topic, file);
  } else if (bytes.starts_with(kBtrecMagic)) {
    read_btrec(bytes, file);
  } else if (bytes.starts_with(kSession)) {
    read_session(bytes, options, file);
  } else if (is_old_btlog(bytes)) {
    file.faults.push_back({rules::LOG_old_version, "the log was written by BehaviorTree.CPP 4.2 or older",
                           "logs have a header since 4.3: record the run with a newer version"});
  } else {
    file.faults.push_back({rules::LOG_not_a_log, "the file is no log of a tree",
                           "logs are .btlog, .btrec, .db3 and .mcap files, and folders of rosbag2"});
  }
  // A file that is damaged everywhere is told a few times.
  if (const std::size_t count = file.faults.size(); count > kMostFaults) {
    file.faults.resize(kMostFaults);
    file.faults.push_back(
        {rules::LOG_not_a_log, std::to_string(count - kMostFaults) + " more parts of the file cannot be read"});
  }
  return file;
}

LogFile joined(std::vector<LogFile> files) {
  LogFile all;
  for (LogFile& file : files) {
    all.faults.insert(all.faults.end(), file.faults.begin(), file.faults.end());
    for (Log& run : file.runs) {
      if (all.runs.empty()) {
        all.runs.push_back(std::move(run));
        continue;
      }
      Log& whole = all.runs.front();
      std::map<std::string, std::size_t> known;
      for (std::size_t i = 0; i < whole.names.size(); ++i) known.emplace(whole.names[i], i + 1);
      std::vector<std::uint16_t> names = {0};  // of the file, in the whole
      for (std::string& name : run.names) {
        const std::size_t number = known.emplace(name, whole.names.size() + 1).first->second;
        if (number > whole.names.size()) whole.names.push_back(std::move(name));
        names.push_back(static_cast<std::uint16_t>(number <= kMaxNames ? number : 0));
      }
      for (Change& change : run.changes) {
        change.name = names[change.name];
        whole.changes.push_back(change);
      }
      whole.has_idle = whole.has_idle || run.has_idle;
    }
  }
  return all;
}

// Lines "  - nav_0.mcap" below "relative_file_paths:".
std::vector<std::string> files_of_bag(std::string_view metadata) {
  std::vector<std::string> files;
  constexpr std::string_view kKey = "relative_file_paths:";
  const std::size_t key = metadata.find(kKey);
  if (key == std::string_view::npos) return files;
  metadata.remove_prefix(key + kKey.size());
  while (true) {
    const std::size_t begin = metadata.find_first_not_of(" \r\n");
    if (begin == std::string_view::npos || metadata[begin] != '-') return files;
    metadata.remove_prefix(begin + 1);
    std::string_view name = metadata.substr(0, metadata.find('\n'));
    metadata.remove_prefix(name.size());
    while (!name.empty() && std::string_view(" \r\"'").find(name.front()) != std::string_view::npos)
      name.remove_prefix(1);
    while (!name.empty() && std::string_view(" \r\"'").find(name.back()) != std::string_view::npos)
      name.remove_suffix(1);
    files.emplace_back(name);
  }
}

}  // namespace espalier::live
