// Elements by their places. See element_places.h.
#include "compiled/element_places.h"

#include <memory>

#include "text/xml.h"

namespace espalier::compiled {

ElementPlaces::ElementPlaces(const text::Sources& sources) {
  for (std::uint32_t i = 0; i < sources.size(); ++i) sources_.emplace(sources[i].path(), &sources[i]);
}

const WrittenElement* ElementPlaces::find(const codegen::NodeDebug& place) {
  const auto source = sources_.find(place.file);
  if (source == sources_.end()) return nullptr;
  const auto [file, is_new] = files_.try_emplace(source->first);
  if (is_new) read(*source->second, file->second);
  const auto found = file->second.find({place.line, place.column});
  return found == file->second.end() ? nullptr : &found->second;
}

void ElementPlaces::read(const text::Source& source, File& file) {
  std::shared_ptr<const text::ParsedXml> parsed = text::parse_xml(source.path(), source.text());
  if (!parsed->has_document || parsed->is_damaged) return;
  const text::XmlDocument document(std::move(parsed), 0);
  std::vector<text::Element> open = {document.root()};
  while (!open.empty()) {
    const text::Element element = open.back();
    open.pop_back();
    if (!element) continue;
    const text::Position place = source.position(element.span().begin);
    WrittenElement& written = file[{place.line, place.column}];
    written.name = element.name();
    for (const text::Attribute& attribute : element.attributes())
      written.attributes.emplace_back(attribute.name(), attribute.value());
    for (const text::Element& child : element.children()) open.push_back(child);
  }
}

}  // namespace espalier::compiled
