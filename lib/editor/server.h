// The language server: the Language Server Protocol on the answers of this folder. One thread reads messages, another
// one answers them in order; what is typed meanwhile is checked once.
#pragma once
#include <chrono>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "editor/answers.h"
#include "editor/live_project.h"
#include "editor/messages.h"
#include "editor/positions.h"
#include "editor/reached.h"
#include "editor/traces.h"

namespace espalier::editor {

// A text that an editor has open.
struct OpenText {
  std::string uri;
  std::string text;
  std::int64_t version = 0;
  bool is_changed = true;  // since it was checked
};

// Answers messages one at a time. What the messages hold can be anything.
class Server {
 public:
  using Send = std::function<void(const Json& message)>;
  Server(std::string version, Send send) : version_(std::move(version)), send_(std::move(send)) {}

  // Answers a request, or takes a notification. `is_cancelled`: the client does not want the answer any more.
  void handle(const Json& message, const std::function<bool()>& is_cancelled = {});
  // Nothing is left to do at the moment: checks what has changed.
  void idle();
  // Is something left to be checked when nobody types? Then this checks some of it. Proofs of properties can take
  // seconds: they begin again later if `is_interrupted`.
  [[nodiscard]] bool has_rest() const;
  void check_rest(const std::function<bool()>& is_interrupted);
  // The exit status once the client has said `exit`.
  [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }

 private:
  struct Method;
  struct Fault {
    int code;
    std::string message;
  };
  struct Query;  // of a request about a place in a file
  static const std::map<std::string, Method, std::less<>>& methods();

  // ---- The session, and texts
  Json initialize(const Json& parameters);
  Json initialized(const Json& parameters);
  Json shut_down(const Json& parameters);
  Json exit(const Json& parameters);
  Json ignore(const Json& parameters);
  Json did_open(const Json& parameters);
  Json did_change(const Json& parameters);
  Json did_save(const Json& parameters);
  Json did_close(const Json& parameters);
  Json did_change_files(const Json& parameters);
  // ---- Answers
  Json hover(const Json& parameters);
  Json completion(const Json& parameters);
  Json definition(const Json& parameters);
  Json references(const Json& parameters);
  Json highlights(const Json& parameters);
  Json prepare_rename(const Json& parameters);
  Json rename(const Json& parameters);
  Json symbols(const Json& parameters);
  Json workspace_symbols(const Json& parameters);
  Json folding(const Json& parameters);
  Json links(const Json& parameters);
  Json tokens(const Json& parameters);
  Json lenses(const Json& parameters);
  Json hints(const Json& parameters);
  Json formatting(const Json& parameters);
  Json actions(const Json& parameters);
  Json execute(const Json& parameters);

  // ---- What changes on disk
  struct Stamp {  // of a file; of a missing one: zeros
    std::int64_t time = 0;
    std::uintmax_t size = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  static Stamp stamp_of(const std::string& path);
  void watch(Json watchers);
  void watch_outside(const LiveProject& project);
  // After a project was read: remembers, or watches, its files.
  void note_disk(const LiveProject& project);
  // Takes what has changed since, if the client does not watch.
  void look_at_disk();
  void take_from_disk(const std::vector<std::string>& paths);
  void regroup(const std::string& configuration);
  void clear(const std::vector<std::string>& paths);

  std::string path_of(const Json& parameters) const;
  Query query(const Json& parameters);
  LiveProject& project_of(const std::string& path);
  void check_texts();
  void publish(LiveProject& project, const std::vector<FileId>& files);
  void publish_remarks(const std::string& path, const std::vector<Remark>& remarks);
  void check_later_or_now(const std::string& path);
  void check_beside(LiveProject& project);
  void notify(const char* method, Json parameters);
  std::string_view text_of(const LiveProject& project, FileId file) const;
  Json range_json(std::string_view text, Range range) const;
  Json range_json(const Lines& lines, Range range) const;
  std::vector<TextFile> texts_beside(const LiveProject& project) const;
  // What runs reach in an open file of trees, as it is now. Null: that is not known yet.
  const ReachedElements* reached(const LiveProject& project, const std::string& path, const CompiledTrees& trees) const;
  // Finds out, and has the lenses shown anew.
  void explore(const std::string& path);
  // How the element at a place is reached; empty: it is none that runs reach, or its trees have errors.
  std::string reached_words(const Query& query);
  Json location_in(const TextPlace& place, const std::vector<TextFile>& texts) const;
  Json location_json(const LiveProject& project, FileId file, Range range) const;
  // The lines are those of the file of the finding.
  Json diagnostic_json(const LiveProject& project, const text::Finding& finding, const Lines& lines) const;
  Json edit_json(const LiveProject& project, const std::vector<text::Edit>& edits) const;

  std::string version_;
  Send send_;
  Encoding encoding_ = Encoding::utf16;
  bool takes_snippets_ = false;
  bool takes_pages_ = false;              // of rules, with diagnostics
  bool takes_watchers_ = false;           // of the workspace's folders
  bool takes_relative_patterns_ = false;  // of any folder
  bool takes_refreshes_ = false;          // of lenses
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  std::optional<int> exit_status_;
  std::vector<std::string> folders_;                              // of the workspace, absolute
  std::map<std::string, OpenText> texts_;                         // by path
  std::map<std::string, std::unique_ptr<LiveProject>> projects_;  // by configuration, folder or file
  std::map<std::string, std::string> project_keys_;               // by path of a file
  std::set<std::string> unproved_;                                // paths of open files of properties
  std::set<std::string> unexplored_;                              // paths of open files of trees
  std::map<std::string, ReachedElements> reached_;                // by path
  std::set<std::string> shown_;                                   // paths with diagnostics
  std::map<const LiveProject*, std::uint64_t> loads_;             // that note_disk() knows
  std::map<std::string, Stamp> stamps_;                           // by path, if the client does not watch
  std::set<std::string> watched_;                                 // folders outside of the workspace
  int request_count_ = 0;
};

// Serves until the client says `exit`, or the input ends. `write` gets whole frames. Returns the exit status.
int serve(const std::string& version, std::istream& input, const std::function<void(const std::string&)>& write);

}  // namespace espalier::editor
