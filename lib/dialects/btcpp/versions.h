// Which version of the library a file is for: as espalier.json says, else the file, its package or the project.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dialects/btcpp/packages.h"

namespace espalier::dialects {
struct BtcppOptions;
}  // namespace espalier::dialects

namespace espalier::dialects::btcpp {

struct FileSummary;

struct Version {
  std::uint32_t major = 4;
  std::uint32_t minor = 10;
  std::uint32_t patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

inline constexpr Version kRefusesOutputs{4, 5, 0};       // that are no pointers: before, a literal named the entry
inline constexpr Version kConvertsLiterals{4, 5, 2};     // of ports, when a tree is made
inline constexpr Version kChecksNames{4, 8, 4};          // of trees and nodes, and paths of subtrees
inline constexpr Version kReadsOneQuote{4, 9, 0};        // of texts in scripts
inline constexpr Version kReadsLiterals{4, 9, 1};        // of SubTrees as numbers
inline constexpr std::string_view kFork = "moveit-pro";  // which has rules of its own

// "4.8" is the newest one that begins so; none: there is no such version. The fork is none.
[[nodiscard]] std::optional<Version> read_version(std::string_view text);

// Files are numbers.
class Versions {
 public:
  // `summaries`: of the files.
  Versions(std::span<const std::shared_ptr<const FileSummary>> summaries, const Packages& packages,
           const BtcppOptions& options);

  [[nodiscard]] const Version& of(std::size_t file) const { return versions_[file]; }
  // Does anything tell it?
  [[nodiscard]] bool is_told(std::size_t file) const { return is_told_[file]; }
  // Is the file read as format 4 would write it?
  [[nodiscard]] bool is_migrated(std::size_t file) const { return is_migrated_[file]; }
  // Is it of format 3, for a program with version 4?
  [[nodiscard]] bool is_refused(std::size_t file) const { return is_refused_[file]; }

  // The project's programs use MoveIt Pro, in place of the library.
  [[nodiscard]] bool is_fork() const { return is_fork_; }
  // The first file that looks so, where nothing says it; none: it is said.
  [[nodiscard]] std::optional<std::size_t> fork_file() const { return fork_file_; }

  // Are names with blanks refused?
  [[nodiscard]] bool checks_names(std::size_t file) const { return !is_fork_ && of(file) >= kChecksNames; }
  // Are literals of ports refused that are no values of the port's type?
  [[nodiscard]] bool refuses_outputs(std::size_t file) const { return is_fork_ || of(file) >= kRefusesOutputs; }
  [[nodiscard]] bool converts_literals(std::size_t file) const { return is_fork_ || of(file) >= kConvertsLiterals; }
  [[nodiscard]] bool reads_one_quote(std::size_t file) const { return !is_fork_ && of(file) >= kReadsOneQuote; }
  // Are all literals of SubTrees texts?
  [[nodiscard]] bool has_text_literals() const { return is_older(kReadsLiterals); }
  // May two SubTrees have one path?
  [[nodiscard]] bool takes_equal_paths() const { return is_older(kChecksNames); }

 private:
  // Is any file, and so perhaps the project's program, of such a version?
  [[nodiscard]] bool is_older(const Version& version) const;

  std::vector<Version> versions_;
  std::vector<bool> is_told_, is_migrated_, is_refused_;
  bool is_fork_ = false;
  std::optional<std::size_t> fork_file_;
};

}  // namespace espalier::dialects::btcpp
