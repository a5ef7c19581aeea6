// Readers of logs: what real programs wrote, cut at any place, and with any byte changed.
#include <fstream>
#include <iterator>

#include "live/formats/log.h"
#include "rules/logs.h"
#include "source_folder.h"
#include "unit.h"

namespace live_formats {

using namespace espalier::live;
namespace rules = espalier::rules;

namespace {

std::string bytes_of(const std::string& name) {
  std::ifstream file(source_folder() / "tests/logs" / name, std::ios::binary);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t change_count(const LogFile& file) {
  std::size_t count = 0;
  for (const Log& run : file.runs) count += run.changes.size();
  return count;
}

const char* const kFiles[] = {"nav.second.btlog", "nav.mcap",         "nav.zstd.mcap", "nav.lz4.mcap",
                              "nav.db3",          "nav_humble_0.db3", "scan.btrec"};

}  // namespace

TEST_CASE("each format has the changes that were written", "[logs]") {
  const std::map<std::string, std::size_t> counts = {
      {"patrol.btlog", 451},       {"arm.btlog", 79},       {"nav.btlog", 132},
      {"nav.second.btlog", 43},    {"nav.db3", 175},        {"nav.mcap", 153},
      {"nav.zstd.mcap", 153},      {"nav.lz4.mcap", 153},   {"nav.unchunked.mcap", 70},
      {"nav.big_endian.mcap", 70}, {"nav_0.db3.zstd", 153}, {"nav_humble_0.db3", 153},
      {"scan.btrec", 238},         {"go.btrec", 463}};
  for (const auto& [name, count] : counts) {
    INFO(name);
    const LogFile file = read_log(bytes_of(name), {});
    CHECK(file.faults.empty());
    CHECK(change_count(file) == count);
  }
}

TEST_CASE("all forms of a bag have the same changes", "[logs]") {
  const LogFile plain = read_log(bytes_of("nav.mcap"), {});
  REQUIRE(plain.runs.size() == 1);
  for (const char* name :
       {"nav.zstd.mcap", "nav.lz4.mcap", "nav.unchunked.mcap", "nav.big_endian.mcap", "nav_0.db3.zstd"}) {
    INFO(name);
    const LogFile file = read_log(bytes_of(name), {});
    REQUIRE(file.runs.size() == 1);
    for (std::size_t i = 0; i < file.runs[0].changes.size(); ++i) {
      const Change& one = plain.runs[0].changes[i];
      const Change& other = file.runs[0].changes[i];
      CHECK((one.uid == other.uid && one.status == other.status && one.at_us == other.at_us &&
             one.begins_message == other.begins_message));
    }
  }
}

TEST_CASE("a cut bag has what is whole", "[logs]") {
  const LogFile file = read_log(bytes_of("nav.cut.mcap"), {});
  REQUIRE(file.faults.size() == 1);
  CHECK(file.faults[0].rule == rules::LOG_cut);
  CHECK(change_count(file) > 0);
}

TEST_CASE("a file that is cut anywhere gives no more changes than a whole one", "[logs]") {
  for (const char* name : kFiles) {
    INFO(name);
    const std::string whole = bytes_of(name);
    const std::size_t count = change_count(read_log(whole, {}));
    for (std::size_t size = 0; size < whole.size();
         size += size < 400 ? 1 : static_cast<std::size_t>(37 * usual_stride())) {
      INFO(size);
      CHECK(change_count(read_log(whole.substr(0, size), {})) <= count);
    }
  }
}

TEST_CASE("no changed byte of a log is taken for more than there is", "[logs]") {
  for (const char* name : kFiles) {
    INFO(name);
    std::string bytes = bytes_of(name);
    const std::size_t stride = static_cast<std::size_t>(usual_stride());
    for (std::size_t i = 0; i < bytes.size(); i += i < 400 ? (stride + 4) / 5 : 53 * stride) {
      const char before = bytes[i];
      for (const char changed : {'\xFF', '\x00', static_cast<char>(before ^ 1)}) {
        bytes[i] = changed;
        CHECK(change_count(read_log(bytes, {})) < 1'000'000);
      }
      bytes[i] = before;
    }
  }
}

TEST_CASE("files of a bag are those of its metadata", "[logs]") {
  const char* const metadata =
      "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n    - nav_0.mcap\n    - \"nav_1.mcap\"\n  "
      "duration:\n";
  CHECK(files_of_bag(metadata) == std::vector<std::string>{"nav_0.mcap", "nav_1.mcap"});
  CHECK(files_of_bag("relative_file_paths:").empty());
  CHECK(files_of_bag("").empty());
}

TEST_CASE("entries beside a log are numbers, texts and truths by the path of their subtree", "[logs]") {
  Log log;
  log.tree_xml = R"(<root BTCPP_format="4"><BehaviorTree ID="Main"/></root>)";
  CHECK(read_entries(R"({"at": 20, "entries": {"Main": {"level": 2.5, "path": [1], "goal": null}, "ROOT": {"level": 9}}}

{"at": 10, "entries": {"north": {"mode": "go", "done": true}, "south": null}})",
                     log));
  REQUIRE(log.samples.size() == 3);
  CHECK(log.samples[0].at_us == 10);
  CHECK(log.samples[0].entry == "north/mode");
  CHECK(log.samples[0].value.text == "go");
  CHECK(log.samples[1].entry == "north/done");
  CHECK(log.samples[2].entry == "level");
  CHECK(log.samples[2].value.number == 2.5);
}

TEST_CASE("of entries beside a log what comes before a damaged line is read", "[logs]") {
  for (const char* line :
       {"{", "[]", "{}", "{\"at\": 1}", "{\"at\": -1, \"entries\": {}}", "{\"at\": 1e300, \"entries\": {}}",
        "{\"at\": \"1\", \"entries\": {}}", "{\"at\": 1, \"entries\": []}", "\xFF"}) {
    INFO(line);
    Log log;
    CHECK_FALSE(read_entries("{\"at\": 1, \"entries\": {\"M\": {\"a\": 1}}}\n" + std::string(line), log));
    CHECK(log.samples.size() == 1);
  }
}

}  // namespace live_formats
