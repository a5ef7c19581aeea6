// Answers about a file that is open in an editor, as plain values with byte ranges.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "editor/live_project.h"

namespace espalier::editor {

// A range in a file of a project.
struct Location {
  FileId file = 0;
  Range range;
};

struct Hover {
  std::string markdown;
  Range range;
};

// What is under the cursor: an element, an attribute, a name with its readers and writers, findings with the reasons of
// their rules.
[[nodiscard]] std::optional<Hover> hover(const LiveProject& project, FileId file, std::uint32_t offset);

// A text that is no file of the project.
struct TextFile {
  std::string path;
  std::string text;
};
// A range in the source of the program.
struct SourcePlace {
  TextFile file;
  Range range;
};
struct Definition {
  std::vector<Location> places;
  std::vector<SourcePlace> in_source;  // with these there are no others
  [[nodiscard]] bool is_empty() const { return places.empty() && in_source.empty(); }
};
// Where the name, or the port of a node, at a place is declared; for one that nothing declares, where it is set or
// sent.
[[nodiscard]] Definition definition(const LiveProject& project, FileId file, std::uint32_t offset);
[[nodiscard]] std::vector<Location> references(const LiveProject& project, FileId file, std::uint32_t offset,
                                               bool with_declarations);

struct Renaming {
  Range range;       // of the name at the cursor
  std::string name;  // as it is written there
  std::vector<Location> places;
  std::string fault;  // why it cannot be renamed; empty: it can
};
// A place in a trace or a file of properties, which is no file of the project.
struct TextPlace {
  std::string path;
  Range range;
};
// Where those of these texts that are about a name's trees have the name at a place.
enum class Wanted : std::uint8_t { all, renamed };  // an entry of a blackboard can have several names
[[nodiscard]] std::vector<TextPlace> places_beside(const LiveProject& project, FileId file, std::uint32_t offset,
                                                   const std::vector<TextFile>& texts, Wanted wanted);

[[nodiscard]] std::optional<Renaming> renaming(const LiveProject& project, FileId file, std::uint32_t offset);
// Why a name of the same kind cannot be called this; empty: it can.
[[nodiscard]] std::string why_no_name(const LiveProject& project, FileId file, std::uint32_t offset,
                                      std::string_view name);

struct Symbol {
  std::string name;    // of the element
  std::string detail;  // what it is called
  NameKind kind = NameKind::none;
  Range range;  // all of it
  Range selection;
  std::vector<Symbol> children;
};
[[nodiscard]] std::vector<Symbol> symbols(const text::XmlDocument& document);

struct Fold {
  Range range;
  bool is_comment = false;
};
// Elements and comments of several lines.
[[nodiscard]] std::vector<Fold> folds(const text::XmlDocument& document);

enum class TokenKind : std::uint8_t { variable, keyword, constant, operation, event, name, reference, count };
struct Token {
  Range range;
  TokenKind kind;
  bool is_declaration = false;
};
// The parts of conditions, and names; in file order, without overlaps.
[[nodiscard]] std::vector<Token> tokens(const LiveProject& project, FileId file);

struct Hint {
  std::uint32_t offset;
  std::string text;
};
// What a leaf's name is translated to, where that is something else.
[[nodiscard]] std::vector<Hint> hints(const LiveProject& project, FileId file);

}  // namespace espalier::editor
