// What a program's tree does, told as its changes come: a line a change that matters, or events.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"
#include "live/publisher/client.h"

namespace espalier::live {

struct StoryOptions {
  bool hides_conditions = false;  // all of their answers; otherwise those that repeat the one before
  bool hides_idle = false;        // what is halted
  std::vector<std::string> only;  // nodes by name; empty: all
  std::uint32_t agent = 0;
};

// "  0.142711  north/FollowPath succeeds": words with the time from `first_us` on, in us since 1970.
[[nodiscard]] std::string timed_line(std::int64_t at_us, std::int64_t first_us, const std::string& words);

class LiveStory {
 public:
  // The tree must outlive this.
  LiveStory(const LoggedTree& tree, StoryOptions options);

  // The statuses that nodes have, without a word.
  void set(const std::vector<NodeStatus>& statuses);
  // The next change: what it says in words, empty if it does not matter: "north/FollowPath succeeds".
  std::string words(const Change& change);
  // In place of words(), with the time from `first_us` on, in us since 1970: "0.142711  north/FollowPath succeeds".
  std::string line(const Change& change, std::int64_t first_us);
  // In place of them: events as lines of JSON.
  std::string events(const Change& change, std::int64_t first_us);
  // The leaves that run: "north/FollowPath, Greet".
  std::string running() const;
  std::vector<std::string> running_names() const;
  std::vector<std::uint32_t> running_words() const;  // where they are in the asset's nodes
  bool has(std::uint16_t uid) const { return uid >= 1 && uid <= nodes_.size(); }
  const std::string& name_of(std::uint16_t uid) const { return nodes_[uid - 1u].name; }
  Status status_of(std::uint16_t uid) const { return nodes_[uid - 1u].status; }

 private:
  struct Node {
    std::string name;  // with the path of its subtree
    bool is_leaf = false;
    bool is_condition = false;
    bool is_wanted = true;
    Status status = Status::idle;
    Status answer = Status::idle;  // a condition's last one
  };
  bool matters(const Node& node, std::uint16_t uid, Status before, Status now) const;

  const LoggedTree& tree_;
  const StoryOptions options_;
  std::vector<Node> nodes_;
};

}  // namespace espalier::live
