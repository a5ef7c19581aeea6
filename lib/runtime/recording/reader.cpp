// The parts of a recording. See reader.h.
#include "recording/reader.h"

namespace espalier::recording {
namespace {

espalier_status refuse(espalier_fault* fault, espalier_status status, const char* reason, std::size_t offset_bytes) {
  if (fault != nullptr) {
    fault->status = status;
    fault->reason = reason;
    fault->offset_bytes = offset_bytes;
  }
  return status;
}

void skip_value(Reader& reader) {
  const unsigned first = reader.byte();
  const unsigned kind = first & 15;
  if (kind == ESPALIER_VALUE_WHOLE || kind == ESPALIER_VALUE_UNSIGNED) reader.number();
  if (kind == ESPALIER_VALUE_REAL) reader.skip(bytes_with(first >> kZerosShift));
  if (kind == ESPALIER_VALUE_TEXT) reader.skip(reader.number());
}

// What follows the first byte of an event. False: there is no such event.
bool skip_more(Reader& reader, MoreOp op, const Facts& facts, Needs* needs) {
  const auto take = [&](std::uint32_t* count, std::uint32_t* size_bytes) {
    const std::uint64_t number = reader.number();
    const std::uint64_t bytes = reader.number();
    if (number > 2 * std::uint64_t{facts.agent_count} || bytes > UINT32_MAX / 2) return false;
    if (number > *count) *count = static_cast<std::uint32_t>(number);
    if (number != 0 && bytes > *size_bytes) *size_bytes = static_cast<std::uint32_t>(bytes);
    return true;
  };
  switch (op) {
    case MoreOp::reset:
      reader.number();
      reader.number();
      return true;
    case MoreOp::functions:
      for (std::uint64_t i = std::uint64_t{1} + facts.behavior_count + facts.condition_count;
           i > 0 && !reader.is_done(); --i)
        reader.number();
      return true;
    case MoreOp::agent:
      reader.number();
      if (reader.number() == 0) return true;
      return take(&needs->shared_count, &needs->shared_bytes) && take(&needs->group_count, &needs->group_bytes);
    case MoreOp::patch:
      reader.byte();
      reader.number();
      reader.number();
      reader.skip(reader.number());
      return true;
    case MoreOp::memory:
    case MoreOp::block:
      reader.skip(reader.number());
      return true;
    case MoreOp::hash:
      reader.skip(8);
      return true;
    case MoreOp::name:
      reader.number();
      reader.skip(reader.number());
      return true;
  }
  return false;
}

// `follows`: does it follow the one before at once? Gets whether the next one does.
bool skip_event(Reader& reader, const Facts& facts, bool& follows, Needs* needs) {
  if (!follows) reader.number();
  const unsigned first = reader.byte();
  const unsigned number = first >> kNumberShift & kMostNumber;
  follows = (first & kIsFollowed) != 0;
  switch (static_cast<Op>(first & 15)) {
    case Op::none:
    case Op::answer:
      return true;
    case Op::decision:
      reader.skip(bytes_with(number));
      return true;
    case Op::frame:
    case Op::clock:
    case Op::stop:
      reader.number();
      return true;
    case Op::signal:
      if (number != 0) return true;
      reader.number();
      reader.number();
      return true;
    case Op::update:
    case Op::set:
    case Op::flags:
    case Op::jump:
      reader.number();
      reader.number();
      return true;
    case Op::write:
      if ((number & kNextPort) == 0) reader.number();
      if (static_cast<ValueForm>(number & kFormBits) == ValueForm::difference) reader.number();
      if (static_cast<ValueForm>(number & kFormBits) == ValueForm::whole) skip_value(reader);
      return true;
    case Op::entry:
      reader.number();
      reader.number();
      skip_value(reader);
      return true;
    case Op::stimulus: {
      reader.number();
      reader.number();
      if (number == static_cast<unsigned>(StimulusOp::clear)) return true;
      reader.number();
      if (number == static_cast<unsigned>(StimulusOp::set_for)) reader.number();
      const std::uint64_t size_bytes = reader.number();
      if (size_bytes > 17) return false;
      if (size_bytes != 0) reader.skip(size_bytes - 1);
      return number <= static_cast<unsigned>(StimulusOp::clear);
    }
    case Op::inject:
      reader.number();
      reader.number();
      reader.number();
      return true;
    case Op::more:
      return skip_more(reader, static_cast<MoreOp>(number), facts, needs);
  }
  return false;
}

}  // namespace

espalier_status open_file(const void* all_bytes, std::size_t size_bytes, File* file, espalier_fault* fault) {
  const auto* const bytes = static_cast<const unsigned char*>(all_bytes);
  Head head = {};
  if (size_bytes < sizeof head) return refuse(fault, ESPALIER_NOT_AN_ASSET, "it is too short for a recording", 0);
  std::memcpy(&head, bytes, sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0)
    return refuse(fault, ESPALIER_NOT_AN_ASSET, "it does not begin with ESPR", 0);
  if (head.major != kMajor || head.minor > kMinor)
    return refuse(fault, ESPALIER_UNSUPPORTED_VERSION, "it is a recording of another version", offsetof(Head, major));
  std::size_t at = sizeof head;
  if (head.json_bytes > size_bytes - at || size_bytes - at - head.json_bytes < sizeof file->facts)
    return refuse(fault, ESPALIER_WRONG_SIZE, "it ends in its head", at);
  at += head.json_bytes;
  std::memcpy(&file->facts, bytes + at, sizeof file->facts);
  at += sizeof file->facts;
  if ((file->facts.flags & ESPALIER_RECORD_ASSET) != 0) {
    if (file->facts.asset_bytes > size_bytes - at)
      return refuse(fault, ESPALIER_WRONG_SIZE, "it ends in its asset", at);
    file->asset = bytes + at;
    at += static_cast<std::size_t>(file->facts.asset_bytes);
  }
  file->first_segment = file->end = at;
  while (size_bytes - at > sizeof(Segment)) {
    Segment segment;
    std::memcpy(&segment, bytes + at, sizeof segment);
    const unsigned char* const payload = bytes + at + sizeof segment;
    const bool is_size = segment.payload_bytes != 0 && segment.payload_bytes <= kMostPayloadBytes &&
                         segment.payload_bytes <= size_bytes - at - sizeof segment;
    if (!is_size || crc32c(payload, segment.payload_bytes) != segment.crc) break;
    at += sizeof segment + segment.payload_bytes;
    file->has_compressed = file->has_compressed || (payload[0] & kIsCompressed) != 0;
    if ((payload[0] & kEndsFrame) == 0) continue;
    file->end = at;
    file->frame_count = segment.frame;
  }
  return ESPALIER_OK;
}

bool find_needs(const unsigned char* bytes, const File& file, Needs* needs, std::size_t* at) {
  if (file.has_compressed) return false;
  Reader reader(bytes, file.first_segment, file.end);
  bool follows = false;
  while (!reader.is_at_end()) {
    *at = static_cast<std::size_t>(reader.position() >> 17);
    if (!skip_event(reader, file.facts, follows, needs) || reader.is_done()) return false;
  }
  return true;
}

}  // namespace espalier::recording

using namespace espalier::recording;

const void* espalier_recorded_asset(const void* bytes, size_t size_bytes, size_t* asset_bytes) {
  File file;
  if (open_file(bytes, size_bytes, &file, nullptr) != ESPALIER_OK || file.asset == nullptr) return nullptr;
  *asset_bytes = static_cast<size_t>(file.facts.asset_bytes);
  return file.asset;
}
