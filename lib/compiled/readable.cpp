// Texts without errors. See readable.h.
#include "compiled/readable.h"

#include <algorithm>
#include <map>
#include <set>

#include "dialects/dialect.h"
#include "rules/btcpp.h"

namespace espalier::compiled {
namespace {

using text::Attribute;
using text::Element;

// What is to be written in place of a part of a text.
struct Replaced {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text = {};
};

// Lines stay where they are.
std::string blank(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\n' || c == '\r' ? c : ' ';
  return result;
}

// A tree that is not known, so that those that use it are left out.
bool is_left_out(const text::Finding& finding) {
  return finding.rule == rules::BTC_trees_elsewhere || finding.rule == rules::BTC_package_unknown;
}

class Repairs {
 public:
  explicit Repairs(const text::XmlDocument& document) : source_(document.source().text()), root_(document.root()) {}

  void add(const text::Finding& finding) {
    const Element element = root_ ? innermost(root_, finding.span.begin) : Element();
    if (!element || element == root_) return;
    if (finding.rule == rules::BTC_unknown_tree && is_subtree(element)) return be_action(element);
    if (finding.rule == rules::BTC_explicit_under_reactive && element.attribute("ID")) {
      if (done_.insert(element.id()).second) make_compact(element);
      return;
    }
    if (finding.rule == rules::BTC_bad_name) return make_plain(finding.span);
    if (element.name() == "BehaviorTree") return;
    for (const Attribute& attribute : element.attributes()) {
      const bool is_here =
          attribute.name_span().begin <= finding.span.begin && finding.span.begin <= attribute.value_span().end;
      if (!is_here || attribute.name() == "ID" || element.name() == "include") continue;
      if (finding.rule == rules::BTC_numeric_prefix) return leave_number(attribute);
      if (done_.insert(attribute.name_span().begin).second)
        leave_out(attribute.name_span().begin, attribute.value_span().end + 1);
      return;
    }
    if (done_.insert(element.id()).second) replace(element);
  }

  // Subtrees that are none of these.
  void add_missing(const std::set<std::string, std::less<>>& trees) {
    if (root_ && root_.name() == "root") add_missing(root_, trees);
  }

  // Those within others are left out.
  std::string text() {
    std::sort(replaced_.begin(), replaced_.end(), [](const Replaced& a, const Replaced& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::string result;
    std::uint32_t place = 0;
    for (const Replaced& each : replaced_) {
      if (each.begin < place) continue;
      result += source_.substr(place, each.begin - place);
      result += each.text;
      place = each.end;
    }
    return result + std::string(source_.substr(place));
  }
  bool has_some() const { return !replaced_.empty(); }

 private:
  std::uint32_t begin_of(const Element& element) const { return element.span().begin - 1; }
  std::uint32_t end_of(const Element& element) const {
    const text::Span end = element.end_span();
    const std::uint32_t from = end.begin != end.end ? end.end : last_in_tag(element);
    const std::size_t close = source_.find('>', from);
    return static_cast<std::uint32_t>(close == std::string_view::npos ? source_.size() : close + 1);
  }
  static std::uint32_t last_in_tag(const Element& element) {
    std::uint32_t last = element.span().end;
    for (const Attribute& attribute : element.attributes()) last = std::max(last, attribute.value_span().end);
    return last;
  }

  Element innermost(const Element& in, std::uint32_t place) const {
    for (Element child = in.first_child(); child; child = child.next_sibling()) {
      if (begin_of(child) <= place && place < end_of(child)) return innermost(child, place);
    }
    return in;
  }

  static bool is_subtree(const Element& element) { return element.name().starts_with("SubTree"); }

  void add_missing(const Element& in, const std::set<std::string, std::less<>>& trees) {
    for (Element child = in.first_child(); child; child = child.next_sibling()) {
      const Attribute id = child.attribute("ID");
      if (is_subtree(child) && id && !trees.contains(id.value()) && is_in_tree(child)) be_action(child);
      add_missing(child, trees);
    }
  }

  void be_action(const Element& element) {
    if (done_.insert(element.id()).second) rename(element);
  }

  void leave_out(std::uint32_t begin, std::uint32_t end) {
    replaced_.push_back({begin, end, blank(source_.substr(begin, end - begin))});
  }

  // As much of the value as the library reads.
  void leave_number(const Attribute& attribute) {
    if (!done_.insert(attribute.name_span().begin).second) return;
    const text::Span span = attribute.value_span();
    const std::string_view value = source_.substr(span.begin, span.end - span.begin);
    const std::size_t other = value.find_first_not_of("+-0123456789.");
    const std::string_view number = value.substr(0, other == std::string_view::npos ? value.find('.') : other);
    if (number.empty()) return leave_out(attribute.name_span().begin, span.end + 1);
    replaced_.push_back({span.begin, span.end + 1,
                         std::string(number) + source_[span.end] + std::string(value.size() - number.size(), ' ')});
  }

  // An action gets the same ports.
  void rename(const Element& element) {
    replaced_.push_back({element.span().begin, element.span().end, "Action"});
    if (element.end_span().begin != element.end_span().end)
      replaced_.push_back({element.end_span().begin, element.end_span().end, "Action"});
    for (const Attribute& attribute : element.attributes()) {
      if (attribute.name().starts_with('_')) leave_out(attribute.name_span().begin, attribute.value_span().end + 1);
    }
  }

  void make_compact(const Element& element) {
    const Attribute id = element.attribute("ID");
    const std::string name(id.value());
    replaced_.push_back({element.span().begin, element.span().end, name});
    if (element.end_span().begin != element.end_span().end)
      replaced_.push_back({element.end_span().begin, element.end_span().end, name});
    leave_out(id.name_span().begin, id.value_span().end + 1);
  }

  void make_plain(text::Span span) {
    if (!done_.insert(span.begin).second) return;
    const std::string_view name = source_.substr(span.begin, span.end - span.begin);
    replaced_.push_back({span.begin, span.end, readable_name(name)});
    // The root may name the tree.
    const Attribute main = root_.attribute("main_tree_to_execute");
    const text::Span named = main ? main.value_span() : text::Span{};
    if (main && source_.substr(named.begin, named.end - named.begin) == name && done_.insert(named.begin).second)
      replaced_.push_back({named.begin, named.end, readable_name(name)});
  }

  void replace(const Element& element) {
    const std::uint32_t begin = begin_of(element);
    const std::uint32_t end = end_of(element);
    const std::string_view old = source_.substr(begin, end - begin);
    const bool is_node = root_.name() == "root" && element.name() != "BehaviorTree" && is_in_tree(element);
    std::string text = is_node ? '<' + std::string(element.name()) + "-not-read/>" : std::string();
    replaced_.push_back({begin, end, text + blank(old)});
  }

  static bool is_in_tree(const Element& element) {
    for (Element above = element.parent(); above; above = above.parent()) {
      if (above.name() == "BehaviorTree") return true;
    }
    return false;
  }

  const std::string_view source_;
  const Element root_;
  std::set<std::size_t> done_;
  std::vector<Replaced> replaced_;
};

}  // namespace

std::string readable_name(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (std::string_view(" <>&\"'/\\:*?|.").find(c) != std::string_view::npos) c = '_';
  }
  return plain;
}

bool is_whole(const project::Project& project) {
  return std::none_of(project.findings.all().begin(), project.findings.all().end(), [](const text::Finding& finding) {
    return finding.severity == text::Severity::error || is_left_out(finding);
  });
}

std::vector<TextChanges::File> readable_texts(const project::Project& project) {
  std::vector<std::pair<const project::SnapshotFile*, std::unique_ptr<text::XmlDocument>>> documents;
  std::set<std::string, std::less<>> trees;
  for (const project::SnapshotFile& file : project.snapshot.files) {
    if (!file.place.is_tree) continue;
    const text::Source& source = project.snapshot.sources[file.id];
    auto document = parse_as_dialect(source);
    if (document == nullptr || document->is_damaged() || !document->root()) continue;
    for (const Element& child : document->root().children()) {
      const Attribute id = child.attribute("ID");
      if (child.name() == "BehaviorTree" && id) trees.emplace(id.value());
    }
    documents.emplace_back(&file, std::move(document));
  }
  std::vector<TextChanges::File> files;
  for (const auto& [file, document] : documents) {
    Repairs repairs(*document);
    for (const text::Finding& finding : project.findings.all()) {
      if (finding.severity == text::Severity::error && finding.span.file == file->id) repairs.add(finding);
    }
    repairs.add_missing(trees);
    if (repairs.has_some())
      files.push_back({file->open_path.empty() ? file->place.path : file->open_path, repairs.text()});
  }
  return files;
}

}  // namespace espalier::compiled
