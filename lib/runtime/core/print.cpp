// Writes an agent and its tree. See print.h.
#include "core/print.h"

#include <algorithm>

#include "core/check.h"
#include "format/node.h"
#include "format/opcode_words.h"

namespace espalier {
namespace {

// Nodes within one another that are written. It bounds the stack that writing takes.
constexpr std::uint32_t kMaxLevels = 128;

const PrintRow& row_of(const Tree& tree) {
  switch (engine_id_of(tree)) {
    case EngineId::select:
      return kSelectPrint;
    case EngineId::tick:
      return kTickPrint;
    case EngineId::rule:
      return kRulePrint;
    case EngineId::decide:
      return kDecidePrint;
    case EngineId::store:
      return kStorePrint;
    case EngineId::poll:
      break;
  }
  return kPollPrint;
}

// Is this an element's name for this kind of node? "ChildTree" is one for "child".
bool begins_alike(const char* name, const char* kind) {
  for (; *kind != '\0' && *kind != '_'; ++name, ++kind) {
    if (lower(*name) != *kind) return false;
  }
  return true;
}

// Nodes with the same parent that are still to be written. Small, because there is one for each level.
struct PrintLevel {
  const std::uint32_t* next;
  const std::uint32_t* end;
  std::uint32_t context[2];
  std::uint32_t index;  // of the next one
  std::uint16_t depth;
  bool is_active;
};
static_assert(sizeof(PrintLevel) <= 32);

PrintLevel level_of(const std::uint32_t* first, const std::uint32_t* end, const PrintPlace& inside) {
  return {first,           end, {inside.context[0], inside.context[1]}, 0, static_cast<std::uint16_t>(inside.depth),
          inside.is_active};
}

// The next node of a level, as if it were like its parent.
PrintPlace next_place(PrintLevel* level) {
  PrintPlace place;
  place.node = level->next;
  place.depth = level->depth;
  place.index = level->index++;
  place.is_active = level->is_active;
  place.context[0] = level->context[0];
  place.context[1] = level->context[1];
  level->next = end_of(level->next);
  return place;
}

// Receives the text of espalier_print_text().
struct Buffer {
  char* begin;
  std::size_t size_bytes;
  std::size_t total_bytes = 0;

  static void take(void* user, const char* piece, std::size_t size_bytes) {
    auto& buffer = *static_cast<Buffer*>(user);
    if (buffer.total_bytes < buffer.size_bytes) {
      const std::size_t room = buffer.size_bytes - buffer.total_bytes;
      std::memcpy(buffer.begin + buffer.total_bytes, piece, size_bytes < room ? size_bytes : room);
    }
    buffer.total_bytes += size_bytes;
  }
  // Ends the text that fits, before a character of which only a part does.
  void end() const {
    if (size_bytes == 0) return;
    std::size_t end = total_bytes;
    if (end >= size_bytes) {
      end = size_bytes - 1;
      const auto is_continued = [this](std::size_t at) {
        return (static_cast<unsigned char>(begin[at]) & 0xC0) == 0x80;
      };
      while (end > 0 && is_continued(end)) --end;
    }
    begin[end] = '\0';
  }
};

}  // namespace

void Printing::left(std::uint64_t end_us) const {
  if (!has_clock()) return;
  out << ", ";
  out.seconds(end_us > host->clock_us ? end_us - host->clock_us : 0) << " left";
}

void Printing::ago(std::uint64_t time_us) const {
  if (has_clock()) (out << " ").seconds(host->clock_us > time_us ? host->clock_us - time_us : 0) << " ago";
}

void Printing::active_for(std::uint64_t active_us) const {
  if (active_us != kNoTime) (out << ", active for ").seconds(active_us);
}

void Printing::active_for(const Times& times) const {
  if (has_clock()) active_for(times.of({}, host->clock_us).active_us);
}

void Printing::on_names(const char* title, espalier_kind kind, std::uint64_t bits) const {
  out << "  " << title << ":";
  if (bits == 0) out << " none";
  for (std::uint32_t i = 0; bits != 0; ++i, bits >>= 1) {
    if ((bits & 1) != 0) (out << " ").name(espalier_name(view, kind, i));
  }
  out << "\n";
}

void Printing::variables(const char* title) const {
  const std::uint32_t count = variable_count(view);
  if (count == 0) return;
  out << "  " << title << ":";
  for (std::uint32_t i = 0; i < count; ++i) {
    (out << (i == 0 ? " " : ", ")).name(variable_name(view, i));
    out << (load_bit(bytes(), i) ? " true" : " false");
  }
  out << "\n";
}

const char* Printing::kind(Opcode opcode) const {
  const char* name = opcode_name(opcode);
  while (*name != '_') ++name;
  return name + 1;
}

const char* Printing::name_of(const std::uint32_t* node) const {
  const char* name = node_debug_name(asset, word_of(node));
  return name[0] != '\0' ? name : kind(opcode_of(node));
}

void Printing::name_and_kind(const std::uint32_t* node) const {
  const char* name = name_of(node);
  const char* own_kind = kind(opcode_of(node));
  out.name(name);
  if (!begins_alike(name, own_kind)) out << ", " << own_kind;
}

void Printing::behavior(const std::uint32_t* node) const {
  if (const std::uint32_t word = operand_word(opcode_of(node), OperandKind::host_condition); word != 0) {
    (out << " ").name(host_condition_name(asset, node[word]));
  }
  const std::uint32_t word = operand_word(opcode_of(node), OperandKind::behavior);
  if (word == 0) return;
  const std::string_view behavior = behavior_name(asset, node[word]);
  if (behavior != node_debug_name(asset, word_of(node))) (out << " ").name(behavior);
}

void Printing::result(Result result) const {
  constexpr const char* kNames[] = {"running", "failure", "success", "stopped", "error"};
  out << kNames[static_cast<std::size_t>(result) % (sizeof kNames / sizeof kNames[0])];
}

void Printing::write() const {
  (out << "tree ").name(tree_name(view));
  row_of(view).agent(*this);
  nodes();
  recent();
}

void Printing::nodes() const {
  const PrintRow& row = row_of(view);
  PrintLevel levels[kMaxLevels];
  std::uint32_t count = 1;
  const std::uint32_t* root = unit_root(asset, tree_record(view).unit);
  PrintPlace top;
  top.is_active = true;
  levels[0] = level_of(root, end_of(root), top);
  while (count > 0) {
    PrintLevel& level = levels[count - 1];
    if (level.next == level.end) {
      --count;
      continue;
    }
    PrintPlace place = next_place(&level);
    row.look(*this, &place);
    if (options.active_only && !place.is_active) continue;
    if (!place.is_hidden) line(place);
    PrintPlace inside = place;
    if (!place.is_hidden) ++inside.depth;
    const std::uint32_t* entered = row.enter == nullptr ? nullptr : row.enter(*this, place, &inside);
    const std::uint32_t* first = entered != nullptr ? entered : first_child(place.node);
    const std::uint32_t* end = end_of(entered != nullptr ? entered : place.node);
    if (first == end) continue;
    if (count < kMaxLevels) {
      levels[count++] = level_of(first, end, inside);
    } else {
      out.indent(inside.depth + 1) << "...\n";
    }
  }
}

void Printing::line(const PrintPlace& place) const {
  const std::uint32_t word = word_of(place.node);
  out << (place.is_active ? "* " : "  ");
  out.indent(place.depth);
  row_of(view).name(*this, place);
  subtitle(place.node);
  row_of(view).state(*this, place);
  last_result(word);
  if (engine_id_of(view) != EngineId::decide) place_in_source(word);
  out << "\n";
}

void Printing::place_in_source(std::uint32_t node_word) const {
  const espalier_place place = node_place(asset, node_word);
  if (place.line == 0) return;
  (out << "  (").name(place.file) << ":" << std::uint64_t{place.line} << ")";
}

namespace {

void write_value(const Writer& out, const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::whole:
      if (parameter.whole < 0) out << "-";
      out << (parameter.whole < 0 ? ~static_cast<std::uint64_t>(parameter.whole) + 1
                                  : static_cast<std::uint64_t>(parameter.whole));
      return;
    case ParameterType::boolean:
      out << (parameter.whole != 0 ? "true" : "false");
      return;
    case ParameterType::number:
      out << parameter.numbers[0];
      return;
    case ParameterType::vector:
      out << parameter.numbers[0] << "," << parameter.numbers[1] << "," << parameter.numbers[2];
      return;
    default:
      out.name(parameter.text);
  }
}

// Null if the host has declared none.
const char* text_of_behavior(const Asset& asset, std::uint32_t behavior) {
  const auto texts = records<layout::BehaviorText>(asset, layout::SectionId::behavior_texts);
  std::uint32_t begin = 0;
  for (std::uint32_t end = record_count(asset, layout::SectionId::behavior_texts); begin < end;) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (texts[middle].behavior == behavior) {
      return array<char>(asset, layout::SectionId::debug_names) + texts[middle].text;
    }
    if (texts[middle].behavior < behavior) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return nullptr;
}

// "{name}" is replaced by the value of the parameter of this name, "-" if the node does not have it.
void write_template(const Writer& out, std::string_view text, const Call& call) {
  const std::uint32_t count = parameter_count(&call);
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const char* open = std::find(at, end, '{');
    out.name({at, static_cast<std::size_t>(open - at)});
    const char* close = std::find(open, end, '}');
    if (close == end) {
      out.name({open, static_cast<std::size_t>(end - open)});
      return;
    }
    const std::string_view name(open + 1, static_cast<std::size_t>(close - open - 1));
    bool is_found = false;
    for (std::uint32_t i = 0; i < count && !is_found; ++i) {
      const Parameter each = parameter(&call, i);
      is_found = equal_any_case(name, each.name);
      if (is_found) write_value(out, each);
    }
    if (!is_found) out << "-";
    at = close + 1;
  }
}

}  // namespace

// The text that the host has declared for the node's behaviour, or else the node's parameters.
void Printing::subtitle(const std::uint32_t* node) const {
  Call call = {};
  call.tree = view;
  call.node_word = word_of(node);
  const std::uint32_t word = operand_word(opcode_of(node), OperandKind::behavior);
  const char* text = word == 0 ? nullptr : text_of_behavior(asset, node[word]);
  if (text == nullptr) return parameters(call);
  out << ": ";
  write_template(out, text, call);
}

void Printing::parameters(const Call& call) const {
  const std::uint32_t count = parameter_count(&call);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Parameter each = parameter(&call, i);
    (out << (i == 0 ? " (" : ", ")).name(each.name) << " ";
    write_value(out, each);
  }
  if (count > 0) out << ")";
}

void Printing::last_result(std::uint32_t node_word) const {
  const Completed* last = options.history == nullptr ? nullptr : last_of(*options.history, node_word);
  if (last == nullptr) return;
  out << ", last ";
  result(last->result);
  ago(last->clock_us);
}

void Printing::recent() const {
  if (options.history == nullptr) return;
  for (std::uint32_t i = 0; const Completed* entry = espalier::recent(*options.history, i); ++i) {
    if (i == 0) out << "  recently completed:\n";
    const std::uint32_t* node = nodes_of(asset) + entry->node_word;
    (out << "    ").name(name_of(node));
    behavior(node);
    out << " ";
    result(entry->result);
    ago(entry->clock_us);
    place_in_source(entry->node_word);
    out << "\n";
  }
}

}  // namespace espalier

using namespace espalier;

void espalier_print(espalier_tree tree, const void* block, const espalier_print_options* options, espalier_write write,
                    void* user) {
  if (!Check(__func__).block(tree, block)) return;
  const PrintOptions all;
  const Writer writer = {write, user};
  Printing(tree, block, options == nullptr ? all : *options, writer).write();
}

size_t espalier_print_text(espalier_tree tree, const void* block, const espalier_print_options* options, char* buffer,
                           size_t size_bytes) {
  Buffer text = {buffer, size_bytes};
  espalier_print(tree, block, options, Buffer::take, &text);
  text.end();
  return text.total_bytes;
}

bool espalier_node_result(espalier_tree tree, const void* block, uint32_t node_word, espalier_result* result) {
  if (!Check(__func__).block(tree, block).node(tree.asset, node_word)) return false;
  const PrintRow& row = row_of(tree);
  Result found = Result::running;
  if (row.stored == nullptr || !row.stored(tree, block, node_word, &found)) return false;
  *result = found;
  return true;
}
