// The members of what is kept of files and their findings, for bytes.h.
#pragma once
#include <optional>

#include "dialects/btcpp/file_summary.h"
#include "project/content_hash.h"
#include "project/incremental/bytes.h"
#include "project/incremental/file_facts.h"
#include "text/finding.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {

template <typename Io>
void fields(Io& io, ContentHash& hash) {
  io(hash.low, hash.high);
}

template <typename Io>
void fields(Io& io, text::Span& span) {
  io(span.file, span.begin, span.end);
}

// ---- Findings

template <typename Io>
void fields(Io& io, text::Related& related) {
  io(related.span, related.message, related.origin);
}

template <typename Io>
void fields(Io& io, text::Edit& edit) {
  io(edit.span, edit.replacement);
}

template <typename Io>
void fields(Io& io, text::Guess& guess) {
  std::optional<text::Span> declared =
      guess.declared == text::Span() ? std::nullopt : std::optional(guess.declared);  // no span of the first file
  io(guess.of, guess.written, guess.meant, declared, guess.is_told_once);
  guess.declared = declared.value_or(text::Span());
}

// What it rests on is not kept: fixes are applied to what has just been read.
template <typename Io>
void fields(Io& io, text::Fix& fix) {
  io(fix.title, fix.grade, fix.edits, fix.guess);
}

template <typename Io>
void fields(Io& io, text::Witness& witness) {
  io(witness.shows, witness.trace, witness.tree, witness.agent_count, witness.seed, witness.events, witness.expect);
}

template <typename Io>
void fields(Io& io, text::Claim::At& at) {
  io(at.happens, at.node);
}

template <typename Io>
void fields(Io& io, text::Claim& claim) {
  io(claim.shows, claim.tree, claim.nodes);
}

template <typename Io>
void fields(Io& io, text::Finding& finding) {
  io(finding.rule, finding.severity, finding.span, finding.message, finding.hint, finding.related, finding.fixes,
     finding.witness, finding.claim);
}

// ---- Summaries of BehaviorTree.CPP's files

template <typename Io>
void fields(Io& io, dialects::btcpp::TreeReference& reference) {
  io(reference.name, reference.span, reference.id_span, reference.path);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::TreeSummary& tree) {
  io(tree.name, tree.span, tree.references, tree.path, tree.is_misspelt);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::IncludeSummary& include) {
  io(include.path, include.path_span, include.package, include.package_span, include.span);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::Type& type) {
  io(type.kind, type.bits, type.is_signed, type.name);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::Port& port) {
  io(port.name, port.type, port.direction, port.otherwise, port.missing, port.role, port.doc, port.has_type,
     port.gives_type, port.gives_direction);
}

// Of a model: it is the host's.
template <typename Io>
void fields(Io& io, dialects::btcpp::Declaration& node) {
  io(node.name, node.kind, node.built, node.by, node.is_sync, node.has_as, node.results, node.gives_kind,
     node.fails_from_idle, node.is_built_in, node.ports, node.span, node.doc);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::SubtreeModel& model) {
  io(model.ports, model.span);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::PortUse& use) {
  io(use.name, use.count);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::NodeUse& use) {
  io(use.name, use.count, use.ports);
}

template <typename Io>
void fields(Io& io, dialects::btcpp::FileSummary& summary) {
  io(summary.format, summary.is_of_format_3, summary.is_of_fork, summary.main, summary.main_span, summary.trees,
     summary.includes, summary.models.nodes, summary.models.subtrees, summary.nodes, summary.of_nav2, summary.declared);
}

// ---- Facts

template <typename Io>
void fields(Io& io, text::Comment& comment) {
  io(comment.span, comment.subject, comment.is_before_root);
}

template <typename Io>
void fields(Io& io, SharedName& name) {
  io(name.kind, name.use, name.is_implied, name.key);
}

template <typename Io>
void fields(Io& io, FileFacts& facts) {
  io(facts.path, facts.content, facts.place, facts.passed_over, facts.has_document, facts.is_damaged, facts.root_name,
     facts.root, facts.owner, facts.includes, facts.has_comments, facts.suppressions, facts.has_several, facts.names,
     facts.summary);
}

}  // namespace espalier::project
