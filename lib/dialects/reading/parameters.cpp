// Parameters of the host's actions and conditions. See parameters.h.
#include "dialects/reading/parameters.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dialects/reading/checks.h"
#include "dialects/reading/host.h"
#include "dialects/reading/synonyms.h"

namespace espalier::dialects {
namespace {

class ParameterCheck {
 public:
  ParameterCheck(std::span<const GivenParameter> given, std::span<const ParameterReader> readers,
                 const ParameterRules& rules, Reporter& reporter)
      : given_(given), readers_(readers), rules_(rules), reporter_(reporter) {}

  void run(bool reads_unknown, bool lacks_name) {
    for (const GivenParameter& parameter : given_) check(parameter);
    if (!lacks_name) check_missing();
    if (reads_unknown) return;
    for (const GivenParameter* const parameter : unread_) report_unread(*parameter);
  }

 private:
  void check(const GivenParameter& parameter) {
    bool is_read = false;
    for (const ParameterReader& reader : readers_) {
      for (const HostAttribute& declared : reader.host->attributes) {
        if (declared.name != parameter.name) continue;
        is_read = true;
        check_value(parameter, declared);
      }
    }
    if (!is_read) unread_.push_back(&parameter);
  }

  void check_value(const GivenParameter& parameter, const HostAttribute& declared) {
    if (declared.deprecated_in != 0) {
      reporter_.report(rules_.deprecated, parameter.name_span, "parameter " + quote(parameter.name) + " is deprecated",
                       declared.doc);
    }
    ValueFault fault;
    if (declared.is_presence ||
        read_value(declared, parameter.value, fault, NumberText::plain, rules_.exact_booleans)) {
      return;
    }
    report_fault(rules_.bad_value, parameter.value_span, parameter.value, std::move(fault), reporter_);
  }

  void check_missing() {
    std::unordered_set<std::string_view> there;
    for (const GivenParameter& parameter : given_) there.insert(parameter.name);
    std::vector<std::pair<const ParameterReader*, const HostAttribute*>> missing;
    for (const ParameterReader& reader : readers_) {
      for (const HostAttribute& declared : reader.host->attributes) {
        const bool is_missing = declared.is_required || (declared.is_recommended && rules_.recommended);
        if (is_missing && there.insert(declared.name).second) missing.emplace_back(&reader, &declared);
      }
    }
    missing_count_ = missing.size();
    for (const auto& [reader, declared] : missing) {
      reporter_.report(declared->is_required ? rules_.missing : *rules_.recommended, reader->span,
                       "missing parameter " + quote(declared->name) + " of " + quote(reader->host->name),
                       hint_of_slip(declared->name));
    }
  }

  // A misspelt parameter that is also missing is one fault.
  std::string hint_of_slip(std::string_view name) {
    auto slip = std::find_if(unread_.begin(), unread_.end(), [&](const GivenParameter* parameter) {
      return !reporter_.nearest(parameter->name, {name}).empty() ||
             (reporter_.may_translate() && !synonym_of_attribute(parameter->name, {name}).empty());
    });
    if (slip == unread_.end() && unread_.size() == 1 && missing_count_ == 1) slip = unread_.begin();
    if (slip == unread_.end()) return {};
    std::string hint = "unknown parameter " + quote((*slip)->name) + ": " + did_you_mean(name);
    unread_.erase(slip);
    return hint;
  }

  void report_unread(const GivenParameter& parameter) {
    std::vector<std::string_view> names;
    for (const ParameterReader& reader : readers_) {
      for (const HostAttribute& declared : reader.host->attributes) names.push_back(declared.name);
    }
    const std::string near = reporter_.nearest(parameter.name, names);
    text::Finding& finding = reporter_.report(
        rules_.never_read, parameter.name_span,
        "unknown parameter " + quote(parameter.name) + " of " + list_of(reader_names(), "or"), did_you_mean(near));
    reporter_.propose(finding, parameter.name, near);
  }

  [[nodiscard]] std::vector<std::string_view> reader_names() const {
    std::vector<std::string_view> names;
    for (const ParameterReader& reader : readers_) names.push_back(reader.host->name);
    return names;
  }

  std::span<const GivenParameter> given_;
  std::span<const ParameterReader> readers_;
  const ParameterRules& rules_;
  Reporter& reporter_;
  std::vector<const GivenParameter*> unread_;
  std::size_t missing_count_ = 0;
};

}  // namespace

std::vector<std::string_view> names_of_hosts(std::span<const HostDeclaration> declared,
                                             std::span<const HostDeclaration> known) {
  std::vector<std::string_view> names = names_of(declared);
  for (const HostDeclaration& host : known) names.push_back(host.name);
  return names;
}

HostSet::HostSet(std::string_view thing, Rule unknown, Rule call, std::span<const HostDeclaration> declared,
                 std::span<const HostDeclaration> known)
    : thing_(thing),
      unknown_(unknown),
      call_(call),
      declared_(declared),
      known_(known),
      names_(names_of_hosts(declared, known)) {}

const HostDeclaration* HostSet::find(std::string_view name, Span span, Reporter& reporter, std::string hint) {
  if (const HostDeclaration* const host = find_declaration(declared_, name)) return host;
  const HostDeclaration* const host = find_declaration(known_, name);
  const std::string_view called = host == nullptr ? called_in(name) : std::string_view();
  if (!called.empty()) hint = "write the name alone: " + quote(called);
  if (!called.empty() && declared_.empty()) {
    reporter.report(call_, span, quote(name) + " is taken as a name, with its parentheses", std::move(hint));
    return nullptr;
  }
  if (host == nullptr && !declared_.empty()) {
    const std::string near = hint.empty() ? names_.nearest(name) : std::string();
    if (hint.empty()) hint = did_you_mean(near);
    text::Finding& finding =
        reporter.report(unknown_, span, "unknown " + std::string(thing_) + ' ' + quote(name), std::move(hint));
    const bool is_declared = find_declaration(declared_, near) != nullptr;
    reporter.propose(finding, name, near, is_declared ? Guess::Of::name : Guess::Of::word);
  }
  return host;
}

bool HostSet::is_known(const HostDeclaration* host) const {
  return std::any_of(known_.begin(), known_.end(), [&](const HostDeclaration& each) { return &each == host; });
}

void check_parameters(std::span<const GivenParameter> given, std::span<const ParameterReader> readers,
                      const ParameterRules& rules, Reporter& reporter, bool reads_unknown, bool lacks_name) {
  ParameterCheck(given, readers, rules, reporter).run(reads_unknown, lacks_name);
}

}  // namespace espalier::dialects
