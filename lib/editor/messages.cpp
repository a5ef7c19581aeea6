// Frames, and the queue of messages. See messages.h.
#include "editor/messages.h"

#include <charconv>
#include <utility>

#include "text/names.h"

namespace espalier::editor {

std::optional<std::string> read_message(std::istream& input) {
  constexpr std::string_view kLength = "content-length:";
  std::size_t size = 0;
  bool has_size = false;
  for (std::string line; std::getline(input, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) {
      if (!has_size) continue;  // blank lines between messages
      std::string content(size, '\0');
      input.read(content.data(), static_cast<std::streamsize>(size));
      if (static_cast<std::size_t>(input.gcount()) != size) return std::nullopt;
      return content;
    }
    if (!text::lower_case(line).starts_with(kLength)) continue;
    const char* begin = line.data() + kLength.size();
    const char* const end = line.data() + line.size();
    while (begin < end && *begin == ' ') ++begin;
    if (std::from_chars(begin, end, size).ec != std::errc() || size > kMaxMessageBytes) return std::nullopt;
    has_size = true;
  }
  return std::nullopt;
}

std::string framed(const Json& message) {
  const std::string content = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
}

void MessageQueue::push(Json message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
  changed_.notify_one();
}

void MessageQueue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_one();
}

std::optional<Json> MessageQueue::pop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !messages_.empty() || is_closed_; });
  if (messages_.empty()) return std::nullopt;
  Json message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

bool MessageQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return messages_.empty();
}

bool MessageQueue::stays_empty(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [&] { return !messages_.empty() || is_closed_; });
}

void MessageQueue::cancel(const Json& id) {
  const std::lock_guard lock(mutex_);
  constexpr std::size_t kMostKept = 1000;  // those that came too late stay
  if (cancelled_.size() >= kMostKept) cancelled_.clear();
  cancelled_.insert(id.dump());
}

bool MessageQueue::take_cancelled(const Json& id) {
  const std::lock_guard lock(mutex_);
  return cancelled_.erase(id.dump()) != 0;
}

}  // namespace espalier::editor
