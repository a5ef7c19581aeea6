// What espalier.json says of trees of BehaviorTree.CPP: read and checked.
#pragma once
#include <string>

#include "dialects/btcpp/options.h"
#include "project/files.h"
#include "text/json_reader.h"

namespace espalier::project {

// Reads the object under "btcpp". `folder` is that of espalier.json. Faults are reported; the rest is used
// nevertheless.
void read_btcpp(const text::JsonValue& value, const std::string& folder, const Files& files, text::JsonReader& json,
                dialects::BtcppOptions& options);

}  // namespace espalier::project
