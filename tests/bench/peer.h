// BehaviorTree.CPP as a peer of trees that tick: the same tree, built and ticked by its public interface.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

namespace bench {

// The entries of blackboards that the trees use: 1 at first.
inline constexpr const char* kEntries[] = {"x", "y"};

// A tree of BehaviorTree.CPP.
struct Peer;

enum class PeerResult : std::uint8_t { failure, success, running };

// The tree of a file of ours: Sequence, Selector, the actions Act0 to Act7, each of which succeeds if its byte is not
// 0, the action Run, which keeps running, and the action Count, which writes its port `from` and 1 to `to`; and what
// the library has. Null if it was not there when this was built.
std::shared_ptr<Peer> make_peer(std::string_view xml, const unsigned char* bytes);

PeerResult tick(Peer& peer);

}  // namespace bench
