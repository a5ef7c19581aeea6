// Facts of a file. See file_facts.h.
#include "project/incremental/file_facts.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "project/engine_hosts.h"
#include "project/incremental/facts_bytes.h"
#include "project/other_kinds.h"
#include "project/roots.h"
#include "project/suppressions.h"

namespace espalier::project {
namespace {

// Moves spans of file 0 to another one. A span that is nowhere stays there.
struct SpanMover {
  text::FileId file;

  template <typename... Values>
  void operator()(Values&... values) {
    (move(values), ...);
  }

 private:
  void move(text::Span& span) {
    if (span != text::Span()) span.file = file;
  }
  void move(std::string&) {}
  template <typename Value>
  void move(std::vector<Value>& values) {
    for (Value& value : values) move(value);
  }
  template <typename Value>
  void move(std::optional<Value>& value) {
    if (value) move(*value);
  }
  template <typename First, typename Second>
  void move(std::pair<First, Second>& pair) {
    move(pair.first);
    move(pair.second);
  }
  template <typename Value>
  void move(Value& value) {
    if constexpr (!PlainValue<Value>) fields(*this, value);
  }
};

bool may_be_shared(NameKind kind) {
  return connects_files(kind) || kind == NameKind::signal || kind == NameKind::action;
}

std::vector<SharedName> shared_names_in(const text::XmlDocument& document, const dialects::Dialect& dialect,
                                        const dialects::File& place) {
  std::set<std::tuple<NameKind, NameUse, bool, std::string>> shared;
  // Joined files notice of one another what their summaries say.
  const auto is_wanted = dialect.is_joined ? connects_files : may_be_shared;
  for (Occurrence& each : project::names_of(document, dialect, place, is_wanted).all) {
    if (is_shared(each) && is_wanted(each.kind))
      shared.emplace(each.kind, each.use, each.is_implied, std::move(each.key));
  }
  std::vector<SharedName> names;
  for (const auto& [kind, use, is_implied, key] : shared) names.push_back({kind, use, is_implied, key});
  return names;
}

const dialects::btcpp::Framework& framework() {
  static const dialects::btcpp::Framework kNav2(nav2().nodes);
  return kNav2;
}

}  // namespace

const dialects::Dialect* owner_of(const FileFacts& facts) {
  const auto all = dialects::all();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const dialects::Dialect& each) { return each.id == facts.owner; });
  return found == all.end() ? nullptr : &*found;
}

std::shared_ptr<const dialects::btcpp::FileSummary> summary_in(text::FileId file, const FileFacts& facts) {
  if (facts.summary == nullptr || file == 0) return facts.summary;
  auto moved = std::make_shared<dialects::btcpp::FileSummary>(*facts.summary);
  SpanMover mover{file};
  fields(mover, *moved);
  return moved;
}

ContentHash place_of(const InputFile& input, bool skip_unknown) {
  const std::string reading = std::string(input.is_named ? "named" : "found") + (skip_unknown ? ", or skipped" : "");
  return content_hash(input.open_path + '\0' + input.below + '\0' + input.canonical + '\0' + reading);
}

FileFacts facts_of(const std::shared_ptr<const text::ParsedXml>& parsed, const dialects::File& place) {
  FileFacts facts;
  facts.has_document = parsed->has_document;
  facts.is_damaged = !parsed->has_document || parsed->is_damaged;
  if (!parsed->has_document) return facts;
  const text::XmlDocument document(parsed, 0);
  facts.root_name = document.root_name();
  facts.root = document.root_span();
  for (const text::Comment& comment : document.comments()) {
    facts.has_comments = true;
    if (may_be_suppression(comment, document.source().text())) facts.suppressions.push_back(comment);
  }
  const dialects::Dialect* const owner = owner_of(document);
  if (owner == nullptr || (!document.is_damaged() && !other_root(document, *owner).name.empty())) return facts;
  facts.owner = owner->id;
  facts.has_several = document.root() && document.root().child_count() > 1;
  facts.names = shared_names_in(document, *owner, place);
  if (owner->is_joined) facts.summary = dialects::btcpp::summarize(document, &framework());
  return facts;
}

}  // namespace espalier::project
