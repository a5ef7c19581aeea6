// Pictures of trees: as text for programs that draw graphs, as SVG, and as pages that a browser opens from disk.
#pragma once
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/results.h"
#include "replay/timeline.h"
#include "report/pictures/outline.h"

namespace espalier::report {

enum class PictureFormat : std::uint8_t { svg, dot, mermaid, html, png, pdf, pdf_pages };
// False: the name is that of another format.
bool is_picture_format(std::string_view name);
// `name` must be one of them.
PictureFormat picture_format(std::string_view name);

// The lines of a file, which pages show beside a node.
struct PictureSource {
  std::string path = {};
  std::vector<std::string> lines = {};
};

// What a node did in a run, in the order in which pages know them.
// `ran`: it runs after this update, and nothing tells when it ends.
enum class NodeResult : std::uint8_t { running, success, failure, skipped, halted, ran };

// Is it a format that needs a library, and is that not there? See painted.h.
bool lacks_painter(PictureFormat format);

// Writes trees as one picture; `title` is that of the page.
void write_picture(std::span<const PictureTree> trees, std::span<const PictureSource> sources, std::string_view title,
                   PictureFormat format, std::ostream& out);

void write_dot(std::span<const PictureTree> trees, std::ostream& out);
void write_mermaid(std::span<const PictureTree> trees, std::ostream& out);
void write_svg(std::span<const PictureTree> trees, std::ostream& out);

// One file that needs no other, nor a network. `data` is JSON, with the key "trees" from trees_json().
// `is_live`: it may ask for more where it came from. `text`: HTML, beside the tree.
void write_page(std::string_view title, std::string_view data, std::ostream& out, bool is_live = false,
                std::string_view text = {});
std::string trees_json(std::span<const PictureTree> trees, std::span<const PictureSource> sources);

// By tree and item of a cover: all given traces that reach it, as indexes of Cover::traces. Empty: none were given.
using ReachedBy = std::vector<std::vector<std::vector<std::size_t>>>;
// Colours nodes by what is reached of them, with the traces that do so, and says of the rest why, with the traces that
// would; `possible`: see CoverForm.
void color_trees(std::vector<PictureTree>& trees, const explore::Cover& cover, const explore::Cover* possible,
                 const ReachedBy& reached_by);

// Colours nodes by how much of a run they were active, and says what they did. `trees`: all of the asset, which has
// names, in its order; those that nothing ran are left out.
void color_by_profile(std::vector<PictureTree>& trees, const Asset& asset, replay::Timeline timeline);

}  // namespace espalier::report
