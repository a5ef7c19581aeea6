// What the verbs that write pictures share: graph, cover and replay.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/findings_report.h"
#include "report/pictures/pictures.h"

namespace espalier::cli {

// The lines of files, without those that reports must not show.
std::vector<report::PictureSource> sources_of(const text::Sources& sources);

// For report::add_findings().
std::vector<report::PictureNote> notes_of(const text::Findings& findings, const text::Sources& sources);

// The trees that poll as they are written, but for these, which are compiled.
std::vector<report::PictureTree> written_trees(const project::Project& project,
                                               std::span<const ir::Tree> but_these = {});
// The elements of the other files of a project with errors, which are among the findings.
std::vector<report::PictureTree> other_files(const project::Project& project, const text::Findings& findings);
void append(std::vector<report::PictureTree> more, std::vector<report::PictureTree>& trees);

// Leaves the trees of this name, of whatever file; empty: all. Returns an exit status: there may be none.
[[nodiscard]] int leave_tree(const std::string& name, std::vector<report::PictureTree>& trees);

// Writes the picture to the form's file, or to standard output. Returns an exit status.
[[nodiscard]] int draw(const std::vector<report::PictureTree>& trees, std::string_view title,
                       const project::Project& project, const CommonOptions& options, const FindingOptions& form);

// Writes a page of the trees of an asset, coloured by what their nodes did in a run, whose name is the title. Returns
// an exit status.
[[nodiscard]] int write_profile_page(const std::string& path, const std::string& run, const Asset& asset,
                                     const project::Project& project, const replay::Timeline& timeline,
                                     std::vector<std::string> inputs);

// Writes a file that is not one of the inputs. Returns an exit status.
[[nodiscard]] int write_picture_file(const std::string& path, std::string_view bytes,
                                     const std::vector<std::string>& inputs);

}  // namespace espalier::cli
