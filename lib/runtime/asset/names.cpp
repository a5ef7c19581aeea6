// Names and ids of an asset, and binding behaviours to the host's functions by name.
#include <cstring>

#include "asset/view.h"

namespace espalier {
const char* status_text(Status status) {
  switch (status) {
    case Status::ok:
      return "no error";
    case Status::misaligned:
      return "the asset does not lie at a multiple of 8 bytes";
    case Status::not_an_asset:
      return "this is not a compiled asset";
    case Status::unsupported_version:
      return "the asset is of a version that this runtime cannot read";
    case Status::wrong_size:
      return "the asset is cut off or has bytes behind its end";
    case Status::wrong_hash:
      return "the asset was changed after it was written";
    case Status::malformed:
      return "the asset is malformed";
    case Status::not_found:
      return "there is nothing of this name";
    case Status::missing_binding:
      return "a behaviour has no functions";
    case Status::no_id:
      return "the current rule has no id";
    case Status::not_accepted:
      return "the slot does not take this tree";
    case Status::too_large:
      return "the tree does not fit the slot";
    case Status::wrong_byte_order:
      return "assets are little-endian, and this host or this asset is not";
    case Status::damaged_agent:
      return "the block is not one of an agent of this tree";
    case Status::missing_engine:
      return "the asset has a tree of an engine that was not given";
  }
  return "unknown status";
}

// The places of nodes are sorted by their words.
std::string_view node_debug_name(const Asset& asset, std::uint32_t node_word) {
  const auto places = records<layout::NodePlace>(asset, layout::SectionId::node_places);
  std::uint32_t begin = 0;
  std::uint32_t end = record_count(asset, layout::SectionId::node_places);
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (places[middle].word == node_word) {
      return array<char>(asset, layout::SectionId::debug_names) + places[middle].name;
    }
    if (places[middle].word < node_word) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return {};
}

std::uint32_t tree_count(const Asset& asset) { return record_count(asset, layout::SectionId::trees); }

Tree tree(const Asset& asset, std::uint32_t index) { return {&asset, index}; }

Status find_tree(const Asset& asset, std::string_view name, Tree* tree) {
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree found = {&asset, i};
    const bool is_exact = family_of(found) == Family::store;
    if (is_exact ? tree_name(found) != name : !equal_any_case(tree_name(found), name)) continue;
    *tree = found;
    return Status::ok;
  }
  return Status::not_found;
}

std::string_view tree_name(const Tree& tree) { return name_at(*tree.asset, tree_record(tree).name); }

std::uint32_t variable_count(const Tree& tree) { return tree_record(tree).variable_count; }

std::string_view variable_name(const Tree& tree, std::uint32_t variable) {
  const auto variables = records<layout::Variable>(*tree.asset, layout::SectionId::variables);
  return name_at(*tree.asset, variables[tree_record(tree).first_variable + variable].name);
}

Status find_variable(const Tree& tree, std::string_view name, std::uint32_t* variable) {
  const bool is_exact = family_of(tree) == Family::decide;
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) {
    const std::string_view other = variable_name(tree, i);
    if (is_exact ? other != name : !equal_any_case(other, name)) continue;
    *variable = i;
    return Status::ok;
  }
  return Status::not_found;
}

std::uint32_t signal_count(const Tree& tree) { return tree_record(tree).signal_count; }

std::string_view signal_name(const Tree& tree, std::uint32_t signal) {
  const auto signals = records<layout::Signal>(*tree.asset, layout::SectionId::signals);
  return name_at(*tree.asset, signals[tree_record(tree).first_signal + signal].name);
}

Status find_signal(const Tree& tree, std::string_view name, std::uint32_t* signal) {
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
    if (signal_name(tree, i) != name) continue;
    *signal = i;
    return Status::ok;
  }
  return Status::not_found;
}

std::uint32_t behavior_count(const Asset& asset) { return record_count(asset, layout::SectionId::behaviors); }

std::string_view behavior_name(const Asset& asset, std::uint32_t behavior) {
  return name_at(asset, records<layout::Behavior>(asset, layout::SectionId::behaviors)[behavior].name);
}

std::uint32_t host_condition_count(const Asset& asset) {
  return record_count(asset, layout::SectionId::host_conditions);
}

std::string_view host_condition_name(const Asset& asset, std::uint32_t condition) {
  return name_at(asset, records<layout::HostCondition>(asset, layout::SectionId::host_conditions)[condition].name);
}

namespace {

// Fills a table of `total` names.
Status bind_names(const Asset& asset, std::uint32_t total, std::string_view (*name_of)(const Asset&, std::uint32_t),
                  const Binding* bindings, std::size_t binding_count, Behavior* table, std::uint32_t* missing,
                  std::size_t missing_capacity, std::uint32_t* missing_count) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < total; ++i) {
    const Binding* found = nullptr;
    for (std::size_t j = 0; j < binding_count && found == nullptr; ++j) {
      if (bindings[j].name == name_of(asset, i)) found = &bindings[j];
    }
    table[i] = found != nullptr ? found->behavior : Behavior{};
    if (found != nullptr) continue;
    if (count < missing_capacity) missing[count] = i;
    ++count;
  }
  if (missing_count != nullptr) *missing_count = count;
  return count == 0 ? Status::ok : Status::missing_binding;
}

}  // namespace

Status bind(const Asset& asset, const Binding* bindings, std::size_t binding_count, Behavior* table,
            std::uint32_t* missing, std::size_t missing_capacity, std::uint32_t* missing_count) {
  return bind_names(asset, behavior_count(asset), behavior_name, bindings, binding_count, table, missing,
                    missing_capacity, missing_count);
}

Status bind_conditions(const Asset& asset, const Binding* bindings, std::size_t binding_count, Behavior* table,
                       std::uint32_t* missing, std::size_t missing_capacity, std::uint32_t* missing_count) {
  return bind_names(asset, host_condition_count(asset), host_condition_name, bindings, binding_count, table, missing,
                    missing_capacity, missing_count);
}

}  // namespace espalier
