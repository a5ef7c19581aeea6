#!/bin/sh
# Bazel compiles trees and tests their traces, in samples/build/bazel: bazel.sh ESPALIER WORK_FOLDER
# Without a network: what Bazel would download measures coverage of programs, and is not used here.
set -eu
ESPALIER=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export ESPALIER
mkdir -p "$2"
work=$(cd "$2" && pwd)
chmod -R u+w "$work"  # what Bazel extracts is read-only
rm -rf "${work:?}"/*
cp -r "$(dirname "$0")/../../samples" "$work/samples"
mkdir "$work/coverage"
touch "$work/coverage/WORKSPACE"
echo 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])' >"$work/coverage/BUILD.bazel"

test_all() {
  (cd "$work/samples/build/bazel" && bazel --batch --output_user_root="$work/output" test --curses=no --noshow_progress \
    --override_repository=remote_coverage_tools="$work/coverage" --subcommands //... >"$work/log" 2>&1)
}
has() { grep -q "$1" "$work/log" || { cat "$work/log" >&2; echo "Bazel does not say: $1" >&2; exit 1; }; }

test_all || { cat "$work/log" >&2; exit 1; }
has "Compiling the trees of //:guard"
has "over 2 runs"
cat "$work"/samples/build/bazel/bazel-testlogs/guard_test/*/test.log >"$work/shards"
for trace in "$work"/samples/guard/*.trace.jsonl "$work"/samples/guard/covering/*.trace.jsonl; do
  [ "$(grep -c "^ok .*/$(basename "$trace")" "$work/shards")" = 1 ] || { echo "not run by one shard: $trace" >&2; exit 1; }
done

test_all
! grep -q "Compiling the trees" "$work/log" || { echo "Bazel compiles without a change" >&2; exit 1; }

sed -i 's/name="Patrol"/name="Stroll"/' "$work/samples/guard/guard.xml"
! test_all || { echo "a failed expectation is no failed test" >&2; exit 1; }
has "Compiling the trees of //:guard"
has "guard_test .*FAILED"
