// Pages that a browser opens from disk: a template, with data as JSON in it. See pictures.h.
#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "pictures/page_texts.h"
#include "report/json_text.h"
#include "report/output_form.h"
#include "report/pictures/painted.h"
#include "report/pictures/pictures.h"
#include "report/xml_text.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

Json node_json(PictureNode node, std::size_t file) {
  fit_rows(node);
  Json json = {{"kind", name_of(node.role)}, {"type", node.type}};
  if (!node.signs.empty()) json["sign"] = node.signs;
  if (!node.name.empty()) json["name"] = node.name;
  if (!node.note.empty()) json["note"] = node.note;
  if (node.is_block) json["block"] = true;
  if (node.parent != kNoParent) json["parent"] = node.parent;
  for (const PictureRow& row : node.rows) json["rows"].push_back({row.label, row.arrow, row.value});
  if (!node.tags.empty()) json["tags"] = node.tags;
  if (!node.details.empty()) json["details"] = node.details;
  if (!node.items.empty()) json["items"] = node.items;
  if (!node.findings.empty()) json["findings"] = node.findings;
  for (const PictureItem& item : node.covered) {
    Json& covered = json["covered"].emplace_back(Json{{"text", item.text}});
    if (!item.traces.empty()) covered["traces"] = item.traces;
    if (!item.trace.empty()) covered["steps"] = item.steps;
    if (!item.trace.empty()) covered["trace"] = item.trace;
  }
  if (node.reached != ' ') json["reached"] = std::string(1, node.reached);
  if (node.heat != 0) json["heat"] = node.heat;
  if (node.line != 0) json["file"] = file;
  if (node.line != 0) json["line"] = node.line;
  return json;
}

// In a script element nothing may end it, or begin a comment.
std::string script_safe(std::string_view json) {
  std::string safe;
  for (const char letter : json) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe += letter;
    }
  }
  return safe;
}

constexpr std::pair<std::string_view, PictureFormat> kPictureFormats[] = {{"svg", PictureFormat::svg},
                                                                          {"dot", PictureFormat::dot},
                                                                          {"mermaid", PictureFormat::mermaid},
                                                                          {"html", PictureFormat::html},
                                                                          {"png", PictureFormat::png},
                                                                          {"pdf", PictureFormat::pdf},
                                                                          {"pdf-pages", PictureFormat::pdf_pages}};

}  // namespace

bool is_picture_format(std::string_view name) {
  return std::any_of(std::begin(kPictureFormats), std::end(kPictureFormats),
                     [&](const auto& format) { return format.first == name; });
}

PictureFormat picture_format(std::string_view name) {
  const auto* const format = std::find_if(std::begin(kPictureFormats), std::end(kPictureFormats),
                                          [&](const auto& each) { return each.first == name; });
  return format == std::end(kPictureFormats) ? PictureFormat::svg : format->second;
}

std::string trees_json(std::span<const PictureTree> trees, std::span<const PictureSource> sources) {
  std::map<std::string, std::size_t> numbers;
  Json files = Json::array();
  Json list = Json::array();
  for (const PictureTree& tree : trees) {
    Json nodes = Json::array();
    for (const PictureNode& node : tree.nodes) {
      const auto [file, is_new] = numbers.emplace(node.file, numbers.size());
      if (is_new) files.push_back(node.file);
      nodes.push_back(node_json(node, file->second));
    }
    Json json = {{"name", tree.name}, {"dialect", tree.dialect}, {"nodes", std::move(nodes)}};
    if (!tree.findings.empty()) json["findings"] = tree.findings;
    list.push_back(std::move(json));
  }
  Json lines = Json::array();
  for (const Json& file : files) {
    const auto source =
        std::find_if(sources.begin(), sources.end(), [&](const PictureSource& each) { return each.path == file; });
    lines.push_back(source == sources.end() ? Json() : Json(source->lines));
  }
  return "\"files\":" + json_line(files) + ",\"sources\":" + json_line(lines) + ",\"trees\":" + json_line(list);
}

void write_page(std::string_view title, std::string_view data, std::ostream& out, bool is_live, std::string_view text) {
  const FormScope scope(out, OutputForm::document);
  for (std::string_view rest = kPageText; !rest.empty();) {
    const std::size_t begin = rest.find("{{");
    out << rest.substr(0, begin);
    if (begin == std::string_view::npos) return;
    const std::size_t end = rest.find("}}", begin);
    const std::string_view part = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (part == "title") out << xml_text(text::visible(title));
    if (part == "connections") out << (is_live ? "; connect-src 'self'" : "");
    if (part == "style") out << kTokensText << kTreeStyleText << kMarksStyleText << kStyleText << kVersionsStyleText;
    if (part == "text") out << text;
    if (part == "signs") out << kSignsText;
    if (part == "data") out << script_safe(data);
    if (part == "script")
      out << kLayoutScriptText << kTreeScriptText << kScriptText << kReplayScriptText << kStoryScriptText
          << kTimesScriptText << kCoverScriptText << kVersionsScriptText;
  }
}

bool lacks_painter(PictureFormat format) { return format >= PictureFormat::png && !can_paint(); }

void write_picture(std::span<const PictureTree> trees, std::span<const PictureSource> sources, std::string_view title,
                   PictureFormat format, std::ostream& out) {
  const FormScope scope(out, format == PictureFormat::svg ? OutputForm::xml : OutputForm::document);
  if (format == PictureFormat::dot) write_dot(trees, out);
  if (format == PictureFormat::mermaid) write_mermaid(trees, out);
  if (format == PictureFormat::svg) write_svg(trees, out);
  if (format == PictureFormat::html) write_page(title, "{" + trees_json(trees, sources) + "}", out);
  if (format < PictureFormat::png) return;
  std::ostringstream svg;
  write_svg(trees, svg);
  const Paper paper = format == PictureFormat::png   ? Paper::png
                      : format == PictureFormat::pdf ? Paper::one_page
                                                     : Paper::many_pages;
  write_unguarded(out, painted(svg.str(), paper));
}

}  // namespace espalier::report
