// What the verbs that write pictures share: graph, cover and replay.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "report/pictures/pictures.h"

namespace espalier::cli {

// The lines of a project's files, without those that reports must not show.
std::vector<report::PictureSource> sources_of(const project::Project& project);

// The findings of a project, for report::add_findings().
std::vector<report::PictureNote> notes_of(const project::Project& project);

// Says that this build of espalier has no pages for browsers; returns kFailed.
int fail_without_pages();

// Writes a file that is not one of the inputs. Returns an exit status.
[[nodiscard]] int write_picture_file(const std::string& path, std::string_view bytes,
                                     const std::vector<std::string>& inputs);

}  // namespace espalier::cli
