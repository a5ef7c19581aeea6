// From one file to its rules, with everything that is wrong in it by itself.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/host_rules.h"
#include "dialects/dragengine/rule_file.h"

namespace espalier::dialects::dragengine {

class FileReader {
 public:
  FileReader(HostRules& hosts, text::Findings& findings) : hosts_(hosts), findings_(findings) {}

  // A reader reads one file.
  [[nodiscard]] RuleFile read(const File& file);

 private:
  // What stands in a rule beside rules, and cannot be judged before all of it is known.
  struct Parts {
    std::vector<WrittenParameter> parameters;
    std::vector<WrittenCondition> conditions;
    Element first_parameter;
    Element first_condition;  // one without a name too
    layout::QueryMode ask_mode = layout::QueryMode::all_true;
    bool has_faulty_mode = false;
    Element mode;                  // the last one
    bool lacks_parameter = false;  // of one that is there the name is missing
    bool lacks_condition = false;
    std::vector<std::size_t> counting;  // the parameters that count, in order: of several of a name the last
  };
  // What gets the parameters of a rule: its action, its conditions.
  struct Reader {
    const HostDeclaration* host;
    Span span;  // of its name
  };
  struct Readers {
    std::vector<Reader> known;  // each once
    bool has_unknown = false;
  };
  // Where an element stands.
  struct Place {
    const FileRule* list;       // the nearest one in this file that has an id; null: none
    std::string_view name;      // of the element it stands in
    Holds holds;                // what that holds
    bool is_understood = true;  // false: it stands in an element that is no rule
  };

  // file_reader.cpp
  void check_document(const text::XmlDocument& document);
  void read_below(const Element& element, const Place& place, std::vector<FileRule>& rules, Parts& parts);
  FileRule read_rule(const Element& element, const RuleElement& kind, const FileRule* list);
  FileRule read_rule_alone(const Element& element, const RuleElement& kind, const FileRule* list);
  void read_misplaced(const Element& element, const Place& place, Parts& parts_around);
  void read_id(const Attribute& attribute, const FileRule* list, FileRule& rule);
  bool read_boolean(const Attribute& attribute);
  void check_attributes(const Element& element, std::span<const std::string_view> known,
                        std::string_view required = {});
  void warn_of_text(const Element& element);
  text::Finding& report(Rule rule, Span span, std::string message, std::string hint = {});
  [[nodiscard]] bool may_guess(std::size_t candidate_count);
  std::string guess(std::string_view name, const std::vector<std::string_view>& candidates);

  // parts.cpp
  void read_part(const Element& element, std::string_view name, Parts& parts);
  void read_parameter(const Element& element, Parts& parts);
  void read_condition(const Element& element, Parts& parts);
  void read_mode(const Element& element, Parts& parts);
  void finish_rule(Parts& parts, FileRule& rule);
  void read_path(const Element& element, FileRule& rule);
  std::string read_text(const Element& element, Span* span);
  void report_split(const Element& element, Span span);
  void take_parameters(Parts& parts, FileRule& rule);
  void check_repeated_conditions(const Parts& parts);

  // parameters.cpp
  void check_hosts(const Parts& parts, bool asks, FileRule& rule);
  void check_parameters(const Parts& parts, const Readers& readers);
  // Those that nothing reads go to `unread`.
  void check_parameter(const WrittenParameter& parameter, const Readers& readers,
                       std::vector<const WrittenParameter*>& unread);
  void check_needed(const Parts& parts, const Readers& readers, std::vector<const WrittenParameter*>& unread);
  void report_unread(const WrittenParameter& parameter, const Readers& readers);

  HostRules& hosts_;
  text::Findings& findings_;
  bool has_errors_ = false;
  bool has_faulty_rules_ = false;
  std::unordered_map<std::string, Span> ids_;  // within the file
  std::uint64_t id_bytes_ = 0;                 // of those, as far as they are read
  bool has_too_many_ids_ = false;
  std::size_t compared_names_ = 0;
};

}  // namespace espalier::dialects::dragengine
