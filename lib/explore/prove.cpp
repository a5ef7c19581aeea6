// Whether properties hold in all runs: how the budget of each tree is shared among its properties. See explore.h.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "explore/allowance.h"
#include "explore/explore.h"
#include "explore/property/proving.h"
#include "explore/property/ready_made.h"
#include "explore/property/together.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

struct TreeClaim {
  std::size_t number = 0;  // among all
  Tree tree;
  std::string name;
  std::function<Proof(const Options& options)> prove;
  const Property* property = nullptr;  // null: it cannot be written as one
};

// A tree's claims first get equal shares of one half of its budget. For those that this leaves undecided there is the
// other half: all states are looked at once, for all claims that can be decided so; then one claim after the other gets
// half of what is left, which is more than another equal share.
class Proofs {
 public:
  Proofs(const Options& options, const ProofDone& done) : options_(options), done_(done), left_(options.total) {}

  std::vector<Proof> prove(const std::vector<TreeClaim>& claims) {
    claim_count_ = claims.size();
    for (const TreeClaim& claim : claims) ++tree_of(claim).left_count;
    for (const TreeClaim& claim : claims) {
      OfTree& tree = tree_of(claim);
      const bool has_all = tree.left_count == 1 && tree.open.empty();
      Proof proof = prove(claim, tree, tree.left.part(has_all ? 1 : 2 * tree.left_count));
      --tree.left_count;
      if (is_short_of_budget(proof) && !has_all) {
        tree.open.push_back({&claim, std::move(proof)});
      } else {
        tell(claim, std::move(proof));
      }
      if (tree.left_count == 0) finish(tree);
    }
    std::vector<Proof> proofs;
    for (auto& [number, proof] : proofs_) proofs.push_back(std::move(proof));
    return proofs;
  }

 private:
  struct Open {
    const TreeClaim* claim;
    Proof proof;  // so far
  };
  struct OfTree {
    Allowance left;
    std::uint64_t left_count = 0;  // claims that were not looked at yet
    std::vector<Open> open = {};   // those that were, and are undecided
  };

  OfTree& tree_of(const TreeClaim& claim) {
    return trees_.try_emplace(claim.tree.index, OfTree{Allowance(options_.budget)}).first->second;
  }

  bool is_interrupted() const { return options_.budget.is_interrupted(); }
  bool is_short_of_budget(const Proof& proof) const {
    return proof.is_told && proof.result == Truth::undecided && proof.hint.empty() && !is_interrupted();
  }

  // What `look` takes, which it returns, is paid by the tree's budget and the whole one.
  template <typename Look>
  void pay(OfTree& tree, const Budget& share, const Look& look) {
    Options own = options_;
    own.budget = least(share, left_.part());
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t used_count = look(own);
    tree.left.use(used_count, begin);
    left_.use(used_count, begin);
  }

  Proof prove(const TreeClaim& claim, OfTree& tree, const Budget& share) {
    Proof proof{.property = claim.name, .tree = std::string(tree_name(claim.tree))};
    if (is_interrupted()) return proof;
    pay(tree, share, [&](const Options& own) {
      proof = claim.prove(own);
      return proof.used_count;
    });
    return proof;
  }

  void finish(OfTree& tree) {
    look_together(tree);
    for (std::size_t i = 0; i < tree.open.size(); ++i) {
      Open& open = tree.open[i];
      const Budget share = tree.left.part(i + 1 == tree.open.size() ? 1 : 2);
      if (least(share, left_.part()).states > open.proof.used_count) {
        Proof proof = prove(*open.claim, tree, share);
        proof.state_count = std::max(proof.state_count, open.proof.state_count);
        open.proof = std::move(proof);
      }
      tell(*open.claim, std::move(open.proof));
    }
    tree.open.clear();
  }

  // Those that no run shows are decided then.
  void look_together(OfTree& tree) {
    std::map<std::optional<std::uint32_t>, std::vector<Open*>> groups;  // by the number of agents
    for (Open& open : tree.open) {
      const Property* property = open.claim->property;
      if (property != nullptr && is_of_single_updates(*property)) groups[property->agents].push_back(&open);
    }
    for (const auto& [agents, same] : groups) {
      const std::vector<Open*>& group = same;  // clang 14 captures no bindings
      if (is_interrupted()) return;
      std::vector<const Property*> properties;
      for (const Open* open : group) properties.push_back(open->claim->property);
      Together found;
      // What some run shows still needs a trace.
      const bool are_all = group.size() == tree.open.size();
      const Budget share = are_all ? without_part(tree.left.part(), 4) : tree.left.part(2);
      pay(tree, share, [&](const Options& own) {
        found = explore::look_together(properties, group.front()->claim->tree, own);
        return found.used_count;
      });
      for (std::size_t i = 0; i < group.size(); ++i) {
        Proof& proof = group[i]->proof;
        proof.state_count = std::max(proof.state_count, found.state_count);
        if (!found.are_never_shown[i]) continue;
        proof.result = properties[i]->kind == PropertyKind::reachable ? Truth::fails : Truth::holds;
      }
    }
    std::erase_if(tree.open, [&](Open& open) {
      if (open.proof.result == Truth::undecided) return false;
      tell(*open.claim, std::move(open.proof));
      return true;
    });
  }

  void tell(const TreeClaim& claim, Proof proof) {
    if (!proof.is_told) return;
    // Of what comes after an interruption nothing is known.
    const bool is_new = !is_interrupted() || proof.used_count != 0;
    if (is_interrupted() && proof.result == Truth::undecided) proof.hint = kInterrupted;
    const Proof& told = proofs_.try_emplace(claim.number, std::move(proof)).first->second;
    if (done_ && is_new) done_(told, {claim.number, claim_count_});
  }

  const Options& options_;
  const ProofDone& done_;
  Allowance left_;
  std::size_t claim_count_ = 0;
  std::map<std::uint32_t, OfTree> trees_;  // by index
  std::map<std::size_t, Proof> proofs_;    // by number of the claim
};

}  // namespace

std::vector<Proof> prove(const Asset& asset, std::span<const Property> properties, const Options& options,
                         const ProofDone& done, const ChosenTrees* ready_made) {
  std::vector<TreeClaim> claims;
  for (const Property& property : properties) {
    for (const Tree& tree : trees_of(property, asset)) {
      claims.push_back({claims.size(), tree, property.name,
                        [&property, tree](const Options& own) { return prove_property(property, tree, own); },
                        &property});
    }
  }
  for (std::uint32_t i = 0; ready_made != nullptr && i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (!ready_made->name.empty() && tree_name(tree) != ready_made->name) continue;
    for (ReadyMade& each : ready_made_of(tree, options.host))
      claims.push_back({claims.size(), tree, std::move(each.name), std::move(each.prove), each.property});
  }
  return Proofs(options, done).prove(claims);
}

}  // namespace espalier::explore
