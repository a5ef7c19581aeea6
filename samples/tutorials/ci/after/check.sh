#!/bin/sh
# Everything that is checked with each change: sh check.sh [BRANCH]. BRANCH is where the change goes, such as origin/main.
failed=0
espalier lint --fail-on warning || failed=1
espalier replay -q --strict --trace traces || failed=1
espalier cover -q --trace traces --fail-under 90 || failed=1
if [ -n "$1" ]; then
  espalier diff --git "$(git merge-base "$1" HEAD)" trees --format markdown > comment.md || failed=1
fi
exit $failed
