// Writes a replay as a story for people. See story.h.
#include "report/story.h"

#include <utility>
#include <variant>

#include "codegen/dump/disassemble.h"
#include "report/line_view.h"
#include "report/tellers.h"
#include "runtime/format/by_engine.h"
#include "text/names.h"

namespace espalier::report {

// By engine, made when the first event of an agent of such a tree is told.
struct Tellers {
  using Teller = std::variant<SelectTeller, TickTeller, RuleTeller, DecideTeller, StoreTeller, PollTeller>;
  std::unique_ptr<Teller> tellers[kEngineIds];
  Teller* current = nullptr;  // of the last event
};

namespace {

template <typename Teller>
std::unique_ptr<Tellers::Teller> make(const Telling& telling) {
  return std::make_unique<Tellers::Teller>(Teller(telling));
}

constexpr ByEngine<std::unique_ptr<Tellers::Teller> (*)(const Telling& telling)> kMakers = {
    .select = make<SelectTeller>,
    .tick = make<TickTeller>,
    .rule = make<RuleTeller>,
    .decide = make<DecideTeller>,
    .store = make<StoreTeller>,
    .poll = make<PollTeller>,
};

// The text for actions of the trace on an agent; empty for other events.
std::string act_text(const Event& event) {
  const std::string name(event.subject);
  const std::string value(event.value);
  switch (event.kind) {
    case EventKind::spawn:
      if (value == "1") return "is spawned";
      return "to agent " + std::to_string(event.agent + std::stoul(value) - 1) + " are spawned";
    case EventKind::destroy:
      return "is destroyed";
    case EventKind::reload:
      return "moves to " + text::quote(name);
    case EventKind::save:
      return "is saved as " + text::quote(name);
    case EventKind::restore:
      return "is restored as " + text::quote(name);
    case EventKind::jump:
      return value == "reset" ? "is reset" : "jumps to " + text::quote(name);
    case EventKind::flags:
      return name.empty() ? "has no flags" : "has the flags " + name;
    case EventKind::stimulus:
      return "has the stimulus " + name + (value.empty() ? "" : " with " + value) +
             (event.details.empty() ? "" : " for " + event.details.front() + " s");
    case EventKind::clear:
      return "loses the stimulus " + name;
    case EventKind::inject:
      return "has " + (value.empty() ? "nothing" : value) + " in slot " + name +
             (event.details.empty() ? "" : ", at once");
    default:
      return {};
  }
}

}  // namespace

Story::Story(const replay::Beginning& beginning, std::string_view path, const StoryOptions& options, std::ostream& out)
    : options_(options), page_(out, options.color), debug_(options.verbose), tellers_(std::make_unique<Tellers>()) {
  const std::uint32_t count = beginning.agent_count;
  std::string trees;
  for (const Tree& tree : beginning.trees) trees += (trees.empty() ? "" : ", ") + visible(tree_name(tree));
  out << page_.styled(visible(path), Style::bold);
  if (!beginning.name.empty()) out << ": " << visible(beginning.name);
  out << page_.styled((beginning.trees.size() == 1 ? "  (tree " : "  (trees ") + trees + ", " + std::to_string(count) +
                          (count == 1 ? " agent)" : " agents)"),
                      Style::dim)
      << '\n';
}

Story::~Story() = default;

// The one for the tree of the current agent.
void Story::choose_teller() {
  const Tree& tree = event_->state->tree;
  if (tellers_->current != nullptr && tree.asset == tree_.asset && tree.index == tree_.index) return;
  tree_ = tree;
  const EngineId engine = replay::engine_of_tree(tree);
  std::unique_ptr<Tellers::Teller>& teller = tellers_->tellers[static_cast<unsigned>(engine)];
  if (teller != nullptr && tellers_->current == teller.get()) return;
  page_.flush();
  // Signals of modular trees have effects that are not told.
  const bool tells_effects = engine != EngineId::tick && replay::written_kinds(options_.events).has(EventKind::set);
  page_.set_no_effect(tells_effects ? "changes nothing" : "");
  if (teller == nullptr) teller = kMakers[engine]({event_, options_, page_});
  tellers_->current = teller.get();
}

void Story::event(const Event& event) {
  event_ = &event;
  page_.name_agents(event.names_agent);
  if (!options_.shows(event)) return;
  if (options_.verbose > 0) debug_.event(event, [this](std::string_view line) { debug_lines_.emplace_back(line); });
  if (event.kind == EventKind::print) return tell_print(event);
  choose_teller();
  const EventKind kind = event.kind;
  const bool is_of_node =
      kind == EventKind::begin_node || kind == EventKind::complete_node || kind == EventKind::interrupt_node;
  if (is_of_node) return tell_node(event);
  std::visit([&](auto& teller) { teller.event(event); }, *tellers_->current);
  if (kind == EventKind::begin || kind == EventKind::step) return;
  if (kind == EventKind::end) return debug_lines_.empty() ? void() : flush();
  if (!is_written(kind)) tell_act(event);
}

void Story::flush() {
  page_.flush();
  for (const std::string& line : std::exchange(debug_lines_, {})) page_.say_at_margin(visible(line), Page::Style::dim);
}

// What a line `print` writes, below a line of its own.
void Story::tell_print(const Event& event) {
  if (!replay::written_kinds(options_.events).has(event.kind)) return;
  page_.open(event.time_us, event.agent);
  page_.say(std::string("print ").append(event.subject), Style::dim);
  page_.flush();
  std::string_view rest = event.value;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    page_.say_below(visible(rest.substr(0, end)));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

// A line for each step, with the node's place.
void Story::tell_node(const replay::Event& event) {
  if (!replay::written_kinds(options_.events).has(event.kind)) return;
  page_.open(event.time_us, event.agent);
  const char* word = event.kind == EventKind::begin_node      ? "begins "
                     : event.kind == EventKind::complete_node ? "completes "
                                                              : "interrupts ";
  page_.say(word + visible(event.subject) + (event.value.empty() ? "" : ": " + std::string(event.value)), Style::dim);
  const codegen::NodeDebug place = codegen::node_debug(*event.node.asset, event.node.word);
  if (place.line != 0) page_.add_detail(visible(place.file) + ':' + std::to_string(place.line));
  page_.flush();
}

void Story::tell_act(const Event& event) {
  const std::string text = act_text(event);
  if (text.empty()) return;
  page_.open(event.time_us, event.agent);
  if (!event.names_agent) page_.say("agent " + std::to_string(event.agent) + ' ', Style::dim);
  page_.say(visible(text), Style::dim);
  page_.flush();
}

}  // namespace espalier::report
