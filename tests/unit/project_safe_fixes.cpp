// Which guesses are safe: slips of the finger, and what looks like one and may be another name.
#include "project/safe_fixes.h"

#include "unit.h"

namespace project_safe_fixes {

using namespace espalier;
using project::is_slip;

TEST_CASE("a slip swaps, doubles or loses letters within one word") {
  struct {
    const char* written;
    const char* meant;
  } const cases[] = {
      {"EnemyVisibel", "EnemyVisible"},
      {"EnemyViisble", "EnemyVisible"},
      {"EnemyVisble", "EnemyVisible"},
      {"EnemyVissible", "EnemyVisible"},
      {"Figthing", "Fighting"},
      {"Prioritty", "Priority"},
      {"prioirty", "Priority"},
      {"atack", "attack"},
      {"target_visbile", "target_visible"},
      {"player.nearyb", "player.nearby"},
      {"selectiontree", "SelectionTree"},
      {"TURNLFET", "TURNLEFT"},
      {"HTTPSevrer2", "HTTPServer2"},
      {"aiming", "AIMING"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.written, each.meant);
    CHECK(is_slip(each.written, each.meant));
  }
}

TEST_CASE("another number, prefix, ending, letter or word is no slip") {
  struct {
    const char* written;
    const char* meant;
  } const cases[] = {
      {"turnLeft2", "turnLeft1"},
      {"turnLeft", "turnLeft1"},
      {"turnLeft11", "turnLeft1"},
      {"turnLeft12", "turnLeft21"},
      {"Wave2", "Wave1"},
      {"player.near", "player.far"},
      {"player.far", "player.near"},
      {"IsUnarmed", "IsArmed"},
      {"IsArmed", "IsUnarmed"},
      {"TargetInvisible", "TargetVisible"},
      {"TargetVisible", "TargetInvisible"},
      {"disabled", "enabled"},
      {"notReady", "ready"},
      {"isReady", "ready"},
      {"asleep", "sleep"},
      {"sleep", "asleep"},
      {"!near", "near"},
      {"!Visible", "Visible"},
      {"Enemies", "Enemy"},
      {"Weapons", "Weapon"},
      {"Weapon", "Weapons"},
      {"Alert", "Alerted"},
      {"Closed", "Close"},
      {"stageii", "stagei"},
      {"walking", "talking"},
      {"wonder", "wander"},
      {"attach", "attack"},
      {"form", "from"},
      {"stop", "start"},
      {"OnOff", "OffOn"},
      {"sensorAB", "sensorBA"},
      {"EnemSyeen", "EnemySeen"},
      {"enemy_seen", "enemyseen"},
      {"bt:Leaf", "Leaf"},
      {"", "Leaf"},
      {"Leaf", ""},
      {"\xC3\xB6"
       "ffnen",
       "ffnen"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.written, each.meant);
    CHECK_FALSE(is_slip(each.written, each.meant));
  }
}

TEST_CASE("a name may be another one misspelt unless a number, a prefix or a whole word differs") {
  struct {
    const char* written;
    const char* meant;
    bool may_be;
  } const cases[] = {
      {"AwareOfEnemey", "AwareOfEnemy", true},
      {"Growll", "Growl", true},
      {"Deda", "Dead", true},
      {"TargetVisable", "TargetVisible", true},
      {"Targetvisible", "TargetVisible", true},
      {"target_visible", "target_visibel", true},
      {"OnEnemeySeen", "OnEnemySeen", true},
      {"turnLeft2", "turnLeft1", false},
      {"turnLeft", "turnLeft1", false},
      {"IsUnarmed", "IsArmed", false},
      {"TargetInvisible", "TargetVisible", false},
      {"isReady", "ready", false},
      {"player.near", "player.far", false},
      {"On", "In", false},
      {"!near", "near", false},
      {"", "near", false},
  };
  for (const auto& each : cases) {
    CAPTURE(each.written, each.meant);
    CHECK(project::may_be_slip(each.written, each.meant) == each.may_be);
    CHECK(project::may_be_slip(each.meant, each.written) == each.may_be);
  }
}

}  // namespace project_safe_fixes
