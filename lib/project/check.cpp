// Dialects, analyses, suppressions and severities, on the files of a snapshot. See check.h.
#include "project/check.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialects/btcpp/options.h"
#include "dialects/dialect.h"
#include "dialects/modular/options.h"
#include "dialects/reading/checks.h"
#include "ir/poll/expand.h"
#include "ir/store_needs.h"
#include "lint/lint.h"
#include "project/damage.h"
#include "project/engine_hosts.h"
#include "project/incremental/file_facts.h"
#include "project/other_kinds.h"
#include "project/roots.h"
#include "project/safe_fixes.h"
#include "project/severities.h"
#include "project/suppressions.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "rules/synchronized.h"
#include "rules/xml.h"
#include "script/syntax.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using text::Rule;
using Documents = std::vector<std::unique_ptr<text::XmlDocument>>;

// The related places of findings. A root element among them is already reported where another file names its file.
std::set<text::Span> related_places(const text::Findings& findings) {
  std::set<text::Span> places;
  for (const text::Finding& finding : findings.all()) {
    for (const text::Related& related : finding.related) places.insert(related.span);
  }
  return places;
}

// The root element of a file, and the dialect that owns it; null if none does, or the file has no document.
struct FileRoot {
  bool is_known = false;  // else there is none
  std::string name;
  text::Span span;
  const dialects::Dialect* owner = nullptr;
  bool is_reported = false;  // it is around another dialect's content
};

// Is it a file of which only facts are known?
bool is_left_out(const SnapshotFile& file) {
  return file.parsed == nullptr && file.facts != nullptr && file.place.is_tree;
}

// `files`: those of the snapshot, with their documents.
std::vector<FileRoot> roots_of(const Snapshot& snapshot, const std::vector<dialects::File>& files) {
  std::vector<FileRoot> roots(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const SnapshotFile& file = snapshot.files[i];
    if (const text::XmlDocument* const document = files[i].document) {
      roots[i] = {true, std::string(document->root_name()), document->root_span(), owner_of(*document)};
    } else if (is_left_out(file) && file.facts->has_document) {
      const text::Span root = file.facts->root;
      roots[i] = {true, file.facts->root_name, {file.id, root.begin, root.end}, owner_of(*file.facts)};
    }
  }
  return roots;
}

// A file whose content is another dialect's is read by none.
void report_other_kinds(const std::vector<dialects::File>& files, std::vector<FileRoot>& roots,
                        text::Findings& findings) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (roots[i].owner == nullptr || files[i].document == nullptr || files[i].document->is_damaged()) continue;
    const OtherRoot other = other_root(*files[i].document, *roots[i].owner);
    if (other.name.empty()) continue;
    findings.add(rules::XML_other_kind_of_tree, roots[i].span,
                 "the content of " + text::quote(roots[i].name) + " belongs in " + text::quote(other.name),
                 "did you mean " + text::quote(other.name) + (other.is_wrapped ? ", without a 'Root'?" : "?"));
    roots[i].owner = nullptr;
    roots[i].is_reported = true;
  }
}

// Passes each document to the dialect that owns its root element. Files that cannot be read have no document.
// `roots`: of the files. Of those that are left out, only what joined dialects know of them is read. `options`: for
// each dialect, what it does not own is set in them.
void read_dialects(const std::vector<dialects::File>& files, std::vector<FileRoot> roots, dialects::Options& options,
                   const Damage& damage, Checked& project) {
  report_other_kinds(files, roots, project.findings);
  std::set<const dialects::Dialect*> with_documents;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].document != nullptr) with_documents.insert(roots[i].owner);
  }
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (with_documents.count(&dialect) == 0) continue;
    options.other_files.clear();
    options.files_elsewhere = 0;
    std::vector<dialects::File> own;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (roots[i].owner == &dialect) {
        if (files[i].document != nullptr || dialect.is_joined) {
          own.push_back(files[i]);
        } else {
          ++options.files_elsewhere;
        }
      } else {
        dialects::OtherFile& other = options.other_files.emplace_back();
        other.path = files[i].path;
        other.is_tree = files[i].is_tree;
        if (!roots[i].is_known) continue;
        other.root = roots[i].span;
        other.has_near_root = roots[i].owner == nullptr &&
                              !text::nearest(text::local_name(roots[i].name), dialects::roots_of(dialect)).empty();
      }
    }
    // A name may be declared in the missing part of a file that ends too early.
    if (damage.is_cut()) options.other_files.emplace_back();
    dialect.read(own, options, project.ir, project.findings);
    for (ir::Tree& tree : project.ir.trees) {
      if (!tree.dialect) tree.dialect = dialect.id;
    }
  }
  const std::set<text::Span> told = related_places(project.findings);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (roots[i].owner != nullptr || roots[i].is_reported || files[i].document == nullptr ||
        told.count(roots[i].span) != 0)
      continue;
    const std::string_view meant = meant_root(*files[i].document).name;
    text::Finding& finding =
        project.findings.add(rules::XML_unknown_root_element, roots[i].span,
                             "unknown root element " + text::quote(roots[i].name), hint_for_root(roots[i].name, meant));
    if (!meant.empty()) {
      dialects::add_renaming(finding, files[i].document->root(), meant, text::FixGrade::unsafe);
    }
  }
}

// A fix in an entity's text, or in repaired text, would replace something else in the source.
void drop_fixes_of_references(const Documents& all, text::Findings& findings) {
  std::map<text::FileId, const text::XmlDocument*> documents;
  for (const std::unique_ptr<text::XmlDocument>& document : all) {
    if (document->has_expansions()) documents.emplace(document->file(), document.get());
  }
  if (documents.empty()) return;
  for (text::Finding& finding : findings.all()) {
    if (rules::info(finding.rule).code.substr(0, 3) == "XML") continue;  // the scanner's own fixes apply to the source
    const auto is_expanded = [&](const text::Edit& edit) {
      const auto document = documents.find(edit.span.file);
      return document != documents.end() && document->second->is_expanded(edit.span);
    };
    std::erase_if(finding.fixes,
                  [&](const text::Fix& fix) { return std::any_of(fix.edits.begin(), fix.edits.end(), is_expanded); });
  }
}

std::vector<dialects::ScriptNote> note_script(std::string_view source) {
  std::vector<dialects::ScriptNote> notes;
  for (script::PortabilityNote& note : script::portability_notes(source)) {
    notes.push_back({note.begin, note.end, std::move(note.message), std::move(note.hint)});
  }
  const std::optional<std::uint32_t> comment = script::find_open_comment(source);
  if (comment) notes.push_back({*comment, static_cast<std::uint32_t>(source.size()), {}, {}});
  return notes;
}

// Trees with errors are not in the project.
bool lacks_trees(const Checked& checked) {
  const std::vector<text::Finding>& findings = checked.findings.all();
  const auto is_error = [](const text::Finding& finding) { return finding.severity == rules::Severity::error; };
  const auto is_doubtful = [](const ir::Tree& tree) { return tree.is_doubtful; };
  return std::any_of(findings.begin(), findings.end(), is_error) ||
         std::any_of(checked.ir.trees.begin(), checked.ir.trees.end(), is_doubtful);
}

// The actions that a project declares, of all dialects.
template <typename Visit>
void each_action(const dialects::Options& options, Visit visit) {
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (dialect.configuration.declared == nullptr) continue;
    for (const dialects::DeclaredNames& list : dialect.configuration.declared(options)) {
      if (list.naming == dialects::NameKind::action) std::for_each(list.hosts.begin(), list.hosts.end(), visit);
    }
  }
}

// The events that the game and its nodes send, as declared; sorted.
std::vector<std::string> game_events(const dialects::Options& options) {
  std::set<std::string> events(options.events.begin(), options.events.end());
  each_action(options, [&](const dialects::HostDeclaration& host) {
    if (host.sends) events.insert(host.sends->begin(), host.sends->end());
  });
  return {events.begin(), events.end()};
}

// The prefixes of the codes of rules that apply to files with these root elements.
std::set<std::string_view> prefixes_of(const std::vector<FileRoot>& roots) {
  std::set<std::string_view> prefixes = {"XML"};
  for (const FileRoot& root : roots) {
    if (const dialects::Dialect* const dialect = root.is_known ? dialects::find_owner(root.name) : nullptr)
      prefixes.insert(dialect->prefix);
  }
  return prefixes;
}

// Reports configured severities that do not apply to some of the project's trees.
void report_not_configured(const std::vector<NotConfigured>& not_configured, const std::set<std::string_view>& prefixes,
                           text::Findings& findings) {
  for (const NotConfigured& each : not_configured) {
    if (prefixes.count(rules::info(each.rule).code.substr(0, 3)) != 0) findings.add(each.finding);
  }
}

std::vector<FileComments> comments_of(const Documents& documents) {
  std::vector<FileComments> files;
  for (const auto& document : documents) {
    std::vector<text::Comment> comments = document->comments();
    if (!comments.empty()) files.push_back({document->file(), std::move(comments)});
  }
  return files;
}

// Removes findings in files that were read only because other files refer to them.
void leave_out_rest(const std::set<text::FileId>& rest, text::Findings& findings) {
  std::erase_if(findings.all(), [&](const text::Finding& finding) { return rest.count(finding.span.file) != 0; });
}

// What is not found may be in a file that is not given. Only compiling reports it as an error then.
void explain_missing(text::Findings& findings) {
  for (text::Finding& finding : findings.all()) {
    const bool may_be_elsewhere =
        finding.rule == rules::SEL_unresolved_reference || finding.rule == rules::SYN_unknown_tree;
    if (may_be_elsewhere && finding.hint.empty()) finding.hint = "the rest of the project was not given";
  }
}

// Keeps the trees of the given files, and those that run in their slots.
void leave_out_other_trees(const std::set<text::FileId>& rest, ir::Project& project) {
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    if (rest.count(project.trees[i].span.file) == 0) given.push_back(i);
  }
  if (given.size() < project.trees.size()) ir::leave_reached(project, ir::store_needs(project), given);
}

// What actions and behaviours of all dialects are declared with. Those of one name are one behaviour of the asset.
auto declared_behaviors(const dialects::Options& facts) {
  decltype(ir::Project::behaviors) behaviors;
  const auto add = [&](const dialects::HostDeclaration& host) {
    if (!host.has_times && host.text == nullptr && host.memory_bytes == 0) return;
    ir::HostBehavior& behavior = behaviors[host.name];
    behavior.memory_bytes = std::max(behavior.memory_bytes, host.memory_bytes);
    behavior.keeps_times = behavior.keeps_times || host.has_times;
    if (behavior.text == nullptr) behavior.text = host.text;
  };
  each_action(facts, add);
  std::for_each(facts.own_behaviors.begin(), facts.own_behaviors.end(), add);
  return behaviors;
}

// Is a document that has been read still needed, if none is damaged?
bool is_still_needed(const std::unique_ptr<text::XmlDocument>& document) {
  return document != nullptr && document->has_expansions();
}

// Releases the trees of documents, and the documents, which become null, unless they are still needed.
auto releaser(Documents& documents, bool is_any_damaged) {
  std::unordered_map<const text::XmlDocument*, std::size_t> numbers;
  for (std::size_t i = 0; i < documents.size(); ++i) numbers.emplace(documents[i].get(), i);
  return [&documents, numbers = std::move(numbers), is_any_damaged](const text::XmlDocument& document) {
    std::unique_ptr<text::XmlDocument>& owner = documents[numbers.at(&document)];
    owner->release_tree();
    if (!is_any_damaged && !is_still_needed(owner)) owner.reset();
  };
}

// Findings that the configuration makes warnings or errors may be shown, and a suppression that suppresses none, whose
// comment may be anywhere, is a warning too.
lint::Shown shown_of(const Snapshot& snapshot, bool has_comments) {
  const auto raises = [](const Severities& severities) {
    return std::any_of(severities.begin(), severities.end(),
                       [](const auto& each) { return each.second && *each.second != rules::Severity::note; });
  };
  const Configuration& configuration = snapshot.configuration;
  const bool is_raised =
      raises(configuration.severities) || std::any_of(configuration.overrides.begin(), configuration.overrides.end(),
                                                      [&](const Override& each) { return raises(each.severities); });
  const bool may_suppress = has_comments && snapshot.shown != lint::Shown::nothing;
  return is_raised || may_suppress ? std::max(snapshot.shown, lint::Shown::words) : snapshot.shown;
}

DeclaringFiles declaring_files(const Snapshot& snapshot) {
  DeclaringFiles declaring{.are_apart = snapshot.keeps_findings_in_file};
  if (!snapshot.configuration.path.empty() && snapshot.sources.size() != 0) declaring.files.insert(0);
  for (const SnapshotFile& file : snapshot.files) {
    if (snapshot.rest.count(file.id) == 0) declaring.files.insert(file.id);
  }
  return declaring;
}

// Trees that poll can be compiled if there is no error in their files, and in those of the trees that they use.
void expand_written_trees(const std::vector<Rule>& lowered, Checked& checked) {
  std::set<text::FileId> faulty;
  for (const text::Finding& each : checked.findings.all()) {
    const bool is_lowered = std::find(lowered.begin(), lowered.end(), each.rule) != lowered.end();
    if (each.severity == rules::Severity::error && !is_lowered) faulty.insert(each.span.file);
  }
  ir::poll::expand(checked.ir, [&](const ir::poll::WrittenTree& tree) { return faulty.count(tree.span.file) != 0; });
}

using Parsed = std::vector<std::shared_ptr<const text::ParsedXml>>;

// `parsed`: of each file of the snapshot.
Examined examine_parsed(const Snapshot& snapshot, Parsed parsed, Progress* progress) {
  const auto begin = [&](const char* what) {
    if (progress != nullptr) progress->begin(what);
  };
  Examined examined;
  Checked& result = examined.checked;
  result.findings = snapshot.findings;
  Documents documents;
  std::vector<dialects::File> files;
  bool has_comments = false;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const SnapshotFile& file = snapshot.files[i];
    files.push_back(file.place);
    has_comments = has_comments || (is_left_out(file) && file.facts->has_comments);
    if (parsed[i] == nullptr || !parsed[i]->has_document) continue;
    documents.push_back(std::make_unique<text::XmlDocument>(std::move(parsed[i]), file.id));
    files.back().document = documents.back().get();
  }
  parsed.clear();
  std::vector<FileRoot> roots = roots_of(snapshot, files);
  dialects::Options facts = snapshot.configuration.dialects;
  // Reading what is known about engines takes longer than checking a small tree of another dialect.
  examined.prefixes = prefixes_of(roots);
  if (examined.prefixes.count("MBT") != 0) add_engine_knowledge(facts);
  dialects::modular::forget_other_engines(facts);
  auto& modular = facts.edit<dialects::ModularOptions>();
  modular.check_script = script::check_syntax;
  modular.note_script = note_script;
  modular.hint_script = script::syntax_hint;
  facts.edit<dialects::BtcppOptions>().nav2 = nav2;
  result.ir.events = game_events(facts);
  result.ir.behaviors = declared_behaviors(facts);
  begin("reading trees");
  const Damage damage(documents);
  examined.comments = comments_of(documents);
  has_comments = has_comments || !examined.comments.empty();
  facts.thread_count = snapshot.thread_count;
  facts.release = releaser(documents, damage.is_any());
  read_dialects(files, std::move(roots), facts, damage, result);
  lint::find_errors(result.ir, result.findings);
  if (snapshot.for_compiling && !facts.is_partial) expand_written_trees(facts.lowered, result);
  if (!snapshot.keeps_written) result.ir.written.reset();
  damage.leave_out_read(result.findings);
  files.clear();
  if (!damage.is_any()) std::erase_if(documents, [](const auto& document) { return !is_still_needed(document); });
  result.ir.lacks_trees = snapshot.elsewhere.lacks_some || lacks_trees(result);
  begin("checking trees");
  text::Findings analysed;
  lint::analyse(result.ir,
                {.signal_only = facts.signal_only,
                 .agent_count = modular.agent_count,
                 .engine_events = modular.engine_events,
                 .is_partial = facts.is_partial,
                 .events = facts.events,
                 .behaviors = facts.behaviors,
                 .engine = std::string(dialects::name_of(modular.engine)),
                 .thread_count = facts.thread_count,
                 .sent_elsewhere = &snapshot.elsewhere.sent,
                 .ticking_elsewhere = snapshot.elsewhere.ticking_count,
                 .sources = &snapshot.sources,
                 .gives_no_boolean = script::returns_no_boolean,
                 .shown = shown_of(snapshot, has_comments)},
                analysed);
  damage.leave_out_analysed(analysed);
  result.findings.merge(std::move(analysed));
  drop_fixes_of_references(documents, result.findings);
  return examined;
}

Parsed taken_from(Snapshot& snapshot) {
  Parsed parsed;
  for (SnapshotFile& file : snapshot.files) parsed.push_back(std::move(file.parsed));
  return parsed;
}

Checked check_parsed(const Snapshot& snapshot, Parsed parsed, Progress* progress) {
  Examined examined = examine_parsed(snapshot, std::move(parsed), progress);
  settle(snapshot, examined.prefixes, examined.comments, examined.checked.findings);
  if (snapshot.for_compiling) {
    leave_out_other_trees(snapshot.rest, examined.checked.ir);
    ir::tell_apart(examined.checked.ir);
  }
  return std::move(examined.checked);
}

}  // namespace

Examined examine_once(Snapshot& snapshot, Progress* progress) {
  return examine_parsed(snapshot, taken_from(snapshot), progress);
}

void settle(const Snapshot& snapshot, const std::set<std::string_view>& prefixes,
            const std::vector<FileComments>& comments, text::Findings& findings) {
  const std::vector<Rule>& lowered = snapshot.configuration.dialects.lowered;
  findings.sort(snapshot.sources);  // in whatever order they were found
  if (snapshot.lacks_rest) explain_missing(findings);
  settle_guesses(snapshot.sources, declaring_files(snapshot), findings);
  set_severities_of_rules(lowered, findings);
  apply_suppressions(comments, snapshot.sources, lowered, findings);
  report_not_configured(snapshot.configuration.not_configured, prefixes, findings);
  if (!snapshot.for_compiling) leave_out_rest(snapshot.rest, findings);
  apply_severities(snapshot.configuration, snapshot.paths_below, findings);
  findings.sort(snapshot.sources);
}

Checked check(const Snapshot& snapshot, Progress* progress) {
  Parsed parsed;
  for (const SnapshotFile& file : snapshot.files) parsed.push_back(file.parsed);
  return check_parsed(snapshot, std::move(parsed), progress);
}

Checked check_once(Snapshot& snapshot, Progress* progress) {
  return check_parsed(snapshot, taken_from(snapshot), progress);
}

}  // namespace espalier::project
