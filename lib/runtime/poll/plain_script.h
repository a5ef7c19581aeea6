// Runs the statements that most scripts consist of, assignments and comparisons of numbers, without a stack. What they
// do is defined by ScriptRun; here it takes less work.
#pragma once
#include "poll/tree.h"

namespace espalier {

struct ScriptCode {
  // `script`: its number in the tree.
  ScriptCode(const PollTreeView& tree, std::uint32_t script) {
    const auto& record =
        records<layout::PollScript>(tree.asset, SectionId::poll_scripts)[tree.record.first_script + script];
    begin = array<layout::Instruction>(tree.asset, SectionId::poll_code) + record.first_instruction;
    end = begin + record.instruction_count;
  }
  const layout::Instruction* begin;
  const layout::Instruction* end;
};

// Runs statements of a script from the first one on; `script`: its number in the tree; `truth`: as of ScriptRun::run().
// Returns the first statement that is of another kind, or that another value or a fault needs: ScriptRun goes on there;
// null: the script is done.
const layout::Instruction* run_plain_script(const PollTreeView& tree, const PollAgent& agent, std::uint32_t script,
                                            bool* truth);

}  // namespace espalier
