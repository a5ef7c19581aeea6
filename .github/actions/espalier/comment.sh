#!/bin/sh
# One comment on the pull request, which a later push rewrites: what it changes in what agents do, findings, and what the traces reach.
set -eu
cd "$GITHUB_WORKSPACE"
# The checkout may belong to another user than that of the job, as in containers.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="$GITHUB_WORKSPACE"
comment=$RESULTS/comment.md
# shellcheck disable=SC2086  # TREES and TRACES are words
{
  if base=$(git merge-base "origin/$GITHUB_BASE_REF" HEAD); then
    espalier diff --git "$base" $TREES --budget "$BUDGET" --format markdown || test $? = 1 # 1: errors in a version
  else
    echo "espalier cannot compare: the checkout has no branch origin/$GITHUB_BASE_REF (fetch-depth: 0 brings it)."
  fi
  espalier lint $TREES --format markdown --fail-on never
  [ -z "$TRACES" ] || espalier cover $TREES --trace $TRACES --budget "$BUDGET" --format markdown || true
} >"$comment"
cat "$comment" >>"$GITHUB_STEP_SUMMARY"
gh pr comment "$NUMBER" --body-file "$comment" --edit-last --create-if-none
