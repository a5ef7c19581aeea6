// See entries.h.
#include "serving/entries.h"

#include "poll/blackboard.h"
#include "serving/text.h"

namespace espalier::serving {
namespace {

constexpr std::string_view kRoot = "ROOT";

// ---- MessagePack, in its shortest forms

void put_head(std::uint64_t size, unsigned fixed, std::uint64_t most_fixed, unsigned first_code, Output& output) {
  if (size <= most_fixed) return output.put_byte(fixed | static_cast<unsigned>(size));
  const bool is_short = size <= 0xFFFF;
  output.put_byte(is_short ? first_code : first_code + 1);
  output.put_big_endian(size, is_short ? 2 : 4);
}

void put_map(std::uint64_t count, Output& output) { put_head(count, 0x80, 15, 0xDE, output); }

void put_text(std::string_view text, Output& output) {
  if (text.size() > 31 && text.size() <= 0xFF) {
    output.put_byte(0xD9);
    output.put_byte(static_cast<unsigned>(text.size()));
  } else {
    put_head(text.size(), 0xA0, 31, 0xDA, output);
  }
  output.put(text);
}

void put_nothing(Output& output) { output.put_byte(0xC0); }

void put_natural(std::uint64_t number, Output& output) {
  if (number < 0x80) return output.put_byte(static_cast<unsigned>(number));
  const unsigned power = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFFFFFF ? 2 : 3;
  output.put_byte(0xCC + power);
  output.put_big_endian(number, 1u << power);
}

void put_whole(std::int64_t number, Output& output) {
  if (number >= 0) return put_natural(static_cast<std::uint64_t>(number), output);
  if (number >= -32) return output.put_byte(static_cast<unsigned>(number) & 0xFF);
  const unsigned power = number >= INT8_MIN ? 0 : number >= INT16_MIN ? 1 : number >= INT32_MIN ? 2 : 3;
  output.put_byte(0xD0 + power);
  output.put_big_endian(static_cast<std::uint64_t>(number), 1u << power);
}

// With 4 bytes where these hold the same number.
void put_real(double number, Output& output) {
  constexpr double kMostFloat = 3.4028234663852886e38;
  const bool fits = number >= -kMostFloat && number <= kMostFloat;
  const float narrow = fits ? static_cast<float>(number) : 0.0F;
  if (fits && static_cast<double>(narrow) == number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    output.put_byte(0xCA);
    return output.put_big_endian(bits, sizeof bits);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  output.put_byte(0xCB);
  output.put_big_endian(bits, sizeof bits);
}

void put_value(const PollValue& value, Output& output) {
  switch (value.kind) {
    case ValueKind::whole:
      return put_whole(value.whole, output);
    case ValueKind::natural:
      return put_natural(static_cast<std::uint64_t>(value.whole), output);
    case ValueKind::real:
      return put_real(value.real, output);
    case ValueKind::text:
      return put_text(value.text(), output);
    case ValueKind::none:
      return put_nothing(output);
  }
}

// ---- What there is: entries are numbered over all boards

class PolledEntries {
 public:
  PolledEntries(const Tree& tree, const void* block)
      : view_(tree), agent_(view_, const_cast<void*>(block)), board_(view_, agent_) {}

  std::string_view board_name(std::uint32_t board) const {
    return board == 0 ? espalier_tree_name(view_.tree) : view_.name(view_.board(board).path);
  }
  std::uint32_t count() const { return view_.fixed_entry_count() + view_.record.named_count; }
  bool is_of(std::uint32_t entry, std::uint32_t board) const {
    return board_.is_there(entry) && board_.board_of(entry) == board;
  }
  std::string_view name(std::uint32_t entry) const { return board_.name(entry); }
  void put(std::uint32_t entry, Output& output) const { put_value(board_.value(entry), output); }

 private:
  const PollTreeView view_;
  const PollAgent agent_;
  const Blackboard board_;
};

class Variables {
 public:
  Variables(const Tree& tree, const void* block) : tree_(tree), block_(block) {}

  std::string_view board_name(std::uint32_t) const { return espalier_tree_name(tree_); }
  std::uint32_t count() const { return espalier_count(tree_, ESPALIER_VARIABLES); }
  bool is_of(std::uint32_t, std::uint32_t) const { return true; }
  std::string_view name(std::uint32_t variable) const { return espalier_name(tree_, ESPALIER_VARIABLES, variable); }
  void put(std::uint32_t variable, Output& output) const {
    output.put_byte(espalier_variable(tree_, block_, variable) ? 0xC3 : 0xC2);
  }

 private:
  const Tree tree_;
  const void* block_;
};

// The number that follows `last` by name, of those below `count` that are wanted; `count`: before the first one, and
// behind the last one. No two have the same name.
template <typename IsWanted, typename NameOf>
std::uint32_t next_by_name(std::uint32_t count, std::uint32_t last, const IsWanted& is_wanted, const NameOf& name_of) {
  std::uint32_t next = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool follows = last == count || name_of(i) > name_of(last);
    if (is_wanted(i) && follows && (next == count || name_of(i) < name_of(next))) next = i;
  }
  return next;
}

template <typename Entries>
void put_board(const Entries& entries, std::uint32_t board, Output& output) {
  std::uint32_t size = 0;
  for (std::uint32_t i = 0; i < entries.count(); ++i) size += entries.is_of(i, board) ? 1 : 0;
  if (size == 0) return put_nothing(output);
  put_map(size, output);
  std::uint32_t entry = entries.count();
  for (; size > 0; --size) {
    entry = next_by_name(
        entries.count(), entry, [&](std::uint32_t i) { return entries.is_of(i, board); },
        [&](std::uint32_t i) { return entries.name(i); });
    put_text(entries.name(entry), output);
    entries.put(entry, output);
  }
}

bool is_in(std::string_view name, std::string_view names) {
  for (;;) {
    const std::size_t end = names.find(';');
    if (part_of(names, 0, end) == name) return true;
    if (end == std::string_view::npos) return false;
    names.remove_prefix(end + 1);
  }
}

// Beside a subtree's board there is always the main tree's, as the root of all.
template <typename Entries>
void put_boards(const Entries& entries, std::uint32_t count, std::string_view names, unsigned char* marks,
                Output& output) {
  std::uint32_t size = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    // Of a subtree with the name of the main tree there is none, as a name stands for one.
    const bool is_other = i == 0 || entries.board_name(i) != entries.board_name(0);
    marks[i] = is_other && is_in(entries.board_name(i), names) ? 1 : 0;
    size += marks[i];
  }
  if (size == 0) return put_nothing(output);
  const bool has_root = size > marks[0];
  put_map(size + (has_root ? 1 : 0), output);
  const auto put = [&](std::string_view name, std::uint32_t board) {
    put_text(name, output);
    put_board(entries, board, output);
  };
  bool is_root_put = !has_root;
  std::uint32_t board = count;
  for (; size > 0; --size) {
    board = next_by_name(
        count, board, [&](std::uint32_t i) { return marks[i] != 0; },
        [&](std::uint32_t i) { return entries.board_name(i); });
    if (!is_root_put && entries.board_name(board) > kRoot) {
      put(kRoot, 0);
      is_root_put = true;
    }
    put(entries.board_name(board), board);
  }
  if (!is_root_put) put(kRoot, 0);
}

}  // namespace

std::uint32_t board_count(const Tree& tree) {
  return engine_id_of(tree) == EngineId::poll ? PollTreeView(tree).record.board_count : 1;
}

void write_entries(const Tree& tree, const void* block, std::string_view names, unsigned char* marks, Output& output) {
  if (engine_id_of(tree) == EngineId::poll)
    return put_boards(PolledEntries(tree, block), board_count(tree), names, marks, output);
  put_boards(Variables(tree, block), 1, names, marks, output);
}

}  // namespace espalier::serving
