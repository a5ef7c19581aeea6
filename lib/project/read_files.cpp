// Reads files in parallel. See read_files.h.
#include "project/read_files.h"

#include <new>
#include <optional>
#include <utility>

#include "dialects/dialect.h"
#include "project/incremental/file_facts.h"
#include "project/other_kinds.h"
#include "project/roots.h"
#include "text/names.h"
#include "text/parallel.h"
#include "text/root_name.h"

namespace espalier::project {
namespace {

// Comments before a root element are seldom longer.
constexpr std::size_t kBeginBytes = std::size_t{1} << 16;

std::string has_other_root(std::string_view root) { return "its root element is " + text::quote(root); }

// Why a file with this root element is not a tree; empty if it is one, or may be meant as one.
std::string why_no_tree(const std::optional<std::string>& root) {
  if (!root) return "it is not XML that begins with an element";
  return kind_of_root(*root) == Root::other ? has_other_root(*root) : "";
}

// Reads the needed part of a file that was found: all of it if it is a tree.
bool read_found(const InputFile& file, const Files& files, std::string& bytes, std::string& passed_over,
                std::string& error) {
  if (!files.read(file.open_path, kBeginBytes, bytes, error)) return false;
  const bool is_whole = bytes.size() <= kBeginBytes;
  std::optional<std::string> root = text::root_name(bytes);
  if (root || is_whole) {
    passed_over = why_no_tree(root);
    if (is_whole || !passed_over.empty()) return true;
  }
  if (!files.read(file.open_path, text::kMaxFileBytes, bytes, error)) return false;
  passed_over = why_no_tree(root ? root : text::root_name(bytes));
  return true;
}

bool read_file(const InputFile& file, const Files& files, bool skip_unknown, std::string& bytes,
               std::string& passed_over, std::string& error) {
  if (!file.is_named) return read_found(file, files, bytes, passed_over, error);
  // A pipe can be read once.
  if (!files.read(file.open_path, text::kMaxFileBytes, bytes, error, Readable::named)) return false;
  if (skip_unknown) passed_over = why_no_tree(text::root_name(bytes));
  return true;
}

// Why a parsed file is not a tree although its root element is one of a dialect's, or is similar to one; empty if it is
// one, or was meant as one.
std::string why_another_format(const std::shared_ptr<const text::ParsedXml>& parsed) {
  if (!parsed->has_document) {
    const std::optional<std::string> root = text::root_name(parsed->source->text());
    return root && kind_of_root(*root) == Root::near ? has_other_root(*root) : "";
  }
  const text::XmlDocument document(parsed, 0);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  if (dialect == nullptr && !meant_root(document).is_shown) {
    return has_other_root(document.root_name());
  }
  if (dialect != nullptr && is_spelt_otherwise(document, *dialect)) return has_other_root(document.root_name());
  if (dialect == nullptr || dialect->is_tree == nullptr || dialect->is_tree(document)) return "";
  return "it has the root element of " + std::string(dialect->name) + " trees, but none of their content";
}

// Runs in its own thread, which an exception must not leave.
void read_one(const InputFile& file, const Files& files, bool skip_unknown, ParsedFiles& parsed,
              const FactsReader* facts, ReadFile& result) {
  std::string reason;
  try {
    std::string bytes;
    if (read_file(file, files, skip_unknown, bytes, result.passed_over, reason) && result.passed_over.empty()) {
      const ContentHash content = facts == nullptr ? ContentHash() : content_hash(bytes);
      if (facts != nullptr) result.facts = facts->find(file, content);
      if (result.facts == nullptr) {
        if (file.is_named && !skip_unknown) result.parsed = not_xml(file.shown, bytes);
        const bool may_be_xml = result.parsed == nullptr;
        if (may_be_xml) result.parsed = parsed.parse(file.shown, std::move(bytes));
        if (may_be_xml && (!file.is_named || skip_unknown)) result.passed_over = why_another_format(result.parsed);
        if (facts != nullptr) result.facts = facts->make(file, content, result.parsed, result.passed_over);
      } else {
        result.passed_over = result.facts->passed_over;
      }
      result.is_of_another_format = !result.passed_over.empty();
      if (result.is_of_another_format) result.parsed = nullptr;
    }
  } catch (const std::bad_alloc&) {
    reason = "not enough memory";
  }
  if (!reason.empty()) result.error = "cannot read '" + file.shown + "': " + reason;
}

}  // namespace

std::vector<ReadFile> read_files(const std::vector<InputFile>& files, const Files& disk, bool skip_unknown,
                                 std::uint32_t thread_count, ParsedFiles& parsed, const FactsReader* facts,
                                 Progress* progress) {
  std::vector<ReadFile> result(files.size());
  if (progress != nullptr) progress->begin("reading files", files.size());
  text::run_parallel(files.size(), thread_count, 1, [&] {
    return [&](std::size_t i) {
      read_one(files[i], disk, skip_unknown, parsed, facts, result[i]);
      if (progress != nullptr) ++progress->done;
    };
  });
  return result;
}

}  // namespace espalier::project
