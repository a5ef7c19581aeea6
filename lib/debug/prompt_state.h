// What a prompt is made of. See prompt.h.
#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "debug/prompt.h"
#include "debug/prompt_commands.h"

namespace espalier::debug {

class Prompt::State {
 public:
  State(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how, const report::ReplayForm& form,
        Prompt::Save save, Prompt::Explain explain, std::ostream& out);

  Prompt::Begun begin();
  // False: it was the last one.
  bool run_command(const std::string& text);

 private:
  void run_own(const std::string& name, const Words& words);
  void say(const std::string& message, const std::string& hint = {});
  void tell(const std::string& story);
  void help();

  // ---- Lines: prompt.cpp
  void run_typed(const std::string& line);
  bool run_next();
  bool pass_idle();
  void choose_agent(const std::string& word);
  [[nodiscard]] std::string of_agent(const std::string& line) const;
  [[nodiscard]] std::uint32_t agent() const;
  // What is done next changes a past: the run as it was recorded is kept, and ends here.
  void begin_what_if();
  void look(const Words& words);
  void skip(std::size_t count);
  void back(std::size_t count);
  void back_to(const Words& words);
  void show_recorded();
  void save(const std::string& path);
  void list(std::size_t count);
  void say_next();

  // ---- Moves, and what is asked: prompt_moves.cpp
  // Goes to where a move leads, through lines ahead, too, and tells the lines that it passes.
  Run::Stop go(Run::Move move);
  void next(std::size_t count);
  void run_on(const Words& words);
  [[nodiscard]] Run::Move to_line_behind(std::optional<std::size_t> number, const std::string& awaited) const;
  [[nodiscard]] bool rests_behind(std::size_t line) const;
  void run_back(const Words& words);
  void step(const Words& words);
  void go_to(const std::string& word);
  void say_moment(const std::string& before = {});
  void say_stop(const Run::Stop& stop, bool is_of_moments);
  void set_breakpoint(const Words& words);
  void clear(const std::string& word);
  void where();
  void value(const Words& words);
  void who_wrote(const Words& words);
  void why(const std::string& node);

  const Asset& asset_;
  const SteppedTrace& trace_;
  const report::ReplayForm form_;
  Prompt::Save save_;
  Prompt::Explain explain_;
  std::ostream& out_;
  Run run_;
  PromptLines lines_;
  std::optional<PromptLines::Kept> recorded_;  // the run as it was before something was typed in its past
  std::string agent_;                          // that was chosen, as JSON; empty: none was
  bool has_fault_ = false;                     // a line ahead, to which a move came
};

}  // namespace espalier::debug
