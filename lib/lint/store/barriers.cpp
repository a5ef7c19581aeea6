// Barriers of the roles of a group: barriers that are missing in a role, and orders in which roles wait for each other
// forever. See analysis.h.
#include <algorithm>
#include <map>
#include <set>

#include "lint/store/analysis.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "text/names.h"

namespace espalier::lint {

using text::quote;

namespace {

// A barrier of a role. Barriers with the same name are numbered in order; each meets the one with its number.
struct Arrival {
  PlaceIndex place = 0;
  std::string_view name;
  std::uint32_t number = 0;  // among those with its name, if the role reaches all before it
  bool is_certain = true;    // it does reach all with that name before it
};

constexpr std::size_t kMaxGuessed = 64;  // candidates for the name that was meant

using Meeting = std::pair<std::string_view, std::uint32_t>;  // name and number

struct RoleArrivals {
  PlaceIndex role = 0;
  std::vector<PlaceIndex> barriers;         // all, in the order of the file
  std::vector<Arrival> arrivals;            // those outside of parallels and repeats, in the order of the file
  std::map<Meeting, std::size_t> index_of;  // in arrivals
  std::map<std::string_view, Arrival> last;
  bool is_straight = true;  // all barriers are in sequences only
};

struct Barriers {
  StoreAnalysis& analysis;
  std::vector<RoleArrivals> roles = {};

  const StoreOutline& outline() const { return analysis.outline; }
  std::string role_name(const RoleArrivals& role) const;
  void report_lacking();
  bool report_opposite();
  void report_circle();

 private:
  void report_lacking(PlaceIndex barrier, const RoleArrivals& own, const std::vector<bool>& having,
                      const std::string& meant);
  bool report_opposite(const RoleArrivals& first, const RoleArrivals& second);
  void tell_opposite(const RoleArrivals& first, const Arrival& before, const RoleArrivals& second, const Arrival& here,
                     const Arrival& after);
};

std::string Barriers::role_name(const RoleArrivals& role) const {
  const std::string& label = outline().node(role.role).label;
  return label.empty() ? "role " + std::to_string(outline().places[role.role].number + 1) : quote(label);
}

// ---- Collecting ---------------------------------------------------------------------------------

// The nodes between a place and the nearest role above it.
struct Way {
  std::size_t role = 0;
  bool repeats = false;
  bool is_straight = true;
};

void add_barrier(const StoreOutline& outline, PlaceIndex place, const Way& way, RoleArrivals& role) {
  role.barriers.push_back(place);
  role.is_straight = role.is_straight && way.is_straight && outline.is_reached[place];
  const std::string& name = outline.barrier(place);
  Arrival& arrival = role.last[name];
  arrival.place = place;
  arrival.name = name;
  if (!way.repeats && outline.is_reached[place]) {
    ++arrival.number;
    role.index_of.emplace(Meeting{arrival.name, arrival.number}, role.arrivals.size());
    role.arrivals.push_back(arrival);
  }
  arrival.is_certain = arrival.is_certain && way.is_straight;
}

// The arrivals of all roles, by their places.
std::map<PlaceIndex, RoleArrivals> collect(const StoreOutline& outline) {
  std::vector<RoleArrivals> roles;
  std::vector<Way> ways(outline.places.size());
  for (PlaceIndex place = 1; place < outline.places.size(); ++place) {
    Way& way = ways[place];
    if (outline.opcode(place) == opcode::store_role) {
      way.role = roles.size();
      roles.emplace_back().role = place;
      continue;
    }
    const PlaceIndex parent = outline.places[place].parent;
    const Opcode above = outline.opcode(parent);
    way = ways[parent];
    way.repeats = way.repeats || above == opcode::store_parallel || above == opcode::store_repeat;
    way.is_straight = way.is_straight && (above == opcode::store_role || above == opcode::store_sequence);
    if (outline.opcode(place) == opcode::store_barrier) add_barrier(outline, place, way, roles[way.role]);
  }
  std::map<PlaceIndex, RoleArrivals> by_place;
  for (RoleArrivals& role : roles) by_place.emplace(role.role, std::move(role));
  return by_place;
}

// ---- Missing barriers ----------------------------------------------------------------------------

std::string listed(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " and " : ", ";
    result += words[i];
  }
  return result;
}

// Maps the name of a barrier to the roles that have one.
using Having = std::map<std::string_view, std::vector<bool>>;

// The name that was probably meant by a role's `name`: one that is missing in the role and that more other roles have,
// or as many and earlier. So if two disagree, the second one is the slip.
std::string meant_by(std::string_view name, std::size_t role, const Having& having) {
  if (having.size() > kMaxGuessed) return {};
  const auto count = [](const std::vector<bool>& roles) { return std::count(roles.begin(), roles.end(), true); };
  const auto first = [](const std::vector<bool>& roles) { return std::find(roles.begin(), roles.end(), true); };
  const std::vector<bool>& own = having.at(name);
  std::vector<std::string_view> others;
  for (const auto& [other, roles] : having) {
    const bool is_earlier = first(roles) - roles.begin() < first(own) - own.begin();
    const bool is_usual = count(roles) > count(own) || (count(roles) == count(own) && is_earlier);
    if (!roles[role] && is_usual) others.push_back(other);
  }
  return text::nearest(name, others);
}

// A role with a misspelt name counts as having the name, so it is not reported twice.
void Barriers::report_lacking() {
  Having has;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    for (const PlaceIndex barrier : roles[role].barriers) {
      std::vector<bool>& own = has[outline().barrier(barrier)];
      own.resize(roles.size());
      own[role] = true;
    }
  }
  std::map<std::pair<std::size_t, std::string_view>, std::string> slips;  // what is meant, by role and name
  Having means = has;
  for (const auto& [name, own] : has) {
    for (std::size_t role = 0; role < roles.size(); ++role) {
      if (!own[role]) continue;
      std::string meant = meant_by(name, role, has);
      if (meant.empty()) continue;
      means.find(meant)->second[role] = true;
      slips.emplace(std::pair(role, name), std::move(meant));
    }
  }
  for (std::size_t role = 0; role < roles.size(); ++role) {
    for (const PlaceIndex barrier : roles[role].barriers) {
      const std::string_view name = outline().barrier(barrier);
      const auto slip = slips.find({role, name});
      report_lacking(barrier, roles[role], means.at(name), slip == slips.end() ? std::string() : slip->second);
    }
  }
}

void Barriers::report_lacking(PlaceIndex barrier, const RoleArrivals& own, const std::vector<bool>& having,
                              const std::string& meant) {
  const std::string& name = outline().barrier(barrier);
  std::vector<std::string> lacking;
  std::vector<text::Related> related;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    if (having[role]) continue;
    lacking.push_back(role_name(roles[role]));
    related.push_back({outline().span(roles[role].role), "has no barrier " + quote(name)});
  }
  if (lacking.empty()) return;
  Finding& finding = analysis.report(
      rules::SYN_missing_barrier, barrier,
      "barrier " + quote(name) + " of " + role_name(own) + " does not wait for " + listed(lacking) +
          (lacking.size() == 1 ? ", which has none of that name" : ", which have none of that name"),
      meant.empty() ? "give each role of the group a barrier " + quote(name) : "did you mean " + quote(meant) + "?");
  finding.related = std::move(related);
  finding.claim = analysis.claim("barrier " + quote(name) + " of " + role_name(own) + " opens",
                                 {{Happens::succeeds, outline().span(barrier)}});
}

// ---- Opposite order -----------------------------------------------------------------------------

// The first role reaches `before` and then the counterpart of `here`; the second reaches `here` and then `after`.
void Barriers::tell_opposite(const RoleArrivals& first, const Arrival& before, const RoleArrivals& second,
                             const Arrival& here, const Arrival& after) {
  const std::string x = quote(before.name);
  const std::string y = quote(here.name);
  Finding finding{rules::SYN_barriers_in_opposite_order, rules::Severity::warning, outline().span(here.place),
                  "deadlock: " + role_name(second) + " reaches " + y + " before " + x + ", " + role_name(first) +
                      " reaches " + x + " before " + y,
                  "use the same order in all roles"};
  finding.related = {{outline().span(before.place), role_name(first) + " waits here for " + role_name(second)},
                     {outline().span(after.place), role_name(second) + " has it here"}};
  finding.claim =
      analysis.claim(role_name(first) + " waits at " + x + ", " + role_name(second) + " at " + y,
                     {{Happens::runs, outline().span(before.place)}, {Happens::runs, outline().span(here.place)}});
  analysis.findings.add(std::move(finding));
}

// Each role waits at the barrier that it reaches first, while the other waits at the other one. Of the barriers that
// the first role reaches earlier, it is enough to compare the one that the second role reaches last.
bool Barriers::report_opposite(const RoleArrivals& first, const RoleArrivals& second) {
  bool is_found = false;
  const Arrival* before = nullptr;  // in the first role
  std::size_t behind = 0;           // its position in the second role
  std::set<std::pair<std::string_view, std::string_view>> told;
  for (const Arrival& there : first.arrivals) {
    const auto same = second.index_of.find({there.name, there.number});
    if (same == second.index_of.end()) continue;
    const Arrival& here = second.arrivals[same->second];
    if (before != nullptr && same->second < behind && here.is_certain) {
      is_found = true;
      const bool is_new = told.emplace(before->name, there.name).second;
      if (is_new) tell_opposite(first, *before, second, here, second.arrivals[behind]);
    }
    if (there.is_certain && (before == nullptr || same->second > behind)) {
      before = &there;
      behind = same->second;
    }
  }
  return is_found;
}

bool Barriers::report_opposite() {
  bool is_found = false;
  for (std::size_t second = 1; second < roles.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      is_found = report_opposite(roles[first], roles[second]) || is_found;
    }
  }
  return is_found;
}

// ---- Circles ------------------------------------------------------------------------------------

// How far roles get if all their barriers are in sequences, so that they reach them one after the other.
struct Progress {
  const std::vector<RoleArrivals>& roles;
  std::vector<std::size_t> next = std::vector<std::size_t>(roles.size());  // in the arrivals of each
  std::vector<std::map<std::string_view, std::uint32_t>> counts =
      std::vector<std::map<std::string_view, std::uint32_t>>(roles.size());

  bool is_done(std::size_t role) const { return next[role] == roles[role].arrivals.size(); }
  const Arrival& arrival(std::size_t role) const { return roles[role].arrivals[next[role]]; }
  bool holds_up(std::size_t other, const Arrival& arrival) const {
    if (is_done(other) || roles[other].index_of.count({arrival.name, 1}) == 0) return false;
    const auto count = counts[other].find(arrival.name);
    return count == counts[other].end() || count->second < arrival.number;
  }
  // The first other role that it waits for; itself if there is none.
  std::size_t waits_for(std::size_t role) const {
    for (std::size_t other = 0; other < roles.size(); ++other) {
      if (other != role && holds_up(other, arrival(role))) return other;
    }
    return role;
  }
  bool step(std::size_t role) {
    if (is_done(role)) return false;
    counts[role][arrival(role).name] = arrival(role).number;
    if (waits_for(role) != role) return false;
    ++next[role];
    return true;
  }
  void run() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t role = 0; role < roles.size(); ++role) goes_on = step(role) || goes_on;
    }
  }
};

// When all roles are as far as they can get, those that have not finished wait for each other forever.
void Barriers::report_circle() {
  for (const RoleArrivals& role : roles) {
    if (!role.is_straight) return;
  }
  Progress progress{roles};
  progress.run();
  std::size_t role = 0;
  while (role < roles.size() && progress.is_done(role)) ++role;
  if (role == roles.size()) return;
  for (std::size_t i = 0; i < roles.size(); ++i) role = progress.waits_for(role);  // into the circle
  std::size_t last = role;
  for (std::size_t i = progress.waits_for(role); i != role; i = progress.waits_for(i)) last = std::max(last, i);
  const auto waiting = [&](std::size_t waits) {
    return role_name(roles[waits]) + " waits at " + quote(progress.arrival(waits).name) + " for " +
           role_name(roles[progress.waits_for(waits)]);
  };
  std::vector<std::string> all = {waiting(last)};
  std::vector<text::Related> related;
  std::vector<text::Claim::At> barriers = {{Happens::runs, outline().span(progress.arrival(last).place)}};
  for (std::size_t i = progress.waits_for(last); i != last; i = progress.waits_for(i)) {
    all.push_back(waiting(i));
    barriers.push_back({Happens::runs, outline().span(progress.arrival(i).place)});
    related.push_back({outline().span(progress.arrival(i).place), waiting(i)});
  }
  Finding& finding = analysis.report(rules::SYN_barrier_cycle, progress.arrival(last).place, "deadlock: " + listed(all),
                                     "use the same order and number of barriers in all roles");
  finding.related = std::move(related);
  finding.claim = analysis.claim(listed(all), std::move(barriers));
}

}  // namespace

void analyse_barriers(StoreAnalysis& analysis) {
  const StoreOutline& outline = analysis.outline;
  std::map<PlaceIndex, RoleArrivals> roles = collect(outline);
  for (PlaceIndex place = 0; place < outline.places.size(); ++place) {
    if (outline.opcode(place) != opcode::store_group) continue;
    Barriers barriers{analysis};
    barriers.roles.reserve(outline.places[place].children.size());
    for (const PlaceIndex role : outline.places[place].children) barriers.roles.push_back(std::move(roles[role]));
    barriers.report_lacking();
    if (!barriers.report_opposite()) barriers.report_circle();
  }
}

}  // namespace espalier::lint
