// MCAP files, front to back, which needs no index and reads what a cut file has: records of an opcode, a size and
// content; chunks hold such records, perhaps packed. See https://mcap.dev/spec.
#include <map>

#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "rules/logs.h"
#include "text/names.h"

namespace espalier::live {
namespace {

constexpr std::size_t kMagicBytes = 8;

class Mcap {
 public:
  Mcap(const std::string& topic, LogFile& file) : messages_(topic), file_(file) {}

  // `offset` of the records in the file, for places.
  void read(std::string_view records, std::size_t offset, bool is_chunk) {
    Bytes from(records);
    while (from.left() > 0) {
      const std::size_t at = offset + from.at();
      if (!is_chunk && from.left() == kMagicBytes && is_ended_) return;
      const auto op = static_cast<Op>(from.u8());
      const std::uint64_t size = from.u64();
      const std::string_view content = from.take(size);
      if (from.is_short()) {
        file_.faults.push_back({rules::LOG_cut, "the file ends within a record", {}, "byte " + std::to_string(at)});
        return;
      }
      read_record(op, content, at, is_chunk);
    }
    if (!is_chunk && !is_ended_) {
      file_.faults.push_back(
          {rules::LOG_cut, "the file ends too early", {}, "byte " + std::to_string(offset + records.size())});
    }
  }

  void end() { messages_.end(file_); }

 private:
  enum class Op : std::uint8_t { footer = 2, schema = 3, channel = 4, message = 5, chunk = 6 };

  void read_record(Op op, std::string_view content, std::size_t at, bool is_chunk) {
    Bytes from(content);
    switch (op) {
      case Op::footer:
        is_ended_ = true;
        break;
      case Op::schema: {
        const std::uint16_t id = from.u16();
        types_[id] = from.text();
        break;
      }
      case Op::channel: {
        const std::uint16_t id = from.u16();
        const std::uint16_t schema = from.u16();
        const std::string topic(from.text());
        const std::string_view encoding = from.text();
        wanted_[id] = encoding == "cdr" && messages_.is_wanted(topic, types_[schema]);
        break;
      }
      case Op::message: {
        const std::uint16_t channel = from.u16();
        from.u32();  // sequence
        const std::uint64_t log_time_ns = from.u64();
        from.u64();  // of publication
        if (!from.is_short() && wanted_[channel])
          messages_.add(log_time_ns, from.take(from.left()), "byte " + std::to_string(at), file_);
        break;
      }
      case Op::chunk:
        if (!is_chunk) read_chunk(from, at);
        break;
      default:
        break;
    }
  }

  void read_chunk(Bytes& from, std::size_t at) {
    from.u64();  // first time
    from.u64();  // last
    from.u64();  // size when it is unpacked
    from.u32();  // checksum
    const std::string_view compression = from.text();
    const std::string_view records = from.take(from.u64());
    if (compression.empty()) return read(records, at, true);
    std::string unpacked;
    std::string error = "its compression is not known: " + text::quote(compression);
    const bool is_unpacked = compression == "zstd"  ? unpack_zstd(records, &unpacked, &error)
                             : compression == "lz4" ? unpack_lz4(records, &unpacked, &error)
                                                    : false;
    if (is_unpacked) {
      unpacked_bytes_ += unpacked.size();
      if (unpacked_bytes_ <= kMaxLogBytes) return read(unpacked, at, true);
      error = "the file unpacks to more than 1 GiB";
    }
    file_.faults.push_back(
        {rules::LOG_not_a_log, "a part of the file cannot be unpacked: " + error, {}, "byte " + std::to_string(at)});
  }

  BagMessages messages_;
  LogFile& file_;
  std::map<std::uint16_t, std::string> types_;
  std::map<std::uint16_t, bool> wanted_;  // by channel
  std::size_t unpacked_bytes_ = 0;
  bool is_ended_ = false;
};

}  // namespace

void read_mcap(std::string_view bytes, const std::string& topic, LogFile& file) {
  Mcap mcap(topic, file);
  mcap.read(bytes.substr(kMagicBytes), kMagicBytes, false);
  mcap.end();
}

}  // namespace espalier::live
