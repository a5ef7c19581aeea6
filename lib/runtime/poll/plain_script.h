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

// Runs statements from the first one on. Returns the instruction where the first one begins that is of another kind, or
// that another value or a fault needs: ScriptRun goes on there; the end: it is done. `truth`: as of ScriptRun::run().
const layout::Instruction* run_plain_script(const PollTreeView& tree, const PollAgent& agent, const ScriptCode& code,
                                            bool* truth);

}  // namespace espalier
