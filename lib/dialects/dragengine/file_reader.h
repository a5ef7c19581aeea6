// Reads the rules of one file and reports the faults that can be found without other files.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/host_rules.h"
#include "dialects/dragengine/rule_file.h"
#include "dialects/reading/attributes.h"
#include "dialects/reading/name_table.h"

namespace espalier::dialects::dragengine {

class FileReader {
 public:
  FileReader(HostRules& hosts, text::Findings& findings) : hosts_(hosts), reporter_(findings) {}

  // A reader reads only one file.
  [[nodiscard]] RuleFile read(const File& file);

 private:
  // The text of an element: trimmed, blanks collapsed.
  struct RuleText {
    std::string text;
    Span span;              // from the first to the last non-blank character; for an empty text, of the element's name
    bool is_split = false;  // the engine reads only the first piece, which is not all of the text
  };
  // A parameter of a rule as it is written; one set serves its action and its conditions.
  struct Parameter {
    std::string_view name;
    Span name_span;
    RuleText value;
  };
  // The contents of a rule other than rules; they are checked when all are known.
  struct Parts {
    std::vector<Parameter> parameters;
    std::vector<RuleText> conditions;
    Element first_parameter;
    Element first_condition;  // even if it has no name
    layout::QueryMode ask_mode = layout::QueryMode::all_true;
    bool has_faulty_mode = false;
    Element mode;                  // the last one
    bool lacks_parameter = false;  // the name of one is missing
    bool lacks_condition = false;
  };
  // Where an element is.
  struct Place {
    const FileRule* list;       // the nearest one in this file that has an id; null: none
    const ElementRow& parent;   // as which the element around it is read
    bool is_understood = true;  // false: the element around it is unknown
    bool has_value_in_text = false;
  };

  // file_reader.cpp
  void check_document(const text::XmlDocument& document);
  void read_content(const Element& element, const Place& place, std::vector<FileRule>& rules, Parts& parts);
  FileRule read_rule(const Element& element, const ElementRow& kind, const FileRule* list);
  FileRule read_attributes(const Element& element, const ElementRow& kind, const FileRule* list, Place& place);
  void read_misplaced(const Element& element, const Place& place, Parts& parts_around);
  const ElementRow* report_misplaced(const Element& element, const ElementRow* known, const ElementRow& parent);
  void read_id(const Attribute& attribute, const FileRule* list, FileRule& rule);
  bool read_boolean(const Attribute& attribute);

  // parts.cpp
  void read_part(const Element& element, const ElementRow& kind, Parts& parts);
  void read_parameter(const Element& element, const ElementRow& kind, Parts& parts);
  void read_condition(const Element& element, const ElementRow& kind, Parts& parts);
  void read_mode(const Element& element, const ElementRow& kind, Parts& parts);
  void read_path(const Element& element, FileRule& rule);
  static RuleText text_of(const Element& element);
  RuleText read_text(const Element& element);
  void report_split(const Element& element, Span span);
  void finish_rule(Parts& parts, FileRule& rule);
  void drop_repeated_parameters(Parts& parts);
  void check_repeated_conditions(const Parts& parts);
  void check_shared(const Parameter& parameter, std::span<const ParameterReader> conditions);
  void check_hosts(const Parts& parts, bool asks, FileRule& rule);

  HostRules& hosts_;
  Reporter reporter_;
  bool has_faulty_rules_ = false;
  NameTable ids_{{"id", Rule::DRA_duplicate_id, Rule::DRA_duplicate_id}};  // within the file
  std::uint64_t id_bytes_ = 0;                                             // of the ids read so far
  bool has_too_many_ids_ = false;
};

}  // namespace espalier::dialects::dragengine
