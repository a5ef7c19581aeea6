// What a property speaks of, and the slice of a tree for it. See slice.h.
#include "explore/slice.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "explore/engine.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

// Adds all names that are in a value.
void add_texts(const text::JsonValue& value, std::vector<std::string>& texts) {
  if (value.kind == text::JsonKind::string) texts.push_back(value.string);
  for (const text::JsonValue::Key& key : value.keys) texts.push_back(key.name);
  for (const text::JsonValue& each : value.values) add_texts(each, texts);
}

// Is it this text, or a list or a negation that has it?
bool is_text(const text::JsonValue& value, std::string_view text) {
  const auto is_it = [&](const text::JsonValue& inside) { return is_text(inside, text); };
  return value.string == text || std::any_of(value.values.begin(), value.values.end(), is_it);
}

// The events that come from what they name.
bool is_of_named(std::string_view event) {
  constexpr std::array<std::string_view, 9> kKinds = {"enter", "leave", "interrupt", "reset", "tick",
                                                      "ask",   "read",  "set",       "send"};
  const std::size_t blank = event.find(' ');
  return blank != std::string_view::npos &&
         std::find(kKinds.begin(), kKinds.end(), event.substr(0, blank)) != kKinds.end();
}

// Adds what a condition names. False: it may be about more, such as the list of all actions that run.
bool add_named(const text::JsonValue& value, SliceQuestion& question) {
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i].name;
    const text::JsonValue& inside = value.values[i];
    question.measures_time |= key == "tick";
    if (key == "status") question.keeps_errors |= is_text(inside, "error");
    if (key == "runs" || key == "variables" || key == "host" || key == "set") {
      add_texts(inside, question.texts);
    } else if (key == "event" && inside.kind == text::JsonKind::string && is_of_named(inside.string)) {
      question.texts.push_back(inside.string);
    } else if (key == "not" || key == "all" || key == "any") {
      if (!add_named(inside, question)) return false;
    } else if (key != "status" && key != "tick" && key != "halt" && key != "signal") {
      return false;
    }
  }
  if (!value.keys.empty()) return true;
  return std::all_of(value.values.begin(), value.values.end(),
                     [&](const text::JsonValue& each) { return add_named(each, question); });
}

}  // namespace

bool SliceQuestion::names(std::string_view name) const {
  return !name.empty() && std::any_of(texts.begin(), texts.end(),
                                      [&](const std::string& text) { return text.find(name) != std::string::npos; });
}

unsigned char* own_section(Slice& slice, layout::SectionId id, std::uint32_t more) {
  const AssetSection section = section_of(slice.asset, id);
  // An asset may lack a section; those that slices add to then have records with a name.
  const std::uint32_t record_bytes =
      section.records != nullptr ? section.record_bytes : static_cast<std::uint32_t>(sizeof(layout::Behavior));
  const std::size_t size = std::size_t{section.count} * record_bytes;
  std::vector<std::uint64_t>& own = slice.sections.emplace_back((size + std::size_t{more} * record_bytes + 7) / 8);
  if (size != 0) std::memcpy(own.data(), section.records, size);
  const auto place = static_cast<std::size_t>(id);
  slice.asset.internal[place] = own.data();
  slice.asset.internal_numbers[place] = section.count + more;
  slice.asset.internal_numbers[kRecordBytesPlace + place] = record_bytes;
  return reinterpret_cast<unsigned char*>(own.data());
}

bool may_add_behaviors(const Asset& asset) {
  return section_of(asset, layout::SectionId::timed_behaviors).count == 0 &&
         section_of(asset, layout::SectionId::memory_sizes).count == 0;
}

std::string name_of_part(std::uint32_t part) { return "\x01" + std::to_string(part); }

std::uint32_t add_parts(Slice& slice, layout::SectionId id) {
  const auto count = static_cast<std::uint32_t>(slice.part_count);
  const std::uint32_t first = record_count(slice.asset, id);
  unsigned char* const records = own_section(slice, id, count);
  const std::size_t record_bytes = section_of(slice.asset, id).record_bytes;
  const std::uint32_t names_begin = record_count(slice.asset, layout::SectionId::names);
  std::string names;
  for (std::uint32_t part = 0; part < count; ++part) {
    // A record begins with the place of its name.
    const std::uint32_t name = names_begin + static_cast<std::uint32_t>(names.size());
    std::memcpy(records + (first + part) * record_bytes, &name, sizeof name);
    names.append(name_of_part(part)).push_back('\0');
  }
  auto* const all = own_records<char>(slice, layout::SectionId::names, static_cast<std::uint32_t>(names.size()));
  std::memcpy(all + names_begin, names.data(), names.size());
  return first;
}

std::unique_ptr<const Slice> slice_of(const Tree& tree, const SliceQuestion& question, const HostFacts& host) {
  const auto slice = row_of(engine_id_of(tree)).slice;
  return slice == nullptr ? nullptr : slice(tree, question, host);
}

std::unique_ptr<const Slice> slice_of(const Tree& tree, const Property& property, const HostFacts& host,
                                      bool keeps_tests, bool has_free_times) {
  // What ends a scope is a line with this answer and no other, and of outputs that nothing looks at there are fewer.
  const bool is_ended_by_answer = property.until && property.until->value.find("host") != nullptr;
  if (is_ended_by_answer) return nullptr;
  SliceQuestion question{
      .measures_time = property.for_us != 0, .has_free_times = has_free_times, .keeps_tests = keeps_tests};
  for (const Condition* condition : conditions_of(property)) {
    if (!add_named(condition->value, question)) return nullptr;
  }
  const auto has_path = [](const std::string& text) { return text.find('@') != std::string::npos; };
  if (std::any_of(question.texts.begin(), question.texts.end(), has_path)) return nullptr;
  return slice_of(tree, question, host);
}

}  // namespace espalier::explore
