// Rows of a table and of declarations. See rows.h.
#include "editor/rows.h"

#include <algorithm>

#include "dialects/modular/options.h"
#include "text/names.h"

namespace espalier::editor {

using dialects::AttributeRow;
using dialects::ElementRow;
using dialects::HostDeclaration;

Rows::Rows(const dialects::Dialect& dialect, const dialects::Options& options)
    : table_(dialect.table()), options_(options) {
  if (dialect.declare != nullptr) dialect.declare(options, declared_);
  if (dialect.configuration.declared != nullptr) names_ = dialect.configuration.declared(options);
}

const ElementRow* Rows::declared(std::string_view element) const {
  for (const ElementRow& row : declared_.rows()) {
    if (table_.is_same(row.name, element)) return &row;
  }
  return nullptr;
}

const ElementRow* Rows::find(const std::vector<std::string_view>& around, std::string_view element) const {
  const ElementRow* row = nullptr;
  const auto enter = [&](std::string_view name) {
    const ElementRow* next = row == nullptr ? table_.find(name) : table_.find_in(*row, name);
    if (const ElementRow* const own = declared(name);
        own != nullptr && (next == nullptr || next->groups == own->groups))
      next = own;
    if (next != nullptr) row = next;
    return next;
  };
  for (const std::string_view name : around) enter(name);
  return enter(element);
}

std::vector<const ElementRow*> Rows::inside(const std::vector<std::string_view>& around) const {
  std::vector<const ElementRow*> rows;
  if (around.empty()) {
    for (std::size_t i = 0; i < table_.root_count; ++i) rows.push_back(&table_.elements[i]);
    return rows;
  }
  const ElementRow* const parent = find({around.begin(), around.end() - 1}, around.back());
  if (parent == nullptr) return rows;
  for (const ElementRow& row : table_.elements) {
    if (may_hold(*parent, row) && row.written_for.empty()) rows.push_back(&row);
  }
  for (const ElementRow& row : declared_.rows()) {
    const auto is_same = [&](const ElementRow* other) { return table_.is_same(other->name, row.name); };
    if (may_hold(*parent, row) && std::none_of(rows.begin(), rows.end(), is_same)) rows.push_back(&row);
  }
  return rows;
}

std::vector<const AttributeRow*> Rows::attributes(const ElementRow& row,
                                                  const std::vector<WrittenAttribute>& written) const {
  std::vector<const AttributeRow*> attributes;
  const auto add = [&](std::span<const AttributeRow> rows) {
    for (const AttributeRow& each : rows) {
      if (each.need != dialects::Need::ignored) attributes.push_back(&each);
    }
  };
  add(row.attributes);
  if (row.common == dialects::Common::read) add(table_.common);
  if (const HostDeclaration* const host = named_host(row, written)) {
    parameters_.push_back(
        std::make_unique<dialects::HostRow>(*host, 0, 0, options_.of<dialects::ModularOptions>().engine));
    add(parameters_.back()->row().attributes);
  }
  return attributes;
}

// The one whose parameters an element has, by the name that it gives.
const HostDeclaration* Rows::named_host(const ElementRow& row, const std::vector<WrittenAttribute>& written) const {
  if (!row.takes_parameters || row.attributes.empty()) return nullptr;
  const AttributeRow& name = row.attributes.front();
  for (const WrittenAttribute& each : written) {
    if (!table_.is_same(each.name, name.name)) continue;
    for (const HostDeclaration* const host : hosts(name.naming.kind)) {
      if (host->name == each.value) return host;
    }
  }
  return nullptr;
}

const HostDeclaration* Rows::host(const std::vector<std::string_view>& around, std::string_view element,
                                  const std::vector<WrittenAttribute>& written) const {
  const ElementRow* const row = find(around, element);
  if (row != nullptr && row->takes_parameters) return named_host(*row, written);
  if (row != nullptr && declared(element) == nullptr) return nullptr;
  for (const dialects::DeclaredNames& list : names_) {
    const auto* const host = list.naming == table_.unknown_elements ? find_declaration(list.hosts, element) : nullptr;
    if (host != nullptr) return host;
  }
  return nullptr;
}

const AttributeRow* Rows::attribute(const ElementRow& row, const std::vector<WrittenAttribute>& written,
                                    std::string_view name) const {
  for (const AttributeRow* const each : attributes(row, written)) {
    if (table_.is_same(each->name, name)) return each;
  }
  return nullptr;
}

std::vector<const HostDeclaration*> Rows::hosts(NameKind kind) const {
  std::vector<const HostDeclaration*> result;
  const auto add = [&](const HostDeclaration& host) { result.push_back(&host); };
  for (const dialects::DeclaredNames& list : names_) {
    if (list.naming == kind) std::for_each(list.hosts.begin(), list.hosts.end(), add);
  }
  if (kind == NameKind::behavior) std::for_each(options_.own_behaviors.begin(), options_.own_behaviors.end(), add);
  return result;
}

std::vector<std::string_view> Rows::names(NameKind kind) const {
  std::vector<std::string_view> result;
  for (const dialects::DeclaredNames& list : names_) {
    if (list.naming == kind) result.insert(result.end(), list.names.begin(), list.names.end());
  }
  return result;
}

}  // namespace espalier::editor
