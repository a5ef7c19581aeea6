// Records what a tree of BehaviorTree.CPP 4 does, for `espalier import`: next to the changes of statuses, which its
// loggers have too, each tick of each node, where updates end, and the entries of the blackboards with their values.
//
//   BT::Tree tree = factory.createTree("Patrol");
//   espalier::TreeRecorder recorder(tree, "run.btrec");
//   tree.tickWhileRunning();
//   tree.haltTree();  // before the recorder is destroyed: no thread of a node changes its status then
//
// The file's format: lib/live/README.md. C++17; needs BehaviorTree.CPP 4.6.2 or newer, and nothing else.
#pragma once
#include <behaviortree_cpp/bt_factory.h>
#include <behaviortree_cpp/json_export.h>
#include <behaviortree_cpp/xml_parsing.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace espalier {

struct RecorderOptions {
  // What has been recorded is in the file after this time at the latest.
  std::chrono::milliseconds flush_period{100};
  // Longer texts, and values that are longer as JSON, are recorded as values that are not known.
  std::size_t max_value_bytes = 4096;
  // If the disk is too slow or hangs: the recording ends when so much waits to be written. The tree never waits.
  std::size_t max_waiting_bytes = std::size_t{16} << 20;
};

// One recorder records one tree to one file. Uses the tick monitor callback of each node, of which a node has one; the
// pre- and post-tick functions stay free for others. The tree may be destroyed before or after the recorder, but must
// not be ticked while the recorder is made or destroyed. Halt it (`tree.haltTree()`) before the recorder is destroyed;
// what threads of nodes still do then is not recorded.
class TreeRecorder {
 public:
  // Overwrites the file. Throws BT::RuntimeError if it cannot be written.
  TreeRecorder(const BT::Tree& tree, const std::string& path, const RecorderOptions& options = {});
  ~TreeRecorder();
  TreeRecorder(const TreeRecorder&) = delete;
  TreeRecorder& operator=(const TreeRecorder&) = delete;

  // Has the recording ended early, as the disk is full or too slow?
  bool has_failed() const {
    const std::scoped_lock lock(mutex_);
    return has_failed_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using EntryPointer = std::shared_ptr<BT::Blackboard::Entry>;
  static constexpr std::uint64_t kNeverRead = ~std::uint64_t{0};

  // An entry of a blackboard. Its number in the file is that in watched_.
  struct Watched {
    BT::Blackboard::Ptr board;
    std::string key;
    EntryPointer entry;
    std::uint64_t sequence_id = kNeverRead;
    std::string last = "n";                  // its value, as in the file
    Clock::time_point next_conversion = {};  // to JSON, after one that was too long
  };
  struct Board {
    std::string path;
    BT::Blackboard::Ptr blackboard;
    std::vector<std::string> keys = {};  // when it was last looked at
  };
  struct Node {
    TreeRecorder* recorder = nullptr;
    std::weak_ptr<BT::TreeNode> node = {};
    std::uint16_t uid = 0;
    bool is_root = false;
    std::vector<std::size_t> outputs = {};  // entries, by number
  };

  void begin(const BT::Tree& tree);
  static std::string xml_of(const BT::Tree& tree);
  static bool is_autoremapped(const BT::Tree& tree, const BT::TreeNode& subtree);
  void watch(const BT::TreeNode::Ptr& node, bool is_root);
  void stop_watching();
  void find_new_entries();

  void on_tick(const Node& node, BT::NodeStatus status, std::chrono::microseconds duration);
  void on_change(std::uint16_t uid, BT::NodeStatus status);
  void end_update(BT::NodeStatus status);
  void write_changed(std::size_t number, Clock::time_point tick_begin);
  std::string value_of(Watched& watched) const;
  std::string json_of(Watched& watched) const;

  void run_writer();
  bool write_out(const std::string& bytes);

  static void add_number(std::string& bytes, std::uint64_t number);
  static void add_text(std::string& bytes, const std::string& text);
  template <typename Number>
  static void add_bytes(std::string& bytes, Number number);
  void add_time(std::string& bytes);

  const RecorderOptions options_;
  std::FILE* const file_;

  mutable std::mutex mutex_;  // of all below
  Clock::time_point last_time_ = Clock::now();
  std::string waiting_;       // for the writer
  std::string update_;        // what is recorded of the update that runs
  std::string last_update_;   // all of the one before
  bool is_begun_ = false;     // the writer has taken some of the update that runs
  bool has_changes_ = false;  // of statuses, in the update that runs
  bool has_failed_ = false;
  bool is_ending_ = false;
  std::vector<Board> boards_;
  std::vector<Watched> watched_;
  std::map<const BT::Blackboard::Entry*, std::size_t> numbers_;

  std::vector<std::unique_ptr<Node>> nodes_;  // callbacks point to them
  std::vector<BT::TreeNode::StatusChangeSubscriber> subscribers_;
  std::condition_variable wakes_writer_;
  std::thread writer_;
};

// ---- Beginning and end

inline TreeRecorder::TreeRecorder(const BT::Tree& tree, const std::string& path, const RecorderOptions& options)
    : options_(options), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) throw BT::RuntimeError("TreeRecorder: cannot write ", path);
  std::setvbuf(file_, nullptr, _IONBF, 0);  // what cannot be written is not left in a buffer
  try {
    begin(tree);
    writer_ = std::thread([this] { run_writer(); });
  } catch (...) {
    stop_watching();
    std::fclose(file_);
    throw;
  }
}

inline TreeRecorder::~TreeRecorder() {
  stop_watching();
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  wakes_writer_.notify_one();
  writer_.join();
  std::fclose(file_);
}

inline void TreeRecorder::begin(const BT::Tree& tree) {
  waiting_ = "espalier-btrec";
  waiting_ += '\1';
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  add_bytes(waiting_, static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
  const BT::TreeNode* const root = tree.rootNode();
  add_bytes(waiting_, root->UID());
  const std::string xml = xml_of(tree);
  add_bytes(waiting_, static_cast<std::uint32_t>(xml.size()));
  waiting_ += xml;
  for (const BT::Tree::Subtree::Ptr& subtree : tree.subtrees) {
    const bool is_main = boards_.empty();
    boards_.push_back({is_main ? std::string() : subtree->instance_name, subtree->blackboard});
  }
  // The program may have given the main tree's blackboard a parent.
  for (BT::Blackboard::Ptr board = boards_.front().blackboard->parent(); board; board = board->parent())
    boards_.push_back({"@", board});
  find_new_entries();
  for (std::size_t i = 0; i < watched_.size(); ++i) write_changed(i, Clock::time_point::max());
  for (const BT::Tree::Subtree::Ptr& subtree : tree.subtrees) {
    for (const BT::TreeNode::Ptr& node : subtree->nodes) {
      // The library calls no monitor for each tick of these: their changes tell their answers.
      const bool has_own_ticks = dynamic_cast<const BT::ThreadedAction*>(node.get()) != nullptr ||
                                 dynamic_cast<const BT::CoroActionNode*>(node.get()) != nullptr;
      if (has_own_ticks) {
        update_ += 'k';
        add_number(update_, node->UID());
      }
      if (node->status() == BT::NodeStatus::IDLE) continue;
      update_ += 'i';
      add_number(update_, node->UID());
      update_ += static_cast<char>(node->status());
    }
  }
  for (const BT::Tree::Subtree::Ptr& subtree : tree.subtrees) {
    for (const BT::TreeNode::Ptr& node : subtree->nodes) watch(node, node.get() == root);
  }
}

// The library does not write '_autoremap', which says where the entries of a subtree are.
inline std::string TreeRecorder::xml_of(const BT::Tree& tree) {
  std::string xml = BT::WriteTreeToXML(tree, true, false);
  for (const BT::Tree::Subtree::Ptr& subtree : tree.subtrees) {
    for (const BT::TreeNode::Ptr& node : subtree->nodes) {
      if (node->type() != BT::NodeType::SUBTREE || !is_autoremapped(tree, *node)) continue;
      const std::string attribute = " _autoremap=\"true\"";
      const std::size_t place = xml.find(" _uid=\"" + std::to_string(node->UID()) + '"');
      if (place == std::string::npos || xml.rfind(attribute, place) == place - attribute.size()) continue;
      xml.insert(place, attribute);
    }
  }
  return xml;
}

// Does the tree below find an entry of the tree above that no attribute connects?
inline bool TreeRecorder::is_autoremapped(const BT::Tree& tree, const BT::TreeNode& subtree) {
  const BT::NodeConfig& config = subtree.config();
  for (const BT::Tree::Subtree::Ptr& below : tree.subtrees) {
    if (below->instance_name != config.path || below == tree.subtrees.front()) continue;
    const std::vector<BT::StringView> keys = config.blackboard->getKeys();
    return std::any_of(keys.begin(), keys.end(), [&](const BT::StringView& key) {
      const std::string name(key);
      const bool is_connected = name.empty() || name.front() == '_' || config.input_ports.count(name) != 0;
      const EntryPointer entry = config.blackboard->getEntry(name);
      return !is_connected && entry && below->blackboard->getEntry(name) == entry;
    });
  }
  return false;
}

inline void TreeRecorder::watch(const BT::TreeNode::Ptr& node, bool is_root) {
  Node& own = *nodes_.emplace_back(std::make_unique<Node>());
  own.recorder = this;
  own.node = node;
  own.uid = node->UID();
  own.is_root = is_root;
  const bool is_leaf = node->type() == BT::NodeType::ACTION || node->type() == BT::NodeType::CONDITION;
  if (is_leaf) {
    const BT::NodeConfig& config = std::as_const(*node).config();
    for (const auto& [port, value] : config.output_ports) {
      const auto key = BT::TreeNode::getRemappedKey(port, value);
      if (!key) continue;
      const auto known = numbers_.find(config.blackboard->getEntry(std::string(*key)).get());
      if (known != numbers_.end()) own.outputs.push_back(known->second);
    }
  }
  // Each tick copies the callback: what it holds is a pointer, for which nothing is allocated.
  node->setTickMonitorCallback([own = &own](BT::TreeNode&, BT::NodeStatus status, std::chrono::microseconds duration) {
    own->recorder->on_tick(*own, status, duration);
  });
  subscribers_.push_back(node->subscribeToStatusChange(
      [own = &own](BT::TimePoint, const BT::TreeNode&, BT::NodeStatus, BT::NodeStatus status) {
        own->recorder->on_change(own->uid, status);
      }));
}

inline void TreeRecorder::stop_watching() {
  for (BT::TreeNode::StatusChangeSubscriber& each : subscribers_) {
    const std::weak_ptr called(each);
    each.reset();
    while (!called.expired()) std::this_thread::yield();  // the thread of a node is in it
  }
  for (const std::unique_ptr<Node>& each : nodes_) {
    if (const BT::TreeNode::Ptr node = each->node.lock()) node->setTickMonitorCallback({});
  }
}

// ---- Entries

inline void TreeRecorder::find_new_entries() {
  for (Board& board : boards_) {
    const std::vector<BT::StringView> keys = board.blackboard->getKeys();
    if (std::equal(keys.begin(), keys.end(), board.keys.begin(), board.keys.end())) continue;
    board.keys.assign(keys.begin(), keys.end());
    for (const BT::StringView& key : keys) {
      if (key.empty() || key.front() == '_') continue;  // the library's own
      const std::string name(key);
      const bool is_known = std::any_of(watched_.begin(), watched_.end(), [&](const Watched& watched) {
        return watched.board == board.blackboard && watched.key == name;
      });
      const EntryPointer entry = board.blackboard->getEntry(name);
      if (is_known || !entry || !numbers_.emplace(entry.get(), watched_.size()).second) continue;
      watched_.push_back({board.blackboard, name, entry});
      update_ += 'n';
      add_text(update_, board.path);
      add_text(update_, name);
    }
  }
}

// Writes the entry if it was written since it was last looked at. `tick_begin`: of the node that is done; writes since
// then are its own.
inline void TreeRecorder::write_changed(std::size_t number, Clock::time_point tick_begin) {
  Watched& watched = watched_[number];
  if (watched.entry && watched.entry.use_count() == 1) {  // the blackboard has it no more
    numbers_.erase(watched.entry.get());
    watched.entry.reset();
  }
  if (!watched.entry) {
    watched.entry = watched.board->getEntry(watched.key);
    watched.sequence_id = kNeverRead;
    if (watched.entry && !numbers_.emplace(watched.entry.get(), number).second) watched.entry.reset();
  }
  std::string value(1, 'n');
  bool is_written = false;
  bool is_of_tick = false;
  if (watched.entry) {
    // Whoever holds the entry may hold it for long: it is looked at again later.
    const std::unique_lock lock(watched.entry->entry_mutex, std::try_to_lock);
    if (!lock || watched.entry->sequence_id == watched.sequence_id) return;
    is_written = watched.sequence_id != kNeverRead;
    watched.sequence_id = watched.entry->sequence_id;
    is_of_tick = watched.entry->stamp >= tick_begin.time_since_epoch();
    value = value_of(watched);
  }
  if (value == watched.last && !is_written) return;
  update_ += is_of_tick ? 'o' : 'w';
  add_number(update_, number);
  if (value == watched.last) {
    update_ += '=';
  } else {
    update_ += value;
    watched.last = std::move(value);
  }
}

inline std::string TreeRecorder::value_of(Watched& watched) const {
  const BT::Any& any = watched.entry->value;
  std::string bytes;
  try {
    if (any.empty()) return "n";
    const std::type_info& type = any.castedType();
    if (any.isString()) {
      const std::string text = any.cast<std::string>();
      if (text.size() <= options_.max_value_bytes) {
        bytes = 's';
        add_text(bytes, text);
        return bytes;
      }
    } else if (any.type() == typeid(bool)) {
      return any.cast<bool>() ? "t" : "f";
    } else if (type == typeid(std::int64_t)) {
      const auto number = any.cast<std::int64_t>();
      bytes = number < 0 ? '-' : '+';
      add_number(bytes, number < 0 ? ~static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
      return bytes;
    } else if (type == typeid(std::uint64_t)) {
      bytes = '+';
      add_number(bytes, any.cast<std::uint64_t>());
      return bytes;
    } else if (type == typeid(double)) {
      bytes = 'd';
      const auto number = any.cast<double>();
      std::uint64_t bits = 0;
      static_assert(sizeof bits == sizeof number);
      std::memcpy(&bits, &number, sizeof bits);
      add_bytes(bytes, bits);
      return bytes;
    } else if (Clock::now() >= watched.next_conversion) {
      bytes = json_of(watched);
      if (!bytes.empty()) return bytes;
    }
    bytes = '?';
    add_text(bytes, BT::demangle(any.type()));
  } catch (const std::exception&) {  // of a converter
    bytes = '?';
    add_text(bytes, {});
  }
  return bytes;
}

// Empty: there is no converter, or it is too long.
inline std::string TreeRecorder::json_of(Watched& watched) const {
  nlohmann::json json;
  std::string bytes;
  const Clock::time_point begin = Clock::now();
  if (!BT::JsonExporter::get().toJson(watched.entry->value, json)) return bytes;
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > options_.max_value_bytes) {
    // A hundredth of the time at most goes into conversions that give nothing.
    const Clock::time_point end = Clock::now();
    watched.next_conversion = end + 100 * (end - begin);
    return bytes;
  }
  bytes = 'j';
  add_text(bytes, text);
  return bytes;
}

// ---- Ticks and changes

inline void TreeRecorder::on_tick(const Node& node, BT::NodeStatus status, std::chrono::microseconds duration) {
  Clock::time_point begin = {};
  if (!node.outputs.empty()) begin = Clock::now() - duration - std::chrono::microseconds(1);  // it was rounded down
  const std::scoped_lock lock(mutex_);
  if (has_failed_) return;
  for (const std::size_t number : node.outputs) write_changed(number, begin);
  if (node.is_root) return end_update(status);
  update_ += 't';
  add_number(update_, node.uid);
  update_ += static_cast<char>(status);
}

inline void TreeRecorder::on_change(std::uint16_t uid, BT::NodeStatus status) {
  const std::scoped_lock lock(mutex_);
  if (has_failed_) return;
  has_changes_ = true;
  update_ += 's';
  add_number(update_, uid);
  update_ += static_cast<char>(status);
  add_time(update_);
}

inline void TreeRecorder::end_update(BT::NodeStatus status) {
  find_new_entries();
  for (std::size_t i = 0; i < watched_.size(); ++i) write_changed(i, Clock::time_point::max());
  update_ += 'u';
  update_ += static_cast<char>(status);
  if (!is_begun_ && !has_changes_ && update_ == last_update_) {
    waiting_ += 'r';
  } else {
    waiting_ += update_;
    last_update_.swap(update_);
    if (is_begun_) last_update_.clear();
  }
  is_begun_ = has_changes_ = false;
  update_.clear();
  add_time(waiting_);
  if (waiting_.size() > options_.max_waiting_bytes) {
    waiting_ += 'x';
    has_failed_ = true;
  }
}

// ---- The writer's thread

inline void TreeRecorder::run_writer() {
  std::string bytes;
  bool is_last = false;
  while (!is_last) {
    {
      std::unique_lock lock(mutex_);
      wakes_writer_.wait_for(lock, options_.flush_period, [this] { return is_ending_; });
      is_last = is_ending_;
      bytes.swap(waiting_);
      if (!update_.empty()) {  // a program that crashes in it leaves what it did
        bytes += update_;
        update_.clear();
        is_begun_ = true;
      }
    }
    if (!write_out(bytes)) {
      const std::scoped_lock lock(mutex_);
      has_failed_ = true;
      waiting_ = 'x';  // all that is written yet, as soon as it can be
      update_.clear();
      if (is_last) write_out(waiting_);
    }
    bytes.clear();
  }
}

// False: it cannot be written; what comes next replaces the part of it that is in the file.
inline bool TreeRecorder::write_out(const std::string& bytes) {
  std::fpos_t end;
  const bool is_known = std::fgetpos(file_, &end) == 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return true;
  std::clearerr(file_);
  if (is_known) std::fsetpos(file_, &end);
  return false;
}

// ---- Bytes

// Seven bits a byte, the lowest ones first; all but the last have the eighth bit.
inline void TreeRecorder::add_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

inline void TreeRecorder::add_text(std::string& bytes, const std::string& text) {
  add_number(bytes, text.size());
  bytes += text;
}

// The lowest byte first.
template <typename Number>
void TreeRecorder::add_bytes(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
}

// Microseconds since the last time that was written.
inline void TreeRecorder::add_time(std::string& bytes) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - last_time_);
  add_number(bytes, static_cast<std::uint64_t>(since.count()));
  last_time_ += since;
}

}  // namespace espalier
