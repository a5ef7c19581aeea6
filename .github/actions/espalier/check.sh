#!/bin/sh
# Everything that can fail, each even if one before it did: findings beside the lines of a change, traces, what they reach, properties.
# shellcheck disable=SC2086,SC2317  # TREES and TRACES are words; part() calls prove()
set -u
cd "$GITHUB_WORKSPACE" || exit 1
failed=0

# part NAME COMMAND...: a part of the log that can be folded
part() {
  echo "::group::espalier $1"
  shift
  "$@" || failed=1
  echo "::endgroup::"
}

prove() {
  espalier prove "$@" >"$RESULTS/proofs.txt" && return
  cat "$RESULTS/proofs.txt"
  echo "::error title=espalier prove::not every property holds"
  return 1
}
has() { [ -n "$(find ${TREES:-.} -name "$1" -print -quit)" ]; }

part lint espalier lint $TREES --format github --fail-on "$FAIL_ON"
espalier lint $TREES --format sarif --fail-on never >"$RESULTS/lint.sarif"
if [ -n "$TRACES" ] || has '*.trace.jsonl'; then
  set -- $TREES --trace ${TRACES:-${TREES:-.}}
  part replay espalier replay "$@" --format github
  espalier replay "$@" --format junit >"$RESULTS/replay.xml" 2>/dev/null
  [ -z "$COVER" ] || part cover espalier cover "$@" --fail-under "$COVER" --budget "$BUDGET"
fi
! has '*.properties.json' || part prove prove $TREES --budget "$BUDGET"
exit "$failed"
