// Facts of files as they are read: those of before for bytes that are known, else new ones. Safe to use from several
// threads.
#pragma once
#include <memory>
#include <string>

#include "dialects/dialect.h"
#include "project/collect.h"
#include "project/content_hash.h"
#include "text/xml.h"

namespace espalier::project {

struct FileFacts;
struct Kept;

class FactsReader {
 public:
  // `kept`: null: nothing is known. `folder`: of the project. All must outlive this.
  FactsReader(const Kept* kept, const dialects::Options& options, const std::string& folder, bool skip_unknown)
      : kept_(kept), options_(options), folder_(folder), skip_unknown_(skip_unknown) {}

  // Null: not known. `content`: of its bytes.
  [[nodiscard]] std::shared_ptr<const FileFacts> find(const InputFile& input, const ContentHash& content) const;
  // `passed_over`: why the file is not a tree; empty: it is one.
  [[nodiscard]] std::shared_ptr<const FileFacts> make(const InputFile& input, const ContentHash& content,
                                                      const std::shared_ptr<const text::ParsedXml>& parsed,
                                                      const std::string& passed_over) const;

 private:
  const Kept* kept_;
  const dialects::Options& options_;
  const std::string& folder_;
  bool skip_unknown_;
};

}  // namespace espalier::project
