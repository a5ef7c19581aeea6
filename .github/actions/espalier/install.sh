#!/bin/sh
# Puts espalier on PATH for the steps after this one: from a tarball, or as the runner has it.
set -eu
kept=$HOME/.cache/espalier-action # restored by actions/cache
results=$RUNNER_TEMP/espalier
mkdir -p "$kept" "$results"
echo "results=$results" >>"$GITHUB_OUTPUT"

say_error() {
  echo "::error title=espalier::$1"
  exit 1
}

if [ -z "$TARBALL" ]; then
  command -v espalier >/dev/null || say_error "espalier is not installed here: give the action a tarball"
  exit
fi
is_whole() { [ -n "$SHA256" ] && echo "$SHA256  $kept/espalier.tar.gz" | sha256sum --check --status 2>/dev/null; }
if ! is_whole; then
  case $TARBALL in
  *://*)
    [ -n "$SHA256" ] || say_error "the tarball is an address: give its sha256 too"
    curl --fail --silent --show-error --location --retry 3 --output "$kept/espalier.tar.gz" "$TARBALL"
    ;;
  *) cp "$TARBALL" "$kept/espalier.tar.gz" ;;
  esac
  [ -z "$SHA256" ] || is_whole || say_error "the tarball has another checksum than $SHA256"
fi
rm -rf "$kept/program"
mkdir "$kept/program"
tar -xzf "$kept/espalier.tar.gz" -C "$kept/program" --strip-components=1
echo "$kept/program/bin" >>"$GITHUB_PATH"
"$kept/program/bin/espalier" --version
