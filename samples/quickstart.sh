#!/bin/sh
# From nothing to a running tree: installs what is missing, builds espalier, and shows what it does on the samples.
#   sh samples/quickstart.sh
# Runs from any folder, any number of times. Everything it creates is in build/.
set -eu
cd "$(dirname "$0")/.."
. samples/packages.sh

# Prints a command and runs it. The first argument is the expected exit status.
show() {
  expected_status=$1
  shift
  printf '\n$ %s\n' "$*"
  status=0
  "$@" || status=$?
  [ "$status" = "$expected_status" ] || { echo "exit status $status, expected $expected_status" >&2; exit 1; }
}

heading() { printf '\n== %s\n' "$*"; }

# Runs a command that builds, and says how far it is: at once in a terminal, each half minute elsewhere.
build() {
  "$@" >"$log" 2>&1 &
  build=$!
  waited_s=0
  while kill -0 "$build" 2>/dev/null; do
    sleep 1
    waited_s=$((waited_s + 1))
    steps=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2 steps/p' "$log" | tail -n 1)
    if [ -z "$steps" ]; then :
    elif [ -t 1 ]; then printf '\r%s ' "$steps"
    elif [ $((waited_s % 30)) = 0 ]; then echo "$steps"
    fi
  done
  [ ! -t 1 ] || printf '\r'
  wait "$build" || { cat "$log"; echo "The build failed; all of it is in $log." >&2; exit 1; }
}

need_packages build
heading "Building (ten minutes the first time, on two processors)"
log=build/quickstart.log
mkdir -p build
# shellcheck disable=SC2046  # one word per option
build cmake --preset release $(launcher_options)
build cmake --build --preset release
PATH=$PWD/build/release:$PATH
echo "build/release/espalier: $(espalier --version)"

heading "A robot with BehaviorTree.CPP and Nav2: a mistake, a test, and what a change does"
show 1 espalier lint samples/robot/misspelt
show 0 espalier replay -v samples/robot/now --trace samples/robot/low_battery.trace.jsonl
show 0 espalier diff samples/robot/now samples/robot/next

heading "A guard with three behaviours: checked, compiled, printed, replayed"
show 0 espalier lint samples/guard
show 0 espalier compile samples/guard -o build/guard.espb
show 0 espalier dump build/guard.espb
show 0 espalier replay -v build/guard.espb --trace samples/guard/intruder.trace.jsonl

heading "All runs of the guard: traces that reach everything, properties, and what its next version changes"
show 0 espalier cover samples/guard -o build/guard-traces
show 0 espalier replay samples/guard --trace build/guard-traces
show 1 espalier prove samples/guard  # one property fails: its trace says why
show 0 espalier diff samples/guard samples/guard-next

heading "One tree for two archetypes, and a squad member with 34 leaves: what they do and why"
show 0 espalier replay samples/archetypes --events enter --trace samples/archetypes/grunt.trace.jsonl samples/archetypes/sniper.trace.jsonl
show 0 espalier replay samples/squad --events enter --trace samples/squad/firefight.trace.jsonl

heading "Modular trees: sentries and drones of an outpost, what they cost and what they do"
show 0 espalier lint samples/modular
show 0 espalier compile samples/modular -v -o build/modular.espb
show 0 sh -c "espalier dump build/modular.espb | grep -A 12 '^unit 0'"
show 0 espalier replay -v build/modular.espb --trace samples/modular/noise.trace.jsonl samples/modular/charger.trace.jsonl
show 0 espalier replay samples/modular --events enter,interrupt,log --trace samples/modular/firefight.trace.jsonl

heading "Rule trees of the Drag[en]gine: a night watchman, who is sent elsewhere and restored"
show 0 espalier lint samples/dragengine
show 0 espalier replay -v samples/dragengine --trace samples/dragengine/night.trace.jsonl

heading "Decider trees: a creature with a nest, and what it costs"
show 0 espalier lint samples/deciders
show 0 espalier compile samples/deciders -v -o build/creature.espb
show 0 espalier replay -v build/creature.espb --trace samples/deciders/nest.trace.jsonl

heading "Synchronized trees: a squad that fights together, and a campfire with two seats"
show 0 espalier lint samples/synchronized
show 0 espalier compile samples/synchronized -v -o build/squads.espb
show 0 espalier replay -v build/squads.espb --trace samples/synchronized/assault.trace.jsonl samples/synchronized/campfire.trace.jsonl

heading "Trees with many mistakes (exit status 1)"
show 1 espalier lint samples/broken

heading "A tree of BehaviorTree.CPP: a courier whose battery gets low on the way"
show 0 espalier lint samples/btcpp
show 0 espalier replay -v samples/btcpp --trace samples/btcpp/low_battery.trace.jsonl

heading "Programs that run 1,000 guards, 100 sentries, 1,000 creatures, 100 squads, a watchman and a courier: samples/embed"
prefix=$PWD/build/installed
{
  cmake --install build/release --prefix "$prefix"
  cmake -S samples/embed -B build/embed -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build build/embed
} >"$log" 2>&1 || { cat "$log"; exit 1; }
show 0 build/embed/guards build/embed/guard.espb
show 0 build/embed/sentries build/embed/modular.espb
show 0 build/embed/creatures build/embed/deciders.espb
show 0 build/embed/squads build/embed/synchronized.espb
show 0 build/embed/watchman build/embed/dragengine.espb
show 0 build/embed/robot build/embed/btcpp.espb

heading "A run of a program, recorded: what it did, and whether it can be repeated"
show 0 build/embed/recorded build/embed/btcpp.espb build/run.esprec
show 0 espalier replay build/run.esprec --verify

printf '\nDone. The program is build/release/espalier. Continue with README.md.\n'
