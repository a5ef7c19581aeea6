// An agent and its tree as text: what all engines share, and the row of functions that each adds. The files named
// print.cpp are linked only into programs that print.
#pragma once
#include "asset/view.h"
#include "core/frame.h"
#include "core/times.h"
#include "core/writer.h"

namespace espalier {

// A node at one place of the tree. Units that are used in several places are written in each of them.
struct PrintPlace {
  const std::uint32_t* node = nullptr;
  std::uint32_t depth = 0;  // of the line
  std::uint32_t index = 0;  // among its siblings
  bool is_active = false;   // of the parent, until the engine has looked
  bool is_hidden = false;   // it has no line, and its children are written in its place
  // Of the engine: what it must know of the nodes around. Children have that of their parent, unless it changes it.
  std::uint32_t context[2] = {};
};

class Printing {
 public:
  Printing(const Tree& tree, const void* agent, const PrintOptions& print_options, const Writer& writer)
      : view(tree), asset(*tree.asset), block(agent), host(print_options.host), options(print_options), out(writer) {}

  void write() const;

  // ---- For the engines

  std::uint32_t word_of(const std::uint32_t* node) const { return static_cast<std::uint32_t>(node - nodes_of(asset)); }
  const unsigned char* bytes() const { return static_cast<const unsigned char*>(block); }
  bool has_clock() const { return host != nullptr; }
  void name(const char* text) const { out.name(text); }
  // ", 0.4 s left": the time until this clock. Nothing without a clock.
  void left(std::uint64_t end_us) const;
  void ago(std::uint64_t time_us) const;
  // ", active for 0.4 s", if it is known.
  void active_for(std::uint64_t active_us) const;
  void active_for(const Times& times) const;
  // "  variables: A, B": the names of those that are on.
  void on_names(const char* title, espalier_kind kind, std::uint64_t bits) const;
  void variables(const char* title) const;
  // The kind of a node: its opcode without the engine's name.
  const char* kind(Opcode opcode) const;
  // Its debug name; its kind if it has none.
  const char* name_of(const std::uint32_t* node) const;
  // Its kind after its name, unless they are the same word.
  void name_and_kind(const std::uint32_t* node) const;
  // The condition that it asks, or the behaviour that it calls, if that is not its name.
  void behavior(const std::uint32_t* node) const;
  void result(Result result) const;

  const Tree& view;
  const Asset& asset;
  const void* const block;
  const Host* const host;  // may be null
  const PrintOptions& options;
  const Writer& out;

 private:
  void nodes() const;
  void line(const PrintPlace& place) const;
  void place_in_source(std::uint32_t node_word) const;
  void subtitle(const std::uint32_t* node) const;
  void parameters(const Call& call) const;
  void last_result(std::uint32_t node_word) const;
  void recent() const;
};

// How an engine writes its agents.
struct PrintRow {
  // Lines on the agent itself. The tree's name has been written, without a line break.
  void (*agent)(const Printing& printing);
  // Sets is_active (given: the parent's), is_hidden and the context of a place.
  void (*look)(const Printing& printing, PrintPlace* place);
  // Goes into the unit of another place that the node uses: returns its root, and sets `inside` as if that were the
  // node's child. Null if the node uses none; null function: none does.
  const std::uint32_t* (*enter)(const Printing& printing, const PrintPlace& place, PrintPlace* inside);
  // Writes the node's name: what it is, whatever the agent does. The text of the host, or parameters, follow.
  void (*name)(const Printing& printing, const PrintPlace& place);
  // Writes what the agent keeps for the node. The place in the source follows.
  void (*state)(const Printing& printing, const PrintPlace& place);
  // See espalier_node_result(). Null: no results are stored.
  bool (*stored)(const Tree& tree, const void* block, std::uint32_t node_word, Result* result);
};

extern const PrintRow kSelectPrint;
extern const PrintRow kTickPrint;
extern const PrintRow kRulePrint;
extern const PrintRow kDecidePrint;
extern const PrintRow kStorePrint;
extern const PrintRow kPollPrint;

}  // namespace espalier
