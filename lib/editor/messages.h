// The frames of the Language Server Protocol: "Content-Length: N", an empty line, and N bytes of JSON.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <istream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

namespace espalier::editor {

using Json = nlohmann::json;

inline constexpr std::size_t kMaxMessageBytes = std::size_t{256} << 20;

// The content of the next message; nothing at the end of the input, or if it is no frame.
[[nodiscard]] std::optional<std::string> read_message(std::istream& input);
[[nodiscard]] std::string framed(const Json& message);

// Messages between the thread that reads and the one that works.
class MessageQueue {
 public:
  void push(Json message);
  void close();  // no more will come
  // Waits for the next one; nothing when there is none left and the queue is closed.
  [[nodiscard]] std::optional<Json> pop();
  [[nodiscard]] bool empty() const;
  // Waits so long for a message; true if none has come, but one still may.
  [[nodiscard]] bool stays_empty(std::chrono::milliseconds time);
  // Has the request been cancelled? It is then forgotten.
  [[nodiscard]] bool take_cancelled(const Json& id);
  void cancel(const Json& id);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Json> messages_;
  std::set<std::string> cancelled_;
  bool is_closed_ = false;
};

}  // namespace espalier::editor
