// What a recorder writes: the head of a file, and segments. See recorder.h.
#include "recording/recorder.h"

namespace espalier::recording {
namespace {

// As a JSON string.
template <typename PutByte>
void put_json(const char* text, const PutByte& put_byte) {
  put_byte('"');
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    constexpr char kDigits[] = "0123456789abcdef";
    if (byte == '"' || byte == '\\') put_byte('\\');
    if (byte >= 0x20) {
      put_byte(byte);
    } else {
      for (const char each : {'\\', 'u', '0', '0', kDigits[byte >> 4], kDigits[byte & 15]}) put_byte(each);
    }
  }
  put_byte('"');
}

template <typename PutByte>
void put_names(const Asset& asset, espalier_kind kind, const char* word, const PutByte& put_byte) {
  put_json(word, put_byte);
  put_byte(':');
  put_byte('[');
  const Tree any{&asset, 0};
  for (std::uint32_t i = 0; i < espalier_count(any, kind); ++i) {
    if (i != 0) put_byte(',');
    put_json(espalier_name(any, kind, i), put_byte);
  }
  put_byte(']');
}

// The names that the asset has, for people and for other versions of the trees.
template <typename PutByte>
void put_description(const Asset& asset, const PutByte& put_byte) {
  put_byte('{');
  put_names(asset, ESPALIER_TREES, "trees", put_byte);
  put_byte(',');
  put_names(asset, ESPALIER_BEHAVIORS, "behaviors", put_byte);
  put_byte(',');
  put_names(asset, ESPALIER_CONDITIONS, "conditions", put_byte);
  put_byte('}');
}

// All before the first segment, in pieces: take(bytes, size_bytes).
template <typename Take>
void put_head(const Asset& asset, const espalier_recorder_options& options, std::uint32_t agent_count,
              const Take& take) {
  Head head = {};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.major = kMajor;
  head.minor = kMinor;
  put_description(asset, [&](char) { ++head.json_bytes; });
  take(&head, sizeof head);
  put_description(asset, [&](char byte) { take(&byte, 1); });
  layout::Header header = {};
  std::memcpy(&header, first_byte(asset), sizeof header);
  const std::uint32_t flags = options.flags | (options.redact_count != 0 ? kRedacted : 0);
  const Facts facts = {header.hash, header.size_bytes,     flags,
                       agent_count, behavior_count(asset), host_condition_count(asset)};
  take(&facts, sizeof facts);
  if ((options.flags & ESPALIER_RECORD_ASSET) != 0)
    take(first_byte(asset), static_cast<std::size_t>(header.size_bytes));
}

// A segment's head, for a payload of two pieces: its flag and events, and more events.
Segment segment_of(const unsigned char* payload, std::uint32_t size_bytes, std::uint64_t frame,
                   std::uint64_t clock_us) {
  return {size_bytes, crc32c(payload, size_bytes), frame, clock_us};
}

}  // namespace

void Recorder::write_head() {
  put_head(*asset_, options_, agents_.count(), [this](const void* bytes, std::size_t size_bytes) {
    if (fault_ == nullptr && !options_.write(options_.user, bytes, size_bytes)) fail("the recording cannot be written");
  });
}

// What is in memory becomes a segment.
void Recorder::flush(bool ends_frame) {
  unsigned char* const payload = room_->bytes + sizeof(Segment);
  payload[0] = ends_frame ? kEndsFrame : 0;
  const auto payload_bytes = static_cast<std::uint32_t>(room_->used_bytes - sizeof(Segment));
  const Segment segment = segment_of(payload, payload_bytes, frame_, clock_us_);
  std::memcpy(room_->bytes, &segment, sizeof segment);
  if (fault_ == nullptr && !options_.write(options_.user, room_->bytes, room_->used_bytes))
    fail("the recording cannot be written");
  room_->used_bytes = sizeof(Segment) + 1;
  last_op_ = nullptr;
  flushed_us_ = clock_us_;
}

namespace {

// A file in memory: what does not fit is only counted.
class FileWriter {
 public:
  FileWriter(unsigned char* bytes, std::size_t size_bytes) : bytes_(bytes), size_bytes_(size_bytes) {}

  void put(const void* bytes, std::size_t size_bytes) {
    if (used_bytes_ + size_bytes <= size_bytes_) std::memcpy(bytes_ + used_bytes_, bytes, size_bytes);
    used_bytes_ += size_bytes;
  }
  // All events of a room up to the end of its last frame.
  void put_room(const Room& room) {
    unsigned char last[2 * kNumberBytes];
    std::size_t last_bytes = put_number(last, room.whole & 0xFFFFFFFF);
    last[last_bytes++] = static_cast<unsigned char>(Op::none);
    const std::size_t all_bytes = room.whole_bytes() + last_bytes;
    for (std::size_t begin = 0; begin < all_bytes;) {
      const std::size_t end = begin + (kMostPayloadBytes - 1) < all_bytes ? begin + (kMostPayloadBytes - 1) : all_bytes;
      const std::size_t head_at = used_bytes_;
      Segment segment = {static_cast<std::uint32_t>(1 + end - begin), 0, room.frame, room.clock_us};
      put(&segment, sizeof segment);
      const auto flag = static_cast<unsigned char>(end == all_bytes ? kEndsFrame : 0);
      put(&flag, 1);
      for (; begin < end && begin < room.whole_bytes(); begin = end < room.whole_bytes() ? end : room.whole_bytes())
        put(room.bytes + begin, (end < room.whole_bytes() ? end : room.whole_bytes()) - begin);
      if (begin < end) put(last + (begin - room.whole_bytes()), end - begin);
      begin = end;
      if (used_bytes_ > size_bytes_) continue;
      segment.crc = crc32c(bytes_ + head_at + sizeof segment, segment.payload_bytes);
      std::memcpy(bytes_ + head_at, &segment, sizeof segment);
    }
  }
  std::size_t used_bytes() const { return used_bytes_; }

 private:
  unsigned char* const bytes_;
  const std::size_t size_bytes_;
  std::size_t used_bytes_ = 0;
};

}  // namespace

// The segments of the ring from the oldest on; those before one that lacks something say nothing of what follows it.
std::size_t Recorder::save(unsigned char* bytes, std::size_t size_bytes) const {
  if (options_.ring_segments == 0) return 0;
  const auto present = static_cast<std::uint32_t>(room_ - rooms_);
  std::uint32_t count = 1;
  for (; count < room_count_; ++count) {
    const Room& before = rooms_[(present + room_count_ - count) % room_count_];
    if (before.whole == 0 || before.is_broken) break;
  }
  FileWriter file(bytes, size_bytes);
  put_head(*asset_, options_, agents_.count(),
           [&](const void* piece, std::size_t piece_bytes) { file.put(piece, piece_bytes); });
  for (std::uint32_t i = count; i-- > 0;) {
    const Room& room = rooms_[(present + room_count_ - i) % room_count_];
    if (room.whole != 0) file.put_room(room);
  }
  return file.used_bytes();
}

}  // namespace espalier::recording
