// What the host's actions and conditions are given when they are called: attributes, parameters, ports.
#pragma once
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/world.h"

namespace espalier::explore {

struct Input {
  std::string name = {};
  std::string value = {};    // in words: "2", "\"Run\"", "{goal}"
  std::string meaning = {};  // of inputs that are the same to the host it is equal, in both versions
};

// Numbers for lists of inputs: equal ones are the same to the host. Used by several threads.
class GivenInputs {
 public:
  explicit GivenInputs(const World& world) : world_(world) {}

  // 0: none.
  std::uint32_t number(std::size_t side, const Call& call);
  // Sorted by name.
  std::vector<Input> at(std::uint32_t number) const;

 private:
  const World& world_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by version, node and what its inputs depend on
  std::map<std::string, std::uint32_t> meanings_;
  std::vector<std::vector<Input>> lists_ = {{}};
};

// The scripts of a node, without comments and white space.
std::string script_at(const Asset& asset, std::uint32_t node_word);

// Of engines whose nodes have parameters.
void read_parameters(const Side& side, const Call& call, std::vector<Input>& inputs);

}  // namespace espalier::explore
