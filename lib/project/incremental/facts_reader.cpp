// Facts of files as they are read. See facts_reader.h.
#include "project/incremental/facts_reader.h"

#include "project/includes.h"
#include "project/incremental/file_facts.h"
#include "project/incremental/kept_facts.h"
#include "project/place.h"

namespace espalier::project {

std::shared_ptr<const FileFacts> FactsReader::find(const InputFile& input, const ContentHash& content) const {
  if (kept_ == nullptr) return nullptr;
  const auto found = kept_->files.find(input.shown);
  if (found == kept_->files.end() || found->second->content != content ||
      found->second->place != place_of(input, skip_unknown_))
    return nullptr;
  return found->second;
}

std::shared_ptr<const FileFacts> FactsReader::make(const InputFile& input, const ContentHash& content,
                                                   const std::shared_ptr<const text::ParsedXml>& parsed,
                                                   const std::string& passed_over) const {
  auto facts = std::make_shared<FileFacts>();
  if (passed_over.empty()) {
    *facts = facts_of(parsed, place_in_project(input, folder_));
    facts->includes = includes_of(input, parsed, options_);
  }
  facts->content = content;
  facts->place = place_of(input, skip_unknown_);
  facts->path = input.shown;
  facts->passed_over = passed_over;
  return facts;
}

}  // namespace espalier::project
