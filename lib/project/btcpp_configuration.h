// What espalier.json says of trees of BehaviorTree.CPP: read and checked.
#pragma once
#include <string>
#include <vector>

#include "dialects/btcpp/options.h"
#include "project/files.h"
#include "text/json_reader.h"

namespace espalier::project {

// Reads the object under "btcpp". `folder` is that of espalier.json. Faults are reported; the rest is used
// nevertheless.
void read_btcpp(const text::JsonValue& value, const std::string& folder, const Files& files, text::JsonReader& json,
                dialects::BtcppOptions& options);

// The same for the object under "btcpp" of a host file, which has nothing but nodes: adds them.
void read_btcpp_nodes(const text::JsonValue& value, text::JsonReader& json,
                      std::vector<dialects::btcpp::Declaration>& nodes);

}  // namespace espalier::project
