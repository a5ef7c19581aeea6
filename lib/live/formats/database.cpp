// Databases of SQLite: of SqliteLogger, with a run a session, and of rosbag2, told apart by their tables. They are read
// from memory, so that nothing beside the file is looked at, and never written.
#include "live/formats/readers.h"
#include "rules/logs.h"
#include "text/names.h"
#if ESPALIER_HAS_SQLITE
#include <sqlite3.h>

#include <functional>
#include <memory>
#endif

namespace espalier::live {

#if ESPALIER_HAS_SQLITE
namespace {

class Database {
 public:
  explicit Database(std::string_view bytes) {
    sqlite3* opened = nullptr;
    if (sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) return;
    database_.reset(opened);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, static_cast<int>(kMaxTreeBytes));
    sqlite3_limit(opened, SQLITE_LIMIT_SQL_LENGTH, 100'000);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    if (sqlite3_deserialize(opened, "main", data, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
      database_.reset();
  }

  // Calls `row` for each row, until it returns false. False: there is no such table or column, or the file is damaged.
  bool each(const char* query, const std::function<bool(sqlite3_stmt*)>& row) {
    sqlite3_stmt* prepared = nullptr;
    if (database_ == nullptr || sqlite3_prepare_v2(database_.get(), query, -1, &prepared, nullptr) != SQLITE_OK)
      return false;
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(prepared, sqlite3_finalize);
    int step = sqlite3_step(prepared);
    while (step == SQLITE_ROW && row(prepared)) step = sqlite3_step(prepared);
    return step == SQLITE_DONE || step == SQLITE_ROW;
  }
  bool has(const char* query) {
    return each(query, [](sqlite3_stmt*) { return false; });
  }
  std::string error() const { return database_ == nullptr ? "it is damaged" : sqlite3_errmsg(database_.get()); }

 private:
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_{nullptr, sqlite3_close};
};

std::string_view text_at(sqlite3_stmt* row, int column) {
  const auto* const text = static_cast<const char*>(sqlite3_column_blob(row, column));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

void damaged(const Database& database, LogFile& file) {
  file.faults.push_back({rules::LOG_cut, "the database cannot be read: " + database.error(),
                         "a database that was cut, or that was being written, is damaged as a whole"});
}

void read_sessions(Database& database, LogFile& file) {
  std::vector<std::int64_t> sessions;
  const bool has_sessions =
      database.each("SELECT session_id, xml_tree FROM Definitions ORDER BY session_id", [&](sqlite3_stmt* row) {
        sessions.push_back(sqlite3_column_int64(row, 0));
        file.runs.emplace_back().tree_xml = text_at(row, 1);
        return sessions.size() < kMaxNames;
      });
  if (!has_sessions) return damaged(database, file);
  std::size_t run = 0;
  std::size_t number = 0;
  std::size_t count = 0;
  const auto add = [&](sqlite3_stmt* row) {
    const std::int64_t session = sqlite3_column_int64(row, 0);
    while (run < sessions.size() && sessions[run] < session) {
      ++run;
      number = 0;
    }
    if (run == sessions.size() || ++count > kMaxChanges) return false;
    if (sessions[run] != session) return true;
    const std::int64_t uid = sqlite3_column_int64(row, 1);
    const std::int64_t state = sqlite3_column_int64(row, 2);
    Change change;
    change.at_us = sqlite3_column_int64(row, 3);
    change.uid = static_cast<std::uint16_t>(uid);
    if (uid < 0 || uid > UINT16_MAX || state < 0 || !read_status(static_cast<unsigned>(state), &change.status)) {
      file.faults.push_back({rules::LOG_not_a_log,
                             "there is no such node or status",
                             {},
                             "session " + std::to_string(session) + ", record " + std::to_string(number)});
      return false;
    }
    file.runs[run].changes.push_back(change);
    ++number;
    return true;
  };
  const char* const now =
      "SELECT session_id, node_uid, state, timestamp FROM Transitions ORDER BY session_id, timestamp";
  const char* const before_4_6 =
      "SELECT session_id, uid, state, timestamp FROM Transitions ORDER BY session_id, timestamp";
  const char* const query = database.has("SELECT node_uid FROM Transitions") ? now : before_4_6;
  if (!database.each(query, add)) damaged(database, file);
}

void read_bag(Database& database, const std::string& topic, LogFile& file) {
  BagMessages messages(topic);
  std::vector<std::int64_t> wanted;
  const bool has_topics =
      database.each("SELECT id, name, type, serialization_format FROM topics", [&](sqlite3_stmt* row) {
        const bool is_wanted =
            text_at(row, 3) == "cdr" && messages.is_wanted(std::string(text_at(row, 1)), text_at(row, 2));
        if (is_wanted) wanted.push_back(sqlite3_column_int64(row, 0));
        return wanted.size() < kMaxNames;
      });
  const bool has_messages =
      has_topics &&
      database.each("SELECT id, topic_id, timestamp, data FROM messages ORDER BY id", [&](sqlite3_stmt* row) {
        const std::int64_t from = sqlite3_column_int64(row, 1);
        for (const std::int64_t each : wanted) {
          if (each != from) continue;
          const std::string where = "message " + std::to_string(sqlite3_column_int64(row, 0));
          const auto time_ns = static_cast<std::uint64_t>(sqlite3_column_int64(row, 2));
          std::string_view data = text_at(row, 3);
          std::string unpacked;
          std::string error;
          const bool is_packed = data.starts_with("\x28\xB5\x2F\xFD");
          if (is_packed && !unpack_zstd(data, &unpacked, &error)) {
            file.faults.push_back({rules::LOG_not_a_log, "the message cannot be unpacked: " + error, {}, where});
            continue;
          }
          messages.add(time_ns, is_packed ? unpacked : data, where, file);
        }
        return true;
      });
  if (!has_messages) return damaged(database, file);
  messages.end(file);
}

}  // namespace

void read_database(std::string_view bytes, const std::string& topic, LogFile& file) {
  Database database(bytes);
  if (database.has("SELECT session_id FROM Definitions")) return read_sessions(database, file);
  if (database.has("SELECT id FROM topics")) return read_bag(database, topic, file);
  if (!database.has("SELECT name FROM sqlite_master")) return damaged(database, file);
  file.faults.push_back({rules::LOG_not_a_log, "the database has no log of a tree",
                         "SqliteLogger's have a table 'Transitions', rosbag2's a table 'messages'"});
}
#else
void read_database(std::string_view, const std::string&, LogFile& file) {
  file.faults.push_back({rules::LOG_not_a_log, "the file is a database: this espalier was built without SQLite"});
}
#endif

}  // namespace espalier::live
