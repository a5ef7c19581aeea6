// The entries of blackboards. See blackboard.h.
#include "poll/blackboard.h"

namespace espalier {

PollFault Blackboard::key_named(std::uint32_t board, std::string_view name, bool may_name, std::uint32_t* key) const {
  *key = layout::kNone;
  std::uint32_t at = board;
  bool is_own = true;
  if (begins_with_at(name)) {
    name.remove_prefix(1);
    at = 0;
  }
  for (;;) {
    const layout::PollBoard record = tree_.board(at);
    const std::uint32_t first = record.first_key - tree_.board(0).first_key;
    for (std::uint32_t each = first; is_own && each < first + record.key_count; ++each) {
      if (tree_.name(tree_.keys[each].name) != name) continue;
      *key = each;
      return PollFault::none;
    }
    if (named_entry(at, name) != layout::kNone || record.above == layout::kNone || (!name.empty() && name[0] == '_'))
      break;
    at = record.above;
    is_own = false;
  }
  std::uint32_t entry = named_entry(at, name);
  if (entry == layout::kNone && may_name) {
    const PollFault fault = take_name(at, name, &entry);
    if (fault != PollFault::none) return fault;
  }
  if (entry == layout::kNone) return PollFault::none;
  const layout::PollBoard last = tree_.board(tree_.record.board_count - 1);
  const std::uint32_t first = last.first_key + last.key_count - tree_.board(0).first_key;
  *key = first + entry - tree_.fixed_entry_count() + (is_own ? 0 : tree_.record.named_count);
  return PollFault::none;
}

std::uint32_t Blackboard::own_entry(std::uint32_t board, std::string_view name) const {
  for (std::uint32_t i = 0; i < tree_.fixed_entry_count(); ++i) {
    if (board_of(i) == board && this->name(i) == name) return i;
  }
  return named_entry(board, name);
}

std::uint32_t Blackboard::named_entry(std::uint32_t board, std::string_view name) const {
  const std::uint32_t first = tree_.fixed_entry_count();
  for (std::uint32_t i = first; i < first + tree_.record.named_count; ++i) {
    if (is_there(i) && board_of(i) == board && this->name(i) == name) return i;
  }
  return layout::kNone;
}

PollFault Blackboard::name_entry(std::uint32_t board, std::string_view name, std::uint32_t* entry) const {
  *entry = own_entry(board, name);
  return *entry == layout::kNone ? take_name(board, name, entry) : PollFault::none;
}

PollFault Blackboard::take_name(std::uint32_t board, std::string_view name, std::uint32_t* entry) const {
  const std::uint32_t first = tree_.fixed_entry_count();
  for (std::uint32_t i = first; i < first + tree_.record.named_count; ++i) {
    if (is_there(i)) continue;
    const PollFault fault = store(name_place(i), text_value(name), PollType::text, PollType::text, false);
    if (fault != PollFault::none) return fault;
    StoredEntry place = agent_.entry(name_place(i));
    place.is_there = false;
    agent_.set_entry(name_place(i), place);
    agent_.set_board_of_name(name_place(i), board);
    *entry = i;
    return PollFault::none;
  }
  return tree_.record.named_count == 0 ? PollFault::unknown_key : PollFault::too_many_names;
}

std::string_view Blackboard::name(std::uint32_t entry) const {
  if (entry < tree_.fixed_entry_count()) return tree_.name(tree_.entries[entry].name);
  return entry < name_place(tree_.fixed_entry_count()) ? text(name_place(entry)) : std::string_view();
}

bool Blackboard::has_place(std::uint32_t entry) const {
  if (entry < tree_.fixed_entry_count()) return !is_unseen(entry);
  return entry < name_place(tree_.fixed_entry_count()) && agent_.entry(name_place(entry)).kind == ValueKind::text;
}

std::uint32_t Blackboard::board_of(std::uint32_t entry) const {
  if (entry < tree_.fixed_entry_count()) return tree_.entries[entry].board;
  const bool is_named = entry < name_place(tree_.fixed_entry_count());
  const std::uint32_t board = is_named ? agent_.board_of_name(name_place(entry)) : 0;
  return board < tree_.record.board_count ? board : 0;  // not below only in a damaged block
}

std::string_view Blackboard::text(std::uint32_t number) const {
  const auto size = static_cast<std::uint32_t>(agent_.entry(number).bits);
  const std::uint32_t most = tree_.record.text_bytes;
  return {agent_.text(number), size < most ? size : most};
}

PollValue Blackboard::value(std::uint32_t number) const {
  PollValue value = {};
  if (!is_there(number)) return value;
  value.kind = agent_.kind(number);
  value.made_as = agent_.made_as(number);
  value.whole = static_cast<std::int64_t>(agent_.bits(number));
  if (!value.is_text()) return value;
  const std::string_view text = this->text(number);
  value.chars = text.data();
  value.text_bytes = static_cast<std::uint32_t>(text.size());
  return value;
}

PollFault Blackboard::read(const PollPort& port, PollValue* value, char* buffer) const {
  const auto type = static_cast<PollType>(port.type);
  switch (static_cast<layout::PollPortKind>(port.kind)) {
    case layout::PollPortKind::missing:
      return PollFault::bad_port;
    case layout::PollPortKind::whole:
    case layout::PollPortKind::real:
      *value = whole_value(static_cast<std::int64_t>(tree_.number(port.value)), type,
                           port.kind == static_cast<std::uint8_t>(layout::PollPortKind::real) ? ValueKind::real
                           : is_unsigned_whole(type)                                          ? ValueKind::natural
                                                                                              : ValueKind::whole);
      return PollFault::none;
    case layout::PollPortKind::text:
      return from_text(tree_.name(port.value), type, value) ? PollFault::none : PollFault::bad_port;
    case layout::PollPortKind::key:
      break;
  }
  const Found found = find(port.value);
  if (found.entry == layout::kNone) return PollFault::bad_port;
  return as_type(this->value(found.entry), type, value, buffer) ? PollFault::none : PollFault::bad_port;
}

PollFault Blackboard::store(std::uint32_t number, const PollValue& value, PollType made_as, PollType type,
                            bool counts) const {
  StoredEntry entry = agent_.entry(number);
  entry.is_there = true;
  entry.type = type;
  // Of all whole numbers only those of 64 bits without a sign are kept as such.
  entry.kind = value.kind == ValueKind::natural && made_as != PollType::uint64 ? ValueKind::whole : value.kind;
  entry.made_as = made_as;
  entry.bits = static_cast<std::uint64_t>(value.whole);
  if (value.is_text()) {
    const std::string_view text = value.text();
    if (text.size() > tree_.record.text_bytes) return PollFault::text_too_long;
    entry.bits = text.size();
    if (!text.empty()) std::memmove(agent_.text(number), text.data(), text.size());
  }
  if (counts) ++entry.count;
  agent_.set_entry(number, entry);
  return PollFault::none;
}

// "The kind that is there stays".
PollFault Blackboard::put(std::uint32_t number, const PollValue& value) const {
  const ValueKind kind = agent_.kind(number);
  if (kind == ValueKind::none) return store(number, value, value.made_as, type(number), true);
  if (kind == ValueKind::text || value.is_text()) {
    if (kind != ValueKind::text || !value.is_text()) return PollFault::not_convertible;
    return store(number, value, agent_.made_as(number), type(number), true);
  }
  PollValue kept = value;
  if (kind != value.kind) {
    const PollType widest = kind == ValueKind::real      ? PollType::real64
                            : kind == ValueKind::natural ? PollType::uint64
                                                         : PollType::int64;
    if (!fit_number(value, widest, &kept)) return PollFault::not_convertible;
  }
  // One that its tree starts with can be without a sign by its type alone.
  if (kind == ValueKind::natural) return store(number, kept, agent_.made_as(number), type(number), true);
  agent_.write_bits(number, kept.whole);
  return PollFault::none;
}

PollFault Blackboard::make(std::uint32_t key, PollType type, std::uint32_t* made) const {
  std::uint32_t last = key;
  for (std::uint32_t at = key; at != layout::kNone; at = tree_.keys[at].next) {
    last = at;
    const std::uint32_t number = tree_.keys[at].entry;
    if (tree_.keys[at].is_own == kMadeUnseen) return make_unseen(number, type, made);
    if (!is_there(number)) continue;
    const StoredEntry entry = agent_.entry(number);
    *made = number;
    return is_kept(entry.type) && is_kept(type) && entry.type != type ? PollFault::type_mismatch : PollFault::none;
  }
  *made = tree_.keys[last].entry;
  StoredEntry entry = {};
  entry.is_there = true;
  entry.type = type;
  agent_.set_entry(*made, entry);
  return PollFault::none;
}

// Nothing ever finds the entry, so it is not there; that it has been made is the kind of a value that it does not have.
PollFault Blackboard::make_unseen(std::uint32_t number, PollType type, std::uint32_t* made) const {
  StoredEntry entry = agent_.entry(number);
  *made = number;
  if (entry.kind == ValueKind::none) {
    entry.kind = ValueKind::whole;
    entry.type = type;
    agent_.set_entry(number, entry);
  }
  return is_kept(entry.type) && is_kept(type) && entry.type != type ? PollFault::type_mismatch : PollFault::none;
}

// The value of an entry that has just been made.
PollFault Blackboard::store_made(std::uint32_t number, const PollValue& value, PollType made_as) const {
  return is_unseen(number) ? PollFault::none : store(number, value, made_as, type(number), true);
}

PollFault Blackboard::write_entry(std::uint32_t number, const PollValue& value, PollType type) const {
  const PollType own = this->type(number);
  if (!is_kept(own)) return store(number, value, type, is_kept(type) ? type : own, true);
  PollValue fitted = value;
  if (own != type) {
    char buffer[kNumberText];
    const bool is_converted =
        type == PollType::text && value.is_text() ? own != PollType::status && from_text(value.text(), own, &fitted)
        : !is_kept(type)                          ? as_type(value, own, &fitted, buffer)
                         : is_number_type(type) && is_number_type(own) && fits_entry(value, type, own, &fitted);
    if (!is_converted) return PollFault::not_convertible;
    if (fitted.is_text()) return put(number, fitted);  // `buffer` may have it
  }
  return put(number, fitted);
}

std::uint32_t Blackboard::written_entry(std::uint32_t key) const {
  for (std::uint32_t at = key; at != layout::kNone; at = tree_.keys[at].next) {
    if (tree_.keys[at].is_own == kMadeUnseen) return layout::kNone;
    if (is_there(tree_.keys[at].entry)) return tree_.keys[at].entry;
  }
  return layout::kNone;
}

PollFault Blackboard::write(std::uint32_t key, const PollValue& value, PollType type) const {
  const Found found = find(key);
  if (found.entry != layout::kNone && found.is_own) {
    const bool is_same = this->type(found.entry) == type && agent_.kind(found.entry) == value.kind;
    const bool is_plain = value.kind == ValueKind::whole || value.kind == ValueKind::real;
    if (!is_same || !is_plain || !is_kept(type)) return write_entry(found.entry, value, type);
    agent_.write_bits(found.entry, value.whole);
    return PollFault::none;
  }
  std::uint32_t entry = 0;
  const PollFault fault = make(key, type == PollType::text ? PollType::untyped : type, &entry);
  return fault != PollFault::none ? fault : store_made(entry, value, type);
}

PollFault Blackboard::write_any(std::uint32_t key, const PollValue& value) const {
  const Found found = find(key);
  if (found.entry != layout::kNone && found.is_own) {
    const PollType type = this->type(found.entry);
    if (!is_kept(type)) return store(found.entry, value, value.made_as, PollType::any, true);
    if (value.made_as != type) return PollFault::type_mismatch;
    return store(found.entry, value, value.made_as, type, true);
  }
  std::uint32_t entry = 0;
  const PollFault fault = make(key, value.made_as, &entry);
  return fault != PollFault::none ? fault : store_made(entry, value, value.made_as);
}

PollFault Blackboard::assign(std::uint32_t key, const PollValue& value, bool may_make, std::uint32_t* entry) const {
  *entry = find(key).entry;
  if (*entry == layout::kNone) {
    if (!may_make) return PollFault::no_entry;
    const PollFault fault = make(key, PollType::untyped, entry);
    if (fault != PollFault::none) return fault;
    if (is_unseen(*entry)) return PollFault::no_entry;
  }
  const ValueKind kind = agent_.kind(*entry);
  const bool is_untyped = kind == ValueKind::none && type(*entry) == PollType::untyped;
  if (!value.is_text() || kind == ValueKind::text || is_untyped) return put(*entry, value);
  PollValue converted = {};
  const PollFault fault = convert(value, *entry, &converted);
  return fault != PollFault::none ? fault : store(*entry, converted, converted.made_as, type(*entry), true);
}

// A text that a script assigns to an entry without one: by the entry's type; where it has none the value there tells
// that it is a number.
PollFault Blackboard::convert(const PollValue& text, std::uint32_t entry, PollValue* converted) const {
  const PollType type = this->type(entry);
  bool is_converted = false;
  if (is_kept(type) && type != PollType::status) {
    is_converted = from_text(text.text(), type, converted);
  } else if (type != PollType::any && agent_.kind(entry) != ValueKind::none) {
    *converted = real_value(0);
    is_converted = tree_.text_as_number(text.text(), &converted->real);
  }
  return is_converted ? PollFault::none : PollFault::not_convertible;
}

}  // namespace espalier
